"""Converts matrix products, with and without scales, to products of Tile IR."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tilewright.dialects.cuda_tile.enums import RoundingMode, Signedness
from tilewright.dialects.cuda_tile.ops import conversion as casts, tile as tiles
from tilewright.dialects.cuda_tile.rules.mma import ACCUMULATORS
from tilewright.dialects.cuda_tile.types import TileType, tile_of
from tilewright.dialects.tt.enums import InputPrecision
from tilewright.dialects.tt.ops import dot as tt
from tilewright.ir import builtin_types
from tilewright.ir.attribute import Type
from tilewright.ir.value import Value
from tilewright.lowering.pattern import LoweringResult
from tilewright.lowering.triton_to_cuda_tile.emit import CudaTileEmitter
from tilewright.lowering.triton_to_cuda_tile.pattern import TritonLowering, TritonPattern
from tilewright.rewrite.conversion.pattern import Adaptor

SIGNED = Signedness.SIGNED


class TritonDotPattern(TritonPattern[tt.DotOp]):
    """Converts a product of two matrices, added to a third. Element types that Tile IR does not multiply do
    not match.

    Both factors get one type, which determines how the product is computed.
    """

    def lower(
        self, op: tt.DotOp, at: Adaptor, types: Sequence[Type], emit: CudaTileEmitter
    ) -> LoweringResult:
        lhs, rhs, acc = at.operands
        element = tile_of(acc).element_type
        if tile_of(lhs).element_type is builtin_types.i8 and element is builtin_types.i32:
            return emit(tiles.MmaIOp, lhs, rhs, acc, SIGNED, SIGNED)
        lhs, rhs = _alike(emit, lhs, rhs)
        if op.inputPrecision is InputPrecision.TF32:
            lhs, rhs = self._as_tensor_cores(emit, lhs), self._as_tensor_cores(emit, rhs)
        if tile_of(lhs).element_type not in ACCUMULATORS:
            return emit.rewriter.no_match("Tile IR multiplies no matrices of {}", tile_of(lhs).element_type)
        return product(emit, lhs, rhs, acc)

    def _as_tensor_cores(self, emit: CudaTileEmitter, value: Value) -> Value:
        """Return a factor of f32 rounded to tf32, as tensor cores do, if the pass has `round-to-tf32`; else
        unchanged.
        """
        rounds = self.lowering.choices.rounds_to_tf32 and tile_of(value).element_type is builtin_types.f32
        return emit.converted(value, builtin_types.tf32, RoundingMode.NEAREST_AWAY) if rounds else value


def _alike(emit: CudaTileEmitter, lhs: Value, rhs: Value) -> tuple[Value, Value]:
    """Return two factors of one type. Factors of different types, which are 8-bit formats, are both converted
    to f16, which is exact.
    """
    if tile_of(lhs).element_type is tile_of(rhs).element_type:
        return lhs, rhs
    return emit.converted(lhs, builtin_types.f16), emit.converted(rhs, builtin_types.f16)


def product(emit: CudaTileEmitter, lhs: Value, rhs: Value, acc: Value) -> Value:
    """Return ``lhs @ rhs + acc`` for floats, in the type of `acc`.

    If Tile IR has no product of these factors with sums of this type, the sum is computed in f64 if that is
    possible, else in f32, and rounded at the end.
    """
    allowed, element = ACCUMULATORS[tile_of(lhs).element_type], tile_of(acc).element_type
    wide = (
        element
        if element in allowed
        else builtin_types.f64
        if builtin_types.f64 in allowed
        else builtin_types.f32
    )
    return emit.converted(emit(tiles.MmaFOp, lhs, rhs, emit.converted(acc, wide)), element)


class DotScaledPattern(TritonPattern[tt.DotScaledOp]):
    """Converts a product of matrices with a scale for each block along K.

    Both matrices are multiplied by their scales in f32, which represents the products exactly.
    """

    def lower(
        self, op: tt.DotScaledOp, at: Adaptor, types: Sequence[Type], emit: CudaTileEmitter
    ) -> LoweringResult:
        lhs = _unpacked(emit, at.a, op.a_elem_type.name, along_last=op.lhs_k_pack)
        rhs = _unpacked(emit, at.b, op.b_elem_type.name, along_last=not op.rhs_k_pack)
        lhs = _scaled(emit, emit.converted(lhs, builtin_types.f32), at.a_scale)
        rhs = _swapped(
            emit, _scaled(emit, _swapped(emit, emit.converted(rhs, builtin_types.f32)), at.b_scale)
        )
        return product(emit, lhs, rhs, at.c)


def _swapped(emit: CudaTileEmitter, value: Value) -> Value:
    """Return a tile with its last two dimensions swapped."""
    rank = len(tile_of(value).shape)
    return emit(tiles.PermuteOp, value, (*range(rank - 2), rank - 1, rank - 2))


def _unpacked(emit: CudaTileEmitter, value: Value, format: str, *, along_last: bool) -> Value:
    """Return bytes that hold two 4-bit floats each as a tile of f32. The two floats are neighbours along the
    last dimension with `along_last`, else along the one before it. Other formats are returned unchanged.
    """
    if format != "E2M1":
        return value
    if not along_last:
        return _swapped(emit, _unpacked(emit, _swapped(emit, value), format, along_last=True))
    tile = tile_of(value)
    row = emit.reshaped(value, (tile.element_count,))
    halves = emit(casts.UnpackOp, row, type=TileType((2 * tile.element_count,), builtin_types.f4E2M1FN))
    return emit.reshaped(emit.converted(halves, builtin_types.f32), (*tile.shape[:-1], 2 * tile.shape[-1]))


def _scaled(emit: CudaTileEmitter, value: Value, scale: Value | None) -> Value:
    """Return a matrix whose rows are multiplied block by block with `scale`. A scale of type i8 has the bits
    of an f8E8M0FNU, a power of two. Unchanged if `scale` is None.
    """
    if scale is None:
        return value
    if tile_of(scale).element_type is builtin_types.i8:
        scale = emit.same_bits(scale, builtin_types.f8E8M0FNU)
    shape, blocks = tile_of(value).shape, tile_of(scale).shape
    factors = emit.reshaped(emit.converted(scale, builtin_types.f32), (*blocks, 1))
    factors = emit.broadcast(factors, (*blocks, shape[-1] // blocks[-1]))
    return emit.times(value, emit.reshaped(factors, shape))


def product_patterns(lowering: TritonLowering) -> list[TritonPattern[Any]]:
    """Return the patterns for matrix products."""
    return [TritonDotPattern(lowering), DotScaledPattern(lowering)]
