"""Numbers of expressions: a number of any size stands for its low bits."""

from __future__ import annotations

import pytest

from tilewright.targets.elements.expression import as_signed


@pytest.mark.parametrize("width", [2, 3, 8, 16, 32, 64])
def test_low_bits_are_a_signed_number(width: int) -> None:
    half, whole = 1 << width - 1, 1 << width
    for number in (-half, 1 - half, -1, 0, 1, half - 1):
        for turns in (-3, -1, 0, 1, 2, 5):
            assert as_signed(number + turns * whole, width) == number


@pytest.mark.parametrize("number", range(-4, 5))
def test_a_single_bit_is_zero_or_one(number: int) -> None:
    assert as_signed(number, 1) == number % 2
