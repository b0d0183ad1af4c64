"""Float arithmetic as Tile IR defines it: exact, rounded once in the mode asked for, on bit patterns.

A NaN result is the canonical NaN, whatever the operands' payloads. Functions return None for results that the format
cannot hold (formats without NaN or infinity) and for results that the definition leaves open.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from tilewright.dialects.cuda_tile.enums import RoundingMode
from tilewright.ir.arithmetic import float_arithmetic, powers
from tilewright.ir.arithmetic.float_arithmetic import RoundingDirection
from tilewright.ir.arithmetic.float_format import FloatFormat

DIRECTIONS: dict[RoundingMode, RoundingDirection] = {
    RoundingMode.NEAREST_EVEN: RoundingDirection.TO_NEAREST_EVEN,
    RoundingMode.NEAREST_AWAY: RoundingDirection.TO_NEAREST_AWAY,
    RoundingMode.ZERO: RoundingDirection.TOWARD_ZERO,
    RoundingMode.NEGATIVE_INF: RoundingDirection.DOWNWARD,
    RoundingMode.POSITIVE_INF: RoundingDirection.UPWARD,
}
"""The rounding modes that determine a single result. The others (``approx``, ``full``) only bound the error.
"""


@dataclass(frozen=True, slots=True)
class FloatArithmetic:
    """Arithmetic in the float format `format`, rounded by `mode`. With `flushes`, subnormal operands and
    results are replaced by zero of the same sign.
    """

    format: FloatFormat
    mode: RoundingDirection = RoundingDirection.TO_NEAREST_EVEN
    flushes: bool = False

    def value(self, pattern: int) -> float:
        """Return the number that a bit pattern represents; 0 for a subnormal number if these are flushed."""
        return self.format.decode(flush(self.format, pattern) if self.flushes else pattern)

    def rounded(self, exact: Fraction, negative_zero: bool) -> int | None:
        """Return the pattern of `exact`, rounded once; ``negative_zero`` is the sign of an exact zero.
        Overflow gives infinity, NaN or the largest number, as the format has them. Return None for formats
        without a sign bit or without zero.
        """
        found = float_arithmetic.round_exact(self.format, exact, self.mode, negative_zero=negative_zero)
        return flush(self.format, found) if self.flushes and found is not None else found

    def special(self, value: float) -> int | None:
        """Return the pattern of a NaN, of an infinity, or of a number that needs no rounding. A NaN gives the
        canonical NaN, or None if the format has no NaN; an infinity in a format without infinities gives NaN
        or the largest number.
        """
        return self.format.nan_pattern if math.isnan(value) else self.format.encode(value)


def flush(format: FloatFormat, pattern: int) -> int:
    """Return a pattern with subnormal numbers replaced by zero of the same sign."""
    return pattern if pattern & format.exponent_mask else pattern & format.sign_mask


def canonical(format: FloatFormat, pattern: int | None) -> int | None:
    """Return the bit pattern of a number, or the bit pattern of the canonical NaN if it is a NaN; None, an
    unknown result, stays None.
    """
    return format.nan_pattern if pattern is not None and format.is_nan(pattern) else pattern


def _sign(value: float) -> bool:
    return math.copysign(1.0, value) < 0


def fused_multiply_add(how: FloatArithmetic, a: int, b: int, c: int) -> int | None:
    """Return the bit pattern of ``a * b + c``, rounded once; None if it is NaN and the format has no NaN, or
    if the format has no sign bit or no zero.
    """
    x, y, z = how.value(a), how.value(b), how.value(c)
    if not (math.isfinite(x) and math.isfinite(y)):
        return how.special(x * y + z)
    if not math.isfinite(z):
        return how.special(z)
    negatives = _sign(x) != _sign(y), _sign(z)
    negative = any(negatives) if how.mode is RoundingDirection.DOWNWARD else all(negatives)
    return how.rounded(Fraction(x) * Fraction(y) + Fraction(z), negative)


def add(how: FloatArithmetic, a: int, b: int) -> int | None:
    """Return the bit pattern of ``a + b``, rounded once; None if it is NaN and the format has no NaN, or if
    the format has no sign bit or no zero.
    """
    return fused_multiply_add(how, a, how.format.encode(1.0), b)


def subtract(how: FloatArithmetic, a: int, b: int) -> int | None:
    """Return the bit pattern of ``a - b``, rounded once; None if it is NaN and the format has no NaN, or if
    the format has no sign bit or no zero.
    """
    return add(how, a, b ^ how.format.sign_mask)


def multiply(how: FloatArithmetic, a: int, b: int) -> int | None:
    """Return the bit pattern of ``a * b``, rounded once; None if it is NaN and the format has no NaN, or if
    the format has no sign bit or no zero.
    """
    x, y = how.value(a), how.value(b)
    if not (math.isfinite(x) and math.isfinite(y)):
        return how.special(x * y)
    return how.rounded(Fraction(x) * Fraction(y), _sign(x) != _sign(y))


def divide(how: FloatArithmetic, a: int, b: int) -> int | None:
    """Return the bit pattern of ``a / b``, rounded once. A nonzero number divided by zero is infinite; zero
    by zero, and infinity by infinity, are NaN. Return None for NaN if the format has none, and for a format
    without a sign bit or without zero.
    """
    x, y = how.value(a), how.value(b)
    negative = _sign(x) != _sign(y)
    if math.isnan(x) or math.isnan(y) or (x == 0 and y == 0) or (math.isinf(x) and math.isinf(y)):
        return how.special(math.nan)
    if math.isinf(x) or y == 0:
        return how.special(-math.inf if negative else math.inf)
    return how.rounded(Fraction(0) if math.isinf(y) else Fraction(x) / Fraction(y), negative)


def square_root(how: FloatArithmetic, a: int) -> int | None:
    """Return the bit pattern of the square root of pattern `a`, rounded once: NaN for a negative number, -0
    for -0. Return None for NaN if the format has none, and for a format without a sign bit or without zero.
    """
    x = how.value(a)
    if math.isnan(x) or x < 0:
        return how.special(math.nan)
    if x == 0 or math.isinf(x):
        return how.special(x)
    exact = Fraction(x)
    shift = 2 * (how.format.mantissa_bits + 4) + exact.denominator.bit_length()
    square = (exact.numerator << 2 * shift) // exact.denominator
    root = math.isqrt(square)
    is_exact = root * root == square and (exact.numerator << 2 * shift) % exact.denominator == 0
    return how.rounded(Fraction(2 * root + (0 if is_exact else 1), 2 << shift), False)


def remainder(how: FloatArithmetic, a: int, b: int) -> int | None:
    """Return the bit pattern of the remainder of ``a / b`` with the quotient rounded toward zero; it has the
    sign of `a`, also if it is zero, and is `a` if `b` is infinite. It is NaN if `a` is infinite, `b` is zero,
    or either is NaN. Return None for NaN if the format has none.
    """
    x, y = how.value(a), how.value(b)
    if math.isnan(x) or math.isnan(y) or math.isinf(x) or y == 0:
        return how.special(math.nan)
    return how.special(math.fmod(x, y))


def integral(how: FloatArithmetic, a: int, way: str) -> int | None:
    """Return the bit pattern of ``a`` rounded to an integer, down if ``way`` is ``floor``, up if it is
    ``ceil``. NaN gives the canonical NaN. Return None for a format without a sign bit or without zero.
    """
    return canonical(how.format, float_arithmetic.to_integral(how.format, a, way))


def extremum(how: FloatArithmetic, a: int, b: int, larger: bool, propagates: bool) -> int | None:
    """Return the bit pattern of the larger operand (with `larger`) or of the smaller one; -0 is smaller than
    +0. Subnormal operands are flushed first if `how` says so. If one operand is NaN, the result is the
    canonical NaN with `propagates`, else the other operand; if both are, it is the canonical NaN.
    """
    format = how.format
    left, right = (flush(format, pattern) if how.flushes else pattern for pattern in (a, b))
    nans = [format.is_nan(pattern) for pattern in (left, right)]
    if all(nans) or (propagates and any(nans)):
        return format.nan_pattern
    if any(nans):
        return right if nans[0] else left
    return (float_arithmetic.maximum if larger else float_arithmetic.minimum)(format, left, right)


# --- functions without a defined last bit: their exact results

_ODD = {"+0": 0.0, "-0": -0.0}
_EXPONENTIAL = {"+0": 1.0, "-0": 1.0, "+inf": math.inf, "-inf": 0.0}
_LOGARITHM = {
    "1": 0.0,
    "+0": -math.inf,
    "-0": -math.inf,
    "+inf": math.inf,
    "-inf": math.nan,
    "negative": math.nan,
}
_NO_ANGLE = {"+inf": math.nan, "-inf": math.nan}
EXACT_RESULTS: Mapping[str, Mapping[str, float]] = {
    "exp": _EXPONENTIAL,
    "exp2": _EXPONENTIAL,
    "log": _LOGARITHM,
    "log2": _LOGARITHM,
    "sin": _ODD | _NO_ANGLE,
    "cos": {"+0": 1.0, "-0": 1.0} | _NO_ANGLE,
    "tan": _ODD | _NO_ANGLE,
    "sinh": _ODD | {"+inf": math.inf, "-inf": -math.inf},
    "cosh": {"+0": 1.0, "-0": 1.0, "+inf": math.inf, "-inf": math.inf},
    "tanh": _ODD | {"+inf": 1.0, "-inf": -1.0},
    "rsqrt": {"+0": math.inf, "-0": -math.inf, "+inf": 0.0, "-inf": math.nan, "negative": math.nan},
    "sqrt": _ODD | {"+inf": math.inf, "-inf": math.nan, "negative": math.nan},
}
"""The results of elementary functions where every implementation must agree (IEEE 754, section 9.2.1)."""


def _class_of(value: float) -> str:
    sign = "-" if _sign(value) else "+"
    if value == 0 or math.isinf(value):
        return sign + ("0" if value == 0 else "inf")
    if value == 1:
        return "1"
    return "negative" if value < 0 else "positive"


def elementary(how: FloatArithmetic, function: str, a: int) -> int | None:
    """Return the bit pattern of an elementary function, a key of `EXACT_RESULTS`, if every implementation
    must agree on it: for NaN, and for arguments in the table, such as zeros and infinities. Return None for
    other arguments.
    """
    x = how.value(a)
    if math.isnan(x):
        return how.special(x)
    known = EXACT_RESULTS[function].get(_class_of(x))
    return None if known is None else how.special(known)


def power(how: FloatArithmetic, a: int, b: int) -> int | None:
    """Return the bit pattern of ``a ** b`` if C defines it exactly, such as 1 for ``pow(x, 0)`` and ``pow(1,
    y)``, also for NaN; else None.
    """
    known = powers.special_power(how.value(a), how.value(b))
    return None if known is None else how.special(known)


def angle(how: FloatArithmetic, a: int, b: int) -> int | None:
    """Return the bit pattern of ``atan2(a, b)`` if it is exact: a zero over a positive number gives that
    zero, NaN in `a` or `b` gives the canonical NaN. Otherwise return None.
    """
    x, y = how.value(a), how.value(b)
    if math.isnan(x) or math.isnan(y):
        return how.special(math.nan)
    return how.special(x) if x == 0 and y > 0 else None


# --- conversions


def _as_signed(format: FloatFormat) -> FloatFormat:
    """Return the format with a sign bit added; nonnegative numbers have the same patterns in both."""
    return format if format.signed else format.replace(signed=True)


def to_format(source: FloatFormat, target: FloatFormat, operand: int, mode: RoundingDirection) -> int | None:
    """Return the bit pattern in the format `target` of the number whose bit pattern in the format `source` is
    `operand`, rounded by `mode`. Return None where Tile IR says nothing: numbers out of the range of formats
    of up to 8 bits, infinities and negative numbers for formats that have none, and NaN for ``f4E2M1FN``.
    """
    if source.is_nan(operand):
        return target.nan_pattern
    value = source.decode(operand)
    if math.isinf(value):
        return target.encode(value) if target.bits > NARROW_BITS else None
    return from_exact(target, Fraction(value), mode, _sign(value), saturates=target.bits <= NARROW_BITS)


NARROW_BITS = 8
"""The number of bits up to which hardware conversions saturate; Tile IR does not define these."""


def from_exact(
    target: FloatFormat, exact: Fraction, mode: RoundingDirection, negative: bool, *, saturates: bool = False
) -> int | None:
    """Return the bit pattern of `exact`, rounded once; `negative` is its sign, also of zero. Return None for
    a negative number in a format without a sign, and, with `saturates`, for a number beyond the largest one
    of the format. A format of powers of two (``f8E8M0FNU``) is rounded toward zero or upward only; other
    modes, and numbers out of its range, give None.
    """
    if negative and not target.signed:
        return None
    if not target.has_zero:
        return _power_of_two(target, exact, mode)
    found = float_arithmetic.round_exact(_as_signed(target), exact, mode, negative_zero=negative)
    if found is None:
        return None
    if saturates and _exceeds(target, exact):
        return None
    return canonical(target, found)


def _exceeds(target: FloatFormat, exact: Fraction) -> bool:
    """Return whether the magnitude of `exact` is above the largest finite number of `target`."""
    return abs(exact) > Fraction(target.decode(target.largest_pattern))


def _power_of_two(target: FloatFormat, exact: Fraction, mode: RoundingDirection) -> int | None:
    """Return the pattern of a number in a format of powers of two, rounded toward zero or upward; None for
    other rounding modes and for a number outside the range of the format.
    """
    lowest = Fraction(target.decode(0))
    if not lowest <= exact <= Fraction(target.decode(target.largest_pattern)):
        return None
    pattern = math.frexp(float(exact))[1] - 1 + target.bias
    is_exact = Fraction(target.decode(pattern)) == exact
    rounds_up = {RoundingDirection.UPWARD: not is_exact, RoundingDirection.TOWARD_ZERO: False}
    return pattern + rounds_up[mode] if mode in rounds_up else None
