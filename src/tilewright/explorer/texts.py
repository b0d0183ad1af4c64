"""The texts of stages, each with the source position of every line.

Modules are printed with marks for locations, which are then removed from the text. Texts of tools have the
positions in their own notation: ``!dbg`` in LLVM IR, ``.loc`` in assembly and PTX. Directives for debuggers
are removed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from tilewright.explorer.places import NOWHERE, SourcePositions
from tilewright.ir.attribute import Location
from tilewright.ir.operation import Operation
from tilewright.ir.support.collection import paused_collection
from tilewright.ir.text import hooks, printer as text_printer

Linked = tuple[str, list[int]]
"""A text, and the number of the source position of each line (see `SourcePositions`)."""

_OPEN, _CLOSE = "\x01", "\x02"
_MARK = re.compile(rf"(?: loc\({_OPEN}(\d+){_CLOSE}\))|{_OPEN}(\d+){_CLOSE}")


class _MarkingPrinter(text_printer.Printer):
    """A printer that writes a mark for each location, and a mark before each operation. A mark contains an
    index into `marked`, which has the location and, if there is one, the operation.
    """

    def __init__(self) -> None:
        super().__init__(hooks.PrintOptions(debug_info=True, use_local_scope=True))
        self.marked: list[tuple[Location, Operation | None]] = []

    def location_text(self, location: Location) -> str:
        return self._mark(location, None)

    def inline_location_text(self, location: Location) -> str:
        return self._mark(location, None)

    def _mark(self, location: Location, op: Operation | None) -> str:
        self.marked.append((location, op))
        return f"{_OPEN}{len(self.marked) - 1}{_CLOSE}"

    def _operation(self, op: Operation) -> None:
        self.write(self._mark(op.location, op))
        super()._operation(op)

    def _location_tail(self, op: Operation) -> str:
        return f" loc({self._mark(op.location, op)})"


def of_module(
    module: Operation, places: SourcePositions, lines_of: dict[Operation, int] | None = None
) -> Linked:
    """Return the text of a module, and for each line the number of the source position of the operation that
    begins or ends on it (`NOWHERE` for none). ``lines_of``, if given, receives the line, from 1, on which
    each operation begins.
    """
    printer = _MarkingPrinter()
    with paused_collection():
        text = printer.print_module(module)
    lines: list[str] = []
    found: list[int] = []
    for number, line in enumerate(text.split("\n"), 1):
        mark = _MARK.search(line)
        location, op = printer.marked[int(mark[1] or mark[2])] if mark else (None, None)
        found.append(NOWHERE if location is None else places.of(location))
        if op is not None and lines_of is not None:
            lines_of.setdefault(op, number)
        lines.append(_MARK.sub("", line))
    return "\n".join(lines), found


_DEBUG = re.compile(r",? ?!dbg !(\d+)")
_NODE = re.compile(r"^!(\d+) = (?:distinct )?!DI(Location|Subprogram|File|LexicalBlock)\((.*)\)$")
_FIELD = re.compile(r'(\w+): (?:!(\d+)|"((?:[^"\\]|\\.)*)"|(-?\d+))')
_DEBUG_ONLY = re.compile(r"^!(?:\d+ = (?:distinct )?!DI|llvm\.dbg)|^!\d+ = !\{i32 \d+, !\"(?:Dwarf|Debug)")


def of_llvm_ir(text: str, places: SourcePositions) -> Linked:
    """Return the LLVM IR `text` without its debug information, and for each line the number of the source
    position of its instruction (`NOWHERE` for none).
    """
    nodes = {match[1]: (match[2], _fields(match[3])) for match in map(_NODE.match, text.split("\n")) if match}

    def place(number: str) -> int:
        kind, fields = nodes.get(number, ("", {}))
        if kind != "Location":
            return NOWHERE
        file = _file_of(nodes, fields.get("scope", ""))
        return places.at(file, int(fields.get("line", 0)), int(fields.get("column", 0)))

    return _read(text.split("\n"), _DEBUG_ONLY.match, lambda line: _debug_place(line, place))


def _debug_place(line: str, place: Callable[[str], int]) -> tuple[str, int]:
    found = _DEBUG.search(line)
    return (line, NOWHERE) if found is None else (_DEBUG.sub("", line), place(found[1]))


def _fields(text: str) -> dict[str, str]:
    return {match[1]: match[2] or match[3] or match[4] or "" for match in _FIELD.finditer(text)}


def _file_of(nodes: dict[str, tuple[str, dict[str, str]]], scope: str) -> str:
    """Return the path of the file of the debug node `scope`; an empty text if it is unknown. `nodes` has the
    kind and the fields of each node by its number, and `scope` is such a number.
    """
    _, fields = nodes.get(scope, ("", {}))
    _, file = nodes.get(fields.get("file", ""), ("", {}))
    directory, name = file.get("directory", ""), file.get("filename", "")
    return f"{directory}/{name}" if directory and not name.startswith("/") else name


_FILE = re.compile(r'^\s*\.file\s+(\d+)(?:\s+"((?:[^"\\]|\\.)*)")?\s+"((?:[^"\\]|\\.)*)"')
_LINE = re.compile(r"^\s*\.loc\s+(\d+)\s+(\d+)(?:\s+(\d+))?")
_TABLES = re.compile(r"^\s*\.(?:file|loc|cfi_\w+)\b|^\.L(?:tmp|func_begin|func_end|cfi|debug)\w*:")
_SECTION = re.compile(r"^\s*\.section\s+(\S+?),?(?:\s|$)")


def of_assembly(text: str, places: SourcePositions) -> Linked:
    """Return the assembly or PTX `text` without line tables, and for each line the number of its source
    position: an instruction has the position of the last ``.loc`` before it in its function, other lines have
    `NOWHERE`.
    """
    files: dict[str, str] = {}
    current = NOWHERE
    in_tables = False

    def step(line: str) -> tuple[str, int]:
        return line, current if line[:1] in ("\t", " ") and not line.lstrip().startswith(".") else NOWHERE

    lines: list[str] = []
    found: list[int] = []
    for line in text.split("\n"):
        named, section = _FILE.match(line), _SECTION.match(line)
        in_tables = section[1].startswith((".debug", '".debug')) if section else in_tables
        if named:
            files[named[1]] = f"{named[2]}/{named[3]}" if named[2] and named[3][:1] != "/" else named[3]
        if at := _LINE.match(line):
            current = places.at(files.get(at[1], ""), int(at[2]), int(at[3] or 0))
        if line.endswith(":") and not line.startswith("."):
            current = NOWHERE  # another function
        if not in_tables and not _TABLES.match(line):
            shown, place = step(line)
            lines.append(shown)
            found.append(place)
    return "\n".join(lines), found


def plain(text: str) -> Linked:
    """Return a text, and `NOWHERE` for each of its lines: they have no source positions."""
    return text, [NOWHERE] * (text.count("\n") + 1)


def _read(
    lines: Iterable[str], left_out: Callable[[str], object], read: Callable[[str], tuple[str, int]]
) -> Linked:
    shown = [read(line) for line in lines if not left_out(line)]
    return "\n".join(line for line, _ in shown), [place for _, place in shown]
