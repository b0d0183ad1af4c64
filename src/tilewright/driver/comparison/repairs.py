"""Single changes of an operation with which a kernel gives the expected results.

A kernel whose formula is wrong is run again in the interpreter with one operation changed at a time: a constant or a
factor that is fitted, an operand that is left out, another axis, a factor that is missing. Where one of these gives the
expected results, the operation is the place of the mistake, and the change is the way out.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any

import numpy as np

from tilewright.dialects.cuda_tile.ops import float as ops, tile as ops_tile
from tilewright.driver.comparison.arrays import ComparedArray, elements
from tilewright.driver.comparison.subject import ComparedLaunch
from tilewright.driver.repeatable import array_of
from tilewright.interp.launch import LoadedModule, SilentSink
from tilewright.interp.numerics.element import decode
from tilewright.interp.numerics.rounding import round_to_format
from tilewright.interp.program import PreparedOperation, Program
from tilewright.interp.rules.rule import Evaluate
from tilewright.interp.values import InterpretOptions, float_format
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

MOST_RUNS = 600
"""The maximum number of runs of the interpreter for changes of one operation."""
MOST_STEPS = 500_000
"""The number of interpreted operations after which no change by a value of the kernel is tried."""
_MOST_REPAIRS = 3
"""The maximum number of changes that are told."""
_FIT_STEPS = 12
"""The maximum number of steps in which a number is fitted."""
Change = Callable[..., Any]
"""A function of the evaluation of an operation, the tile block and the operands, which replaces the evaluation."""


@dataclass(frozen=True, slots=True)
class Repair:
    """A change of the operation `op` that gives the expected results; `words` describes the change in a
    message, after the name of the operation.
    """

    op: Operation
    words: str


class _Exhausted(Exception):
    """Raised when the runs for a repair are used up."""


class _Trial:
    """Runs a launch with changed operations. `array` is the array that is examined, and `target` has its
    expected elements. All runs together are limited by `MOST_RUNS` and `MOST_STEPS`.
    """

    def __init__(self, made: ComparedLaunch, array: ComparedArray, target: Any) -> None:
        self._made = made
        self._array = array
        self._target = target
        self._left = MOST_RUNS
        self._steps = 0
        arguments = enumerate(made.launched.arguments)
        self._number = next(at for at, given in arguments if made.launched.name_of(given, at) == array.name)

    def values(self, op: Operation, change: Change) -> Any:
        """Return the array after a run in which `change` replaces the evaluation of `op`; None if the run
        fails. Raises `_Exhausted` if the permitted runs or steps are used up.
        """
        self._left -= 1
        if self._left < 0 or self._steps > MOST_STEPS:
            raise _Exhausted
        assert self._made.entry.parent_op is not None, "entries are in modules"
        module = LoadedModule(self._made.entry.parent_op)
        options = InterpretOptions(max_steps=1 << 22)
        program = module.program(self._made.entry, options)
        instruction = _instruction(program, op)
        before = instruction.evaluate
        assert before is not None, "the operation computes"
        instruction.evaluate = partial(change, before)
        arguments = self._made.copies.arguments()
        try:
            with np.errstate(all="ignore"):
                grid = self._made.launched.grid
                run = module.begin(self._made.entry.sym_name, grid, arguments, options, SilentSink())
                self._steps += run.run().steps
        except (DiagnosticError, ValueError, TypeError, IndexError):
            return None  # the change does not fit the kernel
        return array_of(arguments[self._number])

    def go_on(self) -> None:
        """Lift the limit on the number of runs: from now on only `MOST_STEPS` limits them."""
        self._left = MOST_STEPS

    def distance(self, values: Any, direction: Any = None) -> tuple[float, Any]:
        """Return the dot product of the differences between `values` and the expected elements with
        `direction`, and the vector of the differences. `direction` is the vector itself by default.
        Infinities and NaNs count as 0.
        """
        format = self._array.format
        given = decode(elements(values, format)[self._array.written], format)
        with np.errstate(all="ignore"):
            vector = np.nan_to_num(given - self._target.astype(np.float64), posinf=0.0, neginf=0.0)
        return float(np.dot(vector, vector if direction is None else direction)), vector


def _instruction(program: Program, op: Operation) -> PreparedOperation:
    return next(one for one in program.instructions() if one.op is op)


def repairs(
    made: ComparedLaunch,
    array: ComparedArray,
    target: Any,
    fits: Callable[[Any], bool],
    slice_: set[Operation],
) -> list[Repair]:
    """Return changes of an operation of `slice_` after which ``fits(array)`` is true; none if no such change
    is found within the limits of `_Trial`. ``target`` are the expected elements. Kinds of changes are tried
    in turn until one kind succeeds: changes without a number, missing factors, and fitted numbers (constants
    first), with up to three results each; last a single change by another value of the kernel.
    """
    trial = _Trial(made, array, target)
    ops_in_order = [op for op in made.entry.walk() if op in slice_ and _is_changeable(op)]
    found: list[Repair] = []
    with suppress(_Exhausted):
        for changes in (_changes, _missing_factors):
            if not found:
                found += islice(_exchanges(trial, ops_in_order, fits, changes), _MOST_REPAIRS)
        if not found:
            found += islice(_fitted_numbers(trial, ops_in_order, fits), _MOST_REPAIRS)
    trial.go_on()
    with suppress(_Exhausted):
        if not found:
            found += islice(_exchanges(trial, ops_in_order, fits, _missing_values), 1)
    return found


def _exchanges(
    trial: _Trial,
    ops_in_order: Sequence[Operation],
    fits: Callable[[Any], bool],
    changes: Callable[[Operation], Iterator[tuple[str, Change]]],
) -> Iterator[Repair]:
    for op in ops_in_order:
        for words, change in changes(op):
            found = trial.values(op, change)
            if found is not None and fits(found):
                yield Repair(op, words)


def _fitted_numbers(
    trial: _Trial, ops_in_order: Sequence[Operation], fits: Callable[[Any], bool]
) -> Iterator[Repair]:
    """Yield repairs by a fitted number: first of constants, then of products and quotients, where factors are
    usually applied, then of other operations.
    """
    products = ops.MulFOp | ops.DivFOp | ops_tile.MmaFOp
    for op in sorted(
        ops_in_order, key=lambda op: (not isinstance(op, ops_tile.ConstantOp), not isinstance(op, products))
    ):
        for fit in _fits(op):
            number = _fitted(trial, op, fit, fits)
            if number is not None:
                yield Repair(_place(op), fit.words(op, number))


def _is_changeable(op: Operation) -> bool:
    computes = not op.regions or isinstance(op, ops_tile.ReduceOp | ops_tile.ScanOp)
    is_float = len(op.results) == 1 and float_format(op.results[0].type) is not None
    return computes and is_float and op.kind.mnemonic != "assume"


def _place(op: Operation) -> Operation:
    """Return the operation to name in a message: for a constant, and for a reshape or broadcast, the
    operation that uses its result, followed further in the same way. If the result has not exactly one user,
    return the operation itself.
    """
    while isinstance(op, ops_tile.ConstantOp | ops_tile.ReshapeOp | ops_tile.BroadcastOp):
        users = list(op.results[0].users)
        if len(users) != 1:
            break
        op = users[0]
    return op


# --- changes without a number


def _changes(op: Operation) -> Iterator[tuple[str, Change]]:
    """Yield changes of an operation that need no fitted number: pairs of words for a message and the change."""
    if isinstance(op, ops.SubFOp | ops.DivFOp):
        yield "with its operands exchanged", _exchanged
    if isinstance(op, ops.SubFOp | ops.AddFOp):
        yield "as a sum" if isinstance(op, ops.SubFOp) else "as a difference", _with_other_sign
    for at, value in enumerate(op.operands):
        if value.type is op.results[0].type and not isinstance(op, ops_tile.SelectOp):
            yield f"left out, so that operand {at + 1} stays", _left_out(at)
    yield from _other_axes(op)


def _exchanged(evaluate: Evaluate, block: Any, one: Any, other: Any) -> Any:
    return evaluate(block, other, one)


def _with_other_sign(evaluate: Evaluate, block: Any, one: Any, other: Any) -> Any:
    return evaluate(block, one, (-other).astype(other.dtype))


def _left_out(at: int) -> Change:
    def change(evaluate: Evaluate, block: Any, *operands: Any) -> Any:
        return operands[at]

    return change


def _turned_result(evaluate: Evaluate, block: Any, source: Any) -> Any:
    turned: Any = np.swapaxes(evaluate(block, source), 0, 1)
    return turned


def _turned_source(evaluate: Evaluate, block: Any, source: Any) -> Any:
    return evaluate(block, np.swapaxes(source, 0, 1))


def _other_axes(op: Operation) -> Iterator[tuple[str, Change]]:
    """Yield changes that exchange two axes of equal extents, of a broadcast, of the operand of a reduction,
    or of a factor of a product of matrices, and the change that leaves out a permutation: pairs of words for
    a message and the change.
    """
    if isinstance(op, ops_tile.BroadcastOp):
        shape: Any = op.results[0].type
        given: Any = op.operands[0].type
        full = tuple(shape.shape)
        if len(full) == 2 and full[0] == full[1] and given.shape != shape.shape:
            yield "along the other axis", _turned_result
    if isinstance(op, ops_tile.ReduceOp) and len(op.operands) == 1:
        tile: Any = op.operands[0].type
        if len(tile.shape) == 2 and tile.shape[0] == tile.shape[1]:
            yield "along the other axis", _turned_source
    if isinstance(op, ops_tile.PermuteOp) and op.operands[0].type is op.results[0].type:
        yield "left out", _left_out(0)
    if isinstance(op, ops_tile.MmaFOp):
        for at, value in enumerate(op.operands[:2]):
            tile = value.type
            if tile.shape[-1] == tile.shape[-2]:
                yield f"with factor {at + 1} transposed", _transposed(at)


def _transposed(at: int) -> Change:
    def change(evaluate: Evaluate, block: Any, *operands: Any) -> Any:
        turned = [np.swapaxes(one, -1, -2) if at == n else one for n, one in enumerate(operands)]
        return evaluate(block, *turned)

    return change


def _missing_factors(op: Operation) -> Iterator[tuple[str, Change]]:
    """Yield changes that multiply a carried operand of an addition or product of matrices by a value that was
    computed before it in the same block, as in the rescaling of an accumulator: pairs of words for a message
    and the change.
    """
    if not isinstance(op, ops.AddFOp | ops.FmaOp | ops_tile.MmaFOp) or op.parent is None:
        return
    for at, value in enumerate(op.operands):
        if isinstance(value.owner, Operation) or float_format(value.type) is None:
            continue
        for factor in _before(op):
            if _covers(value.type, factor.results[0].type):
                yield (
                    f"with operand {at + 1} multiplied by the {factor.kind.mnemonic} of {_line(factor)}",
                    _combined(at, factor.results[0], np.multiply),
                )


def _before(op: Operation) -> Iterator[Operation]:
    """Yield the exponentials, quotients, products and reciprocal square roots of the same block before `op`,
    which may be a missing factor.
    """
    for one in op.parent or ():
        if one is op:
            return
        if isinstance(one, ops.ExpOp | ops.Exp2Op | ops.DivFOp | ops.MulFOp | ops.RsqrtOp):
            yield one


def _missing_values(op: Operation) -> Iterator[tuple[str, Change]]:
    """Yield changes that multiply an operand or the result by a value that was computed or loaded before, or
    that add or subtract the value, and last the change that squares the result: pairs of words for a message
    and the change. Nothing is yielded for constants, for operations that only move elements, and in
    reductions and scans.
    """
    if isinstance(op, (*_MOVES, ops_tile.ConstantOp)) or _is_in_aggregate(op):
        return
    values = [value for value in _visible(op) if float_format(value.type) is not None]
    for words, combine in _COMBINATIONS:
        for at, given in enumerate(op.operands):
            if float_format(given.type) is None:
                continue
            for value in values:
                if _covers(given.type, value.type):
                    yield f"with operand {at + 1} {words} {_named(value)}", _combined(at, value, combine)
        for value in values:
            if _covers(op.results[0].type, value.type):
                yield f"{words} {_named(value)}", _combined_result(value, combine)
    yield "multiplied by itself", _squared


_COMBINATIONS: tuple[tuple[str, Callable[[Any, Any], Any]], ...] = (
    ("multiplied by", np.multiply),
    ("plus", np.add),
    ("minus", np.subtract),
)
_MOVES = (ops_tile.ReshapeOp, ops_tile.BroadcastOp, ops_tile.PermuteOp)


def _visible(op: Operation) -> Iterator[Value]:
    """Yield the results of operations before `op`, in its block and then in the enclosing blocks, nearest
    operation first.
    """
    inner: Operation | None = op
    while inner is not None and inner.parent is not None:
        before = list(itertools.takewhile(partial(operator.is_not, inner), inner.parent))
        for one in reversed(before):
            yield from one.results
        inner = inner.parent.parent_op


def _is_in_aggregate(op: Operation) -> bool:
    return any(isinstance(one, ops_tile.ReduceOp | ops_tile.ScanOp) for one in op.ancestors())


def _named(value: Value) -> str:
    owner: Any = value.owner
    return f"the {owner.kind.mnemonic} of {_line(owner)}"


def _squared(evaluate: Evaluate, block: Any, *operands: Any) -> Any:
    made = evaluate(block, *operands)
    return (made * made).astype(made.dtype)


def _aligned(block: Any, value: Value, given: Any) -> Any:
    """Return the contents of `value` in the tile block `block`, with axes of extent 1 appended until they
    have as many axes as `given`.
    """
    other = block.registers[block.program.slot(value)]
    return other.reshape(*other.shape, *([1] * (given.ndim - other.ndim)))


def _combined_result(value: Value, combine: Callable[[Any, Any], Any]) -> Change:
    def change(evaluate: Evaluate, block: Any, *operands: Any) -> Any:
        made = evaluate(block, *operands)
        return combine(made, _aligned(block, value, made)).astype(made.dtype)

    return change


def _combined(at: int, value: Value, combine: Callable[[Any, Any], Any]) -> Change:
    def change(evaluate: Evaluate, block: Any, *operands: Any) -> Any:
        given = operands[at]
        made = combine(given, _aligned(block, value, given)).astype(given.dtype)
        return evaluate(block, *(made if at == n else one for n, one in enumerate(operands)))

    return change


def _covers(whole: Any, part: Any) -> bool:
    """Return whether a factor of type `part` can be multiplied with each element of a tile of type `whole`.
    The element types are equal, and the factor has the same shape, extents of 1 instead of others, or no last
    axis.
    """
    shape, given = tuple(whole.shape), tuple(part.shape)
    if whole.element_type is not part.element_type:
        return False
    if len(given) == len(shape):
        return all(one in (1, other) for one, other in zip(given, shape, strict=True))
    return len(given) == len(shape) - 1 and given == shape[: len(given)]


def _line(op: Operation) -> str:
    source = op.location.source
    return f"line {source[1]}" if source else "before"


# --- fitted numbers


@dataclass(frozen=True, slots=True)
class _Fit:
    """A number that changes the result of an operation: it is multiplied with the result if `kind` is
    ``times``, and added if it is ``plus``. `neutral` leaves the result as it is, `step` is the first trial.
    """

    kind: str
    neutral: float
    step: float

    def change(self, op: Operation, number: float) -> Change:
        """Return the change that multiplies the result of `op` by `number`, or adds `number` to it, and
        rounds to the format of the result.
        """
        format = float_format(op.results[0].type)
        assert format is not None, "the operation has a float result"

        def apply(evaluate: Evaluate, block: Any, *operands: Any) -> Any:
            given = decode(evaluate(block, *operands), format)
            with np.errstate(all="ignore"):
                made = given * number if self.kind == "times" else given + number
            return round_to_format(made, format)

        return apply

    def words(self, op: Operation, number: float) -> str:
        """Return the change of `op` by the fitted number `number` as a phrase that follows the name of the
        operation: ``times 0.5`` or ``plus 0.25``, and for a constant ``with 3 instead of 6``.
        """
        if isinstance(op, ops_tile.ConstantOp):
            format = float_format(op.results[0].type)
            assert format is not None, "the operation has a float result"
            value = float(np.frombuffer(op.value.data, format.array_dtype)[0])
            made = value * number if self.kind == "times" else value + number
            return f"with {made:.4g} instead of {value:.4g}"
        return f"{self.kind} {number:.6g}"


def _fits(op: Operation) -> Iterator[_Fit]:
    if isinstance(op, (*_MOVES, ops_tile.SelectOp)):
        return
    yield _Fit("times", 1.0, 1.125)
    if not isinstance(op, ops_tile.ConstantOp):
        yield _Fit("plus", 0.0, 2.0**-10)


def _fitted(trial: _Trial, op: Operation, fit: _Fit, fits: Callable[[Any], bool]) -> float | None:
    """Return a number that makes the results of the launch satisfy `fits` if `fit` changes `op` by it, found
    by the secant method. Return None if a run fails, or no number is found in `_FIT_STEPS` steps.
    """
    before, at = fit.neutral, fit.step
    values = trial.values(op, fit.change(op, before))
    if values is None:
        return None
    last, direction = trial.distance(values)
    for _ in range(_FIT_STEPS):
        values = trial.values(op, fit.change(op, at))
        if values is None:
            return None
        if fits(values):
            return at
        now, _ = trial.distance(values, direction)
        if not np.isfinite(now) or now == last:
            return None
        before, at, last = at, at - now * (at - before) / (now - last), now
        if not np.isfinite(at) or abs(at) > 2.0**40:
            return None
    return None
