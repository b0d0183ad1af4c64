"""Transfer rules of integer arithmetic, comparisons and conversions between integers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from tilewright.dialects.cuda_tile.enums import IntegerOverflow, Signedness
from tilewright.dialects.cuda_tile.ops import conversion, integer as ops
from tilewright.ir.attribute import Type
from tilewright.ir.operation import Operation
from tilewright.optimizer.analysis import intervals
from tilewright.optimizer.analysis.facts import ValueFacts, constant, unknown, width_of
from tilewright.optimizer.analysis.rules import FactRuleTable, elementwise, result_type, steady
from tilewright.optimizer.analysis.runs import (
    MAXIMUM_DIVISOR,
    AxisFacts,
    added,
    compared,
    inside_alignment,
    modulo_power_of_two,
    power_of_two_in,
    quotient,
    subtracted,
)

RULES = FactRuleTable()
TRUE, FALSE = -1, 0
"""The elements of i1, read as signed."""
_NO_SIGNED_WRAP = (IntegerOverflow.NO_SIGNED_WRAP, IntegerOverflow.NO_WRAP)


def _width(op: Operation) -> int:
    width = width_of(op.operands[0].type)
    assert width is not None
    return width


class SignedInteger(Protocol):
    """An operation with the attribute `signedness`: whether its operands are read as signed or unsigned."""

    signedness: Signedness


def _signed(op: SignedInteger) -> bool:
    return op.signedness is Signedness.SIGNED


class OverflowingInteger(Protocol):
    """An operation with the attribute `overflow`, which may promise that no result wraps around."""

    overflow: IntegerOverflow


def _promises(op: OverflowingInteger) -> bool:
    return op.overflow in _NO_SIGNED_WRAP


def _bounds(facts: ValueFacts) -> intervals.Interval:
    assert facts.bounds is not None
    return facts.bounds


def _runs_without_wrap(runs: tuple[AxisFacts, ...], exact: bool, width: int) -> tuple[AxisFacts, ...]:
    """Return `runs` if the results are `exact`. Otherwise they may wrap around at `width` bits: shorten the
    runs to groups in which no element wraps.
    """
    return runs if exact else tuple([inside_alignment(run, width) for run in runs])


def _fits(bounds: intervals.Interval, width: int) -> bool:
    return intervals.signed_range(width).contains(bounds)


@RULES.rule(
    ops.AddIOp, because="sums of the bounds; one side counts while the other stays; both divisors divide"
)
def _add(op: ops.AddIOp, lhs: ValueFacts, rhs: ValueFacts) -> ValueFacts:
    return sum_of(lhs, rhs, _width(op), promised=_promises(op))


def sum_of(lhs: ValueFacts, rhs: ValueFacts, width: int, *, promised: bool = False) -> ValueFacts:
    """Return the facts of sums of `width` bits; ``promised``: no sum is beyond the signed range."""
    a, b = _bounds(lhs), _bounds(rhs)
    exact = promised or _fits(intervals.Interval(a.low + b.low, a.high + b.high), width)
    runs = tuple([added(x, y) for x, y in zip(lhs.runs, rhs.runs, strict=True)])
    bounds = intervals.add(a, b, width, promised)
    return ValueFacts(bounds, min(lhs.divisor, rhs.divisor), _runs_without_wrap(runs, exact, width))


@RULES.rule(
    ops.SubIOp,
    because="differences of the bounds; the left side counts while the right stays; both divisors divide",
)
def _subtract(op: ops.SubIOp, lhs: ValueFacts, rhs: ValueFacts) -> ValueFacts:
    return difference_of(lhs, rhs, _width(op), promised=_promises(op))


def difference_of(lhs: ValueFacts, rhs: ValueFacts, width: int, *, promised: bool = False) -> ValueFacts:
    """Return the facts of differences of `width` bits; ``promised``: no difference is beyond the signed range."""
    a, b = _bounds(lhs), _bounds(rhs)
    exact = promised or _fits(intervals.Interval(a.low - b.high, a.high - b.low), width)
    runs = tuple([subtracted(x, y) for x, y in zip(lhs.runs, rhs.runs, strict=True)])
    bounds = intervals.subtract(a, b, width, promised)
    return ValueFacts(bounds, min(lhs.divisor, rhs.divisor), _runs_without_wrap(runs, exact, width))


@RULES.rule(ops.MulIOp, because="products of the bounds and of the divisors")
def _multiply(op: ops.MulIOp, lhs: ValueFacts, rhs: ValueFacts) -> ValueFacts:
    return product_of(lhs, rhs, result_type(op), promised=_promises(op))


def product_of(lhs: ValueFacts, rhs: ValueFacts, type: Type, *, promised: bool = False) -> ValueFacts:
    """Return the facts of products of `type`, an integer tile; ``promised`` means that no product overflows
    the signed range. If an operand is the constant 1, these are the facts of the other operand.
    """
    if 1 in (lhs.constant, rhs.constant):
        return rhs if lhs.constant == 1 else lhs
    width = width_of(type)
    assert width is not None
    bounds = intervals.multiply(_bounds(lhs), _bounds(rhs), width, promised)
    divisor = min(lhs.divisor * rhs.divisor, MAXIMUM_DIVISOR)
    return ValueFacts(bounds, divisor, steady(type, (lhs, rhs)))


@RULES.rule(ops.MulhiIOp, because="high halves of the products of the bounds")
def _multiply_high(op: ops.MulhiIOp, x: ValueFacts, y: ValueFacts) -> ValueFacts:
    bounds = intervals.multiply_high(_bounds(x), _bounds(y), _width(op))
    return ValueFacts(bounds, 1, steady(result_type(op), (x, y)))


def _positive_power(facts: ValueFacts) -> int | None:
    """Return the positive power of two that every element is equal to; None if there is no such number."""
    value = facts.constant
    return value if value is not None and value > 0 and power_of_two_in(value) == value else None


@RULES.rule(ops.DivIOp, because="quotients of the bounds; a power of two divides its multiples exactly")
def _divide(op: ops.DivIOp, lhs: ValueFacts, rhs: ValueFacts) -> ValueFacts:
    signed, rounding = _signed(op), op.rounding.name.lower()
    bounds = intervals.divide(_bounds(lhs), _bounds(rhs), _width(op), signed, rounding)
    power = _positive_power(rhs)
    if power is None:
        return ValueFacts(bounds, 1, steady(result_type(op), (lhs, rhs)))
    floors = rounding == "negative_inf" or (rounding == "zero" and (not signed or _bounds(lhs).low >= 0))
    return _divided(lhs, power, bounds, floors=floors)


def _divided(facts: ValueFacts, power: int, bounds: intervals.Interval, *, floors: bool) -> ValueFacts:
    runs = tuple(
        [quotient(run, power) if floors else AxisFacts(constancy=run.constancy) for run in facts.runs]
    )
    return ValueFacts(bounds, max(1, facts.divisor // power), runs)


@RULES.rule(
    ops.RemIOp,
    because="smaller than the divisor, no larger than the dividend; what divides both divides the remainder",
)
def _remainder(op: ops.RemIOp, lhs: ValueFacts, rhs: ValueFacts) -> ValueFacts:
    bounds = intervals.remainder(_bounds(lhs), _bounds(rhs), _width(op), _signed(op))
    divisor = min(lhs.divisor, rhs.divisor)
    power = _positive_power(rhs)
    if power is None or (_signed(op) and _bounds(lhs).low < 0):
        return ValueFacts(bounds, divisor, steady(result_type(op), (lhs, rhs)))
    return ValueFacts(bounds, divisor, tuple([modulo_power_of_two(run, power) for run in lhs.runs]))


Choice = Callable[[intervals.Interval, intervals.Interval, int, bool], intervals.Interval]
_CHOICES: dict[type[Any], tuple[Choice, str]] = {
    ops.MaxIOp: (intervals.maximum, "greater_than_or_equal"),
    ops.MinIOp: (intervals.minimum, "less_than_or_equal"),
}
"""For each minimum or maximum: the function for the bounds of the result, and the predicate with which the
left operand is the result.
"""


@RULES.rule(ops.MaxIOp, ops.MinIOp, because="one of the operands; the bounds may tell which")
def _choose(op: ops.MaxIOp | ops.MinIOp, lhs: ValueFacts, rhs: ValueFacts) -> ValueFacts:
    choose, wins = _CHOICES[type(op)]
    width, signed, a, b = _width(op), _signed(op), _bounds(lhs), _bounds(rhs)
    if intervals.compare(a, b, width, signed, wins):
        return lhs
    if intervals.compare(b, a, width, signed, wins):
        return rhs
    bounds = choose(a, b, width, signed)
    return ValueFacts(bounds, min(lhs.divisor, rhs.divisor), steady(result_type(op), (lhs, rhs)))


@RULES.rule(ops.AbsIOp, because="magnitudes of the bounds; divisors stay")
def _magnitude(op: ops.AbsIOp, source: ValueFacts) -> ValueFacts:
    if _bounds(source).low >= 0:
        return source
    bounds = intervals.magnitude(_bounds(source), _width(op))
    return ValueFacts(bounds, source.divisor, steady(result_type(op), (source,)))


@RULES.rule(ops.NegIOp, because="the bounds turned around; divisors stay")
def _negate(op: ops.NegIOp, source: ValueFacts) -> ValueFacts:
    bounds = intervals.negate(_bounds(source), _width(op), _promises(op))
    return ValueFacts(bounds, source.divisor, steady(result_type(op), (source,)))


_STEADY_COMPARISONS = {
    "less_than": (True, False),
    "greater_than_or_equal": (True, False),
    "greater_than": (False, True),
    "less_than_or_equal": (False, True),
}
"""For each predicate: whether the left side, and whether the right side, may count up in an aligned group in
which all comparisons have the same result, if the other side is constant there.
"""


@RULES.rule(
    ops.CmpIOp,
    because="the bounds decide, or do not; aligned runs lie on one side of an aligned limit as a whole",
)
def _compare(op: ops.CmpIOp, lhs: ValueFacts, rhs: ValueFacts) -> ValueFacts:
    predicate = op.comparison_predicate.name.lower()
    holds = intervals.compare(_bounds(lhs), _bounds(rhs), _width(op), _signed(op), predicate)
    if holds is not None:
        return constant(TRUE if holds else FALSE, result_type(op))
    left, right = _STEADY_COMPARISONS.get(predicate, (False, False))
    runs: list[AxisFacts] = []
    for a, b in zip(lhs.runs, rhs.runs, strict=True):
        lengths = [min(a.constancy, b.constancy)]
        lengths += [compared(a, b)] if left else []
        lengths += [compared(b, a)] if right else []
        runs.append(AxisFacts(constancy=max(lengths)))
    return unknown(result_type(op)).changed(runs=tuple(runs))


def _known_shift(op: ops.ShLIOp | ops.ShRIOp, amount: ValueFacts) -> intervals.Interval | None:
    bounds = _bounds(amount)
    return bounds if bounds.low >= 0 and bounds.high < _width(op) else None


@RULES.rule(ops.ShLIOp, because="the bounds and the divisor shifted")
def _shift_left(op: ops.ShLIOp, lhs: ValueFacts, rhs: ValueFacts) -> ValueFacts:
    amount = _known_shift(op, rhs)
    bounds = intervals.shift_left(_bounds(lhs), _bounds(rhs), _width(op), _promises(op))
    divisor = 1 if amount is None else min(lhs.divisor << amount.low, MAXIMUM_DIVISOR)
    return ValueFacts(bounds, divisor, steady(result_type(op), (lhs, rhs)))


@RULES.rule(ops.ShRIOp, because="a floor division by powers of two")
def _shift_right(op: ops.ShRIOp, lhs: ValueFacts, rhs: ValueFacts) -> ValueFacts:
    amount = _known_shift(op, rhs)
    bounds = intervals.shift_right(_bounds(lhs), _bounds(rhs), _width(op), _signed(op))
    if amount is None or amount.constant is None:
        return ValueFacts(bounds, 1, steady(result_type(op), (lhs, rhs)))
    return _divided(lhs, 1 << amount.low, bounds, floors=True)


@RULES.rule(
    ops.AndIOp, because="a nonnegative operand bounds the result; zeros at the end of either side stay"
)
def _and(op: ops.AndIOp, lhs: ValueFacts, rhs: ValueFacts) -> ValueFacts:
    bounds = intervals.bitwise_and(_bounds(lhs), _bounds(rhs), _width(op))
    divisor = max(lhs.divisor, rhs.divisor)
    for side, other in ((lhs, rhs), (rhs, lhs)):
        masked = _masked(side, other.constant)
        if masked is not None:
            return ValueFacts(bounds, divisor, masked)
    return ValueFacts(bounds, divisor, steady(result_type(op), (lhs, rhs)))


def _masked(facts: ValueFacts, mask: int | None) -> tuple[AxisFacts, ...] | None:
    """Return the runs of the low bits (mask 2^k - 1), or of numbers rounded down (mask -2^k). None for
    another mask, also 0 and -1, and if `mask` is None.
    """
    if mask is None or mask in (0, -1):
        return None
    if mask > 0 and power_of_two_in(mask + 1) == mask + 1:
        return tuple([modulo_power_of_two(run, mask + 1) for run in facts.runs])
    if mask < 0 and power_of_two_in(mask) == -mask:
        return tuple([AxisFacts(constancy=quotient(run, -mask).constancy) for run in facts.runs])
    return None


_JOINED: dict[type[Any], Callable[[intervals.Interval, intervals.Interval, int], intervals.Interval]] = {
    ops.OrIOp: intervals.bitwise_or,
    ops.XOrIOp: intervals.bitwise_xor,
}


@RULES.rule(
    ops.OrIOp, ops.XOrIOp, because="no more bits than the operands need; common zeros at the end stay"
)
def _or(op: ops.OrIOp | ops.XOrIOp, lhs: ValueFacts, rhs: ValueFacts) -> ValueFacts:
    bounds = _JOINED[type(op)](_bounds(lhs), _bounds(rhs), _width(op))
    return ValueFacts(bounds, min(lhs.divisor, rhs.divisor), steady(result_type(op), (lhs, rhs)))


@RULES.rule(
    conversion.ExtIOp, because="the numbers do not change; as unsigned, negative ones move up as a whole"
)
def _extend(op: conversion.ExtIOp, source: ValueFacts) -> ValueFacts:
    return extended(source, _width(op), signed=_signed(op))


def extended(source: ValueFacts, width: int, *, signed: bool) -> ValueFacts:
    """Return the facts of integers of `width` bits after extension to a wider type; unless `signed`, they are
    zero-extended.
    """
    bounds = _bounds(source)
    exact = signed or bounds.low >= 0 or bounds.high < 0
    runs = _runs_without_wrap(source.runs, exact, width)
    return ValueFacts(intervals.extend(bounds, width, signed), source.divisor, runs)


@RULES.rule(conversion.TruncIOp, because="the numbers do not change if they fit; else the low bits stay")
def _truncate(op: conversion.TruncIOp, source: ValueFacts) -> ValueFacts:
    width = width_of(op.to.type)
    assert width is not None
    return truncated(source, width, promised=_promises(op))


def truncated(source: ValueFacts, width: int, *, promised: bool = False) -> ValueFacts:
    """Return the facts of integers truncated to `width` bits; ``promised``: all fit the signed range."""
    bounds = _bounds(source)
    exact = promised or _fits(bounds, width)
    runs = _runs_without_wrap(source.runs, exact, width)
    return ValueFacts(intervals.truncate(bounds, width, promised), source.divisor, runs)


@RULES.rule(conversion.BitcastOp, because="the same bits")
def _bitcast(op: conversion.BitcastOp, source: ValueFacts) -> Any:
    return source if op.source.type is op.result.type else elementwise(op, source)
