"""Transfer rules of constants, shapes, selections, pointers made and moved, and promises."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from tilewright.dialects.cuda_tile import attributes as cuda_tile_attributes, types as cuda_tile_types
from tilewright.dialects.cuda_tile.ops import control, conversion, tile as ops
from tilewright.ir import builtin_attributes, builtin_types
from tilewright.ir.attribute import Type
from tilewright.optimizer.analysis import facts as analysis_facts, pointer_origins
from tilewright.optimizer.analysis.intervals import Interval, signed_range
from tilewright.optimizer.analysis.rules import FactRuleTable, result_type
from tilewright.optimizer.analysis.runs import (
    MAXIMUM_DIVISOR,
    AxisFacts,
    added,
    inside_alignment,
    power_of_two_in,
    scaled,
)

RULES = FactRuleTable()
MAXIMUM_ELEMENTS = 1 << 12
"""The maximum number of elements of a constant that are examined one by one; about larger constants less is
known.
"""


@RULES.rule(ops.ConstantOp, because="the elements are given")
def _constant(op: ops.ConstantOp) -> analysis_facts.ValueFacts:
    return dense_facts(op.value, result_type(op))


def dense_facts(value: builtin_attributes.DenseElementsAttr, type: Any) -> analysis_facts.ValueFacts:
    """Return the facts of a dense constant of `type`; for other elements than integers only the constancy. Of
    more than `MAXIMUM_ELEMENTS` elements only the bounds of integers are known.
    """
    element = type.element_type
    patterns = value.patterns()
    if isinstance(element, builtin_types.IntegerType):
        numbers = [_as_signed(pattern, element.width) for pattern in patterns]
        return facts_of(numbers, type) if len(numbers) <= MAXIMUM_ELEMENTS else _hull(numbers, type)
    if len(patterns) > MAXIMUM_ELEMENTS:
        return analysis_facts.unknown(type)
    return analysis_facts.unknown(type).changed(runs=_steady_runs(patterns, type.shape))


def _as_signed(pattern: int, width: int) -> int:
    low = pattern & ((1 << width) - 1)
    return low - (low >> (width - 1) << width)


def _hull(numbers: Sequence[int], type: Any) -> analysis_facts.ValueFacts:
    return analysis_facts.unknown(type).changed(bounds=Interval(min(numbers), max(numbers)))


RelationTest = Callable[[int, int, int], bool]
"""A function that returns whether an element is related to the first element of its group, given the first
element, the element, and their distance.
"""


def _counts(first: int, value: int, offset: int) -> bool:
    return value == first + offset


def _stays(first: int, value: int, offset: int) -> bool:
    return value == first


def facts_of(numbers: Sequence[int], type: Any) -> analysis_facts.ValueFacts:
    """Return the strongest facts about an integer tile whose elements in row-major order are `numbers`.

    A single number stands for all elements.
    """
    if len(numbers) == 1 or len(set(numbers)) == 1:
        return analysis_facts.constant(numbers[0], type)
    shape = type.shape
    steady = _steady_runs(numbers, shape)
    runs: list[AxisFacts] = []
    for axis, run in enumerate(steady):
        length = _longest(numbers, shape, axis, _counts)
        starts = [value for value, at in _along(numbers, shape, axis) if at % length == 0]
        runs.append(AxisFacts(length, power_of_two_in(math.gcd(*starts)), run.constancy))
    divisor = power_of_two_in(math.gcd(*numbers))
    return analysis_facts.ValueFacts(Interval(min(numbers), max(numbers)), divisor, tuple(runs))


def _steady_runs(numbers: Sequence[int], shape: Sequence[int]) -> tuple[AxisFacts, ...]:
    if len(numbers) == 1:
        return tuple([AxisFacts(constancy=extent) for extent in shape])
    lengths = [_longest(numbers, shape, axis, _stays) for axis in range(len(shape))]
    return tuple([AxisFacts(constancy=length) for length in lengths])


def _along(numbers: Sequence[int], shape: Sequence[int], axis: int) -> list[tuple[int, int]]:
    """Return (element, index along dimension ``axis``) for each element of a tile in row-major order."""
    inner = math.prod(shape[axis + 1 :])
    return [(value, position // inner % shape[axis]) for position, value in enumerate(numbers)]


def _longest(numbers: Sequence[int], shape: Sequence[int], axis: int, related: RelationTest) -> int:
    """Return the largest power of two such that, in each aligned group of this length along ``axis``, every
    element is ``related`` to the first.
    """
    inner = math.prod(shape[axis + 1 :])
    length = shape[axis]
    while length > 1:
        offsets = [position // inner % shape[axis] % length for position in range(len(numbers))]
        if all(related(numbers[p - offset * inner], numbers[p], offset) for p, offset in enumerate(offsets)):
            return length
        length //= 2
    return 1


@RULES.rule(ops.IotaOp, because="0, 1, 2, ... up to the extent")
def _iota(op: ops.IotaOp) -> analysis_facts.ValueFacts:
    type: Any = result_type(op)
    width = analysis_facts.width_of(type)
    assert width is not None
    count, middle = type.shape[0], 1 << (width - 1)
    if count == 1:
        return analysis_facts.constant(0, type)
    if count <= middle:
        return analysis_facts.ValueFacts(Interval(0, count - 1), 1, (AxisFacts(count, MAXIMUM_DIVISOR, 1),))
    return analysis_facts.ValueFacts(signed_range(width), 1, (AxisFacts(middle, middle, 1),))


@RULES.rule(ops.BroadcastOp, because="a broadcast tile is constant along the broadcast dimensions")
def _broadcast(op: ops.BroadcastOp, source: analysis_facts.ValueFacts) -> analysis_facts.ValueFacts:
    before: Any = op.source.type
    after: Any = op.result.type
    runs = [
        run if old == new else AxisFacts(1, source.divisor, new)
        for run, old, new in zip(source.runs, before.shape, after.shape, strict=True)
    ]
    return source.changed(runs=tuple(runs))


@RULES.rule(
    ops.ReshapeOp,
    because="the elements keep their order; runs of the last dimension go on as far as it",
)
def _reshape(op: ops.ReshapeOp, source: analysis_facts.ValueFacts) -> analysis_facts.ValueFacts:
    before: Any = op.source.type
    after: Any = op.result.type
    return source.changed(runs=reshaped(source, before.shape, after.shape, analysis_facts.step(before)))


def reshaped(
    facts: analysis_facts.ValueFacts, before: Sequence[int], after: Sequence[int], stride: int
) -> tuple[AxisFacts, ...]:
    """Return the runs of a tile that is reshaped from ``before`` to ``after``. All are kept if only extents
    of 1 come or go, or if all elements are equal; else only the last dimension has a run. ``stride`` is the
    difference of consecutive elements in a contiguous run.
    """
    plain = AxisFacts(1, facts.divisor, 1)
    kept = [run for run, extent in zip(facts.runs, before, strict=True) if extent > 1]
    if [extent for extent in before if extent > 1] == [extent for extent in after if extent > 1]:
        following = iter(kept)
        return tuple([next(following) if extent > 1 else plain for extent in after])
    if all(run.constancy == extent for run, extent in zip(facts.runs, before, strict=True)):
        return tuple([AxisFacts(1, facts.divisor, extent) for extent in after])
    last = max((axis for axis, extent in enumerate(after) if extent > 1), default=-1)
    return tuple(
        [kept[-1].shortened(extent, stride) if axis == last else plain for axis, extent in enumerate(after)]
    )


@RULES.rule(ops.PermuteOp, because="the runs of the dimensions change places")
def _permute(op: ops.PermuteOp, source: analysis_facts.ValueFacts) -> analysis_facts.ValueFacts:
    return source.changed(runs=tuple([source.runs[axis] for axis in op.permutation]))


@RULES.rule(ops.CatOp, because="the facts that hold for both parts")
def _concatenate(
    op: ops.CatOp, lhs: analysis_facts.ValueFacts, rhs: analysis_facts.ValueFacts
) -> analysis_facts.ValueFacts:
    return analysis_facts.join(lhs, rhs, result_type(op))


@RULES.rule(ops.ExtractOp, because="an aligned part of the tile")
def _extract(
    op: ops.ExtractOp, source: analysis_facts.ValueFacts, *indices: analysis_facts.ValueFacts
) -> analysis_facts.ValueFacts:
    return source.changed(runs=_cut(source, result_type(op)))


def _cut(facts: analysis_facts.ValueFacts, type: Any) -> tuple[AxisFacts, ...]:
    stride = analysis_facts.step(type)
    return tuple([run.shortened(extent, stride) for run, extent in zip(facts.runs, type.shape, strict=True)])


@RULES.rule(ops.InsertOp, because="the facts that hold for the slice and for the tile around it")
def _insert(
    op: ops.InsertOp,
    source: analysis_facts.ValueFacts,
    around: analysis_facts.ValueFacts,
    *indices: analysis_facts.ValueFacts,
) -> analysis_facts.ValueFacts:
    slice_type: Any = op.source.type
    return analysis_facts.join(source, around.changed(runs=_cut(around, slice_type)), result_type(op))


@RULES.rule(
    ops.SelectOp,
    because="the facts that hold for both sides, or for the side that the condition always chooses",
)
def _select(
    op: ops.SelectOp,
    condition: analysis_facts.ValueFacts,
    yes: analysis_facts.ValueFacts,
    no: analysis_facts.ValueFacts,
) -> analysis_facts.ValueFacts:
    if condition.constant is not None:
        return yes if condition.constant else no
    either = analysis_facts.join(yes, no, result_type(op))
    stride = analysis_facts.step(result_type(op))
    runs = [
        run.shortened(chooser.constancy, stride)
        for run, chooser in zip(either.runs, condition.runs, strict=True)
    ]
    return either.changed(runs=tuple(runs))


# pointers ---------------------------------------------------------------------------------------------------------


def _pointee_bytes(type: Any) -> int | None:
    return analysis_facts.stored_bytes(type.element_type.pointee)


@RULES.rule(
    ops.OffsetOp,
    because="the address plus the offset times the pointee's bytes; runs of either side go on where the other stays",
)
def _offset(
    op: ops.OffsetOp, pointer: analysis_facts.ValueFacts, offset: analysis_facts.ValueFacts
) -> analysis_facts.ValueFacts:
    type = result_type(op)
    size = _pointee_bytes(type)
    assert offset.bounds is not None
    assert pointer.place is not None
    if size is None:
        return analysis_facts.unknown(type).changed(place=pointer.place.moved(None))
    distance = Interval(offset.bounds.low * size, offset.bounds.high * size)
    runs = [added(p, scaled(o, size), size) for p, o in zip(pointer.runs, offset.runs, strict=True)]
    divisor = min(pointer.divisor, min(offset.divisor * size, MAXIMUM_DIVISOR))
    return analysis_facts.ValueFacts(None, divisor, tuple(runs), pointer.place.moved(distance))


@RULES.rule(conversion.PtrToPtrOp, because="the same addresses")
def _reinterpret(op: conversion.PtrToPtrOp, source: analysis_facts.ValueFacts) -> analysis_facts.ValueFacts:
    if _pointee_bytes(op.source.type) == _pointee_bytes(op.result.type):
        return source
    return source.changed(runs=_uncounted(source))


def _uncounted(facts: analysis_facts.ValueFacts) -> tuple[AxisFacts, ...]:
    """Return the runs of a tile without contiguity; constancy is kept, and the divisibility is the divisor of
    all elements.
    """
    return tuple([AxisFacts(1, facts.divisor, run.constancy) for run in facts.runs])


@RULES.rule(conversion.IntToPtrOp, because="the numbers do not change, as addresses of unknown memory")
def _to_pointer(op: conversion.IntToPtrOp, source: analysis_facts.ValueFacts) -> analysis_facts.ValueFacts:
    runs = source.runs if _pointee_bytes(op.result.type) == 1 else _uncounted(source)
    return analysis_facts.ValueFacts(None, source.divisor, runs, pointer_origins.ANYWHERE)


@RULES.rule(conversion.PtrToIntOp, because="the same numbers")
def _to_integer(op: conversion.PtrToIntOp, source: analysis_facts.ValueFacts) -> analysis_facts.ValueFacts:
    counts = _pointee_bytes(op.source.type) == 1
    runs = tuple([inside_alignment(run, 64) for run in source.runs]) if counts else _uncounted(source)
    return analysis_facts.ValueFacts(signed_range(64), source.divisor, runs)


# promises ---------------------------------------------------------------------------------------------------------


@RULES.rule(control.AssumeOp, because="promised")
def _assume(op: control.AssumeOp, value: analysis_facts.ValueFacts) -> analysis_facts.ValueFacts:
    return promised(value, op.predicate, op.value.type)


def promised(
    value: analysis_facts.ValueFacts, predicate: cuda_tile_attributes.AssumePredicate, type: Type
) -> analysis_facts.ValueFacts:
    """Return the facts about a value of `type`, from the facts `value`, if the assumption `predicate` about
    it holds, too.
    """
    return analysis_facts.meet(value, promise(predicate, type), type)


def promise(predicate: cuda_tile_attributes.AssumePredicate, type: Type) -> analysis_facts.ValueFacts:
    """Return the facts about a value of `type` that the assumption `predicate` states by itself, whatever
    else is known of the value.
    """
    if isinstance(predicate, cuda_tile_attributes.BoundedAttr):
        return _bounded(predicate, type)
    if isinstance(predicate, cuda_tile_attributes.SameElementsAttr):
        runs = tuple([AxisFacts(constancy=_group(length)) for length in predicate.values])
        return analysis_facts.unknown(type).changed(runs=runs)
    assert isinstance(predicate, cuda_tile_attributes.DivByAttr)
    if predicate.every is None:
        return analysis_facts.unknown(type).changed(divisor=predicate.divisor)
    return _counting(predicate, type)


def _bounded(predicate: cuda_tile_attributes.BoundedAttr, type: Type) -> analysis_facts.ValueFacts:
    width = analysis_facts.width_of(type)
    assert width is not None
    limits = signed_range(width)
    low = limits.low if predicate.lower is None else predicate.lower
    high = limits.high if predicate.upper is None else predicate.upper
    return analysis_facts.unknown(type).changed(bounds=Interval(low, high))


def _group(length: int) -> int:
    """Return the largest power of two that divides `length`; 1 for an empty run."""
    return power_of_two_in(length) if length > 0 else 1


def _counting(predicate: cuda_tile_attributes.DivByAttr, type: Type) -> analysis_facts.ValueFacts:
    assert isinstance(type, cuda_tile_types.TileType)
    assert predicate.every is not None
    pointer = type.element_type if isinstance(type.element_type, cuda_tile_types.PointerType) else None
    if predicate.every <= 0 or (pointer is not None and analysis_facts.stored_bytes(pointer.pointee) is None):
        return analysis_facts.unknown(type)
    length = _group(predicate.every)
    whole = AxisFacts(length, predicate.divisor)
    stride = analysis_facts.step(type)
    divisor = predicate.divisor
    if length < predicate.every:
        divisor = min(divisor, power_of_two_in(length * stride))
    runs = [
        whole._replace(divisibility=divisor) if axis == predicate.along else AxisFacts()
        for axis in range(len(type.shape))
    ]
    return analysis_facts.unknown(type).changed(runs=tuple(runs))
