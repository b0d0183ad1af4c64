"""Constants and tables of elementary functions, computed in decimal arithmetic where they are first needed.

Python's decimal arithmetic rounds in one way on every host, so all numbers here are the same everywhere.
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Context, Decimal, localcontext
from functools import lru_cache
from math import frexp, ldexp

import numpy as np

from tilewright.doubles.expansions import Doubles, Parts

STEPS = 128
"""The number of powers of two between 1 and 2 in a table."""
CELLS = 256
"""The number of intervals of significands in the table of logarithms."""
LOWEST_SIGNIFICAND = 0.6875
"""Logarithms are computed from significands between this number and its double."""
ANGLES = 64
"""The number of steps from 0 to 1 in the table of arc tangents."""
_FINE = 2.0**42
"""The first parts of logarithms are multiples of the inverse: sums of them with integers are exact."""
_DIGITS = Context(prec=60)


def split(number: Decimal, *bits: int) -> tuple[float, ...]:
    """Return `number` as a sum of floats: each of `bits` is the maximum number of bits of one float, and the
    last float is the rest.
    """
    found: list[float] = []
    with localcontext(_DIGITS):
        for count in bits:
            significand, exponent = frexp(float(number))
            found.append(ldexp(round(ldexp(significand, count)), exponent - count))
            number -= Decimal(found[-1])
        return (*found, float(number))


def _table(numbers: Iterable[tuple[float, ...]]) -> Parts:
    first, second = np.array(list(numbers)).T
    return np.ascontiguousarray(first), np.ascontiguousarray(second)


@lru_cache(maxsize=1)
def ln2() -> Decimal:
    """Return the natural logarithm of 2, with 60 digits."""
    return _DIGITS.ln(Decimal(2))


@lru_cache(maxsize=1)
def pi_as_integer(bits: int) -> int:
    """Return pi times ``2**bits``, by Machin's formula, less than one unit off."""
    spare = 64
    one = 1 << (bits + spare)
    return (16 * _inverse_angle(5, one) - 4 * _inverse_angle(239, one)) >> spare


def _inverse_angle(divisor: int, one: int) -> int:
    """Return the arc tangent of ``1 / divisor`` in units of ``1 / one``."""
    total, power, count = 0, one // divisor, 1
    while power:
        total += power // count if count % 4 == 1 else -(power // count)
        power //= divisor * divisor
        count += 2
    return total


@lru_cache(maxsize=1)
def pi() -> Decimal:
    """Return pi, with 60 digits."""
    return _DIGITS.divide(Decimal(pi_as_integer(256)), Decimal(2**256))


@lru_cache(maxsize=1)
def powers_of_two() -> Parts:
    """Return ``2 ** (i / STEPS)`` for each `i` from 0 to ``STEPS - 1``, in two parts."""
    with localcontext(_DIGITS):
        step = (ln2() / STEPS).exp()
        return _table(split(step**i, 53) for i in range(STEPS))


@lru_cache(maxsize=1)
def reciprocals() -> Doubles:
    """Return for each of the `CELLS` intervals of significands the reciprocal of its middle, rounded to a
    multiple of 1/512. The two intervals that begin or end at 1 have 1 itself.
    """
    starts = [LOWEST_SIGNIFICAND * (1 + i / CELLS) for i in range(CELLS)]
    return np.array([_reciprocal(i) for i in range(len(starts))])


def _reciprocal(cell: int) -> float:
    """Return the reciprocal of the middle of interval number `cell`, rounded to a multiple of 1/512; 1 for
    the two intervals that begin or end at 1. `CELLS` intervals begin at `LOWEST_SIGNIFICAND`, by the leading
    bits of the significand.
    """
    first = np.float64(LOWEST_SIGNIFICAND).view(np.int64) + (cell << 44)
    start, end = np.array([first, first + (1 << 44)]).view(np.float64).tolist()
    return 1.0 if 1.0 in (start, end) else round(1024 / (start + end)) / 512


@lru_cache(maxsize=2)
def logarithms(binary: bool) -> Parts:
    """Return the logarithms of the inverses of `reciprocals`, to base 2 if `binary`, in two parts; the first
    ones are multiples of ``2**-42``.
    """
    with localcontext(_DIGITS):
        unit = ln2() if binary else Decimal(1)
        numbers = [-Decimal(c).ln() / unit for c in reciprocals().tolist()]
        return _table(fine(number) for number in numbers)


def fine(number: Decimal) -> tuple[float, float]:
    """Return `number` as the sum of a multiple of ``2**-42``, the nearest, and the rest."""
    with localcontext(_DIGITS):
        first = int((number * Decimal(_FINE)).to_integral_value()) / _FINE
        return first, float(number - Decimal(first))


@lru_cache(maxsize=1)
def arc_tangents() -> Parts:
    """Return the arc tangents of ``i / ANGLES`` for each `i` from 0 to `ANGLES`, in two parts."""
    with localcontext(_DIGITS):
        return _table(split(_arc_tangent(Decimal(i) / ANGLES), 53) for i in range(ANGLES + 1))


def _arc_tangent(x: Decimal) -> Decimal:
    """Return the arc tangent of a number from 0 to 1: the series of an eighth of the angle."""
    for _ in range(3):
        x = x / (1 + (1 + x * x).sqrt())
    total, power, count = Decimal(0), x, 1
    while abs(power) > Decimal(10) ** -58:
        total += power / count
        power *= -x * x
        count += 2
    return 8 * total
