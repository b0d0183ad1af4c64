"""Floating-point arithmetic: against rational arithmetic in every mode, and IEEE 754's special cases."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import ml_dtypes
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings, strategies as st

from tilewright.interp.numerics import arithmetic
from tilewright.interp.numerics.element import FORMATS, ElementFormat, decode, from_bits, to_bits
from tilewright.interp.numerics.rounding import round_to_format

RoundFraction = Callable[[Fraction, ElementFormat, str], float]
Tile = npt.NDArray[Any]

MODES = ["nearest_even", "zero", "negative_inf", "positive_inf"]
BASE = ["f16", "bf16", "f32", "f64"]
SPECIAL = np.array([0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 2.0, -2.0])


def _exact(name: str, operands: list[Fraction]) -> Fraction | None:
    """The rational result, or None where there is none."""
    a, b, c = operands
    if name == "divf":
        return a / b if b else None
    return {"addf": a + b, "subf": a - b, "mulf": a * b, "fma": a * b + c}[name]


def _call(name: str, operands: list[Tile], mode: str) -> Tile:
    operation = getattr(arithmetic, name)
    return operation(*(operands if name == "fma" else operands[:2]), rounding=mode)


@st.composite
def _close_triples(draw: st.DrawFn) -> list[float]:
    """Operands whose exponents meet often enough for cancellation, ties and subnormal results."""
    floats = st.floats(allow_nan=False, allow_infinity=False)
    a, b, c = draw(floats), draw(floats), draw(floats)
    if draw(st.booleans()):
        c = -a * b
        c = c if math.isfinite(c) else draw(floats)
    if draw(st.booleans()):
        steps = draw(st.integers(-2, 2))
        for _ in range(abs(steps)):
            c = math.nextafter(c, math.copysign(math.inf, steps))
    return [a, b, c if math.isfinite(c) else 1.0]


@pytest.mark.parametrize("name", ["addf", "subf", "mulf", "divf", "fma"])
@pytest.mark.parametrize("format_name", BASE)
@settings(max_examples=60, deadline=None)
@given(triple=_close_triples(), mode=st.sampled_from(MODES), shift=st.integers(-1100, 1100))
def test_one_exact_rounding(
    round_fraction: RoundFraction, name: str, format_name: str, triple: list[float], mode: str, shift: int
) -> None:
    format = FORMATS[format_name]
    spread = max(-format.emax, min(format.emax, shift))
    scaled = [triple[0], math.ldexp(math.frexp(triple[1])[0], spread), triple[2]]
    tiles = [round_to_format(np.array([value]), format, "zero") for value in scaled]
    operands = [Fraction(float(decode(tile, format)[0])) for tile in tiles]
    exact = _exact(name, operands)
    if exact is None or exact == 0:
        return
    ours = decode(_call(name, tiles, mode), format)[0]
    expected = round_fraction(exact, format, mode)
    assert ours == expected
    assert np.signbit(ours) == (exact < 0)


@pytest.mark.parametrize("mode", MODES)
def test_f64_multiply_add_near_the_limits(round_fraction: RoundFraction, mode: str) -> None:
    tiny, huge, one = 5e-324, 1.7976931348623157e308, 1.0
    ulp = 2.0**-52
    cases = [
        (tiny, tiny, one),
        (tiny, tiny, -one),
        (tiny, 0.5, tiny),
        (-tiny, 0.5, tiny),
        (tiny, 0.5, 2 * tiny),
        (huge, 2.0, -huge),
        (huge, huge, -one),
        (2.0**-600, -(2.0**-600), 2.0**-1022),
        (1 + ulp, 1 + ulp, -(1 + 2 * ulp)),
        (1 + ulp, 1 - ulp, -one),
        (1 + ulp, 2.0**-53, one),
        (one, 2.0**-53, one),
        (one + ulp, 2.0**-53 * (1 - ulp), one + ulp),
        (2.0**1000, 2.0**-1074, 2.0**-1073),
        (one, 2.0**-1022 * (1 - 2.0**-52), 2.0**-1074),
        (0.0, 2.0**1000, one),
        (2.0**1000, -0.0, tiny),
    ]
    for a, b, c in cases:
        exact = Fraction(a) * Fraction(b) + Fraction(c)
        ours = arithmetic.fma(np.array([a]), np.array([b]), np.array([c]), mode)[0]
        assert ours == round_fraction(exact, FORMATS["f64"], mode), (a, b, c)


@pytest.mark.parametrize("mode", MODES)
def test_results_far_below_the_smallest_number_keep_their_direction(mode: str) -> None:
    tiny, signs = np.full(2, 5e-324), np.array([5e-324, -5e-324])
    smallest = {"positive_inf": [5e-324, -0.0], "negative_inf": [0.0, -5e-324]}.get(mode, [0.0, -0.0])
    for out in (arithmetic.mulf(tiny, signs, mode), arithmetic.divf(signs, np.full(2, 1e308), mode)):
        np.testing.assert_array_equal(out, smallest)
        assert np.signbit(out).tolist() == [False, True]


@pytest.mark.parametrize("format_name", ["f16", "bf16"])
@pytest.mark.parametrize("mode", MODES)
def test_square_root_of_every_half_brackets_the_operand(format_name: str, mode: str) -> None:
    format = FORMATS[format_name]
    tile = from_bits(np.arange(1, 1 << 15), format)
    tile = tile[np.isfinite(decode(tile, format))]
    root, operand = decode(arithmetic.sqrt(tile, mode), format), decode(tile, format)
    bits = to_bits(arithmetic.sqrt(tile, mode), format).astype(np.int64)
    below, above = decode(from_bits(bits - 1, format), format), decode(from_bits(bits + 1, format), format)
    if mode in ("zero", "negative_inf"):
        assert np.all((root**2 <= operand) & (above**2 > operand))
    elif mode == "positive_inf":
        assert np.all((root**2 >= operand) & (below**2 < operand))
    else:
        assert np.all((((root + below) / 2) ** 2 < operand) & (operand < ((root + above) / 2) ** 2))


@settings(max_examples=300, deadline=None)
@given(value=st.floats(min_value=5e-324, allow_infinity=False), mode=st.sampled_from(MODES[1:]))
def test_directed_square_root_of_f64(value: float, mode: str) -> None:
    root = Fraction(float(arithmetic.sqrt(np.array([value]), mode)[0]))
    below = Fraction(math.nextafter(float(root), 0.0))
    above = Fraction(math.nextafter(float(root), math.inf))
    if mode == "positive_inf":
        assert below**2 < value <= root**2
    else:
        assert root**2 <= Fraction(value) < above**2


@pytest.mark.parametrize("name", ["addf", "subf", "mulf", "divf"])
@pytest.mark.parametrize("format_name", BASE)
@pytest.mark.parametrize("mode", MODES)
def test_special_operands_follow_ieee(name: str, format_name: str, mode: str) -> None:
    format = FORMATS[format_name]
    left, right = (grid.reshape(-1) for grid in np.meshgrid(SPECIAL, SPECIAL))
    host = {"addf": np.add, "subf": np.subtract, "mulf": np.multiply, "divf": np.divide}[name]
    with np.errstate(all="ignore"):
        expected = round_to_format(host(left, right), format, mode)
    tiles = [round_to_format(left, format), round_to_format(right, format)]
    ours = _call(name, tiles, mode)
    cancels = (
        (decode(ours, format) == 0) & (left != 0) & (right != 0) & np.isfinite(left) & np.isfinite(right)
    )
    opposite_zeros = (left == 0) & (right == 0) & (name in ("addf", "subf"))
    both_negative = np.signbit(left) & (np.signbit(right) ^ (name == "subf"))
    sign = np.where(both_negative, -0.0, -0.0 if mode == "negative_inf" else 0.0)
    either_positive = ~(np.signbit(left) | (np.signbit(right) ^ (name == "subf")))
    sign = np.where(either_positive, 0.0, sign)
    exact_zero = (cancels & (name in ("addf", "subf"))) | opposite_zeros
    expected = np.where(exact_zero, round_to_format(sign, format), expected)
    np.testing.assert_array_equal(to_bits(ours, format), to_bits(expected, format))


@pytest.mark.parametrize("format_name", BASE)
def test_fma_special_operands(format_name: str) -> None:
    format = FORMATS[format_name]
    a, b, c = (grid.reshape(-1) for grid in np.meshgrid(SPECIAL, SPECIAL, SPECIAL))
    with np.errstate(all="ignore"):
        expected = round_to_format(a * b + c, format)
    ours = arithmetic.fma(round_to_format(a, format), round_to_format(b, format), round_to_format(c, format))
    np.testing.assert_array_equal(to_bits(ours, format), to_bits(expected, format))


@pytest.mark.parametrize("format_name", BASE)
@pytest.mark.parametrize("mode", MODES)
def test_exact_zeros_of_fma_have_the_sign_of_the_mode(format_name: str, mode: str) -> None:
    """IEEE 754: a sum of opposite numbers is -0 downwards and +0 otherwise; equal zeros keep their sign."""
    format = FORMATS[format_name]
    rows = [(1.0, 1.0, -1.0), (-1.0, 2.0, 2.0), (0.0, 1.0, -0.0), (0.0, 1.0, 0.0), (-0.0, 1.0, -0.0)]
    opposite = -0.0 if mode == "negative_inf" else 0.0
    expected = round_to_format(np.array([opposite, opposite, opposite, 0.0, -0.0]), format)
    a, b, c = (round_to_format(np.array(column), format) for column in zip(*rows, strict=True))
    np.testing.assert_array_equal(to_bits(arithmetic.fma(a, b, c, mode), format), to_bits(expected, format))


def test_fma_keeps_an_infinite_addend_when_the_product_overflows() -> None:
    out = arithmetic.fma(np.array([1e300]), np.array([1e300]), np.array([-np.inf]))
    assert out[0] == -np.inf


def test_fma_differs_from_two_roundings() -> None:
    a = np.array([1 + 2.0**-12], np.float32)
    assert arithmetic.fma(a, a, -(a * a))[0] == np.float32(2.0**-24)


def test_flush_to_zero_applies_to_inputs_and_results() -> None:
    subnormal, normal = np.array([1e-40, -1e-40], np.float32), np.array([1.5e-38, -1.5e-38], np.float32)
    kept = arithmetic.addf(subnormal, np.array([0, 0], np.float32))
    flushed = arithmetic.mulf(subnormal, np.array([2.0**100, 2.0**100], np.float32), flush_to_zero=True)
    results = arithmetic.mulf(normal, np.array([0.5, 0.5], np.float32), "zero", flush_to_zero=True)
    assert kept.tolist() == subnormal.tolist()
    for out in (flushed, results):
        assert out.tolist() == [0.0, 0.0]
        assert np.signbit(out).tolist() == [False, True]
    with pytest.raises(ValueError, match="f32 only, not for f16"):
        arithmetic.addf(np.array([1], np.float16), np.array([1], np.float16), flush_to_zero=True)


def test_approximate_division_loses_large_divisors() -> None:
    lhs = np.array([1, -1, np.inf, np.nan, np.inf, 3], np.float32)
    rhs = np.array([2e38, 2e38, 2e38, 2e38, np.inf, 2.0**126], np.float32)
    approx = arithmetic.divf(lhs, rhs, "approx")
    np.testing.assert_array_equal(
        approx, np.array([0, -0.0, np.nan, np.nan, np.nan, 3 * 2.0**-126], np.float32)
    )
    assert np.signbit(approx).tolist()[:2] == [False, True]
    assert arithmetic.divf(lhs, rhs, "full")[0] == np.float32(1) / np.float32(2e38)


@pytest.mark.parametrize("format_name", BASE)
def test_sign_operations_keep_every_other_bit(format_name: str) -> None:
    format = FORMATS[format_name]
    sign = 1 << (format.bits - 1)
    patterns = np.array([0, 1, sign, sign + 1, format.nan_bits + 1, sign + format.nan_bits + 1], np.uint64)
    tile = from_bits(patterns, format)
    assert to_bits(arithmetic.negf(tile), format).tolist() == [int(p) ^ sign for p in patterns]
    assert to_bits(arithmetic.absf(tile), format).tolist() == [int(p) & (sign - 1) for p in patterns]


@pytest.mark.parametrize("format_name", BASE)
def test_extrema(format_name: str) -> None:
    format = FORMATS[format_name]
    lhs = round_to_format(np.array([0.0, -0.0, 1.0, np.nan, np.nan, -np.inf, 2.0]), format)
    rhs = round_to_format(np.array([-0.0, 0.0, 2.0, 1.0, np.nan, np.nan, -3.0]), format)
    greatest, least = arithmetic.maxf(lhs, rhs), arithmetic.minf(lhs, rhs)
    np.testing.assert_array_equal(decode(greatest, format), [0, 0, 2, 1, np.nan, -np.inf, 2])
    np.testing.assert_array_equal(decode(least, format), [0, 0, 1, 1, np.nan, -np.inf, -3])
    assert not np.signbit(decode(greatest, format))[:2].any()
    assert np.signbit(decode(least, format))[:2].all()
    strict = arithmetic.maxf(lhs, rhs, propagate_nan=True)
    assert np.isnan(decode(strict, format)).tolist() == [False, False, False, True, True, True, False]
    assert to_bits(strict, format)[3] == format.nan_bits


def test_extrema_flush_subnormals() -> None:
    out = arithmetic.maxf(np.array([-1e-40], np.float32), np.array([-1.0], np.float32), flush_to_zero=True)
    assert out[0] == 0
    assert np.signbit(out[0])


def test_comparisons() -> None:
    lhs, rhs = (
        np.array([1, 1, 2, np.nan, np.nan, 0.0], np.float16),
        np.array([2, 1, 1, 1, np.nan, -0.0], np.float16),
    )
    answers = {
        "equal": [False, True, False, True],
        "not_equal": [True, False, True, False],
        "less_than": [True, False, False, False],
        "less_than_or_equal": [True, True, False, True],
        "greater_than": [False, False, True, False],
        "greater_than_or_equal": [False, True, True, True],
    }
    for predicate, (less, same, more, zeros) in answers.items():
        ordered = arithmetic.cmpf(lhs, rhs, predicate, "ordered")
        unordered = arithmetic.cmpf(lhs, rhs, predicate, "unordered")
        assert ordered.tolist() == [less, same, more, False, False, zeros]
        assert unordered.tolist() == [less, same, more, True, True, zeros]
    with pytest.raises(ValueError, match="unknown comparison"):
        arithmetic.cmpf(lhs, rhs, "about", "ordered")


@settings(max_examples=200, deadline=None)
@given(
    x=st.floats(allow_nan=False, allow_infinity=False, width=32),
    y=st.floats(allow_nan=False, allow_infinity=False, width=32).filter(bool),
)
def test_remainder_is_exact_and_truncated(x: float, y: float) -> None:
    out = arithmetic.remf(np.array([x], np.float32), np.array([y], np.float32))[0]
    exact = Fraction(x) - math.trunc(Fraction(x) / Fraction(y)) * Fraction(y)
    assert Fraction(float(out)) == exact
    assert np.signbit(out) == (math.copysign(1, x) < 0)


def test_remainder_special_cases() -> None:
    x, y = np.array([1, np.inf, 5, np.nan, 1], np.float64), np.array([0, 2, np.inf, 1, np.nan], np.float64)
    np.testing.assert_array_equal(arithmetic.remf(x, y), [np.nan, np.nan, 5, np.nan, np.nan])


@pytest.mark.parametrize("format_name", BASE)
def test_integral_rounding(format_name: str) -> None:
    format = FORMATS[format_name]
    tile = round_to_format(np.array([-1.5, -0.5, 0.0, 0.5, 2.0, np.inf, np.nan]), format)
    up, down = arithmetic.ceil(tile), arithmetic.floor(tile)
    np.testing.assert_array_equal(decode(up, format), [-1, 0, 0, 1, 2, np.inf, np.nan])
    np.testing.assert_array_equal(decode(down, format), [-2, -1, 0, 0, 2, np.inf, np.nan])
    assert np.signbit(decode(up, format))[1]


ELEMENTARY: dict[str, Callable[[float], float]] = {
    "exp": math.exp,
    "exp2": lambda x: 2.0**x,
    "sin": math.sin,
    "cos": math.cos,
    "tan": math.tan,
    "sinh": math.sinh,
    "cosh": math.cosh,
    "tanh": math.tanh,
    "log": lambda x: math.log(x) if x > 0 else math.nan,
    "log2": lambda x: math.log2(x) if x > 0 else math.nan,
    "rsqrt": lambda x: 1 / math.sqrt(x) if x > 0 else math.nan,
}


@pytest.mark.parametrize("name", list(ELEMENTARY))
@pytest.mark.parametrize("format_name", BASE)
def test_elementary_functions(name: str, format_name: str) -> None:
    format = FORMATS[format_name]
    tile = round_to_format(np.linspace(-6, 6, 50), format)
    ours = decode(getattr(arithmetic, name)(tile), format)
    expected = np.array([ELEMENTARY[name](float(value)) for value in decode(tile, format)])
    np.testing.assert_allclose(ours, expected, rtol=2.0 ** (1 - format.precision), atol=0)


def test_two_operand_elementary_functions() -> None:
    first, second = np.array([1, -1, 0.0, -0.0, 2], np.float32), np.array([1, -1, -1, -1, 0], np.float32)
    expected = np.array([math.pi / 4, -3 * math.pi / 4, math.pi, -math.pi, math.pi / 2], np.float32)
    np.testing.assert_array_equal(arithmetic.atan2(first, second), expected)
    base, power = (
        np.array([2, -2, 1, np.nan, -8], np.float32),
        np.array([0.5, 3, np.nan, 0, 1 / 3], np.float32),
    )
    np.testing.assert_array_equal(
        arithmetic.pow(base, power), np.array([2**0.5, -8, 1, 1, np.nan], np.float32)
    )
    exponents = np.array([3, -2, 0], np.int8)
    np.testing.assert_array_equal(
        arithmetic.fpowi(np.array([-2, 2, np.nan], np.float16), exponents),
        np.array([-8, 0.25, 1], np.float16),
    )
    assert arithmetic.fpowi(np.array([4], np.float32), np.array([True]))[0] == 0.25


def test_accuracy_modes() -> None:
    tile = np.array([0.5], np.float32)
    assert arithmetic.exp(tile, "approx") == arithmetic.exp(tile, "full")
    with pytest.raises(ValueError, match="unknown rounding mode 'zero'"):
        arithmetic.tanh(tile, "zero")


def test_approximate_modes_belong_to_division_and_square_root() -> None:
    tile = np.array([2.0], np.float32)
    assert arithmetic.sqrt(tile, "approx") == arithmetic.sqrt(tile)
    for operation, mode in ((arithmetic.addf, "approx"), (arithmetic.mulf, "full")):
        with pytest.raises(ValueError, match="unknown rounding mode"):
            operation(tile, tile, mode)
    with pytest.raises(ValueError, match="unknown rounding mode 'full'"):
        arithmetic.sqrt(tile, "full")


def test_results_hold_the_canonical_nan() -> None:
    signaling = np.array([0xFF800001], np.uint32).view(np.float32)
    for out in (
        arithmetic.addf(signaling, signaling),
        arithmetic.sqrt(np.array([-1], np.float32)),
        arithmetic.floor(signaling),
        arithmetic.sin(np.array([np.inf], np.float32)),
    ):
        assert out.view(np.uint32)[0] == 0x7FC00000


@pytest.mark.parametrize("dtype", [np.float16, ml_dtypes.bfloat16, np.float32, np.float64])
def test_scalar_tiles_stay_arrays(dtype: Any) -> None:
    x = np.asarray(1.5, dtype)
    outputs = [
        arithmetic.addf(x, x),
        arithmetic.fma(x, x, x, "zero"),
        arithmetic.negf(x),
        arithmetic.maxf(x, x),
    ]
    outputs += [
        arithmetic.divf(x, x, "positive_inf"),
        arithmetic.remf(x, x),
        arithmetic.exp(x),
        arithmetic.ceil(x),
    ]
    assert all(out.shape == () and out.dtype == x.dtype for out in outputs)
    assert arithmetic.cmpf(x, x, "equal").shape == ()
