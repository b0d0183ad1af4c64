"""Broken types, constants, shape ops, matrix multiplies, reductions and assumptions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.support.invalid.invalid_sample import Invalid, bad
from tests.support.real.real_kernel import Kernel, Types


def _element_rules() -> dict[str, Callable[[Types], Any]]:
    """Element and pointee types that no composite type may have."""
    return {
        "pointer-to-pointer": lambda t: t.pointer(t.pointer(t["!f32"])),
        "pointer-to-i4": lambda t: t.pointer(t["!i4"]),
        "pointer-to-tile": lambda t: t.pointer(t["4xf32"]),
        "pointer-to-token": lambda t: t.pointer(t["token"]),
        "tile-of-token": lambda t: t.table.tile(t["token"], [4]),
        "tile-of-tensor_view": lambda t: t.table.tile(t.tensor_view("f32", [8], [1]), [4]),
        "tensor_view-of-i4": lambda t: t.tensor_view("i4", [8], [1]),
        "tensor_view-of-pointer": lambda t: t.tensor_view("ptr<f32>", [8], [1]),
        "partition_view-of-tile": lambda t: t.view("partition", "f32", [4], t["4xf32"]).type,
        "strided_view-of-tile": lambda t: t.view("strided", "f32", [4], t["4xf32"], strides=[1]).type,
        "gather_scatter_view-of-tile": lambda t: t.view("gather_scatter", "f32", [4], t["4xf32"]).type,
    }


def _element_text(name: str) -> str:
    if "view-of-tile" in name:
        return "expected ::mlir::cuda_tile::TensorViewType but got '!cuda_tile.tile<4xf32>'"
    return f"failed to verify '{'pointeeType' if name.startswith('pointer') else 'elementType'}': f16 or bf16 or f32"


def _types() -> list[Invalid]:
    tiles = {
        "zero": ("0x4xi32", "all dimensions must be positive constants, got 0, 4"),
        "three": ("3xi32", "all dimensions must be powers of two, got 3"),
        "large": ("4096x8192xi8", "tile would exceed the maximum of 16777216 elements"),
    }
    rows = [
        Invalid(
            f"type/tile-{name}", "type", text, lambda k, s=spec: k.op("make_token", result_type=k.types[s])
        )
        for name, (spec, text) in tiles.items()
    ]

    def negative(kernel: Kernel) -> None:
        kernel.op("make_token", result_type=kernel.types.table.tile(kernel.types["!i32"], [-4]))

    rows.append(
        Invalid("type/tile-negative", "type", "all dimensions must be positive constants, got -4", negative)
    )
    rows += [
        Invalid(
            f"type/{name}",
            "type",
            _element_text(name),
            lambda k, m=make: k.op("make_token", result_type=m(k.types)),
        )
        for name, make in _element_rules().items()
    ]
    odd = "F4E2M1FN tiles must have an even number of elements"
    rows.append(bad("constant", "f4-rank0", odd, result_type="f4E2M1FN", value=b"\0"))
    rows.append(bad("constant", "f4-one", odd, result_type="1xf4E2M1FN", value=b"\0"))
    return rows


_SHAPES_I32 = ["i32"]
_SHAPES: tuple[Invalid, ...] = (
    bad("iota", "rank2", "expects result type to be 1-d tile", result_type="4x4xi32"),
    bad("iota", "rank0", "expects result type to be 1-d tile", result_type="i32"),
    bad(
        "iota",
        "range",
        "the number of elements 512 exceeds the maximum value of element type 'i8'",
        result_type="512xi8",
    ),
    bad("iota", "float", "result #0 must be", result_type="4xf32"),
    bad(
        "broadcast",
        "shape",
        "expects the shape of source tile to be compatible with that of the result tile, but got: 4 and 8",
        result_type="8xf32",
        source="4xf32",
    ),
    bad("broadcast", "rank", "have same rank", result_type="4x8xf32", source="8xf32"),
    bad(
        "broadcast",
        "element",
        "op requires the same element type for all operands and results",
        result_type="8xf16",
        source="1xf32",
    ),
    bad(
        "reshape",
        "count",
        "expected source tile and result tile to have the same number of elements",
        result_type="8xf32",
        source="4xf32",
    ),
    bad(
        "reshape",
        "element",
        "op requires the same element type for all operands and results",
        result_type="2x2xf16",
        source="4xf32",
    ),
    bad(
        "permute",
        "rank1",
        "expects at least rank 2, but got: 1",
        result_type="4xf32",
        source="4xf32",
        permutation=[0],
    ),
    bad(
        "permute",
        "size",
        "expect permutation size (3) to equal the rank of the source (2)",
        result_type="8x4xf32",
        source="4x8xf32",
        permutation=[1, 0, 2],
    ),
    bad(
        "permute",
        "twice",
        "expect permutation elements to be unique",
        result_type="8x8xf32",
        source="4x8xf32",
        permutation=[1, 1],
    ),
    bad(
        "permute",
        "range",
        "permutation element at index 0 (5) is out of bound [0, 2)",
        result_type="8x4xf32",
        source="4x8xf32",
        permutation=[5, 0],
    ),
    bad(
        "permute",
        "negative",
        "permutation element at index 1 (-1) is out of bound [0, 2)",
        result_type="8x4xf32",
        source="4x8xf32",
        permutation=[0, -1],
    ),
    bad(
        "permute",
        "result",
        "result shape invalid at index 0, expected: 8, but got: 4",
        result_type="4x8xf32",
        source="4x8xf32",
        permutation=[1, 0],
    ),
    bad(
        "permute",
        "element",
        "have the same element type",
        result_type="8x4xf16",
        source="4x8xf32",
        permutation=[1, 0],
    ),
    bad("permute", "rank", "have same rank", result_type="32xf32", source="4x8xf32", permutation=[1, 0]),
    bad(
        "cat",
        "dim",
        "expect dim to be [0, 2), but got: 3",
        result_type="4x16xf32",
        lhs="4x8xf32",
        rhs="4x8xf32",
        dim=3,
    ),
    bad(
        "cat",
        "size",
        "invalid concat at position 0, expected: 8 but got: 4",
        result_type="4xf32",
        lhs="4xf32",
        rhs="4xf32",
        dim=0,
    ),
    bad(
        "cat",
        "operands",
        "expect lhs and rhs shapes to match at non-concat position 0, expected: 4 but got: 2",
        result_type="4x16xf32",
        lhs="4x8xf32",
        rhs="2x8xf32",
        dim=1,
    ),
    bad(
        "cat",
        "result",
        "expect lhs and result shapes to match at non-concat position 0, expected: 4 but got: 2",
        result_type="2x16xf32",
        lhs="4x8xf32",
        rhs="4x8xf32",
        dim=1,
    ),
    bad("cat", "rank", "have same rank", result_type="8xf32", lhs="4xf32", rhs="1x4xf32", dim=0),
    bad(
        "cat",
        "element",
        "have the same element type",
        result_type="8xf32",
        lhs="4xf32",
        rhs="4xf16",
        dim=0,
    ),
    bad(
        "extract",
        "rank",
        "failed to verify that all of {source, result} have same rank",
        result_type="4xf32",
        source="4x8xf32",
        indices=_SHAPES_I32 * 2,
    ),
    bad(
        "extract",
        "element",
        "source and result element type do not match",
        result_type="4xf16",
        source="8xf32",
        indices=_SHAPES_I32,
    ),
    bad(
        "extract",
        "divides",
        "source dimension 0 size (8) must be evenly divisible by result dimension 0 size (16)",
        result_type="16xf32",
        source="8xf32",
        indices=_SHAPES_I32,
    ),
    bad(
        "extract",
        "few",
        "expected 2 indices, but got 1",
        result_type="2x4xf32",
        source="4x8xf32",
        indices=_SHAPES_I32,
    ),
    bad(
        "extract",
        "many",
        "expected 1 indices, but got 2",
        result_type="4xf32",
        source="8xf32",
        indices=_SHAPES_I32 * 2,
    ),
    bad(
        "extract",
        "index-i64",
        "must be variadic of 0D tile of i32 values, but got",
        result_type="4xf32",
        source="8xf32",
        indices=["i64"],
    ),
    bad(
        "extract",
        "index-rank1",
        "must be variadic of 0D tile of i32 values, but got",
        result_type="4xf32",
        source="8xf32",
        indices=["1xi32"],
    ),
    bad(
        "insert",
        "divides",
        "result dimension 0 size (4) must be evenly divisible by source dimension 0 size (8)",
        result_type="4xf32",
        source="8xf32",
        destination="4xf32",
        indices=_SHAPES_I32,
    ),
    bad(
        "insert",
        "rank",
        "same rank",
        result_type="4x8xf32",
        source="4xf32",
        destination="4x8xf32",
        indices=_SHAPES_I32 * 2,
    ),
    bad(
        "insert",
        "element",
        "element type",
        result_type="8xf32",
        source="4xf16",
        destination="8xf32",
        indices=_SHAPES_I32,
    ),
    bad(
        "insert",
        "few",
        "expected 2 indices, but got 1",
        result_type="4x8xf32",
        source="2x4xf32",
        destination="4x8xf32",
        indices=_SHAPES_I32,
    ),
    bad(
        "insert",
        "result",
        "have same type",
        result_type="16xf32",
        source="4xf32",
        destination="8xf32",
        indices=_SHAPES_I32,
    ),
    bad(
        "insert",
        "index-i64",
        "must be variadic of 0D tile of i32 values, but got",
        result_type="8xf32",
        source="4xf32",
        destination="8xf32",
        indices=["i64"],
    ),
    bad(
        "select",
        "condition",
        "operand #0 must be tile of i1 values",
        result_type="4xf32",
        cond="4xi8",
        val_if_true="4xf32",
        val_if_false="4xf32",
    ),
    bad(
        "select",
        "condition-shape",
        "have same shape",
        result_type="4xf32",
        cond="8xi1",
        val_if_true="4xf32",
        val_if_false="4xf32",
    ),
    bad(
        "select",
        "arms",
        "have same type",
        result_type="4xf32",
        cond="4xi1",
        val_if_true="4xf32",
        val_if_false="4xf16",
    ),
    bad(
        "select",
        "f4",
        "cannot operate on sub-byte type F4E2M1FN",
        result_type="4xf4E2M1FN",
        cond="4xi1",
        val_if_true="4xf4E2M1FN",
        val_if_false="4xf4E2M1FN",
    ),
    bad(
        "offset",
        "shape",
        "op requires the same shape for all operands and results",
        result_type="4xptr<f32>",
        ptr="4xptr<f32>",
        offset="8xi32",
    ),
    bad(
        "offset",
        "float",
        "operand #1 must be",
        result_type="4xptr<f32>",
        ptr="4xptr<f32>",
        offset="4xf32",
    ),
    bad("offset", "integer", "operand #0 must be", result_type="4xi64", ptr="4xi64", offset="4xi32"),
    bad("offset", "result", "have same type", result_type="4xptr<f16>", ptr="4xptr<f32>", offset="4xi32"),
    bad("constant", "i4", "result #0 must be", result_type="4xi4", value=b"\x01"),
    bad("make_token", "tile", "result #0 must be cuda tile token type", result_type="i32"),
)


def _mma(
    name: str,
    fragment: str,
    lhs: str,
    rhs: str,
    acc: str,
    result: str | None = None,
    op: str = "mmaf",
    **more: Any,
) -> Invalid:
    return bad(op, name, fragment, result_type=result or acc, lhs=lhs, rhs=rhs, acc=acc, **more)


_MULTIPLIES_BOTH = {"signedness_lhs": "signed", "signedness_rhs": "signed"}
_MULTIPLIES_COMBINATION = "unsupported combination of element types. "
_MULTIPLIES: tuple[Invalid, ...] = (
    _mma("rank1", "operands must be 2D or 3D tiles", "4xf16", "4xf16", "4xf32"),
    _mma("rank4", "operands must be 2D or 3D tiles", "1x1x4x4xf16", "1x1x4x4xf16", "1x1x4x4xf32"),
    _mma(
        "inner",
        "op  shape error: dim 1 of lhs (8) and dim 0 of rhs (4) must match, but got lhs shape (4, 8) and"
        " rhs shape (4, 8)",
        "4x8xf16",
        "4x8xf16",
        "4x8xf32",
    ),
    _mma(
        "rows",
        "op  shape error: dim 0 of lhs (4) and dim 0 of acc (8) must match, but got lhs shape (4, 8) and"
        " acc shape (8, 4)",
        "4x8xf16",
        "8x4xf16",
        "8x4xf32",
    ),
    _mma(
        "columns",
        "op  shape error: dim 1 of rhs (4) and dim 1 of acc (8) must match, but got rhs shape (8, 4)"
        " and acc shape (4, 8)",
        "4x8xf16",
        "8x4xf16",
        "4x8xf32",
    ),
    _mma(
        "batch",
        "op shape error: dim 0 of lhs (2) and dim 0 of rhs (4) must match, but got lhs shape (2, 4, 8)"
        " and rhs shape (4, 8, 4)",
        "2x4x8xf16",
        "4x8x4xf16",
        "2x4x4xf32",
    ),
    _mma(
        "batch-acc",
        "op shape error: dim 0 of lhs (2) and dim 0 of acc (4) must match",
        "2x4x8xf16",
        "2x8x4xf16",
        "4x4x4xf32",
    ),
    _mma(
        "ranks",
        "failed to verify that all of {lhs, rhs, acc} have same rank",
        "4x8xf16",
        "2x8x4xf16",
        "4x4xf32",
    ),
    _mma("elements", "have the same element type", "4x8xf16", "8x4xbf16", "4x4xf32"),
    _mma(
        "bf16-f16",
        _MULTIPLIES_COMBINATION
        + "Input type 'bf16' expects accumulator/result type to be one of {'f32'}, but got"
        " 'f16'",
        "4x8xbf16",
        "8x4xbf16",
        "4x4xf16",
    ),
    _mma("f32-f16", _MULTIPLIES_COMBINATION + "Input type 'f32'", "4x8xf32", "8x4xf32", "4x4xf16"),
    _mma("f16-f64", _MULTIPLIES_COMBINATION + "Input type 'f16'", "4x8xf16", "8x4xf16", "4x4xf64"),
    _mma("result", "have same type", "4x8xf16", "8x4xf16", "4x4xf32", "8x8xf32"),
    _mma("integer", "operand #0 must be", "4x8xi8", "8x4xi8", "4x4xf32"),
    _mma("acc-bf16", "operand #2 must be", "4x8xbf16", "8x4xbf16", "4x4xbf16"),
    _mma(
        "inner",
        "op  shape error: dim 1 of lhs (8) and dim 0 of rhs (4) must match",
        "4x8xi8",
        "4x8xi8",
        "4x8xi32",
        op="mmai",
        **_MULTIPLIES_BOTH,
    ),
    _mma(
        "i16",
        "operand #0 must be mmai operand tile type of i8 values",
        "4x8xi16",
        "8x4xi16",
        "4x4xi32",
        op="mmai",
        **_MULTIPLIES_BOTH,
    ),
    _mma(
        "acc-i64",
        "operand #2 must be mmai acc tile type of i32 values",
        "4x8xi8",
        "8x4xi8",
        "4x4xi64",
        op="mmai",
        **_MULTIPLIES_BOTH,
    ),
    _mma("rank1", "operands must be 2D or 3D tiles", "4xi8", "4xi8", "4xi32", op="mmai", **_MULTIPLIES_BOTH),
    _mma("result", "have same type", "4x8xi8", "8x4xi8", "4x4xi32", "8x8xi32", op="mmai", **_MULTIPLIES_BOTH),
)


def _scaled(
    name: str,
    fragment: str,
    element: str,
    left_scale: str,
    right_scale: str,
    acc: str = "16x8xf32",
    lhs: str = "16x64",
    rhs: str = "64x8",
    rhs_element: str | None = None,
) -> Invalid:
    return bad(
        "mmaf_scaled",
        name,
        fragment,
        result_type=acc,
        lhs=f"{lhs}x{element}",
        rhs=f"{rhs}x{rhs_element or element}",
        acc=acc,
        lhs_scale=left_scale,
        rhs_scale=right_scale,
    )


_SCALED_MULTIPLIES_E8, _SCALED_MULTIPLIES_E4, _SCALED_MULTIPLIES_F4, _SCALED_MULTIPLIES_E5 = (
    "f8E8M0FNU",
    "f8E4M3FN",
    "f4E2M1FN",
    "fnv8E5M3FNU",
)
_SCALED_MULTIPLIES_BLOCK = "requires block scale factor of lhs_scale and rhs_scale to be "
_SCALED_MULTIPLIES_KINDS = "unsupported combination of element types. Scale type "
_SCALED_MULTIPLIES: tuple[Invalid, ...] = (
    _scaled(
        "f8-block",
        f"shape error: f8 element type {_SCALED_MULTIPLIES_BLOCK}32, but got 16",
        _SCALED_MULTIPLIES_E4,
        f"16x4x{_SCALED_MULTIPLIES_E8}",
        f"4x8x{_SCALED_MULTIPLIES_E8}",
    ),
    _scaled(
        "f4-e4m3-block",
        _SCALED_MULTIPLIES_BLOCK + "16, but got 32",
        _SCALED_MULTIPLIES_F4,
        f"16x2x{_SCALED_MULTIPLIES_E4}",
        f"2x8x{_SCALED_MULTIPLIES_E4}",
    ),
    _scaled(
        "f4-e8m0-block",
        _SCALED_MULTIPLIES_BLOCK + "16 or 32, but got 64",
        _SCALED_MULTIPLIES_F4,
        f"16x1x{_SCALED_MULTIPLIES_E8}",
        f"1x8x{_SCALED_MULTIPLIES_E8}",
    ),
    _scaled(
        "f4-e5m3-block",
        "block scale factor",
        _SCALED_MULTIPLIES_F4,
        f"16x2x{_SCALED_MULTIPLIES_E5}",
        f"2x8x{_SCALED_MULTIPLIES_E5}",
    ),
    _scaled(
        "e4m3-scale",
        f"{_SCALED_MULTIPLIES_KINDS}'f8E4M3FN' expects lhs and rhs element types to be 'f4E2M1FN', but got 'f8E5M2'",
        "f8E5M2",
        f"16x2x{_SCALED_MULTIPLIES_E4}",
        f"2x8x{_SCALED_MULTIPLIES_E4}",
    ),
    _scaled(
        "e5m3-scale",
        f"{_SCALED_MULTIPLIES_KINDS}'fnv8E5M3FNU'",
        _SCALED_MULTIPLIES_E4,
        f"16x2x{_SCALED_MULTIPLIES_E5}",
        f"2x8x{_SCALED_MULTIPLIES_E5}",
    ),
    _scaled(
        "lhs-scale-rows",
        "of lhs_scale (8) must match",
        _SCALED_MULTIPLIES_E4,
        f"8x2x{_SCALED_MULTIPLIES_E8}",
        f"2x8x{_SCALED_MULTIPLIES_E8}",
    ),
    _scaled(
        "rhs-scale-columns",
        "of rhs_scale (16) must match",
        _SCALED_MULTIPLIES_E4,
        f"16x2x{_SCALED_MULTIPLIES_E8}",
        f"2x16x{_SCALED_MULTIPLIES_E8}",
    ),
    _scaled(
        "scales-differ",
        "of rhs_scale (4) must match",
        _SCALED_MULTIPLIES_E4,
        f"16x2x{_SCALED_MULTIPLIES_E8}",
        f"4x8x{_SCALED_MULTIPLIES_E8}",
    ),
    _scaled(
        "not-divisor",
        "must be a divisor of dim 1 of lhs (64), but got lhs_scale shape",
        _SCALED_MULTIPLIES_E4,
        f"16x128x{_SCALED_MULTIPLIES_E8}",
        f"128x8x{_SCALED_MULTIPLIES_E8}",
    ),
    _scaled(
        "inner",
        "shape error: dim 1 of lhs (64) and dim 0 of rhs (32) must match",
        _SCALED_MULTIPLIES_E4,
        f"16x2x{_SCALED_MULTIPLIES_E8}",
        f"2x8x{_SCALED_MULTIPLIES_E8}",
        rhs="32x8",
    ),
    _scaled(
        "elements",
        "have the same element type",
        _SCALED_MULTIPLIES_E4,
        f"16x2x{_SCALED_MULTIPLIES_E8}",
        f"2x8x{_SCALED_MULTIPLIES_E8}",
        rhs_element="f8E5M2",
    ),
    _scaled(
        "scale-elements",
        "have the same element type",
        _SCALED_MULTIPLIES_F4,
        f"16x4x{_SCALED_MULTIPLIES_E8}",
        f"4x8x{_SCALED_MULTIPLIES_E4}",
    ),
    _scaled("scale-f32", "operand #3 must be", _SCALED_MULTIPLIES_E4, "16x2xf32", "2x8xf32"),
    _scaled(
        "element-f16",
        "operand #0 must be",
        "f16",
        f"16x2x{_SCALED_MULTIPLIES_E8}",
        f"2x8x{_SCALED_MULTIPLIES_E8}",
    ),
    _scaled(
        "acc-f16",
        "operand #2 must be",
        _SCALED_MULTIPLIES_E4,
        f"16x2x{_SCALED_MULTIPLIES_E8}",
        f"2x8x{_SCALED_MULTIPLIES_E8}",
        acc="16x8xf16",
    ),
)


def rows() -> list[Invalid]:
    """Every row of this family."""
    return [*_types(), *_SHAPES, *_MULTIPLIES, *_SCALED_MULTIPLIES]
