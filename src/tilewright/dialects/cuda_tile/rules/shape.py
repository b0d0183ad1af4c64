"""Rules of the operations that make, cut and reorder tiles, and the result types that follow from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tilewright.dialects.cuda_tile.types import TileType, tile_of
from tilewright.ir import builtin_attributes, builtin_types
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.declaration.traits import VerifyError
from tilewright.ir.value import Value

COMPARISON_RULE = "Result type has i1 element type and same shape as operands"


def listed(shape: Sequence[int]) -> str:
    """Return a shape for diagnostics: ``4, 8``."""
    return ", ".join(map(str, shape))


def is_comparison(operand: Any, result: Any) -> bool:
    """Return whether ``result`` is a tile of i1 with the shape of ``operand``; both are types."""
    return result is TileType(operand.shape, builtin_types.i1)


def comparison_type(operands: Sequence[Value]) -> list[Type]:
    """Return the result type of a comparison: i1 elements in the shape of the first operand."""
    return [tile_of(operands[0]).with_element_type(builtin_types.i1)]


def check_iota(result: TileType) -> None:
    """Raise `VerifyError` unless the tile has rank 1, and its element type can represent every number."""
    if len(result.shape) != 1:
        raise VerifyError("expects result type to be 1-d tile")
    width: int = getattr(result.element_type, "width", 64)
    if result.shape[0] > 1 << width:
        raise VerifyError(
            f"the number of elements {result.shape[0]} exceeds the maximum value of element type "
            f"'{result.element_type}'"
        )


def check_broadcast(source: TileType, result: TileType) -> None:
    """Raise `VerifyError` unless every extent of `source` is 1 or equals the extent of `result`. The ranks
    must be equal already.
    """
    if any(before not in (after, 1) for before, after in zip(source.shape, result.shape, strict=True)):
        raise VerifyError(
            "expects the shape of source tile to be compatible with that of the result tile, but got: "
            f"{listed(source.shape)} and {listed(result.shape)}"
        )


def check_permutation(source: TileType, permutation: Sequence[int], result: TileType) -> None:
    """Raise `VerifyError` unless ``permutation`` permutes all dimensions of ``source``, of rank 2 or more,
    and gives the shape of ``result``.
    """
    rank = len(source.shape)
    if rank < 2:
        raise VerifyError(f"expects at least rank 2, but got: {rank}")
    if len(permutation) != rank:
        raise VerifyError(
            f"expect permutation size ({len(permutation)}) to equal the rank of the source ({rank})"
        )
    if len(set(permutation)) != rank:
        raise VerifyError("expect permutation elements to be unique")
    for position, dimension in enumerate(permutation):
        if not 0 <= dimension < rank:
            raise VerifyError(
                f"permutation element at index {position} ({dimension}) is out of bound [0, {rank})"
            )
    for position, dimension in enumerate(permutation):
        if result.shape[position] != source.shape[dimension]:
            raise VerifyError(
                f"result shape invalid at index {position}, expected: {source.shape[dimension]}, "
                f"but got: {result.shape[position]}"
            )


def permuted_type(operands: Sequence[Value], attributes: Mapping[str, Attribute]) -> list[Type]:
    """Return the result type of `permute`. Raises `ValueError` for an invalid permutation."""
    source = tile_of(operands[0])
    permutation = attributes["permutation"]
    assert isinstance(permutation, builtin_attributes.DenseArrayAttr)
    if sorted(permutation.values) != list(range(len(source.shape))):
        raise ValueError(f"[{listed(permutation.values)}] does not permute the dimensions of {source}")
    return [TileType(tuple(source.shape[at] for at in permutation.values), source.element_type)]


def check_concatenation(lhs: TileType, rhs: TileType, result: TileType, dim: int) -> None:
    """Raise `VerifyError` unless the extents of ``lhs`` and ``rhs`` along ``dim`` add up to the result's, and
    all three agree in other dimensions.
    """
    rank = len(lhs.shape)
    if not 0 <= dim < rank:
        raise VerifyError(f"expect dim to be [0, {rank}), but got: {dim}")
    total = lhs.shape[dim] + rhs.shape[dim]
    if total != result.shape[dim]:
        raise VerifyError(f"invalid concat at position {dim}, expected: {total} but got: {result.shape[dim]}")
    for name, other in (("rhs", rhs), ("result", result)):
        for position in (at for at in range(rank) if at != dim):
            if lhs.shape[position] != other.shape[position]:
                raise VerifyError(
                    f"expect lhs and {name} shapes to match at non-concat position {position}, "
                    f"expected: {lhs.shape[position]} but got: {other.shape[position]}"
                )


def concatenated_type(operands: Sequence[Value], attributes: Mapping[str, Attribute]) -> list[Type]:
    """Return the result type of `cat`. Raises `ValueError` for an invalid dimension."""
    lhs, rhs = tile_of(operands[0]), tile_of(operands[1])
    dim = attributes["dim"]
    assert isinstance(dim, builtin_attributes.IntegerAttr)
    if not 0 <= dim.value < min(len(lhs.shape), len(rhs.shape)):
        raise ValueError(f"cannot join {lhs} and {rhs} along dimension {dim.value}")
    shape = list(lhs.shape)
    shape[dim.value] += rhs.shape[dim.value]
    return [TileType(tuple(shape), lhs.element_type)]


def check_slice(piece: tuple[str, TileType], whole: tuple[str, TileType], indices: Sequence[Value]) -> None:
    """Raise `VerifyError` unless ``piece`` divides ``whole`` evenly in each dimension, both have the same
    element type and rank, and there is an index for each dimension.

    ``piece`` and ``whole`` are a name for messages and a type.
    """
    (piece_name, inner), (whole_name, outer) = piece, whole
    if inner.element_type is not outer.element_type:
        raise VerifyError("source and result element type do not match")
    if len(inner.shape) != len(outer.shape):
        raise VerifyError("source and result must have the same rank")
    for position, (part, extent) in enumerate(zip(inner.shape, outer.shape, strict=True)):
        if extent % part:
            raise VerifyError(
                f"{whole_name} dimension {position} size ({extent}) must be evenly divisible by "
                f"{piece_name} dimension {position} size ({part})"
            )
    if len(indices) != len(outer.shape):
        raise VerifyError(f"expected {len(outer.shape)} indices, but got {len(indices)}")


def check_select(result: TileType) -> None:
    """Raise `VerifyError` for f4E2M1FN elements: two share a byte and cannot be selected one by one."""
    if result.element_type is builtin_types.f4E2M1FN:
        raise VerifyError("cannot operate on sub-byte type F4E2M1FN")


def storage_bits(tile: TileType) -> int:
    """Return the bits of a tile in packed form: tf32 takes 32 bits per element, i1 takes one, a pointer 64."""
    width = 32 if tile.element_type is builtin_types.tf32 else getattr(tile.element_type, "width", 64)
    return width * tile.element_count


def check_packing(source: TileType, result: TileType) -> None:
    """Raise `VerifyError` unless both tiles have rank 1, different element widths, and the same whole number
    of bytes.
    """
    if len(source.shape) != 1:
        raise VerifyError("expects source and result to be rank-1 tiles")
    if getattr(source.element_type, "width", 0) == getattr(result.element_type, "width", 0):
        raise VerifyError("expects source and result to have different element type widths")
    sizes = {"source": storage_bits(source), "result": storage_bits(result)}
    for name, bits in sizes.items():
        if bits % 8:
            raise VerifyError(f"expects {name} tile to be byte-aligned")
    if sizes["source"] != sizes["result"]:
        raise VerifyError(
            "expects source and result to have the same size in bytes, but got source tile size "
            f"{sizes['source'] // 8} bytes and result tile size {sizes['result'] // 8} bytes"
        )


def packed_type(operands: Sequence[Value]) -> list[Type]:
    """Return the result type of `pack`: rank 1, with i8 elements.

    Raises `ValueError` unless the operand has rank 1 and a whole number of bytes.
    """
    source = tile_of(operands[0])
    bits = storage_bits(source)
    if len(source.shape) != 1 or bits % 8:
        raise ValueError(f"{source} is not a whole number of bytes in one dimension")
    return [TileType((bits // 8,), builtin_types.i8)]
