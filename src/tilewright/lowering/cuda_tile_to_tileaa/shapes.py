"""Converts constants, and operations that rearrange elements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tilewright.dialects.arith import ops_integer as arith
from tilewright.dialects.common.constraints import checked_type
from tilewright.dialects.cuda_tile.ops import tile as tiles
from tilewright.dialects.cuda_tile.types import TileType
from tilewright.dialects.nv_tileaa.constraints import element_of, shape_of
from tilewright.dialects.nv_tileaa.ops import shape as aa, structure
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.builtin_attributes import DenseElementsAttr, FloatAttr, IntegerAttr
from tilewright.ir.builtin_types import FloatType, RankedTensorType, i1, i32
from tilewright.ir.value import Value
from tilewright.lowering.cuda_tile_to_tileaa.pattern import TileAAEmitter, TileAALowering, TilePattern
from tilewright.lowering.pattern import LoweringResult
from tilewright.rewrite.conversion.pattern import Adaptor


def number(element: Type, bits: int) -> Attribute:
    """Return the integer or float attribute of type `element` with the given bit pattern."""
    return FloatAttr(element, bits) if isinstance(element, FloatType) else IntegerAttr(element, bits)


class ConstantPattern(TilePattern[tiles.ConstantOp]):
    """Converts a constant: a scalar to a constant of `arith`, a tile of equal elements to a splat, other
    tiles to a constant tensor.
    """

    def lower(
        self, op: tiles.ConstantOp, at: Adaptor, types: Sequence[Type], emit: TileAAEmitter
    ) -> LoweringResult:
        value: DenseElementsAttr = op.value
        (type,) = types
        if not isinstance(type, RankedTensorType):
            made = emit(arith.ConstantOp, number(type, value.patterns()[0]))
        elif value.is_splat:
            made = emit(structure.SplatOp, value=number(type.element_type, value.patterns()[0]), type=type)
        else:
            made = emit(structure.ConstantTensorOp, DenseElementsAttr(type, value.data))
        return made


class IotaPattern(TilePattern[tiles.IotaOp]):
    """Converts `iota` to a range from 0.

    Its end wraps around if the element type cannot hold it, which has no effect.
    """

    def lower(
        self, op: tiles.IotaOp, at: Adaptor, types: Sequence[Type], emit: TileAAEmitter
    ) -> LoweringResult:
        return numbers(emit, types[0])


def numbers(emit: TileAAEmitter, type: Type) -> Value:
    """Return a tile of the type `type`, of rank 1, with the elements 0, 1, 2, ..."""
    element, (extent,) = element_of(type), shape_of(type)
    limits = emit.integer(0, element), emit.integer(extent, element)
    return emit(structure.MakeRangeOp, *limits, type=type)


def repeated(emit: TileAAEmitter, value: Value, type: Type) -> Value:
    """Return the tile `value` broadcast to `type` along its dimensions of extent 1; `value` itself if it has
    this type. A splat is replaced by a larger splat.
    """
    if value.type is type:
        return value
    owner = value.owner
    if isinstance(owner, structure.SplatOp):
        if owner.source is not None:
            return emit(structure.SplatOp, owner.source, type=type)
        return emit(structure.SplatOp, value=owner.value, type=type)
    return emit(aa.BroadcastOp, value, type=type)


def filled(emit: TileAAEmitter, scalar: Value, type: Type) -> Value:
    """Return a tile of type `type` all of whose elements are `scalar`; for a scalar type, `scalar`."""
    if not isinstance(type, RankedTensorType):
        return scalar
    return emit(structure.SplatOp, scalar, type=type)


def viewed(emit: TileAAEmitter, value: Value, type: Type) -> Value:
    """Return the tile or scalar `value` reshaped to `type`, by the simplest operation that does it: none if
    the shapes are equal, a splat from a scalar, an extraction to a scalar, `expand_dims` or `view`.
    """
    before, after = shape_of(value.type), shape_of(type)
    if before == after:
        return value
    if not before:
        return filled(emit, value, type)
    if not after:
        return emit(structure.ExtractOp, value, [emit.integer(0, i32)] * len(before), type=type)
    axis = added_axis(before, after)
    if axis is not None:
        return emit(aa.ExpandDimsOp, value, axis, type=type)
    return emit(aa.ViewOp, value, type=type)


def added_axis(before: Sequence[int], after: Sequence[int]) -> int | None:
    """Return the first axis at which `after` has one additional extent of 1; None if the shapes differ in
    another way.
    """
    if len(after) != len(before) + 1:
        return None
    shapes = ((*before[:axis], 1, *before[axis:]) for axis in range(len(after)))
    return next((axis for axis, shape in enumerate(shapes) if shape == tuple(after)), None)


class BroadcastPattern(TilePattern[tiles.BroadcastOp]):
    """Replaces `broadcast` by the `broadcast` of `nv_tileaa`, or by a larger splat if the source is a splat
    (`repeated`).
    """

    def lower(
        self, op: tiles.BroadcastOp, at: Adaptor, types: Sequence[Type], emit: TileAAEmitter
    ) -> LoweringResult:
        return repeated(emit, at.source, types[0])


class ReshapePattern(TilePattern[tiles.ReshapeOp]):
    """Converts `reshape` to the simplest operation that does it: none for equal shapes, a splat from a
    scalar, an extraction to a scalar, `expand_dims` for one more extent of 1, otherwise `view`.
    """

    def lower(
        self, op: tiles.ReshapeOp, at: Adaptor, types: Sequence[Type], emit: TileAAEmitter
    ) -> LoweringResult:
        return viewed(emit, at.source, types[0])


class PermutePattern(TilePattern[tiles.PermuteOp]):
    """Converts `permute` to the operation of `nv_tileaa` with this name and the same permutation."""

    def lower(
        self, op: tiles.PermuteOp, at: Adaptor, types: Sequence[Type], emit: TileAAEmitter
    ) -> LoweringResult:
        return emit(aa.PermuteOp, at.source, op.permutation, type=types[0])


class CatPattern(TilePattern[tiles.CatOp]):
    """Converts `cat` to the operation of `nv_tileaa` with this name, along the same dimension."""

    def lower(
        self, op: tiles.CatOp, at: Adaptor, types: Sequence[Type], emit: TileAAEmitter
    ) -> LoweringResult:
        return emit(aa.CatOp, [at.lhs, at.rhs], op.dim, type=types[0])


class ExtractPattern(TilePattern[tiles.ExtractOp]):
    """Converts `extract` to a slice, or to the source if the slice is all of it.

    Its indices count slices, the offsets of the new operation count elements.
    """

    def lower(
        self, op: tiles.ExtractOp, at: Adaptor, types: Sequence[Type], emit: TileAAEmitter
    ) -> LoweringResult:
        sizes = shape_of(types[0])
        if shape_of(at.source.type) == sizes:
            return at.source
        offsets = [scaled(emit, index, size) for index, size in zip(at.indices, sizes, strict=True)]
        return emit(aa.ExtractSliceOp, at.source, offsets, sizes, type=types[0])


def scaled(emit: TileAAEmitter, value: Value, factor: int) -> Value:
    """Return an integer, or each element of a tile of integers, multiplied by the constant `factor`."""
    return value if factor == 1 else emit(arith.MulIOp, value, emit.integer(factor, value.type))


class InsertPattern(TilePattern[tiles.InsertOp]):
    """Converts `insert`: views the destination as a grid of slices, and selects the source in the slice that
    the indices name. A source as large as the destination replaces it.

    The dialect has no operation that changes a part of a tile. The source is broadcast to all slices, and one
    comparison per dimension finds the selected slice.
    """

    def lower(
        self, op: tiles.InsertOp, at: Adaptor, types: Sequence[Type], emit: TileAAEmitter
    ) -> LoweringResult:
        source: TileType = checked_type(op.source)
        whole: TileType = checked_type(op.destination)
        if source.shape == whole.shape:
            return at.source
        grid = [extent // size for extent, size in zip(whole.shape, source.shape, strict=True)]
        split = _interleaved(grid, source.shape)
        element = element_of(types[0])
        inner = viewed(
            emit, at.source, RankedTensorType(_interleaved([1] * len(grid), source.shape), element)
        )
        chosen = _chosen(emit, at.indices, grid, split)
        pieces = RankedTensorType(split, element)
        changed = emit(
            arith.SelectOp, chosen, repeated(emit, inner, pieces), viewed(emit, at.destination, pieces)
        )
        return viewed(emit, changed, types[0])


def _interleaved(outer: Sequence[int], inner: Sequence[int]) -> tuple[int, ...]:
    return tuple(extent for pair in zip(outer, inner, strict=True) for extent in pair)


def _chosen(
    emit: TileAAEmitter, indices: Sequence[Value], grid: Sequence[int], split: tuple[int, ...]
) -> Value:
    """Return a mask of the shape ``split`` that is true for the elements of the slice with the given indices,
    in a destination viewed as a grid of slices. ``grid`` has the number of slices along each dimension; one
    of them is more than 1.
    """
    from tilewright.dialects.arith.attributes import CmpIPredicate

    mask: Value | None = None
    for at, (index, extent) in enumerate(zip(indices, grid, strict=True)):
        if extent == 1:
            continue
        line = RankedTensorType((extent,), i32)
        hit = emit(
            arith.CmpIOp, CmpIPredicate.EQ, numbers(emit, line), emit(structure.SplatOp, index, type=line)
        )
        shape = tuple(extent if place == 2 * at else 1 for place in range(len(split)))
        spread = repeated(emit, viewed(emit, hit, RankedTensorType(shape, i1)), RankedTensorType(split, i1))
        mask = spread if mask is None else emit(arith.AndIOp, mask, spread)
    assert mask is not None, "the slice is smaller than the whole"
    return mask


def shape_patterns(lowering: TileAALowering) -> list[TilePattern[Any]]:
    """Return the patterns for operations that rearrange elements, and for `iota`. The pattern for constants
    is left out.
    """
    classes = (
        IotaPattern,
        BroadcastPattern,
        ReshapePattern,
        PermutePattern,
        CatPattern,
        ExtractPattern,
        InsertPattern,
    )
    return [made(lowering) for made in classes]
