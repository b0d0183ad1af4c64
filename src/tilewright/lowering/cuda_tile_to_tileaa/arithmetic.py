"""Elementwise operations: an operation of Tile IR becomes one of `nv_tileaa`, `arith` or `math`.

Tables give the operation and its attributes. An operation with attributes for rounding, flushing or saturation becomes
one of `nv_tileaa` with such attributes; other operations become `arith` or `math`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, cast

from tilewright.dialects.arith import (
    ops_conversion as arith_casts,
    ops_float as arith_floats,
    ops_integer as arith,
)
from tilewright.dialects.arith.attributes import (
    CMPF_PREDICATE,
    CMPI_PREDICATE,
    CmpFPredicate,
    CmpIPredicate,
    FastMathFlags,
    FastMathFlagsAttr,
    IntegerOverflowFlags,
    IntegerOverflowFlagsAttr,
)
from tilewright.dialects.cuda_tile.enums import (
    ComparisonOrdering,
    ComparisonPredicate,
    IntegerOverflow,
    RoundingMode,
    Signedness,
)
from tilewright.dialects.cuda_tile.ops import (
    conversion as casts,
    float as floats,
    integer as integers,
    tile as tiles,
)
from tilewright.dialects.math import dialect as math
from tilewright.dialects.nv_tileaa.attributes import RoundingMode as TargetRounding, RoundingModeAttr
from tilewright.dialects.nv_tileaa.ops import math as aa, pointer as aa_pointer
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.builtin_attributes import UnitAttr
from tilewright.ir.operation import Operation
from tilewright.lowering.cuda_tile_to_tileaa.pattern import TileAAEmitter, TileAALowering, TilePattern
from tilewright.lowering.pattern import LoweringResult
from tilewright.rewrite.conversion.pattern import Adaptor

UNIT = UnitAttr()
NO_FAST_MATH = FastMathFlagsAttr(FastMathFlags.NONE)
OVERFLOW = {
    IntegerOverflow.NONE: IntegerOverflowFlags.NONE,
    IntegerOverflow.NO_SIGNED_WRAP: IntegerOverflowFlags.NSW,
    IntegerOverflow.NO_UNSIGNED_WRAP: IntegerOverflowFlags.NUW,
    IntegerOverflow.NO_WRAP: IntegerOverflowFlags.NSW | IntegerOverflowFlags.NUW,
}
INTEGER_RELATIONS = {
    ComparisonPredicate.EQUAL: ("EQ", "EQ"),
    ComparisonPredicate.NOT_EQUAL: ("NE", "NE"),
    ComparisonPredicate.LESS_THAN: ("SLT", "ULT"),
    ComparisonPredicate.LESS_THAN_OR_EQUAL: ("SLE", "ULE"),
    ComparisonPredicate.GREATER_THAN: ("SGT", "UGT"),
    ComparisonPredicate.GREATER_THAN_OR_EQUAL: ("SGE", "UGE"),
}
"""For each comparison of Tile IR, the predicate for signed and for unsigned integers."""
FLOAT_RELATIONS = {
    ComparisonPredicate.EQUAL: "EQ",
    ComparisonPredicate.NOT_EQUAL: "NE",
    ComparisonPredicate.LESS_THAN: "LT",
    ComparisonPredicate.LESS_THAN_OR_EQUAL: "LE",
    ComparisonPredicate.GREATER_THAN: "GT",
    ComparisonPredicate.GREATER_THAN_OR_EQUAL: "GE",
}
"""For each comparison of Tile IR, the name of the float predicate without its first letter: `O` (ordered) or
`U` (unordered).
"""

Attributes = dict[str, Attribute]


def rounding_attribute(mode: RoundingMode) -> Attribute:
    """Return the rounding-mode attribute of `nv_tileaa` for a rounding mode of Tile IR."""
    return RoundingModeAttr(TargetRounding[mode.name])


def _nothing(op: Operation) -> Attributes:
    return {}


class Flushing(Protocol):
    """An operation with ``flush_to_zero``, the flag that flushes subnormal numbers to zero."""

    flush_to_zero: bool


def _flush(op: Flushing) -> Attributes:
    return {"flush_to_zero": UNIT} if op.flush_to_zero else {}


class RoundingTileOperation(Protocol):
    """An operation with a ``rounding_mode``, and ``flush_to_zero``, the flag that flushes subnormal numbers
    to zero.
    """

    rounding_mode: RoundingMode
    flush_to_zero: bool


def _rounded(op: RoundingTileOperation) -> Attributes:
    return {"rounding_mode": rounding_attribute(op.rounding_mode), **_flush(op)}


def _cast_rounding(op: casts.FToFOp) -> Attributes:
    return {"rounding_mode": rounding_attribute(op.rounding_mode)}


def _precise(op: Operation) -> Attributes:
    return {"fastmath": NO_FAST_MATH}


def _approximate(op: floats.ExpOp | floats.TanHOp) -> Attributes:
    """Return the rounding attribute of an approximate function.

    Full precision has no attribute: it is the default in `math`.
    """
    full = op.rounding_mode is RoundingMode.FULL
    return {} if full else {"rounding_mode": rounding_attribute(op.rounding_mode)}


class OverflowingTileOperation(Protocol):
    """An operation with ``overflow``, the assumption that it does not wrap around as a signed or unsigned
    number, or none.
    """

    overflow: IntegerOverflow


def _overflow(op: OverflowingTileOperation) -> Attributes:
    return {"overflowFlags": IntegerOverflowFlagsAttr(OVERFLOW[op.overflow])}


def _integer_relation(op: integers.CmpIOp) -> Attributes:
    signed, unsigned = INTEGER_RELATIONS[op.comparison_predicate]
    name = signed if op.signedness is Signedness.SIGNED else unsigned
    return {"predicate": CMPI_PREDICATE.to_attribute(CmpIPredicate[name])}


def _float_relation(op: floats.CmpFOp) -> Attributes:
    letter = "O" if op.comparison_ordering is ComparisonOrdering.ORDERED else "U"
    name = letter + FLOAT_RELATIONS[op.comparison_predicate]
    return {"predicate": CMPF_PREDICATE.to_attribute(CmpFPredicate[name]), "fastmath": NO_FAST_MATH}


def _saturating(op: casts.FToIOp) -> Attributes:
    return {"saturating": UNIT} if op.saturating else {}


@dataclass(frozen=True, slots=True)
class ArithmeticRow:
    """The conversion of an operation to one operation with the same operands. The functions ``attributes``
    and ``modifiers`` get the converted operation.

    The replacement is ``target``, or ``unsigned`` if there is one and the operands are read as unsigned, with
    the attributes that ``attributes`` returns. If ``modifiers`` returns attributes (for rounding, flushing or
    saturation), the replacement is the operation of `nv_tileaa` that `WITH_MODIFIERS` has for it, with these
    attributes only.
    """

    target: type[Operation]
    attributes: Callable[[Any], Attributes] = _nothing
    unsigned: type[Operation] | None = None
    """The replacement if the operands are read as unsigned."""
    modifiers: Callable[[Any], Attributes] = _nothing
    """Returns the attributes for rounding, flushing or saturation of an operation.

    If there are any, the operation of `nv_tileaa` with these attributes is the replacement.
    """

    def made(self, op: Operation, *, is_unsigned: bool) -> tuple[type[Operation], Attributes]:
        """Return the class of the operation that replaces `op`, and its attributes. ``is_unsigned`` selects
        the replacement for operands that are read as unsigned, if the row has one. An operation with
        attributes for rounding, flushing or saturation is replaced with an operation of `nv_tileaa`.
        """
        target = self.unsigned if is_unsigned and self.unsigned is not None else self.target
        modifiers = self.modifiers(op)
        return (aa.WITH_MODIFIERS[target], modifiers) if modifiers else (target, self.attributes(op))

    def generated(self) -> list[str]:
        """Return the names of all operations that this row can be converted to."""
        targets = [target for target in (self.target, self.unsigned) if target is not None]
        modified = [aa.WITH_MODIFIERS[target] for target in targets] if self.modifiers is not _nothing else []
        return [target.op_kind.name for target in (*targets, *modified)]


TABLE: dict[type[Operation], ArithmeticRow] = {
    # floats
    floats.AbsFOp: ArithmeticRow(math.AbsFOp, _precise),
    floats.NegFOp: ArithmeticRow(arith_floats.NegFOp, _precise),
    floats.AddFOp: ArithmeticRow(aa.AddFOp, _rounded),
    floats.SubFOp: ArithmeticRow(aa.SubFOp, _rounded),
    floats.MulFOp: ArithmeticRow(aa.MulFOp, _rounded),
    floats.DivFOp: ArithmeticRow(aa.DivFOp, _rounded),
    floats.SqrtOp: ArithmeticRow(aa.SqrtOp, _rounded),
    floats.Exp2Op: ArithmeticRow(aa.Exp2Op, _flush),
    floats.ExpOp: ArithmeticRow(math.ExpOp, _precise, modifiers=_approximate),
    floats.LogOp: ArithmeticRow(math.LogOp, _precise),
    floats.Log2Op: ArithmeticRow(math.Log2Op, _precise),
    floats.SinOp: ArithmeticRow(math.SinOp, _precise),
    floats.CosOp: ArithmeticRow(math.CosOp, _precise),
    floats.TanOp: ArithmeticRow(math.TanOp, _precise),
    floats.SinHOp: ArithmeticRow(math.SinhOp, _precise),
    floats.CosHOp: ArithmeticRow(math.CoshOp, _precise),
    floats.TanHOp: ArithmeticRow(math.TanhOp, _precise, modifiers=_approximate),
    floats.PowOp: ArithmeticRow(math.PowFOp, _precise),
    floats.FPowIOp: ArithmeticRow(math.FPowIOp, _precise),
    floats.Atan2Op: ArithmeticRow(math.Atan2Op, _precise),
    floats.RemFOp: ArithmeticRow(arith_floats.RemFOp, _precise),
    floats.CeilOp: ArithmeticRow(math.CeilOp, _precise),
    floats.FloorOp: ArithmeticRow(math.FloorOp, _precise),
    floats.CmpFOp: ArithmeticRow(arith_floats.CmpFOp, _float_relation),
    # integers
    integers.AddIOp: ArithmeticRow(arith.AddIOp, _overflow),
    integers.SubIOp: ArithmeticRow(arith.SubIOp, _overflow),
    integers.MulIOp: ArithmeticRow(arith.MulIOp, _overflow),
    integers.MulhiIOp: ArithmeticRow(aa.MulhiUIOp),
    integers.RemIOp: ArithmeticRow(arith.RemSIOp, unsigned=arith.RemUIOp),
    integers.MinIOp: ArithmeticRow(arith.MinSIOp, unsigned=arith.MinUIOp),
    integers.AbsIOp: ArithmeticRow(math.AbsIOp),
    integers.CmpIOp: ArithmeticRow(arith.CmpIOp, _integer_relation),
    integers.ShLIOp: ArithmeticRow(arith.ShLIOp, _overflow),
    integers.ShRIOp: ArithmeticRow(arith.ShRSIOp, unsigned=arith.ShRUIOp),
    integers.AndIOp: ArithmeticRow(arith.AndIOp),
    integers.OrIOp: ArithmeticRow(arith.OrIOp),
    integers.XOrIOp: ArithmeticRow(arith.XOrIOp),
    # conversions
    casts.ExtIOp: ArithmeticRow(arith_casts.ExtSIOp, unsigned=arith_casts.ExtUIOp),
    casts.FToIOp: ArithmeticRow(arith_casts.FPToSIOp, unsigned=arith_casts.FPToUIOp, modifiers=_saturating),
    casts.FToFOp: ArithmeticRow(aa.FpToFpOp, _cast_rounding),
    casts.BitcastOp: ArithmeticRow(aa_pointer.BitcastOp),
    casts.IntToPtrOp: ArithmeticRow(aa_pointer.IntToPtrOp),
    casts.PtrToIntOp: ArithmeticRow(aa_pointer.PtrToIntOp),
    casts.PtrToPtrOp: ArithmeticRow(aa_pointer.BitcastOp),
    # tiles
    tiles.SelectOp: ArithmeticRow(arith.SelectOp),
    tiles.OffsetOp: ArithmeticRow(aa_pointer.AddPtrOp),
}
"""For each operation of Tile IR that is converted to a single operation, its row."""

SINGLETONS: dict[type[Operation], ArithmeticRow] = {
    casts.TruncIOp: ArithmeticRow(arith_casts.TruncIOp, _overflow),
    floats.RsqrtOp: ArithmeticRow(aa.RsqrtOp, _flush),
    integers.MaxIOp: ArithmeticRow(arith.MaxSIOp, unsigned=arith.MaxUIOp),
    casts.IToFOp: ArithmeticRow(arith_casts.SIToFPOp, unsigned=arith_casts.UIToFPOp),
    floats.FmaOp: ArithmeticRow(aa.FmaOp, _rounded),
}
"""Rows of operations whose patterns other passes also install one by one (`singleton_rows`)."""


class RowPattern(TilePattern[Operation]):
    """Converts an operation to the operation that its `ArithmeticRow` chooses, with the same operands."""

    def __init__(self, lowering: TileAALowering, source: type[Operation], row: ArithmeticRow) -> None:
        generated = row.generated()
        super().__init__(
            lowering, root=source, debug_name=f"{source.__name__} to {generated[0]}", generated_ops=generated
        )
        self.row = row

    def lower(self, op: Operation, at: Adaptor, types: Sequence[Type], emit: TileAAEmitter) -> LoweringResult:
        is_unsigned = self.row.unsigned is not None and cast("Any", op).signedness is Signedness.UNSIGNED
        target, attributes = self.row.made(op, is_unsigned=is_unsigned)
        return emit.plain(target.op_kind, at.operands, types, attributes)


DIVISIONS: dict[tuple[RoundingMode, Signedness], type[Operation]] = {
    (RoundingMode.ZERO, Signedness.SIGNED): arith.DivSIOp,
    (RoundingMode.ZERO, Signedness.UNSIGNED): arith.DivUIOp,
    (RoundingMode.POSITIVE_INF, Signedness.SIGNED): arith.CeilDivSIOp,
    (RoundingMode.POSITIVE_INF, Signedness.UNSIGNED): arith.CeilDivUIOp,
    (RoundingMode.NEGATIVE_INF, Signedness.SIGNED): arith.FloorDivSIOp,
}
"""The operation of a division, by its rounding mode and signedness."""


class DivIPattern(TilePattern[integers.DivIOp]):
    """Converts a division to the operation of its rounding mode and signedness. Unsigned divisions rounded to
    negative infinity do not match.
    """

    def lower(
        self, op: integers.DivIOp, at: Adaptor, types: Sequence[Type], emit: TileAAEmitter
    ) -> LoweringResult:
        target = DIVISIONS.get((op.rounding, op.signedness))
        if target is None:
            return emit.rewriter.no_match("no {} division is rounded to {}", op.signedness, op.rounding)
        return emit.plain(target.op_kind, at.operands, types)


class NegIPattern(TilePattern[integers.NegIOp]):
    """Converts a negation to a subtraction from zero with the same overflow flags."""

    def lower(
        self, op: integers.NegIOp, at: Adaptor, types: Sequence[Type], emit: TileAAEmitter
    ) -> LoweringResult:
        operands = (emit.integer(0, types[0]), at.source)
        return emit.plain(arith.SubIOp.op_kind, operands, types, _overflow(op))


class ExtremumFPattern(TilePattern[floats.ExtremumFOp]):
    """Converts a minimum or maximum: to ``propagating`` if `propagate_nan` is set, else to ``other``, which
    ignores NaN if the other operand is a number. With `flush_to_zero` it becomes the operation of `nv_tileaa`
    that corresponds to this one and has the flag.
    """

    def __init__(
        self,
        lowering: TileAALowering,
        source: type[Operation],
        propagating: type[Operation],
        other: type[Operation],
    ) -> None:
        super().__init__(lowering, root=source, debug_name=f"{source.__name__} by its NaN")
        rows = {True: propagating, False: other}
        self.rows = {wins: ArithmeticRow(target, _precise, modifiers=_flush) for wins, target in rows.items()}

    def lower(
        self, op: floats.ExtremumFOp, at: Adaptor, types: Sequence[Type], emit: TileAAEmitter
    ) -> LoweringResult:
        target, attributes = self.rows[op.propagate_nan].made(op, is_unsigned=False)
        return emit.plain(target.op_kind, at.operands, types, attributes)


def arithmetic_patterns(lowering: TileAALowering) -> list[TilePattern[Any]]:
    """Return the patterns for the elementwise operations: the rows of `TABLE`, integer divisions and
    negations, and minimum and maximum of floats. The operations of `SINGLETONS` are left out.
    """
    return [
        *(RowPattern(lowering, source, row) for source, row in TABLE.items()),
        DivIPattern(lowering),
        NegIPattern(lowering),
        ExtremumFPattern(lowering, floats.MaxFOp, arith_floats.MaximumFOp, arith_floats.MaxNumFOp),
        ExtremumFPattern(lowering, floats.MinFOp, arith_floats.MinimumFOp, arith_floats.MinNumFOp),
    ]


def singleton_rows(lowering: TileAALowering, *sources: type[Operation]) -> list[TilePattern[Any]]:
    """Return the patterns for the operations ``sources`` of `SINGLETONS`; for all of them if none is given."""
    chosen = sources or tuple(SINGLETONS)
    return [RowPattern(lowering, source, SINGLETONS[source]) for source in chosen]
