"""Float formats against ml_dtypes and NumPy: every pattern, and how doubles round into them."""

from __future__ import annotations

import itertools
import math
from typing import Any

import pytest
from hypothesis import given, strategies as st

from tilewright.ir.arithmetic.float_format import FLOAT_FORMATS, FloatFormat, Specials

np = pytest.importorskip("numpy")
ml_dtypes = pytest.importorskip("ml_dtypes")

PEERS: dict[str, Any] = {
    "f16": np.float16,
    "f32": np.float32,
    "f64": np.float64,
    "bf16": ml_dtypes.bfloat16,
    "f8E5M2": ml_dtypes.float8_e5m2,
    "f8E4M3": ml_dtypes.float8_e4m3,
    "f8E3M4": ml_dtypes.float8_e3m4,
    "f8E4M3FN": ml_dtypes.float8_e4m3fn,
    "f8E5M2FNUZ": ml_dtypes.float8_e5m2fnuz,
    "f8E4M3FNUZ": ml_dtypes.float8_e4m3fnuz,
    "f8E4M3B11FNUZ": ml_dtypes.float8_e4m3b11fnuz,
    "f8E8M0FNU": ml_dtypes.float8_e8m0fnu,
    "f6E3M2FN": ml_dtypes.float6_e3m2fn,
    "f6E2M3FN": ml_dtypes.float6_e2m3fn,
    "f4E2M1FN": ml_dtypes.float4_e2m1fn,
}
"""Formats that a library knows, too."""

SMALL = [f for f in FLOAT_FORMATS.values() if f.bits <= 8]
HALVES = [FLOAT_FORMATS["f16"], FLOAT_FORMATS["bf16"]]
WITH_PEER = [FLOAT_FORMATS[name] for name in PEERS]
doubles = st.floats(width=64)


def name(format: FloatFormat) -> str:
    return format.name


def peer_values(format: FloatFormat) -> Any:
    """The values of all patterns, by the peer."""
    storage = np.uint8 if format.bits <= 8 else np.uint16
    with np.errstate(all="ignore"):
        return np.arange(1 << format.bits, dtype=storage).view(PEERS[format.name]).astype(np.float64)


def same(a: float, b: float) -> bool:
    return (math.isnan(a) and math.isnan(b)) or (a == b and math.copysign(1, a) == math.copysign(1, b))


@pytest.mark.parametrize("format", [f for f in WITH_PEER if f.bits <= 16], ids=name)
def test_every_pattern_has_the_value_the_peer_gives_it(format: FloatFormat) -> None:
    values = peer_values(format)
    wrong = [p for p in range(1 << format.bits) if not same(format.decode(p), float(values[p]))]
    assert wrong == []


@pytest.mark.parametrize("format", [*SMALL, *HALVES], ids=name)
def test_encoding_undoes_decoding(format: FloatFormat) -> None:
    for pattern in range(1 << format.bits):
        value = format.decode(pattern)
        assert format.is_nan(pattern) == math.isnan(value)
        assert format.is_infinite(pattern) == math.isinf(value)
        if not math.isnan(value):
            assert format.encode(value) == pattern


def ours_and_theirs(format: FloatFormat, value: float) -> tuple[float, float]:
    with np.errstate(all="ignore"):
        theirs = float(np.array(value, dtype=np.float64).astype(PEERS[format.name]).astype(np.float64))
    return format.decode(format.encode(value)), theirs


IEEE_PEERS = [f for f in WITH_PEER if f.specials is Specials.IEEE]


@pytest.mark.parametrize("format", IEEE_PEERS, ids=name)
@given(doubles)
def test_doubles_round_as_the_peer_rounds(format: FloatFormat, value: float) -> None:
    if format.name in ("bf16", "f8E5M2", "f8E4M3", "f8E3M4"):  # ml_dtypes goes through float32
        with np.errstate(all="ignore"):
            value = float(np.float32(value))
    ours, theirs = ours_and_theirs(format, value)
    assert same(ours, theirs)


@pytest.mark.parametrize("format", [f for f in SMALL if f.has_zero], ids=name)
def test_rounding_is_to_the_nearest_and_ties_go_to_even(format: FloatFormat) -> None:
    """Between neighbours, a double goes to the nearer one, in the middle to the one with the even pattern."""
    finite = sorted(
        (format.decode(p), p) for p in range(format.largest_pattern + 1) if math.isfinite(format.decode(p))
    )
    for (low, first), (high, second) in itertools.pairwise(finite):
        middle = (low + high) / 2
        assert format.encode(middle) == (first if first % 2 == 0 else second)
        assert format.encode(math.nextafter(middle, -math.inf)) == first
        assert format.encode(math.nextafter(middle, math.inf)) == second


@pytest.mark.parametrize("format", FLOAT_FORMATS.values(), ids=name)
def test_special_values(format: FloatFormat) -> None:
    if format.nan_pattern is None:
        with pytest.raises(ValueError, match="has no NaN"):
            format.encode(math.nan)
    else:
        assert format.is_nan(format.nan_pattern)
        assert format.is_nan(format.encode(math.nan))
    overflow = format.decode(format.encode(math.inf))
    match format.specials:
        case Specials.IEEE:
            assert overflow == math.inf
        case Specials.FINITE:
            assert overflow == format.decode(format.largest_pattern)
        case _:
            assert math.isnan(overflow)
    assert math.isfinite(format.decode(format.largest_pattern))


@pytest.mark.parametrize("format", FLOAT_FORMATS.values(), ids=name)
@given(doubles)
def test_rounding_twice_changes_nothing(format: FloatFormat, value: float) -> None:
    if format.nan_pattern is None and math.isnan(value):
        return
    once = format.decode(format.encode(value))
    if not (math.isnan(once) and format.nan_pattern is None):
        assert same(format.decode(format.encode(once)), once)


def test_tf32_is_f32_with_a_short_mantissa() -> None:
    short, full = FLOAT_FORMATS["tf32"], FLOAT_FORMATS["f32"]
    for pattern in range(0, 1 << short.bits, 97):
        assert same(short.decode(pattern), full.decode(pattern << 13))


def test_unsigned_formats_have_no_sign() -> None:
    for format in FLOAT_FORMATS.values():
        assert (format.sign_mask == 0) == (not format.signed)
        assert format.bits == (format.sign_mask | format.exponent_mask | format.mantissa_mask).bit_length()
