"""Rules of integer arithmetic."""

from __future__ import annotations

from typing import Any

import pytest

from tests.dialects.cuda_tile.scratch import Broken, Legal, broken, ids, legal

INTEGERS = ("i1", "i8", "i16", "i32", "i64")
INTEGER = "tile of i1 or i8 or i16 or i32 or i64 values"
SIGNED = ("divi", "remi", "maxi", "mini", "shri")
BINARY = ("addi", "subi", "muli", "shli", "andi", "ori", "xori", "mulhii", *SIGNED)
OVERFLOWING = ("addi", "subi", "muli", "shli", "negi")
OVERFLOWS = ("none", "no_signed_wrap", "no_unsigned_wrap", "no_wrap")
LISTED = {"remi": "result, lhs, rhs", "mulhii": "x, y, result"}
ROUNDING = "invalid rounding mode specified, expect one of [zero, negative_inf, positive_inf]"


def _names(op: str) -> tuple[str, ...]:
    return ("source",) if op in ("absi", "negi") else ("x", "y") if op == "mulhii" else ("lhs", "rhs")


def _given(op: str, spec: str, **more: Any) -> dict[str, Any]:
    sign = {"signedness": "signed"} if op in SIGNED else {}
    return {**sign, **dict.fromkeys(_names(op), spec), "results": [spec], **more}


def _broken() -> list[Broken]:
    rows: list[Broken] = []
    for op in (*BINARY, "absi", "negi"):
        for spec in ("4xf32", "4xi4", "4xptr<i32>"):
            text = f"operand #0 must be {INTEGER}, but got '!cuda_tile.tile<{spec}>'"
            rows.append(broken(op, spec, text, **_given(op, spec)))
        listed = LISTED.get(op, ", ".join((*_names(op), "result")))
        same = f"failed to verify that all of {{{listed}}} have same type"
        rows.append(broken(op, "result", same, **_given(op, "4xi32", results=["8xi32"])))
        if op in BINARY:
            rows.append(broken(op, "operands", same, **_given(op, "4xi32", **{_names(op)[1]: "4xi64"})))
    rows += [
        broken("divi", mode, ROUNDING, **_given("divi", "4xi32", rounding=mode))
        for mode in ("nearest_even", "approx", "full", "nearest_int_to_zero", "nearest_away")
    ]
    rows += [
        broken(
            "divi",
            "unsigned-floor",
            "rounding mode 'negative_inf' is not allowed with 'unsigned' flag",
            **_given("divi", "4xi32", rounding="negative_inf", signedness="unsigned"),
        ),
        broken(
            "negi",
            "unsigned",
            "'no_unsigned_wrap' overflow flag is not supported",
            **_given("negi", "4xi32", overflow="no_unsigned_wrap"),
        ),
    ]
    return rows


def _comparisons() -> list[Broken]:
    less = {"comparison_predicate": "less_than", "signedness": "signed", "lhs": "4xi32"}
    return [
        broken(
            "cmpi",
            "float",
            f"operand #0 must be {INTEGER}, but got '!cuda_tile.tile<4xf32>'",
            **{**less, "lhs": "4xf32", "rhs": "4xf32"},
        ),
        broken(
            "cmpi", "operands", "failed to verify that all of {lhs, rhs} have same type", **less, rhs="4xi64"
        ),
        broken(
            "cmpi",
            "result-i8",
            "result #0 must be tile of i1 values, but got '!cuda_tile.tile<4xi8>'",
            **less,
            rhs="4xi32",
            results=["4xi8"],
        ),
        broken(
            "cmpi",
            "result-shape",
            "failed to verify that Result type has i1 element type and same shape as operands",
            **less,
            rhs="4xi32",
            results=["8xi1"],
        ),
    ]


def _legal() -> list[Legal]:
    rows = [legal(op, t, **_given(op, f"4x8x{t}")) for op in (*BINARY, "absi", "negi") for t in INTEGERS]
    rows += [
        legal(op, overflow, **_given(op, "i32", overflow=overflow))
        for op in OVERFLOWING
        for overflow in OVERFLOWS
        if (op, overflow) != ("negi", "no_unsigned_wrap")
    ]
    rows += [legal(op, "unsigned", **_given(op, "i8", signedness="unsigned")) for op in SIGNED]
    rows += [
        legal("divi", m, **_given("divi", "i8", rounding=m)) for m in ("zero", "negative_inf", "positive_inf")
    ]
    up = _given("divi", "i8", rounding="positive_inf", signedness="unsigned")
    rows.append(legal("divi", "unsigned-ceiling", **up))
    rows += [
        legal("cmpi", t, comparison_predicate="equal", signedness="signed", lhs=f"4x{t}", rhs=f"4x{t}")
        for t in INTEGERS
    ]
    return rows


BROKEN = [*_broken(), *_comparisons()]
LEGAL = _legal()


@pytest.mark.parametrize("row", BROKEN, ids=ids(BROKEN))
def test_broken(row: Broken) -> None:
    row.check()


@pytest.mark.parametrize("row", LEGAL, ids=ids(LEGAL))
def test_legal(row: Legal) -> None:
    row.check()
