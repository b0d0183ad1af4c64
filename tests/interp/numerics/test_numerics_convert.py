"""Conversions between formats, and to and from bytes."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from tilewright.interp.numerics import convert
from tilewright.interp.numerics.element import FORMATS, ElementFormat, decode, from_bits, to_bits
from tilewright.interp.numerics.integers import signed_view, wrap
from tilewright.interp.numerics.rounding import representable

RoundFraction = Callable[[Fraction, ElementFormat, str], float]

FLOATS = [name for name, row in FORMATS.items() if row.kind == "float"]
SMALL_FLOATS = [name for name in FLOATS if FORMATS[name].bits <= 16]
INTEGERS = ["i1", "i8", "i16", "i32", "i64"]


@pytest.mark.parametrize("source", SMALL_FLOATS)
@pytest.mark.parametrize("target", FLOATS)
def test_ftof_keeps_every_representable_value(source: str, target: str) -> None:
    start, end = FORMATS[source], FORMATS[target]
    tile = from_bits(np.arange(1 << start.bits), start)
    values = decode(tile, start)
    out = decode(convert.ftof(tile, start, end), end)
    kept = representable(values, end) & ~np.isinf(values)
    np.testing.assert_array_equal(out[kept], values[kept])
    assert np.isnan(out[np.isnan(values)]).all() == (end.has_nan or not start.has_nan)


@pytest.mark.parametrize("mode", ["nearest_even", "zero", "negative_inf", "positive_inf"])
@settings(max_examples=50, deadline=None)
@given(value=st.floats(allow_nan=False, allow_infinity=False).filter(bool), near_tie=st.booleans())
def test_f64_to_narrower_rounds_once(
    round_fraction: RoundFraction, mode: str, value: float, near_tie: bool
) -> None:
    if near_tie:  # one bit beside a tie between two f16 neighbours, where rounding through f32 goes wrong
        value = math.copysign(1 + 2.0**-11 + 2.0**-40, value)
    for name in ("f16", "bf16", "f32", "tf32"):
        target = FORMATS[name]
        out = decode(convert.ftof(np.array([value]), FORMATS["f64"], target, mode), target)[0]
        assert out == round_fraction(Fraction(value), target, mode)


def test_f32_to_tf32_modes() -> None:
    tile = np.array([1 + 2.0**-11, -1 - 2.0**-11, 1 + 2.0**-11 + 2.0**-20], np.float32)
    expected = {
        "nearest_even": [1, -1, 1 + 2.0**-10],
        "nearest_away": [1 + 2.0**-10, -1 - 2.0**-10, 1 + 2.0**-10],
        "zero": [1, -1, 1],
    }
    for mode, row in expected.items():
        out = convert.ftof(tile, FORMATS["f32"], FORMATS["tf32"], mode)
        assert out.dtype == np.float32
        assert out.tolist() == row


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("f8E4M3FN", [448, -448, 448, -448, math.nan, 448]),
        ("f8E5M2", [57344, -57344, 57344, -57344, math.nan, 448]),
        ("f4E2M1FN", [6, -6, 6, -6, 6, 6]),
        ("fnv8E5M3FNU", [114688, math.nan, 114688, math.nan, math.nan, 448]),
        ("f16", [math.inf, -math.inf, math.inf, -math.inf, math.nan, 464]),
        ("bf16", [2.0**100, -(2.0**100), math.inf, -math.inf, math.nan, 464]),
    ],
)
def test_ftof_out_of_range(target: str, expected: list[float]) -> None:
    tile = np.array([2.0**100, -(2.0**100), np.inf, -np.inf, np.nan, 464], np.float32)
    out = decode(convert.ftof(tile, FORMATS["f32"], FORMATS[target]), FORMATS[target])
    np.testing.assert_array_equal(out, expected)


def test_ftof_to_exponent_only_format() -> None:
    tile = np.array([1.0, 1.5, -3.0, 0.0, 2.0**-140, 3.4e38, np.inf, np.nan], np.float32)
    format = FORMATS["f8E8M0FNU"]
    down = to_bits(convert.ftof(tile, FORMATS["f32"], format, "zero"), format).tolist()
    up = to_bits(convert.ftof(tile, FORMATS["f32"], format, "positive_inf"), format).tolist()
    assert down == [127, 127, 128, 0, 0, 254, 254, 255]
    assert up == [127, 128, 129, 0, 0, 254, 254, 255]


def _near_power(distance: int, exponent: int) -> int:
    return distance + (1 << exponent)


@pytest.mark.parametrize("target", ["f16", "bf16", "f32", "tf32", "f64", "f8E4M3FN", "f8E5M2"])
@settings(max_examples=50, deadline=None)
@given(
    value=st.integers(-(2**63), 2**63 - 1) | st.builds(_near_power, st.integers(-3, 3), st.integers(3, 62)),
    signed=st.booleans(),
)
def test_itof_rounds_once(round_fraction: RoundFraction, target: str, value: int, signed: bool) -> None:
    tile = np.array([value], np.int64)
    exact = value if signed else value % 2**64
    out = decode(convert.itof(tile, FORMATS[target], signed), FORMATS[target])
    expected = round_fraction(Fraction(exact), FORMATS[target], "nearest_even") if exact else 0.0
    np.testing.assert_array_equal(out, [expected])


def test_itof_sees_the_last_bit_of_a_wide_integer() -> None:
    tie = 2**62 + 2**38  # halfway between two f32 neighbours; one more is lost in float64
    tile = np.array([tie - 1, tie, tie + 1])
    out = convert.itof(tile, FORMATS["f32"], True).astype(np.float64)
    assert out.tolist() == [2.0**62, 2.0**62, 2.0**62 + 2.0**39]
    top = np.array([-1, -(2**63)])
    assert convert.itof(top, FORMATS["f64"], False).tolist() == [2.0**64, 2.0**63]
    assert convert.itof(top, FORMATS["f32"], True).tolist() == [-1.0, -(2.0**63)]


def test_itof_of_narrow_integers_and_overflow() -> None:
    assert convert.itof(np.array([True]), FORMATS["f16"], True).tolist() == [-1.0]
    assert convert.itof(np.array([True]), FORMATS["f16"], False).tolist() == [1.0]
    assert convert.itof(np.array([-1], np.int8), FORMATS["f32"], False).tolist() == [255.0]
    assert convert.itof(np.array([70000], np.int32), FORMATS["f16"], True).tolist() == [math.inf]
    assert np.isnan(
        decode(convert.itof(np.array([1000], np.int32), FORMATS["f8E4M3FN"], True), FORMATS["f8E4M3FN"])
    ).all()
    assert decode(
        convert.itof(np.array([1000], np.int32), FORMATS["f4E2M1FN"], True), FORMATS["f4E2M1FN"]
    ).tolist() == [6.0]


@pytest.mark.parametrize("signed", [True, False])
def test_ftoi_to_a_truth_value_asks_for_zero(signed: bool) -> None:
    values = np.array([0.0, -0.0, 0.5, 1.0, -2.0, 1e300, math.inf, math.nan])
    out = convert.ftoi(values, FORMATS["f64"], FORMATS["i1"], signed)
    assert out.dtype == np.bool_
    assert out.tolist() == [False] * 2 + [True] * 6
    assert not convert.undefined_ftoi(values, FORMATS["f64"], FORMATS["i1"], signed).any()


@pytest.mark.parametrize("target", [name for name in INTEGERS if name != "i1"])
@pytest.mark.parametrize("signed", [True, False])
@settings(max_examples=50, deadline=None)
@given(value=st.floats() | st.builds(math.ldexp, st.floats(-2, 2), st.integers(0, 64)))
def test_ftoi_truncates_and_clamps(target: str, signed: bool, value: float) -> None:
    format = FORMATS[target]
    low, high = (
        (-(1 << (format.bits - 1)), (1 << (format.bits - 1)) - 1) if signed else (0, (1 << format.bits) - 1)
    )
    whole = (
        0
        if math.isnan(value)
        else math.trunc(value)
        if math.isfinite(value)
        else int(math.copysign(2**70, value))
    )
    out = convert.ftoi(np.array([value]), FORMATS["f64"], format, signed)
    expected = wrap(np.array([min(max(whole, low), high) % 2**64], np.uint64), format)
    np.testing.assert_array_equal(out, expected)
    undefined = convert.undefined_ftoi(np.array([value]), FORMATS["f64"], format, signed)
    assert undefined.tolist() == [math.isnan(value) or not low <= whole <= high]


def test_integer_extension_and_truncation() -> None:
    i4, i8, i32 = FORMATS["i4"], FORMATS["i8"], FORMATS["i32"]
    nibbles = np.array([-8, -1, 0, 7], np.int8)
    assert convert.exti(nibbles, i4, i32, True).tolist() == [-8, -1, 0, 7]
    assert convert.exti(nibbles, i4, i32, False).tolist() == [8, 15, 0, 7]
    assert convert.exti(np.array([True]), FORMATS["i1"], i8, True).tolist() == [-1]
    assert convert.exti(np.array([True]), FORMATS["i1"], i8, False).tolist() == [1]
    assert convert.exti(np.array([True]), FORMATS["i1"], i4, True).tolist() == [-1]
    wide = np.array([0x17F, 0x80, -1, 9], np.int32)
    assert convert.trunci(wide, i8).tolist() == [127, -128, -1, 9]
    assert convert.trunci(wide, i4).tolist() == [-1, 0, -1, -7]
    assert convert.trunci(wide, FORMATS["i1"]).tolist() == [True, False, True, True]


def test_truncation_promises() -> None:
    wide, i4 = np.array([7, 9, -1, -8, 16], np.int32), FORMATS["i4"]
    assert convert.broken_truncation_promise(wide, i4, "no_signed_wrap").tolist() == [
        False,
        True,
        False,
        False,
        True,
    ]
    assert convert.broken_truncation_promise(wide, i4, "no_unsigned_wrap").tolist() == [
        False,
        False,
        True,
        True,
        True,
    ]
    assert convert.broken_truncation_promise(wide, i4, "no_wrap").tolist() == [False, True, True, True, True]
    assert not convert.broken_truncation_promise(wide, i4, "none").any()


def test_bitcast_keeps_bits() -> None:
    patterns = np.arange(256).astype(np.uint8)
    for name in ("f8E4M3FN", "f8E5M2", "f8E8M0FNU", "fnv8E5M3FNU"):
        there = convert.bitcast(patterns.view(np.int8), FORMATS["i8"], FORMATS[name])
        assert there.dtype == FORMATS[name].array_dtype
        np.testing.assert_array_equal(
            convert.bitcast(there, FORMATS[name], FORMATS["i8"]), patterns.view(np.int8)
        )
    signaling = np.array([0x7F800001, 0xFF800000], np.uint32).view(np.int32)
    back = convert.bitcast(
        convert.bitcast(signaling, FORMATS["i32"], FORMATS["f32"]), FORMATS["f32"], FORMATS["i32"]
    )
    np.testing.assert_array_equal(back, signaling)
    f4 = convert.bitcast(np.array([-8, -1, 3], np.int8), FORMATS["i4"], FORMATS["f4E2M1FN"])
    assert decode(f4, FORMATS["f4E2M1FN"]).tolist() == [-0.0, -6.0, 1.5]
    assert convert.bitcast(f4, FORMATS["f4E2M1FN"], FORMATS["i4"]).tolist() == [-8, -1, 3]
    with pytest.raises(ValueError, match="cannot bitcast 32-bit f32 to 19-bit tf32"):
        convert.bitcast(np.array([1], np.float32), FORMATS["f32"], FORMATS["tf32"])


@pytest.mark.parametrize("name", [name for name in FORMATS if name != "i1"])
def test_pack_is_little_endian_and_unpack_inverts_it(name: str) -> None:
    format = FORMATS[name]
    data = np.random.default_rng(7).integers(0, 256, 64).astype(np.uint8).view(np.int8)
    tile = convert.unpack(data, format)
    assert tile.dtype == format.array_dtype
    assert tile.size * format.storage_bits == 512
    if name != "tf32":
        np.testing.assert_array_equal(convert.pack(tile, format), data)
    np.testing.assert_array_equal(
        to_bits(convert.unpack(convert.pack(tile, format), format), format), to_bits(tile, format)
    )


def test_pack_of_bits_and_nibbles() -> None:
    bits = np.array([1, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0], np.bool_)
    assert convert.pack(bits, FORMATS["i1"]).tolist() == [-127, 3]
    np.testing.assert_array_equal(convert.unpack(np.array([-127, 3], np.int8), FORMATS["i1"]), bits)
    assert convert.pack(np.array([1, -1], np.int8), FORMATS["i4"]).view(np.uint8).tolist() == [0xF1]
    assert convert.pack(np.array([0x0102], np.int16), FORMATS["i16"]).tolist() == [2, 1]
    with pytest.raises(ValueError, match="do not fill whole bytes"):
        convert.pack(bits[:4], FORMATS["i1"])


def test_memory_images() -> None:
    booleans = convert.decode_memory(np.array([0, 1, 2, 255], np.uint8), FORMATS["i1"])
    assert booleans.tolist() == [False, True, True, True]
    assert convert.encode_memory(booleans, FORMATS["i1"]).tolist() == [0, 1, 1, 1]
    f4 = convert.decode_memory(np.array([0xF1, 0x32], np.uint8), FORMATS["f4E2M1FN"])
    assert f4.astype(np.float64).tolist() == [0.5, -6.0, 1.0, 1.5]
    assert convert.encode_memory(f4, FORMATS["f4E2M1FN"]).tolist() == [0xF1, 0x32]
    grid = np.arange(6, dtype=np.int16).reshape(2, 3).T
    assert convert.encode_memory(grid, FORMATS["i16"]).tolist() == [0, 0, 3, 0, 1, 0, 4, 0, 2, 0, 5, 0]
    with pytest.raises(ValueError, match="not a whole number of f32"):
        convert.decode_memory(np.zeros(6, np.uint8), FORMATS["f32"])
    with pytest.raises(ValueError, match="odd number"):
        convert.encode_memory(f4[:3], FORMATS["f4E2M1FN"])


def test_tf32_memory_drops_low_bits_but_keeps_nan() -> None:
    data = np.array([0x3F801FFF, 0x7F800001, 0xFF800000], np.uint32).view(np.uint8)
    tile = convert.decode_memory(data, FORMATS["tf32"])
    assert tile[0] == 1.0
    assert np.isnan(tile[1])
    assert tile[2] == -np.inf
    assert representable(tile, FORMATS["tf32"]).all()


def test_constants() -> None:
    i1, f4, tf32, bf16 = FORMATS["i1"], FORMATS["f4E2M1FN"], FORMATS["tf32"], FORMATS["bf16"]
    assert convert.decode_constant(b"\x05", i1, 4).tolist() == [True, False, True, False]
    assert convert.decode_constant(b"\x03\x80", i1, 16).tolist() == [True, True] + [False] * 13 + [True]
    assert convert.decode_constant(b"\x01", i1, 16).tolist() == [True] * 16
    assert convert.decode_constant(b"\xfe", i1, 16).tolist() == [False] * 16
    assert convert.decode_constant(b"\x01\x0f", f4, 2).astype(np.float64).tolist() == [0.5, -6.0]
    one = (0x3F800000 >> 13).to_bytes(3, "little")
    minus_two = (0xC0000000 >> 13).to_bytes(3, "little")
    assert convert.decode_constant(one + minus_two, tf32, 2).tolist() == [1.0, -2.0]
    assert convert.decode_constant(one, tf32, 4).tolist() == [1.0] * 4
    assert convert.decode_constant(b"\x80\x3f", bf16, 2).astype(np.float32).tolist() == [1.0, 1.0]
    assert convert.decode_constant(b"\xff\xff\xff\x7f", FORMATS["i32"], 1).tolist() == [2**31 - 1]
    for data, format, count in ((b"\0\0", i1, 4), (b"\0" * 5, tf32, 2), (b"", FORMATS["i8"], 2)):
        with pytest.raises(ValueError, match="are not a constant of"):
            convert.decode_constant(data, format, count)


@pytest.mark.parametrize("target", FLOATS)
def test_conversions_of_scalar_tiles_stay_arrays(target: str) -> None:
    format = FORMATS[target]
    for tile in (
        convert.ftof(np.asarray(np.float32(1)), FORMATS["f32"], format),
        convert.itof(np.asarray(np.int32(1)), format, True),
    ):
        assert isinstance(tile, np.ndarray)
        assert tile.shape == ()
        assert tile.dtype == format.array_dtype
        whole = convert.ftoi(tile, format, FORMATS["i16"], True)
        assert isinstance(whole, np.ndarray)
        assert whole.shape == ()
        assert signed_view(whole) == 1


def test_array_library_types_are_what_tiles_hold() -> None:
    assert FORMATS["bf16"].array_dtype == ml_dtypes.bfloat16
