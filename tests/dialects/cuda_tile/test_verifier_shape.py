"""Rules of constants, shape operations, select and pointer arithmetic."""

from __future__ import annotations

from typing import Any

import pytest

from tests.dialects.cuda_tile.scratch import Broken, Legal, broken, ids, legal, type_of
from tilewright.ir.builtin_attributes import splat

INTEGER = "tile of i1 or i8 or i16 or i32 or i64 values"
NUMBER = INTEGER.removesuffix(" values") + (
    " or f16 or bf16 or f32 or f64 or tf32 or f8E4M3FN or f8E5M2 or f8E8M0FNU or f4E2M1FN or fnv8E5M3FNU values"
)
ELEMENTS = ("i1", "i8", "i32", "f16", "f32", "f8E4M3FN", "f4E2M1FN", "ptr<f32>")


def _permute(name: str, message: str, source: str, permutation: tuple[int, ...], result: str) -> Broken:
    return broken("permute", name, message, source=source, permutation=permutation, results=[result])


def _cat(name: str, message: str, lhs: str, rhs: str, dim: int, result: str) -> Broken:
    return broken("cat", name, message, lhs=lhs, rhs=rhs, dim=dim, results=[result])


def _constants() -> list[Broken]:
    flat = "expects result type to be 1-d tile"
    number = f"result #0 must be {NUMBER}, but got '!cuda_tile.tile<4xi4>'"
    return [
        broken("constant", "i4", number, value=splat(type_of("4xi4"), 1)),
        broken(
            "constant",
            "type",
            "failed to verify that all of {value, result} have same type",
            value=splat(type_of("4xi32"), 1),
            results=["8xi32"],
        ),
        broken("iota", "rank2", flat, results=["4x4xi32"]),
        broken("iota", "rank0", flat, results=["i32"]),
        broken(
            "iota",
            "range",
            "the number of elements 512 exceeds the maximum value of element type 'i8'",
            results=["512xi8"],
        ),
        broken(
            "iota",
            "float",
            f"result #0 must be {INTEGER}, but got '!cuda_tile.tile<4xf32>'",
            results=["4xf32"],
        ),
    ]


def _stretches() -> list[Broken]:
    element = "requires the same element type for all operands and results"
    stretch = "expects the shape of source tile to be compatible with that of the result tile, but got: "
    ranks = "failed to verify that all of {source, result} have same rank"
    return [
        broken("broadcast", "shape", stretch + "4 and 8", source="4xf32", results=["8xf32"]),
        broken("broadcast", "shapes", stretch + "4, 4 and 4, 8", source="4x4xf32", results=["4x8xf32"]),
        broken("broadcast", "rank", ranks, source="8xf32", results=["4x8xf32"]),
        broken("broadcast", "element", element, source="1xf32", results=["8xf16"]),
        broken(
            "broadcast",
            "token",
            "operand #0 must be Tile type, but got '!cuda_tile.token'",
            source="token",
            results=["4xf32"],
        ),
        broken(
            "reshape",
            "count",
            "expected source tile and result tile to have the same number of elements",
            source="4xf32",
            results=["8xf32"],
        ),
        broken("reshape", "element", element, source="4xf32", results=["2x2xf16"]),
        _permute("rank1", "expects at least rank 2, but got: 1", "4xf32", (0,), "4xf32"),
        _permute(
            "size",
            "expect permutation size (3) to equal the rank of the source (2)",
            "4x8xf32",
            (1, 0, 2),
            "8x4xf32",
        ),
        _permute("twice", "expect permutation elements to be unique", "4x8xf32", (1, 1), "8x8xf32"),
        _permute(
            "range", "permutation element at index 0 (5) is out of bound [0, 2)", "4x8xf32", (5, 0), "8x4xf32"
        ),
        _permute(
            "negative",
            "permutation element at index 1 (-1) is out of bound [0, 2)",
            "4x8xf32",
            (0, -1),
            "8x4xf32",
        ),
        _permute(
            "result", "result shape invalid at index 0, expected: 8, but got: 4", "4x8xf32", (1, 0), "4x8xf32"
        ),
        _permute(
            "element",
            "failed to verify that all of {source, result} have the same element type",
            "4x8xf32",
            (1, 0),
            "8x4xf16",
        ),
    ]


def _permutations() -> list[Broken]:
    ranks = "failed to verify that all of {source, result} have same rank"
    return [
        _permute("rank", ranks, "4x8xf32", (1, 0), "32xf32"),
        _cat("dim", "expect dim to be [0, 2), but got: 3", "4x8xf32", "4x8xf32", 3, "4x16xf32"),
        _cat("negative", "expect dim to be [0, 1), but got: -1", "4xf32", "4xf32", -1, "8xf32"),
        _cat("size", "invalid concat at position 0, expected: 8 but got: 4", "4xf32", "4xf32", 0, "4xf32"),
        _cat(
            "operands",
            "expect lhs and rhs shapes to match at non-concat position 0, expected: 4 but got: 2",
            "4x8xf32",
            "2x8xf32",
            1,
            "4x16xf32",
        ),
        _cat(
            "result",
            "expect lhs and result shapes to match at non-concat position 0, expected: 4 but got: 2",
            "4x8xf32",
            "4x8xf32",
            1,
            "2x16xf32",
        ),
        _cat(
            "rank",
            "failed to verify that all of {lhs, rhs, result} have same rank",
            "4xf32",
            "1x4xf32",
            0,
            "8xf32",
        ),
        _cat(
            "element",
            "failed to verify that all of {lhs, rhs, result} have the same element type",
            "4xf32",
            "4xf16",
            0,
            "8xf32",
        ),
    ]


def _slices() -> list[Broken]:
    i32 = ["i32"]
    index = "operand #{} must be variadic of 0D tile of i32 values, but got '!cuda_tile.tile<{}>'"
    element, rank = "source and result element type do not match", "source and result must have the same rank"
    even = "{} dimension 0 size ({}) must be evenly divisible by {} dimension 0 size ({})"

    def extract(name: str, message: str, source: str, result: str, indices: list[str]) -> Broken:
        return broken("extract", name, message, source=source, indices=indices, results=[result])

    def insert(name: str, message: str, source: str, target: str, indices: list[str], **more: Any) -> Broken:
        return broken("insert", name, message, source=source, destination=target, indices=indices, **more)

    return [
        extract(
            "rank",
            "failed to verify that all of {source, result} have same rank",
            "4x8xf32",
            "4xf32",
            i32 * 2,
        ),
        extract("element", element, "8xf32", "4xf16", i32),
        extract("divides", even.format("source", 8, "result", 16), "8xf32", "16xf32", i32),
        extract("few", "expected 2 indices, but got 1", "4x8xf32", "2x4xf32", i32),
        extract("many", "expected 1 indices, but got 2", "8xf32", "4xf32", i32 * 2),
        extract("index-i64", index.format(1, "i64"), "8xf32", "4xf32", ["i64"]),
        extract("index-rank1", index.format(1, "1xi32"), "8xf32", "4xf32", ["1xi32"]),
        insert("divides", even.format("result", 4, "source", 8), "8xf32", "4xf32", i32),
        insert("rank", rank, "4xf32", "4x8xf32", i32 * 2),
        insert("element", element, "4xf16", "8xf32", i32),
        insert("few", "expected 2 indices, but got 1", "2x4xf32", "4x8xf32", i32),
        insert(
            "result",
            "failed to verify that all of {destination, result} have same type",
            "4xf32",
            "8xf32",
            i32,
            results=["16xf32"],
        ),
        insert("index-i64", index.format(2, "i64"), "4xf32", "8xf32", ["i64"]),
    ]


def _selections() -> list[Broken]:
    def select(name: str, message: str, cond: str, first: str, second: str) -> Broken:
        return broken("select", name, message, cond=cond, val_if_true=first, val_if_false=second)

    shapes = "failed to verify that all of {cond, val_if_true, val_if_false, result} have same shape"
    types = "failed to verify that all of {val_if_true, val_if_false, result} have same type"
    return [
        select(
            "condition",
            "operand #0 must be tile of i1 values, but got '!cuda_tile.tile<4xi8>'",
            "4xi8",
            "4xf32",
            "4xf32",
        ),
        select("condition-shape", shapes, "8xi1", "4xf32", "4xf32"),
        select("arms", types, "4xi1", "4xf32", "4xf16"),
        select("f4", "cannot operate on sub-byte type F4E2M1FN", "4xi1", "4xf4E2M1FN", "4xf4E2M1FN"),
        broken(
            "offset",
            "shape",
            "requires the same shape for all operands and results",
            ptr="4xptr<f32>",
            offset="8xi32",
        ),
        broken(
            "offset",
            "float",
            f"operand #1 must be {INTEGER}, but got '!cuda_tile.tile<4xf32>'",
            ptr="4xptr<f32>",
            offset="4xf32",
        ),
        broken(
            "offset",
            "integer",
            "operand #0 must be tile of Pointer type values, but got '!cuda_tile.tile<4xi64>'",
            ptr="4xi64",
            offset="4xi32",
        ),
        broken(
            "offset",
            "result",
            "failed to verify that all of {result, ptr} have same type",
            ptr="4xptr<f32>",
            offset="4xi32",
            results=["4xptr<f16>"],
        ),
    ]


def _legal() -> list[Legal]:
    rows = [
        legal("constant", e, value=splat(type_of(f"4x{e}"), 1)) for e in ELEMENTS if not e.startswith("ptr")
    ]
    rows += [legal("iota", spec, results=[spec]) for spec in ("2xi1", "256xi8", "1xi16", "512xi32", "8xi64")]
    for e in ELEMENTS:
        rows += [
            legal("broadcast", e, source=f"1x4x{e}", results=[f"8x4x{e}"]),
            legal("reshape", e, source=f"4x8x{e}", results=[f"32x{e}"]),
            legal("permute", e, source=f"2x4x8x{e}", permutation=(2, 0, 1)),
            legal("cat", e, lhs=f"4x8x{e}", rhs=f"4x8x{e}", dim=1),
            legal("extract", e, source=f"8x4x{e}", indices=["i32", "i32"], results=[f"2x4x{e}"]),
            legal("insert", e, source=f"2x4x{e}", destination=f"8x4x{e}", indices=["i32", "i32"]),
        ]
        if e != "f4E2M1FN":
            rows.append(legal("select", e, cond="4xi1", val_if_true=f"4x{e}", val_if_false=f"4x{e}"))
    rows.append(legal("extract", "rank0", source="f32", indices=[], results=["f32"]))
    return rows + [
        legal("offset", t, ptr="4xptr<f16>", offset=f"4x{t}") for t in ("i1", "i8", "i16", "i32", "i64")
    ]


BROKEN = [*_constants(), *_stretches(), *_permutations(), *_slices(), *_selections()]
LEGAL = _legal()


@pytest.mark.parametrize("row", BROKEN, ids=ids(BROKEN))
def test_broken(row: Broken) -> None:
    row.check()


@pytest.mark.parametrize("row", LEGAL, ids=ids(LEGAL))
def test_legal(row: Legal) -> None:
    row.check()
