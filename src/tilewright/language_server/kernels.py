"""The kernels of a program's last run, at the positions of its text: tiles at assignments, operations, layouts.

The debugger finds names and values (`tilewright.debugger.names`), in the text of the program as it was when it
ran.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from tilewright.debugger.names import ProgramNames
from tilewright.debugger.plan import StatementPlace, StopPlan
from tilewright.debugger.source import SourceFile, SourceFiles, declared_at
from tilewright.debugger.tiles import type_words
from tilewright.dialects.cuda_tile.attributes import function_name
from tilewright.dialects.cuda_tile.ops.control import EntryOp
from tilewright.dialects.cuda_tile.types import TileType
from tilewright.driver.compile import compile
from tilewright.driver.sources import read_any
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ir.operation import Operation
from tilewright.ir.support.record import Record
from tilewright.ir.value import Value
from tilewright.layouts.linear_text import linear_text
from tilewright.lowering.tileas.placements import placements
from tilewright.runtime.last_runs import LastRun

LAYOUTS = "layouts"
"""The stage of GPU targets that has layouts."""
Position = tuple[int, int]
"""A line and a column, which count from 1; columns of Python files count bytes."""


class AssignedTile(Record, frozen=True):
    """A tile that a kernel assigns to a name. The name ends before the position ``line`` and ``end``.
    ``type`` is the text of the type of the tile, ``kernel`` the name of the kernel in the program. ``layout``
    is the layout of the tile in the notation of `tilewright layout`; it is empty if the run was not for a
    GPU, or the tile has none.
    """

    line: int
    end: int
    name: str
    type: str
    layout: str
    kernel: str


class LaunchedModule:
    """A module of a run, read from the bytes `content`, with the names and positions of its kernels in
    `files`, the sources of the run.
    """

    def __init__(self, run: LastRun, content: bytes, files: SourceFiles) -> None:
        self.content = content
        self._run = run
        self._files = files

    @cached_property
    def entries(self) -> Sequence[EntryOp]:
        """The kernels of the module; none if it cannot be read."""
        try:
            module = read_any(self.content, "the kernel of the last run")
        except DiagnosticError:  # of a record that another version wrote
            return ()
        return () if isinstance(module, str) else [op for op in module.walk() if isinstance(op, EntryOp)]

    @property
    def name(self) -> str:
        """The name that the first kernel of the module has in the program; ``kernel`` if the module has no
        kernel.
        """
        return next((name for name, _, _ in self._read), "kernel")

    @cached_property
    def _read(self) -> Sequence[tuple[str, StopPlan, ProgramNames]]:
        """For each kernel, its name in the program, the plan of its statements, and the names of the program
        that are visible in it.
        """
        found: list[tuple[str, StopPlan, ProgramNames]] = []
        for entry in self.entries:
            plan = StopPlan(entry, self._files)
            names = ProgramNames(entry, plan, self._files, {}, {})
            found.append((function_name(entry.location, entry.sym_name), plan, names))
        return found

    @cached_property
    def operations(self) -> Mapping[tuple[str, Position], Sequence[Operation]]:
        """The operations of the kernels, in the order of execution, by the absolute path of their file and
        their line and column, both from 1 (see `Position`).
        """
        found: dict[tuple[str, Position], list[Operation]] = defaultdict(list)
        for _, plan, _ in self._read:
            for op, position in plan.positions.items():
                found[self._run.path_of(position.file), position.position[1:]].append(op)
        return found

    def assigned(self, file: str) -> Iterator[AssignedTile]:
        """Yield the tiles that the kernels assign to names in a file, given by its absolute path."""
        for kernel, plan, names in self._read:
            contexts = {(one.file, one.context) for one in plan.positions.values()}
            for name, context in sorted(contexts):
                if self._run.path_of(name) == file and not self._files.of(name).functions:
                    yield from self._declared(kernel, self._files.of(name), names.computed(name, context))
            for op, places in plan.at.items():
                for place in places:
                    if self._run.path_of(place.file) == file:
                        yield from self._of_statement(kernel, names, place, op)

    def _of_statement(
        self, kernel: str, names: ProgramNames, place: StatementPlace, op: Operation
    ) -> Iterator[AssignedTile]:
        """Yield the tiles that the Python statement `place` of the kernel `kernel` assigns to names; `op` is
        the operation at which the statement begins.
        """
        end = op if op.parent is None else op.parent.last or op
        for target in _targets(place.statement):
            found = names.assigned(target.id, place, end)
            if isinstance(found, Value) and isinstance(found.type, TileType):
                at = target.lineno, (target.end_col_offset or 0) + 1
                yield self._tile(at, target.id, found, kernel)

    def _declared(
        self, kernel: str, source: SourceFile, values: Mapping[Position, Value]
    ) -> Iterator[AssignedTile]:
        """Yield the tiles in `values`, computed at positions of the C++ file `source`, that a declaration
        assigns to a name which is assigned once. `kernel` is the name of the kernel.
        """
        for (line, column), value in sorted(values.items()):
            name = declared_at(source, line, column) if isinstance(value.type, TileType) else ""
            if name:
                end = source.line(line).rindex(name, 0, column - 1) + len(name) + 1
                yield self._tile((line, end), name, value, kernel)

    def _tile(self, at: Position, name: str, value: Value, kernel: str) -> AssignedTile:
        owner = value.owner
        location = owner.location if isinstance(owner, Operation) else None
        source = location.source if location is not None else None
        layout = self._layouts.get((source, _shape(value))) if source else None
        return AssignedTile(*at, name, type_words(value.type), layout or "", kernel)

    @cached_property
    def _layouts(self) -> Mapping[object, str]:
        """The texts of the layouts of tiles, by the pair of their source position and shape. Empty if the run
        was not for a GPU, or the kernels do not compile. A tile that changes its layout has the first one.
        """
        try:
            artifact = compile(self.content, target=self._run.target)
            module = artifact.module(LAYOUTS) if LAYOUTS in artifact.stages() else None
        except DiagnosticError:  # such as a kernel that the target cannot have: its run said so
            return {}
        found: dict[object, str] = {}
        for one in placements(module) if module is not None else ():
            found.setdefault((one.location.source, one.layout.shape), linear_text(one.layout))
        return found


def _shape(value: Value) -> tuple[int, ...]:
    return tuple(value.type.shape) if isinstance(value.type, TileType) else ()


def _targets(statement: ast.stmt | None) -> Iterator[ast.Name]:
    """Yield the names that an assignment assigns, also members of a tuple or list that is a target, but not
    of nested ones. Other statements and None yield nothing.
    """
    match statement:
        case ast.Assign(targets=targets):
            parts = targets
        case ast.AnnAssign(target=target) | ast.AugAssign(target=target):
            parts = [target]
        case _:
            parts = []
    for part in parts:
        for one in part.elts if isinstance(part, ast.Tuple | ast.List) else [part]:
            if isinstance(one, ast.Name):
                yield one


class _RecordedFile(SourceFile):
    """A file as it was when the program ran."""

    def __init__(self, name: str, text: str) -> None:
        super().__init__(name)
        self._text = text

    @cached_property
    def lines(self) -> Sequence[str]:
        return self._text.replace("\r\n", "\n").split("\n")


class _RecordedFiles(SourceFiles):
    """The files of a run as they were when the program ran; a file that the run did not record is empty."""

    def __init__(self, run: LastRun) -> None:
        super().__init__()
        self._run = run
        self._read: dict[str, SourceFile] = {}

    def of(self, name: str) -> SourceFile:
        if name not in self._read:
            text = self._run.sources.get(self._run.path_of(name), "")
            self._read[name] = _RecordedFile(name, text)
        return self._read[name]


class RunKernels:
    """The kernels of a run, with a `LaunchedModule` for each module that was launched."""

    def __init__(self, run: LastRun) -> None:
        files = _RecordedFiles(run)
        self.modules = [LaunchedModule(run, content, files) for content in run.modules]
        self._assigned: dict[str, Mapping[Position, Sequence[AssignedTile]]] = {}

    def assigned(self, file: str) -> Mapping[Position, Sequence[AssignedTile]]:
        """Return the tiles that kernels assign to names in a file, given by its absolute path, by the position
        behind the name. A name has several tiles if kernels, or calls of a function, have different types.
        """
        if file not in self._assigned:
            found: dict[Position, dict[tuple[str, str], AssignedTile]] = defaultdict(dict)
            for module in self.modules:
                for tile in module.assigned(file):
                    found[tile.line, tile.end].setdefault((tile.type, tile.layout), tile)
            self._assigned[file] = {at: list(found[at].values()) for at in sorted(found)}
        return self._assigned[file]

    def operations(self, file: str) -> Mapping[Position, Sequence[Operation]]:
        """Return the operations of all kernels in a file, given by its absolute path, by their line and
        column, both from 1.
        """
        found: dict[Position, list[Operation]] = defaultdict(list)
        for module in self.modules:
            for (name, position), ops in module.operations.items():
                if name == file:
                    found[position] += ops
        return found
