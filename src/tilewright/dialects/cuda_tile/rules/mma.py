"""Rules of matrix multiplication: which element types go together, and which extents must agree."""

from __future__ import annotations

from tilewright.dialects.cuda_tile.types import TileType
from tilewright.ir import builtin_types
from tilewright.ir.attribute import Type
from tilewright.ir.declaration.traits import VerifyError

ACCUMULATORS: dict[Type, tuple[Type, ...]] = {
    builtin_types.f8E4M3FN: (builtin_types.f16, builtin_types.f32),
    builtin_types.f8E5M2: (builtin_types.f16, builtin_types.f32),
    builtin_types.f16: (builtin_types.f16, builtin_types.f32),
    builtin_types.bf16: (builtin_types.f32,),
    builtin_types.tf32: (builtin_types.f32,),
    builtin_types.f32: (builtin_types.f32,),
    builtin_types.f64: (builtin_types.f64,),
}
"""Input element type -> the accumulator element types that it allows."""

SCALED_OPERANDS: dict[Type, tuple[Type, ...]] = {
    builtin_types.f8E4M3FN: (builtin_types.f4E2M1FN,),
    builtin_types.f8E8M0FNU: (builtin_types.f8E4M3FN, builtin_types.f8E5M2, builtin_types.f4E2M1FN),
    builtin_types.fnv8E5M3FNU: (builtin_types.f4E2M1FN,),
}
"""Scale element type -> the input element types that it allows."""

BLOCK_SIZES: dict[tuple[Type, Type], tuple[int, ...]] = {
    (builtin_types.f8E4M3FN, builtin_types.f8E8M0FNU): (32,),
    (builtin_types.f8E5M2, builtin_types.f8E8M0FNU): (32,),
    (builtin_types.f4E2M1FN, builtin_types.f8E4M3FN): (16,),
    (builtin_types.f4E2M1FN, builtin_types.f8E8M0FNU): (16, 32),
    (builtin_types.f4E2M1FN, builtin_types.fnv8E5M3FNU): (16, 32),
}
"""(Input element type, scale element type) -> legal numbers of elements along K that share one scale."""

Named = tuple[str, TileType]


def check_product_shapes(lhs: TileType, rhs: TileType, acc: TileType) -> None:
    """Raise `VerifyError` unless the shapes are M x K, K x N and M x N, or these after an equal batch
    dimension. The ranks must be equal already.
    """
    if len(lhs.shape) not in (2, 3):
        raise VerifyError("operands must be 2D or 3D tiles")
    row, column = len(lhs.shape) - 2, len(lhs.shape) - 1
    if row:
        _same_extent(("lhs", lhs), 0, ("rhs", rhs), 0)
        _same_extent(("lhs", lhs), 0, ("acc", acc), 0)
    # The shipped tools print one blank more for these three.
    _same_extent(("lhs", lhs), column, ("rhs", rhs), row, lead=" ")
    _same_extent(("lhs", lhs), row, ("acc", acc), row, lead=" ")
    _same_extent(("rhs", rhs), column, ("acc", acc), column, lead=" ")


def _same_extent(first: Named, dim: int, second: Named, other_dim: int, lead: str = "") -> None:
    (name, tile), (other_name, other) = first, second
    here, there = tile.shape[dim], other.shape[other_dim]
    if here != there:
        raise VerifyError(
            f"{lead}shape error: dim {dim} of {name} ({here}) and dim {other_dim} of {other_name} ({there}) "
            f"must match, but got {_shapes(first, second)}"
        )


def _shapes(first: Named, second: Named) -> str:
    texts = [f"{name} shape ({', '.join(map(str, tile.shape))})" for name, tile in (first, second)]
    return " and ".join(texts)


def check_accumulator(lhs: TileType, acc: TileType) -> None:
    """Raise `VerifyError` unless ``lhs`` and ``acc`` have element types that `ACCUMULATORS` combines."""
    allowed = ACCUMULATORS[lhs.element_type]
    if acc.element_type not in allowed:
        names = ", ".join(f"'{element}'" for element in allowed)
        raise VerifyError(
            f"unsupported combination of element types. Input type '{lhs.element_type}' expects "
            f"accumulator/result type to be one of {{{names}}}, but got '{acc.element_type}'"
        )


def check_scales(lhs: TileType, rhs: TileType, lhs_scale: TileType, rhs_scale: TileType) -> None:
    """Raise `VerifyError` unless the scales have the shapes M x K/V and K/V x N, with the batch dimension of
    the inputs if there is one. The input and scale element types of ``lhs`` must be a pair in
    `SCALED_OPERANDS`, and V one of its `BLOCK_SIZES`.
    """
    row, column = len(lhs.shape) - 2, len(lhs.shape) - 1
    left, right = ("lhs_scale", lhs_scale), ("rhs_scale", rhs_scale)
    if row:
        _same_extent(("lhs", lhs), 0, left, 0)
        _same_extent(("rhs", rhs), 0, right, 0)
    _same_extent(("lhs", lhs), row, left, row)
    _same_extent(("rhs", rhs), column, right, column)
    _same_extent(left, column, right, row)
    _check_scaled_elements(lhs.element_type, lhs_scale.element_type)
    extent, blocks = lhs.shape[column], lhs_scale.shape[column]
    if extent % blocks:
        raise VerifyError(
            f"shape error: dim {column} of lhs_scale ({blocks}) must be a divisor of dim {column} of lhs "
            f"({extent}), but got {_shapes(left, ('lhs', lhs))}"
        )
    _check_block_size(lhs.element_type, lhs_scale.element_type, extent // blocks)


def _check_scaled_elements(element: Type, scale: Type) -> None:
    allowed = SCALED_OPERANDS[scale]
    if element not in allowed:
        names = ", ".join(f"'{choice}'" for choice in allowed)
        expected = names if len(allowed) == 1 else f"one of {{{names}}}"
        raise VerifyError(
            f"unsupported combination of element types. Scale type '{scale}' expects lhs and rhs element types "
            f"to be {expected}, but got '{element}'"
        )


def _check_block_size(element: Type, scale: Type, size: int) -> None:
    allowed = BLOCK_SIZES[element, scale]
    if size not in allowed:
        what = (
            f"f4E2M1FN element type with {scale} scales"
            if element is builtin_types.f4E2M1FN
            else "f8 element type"
        )
        raise VerifyError(
            f"shape error: {what} requires block scale factor of lhs_scale and rhs_scale to be "
            f"{' or '.join(map(str, allowed))}, but got {size}"
        )
