"""Rules on shapes: views, slices, broadcasts, conversions of elements."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Protocol

from tilewright.dialects.nv_tileaa.constraints import element_of, shape_of
from tilewright.dialects.nv_tileaa.types import TiledViewType, TileMemRefType
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import DYNAMIC, RankedTensorType
from tilewright.ir.declaration.traits import VerifyError
from tilewright.ir.value import Value


class MakeMemref(Protocol):
    """The fields of `make_memref` that its rules read: the dynamic `sizes` and `strides`, the `alias_scope`,
    which may be None, and the `result`.
    """

    alias_scope: int | None
    result: Value
    sizes: tuple[Value, ...]
    strides: tuple[Value, ...]


def check_same_shape(first: Type, second: Type, words: str = "operand and result") -> None:
    """Raise `VerifyError` unless two types have one shape; `words` names them in the message."""
    if shape_of(first) != shape_of(second):
        raise VerifyError(f"expects {words} to have the same shape, got '{first}' and '{second}'")


def check_same_encoding(*types: Type) -> None:
    """Raise `VerifyError` unless the tiles among `types` have equal encodings, or none. Other types are
    ignored.
    """
    tiles = [type for type in types if isinstance(type, RankedTensorType)]
    for type in tiles[1:]:
        if type.encoding != tiles[0].encoding:
            raise VerifyError(f"expects tiles with the same encoding, got '{tiles[0]}' and '{type}'")


def check_same_element(first: Type, second: Type) -> None:
    """Raise `VerifyError` unless two types have one element type."""
    if element_of(first) is not element_of(second):
        raise VerifyError(
            f"expects operand and result to have the same element type, got '{first}' and '{second}'"
        )


def check_tiling(tile_sizes: Sequence[int], dim_groups: Sequence[Sequence[int]], rank: int) -> None:
    """Raise `VerifyError` unless there is a positive extent in `tile_sizes` for each group in `dim_groups`,
    at least one, and the groups have different dimensions from 0 to ``rank`` - 1.
    """
    if not tile_sizes:
        raise VerifyError("expects non-empty tileSizes")
    if not dim_groups:
        raise VerifyError("expects non-empty dimGroups")
    if len(tile_sizes) != len(dim_groups):
        raise VerifyError(
            f"expects rank of tileSizes be equal to rank of dimGroups, but got {len(tile_sizes)} "
            f"and {len(dim_groups)}"
        )
    if min(tile_sizes) <= 0:
        raise VerifyError("expects all tile size bigger than zero")
    _check_dimensions([dim for group in dim_groups for dim in group], rank)


def _check_dimensions(dims: Sequence[int], rank: int) -> None:
    for position, dim in enumerate(dims):
        if dim in dims[:position]:
            raise VerifyError(f"expects dim is being tiled only one time, but got {dim} again")
        if not 0 <= dim < rank:
            raise VerifyError(f"expects dimensions from 0 to {rank - 1}, but got {dim}")


def check_tiled_view(source: Type, view: Type, tile_sizes: Sequence[int]) -> None:
    """Raise `VerifyError` unless the type `view` is a view of the memory object type `source` with tiles of
    the extents `tile_sizes`.
    """
    assert isinstance(view, TiledViewType), "the operand constraint holds"
    if view.source is not source or view.shape != tuple(tile_sizes):
        raise VerifyError(f"expects a view of '{source}' in tiles of {list(tile_sizes)}, got '{view}'")


def check_channel(dim_groups: Sequence[Sequence[int]], channel: int) -> None:
    """Raise `VerifyError` unless one of the groups of dimensions, `dim_groups`, consists of the dimension
    `channel` only.
    """
    group = next((group for group in dim_groups if channel in group), None)
    if group is None:
        raise VerifyError("expects channel must be a dimGroup")
    if len(group) > 1:
        raise VerifyError("expects channel dimGroup should contain only channel")


def check_memory_object(op: MakeMemref) -> None:
    """Raise `VerifyError` unless there is one size operand per dynamic extent and one stride operand per
    dynamic stride, and the result has the alias scope that the operation states, if any.
    """
    type = op.result.type
    assert isinstance(type, TileMemRefType), "the result constraint holds"
    for word, given, extents in (
        ("sizes", op.sizes, type.shape),
        ("strides", op.strides, type.strides),
    ):
        dynamic = sum(extent == DYNAMIC for extent in extents)
        if len(given) != dynamic:
            raise VerifyError(f"expects {dynamic} dynamic {word}, but got {len(given)}")
    if op.alias_scope is not None and type.alias_scope != op.alias_scope:
        raise VerifyError(f"expects a result of alias scope {op.alias_scope}, got '{type}'")


def check_broadcast(source: Type, target: Type) -> None:
    """Raise `VerifyError` unless both types have one element type and rank, and each extent of the source is
    1 or equal to the extent of the target.
    """
    check_same_element(source, target)
    before, after = shape_of(source), shape_of(target)
    if len(before) != len(after) or any(a not in (1, b) for a, b in zip(before, after, strict=False)):
        raise VerifyError(f"expects extents of 1 where '{source}' and '{target}' differ")


def check_expanded(source: Type, target: Type, axis: int) -> None:
    """Raise `VerifyError` unless the target has the element type and shape of the source, with one more
    dimension of extent 1 at ``axis``.
    """
    check_same_element(source, target)
    extents = list(shape_of(source))
    if axis > len(extents) or (*extents[:axis], 1, *extents[axis:]) != shape_of(target):
        raise VerifyError(f"expects '{target}' to be '{source}' with an extent of 1 at {axis}")


def check_permutation(source: Type, target: Type, permutation: Sequence[int]) -> None:
    """Raise `VerifyError` unless the target has the element type of the source, and its dimension i is
    dimension `permutation[i]` of the source.
    """
    check_same_element(source, target)
    extents = shape_of(source)
    if sorted(permutation) != list(range(len(extents))):
        raise VerifyError(f"expects a permutation of {len(extents)} dimensions, got {list(permutation)}")
    if tuple(extents[dim] for dim in permutation) != shape_of(target):
        raise VerifyError(f"expects '{target}' to be '{source}' with dimensions {list(permutation)}")


def check_view(source: Type, target: Type) -> None:
    """Raise `VerifyError` unless two tiles have the same element type and number of elements."""
    check_same_element(source, target)
    if prod(shape_of(source)) != prod(shape_of(target)):
        raise VerifyError(f"expects as many elements in '{source}' as in '{target}'")


def check_concatenation(parts: Sequence[Type], whole: Type, axis: int) -> None:
    """Raise `VerifyError` unless each of the tiles `parts`, at least one, has the element type of `whole` and
    its shape except along ``axis``, where their extents add up to its extent.
    """
    extents = [list(shape_of(part)) for part in parts]
    if not extents or axis >= len(extents[0]):
        raise VerifyError(f"expects tiles with a dimension {axis}")
    total = sum(shape[axis] for shape in extents if axis < len(shape))
    for part, shape in zip(parts, extents, strict=True):
        check_same_element(part, whole)
        shape[axis : axis + 1] = [total]
        if tuple(shape) != shape_of(whole):
            raise VerifyError(f"expects '{part}' to fit into '{whole}' along dimension {axis}")


def check_slice(source: Type, target: Type, offsets: int, sizes: Sequence[int]) -> None:
    """Raise `VerifyError` unless a slice has the element type of the source, the shape `sizes`, an offset per
    dimension of the source, and no extent larger than the extent of the source. Whether offsets are in range
    is not checked.
    """
    check_same_element(source, target)
    rank = len(shape_of(source))
    if offsets != rank:
        raise VerifyError(f"expects {rank} offsets, but got {offsets}")
    if tuple(sizes) != shape_of(target):
        raise VerifyError(f"expects a result of shape {list(sizes)}, got '{target}'")
    if any(size > extent for size, extent in zip(sizes, shape_of(source), strict=False)):
        raise VerifyError(f"expects a slice that fits into '{source}', got '{target}'")
