"""Launching: running an entry of a module for every tile block of a grid.

Tile blocks run one after the other, x fastest. One that goes round a loop for long (it may wait for
another) gives way to the next and is resumed later, so programs in which tile blocks wait for each other end if they
would end with all tile blocks running at once.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from tilewright.bytecode.preview_calls import refuse_calls
from tilewright.dialects.common.grid import GridError, GridSize, grid_extents
from tilewright.dialects.cuda_tile.ops.control import EntryOp, GlobalOp
from tilewright.interp.arguments import (
    BoundArguments,
    allocation_of,
    makes_pointers_from_integers,
    refuse_written_memory,
)
from tilewright.interp.checks.floats import makes_floats, watched
from tilewright.interp.checks.promises import guard, indexed
from tilewright.interp.checks.races import RaceTracker
from tilewright.interp.checks.tracking import tracked
from tilewright.interp.codes import BAD_LAUNCH, STEP_LIMIT
from tilewright.interp.idle import idle_operations, nothing
from tilewright.interp.memory.access_messages import memory_name
from tilewright.interp.memory.address_space import AccessWatcher, LaunchMemory
from tilewright.interp.memory.allocation import Allocation
from tilewright.interp.memory.writes import Writes
from tilewright.interp.numerics.convert import encode_memory
from tilewright.interp.numerics.element import NumpyArray
from tilewright.interp.precision.watch import OperationErrors, factor_format, referenced, stored_formats
from tilewright.interp.program import (
    InterpretedBlock,
    LaunchObserver,
    PreparedOperation,
    Program,
    observed,
)
from tilewright.interp.rules.rule import Evaluate, constantly
from tilewright.interp.rules.rule_set import ALL_RULES
from tilewright.interp.rules.tile import dense_elements
from tilewright.interp.tile_block import TileBlock
from tilewright.interp.values import InterpretOptions, element_format
from tilewright.ir.block import Block
from tilewright.ir.diagnostic import DiagnosticError, failure
from tilewright.ir.operation import Operation
from tilewright.ir.support.ignores import is_ignored
from tilewright.ir.support.print_conversions import write_out
from tilewright.ir.support.progress import Progress


def prepared(entry: Operation, options: InterpretOptions, observer: LaunchObserver | None = None) -> Program:
    """Return the program of an entry, which any number of tile blocks and launches can run. An `observer`
    follows all of them.

    Raises `DiagnosticError` for calls of SIMT functions.
    """
    refuse_calls(entry)
    idle = idle_operations(entry) if options.accesses_only else frozenset[Operation]()

    def prepare(program: Program, instruction: PreparedOperation, inside_aggregate: bool) -> None:
        if instruction.op in idle:
            instruction.evaluate = constantly(nothing(instruction.op))
        else:
            _prepare(program, instruction, inside_aggregate)
        if observer is not None and not inside_aggregate:
            observed(instruction, observer)

    return Program(entry, options, prepare)


def _prepare(program: Program, instruction: PreparedOperation, inside_aggregate: bool) -> None:
    op, options = instruction.op, program.options
    control = ALL_RULES.control_rules.get(type(op))
    if control is not None:
        instruction.steer = control(op, program)
        return
    evaluate = _evaluate(program, op)
    if options.promises:
        evaluate = guard(op, evaluate, options)
    evaluate = indexed(op, evaluate, options)
    if options.fpcheck and not inside_aggregate and makes_floats(op):
        evaluate = watched(op, evaluate)
    if not inside_aggregate and (options.initcheck or options.racecheck):
        evaluate = tracked(instruction, evaluate, options)
    if options.references and not inside_aggregate:
        evaluate = referenced(instruction, evaluate)
    instruction.evaluate = evaluate


def _evaluate(program: Program, op: Operation) -> Evaluate:
    region_rule = ALL_RULES.region_rules.get(type(op))
    return region_rule(op, program) if region_rule is not None else ALL_RULES.rules[type(op)](op)


class TextSink(Protocol):
    """A sink for printed text, such as an open file."""

    def write(self, text: str, /) -> object:
        """Write `text` to the sink."""
        ...


class StandardSink:
    """A sink that writes to the `sys.stdout` of the moment, which programs may replace."""

    def write(self, text: str, /) -> None:
        """Write `text` to standard output at once."""
        write_out(text)


class SilentSink:
    """A sink that discards the printed text of a launch: another launch of the same kernel prints the text."""

    def write(self, text: str, /) -> None:
        """Drop `text`, which another launch of the kernel prints."""


@dataclass(frozen=True, slots=True)
class LaunchReport:
    """The counts of a launch: the number of tile blocks that ran, and in ``steps`` the number of operations
    that they executed in all.
    """

    tile_blocks: int
    steps: int


class LoadedModule:
    """A module with its globals in memory; they keep their values from launch to launch."""

    def __init__(self, module: Operation) -> None:
        self.module = module
        self.globals: dict[str, Allocation] = {}
        self._programs: dict[tuple[str, InterpretOptions], Program] = {}
        for op in module.regions[0].block:
            if isinstance(op, GlobalOp):
                self.globals[op.sym_name] = _place(op)

    def program(self, entry: EntryOp, options: InterpretOptions) -> Program:
        """Return the prepared program of an entry, from the cache if the entry has been prepared with equal
        options. Raises `DiagnosticError` for calls of SIMT functions.
        """
        key = entry.sym_name, options
        found = self._programs.get(key)
        if found is None:
            found = self._programs[key] = prepared(entry, options)
        return found

    def begin(
        self,
        entry_name: str,
        grid: tuple[int, int, int],
        flat_args: Sequence[object],
        options: InterpretOptions | None = None,
        stdout: TextSink | None = None,
        known_memory: Iterable[object] = (),
        writes: Callable[[], Writes] | None = None,
        watchers: Sequence[AccessWatcher] = (),
        entered: Counter[Block] | None = None,
        observer: LaunchObserver | None = None,
    ) -> InterpretedLaunch:
        """Return a launch of an entry that is ready to run. Raises `DiagnosticError` for an unknown entry, a
        bad grid, arguments that do not fit, and calls of SIMT functions.

        ``flat_args`` has one value for each parameter. None as ``options`` or ``stdout`` gives the default
        options and standard output. ``known_memory`` are arrays that the kernel reaches without a parameter.
        ``writes`` returns the memory that the kernel may change, so that read-only arrays are refused;
        without it they are not refused here. ``watchers`` receive every access; ``entered`` counts how often
        tile blocks entered each block of the program. An ``observer`` follows the launch; without one no
        instruction calls anything else.
        """
        given = InterpretOptions() if options is None else options
        entry = self._entry(entry_name)
        extents = _extents(entry, grid)
        launch = InterpretedLaunch(
            self, entry, extents, flat_args, given, stdout or StandardSink(), writes, watchers, observer
        )
        launch.entered = entered
        known_memory = list(known_memory)
        if writes is not None:
            refuse_written_memory(writes, entry_name, known_memory)
        for number, array in enumerate(known_memory):
            launch.memory.register(allocation_of(array, memory_name(number)))
        return launch

    def _entry(self, name: str) -> EntryOp:
        entries = {op.sym_name: op for op in self.module.regions[0].block if isinstance(op, EntryOp)}
        if name not in entries:
            known = ", ".join(entries) or "none"
            raise failure(
                BAD_LAUNCH, f"no entry '{name}'", self.module.location, hint=f"entries of the module: {known}"
            )
        return entries[name]


def _place(op: GlobalOp) -> Allocation:
    """Allocate memory for a global, aligned as it requires, and store its initial value there; return the
    allocation, which is read-only for a constant global.
    """
    format = element_format(op.value.element_type)
    data = encode_memory(dense_elements(op.value, format), format)
    alignment = max(op.alignment, format.storage_bytes)
    owner = np.zeros(data.size + alignment, np.uint8)
    base = -(-owner.ctypes.data // alignment) * alignment
    owner[base - owner.ctypes.data :][: data.size] = data
    return Allocation(base, data.size, f"global @{op.sym_name}", writeable=not op.constant, owner=owner)


def _extents(entry: EntryOp, grid: Sequence[int]) -> GridSize:
    """Return the extents of a grid. Raises `DiagnosticError` at the entry if they are not three, or outside
    of their limits.
    """
    try:
        return grid_extents(grid)
    except GridError as error:
        raise failure(BAD_LAUNCH, str(error), entry.location, hint=error.way_out) from error


class InterpretedLaunch:
    """One launch of an entry of a loaded `module`: its grid, its arguments, its memory, the number of
    executed operations, and its findings so far. The parameters are as for `LoadedModule.begin`. Raises
    `DiagnosticError` for arguments that do not fit.
    """

    def __init__(
        self,
        module: LoadedModule,
        entry: EntryOp,
        grid: tuple[int, int, int],
        flat_args: Sequence[object],
        options: InterpretOptions,
        stdout: TextSink,
        writes: Callable[[], Writes] | None = None,
        watchers: Sequence[AccessWatcher] = (),
        observer: LaunchObserver | None = None,
    ) -> None:
        self.grid = grid
        self.options = options
        self.steps = 0
        self.entered: Counter[Block] | None = None
        self._module = module
        self._stdout = stdout
        self._findings: list[DiagnosticError] = []
        self._finding_count = 0
        self._reported: set[Operation] = set()
        bound = BoundArguments(entry, flat_args)
        if writes is not None:
            bound.refuse_written(writes)
        self.arguments: list[NumpyArray] = bound.tiles
        complete = options.memcheck or (bound.complete and not makes_pointers_from_integers(entry))
        self.races = RaceTracker(self.report) if options.racecheck else None
        self.errors = (
            OperationErrors(stored_formats(entry), factor_format(entry)) if options.references else None
        )
        heard = [*watchers, *(observer.watchers if observer else ()), *([self.races] if self.races else ())]
        heard += [self.errors.memory] if self.errors else []
        self.memory = LaunchMemory(complete=complete, watchers=heard)
        for allocation in (*bound.allocations, *module.globals.values()):
            self.memory.register(allocation)
        self._observer = observer
        self._program = prepared(entry, options, observer) if observer else module.program(entry, options)

    def run(self) -> LaunchReport:
        """Run every tile block to its end, then raise the collected findings as one `DiagnosticError`; return
        the counts if there are none. An error that stops the launch is raised together with the findings
        before it.
        """
        x, y, z = self.grid
        try:
            with Progress("tile blocks", x * y * z) as progress:
                for block in self._turns():
                    block.run()
                    if not block.frames:
                        progress.step()
        except DiagnosticError as stopped:
            self._raise_findings(stopped)
            raise
        self._raise_findings()
        return LaunchReport(x * y * z, self.steps)

    def _turns(self) -> Iterator[TileBlock]:
        """Yield the tile block to run next, until all have ended; the caller runs each until it ends or is
        suspended.

        After a tile block has ended, the suspended tile block that waits longest runs on; otherwise a new one
        begins.
        """
        fresh = self._blocks()
        waiting: deque[TileBlock] = deque()
        ended = False
        while True:
            block = waiting.popleft() if ended and waiting else next(fresh, None)
            if block is None:
                if not waiting:
                    return
                block = waiting.popleft()
            yield block
            ended = not block.frames
            if not ended:
                waiting.append(block)

    def _blocks(self) -> Iterator[TileBlock]:
        x_extent, y_extent, z_extent = self.grid
        for number in _order(x_extent * y_extent * z_extent, self.options.block_order):
            rows, x = divmod(number, x_extent)
            z, y = divmod(rows, y_extent)
            yield TileBlock(self, self._program, number, (x, y, z))

    def global_address(self, name: str) -> int:
        """Return the address in memory of the global called `name`."""
        return self._module.globals[name].base

    def print(self, text: str) -> None:
        """Write `text`, which a tile block printed, to the sink of the launch."""
        self._stdout.write(text)

    def count(self, steps: int, code: InterpretedBlock, block: TileBlock) -> None:
        """Count `steps` operations of the block `code`, which the tile block `block` is about to execute,
        and, if `entered` is set, one entry of this block. Raises `DiagnosticError` if the launch exceeds its
        limit ``max_steps``.
        """
        self.steps += steps
        if self.entered is not None:
            self.entered[code.block] += 1
        limit = self.options.max_steps
        if limit is not None and self.steps > limit:
            op = code.instructions[0].op
            hint = f"InterpretOptions(max_steps={limit * 10}) allows more, unless a loop never ends"
            raise block.failure(op, STEP_LIMIT, f"more than {limit} operations were executed", hint=hint)

    def report_once(self, op: Operation, finding: DiagnosticError) -> None:
        """Collect `finding`, a failure of `op` that does not stop the launch, as `report` does. Do nothing if
        this method was called for `op` before in this launch.
        """
        if op not in self._reported:
            self._reported.add(op)
            self.report(finding)

    def report(self, finding: DiagnosticError) -> None:
        """Collect a failure that does not stop the launch and has one diagnostic, unless a comment in its
        source line, or a setting, ignores the code of the diagnostic. After ``max_reports`` failures, further
        ones are only counted.
        """
        (found,) = finding.diagnostics
        if found.code is not None and is_ignored(found.code, found.location):
            return
        if self._observer is not None:
            self._observer.found(finding)
        self._finding_count += 1
        if len(self._findings) < self.options.max_reports:
            self._findings.append(finding)

    def _raise_findings(self, stopped: DiagnosticError | None = None) -> None:
        """Raise all collected findings as one error, followed by the diagnostics of `stopped`. Raise nothing
        if there are no findings.
        """
        if not self._findings:
            return
        diagnostics = [diagnostic for finding in self._findings for diagnostic in finding.diagnostics]
        if self._finding_count > len(self._findings):
            diagnostics[-1].note(f"{self._finding_count - len(self._findings)} more are not shown")
        raise DiagnosticError([*diagnostics, *(stopped.diagnostics if stopped else ())])


def _order(count: int, order: str) -> Iterable[int]:
    """Return the numbers of `count` tile blocks in the order `order`: ``reversed``, ``shuffled`` (the same at
    each call), or ascending for any other word.
    """
    if order == "shuffled":
        shuffled: list[int] = np.random.default_rng(0).permutation(count).tolist()
        return shuffled
    return reversed(range(count)) if order == "reversed" else range(count)


def interpret(
    module_op: Operation,
    entry_name: str,
    grid: tuple[int, int, int],
    flat_args: Sequence[object],
    options: InterpretOptions | None = None,
    stdout: TextSink | None = None,
    known_memory: Iterable[object] = (),
) -> LaunchReport:
    """Run an entry of a verified module over a grid of tile blocks, with freshly initialised globals; return
    the numbers of tile blocks and of operations that were executed.

    ``flat_args`` has one value for each parameter (see `tilewright.interp.arguments`); arrays are written in
    place. None as ``options`` or ``stdout`` gives the default options and `sys.stdout`. ``known_memory`` are
    arrays that the kernel reaches through addresses in memory only (tables of arrays), so that memcheck and
    racecheck know them. Raises `DiagnosticError` for anything wrong with the arguments or the run; arrays may
    then be partly written.
    """
    return LoadedModule(module_op).begin(entry_name, grid, flat_args, options, stdout, known_memory).run()
