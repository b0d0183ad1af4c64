"""Arithmetic of the body conversion: floats with rounding modes, and what else `nv_tileaa` computes element by element.

An operation that says how it rounds, flushes or saturates becomes the one of `nv_tileas` that says so by the same
attributes.  One that says nothing becomes `nv_tileas` on tiles and `arith` on scalars (bodies of reductions are made of
those); functions become `math`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tilewright.dialects.arith import ops_conversion as casts
from tilewright.dialects.arith import ops_float as floats
from tilewright.dialects.arith.attributes import ROUNDING_MODE
from tilewright.dialects.arith.attributes import RoundingMode as CastRounding
from tilewright.dialects.nv_tileaa import ops_math as aa
from tilewright.dialects.nv_tileaa import ops_pointer as aa_pointer
from tilewright.dialects.nv_tileaa.attributes import PropagateNan, RoundingMode, RoundingModeAttr
from tilewright.dialects.nv_tileaa.constraints import bits_of, element_of, is_pointer, is_tile, shape_of
from tilewright.dialects.nv_tileas.ops_arith import BY_SOURCE, ways_of
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import RankedTensorType, f32
from tilewright.ir.kind import OperationKind
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering.tileaa_to_tileas.patterns import TileAAPattern, make
from tilewright.lowering.tileaa_to_tileas.shape import discardable
from tilewright.lowering.tileaa_to_tileas.types import TileASTypeConverter
from tilewright.rewrite.conversion.pattern import Adaptor
from tilewright.rewrite.conversion.rewriter import ConversionRewriter
from tilewright.rewrite.pattern import NoMatch

NEAREST = RoundingModeAttr(RoundingMode.NEAREST_EVEN)
"""How operations round that say nothing."""
CAST_ROUNDING = {
    RoundingMode.NEAREST_EVEN: None,
    RoundingMode.NEAREST_AWAY: CastRounding.TO_NEAREST_AWAY,
    RoundingMode.ZERO: CastRounding.TOWARD_ZERO,
    RoundingMode.NEGATIVE_INF: CastRounding.DOWNWARD,
    RoundingMode.POSITIVE_INF: CastRounding.UPWARD,
}
"""How casts round, in the words of `arith`; nothing is said about the nearest."""
EXTREMA = {True: (floats.MaximumFOp, floats.MinimumFOp), False: (floats.MaxNumFOp, floats.MinNumFOp)}
"""The larger and the smaller of two, by whether NaN wins."""


def on_type(scalar: type[Operation], type: Type, *, says_more: bool = False) -> OperationKind:
    """An operation of `arith`, or that of the same name in `nv_tileas` for a tile or one that says how it computes."""
    return BY_SOURCE[scalar].op_kind if says_more or is_tile(type) else scalar.op_kind


class SameNamePattern(TileAAPattern[Operation]):
    """An operation that says how it rounds, flushes or saturates, if it does."""

    def __init__(
        self, converter: TileASTypeConverter, source: type[Operation], plain: type[Operation]
    ) -> None:
        super().__init__(converter, root=source)
        self.plain = plain
        self.stays_on_tiles = plain.op_kind.dialect == "math"
        self.ways = frozenset(field.ir_name for field in ways_of(plain))

    def converted(
        self, op: Operation, adaptor: Adaptor, types: Sequence[Type], rewriter: ConversionRewriter
    ) -> NoMatch | None:
        attributes = {name: value for name, value in op.held_attributes.items() if value is not NEAREST}
        says_more = not self.ways.isdisjoint(attributes)
        if self.stays_on_tiles and not says_more:
            kind = self.plain.op_kind
        else:
            kind = on_type(self.plain, types[0], says_more=says_more)
        make(op, kind, adaptor.operands, types, rewriter, attributes)
        return None


class FpToFpPattern(TileAAPattern[aa.FpToFpOp]):
    """Wider or narrower; between formats of one width through f32, which holds both exactly."""

    def converted(
        self, op: aa.FpToFpOp, adaptor: Adaptor, types: Sequence[Type], rewriter: ConversionRewriter
    ) -> NoMatch | None:
        mode = op.rounding_mode or RoundingMode.NEAREST_EVEN
        if mode not in CAST_ROUNDING:
            return rewriter.no_match("no cast of floats is rounded to {}", mode.name.lower())
        source, before, after = adaptor.operands[0], bits_of(op.source.type), bits_of(types[0])
        if before == after:
            source = self._widened(op, source, rewriter)
        rounding = CAST_ROUNDING[mode]
        attributes = discardable(op)
        if rounding is not None:
            attributes["roundingmode"] = ROUNDING_MODE.to_attribute(rounding)
        cast = casts.ExtFOp if before < after else casts.TruncFOp
        kind = on_type(cast, types[0], says_more=rounding is not None)
        make(op, kind, [source], types, rewriter, attributes)
        return None

    def _widened(self, op: Operation, source: Value, rewriter: ConversionRewriter) -> Value:
        shape = shape_of(source.type)
        type = RankedTensorType(shape, f32) if shape else f32
        kind = on_type(casts.ExtFOp, type)
        return rewriter.insert(Operation.from_parts(kind, [source], [type], location=op.location)).results[0]


class ClampFPattern(TileAAPattern[aa.ClampFOp]):
    """The smaller of the upper limit and the larger of the lower one; NaN stays NaN or gives way, as the mode says."""

    def converted(
        self, op: aa.ClampFOp, adaptor: Adaptor, types: Sequence[Type], rewriter: ConversionRewriter
    ) -> NoMatch | None:
        propagates = op.propagate_nan is PropagateNan.ALL
        larger, smaller = (on_type(case, types[0]) for case in EXTREMA[propagates])
        number, low, high = adaptor.operands
        raised = rewriter.insert(Operation.from_parts(larger, [number, low], types, location=op.location))
        make(op, smaller, [raised.results[0], high], types, rewriter)
        return None


class BitcastPattern(TileAAPattern[aa_pointer.BitcastOp]):
    """The bits of numbers; casts of pointers stay."""

    def converted(
        self, op: aa_pointer.BitcastOp, adaptor: Adaptor, types: Sequence[Type], rewriter: ConversionRewriter
    ) -> NoMatch | None:
        if is_pointer(element_of(op.source.type)):
            return rewriter.no_match("pointers stay as they are")
        make(op, on_type(casts.BitcastOp, types[0]), adaptor.operands, types, rewriter)
        return None


def rounded_patterns(converter: TileASTypeConverter) -> list[TileAAPattern[Any]]:
    """Sums, products, extrema and casts."""
    return [*_same_name(converter, "arith"), FpToFpPattern(converter), BitcastPattern(converter)]


def function_patterns(converter: TileASTypeConverter) -> list[TileAAPattern[Any]]:
    """Functions that `math` has, and one that `arith` composes."""
    return [*_same_name(converter, "math"), ClampFPattern(converter)]


def _same_name(converter: TileASTypeConverter, dialect: str) -> list[SameNamePattern]:
    """The patterns of operations for which a dialect has those that say nothing."""
    return [
        SameNamePattern(converter, source, plain)
        for source, plain in aa.PLAIN.items()
        if plain.op_kind.dialect == dialect
    ]
