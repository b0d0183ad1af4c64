"""The queries of an editor about a program with kernels, in Python or C++, by its last run: findings and proofs,
shapes of tiles, operations, stages.

Lines and characters count from 0, as in the Language Server Protocol.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from tilewright.cpp.options import SUFFIXES as CPP_SUFFIXES
from tilewright.debugger.tiles import type_words
from tilewright.dialects.cuda_tile.types import TokenType
from tilewright.driver.artifact import Artifact
from tilewright.driver.compile import compile
from tilewright.driver.stages import CompileOptions
from tilewright.explorer.places import SourcePositions
from tilewright.explorer.schema import Page
from tilewright.explorer.stages import readable_stages, stage_of
from tilewright.ir.operation import Operation
from tilewright.ir.support.record import Record
from tilewright.language_server.documents import CharacterRange
from tilewright.language_server.kernels import AssignedTile, LaunchedModule, RunKernels
from tilewright.language_server.runs import FileOfRun, LastRuns, PlacedFinding, clock
from tilewright.reference import explain
from tilewright.runtime.last_runs import PROOFS, RUN, LastRun

SUFFIXES = (".py", *CPP_SUFFIXES)
"""The suffixes of programs with kernels."""
_KERNEL = re.compile(r"^\s*@(?:\w+\.)*(?:kernel|jit)\b|__tile_global__", re.MULTILINE)
_MOST_TYPES = 3
"""The maximum number of types of one name that a hint has; kernels may have many instances."""
_LONGEST_LAYOUT = 60
"""The maximum number of characters of a layout in a hint; a longer one is in its tooltip."""
_SUPPORTING = ("constant", "assume", "make_token", "join_tokens", "make_tensor_view", "make_partition_view")
"""Operations that are left out of hovers where an expression has others."""


class PlacedHint(Record, frozen=True):
    """A hint behind a character of a line. ``is_type`` says that it is the type of a name; others are remarks
    at the end of a line. ``about`` is shown in Markdown when the pointer rests on it.
    """

    line: int
    character: int
    label: str
    about: str
    is_type: bool


class StageText(Record, frozen=True):
    """A stage of a kernel: the name of the kernel and of the stage, the text, the suffix of files of its language,
    and the line, from 0, that a line of the program led to.
    """

    kernel: str
    name: str
    text: str
    suffix: str
    line: int


def is_program(path: str) -> bool:
    """Return whether a document may be a program with kernels, by the suffix of its path."""
    return path.endswith(SUFFIXES)


def has_kernels(text: str) -> bool:
    """Return whether a text of Python or C++ seems to have kernels."""
    return _KERNEL.search(text) is not None


class ProgramDocument:
    """A document of a program, with its text, the last run and the last proofs that are about its file.
    ``run`` and ``proofs`` are None if there are none.
    """

    def __init__(self, runs: LastRuns, path: str, text: str) -> None:
        run, proofs = runs.newest(RUN, path), runs.newest(PROOFS, path)
        self.run = FileOfRun(run, path, text) if run is not None else None
        self.proofs = FileOfRun(proofs, path, text) if proofs is not None else None
        self.path = path
        self._runs = runs

    @property
    def last(self) -> LastRun | None:
        """The last run of a program, or the last proofs about it, that have the document's file, whichever is
        newer; None if there is neither.
        """
        found = [one.run for one in (self.run, self.proofs) if one is not None]
        return max(found, key=lambda one: one.began, default=None)

    @cached_property
    def kernels(self) -> RunKernels | None:
        """The kernels of the last run; None without a run."""
        return None if self.run is None else self._runs.kernels(self.run.run)

    def findings(self) -> list[PlacedFinding]:
        """Return the findings of the last run, and the refuted and open statements of the last proofs, at lines
        that have not changed since.
        """
        return [found for one in (self.run, self.proofs) if one is not None for found in one.findings()]

    # Hints

    def hints(self, first: int, last: int) -> Iterator[PlacedHint]:
        """Yield the hints of the lines from `first` to `last`, both included and counted from 0: first types
        of names, then remarks about proofs.
        """
        if self.run is not None and self.kernels is not None:
            lines = self.run.lines
            for (line, end), tiles in self.kernels.assigned(self.path).items():
                place = lines.place(line)
                if place is not None and first <= place <= last:
                    at = lines.character(line, end, is_python=self.run.is_python)
                    yield PlacedHint(place, at, _label(tiles), _about(tiles, self.run.run), is_type=True)
        if self.proofs is not None:
            yield from self._proved(self.proofs, first, last)

    def _proved(self, proofs: FileOfRun, first: int, last: int) -> Iterator[PlacedHint]:
        """Yield a hint at the end of each line from `first` to `last`, both included, whose accesses are all
        proved.
        """
        by_line: dict[int, list[tuple[str, str]]] = {}
        for place, status, words in _statements(proofs):
            by_line.setdefault(place.line, []).append((status, words))
        for line, found in sorted(by_line.items()):
            if first <= line <= last and all(status == "proved" for status, _ in found):
                about = "\n".join(f"- {words}" for words in dict.fromkeys(words for _, words in found))
                end = len(proofs.lines.now[line].rstrip())
                yield PlacedHint(line, end, "proved", about, is_type=False)

    # Hovers

    def meaning(self, line: int, character: int) -> tuple[CharacterRange, str] | None:
        """Return the range of the expression at a character, and Markdown: the operations that the expression
        became, the proofs about them, and the page of the last one. ``line`` and ``character`` count from 0.
        Return None where the last run has no operation, and on a line that is new since the run.
        """
        run = self.run
        before = None if run is None else run.lines.origin(line)
        if run is None or before is None or self.kernels is None:
            return None
        column = run.lines.column(before, character, is_python=run.is_python)
        operations = self.kernels.operations(self.path)
        for begin, end in _expressions(run, before, column, [at for at in operations if at[0] == before]):
            found = _essential(operations.get(begin, ()))
            span = run.range(self.path, *begin, end) if found else None
            if span is not None:
                word = _word(run.lines.now[line], character)
                return span, self._page(found, word, begin, run.run)
        return None

    def _page(self, found: Sequence[Operation], word: str, at: tuple[int, int], run: LastRun) -> str:
        """Return the Markdown of a hover over the operations `found`, which were at the line and column `at`
        when the program ran: their names and types, the proofs about them, the time of the run, and the page
        of the last one whose name contains `word`, the word under the pointer, else of the last one.
        """
        lines = list(dict.fromkeys(_signature(op) for op in found))
        named = [op for op in found if word and word in op.name]
        pages = explain((named or [*found])[-1].name)
        proofs = [] if self.proofs is None else _at(self.proofs, *at)
        about = f"Last run at {clock(run)}, target {run.target}."
        parts = ["  \n".join(lines), *(f"- {words}" for words in proofs), about]
        return "\n\n".join([*parts, *(["---", pages] if pages else [])])

    # Stages

    def _module_at(self, line: int) -> LaunchedModule | None:
        """Return a module with operations at a line, from 0, or else at the nearest line before it. Return
        None if there is none, or if the line is new since the run.
        """
        before = None if self.run is None else self.run.lines.origin(line)
        if before is None or self.kernels is None:
            return None
        lines = [
            (at[0], -number, module)
            for number, module in enumerate(self.kernels.modules)
            for (file, at) in module.operations
            if file == self.path and at[0] <= before
        ]
        return max(lines, key=lambda one: one[:2], default=(0, 0, None))[2]

    def _artifact(self, module: LaunchedModule) -> Artifact:
        assert self.run is not None
        options = CompileOptions(debug_info=True)
        return compile(module.content, target=self.run.run.target, options=options)

    def stages(self, line: int) -> list[str]:
        """Return the names of the stages of the kernel at a line, in order; none if it was not launched."""
        module = self._module_at(line)
        return [] if module is None else readable_stages(self._artifact(module))

    def stage(self, line: int, name: str) -> StageText | None:
        """Return a stage of the kernel at a line, from 0, and the first line of the stage that comes from it,
        or else from the nearest line before it. A stage that cannot be made has the reason as its text.
        Return None for an unknown stage.
        """
        module, run = self._module_at(line), self.run
        if module is None or run is None or name not in self.stages(line):
            return None
        artifact, page = self._artifact(module), Page(self.path, "")
        made = stage_of(artifact, name, SourcePositions(page))
        before = run.lines.origin(line) or 0

        def distance(number: int) -> int:
            """Return by how many lines the source position with the index `number` is before the line. The
            result is 2**20 for a position after the line, and 2**30 without a position (-1) and for another
            file.
            """
            place = page.places[number] if number >= 0 else None
            if place is None or run.run.path_of(page.sources[place.source].file) != self.path:
                return 1 << 30
            return before - place.line if place.line <= before else 1 << 20

        nearest = min(range(len(made.places)), key=lambda at: distance(made.places[at]), default=0)
        suffix = f".{artifact.rows[name].suffix.rpartition('.')[2]}"
        return StageText(module.name, name, made.text or made.error, suffix, nearest)


def _label(tiles: Sequence[AssignedTile]) -> str:
    types = list(dict.fromkeys(one.type for one in tiles))
    more = ["…"] if len(types) > _MOST_TYPES else []
    layouts = list(dict.fromkeys(one.layout for one in tiles if one.layout))
    layout = f" {layouts[0]}" if len(layouts) == 1 and len(layouts[0]) <= _LONGEST_LAYOUT else ""
    return f": {' | '.join([*types[:_MOST_TYPES], *more])}{layout}"


def _about(tiles: Sequence[AssignedTile], run: LastRun) -> str:
    lines = [
        f"`{one.type}`{f' in layout `{one.layout}`' if one.layout else ''} in kernel `{one.kernel}`"
        for one in tiles
    ]
    return "\n\n".join([*dict.fromkeys(lines), f"Last run at {clock(run)}, target {run.target}."])


def _statements(proofs: FileOfRun) -> Iterator[tuple[CharacterRange, str, str]]:
    """Yield the statements about accesses in a file, on lines that have not changed: the range in the present
    text, the status, such as ``proved``, and a sentence.
    """
    for kernel in proofs.run.report["kernels"]:
        for one in kernel["statements"]:
            span = proofs.range(one["file"], one["line"], one["column"] or 1, None) if one["line"] else None
            if span is not None:
                yield span, one["status"], _sentence(one)


def _sentence(statement: Mapping[str, Any]) -> str:
    subject = "is in bounds" if statement["subject"] == "bounds" else "races with no other tile block"
    conditions: list[str] = statement["conditions"]
    words = f"{statement['status']}: `{statement['operation']}` {subject}"
    if statement["because"]:
        return f"{words}: {statement['because']}"
    if conditions:
        return f"{words} if {' and '.join(f'`{one}`' for one in conditions)}"
    return words


def _at(proofs: FileOfRun, line: int, column: int) -> list[str]:
    """Return the sentences about accesses at a line and column, both from 1, of the program as it was when it
    was proved.
    """
    return [
        _sentence(one)
        for kernel in proofs.run.report["kernels"]
        for one in kernel["statements"]
        if one["line"] == line and (one["column"] or 1) == column
    ]


def _essential(ops: Sequence[Operation]) -> Sequence[Operation]:
    main = [op for op in ops if not op.name.endswith(_SUPPORTING)]
    return main or ops


def _signature(op: Operation) -> str:
    results = [type_words(one.type) for one in op.results if not isinstance(one.type, TokenType)]
    return f"`{op.name}`{' → ' if results else ''}{', '.join(f'`{one}`' for one in results)}"


def _word(text: str, character: int) -> str:
    words = re.finditer(r"\w+", text)
    return next((one[0] for one in words if one.start() <= character <= one.end()), "")


def _expressions(
    run: FileOfRun, line: int, column: int, known: Sequence[tuple[int, int]]
) -> Iterator[tuple[tuple[int, int], int | None]]:
    """Yield the positions of the expressions around a column of a line, the innermost first, each with the
    column after its end; None if the expression ends on another line. In C++ yield the positions in `known`
    up to the column instead, the nearest first, with None. Lines and columns are of the run, from 1.
    """
    if not run.is_python:
        yield from (((line, at), None) for _, at in sorted(known, reverse=True) if at <= column)
        return
    try:
        tree = ast.parse("\n".join(run.lines.before))
    except (SyntaxError, ValueError):  # the program ran, so this Python is another one
        return
    point = line, column - 1
    around = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.expr)
        and (node.lineno, node.col_offset) <= point < (node.end_lineno or 0, node.end_col_offset or 0)
    ]
    for node in reversed(around):  # `walk` yields outer nodes first
        end = (node.end_col_offset or 0) + 1 if node.end_lineno == node.lineno else None
        yield (node.lineno, node.col_offset + 1), end
