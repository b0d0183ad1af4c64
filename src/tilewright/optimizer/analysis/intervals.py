"""Intervals of integers of `width` bits, read as signed, and arithmetic on them.

Every function takes intervals that contain the operands and returns one that contains the result of the operation in
two's complement, if it is defined. Operations that read their operands as unsigned go through `as_unsigned`, which may
lose everything where an interval contains numbers of both signs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from tilewright.ir.arithmetic.twos_complement import truncated_quotient


class Interval(NamedTuple):
    """The integers from `low` to `high`, both included."""

    low: int
    high: int

    @property
    def constant(self) -> int | None:
        """Return the only number in the interval; None if there are several."""
        return self.low if self.low == self.high else None

    def contains(self, other: Interval) -> bool:
        """True if all numbers of ``other`` are in this interval."""
        return self.low <= other.low and other.high <= self.high

    def hull(self, other: Interval) -> Interval:
        """Return the smallest interval that contains both."""
        return Interval(min(self.low, other.low), max(self.high, other.high))

    def clipped(self, other: Interval) -> Interval:
        """Return the intersection, or `self` if it is empty."""
        low, high = max(self.low, other.low), min(self.high, other.high)
        return Interval(low, high) if low <= high else self

    def meets(self, other: Interval) -> bool:
        """True if some number is in both intervals."""
        return self.low <= other.high and other.low <= self.high

    def __str__(self) -> str:
        return f"[{self.low}, {self.high}]"


def signed_range(width: int) -> Interval:
    """Return the interval of all signed numbers of `width` bits."""
    return Interval(-(1 << (width - 1)), (1 << (width - 1)) - 1)


def unsigned_range(width: int) -> Interval:
    """Return the interval of all unsigned numbers of `width` bits."""
    return Interval(0, (1 << width) - 1)


def as_unsigned(value: Interval, width: int) -> Interval:
    """Return the interval of the bit patterns of `value`, a signed interval, read as unsigned; the whole
    unsigned range if `value` contains numbers of both signs.
    """
    if value.low >= 0:
        return value
    if value.high < 0:
        return Interval(value.low + (1 << width), value.high + (1 << width))
    return unsigned_range(width)


def as_signed(value: Interval, width: int) -> Interval:
    """Return the interval of the bit patterns of `value`, an unsigned interval, read as signed; the whole
    signed range if `value` contains patterns of both signs.
    """
    middle = 1 << (width - 1)
    if value.high < middle:
        return value
    if value.low >= middle:
        return Interval(value.low - 2 * middle, value.high - 2 * middle)
    return signed_range(width)


def reading(value: Interval, width: int, signed: bool) -> Interval:
    """Return a signed interval as an operation reads it: unchanged if `signed`, else `as_unsigned`."""
    return value if signed else as_unsigned(value, width)


def wrapped(exact: Interval, width: int, exact_is_promised: bool = False) -> Interval:
    """Return the interval of a signed result of `width` bits, whose interval before wrapping is `exact`:
    `exact` if it fits. If it does not fit, return the whole signed range, or with `exact_is_promised` (the
    result does not wrap) the part of `exact` in the range.
    """
    every = signed_range(width)
    if every.contains(exact):
        return exact
    return every.clipped(exact) if exact_is_promised else every


def _corners(function: Callable[[int, int], int], lhs: Iterable[int], rhs: Iterable[int]) -> Interval:
    right = tuple(rhs)
    found = [function(a, b) for a in lhs for b in right]
    return Interval(min(found), max(found))


def add(lhs: Interval, rhs: Interval, width: int, no_signed_wrap: bool = False) -> Interval:
    """Return the interval of sums that wrap to `width` bits; ``no_signed_wrap``: no sum wraps."""
    return wrapped(Interval(lhs.low + rhs.low, lhs.high + rhs.high), width, no_signed_wrap)


def subtract(lhs: Interval, rhs: Interval, width: int, no_signed_wrap: bool = False) -> Interval:
    """Return the interval of differences that wrap to `width` bits; ``no_signed_wrap``: no difference
    wraps.
    """
    return wrapped(Interval(lhs.low - rhs.high, lhs.high - rhs.low), width, no_signed_wrap)


def multiply(lhs: Interval, rhs: Interval, width: int, no_signed_wrap: bool = False) -> Interval:
    """Return the interval of products that wrap to `width` bits; ``no_signed_wrap``: no product wraps."""
    return wrapped(_corners(lambda a, b: a * b, lhs, rhs), width, no_signed_wrap)


def multiply_high(lhs: Interval, rhs: Interval, width: int) -> Interval:
    """Return the interval of the high `width` bits of the unsigned products, read as signed."""
    a, b = as_unsigned(lhs, width), as_unsigned(rhs, width)
    return as_signed(Interval(a.low * b.low >> width, a.high * b.high >> width), width)


def floor_quotient(a: int, b: int) -> int:
    """Return `a` / `b`, rounded towards negative infinity."""
    return a // b


def ceiling_quotient(a: int, b: int) -> int:
    """Return `a` / `b`, rounded towards positive infinity."""
    return -(-a // b)


QUOTIENTS: dict[str, Callable[[int, int], int]] = {
    "zero": truncated_quotient,
    "negative_inf": floor_quotient,
    "positive_inf": ceiling_quotient,
}
"""The quotient by rounding mode."""


def divide(lhs: Interval, rhs: Interval, width: int, signed: bool, rounding: str) -> Interval:
    """Return the interval of quotients, read as signed. `rounding` is a key of `QUOTIENTS`; unless `signed`,
    the operands are read as unsigned. A zero divisor and a quotient that does not fit are undefined, so they
    are excluded; if the divisor can only be zero, return the whole range.
    """
    a, b = reading(lhs, width, signed), reading(rhs, width, signed)
    ends: list[int] = []
    if b.high > 0:
        ends += [max(1, b.low), b.high]
    if b.low < 0:
        ends += [b.low, min(-1, b.high)]
    if not ends:
        return signed_range(width)
    exact = _corners(QUOTIENTS[rounding], a, ends)
    return wrapped(exact, width, exact_is_promised=True) if signed else as_signed(exact, width)


def remainder(lhs: Interval, rhs: Interval, width: int, signed: bool) -> Interval:
    """Return the interval of remainders of truncated quotients, read as signed. A remainder is smaller in
    magnitude than the divisor, no larger than the dividend, and has the dividend's sign. Unless `signed`, the
    operands are read as unsigned. If the divisor can only be zero, return the whole range.
    """
    a, b = reading(lhs, width, signed), reading(rhs, width, signed)
    largest = max(abs(b.low), abs(b.high)) - 1
    if largest < 0:
        return signed_range(width)
    low = max(-largest, a.low) if a.low < 0 else 0
    high = min(largest, a.high) if a.high > 0 else 0
    if a.low >= 0 and a.high < _smallest_magnitude(b):
        low = a.low
    exact = Interval(low, high)
    return exact if signed else as_signed(exact, width)


def _smallest_magnitude(value: Interval) -> int:
    if value.low <= 0 <= value.high:
        return 0
    return min(abs(value.low), abs(value.high))


def maximum(lhs: Interval, rhs: Interval, width: int, signed: bool) -> Interval:
    """Return the interval of the maxima of numbers in ``lhs`` and ``rhs``, read as signed. The numbers are
    compared as signed if `signed`, else as unsigned.
    """
    a, b = reading(lhs, width, signed), reading(rhs, width, signed)
    greater = Interval(max(a.low, b.low), max(a.high, b.high))
    return _chosen(greater, lhs, rhs, width, signed)


def minimum(lhs: Interval, rhs: Interval, width: int, signed: bool) -> Interval:
    """Return the interval of the minima of numbers in ``lhs`` and ``rhs``, read as signed. The numbers are
    compared as signed if `signed`, else as unsigned.
    """
    a, b = reading(lhs, width, signed), reading(rhs, width, signed)
    lesser = Interval(min(a.low, b.low), min(a.high, b.high))
    return _chosen(lesser, lhs, rhs, width, signed)


def _chosen(read: Interval, lhs: Interval, rhs: Interval, width: int, signed: bool) -> Interval:
    """Return the interval of a minimum or maximum. ``read`` are its bounds in the signedness of the
    operation; they are converted to signed numbers and clipped to the hull of both operands.
    """
    result = read if signed else as_signed(read, width)
    return result.clipped(lhs.hull(rhs))


def magnitude(value: Interval, width: int) -> Interval:
    """Return the interval of the absolute values; the smallest number is its own absolute value."""
    least = signed_range(width).low
    if value.low == least:
        return Interval(least, max(value.high, -least - 1)) if value.high > least else value
    if value.low >= 0:
        return value
    return Interval(max(0, -value.high), max(-value.low, value.high))


def negate(value: Interval, width: int, no_signed_wrap: bool = False) -> Interval:
    """Return the interval of the negated values; negating the smallest number of `width` bits wraps to
    itself. ``no_signed_wrap``: no result wraps, so the smallest number does not occur.
    """
    return wrapped(Interval(-value.high, -value.low), width, no_signed_wrap)


def _fits_shift(amount: Interval, width: int) -> bool:
    return amount.low >= 0 and amount.high < width


def shift_left(lhs: Interval, amount: Interval, width: int, no_signed_wrap: bool = False) -> Interval:
    """Return the interval of left shifts that wrap to `width` bits, or the whole range if an amount may reach
    the width; ``no_signed_wrap``: no result wraps.
    """
    if not _fits_shift(amount, width):
        return signed_range(width)
    return wrapped(_corners(lambda a, s: a << s, lhs, amount), width, no_signed_wrap)


def shift_right(lhs: Interval, amount: Interval, width: int, signed: bool) -> Interval:
    """Return the interval of right shifts, arithmetic ones if `signed`, else logical ones; the whole range if
    an amount may reach the width.
    """
    if not _fits_shift(amount, width):
        return signed_range(width)
    exact = _corners(lambda a, s: a >> s, reading(lhs, width, signed), amount)
    return exact if signed else as_signed(exact, width)


def _same_bits_range(lhs: Interval, rhs: Interval) -> Interval:
    """Return the range of signed numbers with as many bits as the numbers of both intervals need."""
    needed = max(_bits(end) for end in (*lhs, *rhs))
    return signed_range(needed)


def _bits(value: int) -> int:
    return (value if value >= 0 else ~value).bit_length() + 1


def bitwise_and(lhs: Interval, rhs: Interval, width: int) -> Interval:
    """Return an interval that contains every bitwise AND, read as signed; a non-negative operand bounds the
    result.
    """
    tops = [side.high for side in (lhs, rhs) if side.low >= 0]
    if tops:
        return Interval(0, min(tops))
    space = _same_bits_range(lhs, rhs)
    return Interval(space.low, -1 if max(lhs.high, rhs.high) < 0 else max(lhs.high, rhs.high))


def bitwise_or(lhs: Interval, rhs: Interval, width: int) -> Interval:
    """Return an interval that contains every bitwise OR, read as signed."""
    space = _same_bits_range(lhs, rhs)
    if lhs.low >= 0 and rhs.low >= 0:
        return Interval(max(lhs.low, rhs.low), space.high)
    if lhs.high < 0 or rhs.high < 0:
        return Interval(min(lhs.low, rhs.low), -1)
    return Interval(min(lhs.low, rhs.low), space.high)


def bitwise_xor(lhs: Interval, rhs: Interval, width: int) -> Interval:
    """Return an interval that contains every bitwise XOR, read as signed; it is not negative if both operands
    always have the same sign.
    """
    space = _same_bits_range(lhs, rhs)
    nonnegative = (lhs.low >= 0 and rhs.low >= 0) or (lhs.high < 0 and rhs.high < 0)
    return Interval(0, space.high) if nonnegative else space


def extend(value: Interval, width: int, signed: bool) -> Interval:
    """Return the interval after extension from `width` bits to a wider type: unchanged if `signed`, else
    zero-extended.
    """
    return reading(value, width, signed)


def truncate(value: Interval, width: int, no_signed_wrap: bool = False) -> Interval:
    """Return the interval of numbers truncated to `width` bits; ``no_signed_wrap``: all numbers fit as signed
    numbers.
    """
    return wrapped(value, width, no_signed_wrap)


def compare(lhs: Interval, rhs: Interval, width: int, signed: bool, predicate: str) -> bool | None:
    """Return True if `predicate`, such as ``less_than``, holds for all pairs of a number in `lhs` and a
    number in `rhs`, False if for none, and None if for some. Unless `signed`, the numbers are compared as
    unsigned.
    """
    a, b = reading(lhs, width, signed), reading(rhs, width, signed)
    if predicate in _NEGATED:
        opposite = _DECISIONS[_NEGATED[predicate]](a, b)
        return None if opposite is None else not opposite
    return _DECISIONS[predicate](a, b)


def _less(a: Interval, b: Interval) -> bool | None:
    return True if a.high < b.low else False if a.low >= b.high else None


def _equal(a: Interval, b: Interval) -> bool | None:
    if not a.meets(b):
        return False
    return True if a == b and a.constant is not None else None


_DECISIONS: dict[str, Callable[[Interval, Interval], bool | None]] = {
    "equal": _equal,
    "less_than": _less,
    "greater_than": lambda a, b: _less(b, a),
}
_NEGATED = {
    "not_equal": "equal",
    "less_than_or_equal": "greater_than",
    "greater_than_or_equal": "less_than",
}
"""For each of the other predicates, the predicate with the opposite result."""
