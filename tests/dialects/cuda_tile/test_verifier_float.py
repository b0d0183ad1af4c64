"""Rules of float arithmetic."""

from __future__ import annotations

from typing import Any

import pytest

from tests.dialects.cuda_tile.scratch import Broken, Legal, broken, ids, legal

BASE = "tile of f16 or bf16 or f32 or f64 values"
BASE_FLOATS = ("f16", "bf16", "f32", "f64")
IEEE = ("nearest_even", "zero", "negative_inf", "positive_inf")
IEEE_TEXT = "invalid rounding mode specified, expect one of [nearest_even, zero, negative_inf, positive_inf"
FTZ = "flush_to_zero modifier only supported for f32 data type, but got: "

UNARY = ("absf", "negf", "ceil", "floor", "cos", "cosh", "sin", "sinh", "tan", "log", "log2", "exp2", "rsqrt")
ROUNDED: dict[str, tuple[str, ...]] = {
    "addf": ("lhs", "rhs"),
    "subf": ("lhs", "rhs"),
    "mulf": ("lhs", "rhs"),
    "divf": ("lhs", "rhs"),
    "fma": ("lhs", "rhs", "acc"),
    "sqrt": ("source",),
}
PLAIN: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(UNARY, ("source",)),
    **dict.fromkeys(("maxf", "minf", "remf"), ("lhs", "rhs")),
    "atan2": ("x", "y"),
    "pow": ("source", "exponent"),
    "exp": ("source",),
    "tanh": ("source",),
}
LISTED = {"pow": ("result", "source", "exponent")}
"""Fields in the order of the diagnostic, where it is not that of operands and result."""


def _given(op: str, spec: str, **more: Any) -> dict[str, Any]:
    mode = {"rounding_mode": "nearest_even"} if op in ROUNDED else {}
    names = ROUNDED.get(op) or PLAIN[op]
    return {**mode, **dict.fromkeys(names, spec), "results": [spec], **more}


def _types() -> list[Broken]:
    rows: list[Broken] = []
    for op, names in (PLAIN | ROUNDED).items():
        for spec in ("4xi32", "4xf8E4M3FN", "4xtf32", "4xptr<f32>"):
            text = f"operand #0 must be {BASE}, but got '!cuda_tile.tile<{spec}>'"
            rows.append(broken(op, spec, text, **_given(op, spec)))
        listed = ", ".join(LISTED.get(op, (*names, "result")))
        same = f"failed to verify that all of {{{listed}}} have same type"
        rows.append(broken(op, "result-shape", same, **_given(op, "4xf32", results=["8xf32"])))
        rows.append(broken(op, "result-element", same, **_given(op, "4xf32", results=["4xf16"])))
        if len(names) > 1:
            rows.append(broken(op, "operand-shape", same, **_given(op, "4xf32", **{names[1]: "8xf32"})))
    token = f"operand #0 must be {BASE}, but got '!cuda_tile.token'"
    rows.append(broken("absf", "token", token, source="token", results=["token"]))
    return rows


def _modifiers() -> list[Broken]:
    rows: list[Broken] = []
    for op in ("addf", "subf", "mulf", "fma"):
        rows += [
            broken(op, mode, IEEE_TEXT + "]", **_given(op, "4xf32", rounding_mode=mode))
            for mode in ("approx", "full", "nearest_int_to_zero", "nearest_away")
        ]
    for op, tail in (("divf", ", approx, full]"), ("sqrt", ", approx]")):
        rows.append(broken(op, "away", IEEE_TEXT + tail, **_given(op, "4xf32", rounding_mode="nearest_away")))
    rows.append(
        broken("sqrt", "full", IEEE_TEXT + ", approx]", **_given("sqrt", "4xf32", rounding_mode="full"))
    )
    for op, mode in (
        ("divf", "approx"),
        ("divf", "full"),
        ("sqrt", "approx"),
        ("exp", "approx"),
        ("tanh", "approx"),
    ):
        text = f"{mode} modifier only supported for f32 data type, but got: 'f16'"
        rows.append(broken(op, f"{mode}-f16", text, **_given(op, "4xf16", rounding_mode=mode)))
    for op in ("exp", "tanh"):
        text = "invalid rounding mode specified, expect one of [approx, full]"
        rows.append(broken(op, "zero", text, **_given(op, "4xf16", rounding_mode="zero")))
    for op in (*ROUNDED, "exp2", "rsqrt", "maxf", "minf"):
        rows += [
            broken(op, f"ftz-{t}", f"{FTZ}'{t}'", **_given(op, f"4x{t}", flush_to_zero=True))
            for t in ("f16", "bf16", "f64")
        ]
    both = _given("divf", "f16", rounding_mode="approx", flush_to_zero=True)
    rows.append(broken("divf", "ftz-and-approx", FTZ + "'f16'", **both))
    return rows


def _mixed() -> list[Broken]:
    exponent = "operand #1 must be tile of i1 or i8 or i16 or i32 values, but got '!cuda_tile.tile<4x{}>'"
    less = {"comparison_predicate": "less_than", "comparison_ordering": "ordered", "lhs": "4xf32"}
    shape = "failed to verify that Result type has i1 element type and same shape as operands"
    operands = "failed to verify that all of {lhs, rhs} have same type"
    return [
        broken("fpowi", "exponent-i64", exponent.format("i64"), source="4xf32", exponent="4xi64"),
        broken("fpowi", "exponent-float", exponent.format("f32"), source="4xf32", exponent="4xf32"),
        broken(
            "fpowi",
            "shapes",
            "failed to verify that all of {source, exponent} have same shape",
            source="4xf32",
            exponent="8xi32",
        ),
        broken(
            "fpowi",
            "result",
            "failed to verify that all of {result, source} have same type",
            source="4xf32",
            exponent="4xi32",
            results=["8xf32"],
        ),
        broken(
            "cmpf",
            "integer",
            f"operand #0 must be {BASE}, but got '!cuda_tile.tile<4xi32>'",
            **{**less, "lhs": "4xi32", "rhs": "4xi32"},
        ),
        broken("cmpf", "operands", operands, **less, rhs="4xf16"),
        broken(
            "cmpf",
            "result-i8",
            "result #0 must be tile of i1 values, but got '!cuda_tile.tile<4xi8>'",
            **less,
            rhs="4xf32",
            results=["4xi8"],
        ),
        broken("cmpf", "result-shape", shape, **less, rhs="4xf32", results=["8xi1"]),
    ]


def _legal() -> list[Legal]:
    rows = [legal(op, t, **_given(op, f"4x8x{t}")) for op in PLAIN | ROUNDED for t in BASE_FLOATS]
    for op in ROUNDED:
        rows += [legal(op, f"{t}-{m}", **_given(op, t, rounding_mode=m)) for t in BASE_FLOATS for m in IEEE]
    for op in (*ROUNDED, "exp2", "rsqrt", "maxf", "minf"):
        rows.append(legal(op, "ftz", **_given(op, "4xf32", flush_to_zero=True)))
    for op, mode in (
        ("divf", "approx"),
        ("divf", "full"),
        ("sqrt", "approx"),
        ("exp", "approx"),
        ("tanh", "approx"),
    ):
        rows.append(legal(op, mode, **_given(op, "4xf32", rounding_mode=mode)))
    rows += [
        legal(op, f"full-{t}", **_given(op, t, rounding_mode="full"))
        for op in ("exp", "tanh")
        for t in BASE_FLOATS
    ]
    rows += [legal(op, "nan", **_given(op, "f64", propagate_nan=True)) for op in ("maxf", "minf")]
    rows += [legal("fpowi", e, source="2x4xbf16", exponent=f"2x4x{e}") for e in ("i1", "i8", "i16", "i32")]
    rows += [
        legal(
            "cmpf",
            t,
            comparison_predicate="equal",
            comparison_ordering="unordered",
            lhs=f"4x{t}",
            rhs=f"4x{t}",
        )
        for t in BASE_FLOATS
    ]
    return rows


BROKEN = [*_types(), *_modifiers(), *_mixed()]
LEGAL = _legal()


@pytest.mark.parametrize("row", BROKEN, ids=ids(BROKEN))
def test_broken(row: Broken) -> None:
    row.check()


@pytest.mark.parametrize("row", LEGAL, ids=ids(LEGAL))
def test_legal(row: Legal) -> None:
    row.check()
