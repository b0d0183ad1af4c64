"""Arithmetic of the body conversion: floats with rounding modes, and other elementwise operations of `nv_tileaa`.

An operation with attributes for rounding, flushing or saturation becomes the operation of `nv_tileas` with these
attributes. An operation without them becomes `nv_tileas` on tiles and `arith` on scalars (as in bodies of reductions);
functions become `math`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tilewright.dialects.arith import ops_conversion as casts, ops_float as floats
from tilewright.dialects.arith.attributes import ROUNDING_MODE, RoundingMode as CastRounding
from tilewright.dialects.nv_tileaa.attributes import PropagateNan, RoundingMode, RoundingModeAttr
from tilewright.dialects.nv_tileaa.constraints import bits_of, element_of, is_pointer, is_tile, shape_of
from tilewright.dialects.nv_tileaa.ops import math as aa, pointer as aa_pointer
from tilewright.dialects.nv_tileas.ops_arith import BY_SOURCE, ways_of
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import RankedTensorType, f32
from tilewright.ir.declaration.kind import OperationKind
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering.pattern import ConversionInserter, LoweringResult
from tilewright.lowering.tileaa_to_tileas import shape as tileaa_to_tileas_shape, type_conversion
from tilewright.lowering.tileaa_to_tileas.patterns import TileAAPattern
from tilewright.rewrite.conversion.pattern import Adaptor

NEAREST = RoundingModeAttr(RoundingMode.NEAREST_EVEN)
"""The rounding of operations without a rounding attribute."""
CAST_ROUNDING = {
    RoundingMode.NEAREST_EVEN: None,
    RoundingMode.NEAREST_AWAY: CastRounding.TO_NEAREST_AWAY,
    RoundingMode.ZERO: CastRounding.TOWARD_ZERO,
    RoundingMode.NEGATIVE_INF: CastRounding.DOWNWARD,
    RoundingMode.POSITIVE_INF: CastRounding.UPWARD,
}
"""For each rounding mode, the rounding attribute of casts in `arith`; None for the nearest-even mode, the
default.
"""
EXTREMA = {True: (floats.MaximumFOp, floats.MinimumFOp), False: (floats.MaxNumFOp, floats.MinNumFOp)}
"""The maximum and the minimum operation of `arith`; the key is whether NaN is propagated."""


def on_type(scalar: type[Operation], type: Type, *, says_more: bool = False) -> OperationKind:
    """Return the operation that replaces `scalar`, an operation of `arith`, for operands of `type`. Scalars
    keep `arith`. Tiles take the operation of `nv_tileas`; so do scalars with ``says_more``, because the
    operation has attributes that `arith` lacks.
    """
    return BY_SOURCE[scalar].op_kind if says_more or is_tile(type) else scalar.op_kind


class SameNamePattern(TileAAPattern[Operation]):
    """Converts an operation that may have attributes for rounding, flushing or saturation. With such an
    attribute it becomes the operation of `nv_tileas` of the same name; rounding to nearest even counts as
    none. Without one it becomes ``plain``, an operation of `math`, or of `arith` on scalars and `nv_tileas`
    on tiles.
    """

    def __init__(
        self, converter: type_conversion.TileASTypeConverter, source: type[Operation], plain: type[Operation]
    ) -> None:
        super().__init__(converter, root=source)
        self.plain = plain
        self.stays_on_tiles = plain.op_kind.dialect == "math"
        self.ways = frozenset(field.ir_name for field in ways_of(plain))

    def lower(
        self, op: Operation, at: Adaptor, types: Sequence[Type], emit: ConversionInserter
    ) -> LoweringResult:
        attributes = {name: value for name, value in op.held_attributes.items() if value is not NEAREST}
        says_more = not self.ways.isdisjoint(attributes)
        if self.stays_on_tiles and not says_more:
            kind = self.plain.op_kind
        else:
            kind = on_type(self.plain, types[0], says_more=says_more)
        return emit.plain(kind, at.operands, types, attributes)


class FpToFpPattern(TileAAPattern[aa.FpToFpOp]):
    """Converts a float conversion to an extension or truncation with its rounding mode. Modes that casts do
    not have do not match.

    Between two formats of equal width it goes through f32, which represents both exactly.
    """

    def lower(
        self, op: aa.FpToFpOp, at: Adaptor, types: Sequence[Type], emit: ConversionInserter
    ) -> LoweringResult:
        mode = op.rounding_mode or RoundingMode.NEAREST_EVEN
        if mode not in CAST_ROUNDING:
            return emit.rewriter.no_match("no cast of floats is rounded to {}", mode.name.lower())
        source, before, after = at.operands[0], bits_of(op.source.type), bits_of(types[0])
        if before == after:
            source = self._widened(source, emit)
        rounding = CAST_ROUNDING[mode]
        attributes = tileaa_to_tileas_shape.discardable(op)
        if rounding is not None:
            attributes["roundingmode"] = ROUNDING_MODE.to_attribute(rounding)
        cast = casts.ExtFOp if before < after else casts.TruncFOp
        kind = on_type(cast, types[0], says_more=rounding is not None)
        return emit.plain(kind, [source], types, attributes)

    def _widened(self, source: Value, emit: ConversionInserter) -> Value:
        shape = shape_of(source.type)
        type = RankedTensorType(shape, f32) if shape else f32
        kind = on_type(casts.ExtFOp, type)
        return emit.plain(kind, [source], [type]).results[0]


class ClampFPattern(TileAAPattern[aa.ClampFOp]):
    """Converts a clamp of a value to ``minimum(upper, maximum(lower, value))``. If `propagate_nan` is `all`,
    NaN is propagated; otherwise NaN is replaced by a limit.
    """

    def lower(
        self, op: aa.ClampFOp, at: Adaptor, types: Sequence[Type], emit: ConversionInserter
    ) -> LoweringResult:
        propagates = op.propagate_nan is PropagateNan.ALL
        larger, smaller = (on_type(case, types[0]) for case in EXTREMA[propagates])
        number, low, high = at.operands
        raised = emit.plain(larger, [number, low], types)
        return emit.plain(smaller, [raised.results[0], high], types)


class BitcastPattern(TileAAPattern[aa_pointer.BitcastOp]):
    """Converts a `bitcast` of numbers: of tiles to the operation of `nv_tileas`, of scalars to the operation
    of `arith`. Casts of pointers do not match.
    """

    def lower(
        self, op: aa_pointer.BitcastOp, at: Adaptor, types: Sequence[Type], emit: ConversionInserter
    ) -> LoweringResult:
        if is_pointer(element_of(op.source.type)):
            return emit.rewriter.no_match("pointers stay as they are")
        return emit.plain(on_type(casts.BitcastOp, types[0]), at.operands, types)


def rounded_patterns(converter: type_conversion.TileASTypeConverter) -> list[TileAAPattern[Any]]:
    """Return the patterns for operations that become `arith` without rounding attributes, for casts of
    floats, and for bitcasts.
    """
    return [*_same_name(converter, "arith"), FpToFpPattern(converter), BitcastPattern(converter)]


def function_patterns(converter: type_conversion.TileASTypeConverter) -> list[TileAAPattern[Any]]:
    """Return the patterns for operations that become functions of `math`, and for clamps of floats."""
    return [*_same_name(converter, "math"), ClampFPattern(converter)]


def _same_name(converter: type_conversion.TileASTypeConverter, dialect: str) -> list[SameNamePattern]:
    """Return the patterns for operations that have an equivalent, without rounding attributes, in the dialect
    named `dialect`.
    """
    return [
        SameNamePattern(converter, source, plain)
        for source, plain in aa.PLAIN.items()
        if plain.op_kind.dialect == dialect
    ]
