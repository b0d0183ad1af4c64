"""Patterns for elementwise operations of the dialect `tt` itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tilewright.dialects.cuda_tile.enums import RoundingMode
from tilewright.dialects.cuda_tile.ops import float as floats, integer as integers
from tilewright.dialects.cuda_tile.rules.rounding import conversion_rule
from tilewright.dialects.cuda_tile.types import tile_of
from tilewright.dialects.tt import enums
from tilewright.dialects.tt.ops import arithmetic as tt
from tilewright.dialects.tt.ops.cast import FpToFpOp
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import FloatType, f8E5M2, f16, i8, i16
from tilewright.ir.value import Value
from tilewright.lowering.pattern import LoweringResult
from tilewright.lowering.triton_to_cuda_tile.elementwise import elementwise_rows
from tilewright.lowering.triton_to_cuda_tile.emit import CudaTileEmitter
from tilewright.lowering.triton_to_cuda_tile.pattern import TritonLowering, TritonPattern
from tilewright.rewrite.conversion.pattern import Adaptor

ROWS = {
    tt.PreciseSqrtOp: elementwise_rows.ElementwiseRow(floats.SqrtOp, elementwise_rows.NEAREST),
    tt.PreciseDivFOp: elementwise_rows.ElementwiseRow(floats.DivFOp, elementwise_rows.NEAREST),
    tt.ApproxDivFOp: elementwise_rows.ElementwiseRow(floats.DivFOp, elementwise_rows.NEAREST),
    tt.MulhiUIOp: elementwise_rows.ElementwiseRow(integers.MulhiIOp, {}),
}


class TritonFpToFpPattern(TritonPattern[FpToFpOp]):
    """Converts a float conversion, rounded to nearest even or towards zero.

    Tile IR can round towards zero only in conversions to f16 and wider types. For `f8E5M2`, which is the
    upper half of f16, the lower half is dropped; other formats do not match.
    """

    def lower(
        self, op: FpToFpOp, at: Adaptor, types: Sequence[Type], emit: CudaTileEmitter
    ) -> LoweringResult:
        (value,) = at.operands
        target, source = tile_type(types[0]), tile_of(value).element_type
        rounding = RoundingMode.ZERO if op.rounding is enums.RoundingMode.RTZ else RoundingMode.NEAREST_EVEN
        assert isinstance(source, FloatType), "the verifier says so"
        if source is target or rounding in conversion_rule(source, target).modes:
            return emit.converted(value, target, rounding)
        if target is not f8E5M2:
            return emit.rewriter.no_match("conversions to {} round to the nearest only", target)
        bits = emit.same_bits(emit.converted(value, f16, rounding), i16)
        upper = emit.shifted_right(bits, 8)
        return emit.same_bits(emit.resized(upper, i8), f8E5M2)


def tile_type(type: Type) -> FloatType:
    """Return the element type of a tile type, which the verifier has checked to be a float type."""
    tile: Any = type
    element = tile.element_type
    assert isinstance(element, FloatType), "the verifier says so"
    return element


class TritonClampFPattern(TritonPattern[tt.ClampFOp]):
    """Converts a clamp of a number to ``minimum(upper, maximum(lower, number))``. If `propagateNan` is `all`,
    NaN is propagated; otherwise NaN is replaced by a limit.
    """

    def lower(
        self, op: tt.ClampFOp, at: Adaptor, types: Sequence[Type], emit: CudaTileEmitter
    ) -> LoweringResult:
        value, low, high = at.operands
        nan = op.propagateNan is enums.PropagateNan.ALL
        at_least: Value = emit(floats.MaxFOp, value, low, propagate_nan=nan)
        return emit(floats.MinFOp, at_least, high, propagate_nan=nan)


def element_patterns(lowering: TritonLowering) -> list[TritonPattern[Any]]:
    """Return the patterns for elementwise arithmetic of `tt`."""
    rows = [elementwise_rows.TritonRowPattern(lowering, source, row) for source, row in ROWS.items()]
    return [*rows, TritonFpToFpPattern(lowering), TritonClampFPattern(lowering)]
