"""Logarithms and powers of doubles.

``x = 2**n * m``, and a table has a reciprocal of 10 bits of each ``m`` with its logarithm: what remains is
the logarithm of ``1 + r`` for an `r` below 2**-8, by Taylor's polynomial. Powers take the logarithm as a sum
of two doubles.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from tilewright.doubles import constants, expansions, exponentials
from tilewright.doubles.expansions import Doubles, Parts

_LOGARITHM = tuple((-1) ** (n + 1) / n for n in range(2, 9))
"""``(log(1 + r) - r) / r**2``"""
_LEAST_NORMAL = 2.0**-1022
_LIFT = 54
_PLACES = 52
_FIRST = int(np.float64(constants.LOWEST_SIGNIFICAND).view(np.int64))
_CELL_SHIFT = _PLACES - 8
_BEYOND = 800.0
"""``e`` to the power of larger numbers is infinite or zero."""


@dataclass(frozen=True, slots=True)
class _Reduced:
    """Positive numbers as ``2**exponent * (1 + r + rest) / reciprocals()[cell]``."""

    exponent: Doubles
    cell: npt.NDArray[np.int64]
    r: Doubles
    rest: Doubles


def _reduced(x: Doubles) -> _Reduced:
    small = x < _LEAST_NORMAL if x.min() < _LEAST_NORMAL else None
    bits = (x if small is None else np.where(small, x * 2.0**_LIFT, x)).view(np.int64)
    offset = bits - _FIRST
    exponent = offset >> _PLACES
    cell = offset >> _CELL_SHIFT & (constants.CELLS - 1)
    significand = (bits - (exponent << _PLACES)).view(np.float64)
    reciprocal = constants.reciprocals().take(cell)
    high, low = expansions.halves(significand)
    r, rest = expansions.two_sum(high * reciprocal - 1.0, low * reciprocal)
    whole = exponent if small is None else exponent - np.where(small, _LIFT, 0)
    return _Reduced(whole.astype(np.float64), cell, r, rest)


@lru_cache(maxsize=1)
def _ln2() -> tuple[float, float]:
    return constants.fine(constants.ln2())


@lru_cache(maxsize=1)
def _log2_e() -> tuple[float, float]:
    high, low = constants.split(1 / constants.ln2(), 26)
    return high, low


def _with_special(x: Doubles, result: Doubles) -> Doubles:
    """Return `result`, a logarithm of `x`, with special cases: minus infinity at 0, infinity at infinity, and
    NaN below 0 and for NaN.
    """
    if expansions.within(x, 5e-324, np.finfo(np.float64).max):
        return result
    special = np.where(x == 0, -np.inf, np.where(x > 0, x, np.nan))
    return np.where((x > 0) & (x < np.inf), result, special)


@expansions.in_pieces
def log(x: Doubles) -> Doubles:
    """Return the natural logarithm, with an error below 0.52 units in the last place. It is minus infinity
    for 0, and NaN for negative numbers.
    """
    parts, (first, second), (unit, unit_low) = _reduced(x), constants.logarithms(False), _ln2()
    r = parts.r
    total, lost = expansions.ordered_sum(parts.exponent * unit + first.take(parts.cell), r)
    low = parts.exponent * unit_low + second.take(parts.cell) + parts.rest
    return _with_special(x, total + (lost + (low + r * r * expansions.polynomial(r, _LOGARITHM))))


@expansions.in_pieces
def log2(x: Doubles) -> Doubles:
    """Return the logarithm to base 2, with an error below 0.52 units in the last place; exact for powers of
    two. It is minus infinity for 0, and NaN for negative numbers.
    """
    parts, (first, second), (rate, rate_low) = _reduced(x), constants.logarithms(True), _log2_e()
    r = parts.r
    high, low = expansions.halves(r)
    total, lost = expansions.ordered_sum(parts.exponent + first.take(parts.cell), high * rate)
    bend = low + parts.rest + r * r * expansions.polynomial(r, _LOGARITHM)
    bend = high * rate_low + bend * (rate + rate_low)
    return _with_special(x, total + (lost + (second.take(parts.cell) + bend)))


def _long_logarithm(x: Doubles) -> Parts:
    """Return the natural logarithm of finite positive numbers as an unevaluated sum, with a relative error of
    at most 2**-68.
    """
    parts, (first, second), (unit, unit_low) = _reduced(x), constants.logarithms(False), _ln2()
    r = parts.r
    square, square_low = expansions.two_product(r, r)
    total, lost = expansions.ordered_sum(parts.exponent * unit + first.take(parts.cell), r)
    total, lost_too = expansions.ordered_sum(total, -0.5 * square)
    low = parts.exponent * unit_low + second.take(parts.cell) + parts.rest * (1.0 - r) - 0.5 * square_low
    cube = r * square * expansions.polynomial(r, _LOGARITHM[1:])
    return expansions.ordered_sum(total, lost + lost_too + (low + cube))


@expansions.in_pieces
def positive_power(base: Doubles, exponent: Doubles) -> Doubles:
    """Return ``base ** exponent`` of finite positive bases and finite exponents, with an error below 0.52
    units in the last place, and 0.77 where it is subnormal. Results that are too large are infinite, and
    results that are too small are 0.
    """
    logarithm, low = _long_logarithm(base)
    product = logarithm * exponent
    ordinary = np.abs(product) < _BEYOND
    bounded = np.where(ordinary, exponent, 0.0)
    high, rest = expansions.two_product(logarithm, bounded)
    result = exponentials.natural_power(
        np.minimum(np.maximum(high, -750.0), 711.0), rest + low * bounded
    ).value()
    return np.where(ordinary, result, np.where(product > 0, np.inf, 0.0))
