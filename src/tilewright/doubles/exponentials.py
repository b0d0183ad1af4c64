"""Exponential and hyperbolic functions of doubles.

``2**(k / 128) * (1 + p)``: the power of two comes from a table, in two parts, and ``p`` from Taylor's
polynomial of a small rest. The result is the sum of a table's number and a term that is smaller by 2**-8, so
it is hardly less precise than a correctly rounded one.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import factorial
from typing import Any

import numpy as np
import numpy.typing as npt

from tilewright.doubles import constants, expansions
from tilewright.doubles.expansions import Doubles, Parts

_EXPONENTIAL = tuple(1 / factorial(n) for n in range(2, 6))
"""``(e**r - 1 - r) / r**2``"""
_SINE = tuple(1 / factorial(n) for n in range(3, 17, 2))
"""``(sinh(x) - x) / x**3`` by powers of ``x**2``, up to 1/2."""
_INTEGER = 1.5 * 2.0**52
"""The number that rounds another to an integer when they are added; the low bits of the sum hold it."""
_INTEGER_BITS = int(np.float64(_INTEGER).view(np.int64))
_LN2 = float.fromhex("0x1.62e42fefa39efp-1")
_POLYNOMIAL_BELOW = 0.5
_TANH_IS_ONE = 20.0
_FAR = -200
"""Two numbers at this distance in binades do not change each other."""
_NEGLIGIBLE = 2.0**-60


@dataclass(frozen=True, slots=True)
class Scaled:
    """``(high + low) * 2**exponents``, where `high` is from 1 to 2, and `low` is less than 1/100."""

    exponents: npt.NDArray[np.int64]
    high: Doubles
    low: Doubles

    def value(self, shift: int = 0) -> Doubles:
        """Return the numbers times ``2**shift``, rounded to doubles."""
        return expansions.scaled(self.high + self.low, self.exponents + shift if shift else self.exponents)


@lru_cache(maxsize=1)
def _natural_steps() -> tuple[float, float, float]:
    """Return ``STEPS / log(2)``, and its inverse in two parts: multiples of the first part are exact."""
    step = constants.ln2() / constants.STEPS
    high, low = constants.split(step, 32)
    return float(1 / step), high, low


def natural_power(x: Doubles, low: Any = None) -> Scaled:
    """Return ``e**(x + low)`` for numbers from -750 to 750, not rounded. The magnitude of `low` is at most an
    ulp of `x`; None stands for 0.
    """
    rate, step, step_low = _natural_steps()
    shifted = x * rate + _INTEGER
    count = shifted - _INTEGER
    rest = (x - count * step) - count * step_low
    return _power(shifted, rest if low is None else rest + low)


def _power(shifted: Doubles, rest: Doubles) -> Scaled:
    """Return ``2**(count / STEPS) * e**rest``, where `shifted` is the sum of the integer ``count`` and
    `_INTEGER`.
    """
    first, second = constants.powers_of_two()
    bits = shifted.view(np.int64)
    index = bits & (constants.STEPS - 1)
    high = first.take(index)
    bend = rest * rest * expansions.polynomial(rest, _EXPONENTIAL) + rest
    return Scaled((bits - _INTEGER_BITS) >> 7, high, second.take(index) + high * bend)


def _limited(x: Doubles, lowest: float, highest: float) -> Doubles:
    """Return `x` limited to the interval from `lowest` to `highest`, and 0 for NaN."""
    return np.minimum(np.maximum(np.where(np.isnan(x), 0.0, x), lowest), highest)


@expansions.in_pieces
def exp(x: Doubles) -> Doubles:
    """Return ``e**x``, with an error below 0.52 units in the last place, and 0.77 where it is subnormal.
    Results that are too large are infinite, and results that are too small are 0.
    """
    if expansions.within(x, -708.0, 709.0):
        return natural_power(x).value()
    return np.where(np.isnan(x), x, natural_power(_limited(x, -750.0, 711.0)).value())


@expansions.in_pieces
def exp2(x: Doubles) -> Doubles:
    """Return ``2**x``, with an error below 0.52 units in the last place, and 0.77 where it is subnormal.
    Results that are too large are infinite, and results that are too small are 0.
    """
    bounded = x if expansions.within(x, -1021.0, 1022.0) else _limited(x, -1080.0, 1025.0)
    shifted = bounded * constants.STEPS + _INTEGER
    rest = (bounded - (shifted - _INTEGER) * (1.0 / constants.STEPS)) * _LN2
    result = _power(shifted, rest).value()
    return result if bounded is x else np.where(np.isnan(x), x, result)


def _both_powers(size: Doubles) -> tuple[Scaled, Parts]:
    """Return ``e**size``, and ``e**-size`` as an unevaluated sum that is divided by the power of two of the
    first, for `size` from 0 to 750.
    """
    grown, shrunk = natural_power(size), natural_power(-size)
    apart = expansions.power_of_two(np.maximum(shrunk.exponents - grown.exponents, _FAR))
    return grown, (shrunk.high * apart, shrunk.low * apart)


def _combined(grown: Scaled, shrunk: Parts, sign: float) -> Scaled:
    """Return ``grown + sign * shrunk``, where `shrunk` is an unevaluated sum on the scale of `grown`, and
    `sign` is 1 or -1.
    """
    total, rest = expansions.ordered_sum(grown.high, sign * shrunk[0])
    return Scaled(grown.exponents, total, rest + (grown.low + sign * shrunk[1]))


def _small_sine(x: Doubles) -> Parts:
    """Return the hyperbolic sine of numbers with magnitudes up to 1/2, as an unevaluated sum."""
    square = x * x
    return x, x * square * expansions.polynomial(square, _SINE)


@expansions.in_pieces
def cosh(x: Doubles) -> Doubles:
    """Return the hyperbolic cosine, with an error below 0.53 units in the last place. Results that are too
    large are infinite.
    """
    result = _combined(*_both_powers(_limited(np.abs(x), 0.0, 711.0)), 1.0).value(-1)
    return np.where(np.isnan(x), x, result)


@expansions.in_pieces
def sinh(x: Doubles) -> Doubles:
    """Return the hyperbolic sine, with an error below 0.55 units in the last place. Results that are too
    large are infinite, and zeros keep their sign.
    """
    size = np.abs(x)
    large = _combined(*_both_powers(_limited(size, 0.0, 711.0)), -1.0).value(-1)
    near, bend = _small_sine(np.where(size < _POLYNOMIAL_BELOW, x, 0.0))
    result = np.where(size < _POLYNOMIAL_BELOW, near + bend, np.copysign(large, x))
    return np.where(np.isnan(x), x, result)


@expansions.in_pieces
def tanh(x: Doubles) -> Doubles:
    """Return the hyperbolic tangent, with an error below 0.55 units in the last place. It is 1 or -1 for an
    infinity, and zeros keep their sign.
    """
    size = _limited(np.abs(x), 0.0, _TANH_IS_ONE)
    powers = _both_powers(size)
    sine, cosine = _combined(*powers, -1.0), _combined(*powers, 1.0)
    near, bend = _small_sine(size)
    # Sine and cosine are doubled, on the scale of the cosine.
    halved = expansions.power_of_two(1 - cosine.exponents)
    small = size < _POLYNOMIAL_BELOW
    numerator = np.where(small, near * halved, sine.high), np.where(small, bend * halved, sine.low)
    ratio, rest = expansions.quotient(numerator, (cosine.high, cosine.low))
    result = np.where(size < _NEGLIGIBLE, size, ratio + rest)
    return np.where(np.isnan(x), x, np.copysign(result, x))
