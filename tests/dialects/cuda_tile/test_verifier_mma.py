"""Rules of matrix multiplication."""

from __future__ import annotations

from typing import Any

import pytest

from tests.dialects.cuda_tile.scratch import Broken, Legal, broken, ids, legal

MUST = (
    "shape error: dim {} of {} ({}) and dim {} of {} ({}) must match, but got {} shape ({}) and {} shape ({})"
)
KINDS = "unsupported combination of element types. "
ACCUMULATORS = {
    "f8E4M3FN": ("f16", "f32"),
    "f8E5M2": ("f16", "f32"),
    "f16": ("f16", "f32"),
    "bf16": ("f32",),
    "tf32": ("f32",),
    "f32": ("f32",),
    "f64": ("f64",),
}
E8, E4, E5, F4 = "f8E8M0FNU", "f8E4M3FN", "fnv8E5M3FNU", "f4E2M1FN"
SCALES = {
    ("f8E4M3FN", E8): (32,),
    ("f8E5M2", E8): (32,),
    (F4, E4): (16,),
    (F4, E8): (16, 32),
    (F4, E5): (16, 32),
}


def _mma(name: str, message: str, lhs: str, rhs: str, acc: str, op: str = "mmaf", **more: Any) -> Broken:
    signs = {"signedness_lhs": "signed", "signedness_rhs": "unsigned"} if op == "mmai" else {}
    return broken(op, name, message, lhs=lhs, rhs=rhs, acc=acc, **signs, **more)


def _combinations() -> list[Broken]:
    return [
        _mma(
            f"{element}-{acc}",
            f"{KINDS}Input type '{element}' expects accumulator/result type to be one of"
            f" {{{', '.join(map(repr, allowed))}}}, but got '{acc}'",
            f"4x8x{element}",
            f"8x4x{element}",
            f"4x4x{acc}",
        )
        for element, allowed in ACCUMULATORS.items()
        for acc in ("f16", "f32", "f64")
        if acc not in allowed
    ]


def _product_shapes() -> list[Broken]:
    flat = "operands must be 2D or 3D tiles"
    ranks = "failed to verify that all of {lhs, rhs, acc} have same rank"
    inner = " " + MUST.format(1, "lhs", 8, 0, "rhs", 4, "lhs", "4, 8", "rhs", "4, 8")
    types = "failed to verify that all of {acc, result} have same type"
    elements = "failed to verify that all of {lhs, rhs} have the same element type"
    return [
        _mma("rank1", flat, "4xf16", "4xf16", "4xf32"),
        _mma("rank4", flat, "1x1x4x4xf16", "1x1x4x4xf16", "1x1x4x4xf32"),
        _mma("ranks", ranks, "4x8xf16", "2x8x4xf16", "4x4xf32"),
        _mma("inner", inner, "4x8xf16", "4x8xf16", "4x8xf32"),
        _mma(
            "rows",
            " " + MUST.format(0, "lhs", 4, 0, "acc", 8, "lhs", "4, 8", "acc", "8, 4"),
            "4x8xf16",
            "8x4xf16",
            "8x4xf32",
        ),
        _mma(
            "columns",
            " " + MUST.format(1, "rhs", 4, 1, "acc", 8, "rhs", "8, 4", "acc", "4, 8"),
            "4x8xf16",
            "8x4xf16",
            "4x8xf32",
        ),
        _mma(
            "batch",
            MUST.format(0, "lhs", 2, 0, "rhs", 4, "lhs", "2, 4, 8", "rhs", "4, 8, 4"),
            "2x4x8xf16",
            "4x8x4xf16",
            "2x4x4xf32",
        ),
        _mma(
            "batch-acc",
            MUST.format(0, "lhs", 2, 0, "acc", 4, "lhs", "2, 4, 8", "acc", "4, 4, 4"),
            "2x4x8xf16",
            "2x8x4xf16",
            "4x4x4xf32",
        ),
        _mma("elements", elements, "4x8xf16", "8x4xbf16", "4x4xf32"),
        _mma("result", types, "4x8xf16", "8x4xf16", "4x4xf32", results=["8x8xf32"]),
        _mma(
            "integer",
            "operand #0 must be mmaf operand tile type of f16 or bf16 or f32 or f64 or tf32 or f8E4M3FN or"
            " f8E5M2 values, but got '!cuda_tile.tile<4x8xi8>'",
            "4x8xi8",
            "8x4xi8",
            "4x4xf32",
        ),
    ]


def _product_types() -> list[Broken]:
    flat = "operands must be 2D or 3D tiles"
    inner = " " + MUST.format(1, "lhs", 8, 0, "rhs", 4, "lhs", "4, 8", "rhs", "4, 8")
    types = "failed to verify that all of {acc, result} have same type"
    return [
        _mma(
            "acc-bf16",
            "operand #2 must be mmaf acc/result tile type of f16 or f32 or f64 values, but got"
            " '!cuda_tile.tile<4x4xbf16>'",
            "4x8xbf16",
            "8x4xbf16",
            "4x4xbf16",
        ),
        _mma("inner", inner, "4x8xi8", "4x8xi8", "4x8xi32", "mmai"),
        _mma("rank1", flat, "4xi8", "4xi8", "4xi32", "mmai"),
        _mma(
            "i16",
            "operand #0 must be mmai operand tile type of i8 values, but got '!cuda_tile.tile<4x8xi16>'",
            "4x8xi16",
            "8x4xi16",
            "4x4xi32",
            "mmai",
        ),
        _mma(
            "acc-i64",
            "operand #2 must be mmai acc tile type of i32 values, but got '!cuda_tile.tile<4x4xi64>'",
            "4x8xi8",
            "8x4xi8",
            "4x4xi64",
            "mmai",
        ),
        _mma(
            "result-f32",
            "result #0 must be mmai result tile type of i32 values, but got '!cuda_tile.tile<4x4xf32>'",
            "4x8xi8",
            "8x4xi8",
            "4x4xi32",
            "mmai",
            results=["4x4xf32"],
        ),
        _mma("result", types, "4x8xi8", "8x4xi8", "4x4xi32", "mmai", results=["8x8xi32"]),
    ]


def _scaled(
    name: str,
    message: str,
    element: str,
    left: str,
    right: str,
    *,
    lhs: str = "16x64",
    rhs: str = "64x8",
    rhs_element: str = "",
    acc: str = "16x8xf32",
) -> Broken:
    return broken(
        "mmaf_scaled",
        name,
        message,
        lhs=f"{lhs}x{element}",
        rhs=f"{rhs}x{rhs_element or element}",
        acc=acc,
        lhs_scale=left,
        rhs_scale=right,
    )


def _scale_shapes() -> list[Broken]:
    return [
        _scaled(
            "rows",
            MUST.format(0, "lhs", 16, 0, "lhs_scale", 8, "lhs", "16, 64", "lhs_scale", "8, 2"),
            E4,
            f"8x2x{E8}",
            f"2x8x{E8}",
        ),
        _scaled(
            "columns",
            MUST.format(1, "rhs", 8, 1, "rhs_scale", 16, "rhs", "64, 8", "rhs_scale", "2, 16"),
            E4,
            f"16x2x{E8}",
            f"2x16x{E8}",
        ),
        _scaled(
            "scales",
            MUST.format(1, "lhs_scale", 2, 0, "rhs_scale", 4, "lhs_scale", "16, 2", "rhs_scale", "4, 8"),
            E4,
            f"16x2x{E8}",
            f"4x8x{E8}",
        ),
        _scaled(
            "divisor",
            "shape error: dim 1 of lhs_scale (128) must be a divisor of dim 1 of lhs (64), but got"
            " lhs_scale shape (16, 128) and lhs shape (16, 64)",
            E4,
            f"16x128x{E8}",
            f"128x8x{E8}",
        ),
        _scaled(
            "inner",
            " " + MUST.format(1, "lhs", 64, 0, "rhs", 32, "lhs", "16, 64", "rhs", "32, 8"),
            E4,
            f"16x2x{E8}",
            f"2x8x{E8}",
            rhs="32x8",
        ),
        _scaled(
            "batch",
            MUST.format(0, "lhs", 2, 0, "lhs_scale", 4, "lhs", "2, 16, 64", "lhs_scale", "4, 16, 2"),
            E4,
            f"4x16x2x{E8}",
            f"2x2x8x{E8}",
            lhs="2x16x64",
            rhs="2x64x8",
            acc="2x16x8xf32",
        ),
        _scaled(
            "batch-rhs",
            MUST.format(0, "rhs", 2, 0, "rhs_scale", 1, "rhs", "2, 64, 8", "rhs_scale", "1, 2, 8"),
            E4,
            f"2x16x2x{E8}",
            f"1x2x8x{E8}",
            lhs="2x16x64",
            rhs="2x64x8",
            acc="2x16x8xf32",
        ),
    ]


def _scale_types() -> list[Broken]:
    same = "failed to verify that all of {{{}}} have the same element type"
    return [
        _scaled(
            "ranks",
            "failed to verify that all of {lhs, rhs, acc, lhs_scale, rhs_scale} have same rank",
            E4,
            f"1x16x2x{E8}",
            f"2x8x{E8}",
        ),
        _scaled("elements", same.format("lhs, rhs"), E4, f"16x2x{E8}", f"2x8x{E8}", rhs_element="f8E5M2"),
        _scaled("scale-elements", same.format("lhs_scale, rhs_scale"), F4, f"16x4x{E8}", f"4x8x{E4}"),
        _scaled(
            "e4m3-scale",
            f"{KINDS}Scale type 'f8E4M3FN' expects lhs and rhs element types to be 'f4E2M1FN', but"
            " got 'f8E5M2'",
            "f8E5M2",
            f"16x2x{E4}",
            f"2x8x{E4}",
        ),
        _scaled(
            "e5m3-scale",
            f"{KINDS}Scale type 'fnv8E5M3FNU' expects lhs and rhs element types to be 'f4E2M1FN', but"
            " got 'f8E4M3FN'",
            E4,
            f"16x2x{E5}",
            f"2x8x{E5}",
        ),
        _scaled(
            "f16",
            "operand #0 must be mmaf_scaled operand tile type of f8E4M3FN or f8E5M2 or f4E2M1FN values, but"
            " got '!cuda_tile.tile<16x64xf16>'",
            "f16",
            f"16x2x{E8}",
            f"2x8x{E8}",
        ),
        _scaled(
            "scale-f32",
            "operand #3 must be mmaf_scaled scale tile type of f8E4M3FN or f8E8M0FNU or fnv8E5M3FNU"
            " values, but got '!cuda_tile.tile<16x2xf32>'",
            E4,
            "16x2xf32",
            "2x8xf32",
        ),
        _scaled(
            "acc-f16",
            "operand #2 must be mmaf_scaled result tile type of f32 values, but got"
            " '!cuda_tile.tile<16x8xf16>'",
            E4,
            f"16x2x{E8}",
            f"2x8x{E8}",
            acc="16x8xf16",
        ),
    ]


def _blocks() -> list[Broken]:
    rows: list[Broken] = []
    for (element, scale), sizes in SCALES.items():
        what = f"f4E2M1FN element type with {scale} scales" if element == F4 else "f8 element type"
        text = f"shape error: {what} requires block scale factor of lhs_scale and rhs_scale to be "
        for size in {8, 16, 32, 64} - set(sizes):
            count = 64 // size
            message = f"{text}{' or '.join(map(str, sizes))}, but got {size}"
            name = f"{element}-{scale}-{size}"
            rows.append(_scaled(name, message, element, f"16x{count}x{scale}", f"{count}x8x{scale}"))
    return sorted(rows, key=lambda row: row.name)


def _legal() -> list[Legal]:
    rows = [
        legal(
            "mmaf",
            f"{batch}{element}-{acc}",
            lhs=f"{batch}16x32x{element}",
            rhs=f"{batch}32x8x{element}",
            acc=f"{batch}16x8x{acc}",
            fast_acc=True,
        )
        for element, accumulators in ACCUMULATORS.items()
        for acc in accumulators
        for batch in ("", "4x")
    ]
    rows += [
        legal(
            "mmai",
            f"{left}-{right}",
            lhs="4x8xi8",
            rhs="8x4xi8",
            acc="4x4xi32",
            signedness_lhs=left,
            signedness_rhs=right,
        )
        for left in ("signed", "unsigned")
        for right in ("signed", "unsigned")
    ]
    return rows + [
        legal(
            "mmaf_scaled",
            f"{batch}{element}-{scale}-{size}",
            lhs=f"{batch}16x64x{element}",
            rhs=f"{batch}64x8x{element}",
            acc=f"{batch}16x8xf32",
            lhs_scale=f"{batch}16x{64 // size}x{scale}",
            rhs_scale=f"{batch}{64 // size}x8x{scale}",
        )
        for (element, scale), sizes in SCALES.items()
        for size in sizes
        for batch in ("", "2x")
    ]


BROKEN = [
    *_product_shapes(),
    *_product_types(),
    *_combinations(),
    *_scale_shapes(),
    *_scale_types(),
    *_blocks(),
]
LEGAL = _legal()


@pytest.mark.parametrize("row", BROKEN, ids=ids(BROKEN))
def test_broken(row: Broken) -> None:
    row.check()


@pytest.mark.parametrize("row", LEGAL, ids=ids(LEGAL))
def test_legal(row: Legal) -> None:
    row.check()
