"""Promises of integer arithmetic, and integer operations that are undefined for some operands."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from tilewright.dialects.cuda_tile.enums import (
    ComparisonOrdering,
    ComparisonPredicate,
    IntegerOverflow,
    Signedness,
)
from tilewright.dialects.cuda_tile.interfaces import motion_of, scalar_constant
from tilewright.dialects.cuda_tile.operation_phrases import NOT_FITTING
from tilewright.dialects.cuda_tile.ops import conversion, float as floats, integer as integers, tile as tiles
from tilewright.dialects.cuda_tile.types import tile_of
from tilewright.instrument.writer import CheckInserter, Guard, GuardMaker
from tilewright.ir.builtin_types import IntegerType, f64, i1
from tilewright.ir.value import Value

Holds = Iterator[tuple[Value, str]]
SIGNED, UNSIGNED = IntegerOverflow.NO_SIGNED_WRAP, IntegerOverflow.NO_UNSIGNED_WRAP
SINGLE: dict[IntegerOverflow, tuple[IntegerOverflow, ...]] = {
    IntegerOverflow.NONE: (),
    SIGNED: (SIGNED,),
    UNSIGNED: (UNSIGNED,),
    IntegerOverflow.NO_WRAP: (SIGNED, UNSIGNED),
}
"""For each value of the overflow attribute, the single promises that it consists of."""


def _width(value: Value) -> int:
    element = tile_of(value).element_type
    assert isinstance(element, IntegerType), "these operations take integers"
    return element.width


# --- sums, differences, products

Kept = Callable[[CheckInserter, Value, Value], Value]
"""A function that returns the condition, element by element, under which an operation on two operands keeps
its promise.
"""


def _not_negative(write: CheckInserter, value: Value) -> Value:
    return write.compared("greater_than_or_equal", value, 0)


def _sum_signed(write: CheckInserter, a: Value, b: Value) -> Value:
    """Return a condition: the sum of `a` and `b`, signed, has the sign of one of them, so it does not
    overflow.
    """
    total = write(integers.AddIOp, a, b)
    changed = [write(integers.XOrIOp, operand, total) for operand in (a, b)]
    return _not_negative(write, write(integers.AndIOp, *changed))


def _sum_unsigned(write: CheckInserter, a: Value, b: Value) -> Value:
    return write.compared("greater_than_or_equal", write(integers.AddIOp, a, b), a, signed=False)


def _difference_signed(write: CheckInserter, a: Value, b: Value) -> Value:
    """Return a condition: `a` and `b` have one sign, or the signed difference has the sign of `a`, so it does
    not overflow.
    """
    differ = write(integers.XOrIOp, a, b)
    changed = write(integers.XOrIOp, a, write(integers.SubIOp, a, b))
    return _not_negative(write, write(integers.AndIOp, differ, changed))


def _difference_unsigned(write: CheckInserter, a: Value, b: Value) -> Value:
    return write.compared("greater_than_or_equal", a, b, signed=False)


WIDER = {1: 8, 8: 16, 16: 32, 32: 64}
"""Maps a width in bits to the width of an integer type that holds the products of two numbers of it."""


def _product(signed: bool) -> Kept:
    def kept(write: CheckInserter, a: Value, b: Value) -> Value:
        if _width(a) not in WIDER:
            return (_high_signed if signed else _high_unsigned)(write, a, b)
        element = IntegerType(WIDER[_width(a)])
        whole = write(integers.MulIOp, *(write.extended(value, element, signed=signed) for value in (a, b)))
        narrow = write.extended(write(integers.MulIOp, a, b), element, signed=signed)
        return write.compared("equal", whole, narrow)

    return kept


def _high_unsigned(write: CheckInserter, a: Value, b: Value) -> Value:
    return write.compared("equal", write(integers.MulhiIOp, a, b), 0)


def _high_signed(write: CheckInserter, a: Value, b: Value) -> Value:
    """Return a condition for 64-bit integers: the upper half of the signed product repeats the sign of the
    lower half, so the product does not overflow. The upper half is computed from the unsigned one, which
    counts a negative operand as 2**64 too much.
    """
    high = write(integers.MulhiIOp, a, b)
    for one, other in ((a, b), (b, a)):
        excess = write(integers.AndIOp, other, _sign(write, one))
        high = write(integers.SubIOp, high, excess)
    return write.compared("equal", high, _sign(write, write(integers.MulIOp, a, b)))


def _sign(write: CheckInserter, value: Value) -> Value:
    """Return all ones for negative numbers, else zero, for each element."""
    amount = write.number(value.type, _width(value) - 1)
    return write(integers.ShRIOp, value, amount, Signedness.SIGNED)


def _shift(signedness: Signedness) -> Kept:
    """Return a function that emits the condition of left shifts that do not overflow, for numbers of
    `signedness`: shifting the result back gives the operand.
    """

    def kept(write: CheckInserter, a: Value, b: Value) -> Value:
        back = write(integers.ShRIOp, write(integers.ShLIOp, a, b), b, signedness)
        return write.compared("equal", back, a)

    return kept


KEPT: dict[Any, dict[IntegerOverflow, Kept]] = {
    integers.AddIOp: {SIGNED: _sum_signed, UNSIGNED: _sum_unsigned},
    integers.SubIOp: {SIGNED: _difference_signed, UNSIGNED: _difference_unsigned},
    integers.MulIOp: {SIGNED: _product(True), UNSIGNED: _product(False)},
    integers.ShLIOp: {SIGNED: _shift(Signedness.SIGNED), UNSIGNED: _shift(Signedness.UNSIGNED)},
}


def _words(overflow: IntegerOverflow) -> str:
    return NOT_FITTING[overflow.name.lower()]


def _binary(op: integers.OverflowingBinaryOp) -> Guard | None:
    kept = KEPT[op.__class__]

    def guard(write: CheckInserter) -> Holds:
        if op.__class__ is integers.ShLIOp:
            yield from _amount(op, write)
        for promise in SINGLE[op.overflow]:
            yield kept[promise](write, op.lhs, op.rhs), _words(op.overflow)

    return None if motion_of(op).is_defined(op) else guard


def _amount(op: integers.OverflowingBinaryOp | integers.ShRIOp, write: CheckInserter) -> Holds:
    width = _width(op.rhs)
    whole = width == 1  # the only amount is 0, and 1 is no number of the type
    limit = write.number(op.rhs.type, 0 if whole else width)
    holds = write.compared("equal" if whole else "less_than", op.rhs, limit, signed=False)
    yield holds, "shift by the width of the type or more"


def _shift_right(op: integers.ShRIOp) -> Guard | None:
    return None if motion_of(op).is_defined(op) else partial(_amount, op)


def _negation(op: integers.NegIOp) -> Guard | None:
    def guard(write: CheckInserter) -> Holds:
        yield write.compared("not_equal", op.source, -1 << (_width(op.source) - 1)), _words(op.overflow)

    return guard if SIGNED in SINGLE[op.overflow] else None


# --- quotients


def _division(op: integers.DivIOp) -> Guard | None:
    def guard(write: CheckInserter) -> Holds:
        holds = write.compared("not_equal", op.rhs, 0)
        if op.signedness is Signedness.SIGNED:
            other = write.compared("not_equal", op.rhs, -1)
            larger = write.compared("not_equal", op.lhs, -1 << (_width(op.lhs) - 1))
            holds = write.both([holds, write.either([other, larger])])
        yield holds, "division by zero, or of the smallest number by -1"

    return None if motion_of(op).is_defined(op) else guard


def _remainder(op: integers.RemIOp) -> Guard | None:
    def guard(write: CheckInserter) -> Holds:
        yield write.compared("not_equal", op.rhs, 0), "remainder of a division by zero"

    return None if motion_of(op).is_defined(op) else guard


# --- conversions


def _truncation(op: conversion.TruncIOp) -> Guard | None:
    def guard(write: CheckInserter) -> Holds:
        narrow = write(conversion.TruncIOp, op.from_, type=op.to.type)
        element = IntegerType(max(_width(op.from_), SMALLEST_COMPARED))
        for promise in SINGLE[op.overflow]:
            whole, back = (write.extended(v, element, signed=promise is SIGNED) for v in (op.from_, narrow))
            yield write.compared("equal", back, whole), _words(op.overflow)

    return None if motion_of(op).is_defined(op) else guard


SMALLEST_COMPARED = 8
"""The minimum width in bits of integers that operations other than conversions take."""
EXACT_BITS = 53
"""The number of bits of integers that f64 represents exactly."""


def _float_to_integer(op: conversion.FToIOp) -> Guard | None:
    width, signed = _width(op.to), op.signedness is Signedness.SIGNED
    lowest = -(1 << (width - 1)) if signed else 0
    highest = (1 << (width - signed)) - 1

    def guard(write: CheckInserter) -> Holds:
        wide = tile_of(op.from_).with_element_type(f64)
        value = op.from_ if op.from_.type is wide else write(conversion.FToFOp, op.from_, type=wide)
        exact = lowest.bit_length() < EXACT_BITS  # the truncated part may lie below the lowest integer
        above = _float(
            write, *(("greater_than", lowest - 1) if exact else ("greater_than_or_equal", lowest)), value
        )
        holds = write.both([above, _float(write, "less_than", highest + 1, value)])
        yield holds, "a NaN, an infinity or a number outside the integer type is converted"

    return None if op.saturating or tile_of(op.to).element_type is i1 else guard


def _float(write: CheckInserter, relation: str, limit: int, value: Value) -> Value:
    bound = write.number(value.type, float(limit))
    return write(
        floats.CmpFOp, ComparisonPredicate[relation.upper()], ComparisonOrdering.ORDERED, value, bound
    )


# --- slices


def _slices(op: tiles.ExtractOp | tiles.InsertOp) -> Guard | None:
    whole, part = tile_of(op.source).shape, tile_of(op.result).shape
    if isinstance(op, tiles.InsertOp):
        whole, part = part, whole
    counts = [extent // size for extent, size in zip(whole, part, strict=True)]
    open_ = [(at, count) for at, count in zip(op.indices, counts, strict=True) if not _is_below(at, count)]

    def guard(write: CheckInserter) -> Holds:
        for number, count in open_:
            message = f"the slice is outside the {counts} slices of the tile"
            yield write.compared("less_than", number, count, signed=False), message

    return guard if open_ else None


def _is_below(value: Value, limit: int) -> bool:
    known = scalar_constant(value, signed=False)
    return known is not None and known < limit


ARITHMETIC: dict[Any, GuardMaker] = {
    **dict.fromkeys(KEPT, _binary),
    integers.ShRIOp: _shift_right,
    integers.NegIOp: _negation,
    integers.DivIOp: _division,
    integers.RemIOp: _remainder,
    conversion.TruncIOp: _truncation,
    conversion.FToIOp: _float_to_integer,
    tiles.ExtractOp: _slices,
    tiles.InsertOp: _slices,
}
"""The guard makers of integer operations with assumptions, by their class."""
