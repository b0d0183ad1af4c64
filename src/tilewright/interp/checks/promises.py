"""Promises and undefined behaviour (``--check promises``).

A guard returns the elements of an operation that break a rule; the message comes with the guard.  Evaluation itself
gives a fixed result for every undefined case, so guards never change results.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from tilewright.dialects.common.constraints import checked_type
from tilewright.dialects.cuda_tile.assumptions import (
    assumptions_of,
    index_words,
    is_checked_at_assume,
    pads_on_purpose,
    strides_of,
)
from tilewright.dialects.cuda_tile.attributes import BoundedAttr, DivByAttr, SameElementsAttr
from tilewright.dialects.cuda_tile.operation_phrases import NOT_FITTING
from tilewright.dialects.cuda_tile.ops import (
    control as ops_control,
    conversion as ops_conversion,
    integer as ops_integer,
    memory as ops_memory,
    tile as ops_tile,
    view as ops_view,
)
from tilewright.dialects.cuda_tile.ops.memory import VIEW_ACCESSES
from tilewright.dialects.cuda_tile.types import PointerType, TensorViewType
from tilewright.dialects.nv_tileaa.check_messages import with_values
from tilewright.interp import values
from tilewright.interp.checks.floats import operands_at
from tilewright.interp.codes import BROKEN_PROMISE, OUT_OF_BOUNDS
from tilewright.interp.memory.access_messages import array_words
from tilewright.interp.memory.addressing import dimension_map, index_space, steps
from tilewright.interp.numerics import convert, integers
from tilewright.interp.numerics.element import BoolArray, NumpyArray
from tilewright.interp.numerics.integers import signed_view
from tilewright.interp.rules.rule import Evaluate, OperandPositions
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

Broken = BoolArray | bool
Guard = Callable[..., tuple[Broken, str]]
"""A function of the operands (without the tile block): it returns a mask of the elements that break the rule,
and the message.
"""

GUARDS: dict[type[Operation], Callable[[Any], Guard | None]] = {}


def guards(
    *op_classes: type[Operation],
) -> Callable[[Callable[[Any], Guard | None]], Callable[[Any], Guard | None]]:
    """Return a decorator that registers, for operations of `op_classes`, the function which makes the guard
    of an operation; this function returns None for an operation without a promise.
    """

    def enter(make: Callable[[Any], Guard | None]) -> Callable[[Any], Guard | None]:
        GUARDS.update(dict.fromkeys(op_classes, make))
        return make

    return enter


def when(broken: Callable[..., Broken], message: str) -> Guard:
    """Return a guard that computes the elements that break the rule by `broken`, and always has the message
    `message`.
    """

    def check(*operands: Any) -> tuple[Broken, str]:
        return broken(*operands), message

    return check


def guard(op: Operation, evaluate: Evaluate, options: values.InterpretOptions) -> Evaluate:
    """Return an evaluation that first checks the promises of the operation; `evaluate` itself if
    `options.promises` is not set, or if there is none. A tensor view also checks the assumptions about its
    strides.
    """
    if not options.promises:
        return evaluate
    make = GUARDS.get(type(op))
    check = make(op) if make is not None else None
    if check is not None:
        evaluate = _guarded(op, evaluate, check)
    if isinstance(op, ops_view.MakeTensorViewOp):
        for assumption, kept in _assumptions_of_strides(op):
            evaluate = _guarded(assumption, evaluate, kept)
    return evaluate


def _guarded(op: Operation, evaluate: Evaluate, check: Guard) -> Evaluate:
    """Return an evaluation that first calls `check`, reports a broken promise once for each `op`, and then
    returns the result of `evaluate`.
    """

    def evaluate_checked(block: Any, *operands: Any) -> Any:
        broken, message = check(*operands)
        if np.any(broken):
            hint = "compilers rely on this; mend the program or drop the promise"
            found = block.failure(op, BROKEN_PROMISE, message + operands_at(op, operands, broken), hint=hint)
            block.launch.report_once(op, found)
        return evaluate(block, *operands)

    return evaluate_checked


@guards(ops_integer.AddIOp, ops_integer.SubIOp, ops_integer.MulIOp, ops_integer.ShLIOp)
def _overflow(op: ops_integer.OverflowingBinaryOp) -> Guard | None:
    promise, name = values.text(op.overflow), op.kind.mnemonic
    shift = isinstance(op, ops_integer.ShLIOp)
    if promise == "none" and not shift:
        return None

    def check(lhs: NumpyArray, rhs: NumpyArray) -> tuple[Broken, str]:
        if shift and (oversized := integers.oversized_shift(rhs)).any():
            return oversized, "shift by the width of the type or more"
        return integers.broken_overflow_promise(name, lhs, rhs, promise), NOT_FITTING[promise]

    return check


@guards(ops_integer.ShRIOp)
def _shift_right(op: ops_integer.ShRIOp) -> Guard:
    def oversized(lhs: NumpyArray, rhs: NumpyArray) -> Broken:
        return integers.oversized_shift(rhs)

    return when(oversized, "shift by the width of the type or more")


@guards(ops_integer.NegIOp)
def _negation(op: ops_integer.NegIOp) -> Guard:
    promise = values.text(op.overflow)
    broken = partial(integers.broken_negation_promise, overflow=promise)
    return when(broken, NOT_FITTING[promise])


@guards(ops_integer.DivIOp)
def _division(op: ops_integer.DivIOp) -> Guard:
    signed = values.text(op.signedness) == "signed"
    broken = partial(integers.undefined_division, signed=signed)
    return when(broken, "division by zero, or of the smallest number by -1")


@guards(ops_integer.RemIOp)
def _remainder(op: ops_integer.RemIOp) -> Guard:
    def by_zero(lhs: NumpyArray, rhs: NumpyArray) -> Broken:
        return integers.undefined_remainder(rhs)

    return when(by_zero, "remainder of a division by zero")


@guards(ops_conversion.TruncIOp)
def _truncation(op: ops_conversion.TruncIOp) -> Guard:
    promise, target = values.text(op.overflow), values.tile_format(op.to.type)
    broken = partial(convert.broken_truncation_promise, target=target, overflow=promise)
    return when(broken, NOT_FITTING[promise])


@guards(ops_conversion.FToIOp)
def _float_to_integer(op: ops_conversion.FToIOp) -> Guard | None:
    if op.saturating:
        return None
    broken = partial(
        convert.undefined_ftoi,
        source=values.tile_format(op.from_.type),
        target=values.tile_format(op.to.type),
        signed=values.text(op.signedness) == "signed",
    )
    return when(broken, "a NaN, an infinity or a number outside the integer type is converted")


@guards(ops_tile.ExtractOp, ops_tile.InsertOp)
def _slices(op: ops_tile.ExtractOp | ops_tile.InsertOp) -> Guard:
    whole, part = checked_type(op.source).shape, checked_type(op.result).shape
    if isinstance(op, ops_tile.InsertOp):
        whole, part = part, whole
    first = OperandPositions(op).group("indices").start
    counts = [extent // size for extent, size in zip(whole, part, strict=True)]

    def check(*operands: NumpyArray) -> tuple[Broken, str]:
        numbers = [values.unsigned_value(index) for index in operands[first:]]
        outside = any(number >= count for number, count in zip(numbers, counts, strict=True))
        return outside, f"slice {numbers} is outside the {counts} slices of the tile"

    return check


def _assumptions_of_strides(view: ops_view.MakeTensorViewOp) -> Iterator[tuple[Operation, Guard]]:
    """Yield each `assume` about a stride of a view with its guard, which takes the operands of the view and
    does not fail along a dimension with one element.
    """
    position = {value: at for at, value in enumerate(view.operands)}
    for stride in strides_of(view):
        for assumption in assumptions_of(stride.value) if stride.matters else ():
            extent = position[stride.extent] if isinstance(stride.extent, Value) else None
            yield assumption, _stride_guard(_promise(assumption), position[stride.value], extent)


def _stride_guard(promise: Guard, stride: int, extent: int | None) -> Guard:
    def check(*operands: Any) -> tuple[Broken, str]:
        broken, message = promise(operands[stride])
        return broken if extent is None or values.unsigned_value(operands[extent]) != 1 else False, message

    return check


@guards(ops_control.AssumeOp)
def _assumption(op: ops_control.AssumeOp) -> Guard | None:
    return _promise(op) if is_checked_at_assume(op) else None


def _promise(op: ops_control.AssumeOp) -> Guard:
    predicate, value_type = op.predicate, op.value.type
    message = f"{predicate.name.removeprefix('cuda_tile.')} does not hold: {_predicate_text(predicate)}"
    return when(partial(_false_assumption, predicate, value_type), message)


def _predicate_text(predicate: Any) -> str:
    names: tuple[str, ...] = predicate.parameters
    parameters = [f"{name}={getattr(predicate, name)}" for name in names]
    return ", ".join(part for part in parameters if not part.endswith("=None"))


def _false_assumption(predicate: Any, value_type: Any, value: Any) -> Broken:
    if isinstance(predicate, BoundedAttr):
        numbers = integers.signed_view(value)
        below = False if predicate.lower is None else numbers < predicate.lower
        above = False if predicate.upper is None else numbers > predicate.upper
        return np.asarray(below | above)
    if isinstance(predicate, SameElementsAttr):
        return _unequal_runs(value, predicate.values)
    assert isinstance(predicate, DivByAttr)
    if isinstance(value_type, TensorViewType):
        return value.base % predicate.divisor != 0
    return _not_multiples(predicate, value_type, value)


def _counting(extent: int) -> NumpyArray:
    return np.arange(extent, dtype=np.int64)


def _unequal_runs(value: NumpyArray, runs: tuple[int, ...]) -> Broken:
    """Return a mask of the elements that differ from the first element of their run.

    ``runs`` has the length of the runs along each axis, in elements; 1 and less stand for no runs.
    """
    firsts = value
    for axis, run in enumerate(runs):
        if run > 1:
            positions = _counting(value.shape[axis]) // run * run
            firsts = np.take(firsts, positions, axis=axis)
    return np.asarray(firsts != value)


def _not_multiples(predicate: DivByAttr, value_type: Any, value: NumpyArray) -> Broken:
    """Return a mask of the elements that break a `div_by` assumption.

    The first element of each group of ``every`` along ``along`` must be a multiple of the divisor, and the
    others count up from it. Without groups, every element must be a multiple.
    """
    is_pointer = isinstance(value_type.element_type, PointerType)
    numbers = value if is_pointer else integers.signed_view(value)
    if predicate.every is None or predicate.along is None:
        return np.asarray(numbers & np.int64(predicate.divisor - 1)) != 0
    step = values.pointee_format(value_type).storage_bytes if is_pointer else 1
    every = max(1, predicate.every)
    position = _counting(value.shape[predicate.along])
    shape = [-1 if axis == predicate.along else 1 for axis in range(value.ndim)]
    expected: NumpyArray = np.take(numbers, position // every * every, axis=predicate.along)
    counted: NumpyArray = expected + (position % every * step).reshape(shape)
    return np.asarray((expected & np.int64(predicate.divisor - 1) != 0) | (numbers != counted))


@guards(ops_view.MakeTensorViewOp)
def _tensor_extents(op: ops_view.MakeTensorViewOp) -> Guard:
    lengths = range(1, 1 + len(op.dynamic_shape))
    position = {value: at for at, value in enumerate(op.operands)}
    strides = [
        (position[stride.value], position.get(stride.extent) if isinstance(stride.extent, Value) else None)
        for stride in strides_of(op)
        if stride.matters
    ]

    def check(*operands: NumpyArray) -> tuple[Broken, str]:
        used = [
            at for at, extent in strides if extent is None or values.unsigned_value(operands[extent]) != 1
        ]
        numbers = [values.unsigned_value(operands[at]) for at in (*lengths, *used)]
        broken = any(not 0 < number < 1 << 63 for number in numbers)
        return broken, "dynamic lengths and strides must be positive"

    return check


@guards(ops_view.GetTensorShapeOp, ops_view.GetIndexSpaceShapeOp)
def _extents_fit(op: ops_view.GetIndexSpaceShapeOp | ops_view.GetTensorShapeOp) -> Guard:
    format = values.tile_format(op.results[0].type) if op.results else None

    def check(view: Any) -> tuple[Broken, str]:
        extents = view.shape if isinstance(view, values.TensorView) else index_space(view)
        fits = all(
            format and values.unsigned_value(values.integer_scalar(extent, format)) == extent
            for extent in extents
        )
        return not fits, f"the extents {list(extents)} do not fit the result type"

    return check


@guards(*ops_memory.VIEW_ACCESSES)
def _tile_index(op: ops_memory.ViewAccess) -> Guard:
    at = OperandPositions(op)
    view_at, index_at = at.one("view"), at.group("index")

    def check(*operands: Any) -> tuple[Broken, str]:
        view, index = operands[view_at], operands[index_at]
        numbers = [integers.unsigned_view(i) for i in index]
        extents = index_space(view)
        rows = [
            (n, e) for n, e in zip(numbers, extents, strict=True) if n.ndim
        ]  # `tile_indices` looks at others
        if any((n >= np.uint64(e)).any() for n, e in rows):
            listed = [n.tolist() for n in numbers]
            return True, f"the index {listed} is outside the index space {list(extents)}"
        return check_promise(*operands)

    check_promise = promised_bounds(op)
    return check


def promised_bounds(op: ops_memory.ViewAccess) -> Guard:
    """Return the guard of the attribute `inbounds` of an access: the tile must be inside the tensor along
    each dimension that the attribute promises. Dimensions with a tile of indices, which picks rows one by
    one, are not checked.
    """
    at = OperandPositions(op)
    view_at, index_at, promised = at.one("view"), at.group("index"), op.inbounds

    def check(*operands: Any) -> tuple[Broken, str]:
        view, numbers = operands[view_at], [integers.unsigned_view(i) for i in operands[index_at]]
        broken = [d for d, fits in enumerate(promised or ()) if fits and _sticks_out(view, d, numbers[d])]
        return bool(broken), f"inbounds is promised, but the tile sticks out in dimensions {broken}"

    return check


def _sticks_out(view: Any, dimension: int, index: NumpyArray) -> bool:
    """Return whether the tile at `index`, an unsigned integer, extends beyond the end of the tensor along the
    dimension `dimension` of the tile. Return False for an index with dimensions, which picks rows one by one.
    """
    if index.ndim:
        return False
    end = int(index) * steps(view.type)[dimension] + view.type.tile_shape[dimension]
    return end > view.tensor.shape[dimension_map(view.type)[dimension]]


MEMCHECK_HINT = "see which tile block stands there, and how many there are for the tiles of the array"
PROMISES_HINT = "compilers rely on this; mend the program or drop the promise"


def indexed(op: Operation, evaluate: Evaluate, options: values.InterpretOptions) -> Evaluate:
    """Return `evaluate` with a check, before it, that each scalar index of an access to a view is in the
    index space; `evaluate` itself for other operations.

    `memcheck` checks it except for loads with intended padding, and `promises` for all accesses. Rows that
    are picked one by one are not checked here. A finding is reported once for each `op`, and evaluation
    continues.
    """
    if not isinstance(op, VIEW_ACCESSES) or not (options.memcheck or options.promises):
        return evaluate
    by_memcheck = options.memcheck and not pads_on_purpose(op)
    if not (by_memcheck or options.promises):
        return evaluate
    code, hint = (OUT_OF_BOUNDS, MEMCHECK_HINT) if by_memcheck else (BROKEN_PROMISE, PROMISES_HINT)
    at = OperandPositions(op)
    view_at, index_at = at.one("view"), at.group("index")

    def evaluate_checked(block: Any, *operands: Any) -> Any:
        view = operands[view_at]
        for axis, (index, limit) in enumerate(zip(operands[index_at], index_space(view), strict=True)):
            if not index.ndim and values.unsigned_value(index) >= limit:
                array = array_words(view.tensor.base, block.launch.memory.allocations)
                words = with_values(index_words(view.type, axis), (int(signed_view(index)), limit, array))
                block.launch.report_once(op, block.failure(op, code, words, hint=hint, names_op=False))
        return evaluate(block, *operands)

    return evaluate_checked
