"""Powers of special numbers are those of C and IEEE 754 on every host: its library is not asked for them."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest

from tilewright.doubles import logarithms
from tilewright.interp.numerics.arithmetic import fpowi, pow
from tilewright.ir.arithmetic.powers import SPECIAL_POWERS, base_class, exponent_class, special_power

SIZES = (0.0, 5e-324, 0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 2.0**52 + 1, 2.0**53 + 2, 1e308, math.inf, math.nan)
NUMBERS = tuple(math.copysign(size, sign) for size in SIZES for sign in (1, -1))
PAIRS = tuple(product(NUMBERS, NUMBERS))


def is_odd(number: float) -> bool:
    return abs(math.fmod(number, 2)) == 1


def power_of_c(base: float, exponent: float) -> float:
    """``math.pow``, which treats special numbers itself, with the results of C where Python raises."""
    try:
        return math.pow(base, exponent)
    except OverflowError:
        return -math.inf if base < 0 and is_odd(exponent) else math.inf
    except ValueError:
        if base == 0:
            return math.copysign(math.inf, base) if is_odd(exponent) else math.inf
        return math.nan


def same(one: float, other: float) -> bool:
    """Whether numbers are equal, zeros with their signs; NaN is NaN."""
    if math.isnan(one) or math.isnan(other):
        return math.isnan(one) and math.isnan(other)
    return one == other and math.copysign(1, one) == math.copysign(1, other)


def test_the_table_is_that_of_c() -> None:
    for base, exponent in PAIRS:
        found = special_power(base, exponent)
        assert found is None or same(found, power_of_c(base, exponent)), (base, exponent)


def test_all_of_the_table_is_looked_at() -> None:
    places = {(base_class(base), exponent_class(exponent)) for base, exponent in PAIRS}
    assert places == set(product(range(len(SPECIAL_POWERS)), range(len(SPECIAL_POWERS[0]))))


def test_what_is_not_in_the_table_is_an_ordinary_number() -> None:
    for base, exponent in PAIRS:
        if special_power(base, exponent) is None:
            assert math.isfinite(base)
            assert math.isfinite(exponent)
            assert exponent != 0
            assert abs(base) not in (0.0, 1.0)


@pytest.mark.parametrize("type", [np.float32, np.float64])
def test_ordinary_numbers_alone_are_computed(type: type, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logarithms, "positive_power", lambda base, exponent: np.full(np.shape(base), 17.0))
    bases, exponents = np.array([pair for pair in PAIRS if 1e308 not in map(abs, pair)], type).T
    found = pow(bases, exponents)
    for base, exponent, got in zip(bases.tolist(), exponents.tolist(), found.tolist(), strict=True):
        known = special_power(base, exponent)
        computed = -17.0 if known is None and base < 0 and is_odd(exponent) else 17.0
        assert same(got, computed if known is None else known), (base, exponent)
    assert fpowi(np.array([-0.0, np.nan, 3.0], type), np.array([-3, 0, 2])).tolist() == [-math.inf, 1.0, 17.0]


def test_signalling_nan_is_nan() -> None:
    signalling = np.array([0x7FF0000000000001, 0xFFF0000000000001], np.uint64).view(np.float64)
    assert pow(signalling, np.zeros(2)).tolist() == [1.0, 1.0]
    assert pow(np.ones(2), signalling).tolist() == [1.0, 1.0]
    assert np.isnan(pow(signalling, np.ones(2))).all()
