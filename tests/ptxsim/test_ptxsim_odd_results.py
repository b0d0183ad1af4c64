"""Results that are odd where they are not exact: rounded once more, they are those of exact arithmetic."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from tilewright.ptxsim.rounding import long_root, odd_fma, odd_integer, odd_quotient, odd_root, odd_sum

COUNT = 3000


def numbers(seed: int) -> np.ndarray:
    """Doubles of 24 bits, as those of f32."""
    random = np.random.default_rng(seed)
    return random.integers(1 << 23, 1 << 24, COUNT).astype(np.float64) * 2.0 ** random.integers(-9, 10, COUNT)


def odd(value: Fraction) -> float:
    """The number if it is a double, or else the one next to it whose last bit is set."""
    mantissa, exponent = math.frexp(float(value))
    unit = Fraction(2) ** (exponent - 53)
    steps = value / unit
    below = steps.numerator // steps.denominator
    return float((below if below == steps or below % 2 else below + 1) * unit) if mantissa else 0.0


@pytest.mark.parametrize("seed", [1, 2])
def test_sums_products_and_quotients(seed: int) -> None:
    a, b, c = numbers(seed), numbers(seed + 10) * 2.0**-20, numbers(seed + 20) * 2.0**-30
    signs = np.where(np.arange(COUNT) % 3 == 0, -1.0, 1.0)
    exact = [
        tuple(map(Fraction, row)) for row in zip((a * signs).tolist(), b.tolist(), c.tolist(), strict=True)
    ]
    assert odd_sum(a * signs, b).tolist() == [odd(x + y) for x, y, _ in exact]
    assert odd_fma(a * signs, b, c).tolist() == [odd(x * y + z) for x, y, z in exact]
    assert odd_quotient(a * signs, b).tolist() == [odd(x / y) for x, y, _ in exact]
    assert odd_quotient(a, b * signs).tolist() == [
        odd(abs(x) / y * (1 if x > 0 else -1)) for x, y, _ in exact
    ]


def test_square_roots() -> None:
    a = np.concatenate([numbers(3), np.arange(1.0, 200.0) ** 2])
    roots = [long_root(Fraction(one)) for one in a.tolist()]
    assert odd_root(a).tolist() == [odd(root) for root in roots if root is not None]


def test_integers() -> None:
    random = np.random.default_rng(4)
    a = random.integers(-(1 << 63), (1 << 63) - 1, COUNT, np.int64, endpoint=True)
    assert odd_integer(a).tolist() == [odd(Fraction(one)) for one in a.tolist()]
