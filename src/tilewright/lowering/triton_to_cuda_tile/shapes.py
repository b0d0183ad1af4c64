"""Converts operations that rearrange elements: ranges, splats, reshapes, transposition, joining and
splitting.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tilewright.dialects.cuda_tile.ops import tile as tiles
from tilewright.dialects.cuda_tile.types import tile_of
from tilewright.dialects.tt.ops import shape as tt
from tilewright.ir.attribute import Type
from tilewright.ir.operation import Operation
from tilewright.lowering.pattern import LoweringResult
from tilewright.lowering.triton_to_cuda_tile.emit import CudaTileEmitter
from tilewright.lowering.triton_to_cuda_tile.pattern import TritonLowering, TritonPattern
from tilewright.rewrite.conversion.pattern import Adaptor


def shape_of(type: Type) -> tuple[int, ...]:
    """Return the extents of a converted tensor type, which is a tile type."""
    shape: Any = type
    return tuple(shape.shape)


class MakeRangePattern(TritonPattern[tt.MakeRangeOp]):
    """Converts a range of consecutive integers to an `iota`, plus the start of the range unless it is 0."""

    def lower(
        self, op: tt.MakeRangeOp, at: Adaptor, types: Sequence[Type], emit: CudaTileEmitter
    ) -> LoweringResult:
        numbers = emit(tiles.IotaOp, type=types[0])
        return emit.add(numbers, emit.like(op.start, numbers)) if op.start else numbers


class SplatPattern(TritonPattern[tt.SplatOp]):
    """Converts a splat: every element of the result is the operand."""

    def lower(
        self, op: tt.SplatOp, at: Adaptor, types: Sequence[Type], emit: CudaTileEmitter
    ) -> LoweringResult:
        (value,) = at.operands
        return emit.spread(emit.reshaped(value, ()), shape_of(types[0]))


class TritonReshapePattern(TritonPattern[Operation]):
    """Converts `reshape`, `expand_dims` and `unsplat`, which keep the elements in row-major order and change
    the shape.
    """

    def lower(
        self, op: Operation, at: Adaptor, types: Sequence[Type], emit: CudaTileEmitter
    ) -> LoweringResult:
        return emit.reshaped(at.operands[0], shape_of(types[0]))


class TritonBroadcastPattern(TritonPattern[tt.BroadcastOp]):
    """Converts a broadcast along dimensions of extent 1."""

    def lower(
        self, op: tt.BroadcastOp, at: Adaptor, types: Sequence[Type], emit: CudaTileEmitter
    ) -> LoweringResult:
        return emit.broadcast(at.operands[0], shape_of(types[0]))


class TransPattern(TritonPattern[tt.TransOp]):
    """Converts a transposition, which permutes the dimensions, to `permute`. One that keeps their order is
    replaced with its operand.
    """

    def lower(
        self, op: tt.TransOp, at: Adaptor, types: Sequence[Type], emit: CudaTileEmitter
    ) -> LoweringResult:
        order = tuple(op.order_)
        if order == tuple(range(len(order))):
            return at.operands[0]
        return emit(tiles.PermuteOp, at.operands[0], order)


class TritonCatPattern(TritonPattern[tt.CatOp]):
    """Converts a concatenation along dimension 0 to one tile after the other, in order."""

    def lower(
        self, op: tt.CatOp, at: Adaptor, types: Sequence[Type], emit: CudaTileEmitter
    ) -> LoweringResult:
        return emit(tiles.CatOp, *at.operands, 0)


class JoinPattern(TritonPattern[tt.JoinOp]):
    """Converts a join of two tiles along a new last dimension, of extent 2, to `cat`."""

    def lower(
        self, op: tt.JoinOp, at: Adaptor, types: Sequence[Type], emit: CudaTileEmitter
    ) -> LoweringResult:
        parts = [emit.reshaped(value, (*tile_of(value).shape, 1)) for value in at.operands]
        return emit(tiles.CatOp, *parts, len(tile_of(parts[0]).shape) - 1)


class SplitPattern(TritonPattern[tt.SplitOp]):
    """Converts a split of a last dimension of extent 2: each result is one of the two parts, without that
    dimension.
    """

    def lower(
        self, op: tt.SplitOp, at: Adaptor, types: Sequence[Type], emit: CudaTileEmitter
    ) -> LoweringResult:
        (source,) = at.operands
        last = len(tile_of(source).shape) - 1
        parts = [emit.part(source, last, index, 2) for index in range(2)]
        return [emit.reshaped(part, shape_of(type)) for part, type in zip(parts, types, strict=True)]


RESHAPES = (tt.ReshapeOp, tt.ExpandDimsOp, tt.UnsplatOp)
"""Operations that keep the elements and their row-major order."""


def shape_patterns(lowering: TritonLowering) -> list[TritonPattern[Any]]:
    """Return the patterns for operations that rearrange elements."""
    classes = (
        MakeRangePattern,
        SplatPattern,
        TritonBroadcastPattern,
        TransPattern,
        TritonCatPattern,
        JoinPattern,
        SplitPattern,
    )
    made = [pattern(lowering) for pattern in classes]
    return [*made, *(TritonReshapePattern(lowering, root=source) for source in RESHAPES)]
