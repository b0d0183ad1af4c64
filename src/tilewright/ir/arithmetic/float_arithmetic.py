"""Exact arithmetic on the bit patterns of floating-point formats: computed in rationals, rounded once.

Functions take and return bit patterns of a `FloatFormat`. They return None if the format has no pattern for
the result (a NaN or an infinity in a format of finite numbers), and for unsigned formats, which are no
arithmetic types. A NaN among the operands is the result, made quiet; invalid operations give the canonical
NaN.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from enum import Enum
from fractions import Fraction

from tilewright.ir.arithmetic.float_format import FloatFormat, Specials


class RoundingDirection(Enum):
    """Directions of rounding, numbered as in MLIR's ``arith`` dialect."""

    TO_NEAREST_EVEN = 0
    DOWNWARD = 1
    UPWARD = 2
    TOWARD_ZERO = 3
    TO_NEAREST_AWAY = 4


_NEAREST = (RoundingDirection.TO_NEAREST_EVEN, RoundingDirection.TO_NEAREST_AWAY)


def _rounds_up(mode: RoundingDirection, whole: int, rest: Fraction, negative: bool) -> bool:
    """Return whether the magnitude ``whole + rest`` is rounded to ``whole + 1``; ``0 <= rest < 1``."""
    half = Fraction(1, 2)
    match mode:
        case RoundingDirection.TO_NEAREST_EVEN:
            return rest > half or (rest == half and whole % 2 == 1)
        case RoundingDirection.TO_NEAREST_AWAY:
            return rest >= half
        case RoundingDirection.TOWARD_ZERO:
            return False
        case RoundingDirection.DOWNWARD:
            return negative and rest > 0
        case RoundingDirection.UPWARD:
            return not negative and rest > 0


def round_exact(
    format: FloatFormat,
    value: Fraction,
    mode: RoundingDirection = RoundingDirection.TO_NEAREST_EVEN,
    *,
    negative_zero: bool = False,
) -> int | None:
    """Return the bit pattern of ``value``, rounded by ``mode``. The value 0 gives -0 if ``negative_zero`` is
    set, and a negative value that is rounded to zero gives -0, if the format has it. Values above the largest
    number become an infinity, NaN or the largest number, as the format and ``mode`` require. None for
    unsigned formats and formats without zero.
    """
    if not format.signed or not format.has_zero:
        return None
    negative = value < 0 or (value == 0 and negative_zero)
    zero = format.encode(-0.0 if negative else 0.0)
    if value == 0:
        return zero
    magnitude = abs(value)
    exponent = max(_exponent(magnitude), 1 - format.bias)
    scaled = magnitude / Fraction(2) ** (exponent - format.mantissa_bits)
    whole = math.floor(scaled)
    whole += _rounds_up(mode, whole, scaled - whole, negative)
    pattern = ((exponent + format.bias - 1) << format.mantissa_bits) + whole
    if whole == 0:
        return zero
    sign = format.sign_mask if negative else 0
    if pattern <= format.largest_pattern:
        return sign | pattern
    away = mode in _NEAREST or (
        mode is RoundingDirection.DOWNWARD if negative else mode is RoundingDirection.UPWARD
    )
    return format.encode(-math.inf if negative else math.inf) if away else sign | format.largest_pattern


def _exponent(magnitude: Fraction) -> int:
    """Return the largest ``e`` with ``2**e <= magnitude``."""
    guess = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
    return guess if magnitude >= Fraction(2) ** guess else guess - 1


def _special(format: FloatFormat, value: float) -> int | None:
    """Return the bit pattern of ``value``, an infinity or a NaN (the canonical NaN). A format without
    infinities has its NaN for an infinity. None if the format has neither, or is unsigned.
    """
    if not format.signed or format.specials is Specials.FINITE:
        return None
    return format.nan_pattern if math.isnan(value) else format.encode(value)


def quiet_nan(format: FloatFormat, *operands: int) -> int | None:
    """Return the first NaN among the bit patterns `operands`, made quiet if the format has quiet NaNs; None
    if there is no NaN.
    """
    found = next((pattern for pattern in operands if format.is_nan(pattern)), None)
    if found is None or format.specials is not Specials.IEEE:
        return found
    return found | (1 << (format.mantissa_bits - 1))


def _binary(
    special: Callable[[float, float], float], exact: Callable[[Fraction, Fraction], Fraction]
) -> Callable[[FloatFormat, int, int], int | None]:
    """Return an operation on two bit patterns: ``special`` computes the result for infinities and invalid
    operations, and the sign of a zero; ``exact`` the result for finite numbers, which is rounded to nearest
    even. A NaN operand is the result.
    """

    def compute(format: FloatFormat, left: int, right: int) -> int | None:
        nan = quiet_nan(format, left, right)
        if nan is not None:
            return nan
        x, y = format.decode(left), format.decode(right)
        approximate = special(x, y)
        if math.isinf(x) or math.isinf(y) or math.isnan(approximate):
            return _finish(format, approximate)
        if math.isinf(approximate) and y == 0:  # a division by zero
            return _special(format, approximate)
        negative = math.copysign(1.0, approximate) < 0
        return round_exact(format, exact(Fraction(x), Fraction(y)), negative_zero=negative)

    return compute


def _finish(format: FloatFormat, value: float) -> int | None:
    """Return the bit pattern of ``value``, which the format represents exactly unless it is special; None for
    unsigned formats and for special values that the format does not have.
    """
    if math.isfinite(value):
        return format.encode(value) if format.signed else None
    return _special(format, value)


def _quotient(x: float, y: float) -> float:
    if y != 0:
        return x / y
    if x == 0:
        return math.nan
    return math.copysign(math.inf, x) * math.copysign(1.0, y)


add = _binary(lambda x, y: x + y, lambda x, y: x + y)
"""Return the bit pattern of the sum of two patterns."""
subtract = _binary(lambda x, y: x - y, lambda x, y: x - y)
"""Return the bit pattern of the difference of two patterns."""
multiply = _binary(lambda x, y: x * y, lambda x, y: x * y)
"""Return the bit pattern of the product of two patterns."""
divide = _binary(_quotient, lambda x, y: x / y)
"""Return the bit pattern of the quotient of two patterns. A finite number other than zero, divided by zero,
is infinite.
"""


def remainder(format: FloatFormat, left: int, right: int) -> int | None:
    """Return the bit pattern of the remainder of division rounded towards zero, with the sign of the
    dividend; NaN for an infinite dividend or a zero divisor. None if the format has no pattern for the
    result, or is unsigned.
    """
    nan = quiet_nan(format, left, right)
    if nan is not None:
        return nan
    x, y = format.decode(left), format.decode(right)
    if math.isinf(x) or y == 0:
        return _special(format, math.nan)
    return _finish(format, math.fmod(x, y))


def fused_multiply_add(format: FloatFormat, a: int, b: int, c: int) -> int | None:
    """Return the bit pattern of ``a * b + c``, rounded once to nearest even. None if the format has no
    pattern for the result, or is unsigned.
    """
    nan = quiet_nan(format, a, b, c)
    if nan is not None:
        return nan
    x, y, z = format.decode(a), format.decode(b), format.decode(c)
    if not (math.isfinite(x) and math.isfinite(y) and math.isfinite(z)):
        product = x * y if math.isinf(x) or math.isinf(y) else 0.0  # a finite product does not count
        return _special(format, product + z)
    exact = Fraction(x) * Fraction(y) + Fraction(z)
    zeros = math.copysign(0.0, x) * math.copysign(1.0, y) + math.copysign(0.0, z)
    cancels = z != 0 or (x != 0 and y != 0)
    return round_exact(format, exact, negative_zero=not cancels and math.copysign(1.0, zeros) < 0)


def square_root(format: FloatFormat, operand: int) -> int | None:
    """Return the bit pattern of the square root, rounded to nearest even; NaN below zero, -0 of -0. None if
    the format has no pattern for the result, or is unsigned.
    """
    nan = quiet_nan(format, operand)
    if nan is not None:
        return nan
    x = format.decode(operand)
    if x == 0 or x == math.inf:
        return operand
    if x < 0:
        return _special(format, math.nan)
    exact = Fraction(x)
    shift = 2 * (format.mantissa_bits + 4) + exact.denominator.bit_length()
    square = (
        exact.numerator << 2 * shift
    ) // exact.denominator  # the denominator is a power of two below 2**shift
    root = math.isqrt(square)
    sticky = 0 if root * root == square else 1  # half a unit of a last place that rounding does not reach
    return round_exact(format, Fraction(2 * root + sticky, 2 << shift))


def negate(format: FloatFormat, operand: int) -> int | None:
    """Return the operand with the sign flipped, NaN included; a zero or NaN that has no sign is unchanged.
    None for unsigned formats.
    """
    if not format.signed:
        return None
    if format.specials is Specials.NEGATIVE_ZERO_NAN and operand & ~format.sign_mask == 0:
        return operand  # zero and NaN have no sign
    return operand ^ format.sign_mask


def absolute(format: FloatFormat, operand: int) -> int | None:
    """Return the operand without its sign; a NaN that has no sign is unchanged, as are numbers of unsigned
    formats. The result is never None.
    """
    return negate(format, operand) if operand & format.sign_mask else operand


def copy_sign(format: FloatFormat, magnitude: int, sign: int) -> int | None:
    """Return the bit pattern ``magnitude`` with the sign of the pattern ``sign``. It is unchanged in an
    unsigned format, and if it is a zero or a NaN that has no sign. The result is never None.
    """
    differs = (magnitude ^ sign) & format.sign_mask
    return negate(format, magnitude) if differs else magnitude


def _order(format: FloatFormat, pattern: int) -> tuple[float, bool]:
    """Return a sort key by which -0 is below +0."""
    return format.decode(pattern), not pattern & format.sign_mask


def maximum(format: FloatFormat, left: int, right: int) -> int | None:
    """Return the larger of the bit patterns `left` and `right` as numbers; +0 is larger than -0. If an
    operand is NaN, return the first NaN, made quiet. The result is never None.
    """
    nan = quiet_nan(format, left, right)
    return nan if nan is not None else max(left, right, key=lambda pattern: _order(format, pattern))


def minimum(format: FloatFormat, left: int, right: int) -> int | None:
    """Return the smaller of the bit patterns `left` and `right` as numbers; -0 is smaller than +0. If an
    operand is NaN, return the first NaN, made quiet. The result is never None.
    """
    nan = quiet_nan(format, left, right)
    return nan if nan is not None else min(left, right, key=lambda pattern: _order(format, pattern))


def maximum_number(format: FloatFormat, left: int, right: int) -> int | None:
    """Return the larger of the bit patterns `left` and `right`; +0 is larger than -0. If one operand is NaN,
    return the other operand; if both are, `right`. The result is never None.
    """
    if format.is_nan(left) or format.is_nan(right):
        return right if format.is_nan(left) else left
    return maximum(format, left, right)


def minimum_number(format: FloatFormat, left: int, right: int) -> int | None:
    """Return the smaller of the bit patterns `left` and `right` as numbers; -0 is smaller than +0. If one
    operand is NaN, return the other operand; if both are, `right`. The result is never None.
    """
    if format.is_nan(left) or format.is_nan(right):
        return right if format.is_nan(left) else left
    return minimum(format, left, right)


def convert(
    source: FloatFormat,
    target: FloatFormat,
    operand: int,
    mode: RoundingDirection = RoundingDirection.TO_NEAREST_EVEN,
) -> int | None:
    """Return a bit pattern of format ``source``, converted to format ``target`` and rounded by ``mode``. None
    if the target is unsigned, has no zero, or has no pattern for an infinity or a NaN.
    """
    if source.is_nan(operand):
        return _convert_nan(source, target, operand)
    value = source.decode(operand)
    if math.isinf(value):
        return _special(target, value)
    return round_exact(target, Fraction(value), mode, negative_zero=math.copysign(1.0, value) < 0)


def _convert_nan(source: FloatFormat, target: FloatFormat, operand: int) -> int | None:
    """Return a NaN as a quiet NaN of the target with the same sign, if its NaN has one. It keeps the high
    bits of the payload if both formats have payloads. None if the target has no NaN or is unsigned.
    """
    canonical = target.nan_pattern
    if canonical is None or not target.signed:
        return None
    if target.specials is Specials.NEGATIVE_ZERO_NAN:
        return canonical
    sign = target.sign_mask if operand & source.sign_mask else 0
    if source.specials is not Specials.IEEE or target.specials is not Specials.IEEE:
        return canonical | sign
    payload = operand & source.mantissa_mask
    moved = target.mantissa_bits - source.mantissa_bits
    return canonical | sign | (payload << moved if moved >= 0 else payload >> -moved)


def is_exactly(source: FloatFormat, operand: int, target: FloatFormat, converted: int) -> bool:
    """Return whether the pattern `converted` of the format `target` has the value of `operand`, so that the
    conversion is exact. Any NaN equals any other, and -0 equals +0.
    """
    if source.is_nan(operand):
        return target.is_nan(converted)
    return source.decode(operand) == target.decode(converted)


def from_integer(format: FloatFormat, value: int) -> int | None:
    """Return the bit pattern of the number nearest to an integer, ties to even. None for unsigned formats and
    formats without zero.
    """
    return round_exact(format, Fraction(value))


def to_integer(format: FloatFormat, operand: int) -> int | None:
    """Return the number truncated towards zero; None for infinities and NaN."""
    value = format.decode(operand)
    return math.trunc(value) if math.isfinite(value) else None


def _half_away(value: float) -> int:
    return (
        math.floor(Fraction(value) + Fraction(1, 2))
        if value > 0
        else math.ceil(Fraction(value) - Fraction(1, 2))
    )


_WHOLE: dict[str, Callable[[float], int]] = {
    "floor": math.floor,
    "ceil": math.ceil,
    "trunc": math.trunc,
    "round": _half_away,
    "roundeven": round,
}


def to_integral(format: FloatFormat, operand: int, way: str) -> int | None:
    """Return the bit pattern of the operand rounded to an integral number; a zero has the sign of the
    operand. ``way`` is floor, ceil, trunc, round (ties away from zero) or roundeven; any other text raises
    `KeyError`. Infinities are unchanged, NaN is made quiet. None for unsigned formats and formats without
    zero.
    """
    nan = quiet_nan(format, operand)
    if nan is not None:
        return nan
    value = format.decode(operand)
    if math.isinf(value):
        return operand
    return round_exact(format, Fraction(_WHOLE[way](value)), negative_zero=math.copysign(1.0, value) < 0)
