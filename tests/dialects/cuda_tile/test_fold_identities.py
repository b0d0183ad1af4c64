"""What folds say of operands that are not constant, checked on the interpreter for all edge values of every type."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from tests.dialects.cuda_tile.fold_samples import as_bits, constant, edges, tile_value
from tilewright.dialects.cuda_tile.dialect import CUDA_TILE
from tilewright.dialects.cuda_tile.enums import (
    ComparisonOrdering,
    ComparisonPredicate,
    IntegerOverflow,
    RoundingMode,
    Signedness,
)
from tilewright.dialects.cuda_tile.folds.common import constant_of
from tilewright.dialects.cuda_tile.ops import float as floats, integer as integers
from tilewright.dialects.cuda_tile.rules.rounding import DIVISION, IEEE
from tilewright.dialects.cuda_tile.types import BASE_FLOATS, INTEGERS
from tilewright.interp.checks.promises import GUARDS
from tilewright.interp.numerics.element import NumpyArray, to_bits
from tilewright.interp.rules.rule_set import ALL_RULES
from tilewright.interp.values import element_format
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_attributes import DenseElementsAttr
from tilewright.ir.builtin_types import f32
from tilewright.ir.operation import Operation
from tilewright.ir.value import OpResult, Value

Make = Callable[[Value, Value], Operation]
LENGTH = 32


def tile(element: Type, patterns: list[int]) -> Value:
    """A constant of the test's length with all these patterns in it."""
    assert len(patterns) <= LENGTH
    return constant(element, [*patterns, *patterns[:1] * (LENGTH - len(patterns))])


def evaluated(value: Value) -> NumpyArray:
    """The elements that the interpreter computes."""
    assert isinstance(value, OpResult)
    op = value.owner
    if op.kind.name == "cuda_tile.constant":
        return tile_value(value)
    return np.asarray(ALL_RULES.rules[type(op)](op)(None, *map(evaluated, op.operands)))


def bits(array: NumpyArray, value: Value) -> NumpyArray:
    """The bit patterns of a tile."""
    type: Any = value.type
    return to_bits(array, element_format(type.element_type))


def undefined(op: Operation) -> NumpyArray:
    """Elements that may be anything."""
    make = GUARDS.get(type(op))
    guard = make(op) if make is not None else None
    return np.broadcast_to(False if guard is None else guard(*map(evaluated, op.operands))[0], (LENGTH,))


def holds(op: Operation, known: tuple[bool, ...]) -> bool:
    """Whether an operation folds if only some of its operands are known to be constants; the fold must be right."""
    hook = CUDA_TILE.folds[type(op)]
    given: Any = [
        constant_of(value) if is_known else None for value, is_known in zip(op.operands, known, strict=True)
    ]
    folded = hook(op, given)
    if folded is None:
        return False
    result = op.results[0]
    wanted = bits(evaluated(result), result)
    is_computed = isinstance(folded, OpResult) and not isinstance(folded, DenseElementsAttr)
    found = bits(evaluated(folded), folded) if is_computed else as_bits(folded, result.type)
    assert ((found == wanted) | undefined(op)).all(), f"{op.name} {op.attributes}"
    return True


def integer_makers() -> Iterator[Make]:
    """Every integer operation of two operands, with every attribute."""
    for overflow in IntegerOverflow:
        for wrapping in (integers.AddIOp, integers.SubIOp, integers.MulIOp, integers.ShLIOp):
            yield lambda a, b, o=overflow, c=wrapping: c(a, b, overflow=o)
    yield from (integers.AndIOp, integers.OrIOp, integers.XOrIOp, integers.MulhiIOp)
    for sign in Signedness:
        for signed in (integers.RemIOp, integers.MaxIOp, integers.MinIOp, integers.ShRIOp, integers.DivIOp):
            yield lambda a, b, s=sign, c=signed: c(a, b, signedness=s)
        for predicate in ComparisonPredicate:
            yield lambda a, b, s=sign, p=predicate: integers.CmpIOp(p, a, b, s)


@pytest.mark.parametrize("element", INTEGERS, ids=str)
def test_integers(element: Type) -> None:
    """With any value on one side and each edge on the other, and with the same value on both."""
    unknown = tile(element, edges(element))
    count = 0
    for make in integer_makers():
        for pattern in edges(element):
            held = constant(element, [pattern] * LENGTH)
            count += holds(make(unknown, held), (False, True)) + holds(make(held, unknown), (True, False))
        count += holds(make(unknown, unknown), (False, False))
    assert count > 40


def float_makers(element: Type) -> Iterator[Make]:
    """Every float operation of two operands, with every attribute."""
    for flush in (False, True) if element is f32 else (False,):
        for op in (floats.AddFOp, floats.SubFOp, floats.MulFOp):
            for mode in IEEE:
                yield lambda a, b, m=mode, c=op, f=flush: c(a, b, m, flush_to_zero=f)
        for mode in DIVISION if element is f32 else IEEE:
            yield lambda a, b, m=mode, f=flush: floats.DivFOp(a, b, m, flush_to_zero=f)
        for op in (floats.MaxFOp, floats.MinFOp):
            for nan in (False, True):
                yield lambda a, b, c=op, n=nan, f=flush: c(a, b, propagate_nan=n, flush_to_zero=f)
    yield floats.RemFOp
    yield floats.PowOp
    for ordering in ComparisonOrdering:
        for predicate in ComparisonPredicate:
            yield lambda a, b, o=ordering, p=predicate: floats.CmpFOp(p, o, a, b)


def values(element: Type) -> Iterator[Value]:
    """All edges as they are in memory, and the results of operations, flushed and not."""
    given = tile(element, edges(element)[:LENGTH])
    yield given
    yield tile(element, edges(element)[-LENGTH:])
    zero = constant(element, [0] * LENGTH)
    for flush in (False, True) if element is f32 else (False,):
        yield floats.AddFOp(given, zero, RoundingMode.NEAREST_EVEN, flush_to_zero=flush).result
        yield floats.MaxFOp(given, given, flush_to_zero=flush).result
    yield floats.NegFOp(floats.CeilOp(given).result).result
    yield floats.FloorOp(given).result


@pytest.mark.parametrize("element", BASE_FLOATS, ids=str)
def test_floats(element: Type) -> None:
    """Infinities, zeros of both signs, subnormal numbers, NaN with and without payload: no bit changes."""
    count = 0
    for unknown in values(element):
        for make in float_makers(element):
            for pattern in edges(element):
                held = constant(element, [pattern] * LENGTH)
                count += holds(make(unknown, held), (False, True)) + holds(make(held, unknown), (True, False))
            count += holds(make(unknown, unknown), (False, False))
    assert count > 100
