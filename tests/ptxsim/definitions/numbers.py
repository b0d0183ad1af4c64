"""Binary numbers by their definition: exact values as integers times powers of two, rounded once.

Nothing here is taken from the simulator or from NumPy.  A value is a sign, a significand and the exponent of its
last bit; the significands `INFINITE` and `UNKNOWN` stand for infinity and NaN.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isqrt
from typing import TypeAlias

Value: TypeAlias = tuple[int, int, int]
"""Sign, significand, exponent."""
INFINITE, UNKNOWN = -1, -2
NAN: Value = (0, UNKNOWN, 0)
EXTRA = 140
"""Bits of quotients and roots beyond those of their operands, the last of which says whether more follow."""


@dataclass(frozen=True, slots=True)
class Format:
    """Widths of the exponent and the fraction; some formats have no infinity, and some no NaN either."""

    exponent: int
    fraction: int
    infinity: bool = True
    nan: bool = True

    @property
    def bits(self) -> int:
        """The width of a code."""
        return 1 + self.exponent + self.fraction

    @property
    def bias(self) -> int:
        """What is added to exponents."""
        return (1 << (self.exponent - 1)) - 1

    @property
    def sign(self) -> int:
        """The bit of the sign."""
        return 1 << (self.bits - 1)

    @property
    def last(self) -> int:
        """The exponent of the last bit of subnormal numbers."""
        return 1 - self.bias - self.fraction

    @property
    def infinite(self) -> int:
        """The code of infinity: an exponent of all ones."""
        return ((1 << self.exponent) - 1) << self.fraction

    @property
    def largest(self) -> int:
        """The code of the largest finite number."""
        return self.infinite - 1 if self.infinity else self.sign - 1 - self.nan

    @property
    def unknown(self) -> int:
        """The code of all ones without the sign."""
        return self.sign - 1


FORMATS = {
    "f16": Format(5, 10),
    "bf16": Format(8, 7),
    "f32": Format(8, 23),
    "f64": Format(11, 52),
    "tf32": Format(8, 10),
    "e4m3": Format(4, 3, infinity=False),
    "e5m2": Format(5, 2),
    "e2m3": Format(2, 3, infinity=False, nan=False),
    "e3m2": Format(3, 2, infinity=False, nan=False),
    "e2m1": Format(2, 1, infinity=False, nan=False),
}


def decoded(code: int, form: Format) -> Value:
    """What a code means."""
    sign, magnitude = int(code & form.sign > 0), code & (form.sign - 1)
    if form.infinity and magnitude >= form.infinite:
        return (sign, INFINITE if magnitude == form.infinite else UNKNOWN, 0)
    if form.nan and not form.infinity and magnitude == form.unknown:
        return (sign, UNKNOWN, 0)
    field, fraction = magnitude >> form.fraction, magnitude & ((1 << form.fraction) - 1)
    return (sign, fraction | (field > 0) << form.fraction, max(field, 1) - 1 + form.last)


def _upwards(mode: str, sign: int, whole: int, rest: int, half: int) -> bool:
    """Whether a significand is increased for the bits below it."""
    if mode == "rn":
        return rest > half or (rest == half and bool(whole & 1))
    if mode == "rna":
        return rest >= half
    return mode == ("rm" if sign else "rp") and rest > 0


def coded(value: Value, form: Format, mode: str = "rn", *, finite: bool = False) -> int:
    """The code of a value, rounded; ``finite`` keeps what is too large at the largest number.

    Formats without NaN have the largest number for it.
    """
    sign, whole, exponent = value
    top = sign * form.sign
    if whole == UNKNOWN:
        return form.unknown if form.nan else form.largest
    if whole == INFINITE:
        return top | (form.largest if finite else form.infinite)
    if whole == 0:
        return top
    last = max(whole.bit_length() + exponent - 1 - form.fraction, form.last)
    shift = last - exponent
    if shift <= 0:
        whole <<= -shift
    else:
        rest = whole & ((1 << shift) - 1)
        whole >>= shift
        whole += _upwards(mode, sign, whole, rest, 1 << (shift - 1))
    code = ((last - form.last) << form.fraction) + whole
    if code > form.largest:
        stays = finite or mode == "rz" or mode == ("rp" if sign else "rm")
        code = form.largest if stays else form.infinite
    return top | code


def is_small(value: Value, form: Format) -> bool:
    """Whether a number is not zero and less than the least normal one."""
    _, whole, exponent = value
    return whole > 0 and whole.bit_length() + exponent - 1 < 1 - form.bias


def flushed(value: Value, form: Format) -> Value:
    """Subnormal numbers as zeros of their sign."""
    return (value[0], 0, 0) if is_small(value, form) else value


def negated(value: Value) -> Value:
    """The other sign."""
    return (1 - value[0], value[1], value[2])


def is_less(a: Value, b: Value) -> bool:
    """``a < b`` of values that are no NaN; zeros are equal."""
    return _order(a) < _order(b) if INFINITE in (a[1], b[1]) else compared(a, b) < 0


def _order(value: Value) -> int:
    """-1, 0 or 1 for minus infinity, finite numbers and infinity."""
    return 0 if value[1] != INFINITE else -1 if value[0] else 1


def compared(a: Value, b: Value) -> int:
    """Less than, equal to or greater than zero as ``a`` is to ``b``, both finite."""
    last = min(a[2], b[2])
    first, second = ((one[1] << (one[2] - last)) * (-1 if one[0] else 1) for one in (a, b))
    return first - second


def equal(a: Value, b: Value) -> bool:
    """``a == b`` of values that are no NaN."""
    if INFINITE in (a[1], b[1]):
        return a[:2] == b[:2]
    return compared(a, b) == 0


def total(a: Value, b: Value, mode: str = "rn") -> Value:
    """The sum; an exact zero of numbers that are none has the sign that the rounding asks for."""
    if UNKNOWN in (a[1], b[1]) or (a[1] == b[1] == INFINITE and a[0] != b[0]):
        return NAN
    if INFINITE in (a[1], b[1]):
        return a if a[1] == INFINITE else b
    last = min(a[2], b[2])
    whole = sum((one[1] << (one[2] - last)) * (-1 if one[0] else 1) for one in (a, b))
    if whole == 0:
        same = a[1] == 0 and b[1] == 0 and a[0] == b[0]
        return (a[0] if same else int(mode == "rm"), 0, 0)
    return (int(whole < 0), abs(whole), last)


def product(a: Value, b: Value) -> Value:
    """The product."""
    sign = a[0] ^ b[0]
    if UNKNOWN in (a[1], b[1]) or (INFINITE in (a[1], b[1]) and 0 in (a[1], b[1])):
        return NAN
    if INFINITE in (a[1], b[1]):
        return (sign, INFINITE, 0)
    return (sign, a[1] * b[1], a[2] + b[2])


def quotient(a: Value, b: Value) -> Value:
    """The quotient, long enough to be rounded."""
    sign = a[0] ^ b[0]
    if UNKNOWN in (a[1], b[1]) or (a[1] == b[1] and a[1] in (0, INFINITE)):
        return NAN
    if a[1] == INFINITE or b[1] == 0:
        return (sign, INFINITE, 0)
    if a[1] == 0 or b[1] == INFINITE:
        return (sign, 0, 0)
    whole, rest = divmod(a[1] << EXTRA, b[1])
    return (sign, whole << 1 | (rest > 0), a[2] - b[2] - EXTRA - 1)


def root(a: Value) -> Value:
    """The square root, long enough to be rounded."""
    sign, whole, exponent = a
    if whole == UNKNOWN or (sign and whole != 0):
        return NAN
    if whole in (0, INFINITE):
        return a
    shift = EXTRA + (exponent & 1)
    found = isqrt(whole << shift)
    return (0, found << 1 | (found * found != whole << shift), (exponent - shift) // 2 - 1)


def integral(value: Value, mode: str) -> Value:
    """Rounded to a whole number; zero keeps the sign."""
    sign, whole, exponent = value
    if whole == 0:
        return (sign, 0, 0)
    if whole < 0 or exponent >= 0:
        return value
    rest, half = whole & ((1 << -exponent) - 1), 1 << (-exponent - 1)
    whole >>= -exponent
    return (sign, whole + _upwards(mode, sign, whole, rest, half), 0)


def as_float(value: Value) -> float:
    """A double near a value."""
    sign, whole, exponent = value
    if whole == UNKNOWN:
        return float("nan")
    found = float("inf") if whole == INFINITE else whole * 2.0**exponent
    return -found if sign else found
