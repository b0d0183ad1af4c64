"""Watching a program run: every value that the interpreter computes is held against what was claimed of it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any
from unittest.mock import patch

import numpy as np

from tests.optimizer.analysis.holding import complaint
from tilewright.dialects.cuda_tile.ops.control import EntryOp
from tilewright.dialects.cuda_tile.ops.tile import ReduceOp, ScanOp
from tilewright.dialects.cuda_tile.types import TileType
from tilewright.interp.checks import promises as check_promises
from tilewright.interp.launch import InterpretedLaunch, LoadedModule
from tilewright.interp.program import InterpretedBlock, PreparedOperation, Program
from tilewright.interp.values import InterpretOptions, TensorView, TileView
from tilewright.ir.builtin_types import FloatType
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.optimizer.analysis.facts import ValueFacts, step
from tilewright.optimizer.analysis.pointer_origins import MemoryRoot, RootKind
from tilewright.optimizer.analysis.query import ValueFactsAnalysis

OPTIONS = InterpretOptions(memcheck=True, promises=True, max_steps=5_000)
"""Promises are checked: what is claimed holds until a program does something undefined, and that ends the run."""


class Silence:
    def write(self, text: str, /) -> None:
        """Printed text is of no interest."""


class Watch:
    """Claims that turned out wrong while an entry ran, and how many values were looked at."""

    def __init__(self, facts: ValueFactsAnalysis) -> None:
        self.facts = facts
        self.wrong: list[str] = []
        self.seen = 0
        self.roots: dict[MemoryRoot, int] = {}

    def look(self, value: Value, actual: Any) -> None:
        """Compare what a value is with what is known of it."""
        self.seen += 1
        if not self.facts.exists(value):
            self._say(value, "never computed, but was", actual)
            return
        claimed = self.facts.facts(value)
        problem = self._problem(value, claimed, actual)
        if problem:
            self._say(value, problem, actual)

    def _say(self, value: Value, problem: str, actual: Any) -> None:
        self.wrong.append(f"{value} of {value.owner}: {problem}; {self.facts.why(value)}; got {actual}")

    def _problem(self, value: Value, claimed: ValueFacts, actual: Any) -> str:
        kind = value.type
        if isinstance(kind, TileType):
            stride = None if isinstance(kind.element_type, FloatType) else step(kind)
            return complaint(claimed, actual, stride) or self._misplaced(claimed, np.asarray(actual))
        tensor = actual.tensor if isinstance(actual, TileView) else actual
        return self._wrong_view(claimed, tensor) if isinstance(tensor, TensorView) else ""

    def _wrong_view(self, claimed: ValueFacts, tensor: TensorView) -> str:
        if tensor.base % claimed.divisor:
            return f"base divisor {claimed.divisor}"
        for extent, actual in zip(claimed.extents, tensor.shape, strict=True):
            if not extent.bounds.low <= actual <= extent.bounds.high or actual % extent.divisor:
                return f"extent {extent}"
        return self._misplaced(claimed, np.array(tensor.base))

    def _misplaced(self, claimed: ValueFacts, addresses: Any) -> str:
        place = claimed.place
        if place is None or place.roots is None or place.offset is None or len(place.roots) > 1:
            return ""
        base = self.roots.get(next(iter(place.roots)))
        if base is None:
            return ""
        distances = addresses.astype(np.int64) - np.int64(base)
        inside = (distances >= place.offset.low) & (distances <= place.offset.high)
        return "" if inside.all() else f"place {place} from {base}"


def _in_fold(op: Operation) -> bool:
    return any(isinstance(outer, ReduceOp | ScanOp) for outer in op.ancestors())


def codes(program: Program) -> Iterator[InterpretedBlock]:
    """The blocks of a program that compute values of the types that are written there: not the bodies of folds."""
    for op in program.entry.walk():
        for region in op.regions:
            if region.blocks and not isinstance(op, ReduceOp | ScanOp) and not _in_fold(op):
                yield program.code(region)


def _watch_results(instruction: PreparedOperation, watch: Watch) -> None:
    evaluate, op = instruction.evaluate, instruction.op
    if evaluate is None:
        return
    compute = evaluate

    def watched(block: Any, *operands: Any) -> Any:
        result = compute(block, *operands)
        results = (result,) if len(op.results) == 1 else result
        for value, actual in zip(op.results, results if op.results else (), strict=True):
            watch.look(value, actual)
        return result

    instruction.evaluate = watched


def _watch_registers(code: InterpretedBlock, program: Program, watch: Watch) -> None:
    """Arguments are looked at when a block starts, results of control flow when the operation after it does."""
    before: list[tuple[PreparedOperation, Sequence[Value]]] = [(code.instructions[0], code.block.arguments)]
    for control, following in zip(code.instructions, code.instructions[1:], strict=False):
        if control.steer is not None and control.results:
            before.append((following, control.op.results))
    for instruction, values in before:
        _look_first(instruction, values, program, watch)


def _look_first(
    instruction: PreparedOperation, values: Sequence[Value], program: Program, watch: Watch
) -> None:
    pairs = list(zip(values, program.slots(values), strict=True))

    def look(block: Any) -> None:
        for value, slot in pairs:
            watch.look(value, block.registers[slot])

    evaluate, steer = instruction.evaluate, instruction.steer
    if evaluate is not None:
        instruction.evaluate = _after(look, evaluate)
    if steer is not None:
        instruction.steer = _after(look, steer)


def _after(look: Callable[[Any], None], function: Any) -> Any:
    def looked(block: Any, *rest: Any) -> Any:
        look(block)
        return function(block, *rest)

    return looked


def _end_the_run(launch: InterpretedLaunch, op: Operation, found: DiagnosticError) -> None:
    """Behind a broken promise nothing is claimed, although the interpreter goes on to find more."""
    raise found


def watch_run(
    module: Operation,
    entry: EntryOp,
    arguments: Sequence[Any],
    facts: ValueFactsAnalysis,
    grid: tuple[int, int, int] = (1, 1, 1),
) -> Watch:
    """Run an entry and compare everything it computes.  A run that ends in a diagnostic counts as far as it went."""
    with patch.object(check_promises, "is_checked_at_assume", lambda assumption: True):
        loaded = LoadedModule(module)
        program = loaded.program(entry, OPTIONS)
    watch = Watch(facts)
    for name, allocation in loaded.globals.items():
        watch.roots[MemoryRoot(RootKind.GLOBAL, name)] = allocation.base
    for index, argument in enumerate(arguments):
        if isinstance(argument, np.ndarray):
            watch.roots[MemoryRoot(RootKind.ARGUMENT, index)] = argument.ctypes.data
    for code in codes(program):
        for instruction in code.instructions:
            _watch_results(instruction, watch)
    for code in codes(program):
        _watch_registers(code, program, watch)
    with contextlib.suppress(DiagnosticError), patch.object(InterpretedLaunch, "report_once", _end_the_run):
        loaded.begin(entry.sym_name, grid, arguments, OPTIONS, Silence()).run()
    return watch
