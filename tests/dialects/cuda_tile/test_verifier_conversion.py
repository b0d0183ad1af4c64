"""Rules of conversions."""

from __future__ import annotations

from typing import Any

import pytest

from tests.dialects.cuda_tile.scratch import Broken, Legal, broken, ids, legal

INTEGERS = ("i1", "i8", "i16", "i32", "i64")
FLOATS = ("f16", "bf16", "f32", "f64", "tf32", "f8E4M3FN", "f8E5M2", "f8E8M0FNU", "f4E2M1FN", "fnv8E5M3FNU")
NARROW = "tile of i1 or i8 or i16 or i32 or i64 or i4 values"
FLOAT = f"tile of {' or '.join(FLOATS)} values"
NUMBER = f"tile of {' or '.join(INTEGERS + FLOATS)} values"
FROM_TO = "failed to verify that all of {from, to} have same shape"
SOURCE_RESULT = "failed to verify that all of {source, result} have same shape"
MODE = "invalid rounding mode specified"
MODES = (
    "nearest_even",
    "zero",
    "negative_inf",
    "positive_inf",
    "approx",
    "full",
    "nearest_int_to_zero",
    "nearest_away",
)


def _cast(op: str, name: str, message: str, source: str, target: str, **more: Any) -> Broken:
    return broken(op, name, message, **_given(op, source, target, **more))


def _given(op: str, source: str, target: str, **more: Any) -> dict[str, Any]:
    names = {"bitcast", "int_to_ptr", "ptr_to_int", "ptr_to_ptr", "pack", "unpack"}
    given: dict[str, Any] = {"source" if op in names else "from_": source, "results": [target], **more}
    if op in ("exti", "itof", "ftoi"):
        given.setdefault("signedness", "signed")
    if op in ("itof", "ftoi"):
        given.setdefault("rounding_mode", "nearest_even" if op == "itof" else "nearest_int_to_zero")
    return given


def _integers() -> list[Broken]:
    only = MODE + ". Only '{}' is supported"
    return [
        _cast("exti", "same", "extending to smaller or identical integer", "4xi32", "4xi32"),
        _cast("exti", "smaller", "extending to smaller or identical integer", "4xi32", "4xi4"),
        _cast(
            "exti",
            "float",
            f"operand #0 must be {NARROW}, but got '!cuda_tile.tile<4xf32>'",
            "4xf32",
            "4xi64",
        ),
        _cast("exti", "shape", FROM_TO, "4xi32", "8xi64"),
        _cast("trunci", "same", "truncating to larger or identical integer", "4xi32", "4xi32"),
        _cast("trunci", "larger", "truncating to larger or identical integer", "4xi4", "4xi8"),
        _cast(
            "trunci",
            "float",
            f"result #0 must be {NARROW}, but got '!cuda_tile.tile<4xf32>'",
            "4xi64",
            "4xf32",
        ),
        _cast("trunci", "shape", FROM_TO, "4xi32", "8xi8"),
        _cast("itof", "mode", only.format("nearest_even"), "4xi32", "4xf32", rounding_mode="zero"),
        _cast(
            "itof",
            "e8m0",
            "integer to f8E8M0FNU conversion is not supported, please first convert to another float type",
            "4xi32",
            "4xf8E8M0FNU",
        ),
        _cast(
            "itof",
            "float",
            "operand #0 must be tile of i1 or i8 or i16 or i32 or i64 values, but got"
            " '!cuda_tile.tile<4xf32>'",
            "4xf32",
            "4xf32",
        ),
        _cast("itof", "shape", FROM_TO, "4xi32", "8xf32"),
        _cast("ftoi", "mode", only.format("nearest_int_to_zero"), "4xf32", "4xi32", rounding_mode="zero"),
        _cast(
            "ftoi",
            "integer",
            f"operand #0 must be {FLOAT}, but got '!cuda_tile.tile<4xi32>'",
            "4xi32",
            "4xi32",
        ),
        _cast("ftoi", "shape", FROM_TO, "4xf32", "8xi32"),
        _cast(
            "ftof",
            "integer",
            f"operand #0 must be {FLOAT}, but got '!cuda_tile.tile<4xi32>'",
            "4xi32",
            "4xf32",
        ),
        _cast("ftof", "shape", FROM_TO, "4xf32", "8xf16"),
        _cast("ftof", "same", "converting tiles must not be a no-op", "4xf32", "4xf32"),
    ]


E8M0 = (
    ("zero", "positive_inf"),
    " for conversion to f8E8M0FNU. Only 'zero' and 'positive_inf' are supported",
)
LOW = (("nearest_even",), " for conversion to low-precision type. Only 'nearest_even' is supported")
TF32 = (
    ("nearest_even", "zero", "nearest_away"),
    " for conversion from f32 to tf32. Only 'nearest_even', 'zero', and 'nearest_away' are supported",
)
F64_F32 = (
    ("nearest_even", "zero", "negative_inf", "positive_inf"),
    " for conversion from f64 to f32. Only 'nearest_even', 'zero', 'negative_inf', and 'positive_inf' are supported",
)
NARROWING = (
    ("nearest_even", "zero"),
    ". Only 'nearest_even' and 'zero' are supported for narrowing conversions to standard types",
)
WIDENING = (
    ("nearest_even", "zero", "negative_inf", "positive_inf", "nearest_away"),
    " for widening conversion. Only IEEE float rounding modes are supported: 'nearest_even', 'zero', 'negative_inf',"
    " 'positive_inf', 'nearest_away'",
)
CONVERSIONS = {
    ("f32", "f8E8M0FNU"): E8M0,
    ("f4E2M1FN", "f8E8M0FNU"): E8M0,
    ("f32", "f8E4M3FN"): LOW,
    ("f64", "f8E5M2"): LOW,
    ("f16", "f4E2M1FN"): LOW,
    ("f4E2M1FN", "f8E4M3FN"): LOW,
    ("bf16", "fnv8E5M3FNU"): LOW,
    ("f32", "tf32"): TF32,
    ("f64", "f32"): F64_F32,
    ("f64", "tf32"): NARROWING,
    ("f32", "f16"): NARROWING,
    ("f32", "bf16"): NARROWING,
    ("f16", "bf16"): NARROWING,
    ("bf16", "f16"): NARROWING,
    ("tf32", "f16"): NARROWING,
    ("tf32", "bf16"): NARROWING,
    ("f8E8M0FNU", "f32"): NARROWING,
    ("f8E8M0FNU", "f16"): NARROWING,
    ("fnv8E5M3FNU", "f16"): NARROWING,
    ("f16", "f32"): WIDENING,
    ("f16", "tf32"): WIDENING,
    ("tf32", "f32"): WIDENING,
    ("f32", "f64"): WIDENING,
    ("f8E8M0FNU", "f64"): WIDENING,
    ("fnv8E5M3FNU", "bf16"): WIDENING,
    ("f8E5M2", "f16"): WIDENING,
    ("f4E2M1FN", "bf16"): WIDENING,
}
"""Pairs of every class with the modes they take and what is said about any other mode."""


def _float_conversions() -> list[Broken]:
    return [
        _cast("ftof", f"{a}-{b}-{mode}", MODE + text, f"4x{a}", f"4x{b}", rounding_mode=mode)
        for (a, b), (modes, text) in CONVERSIONS.items()
        for mode in MODES
        if mode not in modes
    ]


def _bits() -> list[Broken]:
    width = "types must be equal width, cannot convert '!cuda_tile.tile<4x{}>' of width {} to type"
    width += " '!cuda_tile.tile<4x{}>' of width {}"
    pointer = "tile of Pointer type values, but got '!cuda_tile.tile<4xi64>'"
    size = "expects source and result to have the same size in bytes, but got source tile size {} bytes and result tile"
    size += " size {} bytes"
    ranks = "failed to verify that all of {source, result} have same rank"
    flat, widths = (
        "expects source and result to be rank-1 tiles",
        "expects source and result to have different element",
    )
    widths += " type widths"
    i64 = "tile of i64 values, but got '!cuda_tile.tile<4xi32>'"
    return [
        _cast("bitcast", "width", width.format("f32", 32, "f16", 16), "4xf32", "4xf16"),
        _cast("bitcast", "tf32", width.format("tf32", 19, "i32", 32), "4xtf32", "4xi32"),
        _cast("bitcast", "shape", SOURCE_RESULT, "4xf32", "8xi32"),
        _cast(
            "bitcast",
            "pointer",
            f"operand #0 must be {NUMBER}, but got '!cuda_tile.tile<4xptr<f32>>'",
            "4xptr<f32>",
            "4xi64",
        ),
        _cast("int_to_ptr", "i32", "operand #0 must be " + i64, "4xi32", "4xptr<f32>"),
        _cast("int_to_ptr", "shape", SOURCE_RESULT, "4xi64", "8xptr<f32>"),
        _cast("ptr_to_int", "i32", "result #0 must be " + i64, "4xptr<f32>", "4xi32"),
        _cast("ptr_to_int", "shape", SOURCE_RESULT, "4xptr<f32>", "8xi64"),
        _cast("ptr_to_ptr", "shape", SOURCE_RESULT, "4xptr<f32>", "8xptr<i32>"),
        _cast("ptr_to_ptr", "integer", "operand #0 must be " + pointer, "4xi64", "4xptr<f32>"),
        _cast("pack", "rank2", ranks, "4x4xi32", "64xi8"),
        _cast("pack", "rank0", flat, "i32", "i8"),
        _cast("pack", "same-width", widths, "16xf8E5M2", "16xi8"),
        _cast("pack", "bytes", "expects source tile to be byte-aligned", "4xi1", "1xi8"),
        _cast("pack", "size", size.format(8, 4), "4xi16", "4xi8"),
        _cast(
            "pack",
            "result-i16",
            "result #0 must be tile of i8 values, but got '!cuda_tile.tile<32xi16>'",
            "16xi32",
            "32xi16",
        ),
        _cast(
            "pack",
            "pointer",
            f"operand #0 must be {NUMBER.replace(' values', ' or i4 values')}, but got"
            " '!cuda_tile.tile<4xptr<f32>>'",
            "4xptr<f32>",
            "4xi8",
        ),
        _cast("unpack", "rank2", ranks, "64xi8", "4x4xi32"),
        _cast("unpack", "rank0", flat, "i8", "i32"),
        _cast("unpack", "same-width", widths, "16xi8", "16xf8E5M2"),
        _cast("unpack", "bytes", "expects result tile to be byte-aligned", "1xi8", "4xi1"),
        _cast("unpack", "size", size.format(4, 8), "4xi8", "4xi16"),
    ]


def _legal() -> list[Legal]:
    def cast(op: str, source: str, target: str, name: str = "", **more: Any) -> Legal:
        return legal(op, f"{source}-{target}{name}", **_given(op, source, target, **more))

    widths = ("i1", "i4", "i8", "i16", "i32", "i64")
    pairs = [(a, b) for at, a in enumerate(widths) for b in widths[at + 1 :]]
    rows = [cast("exti", f"4x{a}", f"4x{b}", signedness="unsigned") for a, b in pairs]
    rows += [cast("trunci", f"4x{b}", f"4x{a}", overflow="no_wrap") for a, b in pairs]
    rows += [cast("itof", f"4x{a}", f"4x{b}") for a in INTEGERS for b in FLOATS if b != "f8E8M0FNU"]
    rows += [cast("ftoi", f"4x{b}", f"4x{a}", saturating=True) for a in INTEGERS for b in FLOATS]
    rows += [
        cast("ftof", f"2x{a}", f"2x{b}", f"-{mode}", rounding_mode=mode)
        for (a, b), (modes, _) in CONVERSIONS.items()
        for mode in modes
    ]
    rows += [
        cast("bitcast", "4xf32", "4xi32"),
        cast("bitcast", "4xf8E5M2", "4xi8"),
        cast("bitcast", "4xf16", "4xbf16"),
    ]
    rows += [
        cast("int_to_ptr", "4xi64", "4xptr<f32>"),
        cast("int_to_ptr", "i64", "ptr<f32,multicast>"),
        cast("ptr_to_int", "4xptr<f32>", "4xi64"),
        cast("ptr_to_ptr", "ptr<f32,multicast>", "ptr<i8>"),
    ]
    packed = {"8xi1": "1xi8", "4xi4": "2xi8", "4xf4E2M1FN": "2xi8", "4xtf32": "16xi8", "4xf64": "32xi8"}
    rows += [cast("pack", a, b) for a, b in packed.items()]
    return rows + [cast("unpack", b, a) for a, b in packed.items()]


BROKEN = [*_integers(), *_float_conversions(), *_bits()]
LEGAL = _legal()


@pytest.mark.parametrize("row", BROKEN, ids=ids(BROKEN))
def test_broken(row: Broken) -> None:
    row.check()


@pytest.mark.parametrize("row", LEGAL, ids=ids(LEGAL))
def test_legal(row: Legal) -> None:
    row.check()
