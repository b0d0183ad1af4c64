"""Trigonometric functions of doubles.

An angle is reduced to a rest of at most an eighth of a turn, in two parts: by a quarter turn in four parts
where that is precise enough, and else in integers of Python with as many digits as needed. Taylor's
polynomials give sine and cosine of the rest.
"""

from __future__ import annotations

from functools import lru_cache
from math import factorial, frexp, ldexp
from typing import Any

import numpy as np
import numpy.typing as npt

from tilewright.doubles import constants, expansions
from tilewright.doubles.expansions import Doubles, Parts

_SINE = tuple((-1) ** (n // 2) / factorial(n) for n in range(3, 18, 2))
"""``(sin(r) - r) / r**3`` by powers of ``r**2``"""
_COSINE = tuple((-1) ** (n // 2) / factorial(n) for n in range(4, 17, 2))
"""``(cos(r) - 1 + r**2 / 2) / r**4`` by powers of ``r**2``"""
_ARC_TANGENT = (-1 / 3, 1 / 5, -1 / 7)
"""``(atan(t) - t) / t**3`` by powers of ``t**2``, for magnitudes up to 1/128."""
_LARGE = 2.0**20
"""The number of quarter turns up to which they are subtracted in four parts."""
_NEAR = 2.0**-28
"""Rests of angles below this have lost too many digits."""
_DIGITS = 1280
"""The bits of pi and its inverse: enough for the largest angle."""
_KEPT = 160
"""The bits of a rest in fixed point."""


@lru_cache(maxsize=1)
def _quarter_turn() -> tuple[float, ...]:
    """Return a quarter turn in radians as a sum of four floats; `_LARGE` times each of the first three is
    exact.
    """
    return constants.split(constants.pi() / 2, 33, 33, 33)


@lru_cache(maxsize=1)
def _turns_of_one() -> int:
    """Return the number of quarter turns in an angle of one radian, times ``2**_DIGITS``, rounded down."""
    return (1 << (2 * _DIGITS + 1)) // constants.pi_as_integer(_DIGITS)


def _exact_rest(angle: float) -> tuple[int, float, float]:
    """Return the number of quarter turns nearest to a finite angle in radians, modulo 4, and the rest of the
    angle as an unevaluated sum of two floats, computed in integers.
    """
    significand, exponent = frexp(angle)
    shift = 53 - exponent + _DIGITS
    turns = int(ldexp(significand, 53)) * _turns_of_one()
    count = (turns + (1 << (shift - 1))) >> shift
    rest = turns - (count << shift)
    size = max(abs(rest).bit_length() - _KEPT, 0)
    product = (rest >> size) * (constants.pi_as_integer(_DIGITS) >> (_DIGITS - _KEPT))
    unit = size - shift - _KEPT - 1
    high = float(product)
    return count & 3, ldexp(high, unit), ldexp(float(product - int(high)), unit)


def _reduced(x: Doubles) -> tuple[npt.NDArray[np.int64], Doubles, Doubles]:
    """Return for each angle in radians a number of quarter turns, correct modulo 4 only, and the rest in
    radians as an unevaluated sum. The rest of an infinity or a NaN is NaN.
    """
    first, second, third, last = _quarter_turn()
    count = np.rint(x * (1.0 / (first + second)))
    usual = expansions.within(count, -_LARGE, _LARGE)
    near = count if usual else np.where(np.abs(count) <= _LARGE, count, 0.0)
    total, lost = expansions.two_sum(x - near * first, -(near * second))
    total, lost_too = expansions.two_sum(total, -(near * third))
    high, low = expansions.ordered_sum(total, lost + lost_too - near * last)
    turns = near.astype(np.int64)
    hard = (np.abs(high) < _NEAR) & (count != 0)
    if not usual:
        hard |= ~(np.abs(count) <= _LARGE)
    for place in np.flatnonzero(hard).tolist() if hard.any() else ():
        angle = float(x[place])
        turns[place], high[place], low[place] = (
            _exact_rest(angle) if np.isfinite(angle) else (0, np.nan, np.nan)
        )
    return turns, high, low


def _sine(r: Doubles, low: Doubles, square: Doubles) -> Parts:
    """Return the sine of ``r + low``, an angle of at most an eighth of a turn, as an unevaluated sum;
    `square` is ``r * r``.
    """
    return r, low + r * square * expansions.polynomial(square, _SINE)


def _cosine(r: Doubles, low: Doubles, square: Doubles) -> Parts:
    """Return the cosine of ``r + low``, an angle of at most an eighth of a turn, as an unevaluated sum;
    `square` is ``r * r``.
    """
    half = 0.5 * square
    most = 1.0 - half
    bend = square * square * expansions.polynomial(square, _COSINE) - r * low
    return most, ((1.0 - most) - half) + bend


def _both(x: Doubles) -> tuple[npt.NDArray[np.int64], Parts, Parts]:
    turns, r, low = _reduced(x)
    square = r * r
    return turns, _sine(r, low, square), _cosine(r, low, square)


def _turned(turns: npt.NDArray[np.int64], sine: Parts, cosine: Parts) -> Doubles:
    """Return the sine of the angle that is `turns` quarter turns larger than the angle with the sine `sine`
    and the cosine `cosine`.
    """
    result = np.where((turns & 1) == 1, cosine[0] + cosine[1], sine[0] + sine[1])
    return np.where((turns & 2) == 2, -result, result)


@expansions.in_pieces
def sin(x: Doubles) -> Doubles:
    """Return the sine of angles in radians, with an error below 0.8 units in the last place. The sine of an
    infinity is NaN, and zeros keep their sign.
    """
    turns, sine, cosine = _both(x)
    return np.where(x == 0, x, _turned(turns, sine, cosine))


@expansions.in_pieces
def cos(x: Doubles) -> Doubles:
    """Return the cosine of angles in radians, with an error below 0.8 units in the last place. The cosine of
    an infinity is NaN.
    """
    turns, sine, cosine = _both(x)
    return _turned(turns + 1, sine, cosine)


@expansions.in_pieces
def tan(x: Doubles) -> Doubles:
    """Return the tangent of angles in radians, with an error below 0.9 units in the last place. The tangent
    of an infinity is NaN, and zeros keep their sign.
    """
    turns, sine, cosine = _both(x)
    odd = (turns & 1) == 1
    numerator = [np.where(odd, -a, b) for a, b in zip(cosine, sine, strict=True)]
    denominator = [np.where(odd, b, a) for a, b in zip(cosine, sine, strict=True)]
    ratio, rest = expansions.quotient((numerator[0], numerator[1]), (denominator[0], denominator[1]))
    return np.where(np.abs(x) < _NEAR, x, ratio + rest)


@expansions.in_pieces
def atan2(y: Doubles, x: Doubles) -> Doubles:
    """Return the angle in radians of the point with abscissa `x` and ordinate `y`, in [-pi, pi], with an
    error below 0.8 units in the last place. Zeros and infinities are treated as by C's ``atan2``.
    """
    rise, run = np.abs(y), np.abs(x)
    steep = rise > run
    angle, low = _angle(np.where(steep, run, rise), np.where(steep, rise, run))
    half, half_low = (2.0 * part for part in constants.split(constants.pi() / 2, 53))
    left = np.signbit(x)
    start = np.where(steep, 0.5, np.where(left, 1.0, 0.0))
    sign = np.where(steep != left, -1.0, 1.0)
    total, lost = expansions.ordered_sum(start * half, sign * angle)
    result = total + (lost + (start * half_low + sign * low))
    return np.where(np.isnan(x) | np.isnan(y), np.nan, np.copysign(result, y))


def _angle(rise: Doubles, run: Doubles) -> Parts:
    """Return the arc tangent of ``rise / run`` as an unevaluated sum, for `rise` from 0 to `run`. The
    quotient of two infinities counts as 1, and the quotient of two zeros as 0.
    """
    equal = np.isinf(rise)
    run = np.where(run == 0, 1.0, np.where(equal, 1.0, run))
    rise = np.where(equal, 1.0, np.where(np.isinf(run), 0.0, rise))
    run, exponent = np.frexp(np.where(np.isinf(run), 1.0, run))
    rise = np.ldexp(rise, -exponent)
    index = np.rint(rise / run * constants.ANGLES)
    slope = index * (1.0 / constants.ANGLES)
    numerator = _sum_with_product(rise, -slope, run)
    ratio, rest = expansions.quotient(numerator, _sum_with_product(run, slope, rise))
    square = ratio * ratio
    first, second = (part.take(_as_index(index)) for part in constants.arc_tangents())
    bend = rest + ratio * square * expansions.polynomial(square, _ARC_TANGENT)
    total, lost = expansions.ordered_sum(first, ratio)
    return expansions.ordered_sum(total, lost + (second + bend))


def _as_index(index: Doubles) -> npt.NDArray[Any]:
    return np.where(np.isnan(index), 0.0, index).astype(np.int64)


def _sum_with_product(a: Doubles, b: Doubles, c: Doubles) -> Parts:
    """Return ``a + b * c`` as its nearest float64 and the rest."""
    product, rest = expansions.two_product(b, c)
    total, lost = expansions.two_sum(a, product)
    return total, lost + rest
