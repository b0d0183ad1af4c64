"""Broken element-wise, comparison and conversion ops."""

from __future__ import annotations

from typing import Any

from tests.support.invalid.invalid_sample import Invalid, bad
from tests.support.real.real_ops_arith import (
    BINARY_INTEGER,
    SIGNED_INTEGER,
    UNARY_FLOAT,
    WRAPPING_INTEGER,
    same,
)

BASE_FLOAT = "must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<4x{}>'"
INTEGER = "must be tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<4x{}>'"
NARROW_INTEGER = "must be tile of i1 or i8 or i16 or i32 or i64 or i4 values, but got"
ANY_FLOAT = (
    "must be tile of f16 or bf16 or f32 or f64 or tf32 or f8E4M3FN or f8E5M2 or f8E8M0FNU or f4E2M1FN or fnv8E5M3FNU"
    " values, but got '!cuda_tile.tile<4xi32>'"
)
IEEE_TEXT = "invalid rounding mode specified, expect one of [nearest_even, zero, negative_inf, positive_inf]"
FTZ = "flush_to_zero modifier only supported for f32 data type, but got: "


def _same_type(*names: str) -> str:
    return f"failed to verify that all of {{{', '.join(names)}}} have same type"


def _operand_types() -> list[Invalid]:
    rows = [
        bad(op, "integer", "operand #0 " + BASE_FLOAT.format("i32"), **same("4xi32", "source"))
        for op in (*UNARY_FLOAT, "exp2", "rsqrt")
    ]
    rows += [
        bad(
            op,
            "integer",
            "operand #0 " + BASE_FLOAT.format("i32"),
            rounding_mode=mode,
            **same("4xi32", "source"),
        )
        for op, mode in (("exp", "full"), ("tanh", "full"), ("sqrt", "nearest_even"))
    ]
    pairs = dict.fromkeys(("addf", "subf", "mulf", "divf", "maxf", "minf", "remf"), ("lhs", "rhs"))
    pairs |= {"pow": ("source", "exponent"), "atan2": ("x", "y"), "fma": ("lhs", "rhs", "acc")}
    for op, names in pairs.items():
        rows.append(bad(op, "integer", "operand #0 " + BASE_FLOAT.format("i32"), **same("4xi32", *names)))
        rows.append(
            bad(op, "f8", "operand #0 " + BASE_FLOAT.format("f8E4M3FN"), **same("4xf8E4M3FN", *names))
        )
        shapes: dict[str, Any] = dict(zip(names, ("4xf32", "8xf32", "4xf32"), strict=False))
        rows.append(bad(op, "shapes", "have same type", result_type="4xf32", **shapes))
        mixed: dict[str, Any] = dict(zip(names, ("4xf32", "4xf16", "4xf32"), strict=False))
        rows.append(bad(op, "elements", "have same type", result_type="4xf32", **mixed))
    for op in (*BINARY_INTEGER, *SIGNED_INTEGER, *WRAPPING_INTEGER, "divi"):
        names = ("x", "y") if op == "mulhii" else ("lhs", "rhs")
        extra: dict[str, Any] = {"rounding": "zero"} if op == "divi" else {}
        rows.append(bad(op, "float", "operand #0 " + INTEGER.format("f32"), **same("4xf32", *names), **extra))
        rows.append(bad(op, "i4", "operand #0 " + INTEGER.format("i4"), **same("4xi4", *names), **extra))
        shapes = {"result_type": "4xi32", names[0]: "4xi32", names[1]: "8xi32"}
        listed = ("result", *names) if op == "remi" else (*names, "result")
        rows.append(bad(op, "shapes", _same_type(*listed), **shapes, **extra))
    rows += [
        bad(op, "float", "operand #0 " + INTEGER.format("f32"), **same("4xf32", "source"))
        for op in ("absi", "negi")
    ]
    rows += [
        bad(op, "result", "have same type", result_type="8xi32", source="4xi32") for op in ("absi", "negi")
    ]
    rows += [bad(op, "result", "have same type", result_type="8xf32", source="4xf32") for op in UNARY_FLOAT]
    return rows


def _modifiers() -> list[Invalid]:
    rows: list[Invalid] = []
    for op in ("addf", "subf", "mulf", "fma"):
        names = ("lhs", "rhs", "acc") if op == "fma" else ("lhs", "rhs")
        rows.append(bad(op, "approx", IEEE_TEXT, rounding_mode="approx", **same("4xf32", *names)))
        rows.append(bad(op, "nearest_away", IEEE_TEXT, rounding_mode="nearest_away", **same("4xf32", *names)))
        rows.append(bad(op, "ftz-f16", FTZ + "'f16'", flush_to_zero=True, **same("4xf16", *names)))
    return rows


def _other_modifiers() -> list[Invalid]:
    pair = ("lhs", "rhs")
    rows = [
        bad(op, "ftz-f16", FTZ + "'f16'", flush_to_zero=True, **same("4xf16", *pair))
        for op in ("maxf", "minf")
    ]
    rows += [
        bad(op, "ftz-f64", FTZ + "'f64'", flush_to_zero=True, **same("4xf64", "source"))
        for op in ("exp2", "rsqrt")
    ]
    rows += [
        bad(
            "divf",
            "away",
            "positive_inf, approx, full]",
            rounding_mode="nearest_away",
            **same("4xf32", *pair),
        ),
        bad(
            "divf",
            "approx-f64",
            "approx modifier only supported for f32 data type, but got: 'f64'",
            rounding_mode="approx",
            **same("4xf64", *pair),
        ),
        bad(
            "divf",
            "full-f16",
            "full modifier only supported for f32 data type, but got: 'f16'",
            rounding_mode="full",
            **same("4xf16", *pair),
        ),
        bad("divf", "ftz-f16", FTZ + "'f16'", flush_to_zero=True, **same("4xf16", *pair)),
        bad("sqrt", "full", "positive_inf, approx]", rounding_mode="full", **same("4xf32", "source")),
        bad(
            "sqrt",
            "approx-f16",
            "approx modifier only supported for f32 data type, but got: 'f16'",
            rounding_mode="approx",
            **same("4xf16", "source"),
        ),
        bad("sqrt", "ftz-bf16", FTZ + "'bf16'", flush_to_zero=True, **same("4xbf16", "source")),
    ]
    return rows


def _restricted_modes() -> list[Invalid]:
    pair = ("lhs", "rhs")
    rows: list[Invalid] = []
    for op in ("exp", "tanh"):
        rows.append(
            bad(
                op,
                "zero",
                "invalid rounding mode specified, expect one of [approx, full]",
                rounding_mode="zero",
                **same("4xf32", "source"),
            )
        )
        rows.append(
            bad(
                op,
                "approx-f16",
                "approx modifier only supported for f32 data type, but got: 'f16'",
                rounding_mode="approx",
                **same("4xf16", "source"),
            )
        )
    for mode in ("nearest_even", "approx", "nearest_int_to_zero"):
        rows.append(
            bad(
                "divi",
                f"rounding-{mode}",
                "expect one of [zero, negative_inf, positive_inf]",
                rounding=mode,
                **same("4xi32", *pair),
            )
        )
    rows.append(
        bad(
            "divi",
            "unsigned-floor",
            "rounding mode 'negative_inf' is not allowed with 'unsigned' flag",
            rounding="negative_inf",
            signedness="unsigned",
            **same("4xi32", *pair),
        )
    )
    for flag in ("no_unsigned_wrap", "no_wrap"):
        rows.append(
            bad(
                "negi",
                flag,
                "'no_unsigned_wrap' overflow flag is not supported",
                overflow=flag,
                **same("4xi32", "source"),
            )
        )
    return rows


_MIXED_LESS: dict[str, Any] = {"comparison_predicate": "less_than"}
_MIXED_SHAPE = "failed to verify that Result type has i1 element type and same shape as operands"
_MIXED: tuple[Invalid, ...] = (
    bad(
        "fpowi",
        "exponent-i64",
        "operand #1 must be",
        result_type="4xf32",
        source="4xf32",
        exponent="4xi64",
    ),
    bad(
        "fpowi",
        "exponent-float",
        "operand #1 must be",
        result_type="4xf32",
        source="4xf32",
        exponent="4xf32",
    ),
    bad("fpowi", "shapes", "have same shape", result_type="4xf32", source="4xf32", exponent="8xi32"),
    bad("fpowi", "result", "have same type", result_type="8xf32", source="4xf32", exponent="4xi32"),
    bad(
        "cmpf",
        "result-i8",
        "result #0 must be tile of i1 values",
        result_type="4xi8",
        lhs="4xf32",
        rhs="4xf32",
        comparison_ordering="ordered",
        **_MIXED_LESS,
    ),
    bad(
        "cmpf",
        "result-shape",
        _MIXED_SHAPE,
        result_type="8xi1",
        lhs="4xf32",
        rhs="4xf32",
        comparison_ordering="ordered",
        **_MIXED_LESS,
    ),
    bad(
        "cmpf",
        "integer",
        "operand #0 must be",
        result_type="4xi1",
        lhs="4xi32",
        rhs="4xi32",
        comparison_ordering="ordered",
        **_MIXED_LESS,
    ),
    bad(
        "cmpf",
        "operands",
        "all of {lhs, rhs} have same type",
        result_type="4xi1",
        lhs="4xf32",
        rhs="4xf16",
        comparison_ordering="ordered",
        **_MIXED_LESS,
    ),
    bad(
        "cmpi",
        "result-i8",
        "result #0 must be tile of i1 values",
        result_type="4xi8",
        lhs="4xi32",
        rhs="4xi32",
        **_MIXED_LESS,
    ),
    bad("cmpi", "result-shape", _MIXED_SHAPE, result_type="8xi1", lhs="4xi32", rhs="4xi32", **_MIXED_LESS),
    bad("cmpi", "float", "operand #0 must be", result_type="4xi1", lhs="4xf32", rhs="4xf32", **_MIXED_LESS),
    bad(
        "cmpi",
        "operands",
        "all of {lhs, rhs} have same type",
        result_type="4xi1",
        lhs="4xi32",
        rhs="4xi64",
        **_MIXED_LESS,
    ),
)


def _conversion(op: str, name: str, source: str, target: str, fragment: str, **more: Any) -> Invalid:
    return bad(op, name, fragment, to_type=target, from_=source, **more)


def _conversions() -> list[Invalid]:
    itof_mode = "invalid rounding mode specified. Only 'nearest_even' is supported"
    ftoi_mode = "invalid rounding mode specified. Only 'nearest_int_to_zero' is supported"
    away: dict[str, Any] = {"rounding_mode": "nearest_int_to_zero"}
    return [
        bad(
            "bitcast",
            "width",
            "types must be equal width, cannot convert '!cuda_tile.tile<4xf32>' of width 32 to type"
            " '!cuda_tile.tile<4xf16>' of width 16",
            result_type="4xf16",
            source="4xf32",
        ),
        bad("bitcast", "shape", "have same shape", result_type="8xi32", source="4xf32"),
        bad("bitcast", "pointer", "operand #0 must be", result_type="4xi64", source="4xptr<f32>"),
        _conversion("exti", "same", "4xi32", "4xi32", "extending to smaller or identical integer"),
        _conversion("exti", "smaller", "4xi32", "4xi8", "extending to smaller or identical integer"),
        _conversion("exti", "float", "4xf32", "4xi64", NARROW_INTEGER),
        _conversion("exti", "shape", "4xi32", "8xi64", "have same shape"),
        _conversion("trunci", "same", "4xi32", "4xi32", "truncating to larger or identical integer"),
        _conversion("trunci", "larger", "4xi8", "4xi32", "truncating to larger or identical integer"),
        _conversion("trunci", "float", "4xi64", "4xf32", NARROW_INTEGER),
        _conversion("trunci", "shape", "4xi32", "8xi8", "have same shape"),
        _conversion("itof", "mode", "4xi32", "4xf32", itof_mode, rounding_mode="zero"),
        _conversion(
            "itof",
            "e8m0",
            "4xi32",
            "4xf8E8M0FNU",
            "integer to f8E8M0FNU conversion is not supported, please first convert to another float type",
        ),
        _conversion("itof", "float", "4xf32", "4xf32", "operand #0 must be"),
        _conversion("itof", "shape", "4xi32", "8xf32", "have same shape"),
        _conversion("ftoi", "mode", "4xf32", "4xi32", ftoi_mode),
        _conversion("ftoi", "integer", "4xi32", "4xi32", "operand #0 " + ANY_FLOAT, **away),
        _conversion("ftoi", "shape", "4xf32", "8xi32", "have same shape", **away),
        _conversion("ftof", "integer", "4xi32", "4xf32", "operand #0 " + ANY_FLOAT),
        _conversion("ftof", "shape", "4xf32", "8xf16", "have same shape"),
        _conversion("ftof", "same", "4xf32", "4xf32", "converting tiles must not be a no-op"),
    ]


def _rounded_conversions() -> list[Invalid]:
    only = "invalid rounding mode specified for "
    modes = (
        (
            "f32",
            "f8E8M0FNU",
            "nearest_even",
            only + "conversion to f8E8M0FNU. Only 'zero' and 'positive_inf' are supported",
        ),
        (
            "f32",
            "f8E4M3FN",
            "zero",
            only + "conversion to low-precision type. Only 'nearest_even' is supported",
        ),
        (
            "f16",
            "f4E2M1FN",
            "positive_inf",
            only + "conversion to low-precision type. Only 'nearest_even' is supported",
        ),
        (
            "f32",
            "tf32",
            "positive_inf",
            only + "conversion from f32 to tf32. Only 'nearest_even', 'zero', and"
            " 'nearest_away' are supported",
        ),
        (
            "f64",
            "f32",
            "nearest_away",
            only + "conversion from f64 to f32. Only 'nearest_even', 'zero',"
            " 'negative_inf', and 'positive_inf' are supported",
        ),
        (
            "f32",
            "f16",
            "negative_inf",
            "invalid rounding mode specified. Only 'nearest_even' and 'zero' are supported"
            " for narrowing conversions to standard types",
        ),
        ("f8E8M0FNU", "f32", "positive_inf", "for narrowing conversions to standard types"),
        ("fnv8E5M3FNU", "f16", "positive_inf", "for narrowing conversions to standard types"),
        ("f16", "f32", "approx", only + "widening conversion. Only IEEE float rounding modes are supported:"),
    )
    return [
        _conversion("ftof", f"{a}-{b}-{mode}", f"4x{a}", f"4x{b}", text, rounding_mode=mode)
        for a, b, mode, text in modes
    ]


_POINTER_CONVERSIONS: tuple[Invalid, ...] = (
    bad(
        "int_to_ptr",
        "i32",
        "operand #0 must be tile of i64 values",
        result_type="4xptr<f32>",
        source="4xi32",
    ),
    bad("int_to_ptr", "shape", "have same shape", result_type="8xptr<f32>", source="4xi64"),
    bad("int_to_ptr", "result", "result #0 must be", result_type="4xf32", source="4xi64"),
    bad(
        "ptr_to_int",
        "i32",
        "result #0 must be tile of i64 values",
        result_type="4xi32",
        source="4xptr<f32>",
    ),
    bad("ptr_to_int", "shape", "have same shape", result_type="8xi64", source="4xptr<f32>"),
    bad("ptr_to_ptr", "shape", "have same shape", result_type="8xptr<f32>", source="4xptr<i32>"),
    bad("ptr_to_ptr", "integer", "operand #0 must be", result_type="4xptr<f32>", source="4xi64"),
    bad(
        "pack",
        "rank2",
        "expects source and result to be rank-1 tiles",
        result_type="4x16xi8",
        source="4x4xi32",
    ),
    bad(
        "pack",
        "same-width",
        "expects source and result to have different element type widths",
        result_type="16xi8",
        source="16xf8E5M2",
    ),
    bad("pack", "bytes", "expects source tile to be byte-aligned", result_type="1xi8", source="4xi1"),
    bad("pack", "result-i16", "result #0 must be", result_type="32xi16", source="16xi32"),
    bad(
        "pack",
        "size",
        "expects source and result to have the same size in bytes, but got source tile size 8 bytes"
        " and result tile size 4 bytes",
        result_type="4xi8",
        source="4xi16",
    ),
    bad(
        "unpack",
        "rank2",
        "expects source and result to be rank-1 tiles",
        result_type="4x4xi32",
        source="4x16xi8",
    ),
    bad(
        "unpack",
        "same-width",
        "expects source and result to have different element type widths",
        result_type="16xf8E5M2",
        source="16xi8",
    ),
    bad("unpack", "bytes", "expects result tile to be byte-aligned", result_type="4xi1", source="1xi8"),
    bad(
        "unpack",
        "size",
        "expects source and result to have the same size in bytes, but got source tile size 4"
        " bytes and result tile size 8 bytes",
        result_type="4xi16",
        source="4xi8",
    ),
)


def rows() -> list[Invalid]:
    """Every row of this family."""
    return [
        *_operand_types(),
        *_modifiers(),
        *_other_modifiers(),
        *_restricted_modes(),
        *_MIXED,
        *_conversions(),
        *_rounded_conversions(),
        *_POINTER_CONVERSIONS,
    ]
