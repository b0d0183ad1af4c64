"""An independent oracle: rounding of rational numbers by integer arithmetic, one number at a time."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import pytest

from tilewright.interp.numerics.element import ElementFormat

RoundFraction = Callable[[Fraction, ElementFormat, str], float]


def _rounds_up(remainder: Fraction, odd: bool, negative: bool, mode: str) -> bool:
    if mode == "nearest_even":
        return remainder > Fraction(1, 2) or (remainder == Fraction(1, 2) and odd)
    if mode == "nearest_away":
        return remainder >= Fraction(1, 2)
    return remainder > 0 and {"zero": False, "negative_inf": negative, "positive_inf": not negative}[mode]


def _binade(magnitude: Fraction) -> int:
    """Exponent e with 2**e <= magnitude < 2**(e+1)."""
    guess = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
    return guess if Fraction(2) ** guess <= magnitude else guess - 1


def _round_fraction(value: Fraction, format: ElementFormat, mode: str) -> float:
    """Round a nonzero rational to a signed format; overflow as IEEE 754 has it (NaN without infinity)."""
    magnitude, negative = abs(value), value < 0
    unit = Fraction(2) ** (max(_binade(magnitude), format.emin) - format.precision + 1)
    lower = math.floor(magnitude / unit)
    rounded = lower + _rounds_up(magnitude / unit - lower, lower % 2 == 1, negative, mode)
    result = rounded * unit
    if result > Fraction(format.max_finite):
        to_limit = mode == "zero" or mode == ("positive_inf" if negative else "negative_inf")
        outside = math.inf if format.has_inf else math.nan
        return math.copysign(format.max_finite if to_limit else outside, -1.0 if negative else 1.0)
    return math.copysign(float(result), -1.0 if negative else 1.0)


@pytest.fixture(scope="session")
def round_fraction() -> RoundFraction:
    """Oracle: (value, format, mode) -> the rounded value as a float."""
    return _round_fraction
