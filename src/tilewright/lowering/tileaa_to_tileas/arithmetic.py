"""Arithmetic of the body conversion: floats with rounding modes, and what else `nv_tileaa` computes element by element.

Tiles go to `nv_tileas`, scalars to `arith` (bodies of reductions are made of those), functions to `math`.  What the new
operation has no attribute of its own for goes along in a discardable one, under the name that it had in `nv_tileaa`:
`nv_tileaa.rounding_mode` (unless it is to nearest even), `nv_tileaa.flush_to_zero`, `nv_tileaa.fastmath`.  A scalar with
such a note goes to `nv_tileas`, too: `arith` would fold constants without looking at it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tilewright.dialects.arith import ops_conversion as casts
from tilewright.dialects.arith import ops_float as floats
from tilewright.dialects.math import ops as math
from tilewright.dialects.nv_tileaa import ops_math as aa
from tilewright.dialects.nv_tileaa import ops_pointer as aa_pointer
from tilewright.dialects.nv_tileaa.attributes import PropagateNan, RoundingMode, RoundingModeAttr
from tilewright.dialects.nv_tileaa.constraints import bits_of, element_of, is_pointer, is_tile, shape_of
from tilewright.dialects.nv_tileas.ops_arith import BY_MNEMONIC
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.builtin_types import RankedTensorType, f32
from tilewright.ir.kind import OperationKind
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering.tileaa_to_tileas.patterns import TileAAPattern, make
from tilewright.lowering.tileaa_to_tileas.types import TileASTypeConverter
from tilewright.rewrite.conversion.pattern import Adaptor
from tilewright.rewrite.conversion.rewriter import ConversionRewriter
from tilewright.rewrite.pattern import NoMatch

PREFIX = "nv_tileaa."
NEAREST = RoundingModeAttr(RoundingMode.NEAREST_EVEN)
"""What operations without a note do."""
SAME_NAME: dict[type[Operation], type[Operation]] = {
    aa.AddFOp: floats.AddFOp,
    aa.SubFOp: floats.SubFOp,
    aa.MulFOp: floats.MulFOp,
    aa.DivFOp: floats.DivFOp,
}
"""Operations of `nv_tileaa`, and those of `arith` that scalars become; tiles become those of `nv_tileas`."""
FUNCTIONS: dict[type[Operation], type[Operation]] = {
    aa.FmaOp: math.FmaOp,
    aa.SqrtOp: math.SqrtOp,
    aa.RsqrtOp: math.RsqrtOp,
    aa.Exp2Op: math.Exp2Op,
}
"""Functions, and those of `math` that scalars and tiles become."""


EXTREMA = {True: (floats.MaximumFOp, floats.MinimumFOp), False: (floats.MaxNumFOp, floats.MinNumFOp)}
"""The larger and the smaller of two, by whether NaN wins."""


def on_type(scalar: type[Operation], type: Type, notes: dict[str, Attribute] | None = None) -> OperationKind:
    """An operation of `arith`, or that of the same name in `nv_tileas` for a tile or one with notes."""
    return BY_MNEMONIC[scalar.op_kind.mnemonic].op_kind if notes or is_tile(type) else scalar.op_kind


def notes_of(op: Operation) -> dict[str, Attribute]:
    """The attributes of an operation as discardable ones of an operation of another dialect."""
    return {
        name if "." in name else PREFIX + name: value
        for name, value in op.held_attributes.items()
        if value is not NEAREST
    }


class SameNamePattern(TileAAPattern[Operation]):
    """An operation of a table; flags and modes go along."""

    def __init__(
        self, converter: TileASTypeConverter, source: type[Operation], target: type[Operation], *, tiles: bool
    ) -> None:
        super().__init__(converter, root=source)
        self.target = target
        self.tiles = tiles

    def converted(
        self, op: Operation, adaptor: Adaptor, types: Sequence[Type], rewriter: ConversionRewriter
    ) -> NoMatch | None:
        notes = notes_of(op)
        kind = on_type(self.target, types[0], notes) if self.tiles else self.target.op_kind
        make(op, kind, adaptor.operands, types, rewriter, notes)
        return None


class FpToFpPattern(TileAAPattern[aa.FpToFpOp]):
    """Wider or narrower; between formats of one width through f32, which holds both exactly."""

    def converted(
        self, op: aa.FpToFpOp, adaptor: Adaptor, types: Sequence[Type], rewriter: ConversionRewriter
    ) -> NoMatch | None:
        source, before, after = adaptor.operands[0], bits_of(op.source.type), bits_of(types[0])
        if before == after:
            source = self._widened(op, source, rewriter)
        notes = notes_of(op)
        kind = on_type(casts.ExtFOp if before < after else casts.TruncFOp, types[0], notes)
        make(op, kind, [source], types, rewriter, notes)
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
    """Sums and products with rounding modes, and casts."""
    rows = [SameNamePattern(converter, source, target, tiles=True) for source, target in SAME_NAME.items()]
    return [*rows, FpToFpPattern(converter), BitcastPattern(converter)]


def function_patterns(converter: TileASTypeConverter) -> list[TileAAPattern[Any]]:
    """Functions that `math` has, and one that `arith` composes."""
    rows = [SameNamePattern(converter, source, target, tiles=False) for source, target in FUNCTIONS.items()]
    return [*rows, ClampFPattern(converter)]
