"""Matrix multiply-accumulate against rational and integer arithmetic."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from tilewright.interp.numerics.element import FORMATS, ElementFormat, decode
from tilewright.interp.numerics.matmul import MMAF_ACCUMULATORS, mmaf, mmaf_scaled, mmai
from tilewright.interp.numerics.rounding import round_to_format

RoundFraction = Callable[[Fraction, ElementFormat, str], float]
Tile = npt.NDArray[Any]

PAIRS = [(operand, acc) for operand, accumulators in MMAF_ACCUMULATORS.items() for acc in accumulators]


def _random(shape: tuple[int, ...], name: str, seed: int) -> Tile:
    return round_to_format(np.random.default_rng(seed).standard_normal(shape), FORMATS[name])


def _rational_product(lhs: Tile, rhs: Tile, acc: Tile) -> list[list[Fraction]]:
    rows, inner, columns = lhs.shape[0], lhs.shape[1], rhs.shape[1]
    terms = [
        [[Fraction(lhs[i, k]) * Fraction(rhs[k, j]) for k in range(inner)] for j in range(columns)]
        for i in range(rows)
    ]
    return [[sum(terms[i][j], Fraction(acc[i, j])) for j in range(columns)] for i in range(rows)]


@pytest.mark.parametrize(("operand", "accumulator"), PAIRS)
def test_mmaf_rounds_the_sum_once(round_fraction: RoundFraction, operand: str, accumulator: str) -> None:
    lhs, rhs = _random((4, 8), operand, 1), _random((8, 2), operand, 2)
    acc = _random((4, 2), accumulator, 3)
    source, target = FORMATS[operand], FORMATS[accumulator]
    out = mmaf(lhs, rhs, acc, source, target)
    exact = _rational_product(decode(lhs, source), decode(rhs, source), decode(acc, target))
    expected = np.array([[round_fraction(value, target, "nearest_even") for value in row] for row in exact])
    assert out.dtype == target.array_dtype
    assert out.shape == (4, 2)
    tolerance = 1e-14 if operand == "f64" else 0
    np.testing.assert_allclose(decode(out, target), expected, rtol=tolerance, atol=tolerance)


def test_mmaf_batches() -> None:
    lhs, rhs, acc = _random((2, 4, 8), "f16", 1), _random((2, 8, 2), "f16", 2), _random((2, 4, 2), "f32", 3)
    out = mmaf(lhs, rhs, acc, FORMATS["f16"], FORMATS["f32"])
    for index in range(2):
        alone = mmaf(lhs[index], rhs[index], acc[index], FORMATS["f16"], FORMATS["f32"])
        np.testing.assert_array_equal(out[index], alone)


def test_mmaf_does_not_round_f32_inputs_to_tf32() -> None:
    lhs = np.array([[1 + 2.0**-20]], np.float32)
    out = mmaf(lhs, np.array([[1]], np.float32), np.array([[0]], np.float32), FORMATS["f32"], FORMATS["f32"])
    assert out[0, 0] == lhs[0, 0]


def test_mmaf_special_values() -> None:
    lhs, rhs = np.array([[np.inf, 1], [np.nan, 0], [0, 0]], np.float32), np.array([[1], [2]], np.float32)
    out = mmaf(lhs, rhs, np.array([[-np.inf], [1], [3]], np.float32), FORMATS["f32"], FORMATS["f32"])
    np.testing.assert_array_equal(out, np.array([[np.nan], [np.nan], [3]], np.float32))
    large = np.array([[60000, 60000]], np.float16)
    out = mmaf(
        large, np.array([[1], [1]], np.float16), np.array([[0]], np.float16), FORMATS["f16"], FORMATS["f16"]
    )
    assert out[0, 0] == np.inf


def test_illegal_pairs_are_refused() -> None:
    tile = np.array([[1]], np.float16)
    with pytest.raises(ValueError, match="no form with f16 inputs and f64 accumulator"):
        mmaf(tile, tile, tile, FORMATS["f16"], FORMATS["f64"])


@pytest.mark.parametrize("lhs_signed", [True, False])
@pytest.mark.parametrize("rhs_signed", [True, False])
def test_mmai_reads_each_side_by_its_signedness(lhs_signed: bool, rhs_signed: bool) -> None:
    random = np.random.default_rng(5)
    lhs, rhs = random.integers(-128, 128, (4, 16)), random.integers(-128, 128, (16, 2))
    acc = random.integers(-(2**31), 2**31, (4, 2))
    left, right = lhs if lhs_signed else lhs % 256, rhs if rhs_signed else rhs % 256
    exact = left @ right + acc
    out = mmai(lhs.astype(np.int8), rhs.astype(np.int8), acc.astype(np.int32), lhs_signed, rhs_signed)
    np.testing.assert_array_equal(out, exact.astype(np.int32))
    assert out.dtype == np.int32


def test_mmai_wraps() -> None:
    ones = np.full((1, 1), 1, np.int8)
    assert mmai(ones, ones, np.array([[2**31 - 1]], np.int32), True, True)[0, 0] == -(2**31)


@pytest.mark.parametrize(
    ("operand", "scale", "block"),
    [
        ("f8E4M3FN", "f8E8M0FNU", 32),
        ("f8E5M2", "f8E8M0FNU", 32),
        ("f4E2M1FN", "f8E8M0FNU", 16),
        ("f4E2M1FN", "f8E4M3FN", 16),
        ("f4E2M1FN", "fnv8E5M3FNU", 16),
    ],
)
def test_mmaf_scaled_scales_each_block(
    round_fraction: RoundFraction, operand: str, scale: str, block: int
) -> None:
    inner, source, scale_format, f32 = 64, FORMATS[operand], FORMATS[scale], FORMATS["f32"]
    lhs, rhs, acc = (
        _random((4, inner), operand, 1),
        _random((inner, 2), operand, 2),
        _random((4, 2), "f32", 3),
    )
    scales = np.random.default_rng(4).uniform(0.25, 8, (6, inner // block))
    lhs_scale, rhs_scale = (
        round_to_format(scales[:4], scale_format),
        round_to_format(scales[4:].T, scale_format),
    )
    out = mmaf_scaled(lhs, rhs, acc, lhs_scale, rhs_scale, source, scale_format)
    left, right = decode(lhs, source).copy(), decode(rhs, source).copy()
    for k in range(inner):
        left[:, k] *= decode(lhs_scale, scale_format)[:, k // block]
        right[k, :] *= decode(rhs_scale, scale_format)[k // block, :]
    exact = _rational_product(left, right, acc.astype(np.float64))
    expected = [[round_fraction(value, f32, "nearest_even") for value in row] for row in exact]
    np.testing.assert_array_equal(out, np.array(expected, np.float32))


def test_mmaf_scaled_refuses_uneven_blocks() -> None:
    f8, e8 = FORMATS["f8E4M3FN"], FORMATS["f8E8M0FNU"]
    lhs, rhs, acc = (
        _random((1, 8), "f8E4M3FN", 1),
        _random((8, 1), "f8E4M3FN", 2),
        np.zeros((1, 1), np.float32),
    )
    with pytest.raises(ValueError, match="3 scales do not divide the inner extent 8"):
        mmaf_scaled(lhs, rhs, acc, _random((1, 3), e8.name, 1), _random((3, 1), e8.name, 1), f8, e8)
