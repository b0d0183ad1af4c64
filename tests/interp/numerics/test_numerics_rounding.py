"""Rounding: against ml_dtypes' casts, the rational oracle, and itself by two routes."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from tilewright.interp.numerics.element import FORMATS, ElementFormat, FloatArray, decode, from_bits, to_bits
from tilewright.interp.numerics.rounding import ROUNDING_MODES, representable, round_to_format, round_to_odd

RoundFraction = Callable[[Fraction, ElementFormat, str], float]

SIGNED = ["f16", "bf16", "f32", "tf32", "f64", "f8E4M3FN", "f8E5M2"]
TINY = Fraction(1, 2**1200)


def _all_f16() -> FloatArray:
    return decode(from_bits(np.arange(1 << 16), FORMATS["f16"]), FORMATS["f16"])


@pytest.mark.parametrize("name", ["bf16", "f8E4M3FN", "f8E5M2"])
def test_nearest_even_equals_array_library_cast_for_every_f16(name: str) -> None:
    format, values = FORMATS[name], _all_f16()
    ours = decode(round_to_format(values, format), format)
    with np.errstate(all="ignore"):
        theirs = values.astype(np.float32).astype(format.array_dtype).astype(np.float64)
    np.testing.assert_array_equal(ours, theirs)
    np.testing.assert_array_equal(np.signbit(ours[~np.isnan(ours)]), np.signbit(theirs[~np.isnan(theirs)]))


def test_nearest_even_to_f4_equals_array_library_cast_for_every_finite_f16() -> None:
    format, values = FORMATS["f4E2M1FN"], _all_f16()
    numbers = values[~np.isnan(values)]
    with np.errstate(all="ignore"):
        theirs = numbers.astype(np.float32).astype(format.array_dtype)
    ours = round_to_format(numbers, format)
    np.testing.assert_array_equal(to_bits(ours, format), to_bits(theirs, format))


@pytest.mark.parametrize("name", ["f8E8M0FNU", "fnv8E5M3FNU"])
@pytest.mark.parametrize("mode", ROUNDING_MODES)
def test_unsigned_formats_pick_a_neighbour_in_the_right_direction(name: str, mode: str) -> None:
    format = FORMATS[name]
    table = decode(np.arange(255).astype(np.uint8).view(format.array_dtype), format)
    values = np.abs(_all_f16())
    values = values[(values <= format.max_finite) & (values >= table[0])]
    above = np.searchsorted(table, values)
    below = np.where(table[above] == values, above, above - 1)
    ours = to_bits(round_to_format(values, format, mode), format).astype(np.int64)
    expected = {"zero": below, "negative_inf": below, "positive_inf": above}.get(mode)
    if expected is None:
        middle = (table[above] + table[below]) / 2
        even = np.where(below % 2 == 0, below, above) if format.precision > 1 else above
        tie = above if mode == "nearest_away" else even
        expected = np.where(values == middle, tie, np.where(values > middle, above, below))
    np.testing.assert_array_equal(ours, expected)


def test_special_values_of_unsigned_formats() -> None:
    values = np.array([0.0, -0.0, -1.5, np.inf, -np.inf, np.nan, 1e300])
    scale = round_to_format(values, FORMATS["f8E8M0FNU"], "positive_inf")
    assert to_bits(scale, FORMATS["f8E8M0FNU"]).tolist() == [0, 0, 128, 255, 255, 255, 255]
    bits = round_to_format(values, FORMATS["fnv8E5M3FNU"], overflow="saturate")
    assert bits.tolist() == [0, 0, 255, 254, 255, 255, 254]


@pytest.mark.parametrize("name", SIGNED)
@settings(max_examples=80, deadline=None)
@given(
    value=st.floats(allow_nan=False, allow_infinity=False),
    mode=st.sampled_from(ROUNDING_MODES),
    data=st.data(),
)
def test_rounds_exact_values_like_the_oracle(
    round_fraction: RoundFraction, name: str, value: float, mode: str, data: st.DataObject
) -> None:
    format = FORMATS[name]
    # Move into the format's range, where the interesting cases are.
    significand, _ = math.frexp(value)
    exponent = data.draw(st.integers(format.emin - format.precision - 3, format.emax + 3))
    short = data.draw(st.booleans())
    if short:
        significand = round(significand * 2 ** (format.precision + 1)) / 2 ** (format.precision + 1)
    residual = data.draw(st.sampled_from([-1, 0, 1])) if significand else 0
    if mode == "nearest_away" and name == "f64":
        residual = 0
    exact = Fraction(significand) + residual * TINY
    exact = exact * Fraction(2) ** exponent
    ours = round_to_format(
        np.array([significand]),
        format,
        mode,
        residual=np.array([float(residual)]),
        scale=np.array([exponent]),
    )
    expected = round_fraction(exact, format, mode) if exact else math.copysign(0.0, significand)
    np.testing.assert_array_equal(decode(ours, format), [expected])
    assert math.isnan(expected) or np.signbit(decode(ours, format))[0] == (math.copysign(1, expected) < 0)


@pytest.mark.parametrize("name", ["f16", "f32", "f64"])
@settings(max_examples=60, deadline=None)
@given(
    values=st.lists(st.floats(width=64), min_size=1, max_size=20),
    residual=st.sampled_from([-1.0, 0.0, 1.0]),
)
def test_host_route_equals_general_route(name: str, values: list[float], residual: float) -> None:
    format, exact = FORMATS[name], np.array(values)
    rest = np.where(np.isfinite(exact) & (exact != 0), residual, 0.0)
    if name == "f64":  # beyond the largest float64 the host route has nothing to decide
        rest = np.where(np.abs(exact) == sys.float_info.max, 0.0, rest)
    host = round_to_format(exact, format, residual=rest)
    general = round_to_format(exact, format, residual=rest, scale=np.zeros(exact.shape, np.int64))
    np.testing.assert_array_equal(to_bits(host, format), to_bits(general, format))


def test_overflow_by_mode_and_policy() -> None:
    values = np.array([1e9, -1e9, np.inf])
    f8 = FORMATS["f8E5M2"]
    expected = {
        "nearest_even": [np.inf, -np.inf, np.inf],
        "nearest_away": [np.inf, -np.inf, np.inf],
        "zero": [57344.0, -57344.0, np.inf],
        "negative_inf": [57344.0, -np.inf, np.inf],
        "positive_inf": [np.inf, -57344.0, np.inf],
    }
    for mode, row in expected.items():
        np.testing.assert_array_equal(decode(round_to_format(values, f8, mode), f8), row)
    saturated = decode(round_to_format(values, f8, overflow="saturate"), f8)
    np.testing.assert_array_equal(saturated, [57344.0, -57344.0, 57344.0])


def test_round_to_odd_marks_inexact_values() -> None:
    values = np.array([1.0, 1.0, 1.0, np.nextafter(1.0, 2.0)])
    odd = round_to_odd(values, np.array([1.0, -1.0, 0.0, 1.0]))
    np.testing.assert_array_equal(odd, [np.nextafter(1, 2), np.nextafter(1, 0), 1.0, np.nextafter(1, 2)])


def test_representable() -> None:
    values = np.array([448.0, 449.0, np.nan, 2.0**-9, 2.0**-10])
    assert representable(values, FORMATS["f8E4M3FN"]).tolist() == [True, False, True, True, False]


def test_unknown_mode_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown rounding mode 'approx'"):
        round_to_format(np.zeros(1), FORMATS["f32"], "approx")


def test_scalar_tiles_stay_arrays() -> None:
    for mode in ROUNDING_MODES:
        for format in (FORMATS["f16"], FORMATS["bf16"], FORMATS["f64"], FORMATS["fnv8E5M3FNU"]):
            out = round_to_format(np.asarray(1.3), format, mode)
            assert out.shape == ()
            assert out.dtype == format.array_dtype


def test_values_scaled_far_below_the_format_still_round_outward() -> None:
    scale = np.array([-5000, -5000])
    for format in (FORMATS["f64"], FORMATS["f16"]):
        up = round_to_format(np.array([1.0, -1.0]), format, "positive_inf", scale=scale)
        assert decode(up, format).tolist() == [format.min_subnormal, 0.0]
