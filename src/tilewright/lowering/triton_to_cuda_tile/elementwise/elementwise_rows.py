"""Elementwise operations: an operation of `arith`, `math` or `tt` becomes an operation of `cuda_tile`, or a
short formula. Tables give the operation and its attributes. Floats are rounded to nearest, ties to even,
unless a truncation has another rounding mode. If the source leaves an operation some freedom (`arith.divf`,
`math.sqrt`, `math.exp`), it becomes the precise one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from tilewright.dialects.arith import (
    ops_conversion as arith_casts,
    ops_float as arith_floats,
    ops_integer as arith,
)
from tilewright.dialects.arith.attributes import CmpFPredicate, CmpIPredicate, IntegerOverflowFlags
from tilewright.dialects.cuda_tile import enums as cuda_tile_enums, types as cuda_tile_types
from tilewright.dialects.cuda_tile.ops import (
    conversion as casts,
    float as floats,
    integer as integers,
    tile as tiles,
)
from tilewright.dialects.math import dialect as math
from tilewright.dialects.ub.dialect import PoisonOp
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.builtin_attributes import UNIT, DenseElementsAttr, FloatAttr, IntegerAttr
from tilewright.ir.operation import Operation
from tilewright.lowering.pattern import LoweringResult
from tilewright.lowering.triton_to_cuda_tile.elementwise.formulas import erf
from tilewright.lowering.triton_to_cuda_tile.emit import CudaTileEmitter
from tilewright.lowering.triton_to_cuda_tile.pattern import (
    Formula,
    FormulaPattern,
    TritonLowering,
    TritonPattern,
)
from tilewright.rewrite.conversion.pattern import Adaptor

Attributes = dict[str, Attribute]
OVERFLOW = {
    IntegerOverflowFlags.NONE: cuda_tile_enums.IntegerOverflow.NONE,
    IntegerOverflowFlags.NSW: cuda_tile_enums.IntegerOverflow.NO_SIGNED_WRAP,
    IntegerOverflowFlags.NUW: cuda_tile_enums.IntegerOverflow.NO_UNSIGNED_WRAP,
    IntegerOverflowFlags.NSW | IntegerOverflowFlags.NUW: cuda_tile_enums.IntegerOverflow.NO_WRAP,
}
RELATIONS = {
    "EQ": cuda_tile_enums.ComparisonPredicate.EQUAL,
    "NE": cuda_tile_enums.ComparisonPredicate.NOT_EQUAL,
    "LT": cuda_tile_enums.ComparisonPredicate.LESS_THAN,
    "LE": cuda_tile_enums.ComparisonPredicate.LESS_THAN_OR_EQUAL,
    "GT": cuda_tile_enums.ComparisonPredicate.GREATER_THAN,
    "GE": cuda_tile_enums.ComparisonPredicate.GREATER_THAN_OR_EQUAL,
}
"""The predicate of Tile IR, by the last two letters of a predicate of `arith`."""
SIGNED = cuda_tile_enums.SignednessAttr(cuda_tile_enums.Signedness.SIGNED)
UNSIGNED = cuda_tile_enums.SignednessAttr(cuda_tile_enums.Signedness.UNSIGNED)
NEAREST: Attributes = {
    "rounding_mode": cuda_tile_enums.RoundingModeAttr(cuda_tile_enums.RoundingMode.NEAREST_EVEN)
}
FULL: Attributes = {"rounding_mode": cuda_tile_enums.RoundingModeAttr(cuda_tile_enums.RoundingMode.FULL)}
TO_ZERO = cuda_tile_enums.RoundingModeAttr(cuda_tile_enums.RoundingMode.NEAREST_INT_TO_ZERO)


class OverflowingArithOperation(Protocol):
    """An operation with ``overflowFlags``, the assumptions that it does not wrap around as a signed or
    unsigned number.
    """

    overflowFlags: IntegerOverflowFlags


def _overflow(op: OverflowingArithOperation) -> Attributes:
    return {"overflow": cuda_tile_enums.IntegerOverflowAttr(OVERFLOW[op.overflowFlags])}


def _division(rounding: cuda_tile_enums.RoundingMode, sign: cuda_tile_enums.SignednessAttr) -> Attributes:
    return {"rounding": cuda_tile_enums.RoundingModeAttr(rounding), "signedness": sign}


@dataclass(frozen=True, slots=True)
class ElementwiseRow:
    """The operation ``target`` of Tile IR that replaces an operation with the same operands. ``attributes``
    are its attributes, or a function that computes them from the operation.
    """

    target: type[Operation]
    attributes: Attributes | Callable[[Any], Attributes]

    def attributes_of(self, op: Operation) -> Attributes:
        """Return the attributes of the replacement of `op`, by name."""
        return self.attributes(op) if callable(self.attributes) else dict(self.attributes)


def _by_sign(target: type[Operation], sign: cuda_tile_enums.SignednessAttr) -> ElementwiseRow:
    return ElementwiseRow(target, {"signedness": sign})


TABLE: dict[type[Operation], ElementwiseRow] = {
    # integers
    arith.AddIOp: ElementwiseRow(integers.AddIOp, _overflow),
    arith.SubIOp: ElementwiseRow(integers.SubIOp, _overflow),
    arith.MulIOp: ElementwiseRow(integers.MulIOp, _overflow),
    arith.ShLIOp: ElementwiseRow(integers.ShLIOp, _overflow),
    arith.ShRSIOp: _by_sign(integers.ShRIOp, SIGNED),
    arith.ShRUIOp: _by_sign(integers.ShRIOp, UNSIGNED),
    arith.DivSIOp: ElementwiseRow(integers.DivIOp, _division(cuda_tile_enums.RoundingMode.ZERO, SIGNED)),
    arith.DivUIOp: ElementwiseRow(integers.DivIOp, _division(cuda_tile_enums.RoundingMode.ZERO, UNSIGNED)),
    arith.CeilDivSIOp: ElementwiseRow(
        integers.DivIOp, _division(cuda_tile_enums.RoundingMode.POSITIVE_INF, SIGNED)
    ),
    arith.CeilDivUIOp: ElementwiseRow(
        integers.DivIOp, _division(cuda_tile_enums.RoundingMode.POSITIVE_INF, UNSIGNED)
    ),
    arith.FloorDivSIOp: ElementwiseRow(
        integers.DivIOp, _division(cuda_tile_enums.RoundingMode.NEGATIVE_INF, SIGNED)
    ),
    arith.RemSIOp: _by_sign(integers.RemIOp, SIGNED),
    arith.RemUIOp: _by_sign(integers.RemIOp, UNSIGNED),
    arith.MaxSIOp: _by_sign(integers.MaxIOp, SIGNED),
    arith.MaxUIOp: _by_sign(integers.MaxIOp, UNSIGNED),
    arith.MinSIOp: _by_sign(integers.MinIOp, SIGNED),
    arith.MinUIOp: _by_sign(integers.MinIOp, UNSIGNED),
    arith.AndIOp: ElementwiseRow(integers.AndIOp, {}),
    arith.OrIOp: ElementwiseRow(integers.OrIOp, {}),
    arith.XOrIOp: ElementwiseRow(integers.XOrIOp, {}),
    math.AbsIOp: ElementwiseRow(integers.AbsIOp, {}),
    # floats
    arith_floats.AddFOp: ElementwiseRow(floats.AddFOp, NEAREST),
    arith_floats.SubFOp: ElementwiseRow(floats.SubFOp, NEAREST),
    arith_floats.MulFOp: ElementwiseRow(floats.MulFOp, NEAREST),
    arith_floats.DivFOp: ElementwiseRow(floats.DivFOp, NEAREST),
    arith_floats.RemFOp: ElementwiseRow(floats.RemFOp, {}),
    arith_floats.NegFOp: ElementwiseRow(floats.NegFOp, {}),
    arith_floats.MaximumFOp: ElementwiseRow(floats.MaxFOp, {"propagate_nan": UNIT}),
    arith_floats.MinimumFOp: ElementwiseRow(floats.MinFOp, {"propagate_nan": UNIT}),
    arith_floats.MaxNumFOp: ElementwiseRow(floats.MaxFOp, {}),
    arith_floats.MinNumFOp: ElementwiseRow(floats.MinFOp, {}),
    math.AbsFOp: ElementwiseRow(floats.AbsFOp, {}),
    math.CeilOp: ElementwiseRow(floats.CeilOp, {}),
    math.FloorOp: ElementwiseRow(floats.FloorOp, {}),
    math.SqrtOp: ElementwiseRow(floats.SqrtOp, NEAREST),
    math.RsqrtOp: ElementwiseRow(floats.RsqrtOp, {}),
    math.ExpOp: ElementwiseRow(floats.ExpOp, FULL),
    math.Exp2Op: ElementwiseRow(floats.Exp2Op, {}),
    math.LogOp: ElementwiseRow(floats.LogOp, {}),
    math.Log2Op: ElementwiseRow(floats.Log2Op, {}),
    math.SinOp: ElementwiseRow(floats.SinOp, {}),
    math.CosOp: ElementwiseRow(floats.CosOp, {}),
    math.TanOp: ElementwiseRow(floats.TanOp, {}),
    math.SinhOp: ElementwiseRow(floats.SinHOp, {}),
    math.CoshOp: ElementwiseRow(floats.CosHOp, {}),
    math.TanhOp: ElementwiseRow(floats.TanHOp, FULL),
    math.PowFOp: ElementwiseRow(floats.PowOp, {}),
    math.Atan2Op: ElementwiseRow(floats.Atan2Op, {}),
    math.FmaOp: ElementwiseRow(floats.FmaOp, NEAREST),
    # conversions
    arith_casts.ExtSIOp: _by_sign(casts.ExtIOp, SIGNED),
    arith_casts.ExtUIOp: _by_sign(casts.ExtIOp, UNSIGNED),
    arith_casts.TruncIOp: ElementwiseRow(casts.TruncIOp, _overflow),
    arith_casts.SIToFPOp: ElementwiseRow(casts.IToFOp, {**NEAREST, "signedness": SIGNED}),
    arith_casts.UIToFPOp: ElementwiseRow(casts.IToFOp, {**NEAREST, "signedness": UNSIGNED}),
    arith_casts.FPToSIOp: ElementwiseRow(casts.FToIOp, {"rounding_mode": TO_ZERO, "signedness": SIGNED}),
    arith_casts.FPToUIOp: ElementwiseRow(casts.FToIOp, {"rounding_mode": TO_ZERO, "signedness": UNSIGNED}),
    arith_casts.ExtFOp: ElementwiseRow(casts.FToFOp, NEAREST),
    arith_casts.BitcastOp: ElementwiseRow(casts.BitcastOp, {}),
}
"""For each operation that is converted to a single operation, its row."""
FORMULAS: dict[type[Operation], Formula] = {math.ErfOp: erf}
"""For each operation that Tile IR lacks, the function that emits its replacement."""
ROUNDINGS = {
    "TO_NEAREST_EVEN": cuda_tile_enums.RoundingMode.NEAREST_EVEN,
    "DOWNWARD": cuda_tile_enums.RoundingMode.NEGATIVE_INF,
    "UPWARD": cuda_tile_enums.RoundingMode.POSITIVE_INF,
    "TOWARD_ZERO": cuda_tile_enums.RoundingMode.ZERO,
    "TO_NEAREST_AWAY": cuda_tile_enums.RoundingMode.NEAREST_AWAY,
}


class TritonRowPattern(TritonPattern[Operation]):
    """Converts an operation to the operation of its `ElementwiseRow`, with the same operands."""

    def __init__(self, lowering: TritonLowering, source: type[Operation], row: ElementwiseRow) -> None:
        super().__init__(lowering, root=source, debug_name=f"{source.__name__} to {row.target.op_kind.name}")
        self.row = row

    def lower(
        self, op: Operation, at: Adaptor, types: Sequence[Type], emit: CudaTileEmitter
    ) -> LoweringResult:
        return emit.plain(self.row.target.op_kind, at.operands, types, self.row.attributes_of(op))


class TritonConstantPattern(TritonPattern[arith.ConstantOp]):
    """Converts a constant number, or constant tensor, to a tile. Other constants do not match."""

    def lower(
        self, op: arith.ConstantOp, at: Adaptor, types: Sequence[Type], emit: CudaTileEmitter
    ) -> LoweringResult:
        (type,) = types
        assert isinstance(type, cuda_tile_types.TileType), "the converter says so"
        match op.value:
            case DenseElementsAttr() as elements:
                return emit(tiles.ConstantOp, DenseElementsAttr(type, elements.data))
            case IntegerAttr() as number:
                return emit.constant(number.value, type)
            case FloatAttr() as number:
                return emit.bits(number.bits, type)
            case _:
                return emit.rewriter.no_match("{} is no number", op.value)


class CompareIPattern(TritonPattern[arith.CmpIOp]):
    """Converts a comparison of integers; its predicate implies the signedness."""

    def lower(
        self, op: arith.CmpIOp, at: Adaptor, types: Sequence[Type], emit: CudaTileEmitter
    ) -> LoweringResult:
        name = op.predicate.name
        unsigned = op.predicate in (
            CmpIPredicate.ULT,
            CmpIPredicate.ULE,
            CmpIPredicate.UGT,
            CmpIPredicate.UGE,
        )
        return emit.compared(RELATIONS[name[-2:]], at.lhs, at.rhs, signed=not unsigned)


class CompareFPattern(TritonPattern[arith_floats.CmpFOp]):
    """Converts a comparison of floats. `ord` and `uno` become tests for NaN, and the predicates `true` and
    `false` constants.
    """

    def lower(
        self, op: arith_floats.CmpFOp, at: Adaptor, types: Sequence[Type], emit: CudaTileEmitter
    ) -> LoweringResult:
        match op.predicate:
            case CmpFPredicate.TRUE | CmpFPredicate.FALSE as always:
                return emit.constant(always is CmpFPredicate.TRUE, types[0])
            case CmpFPredicate.UNO:
                return emit.either(emit.is_nan(at.lhs), emit.is_nan(at.rhs))
            case CmpFPredicate.ORD:
                return emit.inverted(emit.either(emit.is_nan(at.lhs), emit.is_nan(at.rhs)))
            case relation:
                ordered = relation.name.startswith("O")
                ordering = (
                    cuda_tile_enums.ComparisonOrdering.ORDERED
                    if ordered
                    else cuda_tile_enums.ComparisonOrdering.UNORDERED
                )
                attributes: Attributes = {
                    "comparison_predicate": cuda_tile_enums.ComparisonPredicateAttr(
                        RELATIONS[relation.name[1:]]
                    ),
                    "comparison_ordering": cuda_tile_enums.ComparisonOrderingAttr(ordering),
                }
                return emit.plain(floats.CmpFOp.op_kind, at.operands, types, attributes)


class SelectPattern(TritonPattern[arith.SelectOp]):
    """Converts a select; a scalar condition selects for all elements."""

    def lower(
        self, op: arith.SelectOp, at: Adaptor, types: Sequence[Type], emit: CudaTileEmitter
    ) -> LoweringResult:
        return emit.choose(at.condition, at.true_value, at.false_value)


class TruncFPattern(TritonPattern[arith_casts.TruncFOp]):
    """Converts a truncation of floats, to nearest unless the operation has another rounding."""

    def lower(
        self, op: arith_casts.TruncFOp, at: Adaptor, types: Sequence[Type], emit: CudaTileEmitter
    ) -> LoweringResult:
        mode = op.roundingmode
        rounding = cuda_tile_enums.RoundingMode.NEAREST_EVEN if mode is None else ROUNDINGS[mode.name]
        return emit(casts.FToFOp, at.in_, rounding, type=types[0])


class TritonPoisonPattern(TritonPattern[PoisonOp]):
    """Converts a poison value to an unspecified value: zeros, or null pointers."""

    def lower(
        self, op: PoisonOp, at: Adaptor, types: Sequence[Type], emit: CudaTileEmitter
    ) -> LoweringResult:
        return emit.unspecified(types[0])


def arithmetic_patterns(lowering: TritonLowering) -> list[TritonPattern[Any]]:
    """Return the patterns for element-wise operations of the dialects that Triton uses beside `tt`."""
    rows = [TritonRowPattern(lowering, source, row) for source, row in TABLE.items()]
    formulas = [FormulaPattern(lowering, source, formula) for source, formula in FORMULAS.items()]
    classes = (
        TritonConstantPattern,
        CompareIPattern,
        CompareFPattern,
        SelectPattern,
        TruncFPattern,
        TritonPoisonPattern,
    )
    return [*rows, *formulas, *(pattern(lowering) for pattern in classes)]
