"""Element-wise integer operations on tiles of i1, i8, i16, i32 and i64.

The format is read off the dtype (``bool`` is i1, a 1-bit integer whose only negative value is -1). Every
operation goes through one of two 64-bit views, zero-extended or sign-extended, and back through :func:`wrap`,
which keeps the low bits; so one definition serves all widths.

Undefined cases give a fixed result (as processors without traps do) and are reported by the mask functions,
for interpreters that check: division by zero gives all ones and leaves the dividend as remainder; the most
negative number divided by -1 wraps to itself, remainder 0. Masks have the operands' shape. A broken
``overflow`` promise means that the real result, on operands read as signed (``no_signed_wrap``) or unsigned
(``no_unsigned_wrap``), does not fit the format; ``no_wrap`` promises both.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from tilewright.interp.numerics.element import BoolArray, ElementFormat, NumpyArray, integer_format

Unsigned: TypeAlias = npt.NDArray[np.uint64]
SignedArray: TypeAlias = npt.NDArray[np.int64]

_LOW_HALF = np.uint64(0xFFFF_FFFF)
_HALF_WIDTH = np.uint64(32)


def unsigned_view(values: NumpyArray) -> Unsigned:
    """Return the elements of a tile, zero-extended to 64 bits. Raises `TypeError` for a tile that holds no
    integers.
    """
    tile = np.asarray(values)
    return tile.view(integer_format(tile).bits_dtype).astype(np.uint64)


def signed_view(values: NumpyArray) -> SignedArray:
    """Return the elements of a tile, sign-extended to 64 bits; true of i1 is -1."""
    tile = np.asarray(values)
    widened = tile.astype(np.int64)
    return -widened if tile.dtype == np.bool_ else widened


def wrap(values: NumpyArray, format: ElementFormat) -> NumpyArray:
    """Return the low ``format.bits`` bits of 64-bit numbers as a tile of ``format`` (also i4)."""
    bits = np.asarray(values).astype(np.uint64)
    if format.bits == 1:
        return np.asarray((bits & np.uint64(1)) != 0)
    if format.bits == 4:
        return np.asarray(((bits & np.uint64(15)).astype(np.int8) ^ np.int8(8)) - np.int8(8))
    return np.asarray(bits.astype(format.bits_dtype)).view(format.array_dtype)


def _by_signedness(signed: bool) -> Callable[[NumpyArray], NumpyArray]:
    return signed_view if signed else unsigned_view


@np.errstate(all="ignore")
def addi(lhs: NumpyArray, rhs: NumpyArray) -> NumpyArray:
    """Return ``lhs + rhs``, wrapping."""
    return wrap(unsigned_view(lhs) + unsigned_view(rhs), integer_format(lhs))


@np.errstate(all="ignore")
def subi(lhs: NumpyArray, rhs: NumpyArray) -> NumpyArray:
    """Return ``lhs - rhs``, wrapping."""
    return wrap(unsigned_view(lhs) - unsigned_view(rhs), integer_format(lhs))


@np.errstate(all="ignore")
def muli(lhs: NumpyArray, rhs: NumpyArray) -> NumpyArray:
    """Return ``lhs * rhs``, wrapping."""
    return wrap(unsigned_view(lhs) * unsigned_view(rhs), integer_format(lhs))


@np.errstate(all="ignore")
def negi(source: NumpyArray) -> NumpyArray:
    """Return ``0 - source``, wrapping."""
    return subi(np.zeros_like(source), source)


@np.errstate(all="ignore")
def absi(source: NumpyArray) -> NumpyArray:
    """Return the magnitude, to be read as unsigned: the most negative number stays as it is."""
    return wrap(np.abs(signed_view(source)), integer_format(source))


@np.errstate(all="ignore")
def mulhii(lhs: NumpyArray, rhs: NumpyArray) -> NumpyArray:
    """Return the high half of the double-width product of the operands read as unsigned."""
    format = integer_format(lhs)
    high, low = wide_product(unsigned_view(lhs), unsigned_view(rhs))
    return wrap(high if format.bits == 64 else low >> np.uint64(format.bits), format)


def wide_product(a: Unsigned, b: Unsigned) -> tuple[Unsigned, Unsigned]:
    """Return the high and the low 64 bits of the 128-bit product, computed by 32-bit halves."""
    a_low, a_high = a & _LOW_HALF, a >> _HALF_WIDTH
    b_low, b_high = b & _LOW_HALF, b >> _HALF_WIDTH
    lowest = a_low * b_low
    middle = a_high * b_low + (lowest >> _HALF_WIDTH)
    other = a_low * b_high + (middle & _LOW_HALF)
    high = a_high * b_high + (middle >> _HALF_WIDTH) + (other >> _HALF_WIDTH)
    return high, a * b


@np.errstate(all="ignore")
def divi(lhs: NumpyArray, rhs: NumpyArray, signed: bool, rounding: str = "zero") -> NumpyArray:
    """Return the quotient of numbers that are signed or not, by `signed`. `rounding` is ``zero``,
    ``positive_inf`` or ``negative_inf``; another mode raises `ValueError`. A zero divisor gives all ones, and
    the most negative number divided by -1 wraps to itself.
    """
    if rounding not in _QUOTIENT_CORRECTIONS:
        raise ValueError(f"unknown rounding mode '{rounding}', expect one of {list(_QUOTIENT_CORRECTIONS)}")
    view = _by_signedness(signed)
    a, b = view(lhs), view(rhs)
    divisor = np.where(b == 0, np.ones_like(b), b)
    remainder = np.fmod(a, divisor)
    quotient = np.floor_divide(a - remainder, divisor)
    opposite = (a < 0) != (b < 0)
    quotient = quotient + _QUOTIENT_CORRECTIONS[rounding](remainder != 0, opposite).astype(quotient.dtype)
    all_ones = np.full_like(quotient, -1 if signed else ~np.uint64(0))
    return wrap(np.where(b == 0, all_ones, quotient), integer_format(lhs))


_QUOTIENT_CORRECTIONS: dict[str, Callable[[BoolArray, BoolArray], NumpyArray]] = {
    "zero": lambda inexact, opposite: np.zeros(inexact.shape, np.int8),
    "positive_inf": lambda inexact, opposite: (inexact & ~opposite).astype(np.int8),
    "negative_inf": lambda inexact, opposite: -(inexact & opposite).astype(np.int8),
}
"""The correction of the truncated quotient, from the masks of inexact quotients and of opposite signs."""


@np.errstate(all="ignore")
def remi(lhs: NumpyArray, rhs: NumpyArray, signed: bool) -> NumpyArray:
    """Return the remainder of the quotient rounded to zero, with the sign of ``lhs``; ``lhs`` for zero
    divisors. The operands are signed if `signed`, else unsigned.
    """
    view = _by_signedness(signed)
    a, b = view(lhs), view(rhs)
    remainder = np.fmod(a, np.where(b == 0, np.ones_like(b), b))
    return wrap(np.where(b == 0, a, remainder), integer_format(lhs))


def maxi(lhs: NumpyArray, rhs: NumpyArray, signed: bool) -> NumpyArray:
    """Return the larger element of each pair, read as signed if `signed`, else as unsigned."""
    view = _by_signedness(signed)
    return np.where(view(lhs) >= view(rhs), lhs, rhs)


def mini(lhs: NumpyArray, rhs: NumpyArray, signed: bool) -> NumpyArray:
    """Return the smaller element of each pair, read as signed if `signed`, else as unsigned."""
    view = _by_signedness(signed)
    return np.where(view(lhs) <= view(rhs), lhs, rhs)


def andi(lhs: NumpyArray, rhs: NumpyArray) -> NumpyArray:
    """Return the bitwise and."""
    return np.asarray(np.bitwise_and(lhs, rhs))


def ori(lhs: NumpyArray, rhs: NumpyArray) -> NumpyArray:
    """Return the bitwise or."""
    return np.asarray(np.bitwise_or(lhs, rhs))


def xori(lhs: NumpyArray, rhs: NumpyArray) -> NumpyArray:
    """Return the bitwise exclusive or."""
    return np.asarray(np.bitwise_xor(lhs, rhs))


@np.errstate(all="ignore")
def shli(lhs: NumpyArray, rhs: NumpyArray) -> NumpyArray:
    """Return ``lhs`` shifted left by ``rhs`` (unsigned), filled with zeros; a shift by the width or more
    gives 0.
    """
    return wrap(_shift_left(unsigned_view(lhs), unsigned_view(rhs)), integer_format(lhs))


def _shift_left(values: Unsigned, amount: Unsigned) -> Unsigned:
    limited = np.minimum(amount, np.uint64(63))
    return np.where(amount > 63, np.uint64(0), values << limited)


@np.errstate(all="ignore")
def shri(lhs: NumpyArray, rhs: NumpyArray, signed: bool) -> NumpyArray:
    """Return ``lhs`` shifted right by ``rhs`` (unsigned), filled with the sign if `signed`, else with zeros;
    a shift by the width or more leaves only filling.
    """
    amount = unsigned_view(rhs)
    limited = np.minimum(amount, np.uint64(63))
    if signed:
        return wrap(signed_view(lhs) >> limited.astype(np.int64), integer_format(lhs))
    return wrap(np.where(amount > 63, np.uint64(0), unsigned_view(lhs) >> limited), integer_format(lhs))


_COMPARISONS: dict[str, Callable[[NumpyArray, NumpyArray], BoolArray]] = {
    "equal": np.equal,
    "not_equal": np.not_equal,
    "less_than": np.less,
    "less_than_or_equal": np.less_equal,
    "greater_than": np.greater,
    "greater_than_or_equal": np.greater_equal,
}


def cmpi(lhs: NumpyArray, rhs: NumpyArray, predicate: str, signed: bool) -> BoolArray:
    """Return the i1 tile of a comparison of numbers that are signed or not, by `signed`; `predicate` is a
    name such as ``less_than``. Raises `ValueError` for an unknown predicate.
    """
    if predicate not in _COMPARISONS:
        raise ValueError(f"unknown comparison predicate '{predicate}'")
    view = _by_signedness(signed)
    return np.asarray(_COMPARISONS[predicate](view(lhs), view(rhs)))


def _add_signed(lhs: NumpyArray, rhs: NumpyArray) -> BoolArray:
    a, b = signed_view(lhs), signed_view(rhs)
    return (((a ^ (a + b)) & (b ^ (a + b))) < 0) | (a + b != signed_view(addi(lhs, rhs)))


def _add_unsigned(lhs: NumpyArray, rhs: NumpyArray) -> BoolArray:
    return unsigned_view(addi(lhs, rhs)) < unsigned_view(lhs)


def _subtract_signed(lhs: NumpyArray, rhs: NumpyArray) -> BoolArray:
    a, b = signed_view(lhs), signed_view(rhs)
    return (((a ^ b) & (a ^ (a - b))) < 0) | (a - b != signed_view(subi(lhs, rhs)))


def _subtract_unsigned(lhs: NumpyArray, rhs: NumpyArray) -> BoolArray:
    return unsigned_view(rhs) > unsigned_view(lhs)


def _multiply_signed(lhs: NumpyArray, rhs: NumpyArray) -> BoolArray:
    a, b = signed_view(lhs), signed_view(rhs)
    high, low = wide_product(a.astype(np.uint64), b.astype(np.uint64))
    # The unsigned high half counts a negative operand as 2**64 too much.
    correction = np.where(a < 0, b, 0) + np.where(b < 0, a, 0)
    signed_low = low.astype(np.int64)
    fits_64_bits = high.astype(np.int64) - correction == signed_low >> 63
    return ~fits_64_bits | (signed_low != signed_view(muli(lhs, rhs)))


def _multiply_unsigned(lhs: NumpyArray, rhs: NumpyArray) -> BoolArray:
    high, low = wide_product(unsigned_view(lhs), unsigned_view(rhs))
    return (high != 0) | (low != unsigned_view(muli(lhs, rhs)))


def _shift_signed(lhs: NumpyArray, rhs: NumpyArray) -> BoolArray:
    back = signed_view(shli(lhs, rhs)) >> np.minimum(unsigned_view(rhs), np.uint64(63)).astype(np.int64)
    return back != signed_view(lhs)


def _shift_unsigned(lhs: NumpyArray, rhs: NumpyArray) -> BoolArray:
    back = unsigned_view(shli(lhs, rhs)) >> np.minimum(unsigned_view(rhs), np.uint64(63))
    return back != unsigned_view(lhs)


_CHECKS: dict[tuple[str, str], Callable[[NumpyArray, NumpyArray], BoolArray]] = {
    ("addi", "no_signed_wrap"): _add_signed,
    ("addi", "no_unsigned_wrap"): _add_unsigned,
    ("subi", "no_signed_wrap"): _subtract_signed,
    ("subi", "no_unsigned_wrap"): _subtract_unsigned,
    ("muli", "no_signed_wrap"): _multiply_signed,
    ("muli", "no_unsigned_wrap"): _multiply_unsigned,
    ("shli", "no_signed_wrap"): _shift_signed,
    ("shli", "no_unsigned_wrap"): _shift_unsigned,
}

_PROMISES: dict[str, tuple[str, ...]] = {
    "none": (),
    "no_signed_wrap": ("no_signed_wrap",),
    "no_unsigned_wrap": ("no_unsigned_wrap",),
    "no_wrap": ("no_signed_wrap", "no_unsigned_wrap"),
}


def promises_of(overflow: str) -> tuple[str, ...]:
    """Return the single promises of an ``overflow`` attribute: "no_signed_wrap", "no_unsigned_wrap", both or
    none. Raises `ValueError` for an unknown attribute.
    """
    if overflow not in _PROMISES:
        raise ValueError(f"unknown overflow behaviour '{overflow}', expect one of {list(_PROMISES)}")
    return _PROMISES[overflow]


@np.errstate(all="ignore")
def broken_overflow_promise(operation: str, lhs: NumpyArray, rhs: NumpyArray, overflow: str) -> BoolArray:
    """Return a mask of the elements whose `operation` (``addi``, ``subi``, ``muli`` or ``shli``) breaks its
    ``overflow`` promise; all false for "none".

    A shift by the width or more breaks a promise only if it loses bits. Raises `KeyError` for another
    operation with a promise, and `ValueError` for an unknown promise.
    """
    broken = np.zeros(np.shape(lhs), np.bool_)
    for promise in promises_of(overflow):
        broken = broken | _CHECKS[operation, promise](np.asarray(lhs), np.asarray(rhs))
    return np.asarray(broken)


@np.errstate(all="ignore")
def broken_negation_promise(source: NumpyArray, overflow: str) -> BoolArray:
    """Return a mask of the elements whose ``negi`` breaks ``no_signed_wrap``: the most negative number, if
    `overflow` promises it; otherwise none. Raises `ValueError` for an unknown promise.
    """
    if "no_signed_wrap" not in promises_of(overflow):
        return np.zeros(np.shape(source), np.bool_)
    value = signed_view(source)
    return np.asarray((value < 0) & (signed_view(negi(source)) == value))


@np.errstate(all="ignore")
def undefined_division(lhs: NumpyArray, rhs: NumpyArray, signed: bool) -> BoolArray:
    """Return a mask of the elements where ``divi`` is undefined: zero divisors, and, if `signed`, the most
    negative number divided by -1.
    """
    by_zero = signed_view(rhs) == 0
    if not signed:
        return np.asarray(by_zero)
    lowest = -(1 << (integer_format(lhs).bits - 1))
    return np.asarray(by_zero | ((signed_view(lhs) == lowest) & (signed_view(rhs) == -1)))


def undefined_remainder(rhs: NumpyArray) -> BoolArray:
    """Return a mask of the elements where ``remi`` is undefined: zero divisors."""
    return np.asarray(signed_view(rhs) == 0)


def oversized_shift(rhs: NumpyArray) -> BoolArray:
    """Return a mask of the shift amounts (unsigned) that are not below the width; the result of such shifts
    may differ between implementations.
    """
    return np.asarray(unsigned_view(rhs) >= np.uint64(integer_format(rhs).bits))
