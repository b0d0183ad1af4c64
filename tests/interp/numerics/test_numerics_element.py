"""Element formats: every bit pattern of the small formats, and the table's own consistency."""

from __future__ import annotations

import math
import sys

import ml_dtypes
import numpy as np
import pytest

from tilewright.interp.numerics.element import (
    FORMATS,
    base_float_format,
    canonical_nan,
    decode,
    encode,
    from_bits,
    integer_format,
    to_bits,
)

SMALL_FLOATS = ["f4E2M1FN", "f8E4M3FN", "f8E5M2", "f8E8M0FNU", "fnv8E5M3FNU", "f16", "bf16"]
FLOATS = [name for name, row in FORMATS.items() if row.kind == "float"]


@pytest.mark.parametrize("name", SMALL_FLOATS)
def test_every_pattern_survives_decode_and_encode(name: str) -> None:
    format = FORMATS[name]
    bits = np.arange(1 << format.bits).astype(format.bits_dtype)
    values = decode(from_bits(bits, format), format)
    back = to_bits(encode(values, format), format)
    nan = np.isnan(values)
    np.testing.assert_array_equal(back[~nan], bits[~nan])
    assert np.all(back[nan] == format.nan_bits)
    assert nan.any() == format.has_nan


@pytest.mark.parametrize("name", SMALL_FLOATS)
def test_table_row_describes_the_patterns(name: str) -> None:
    format = FORMATS[name]
    values = decode(from_bits(np.arange(1 << format.bits), format), format)
    finite = values[np.isfinite(values)]
    assert finite.max() == format.max_finite
    assert finite[finite > 0].min() == format.min_subnormal
    assert np.isinf(values).any() == format.has_inf
    assert (finite == 0).any() == format.has_zero
    assert (finite < 0).any() == format.is_signed


def test_unsigned_e5m3_values() -> None:
    format = FORMATS["fnv8E5M3FNU"]
    bits = np.array([0x00, 0x01, 0x07, 0x08, 0x78, 0x79, 0xFE, 0xFF], np.uint8)
    expected = [0.0, 2.0**-17, 7 * 2.0**-17, 2.0**-14, 1.0, 1.125, 114688.0, np.nan]
    np.testing.assert_array_equal(decode(bits, format), expected)


LIMITS = {  # largest finite, smallest normal, smallest positive
    "f16": (65504.0, 2.0**-14, 2.0**-24),
    "bf16": (255.0 * 2.0**120, 2.0**-126, 2.0**-133),
    "f32": (3.4028234663852886e38, 2.0**-126, 2.0**-149),
    "tf32": (2047.0 * 2.0**117, 2.0**-126, 2.0**-136),
    "f64": (sys.float_info.max, sys.float_info.min, 5e-324),
    "f8E4M3FN": (448.0, 2.0**-6, 2.0**-9),
    "f8E5M2": (57344.0, 2.0**-14, 2.0**-16),
    "f8E8M0FNU": (2.0**127, 2.0**-127, 2.0**-127),
    "f4E2M1FN": (6.0, 1.0, 0.5),
    "fnv8E5M3FNU": (114688.0, 2.0**-14, 2.0**-17),
}


@pytest.mark.parametrize("name", FLOATS)
def test_limits(name: str) -> None:
    format = FORMATS[name]
    assert (format.max_finite, 2.0**format.emin, format.min_subnormal) == LIMITS[name]


@pytest.mark.parametrize("name", FLOATS)
def test_nan_bits_and_largest_exponent(name: str) -> None:
    format = FORMATS[name]
    if format.has_nan:
        assert np.isnan(decode(from_bits(np.array([format.nan_bits]), format), format)).all()
    assert math.frexp(format.max_finite)[1] == format.emax + 1


def test_canonical_nan_replaces_only_nans() -> None:
    patterns = np.array([0x7F800001, 0xFFFFFFFF, 0x7F800000, 0x80000000, 1], np.uint32)
    out = to_bits(canonical_nan(patterns.view(np.float32), FORMATS["f32"]), FORMATS["f32"])
    np.testing.assert_array_equal(out, [0x7FC00000, 0x7FC00000, 0x7F800000, 0x80000000, 1])


def test_formats_by_dtype() -> None:
    assert integer_format(np.zeros(2, np.bool_)).name == "i1"
    assert base_float_format(np.zeros(2, ml_dtypes.bfloat16)).name == "bf16"
    with pytest.raises(TypeError, match="not the dtype of an integer tile"):
        integer_format(np.zeros(2, np.float32))
    with pytest.raises(TypeError, match="not the dtype of a base float tile"):
        base_float_format(np.zeros(2, ml_dtypes.float8_e5m2))


def test_memory_sizes() -> None:
    assert [FORMATS[name].memory_bytes(6) for name in ("i1", "f4E2M1FN", "tf32", "ptr")] == [6, 3, 24, 48]
    assert FORMATS["f4E2M1FN"].packed
    assert FORMATS["f4E2M1FN"].storage_bytes == 1
