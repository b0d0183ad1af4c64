"""Integer and bitwise operations, element by element. Integers have no sign; an operation has `signedness`
where the sign matters.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tilewright.dialects.cuda_tile.base import TileOp, tile_op
from tilewright.dialects.cuda_tile.constraints import BOOLEAN_TILE, INTEGER_TILE
from tilewright.dialects.cuda_tile.enums import (
    ComparisonPredicate,
    ComparisonPredicateAttr,
    IntegerOverflow,
    IntegerOverflowAttr,
    RoundingMode,
    RoundingModeAttr,
    Signedness,
    SignednessAttr,
)
from tilewright.dialects.cuda_tile.interfaces import (
    DivisionMotion,
    OverflowingShiftMotion,
    OverflowMotion,
    ShiftMotion,
)
from tilewright.dialects.cuda_tile.rules.rounding import check_integer_division, check_negation_overflow
from tilewright.dialects.cuda_tile.rules.shape import COMPARISON_RULE, comparison_type, is_comparison
from tilewright.dialects.cuda_tile.version import V13_2
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.block import Region
from tilewright.ir.declaration.attribute_kind import EnumKind
from tilewright.ir.declaration.constraint import TypeVariable
from tilewright.ir.declaration.fields import attr_def, operand_def, result_def
from tilewright.ir.declaration.traits import (
    Commutative,
    Elementwise,
    NoMemoryEffect,
    Pure,
    TypesSatisfy,
    same_type,
)
from tilewright.ir.value import Value

GROUP = "Integer"
BITWISE_GROUP = "Bitwise"
T = TypeVariable("T", INTEGER_TILE)
SIGNEDNESS = EnumKind(SignednessAttr)
OVERFLOW = EnumKind(IntegerOverflowAttr)
OVERFLOW_DOC = "Wrap-arounds that the program promises not to happen; breaking the promise is undefined."


class BinaryIntegerOp(TileOp):
    """The base of integer operations on each pair of elements of two tiles. The operands and the result have
    one type.
    """

    lhs: Value = operand_def(T, "The left-hand operand.")
    rhs: Value = operand_def(T, "The right-hand operand.")
    result: Value = result_def(T, "The result.")
    assembly_format = "$lhs `,` $rhs attr-dict `:` type($result)"
    traits = (Pure(), Elementwise())


class OverflowingBinaryOp(BinaryIntegerOp):
    """The base of binary integer operations that wrap around. With an assumption in `overflow`, a wrap-around
    that it excludes is undefined behaviour.
    """

    concepts = (OverflowMotion,)
    overflow: IntegerOverflow = attr_def(OVERFLOW, OVERFLOW_DOC, default=IntegerOverflow.NONE)
    assembly_format = "$lhs `,` $rhs (`overflow` `` $overflow^)? attr-dict `:` type($result)"


class SignedBinaryOp(BinaryIntegerOp):
    """The base of binary integer operations whose result depends on the attribute `signedness` of the
    operands.
    """

    signedness: Signedness = attr_def(SIGNEDNESS, "Whether the operands are read as signed.")
    assembly_format = "$lhs `,` $rhs custom<Word>($signedness) attr-dict `:` type($result)"


@tile_op(0x03, GROUP)
class AddIOp(OverflowingBinaryOp, name="cuda_tile.addi"):
    """Integer addition, modulo `2^n`."""

    traits = (Pure(), Elementwise(), Commutative())


@tile_op(0x68, GROUP)
class SubIOp(OverflowingBinaryOp, name="cuda_tile.subi"):
    """Integer subtraction, modulo `2^n`."""


@tile_op(0x4E, GROUP)
class MulIOp(OverflowingBinaryOp, name="cuda_tile.muli"):
    """Integer multiplication, modulo `2^n`."""

    traits = (Pure(), Elementwise(), Commutative())


@tile_op(0x4D, GROUP)
class MulhiIOp(TileOp, name="cuda_tile.mulhii"):
    """High `n` bits of the unsigned product, which has `2n` bits."""

    x: Value = operand_def(T, "The multiplicand.")
    y: Value = operand_def(T, "The multiplier.")
    result: Value = result_def(T, "The upper n bits of the product.")
    assembly_format = "$x `,` $y attr-dict `:` type($result)"
    traits = (Pure(), Elementwise(), Commutative())


@tile_op(0x15, GROUP)
class DivIOp(SignedBinaryOp, name="cuda_tile.divi"):
    """Integer division; the rounding is toward zero, `positive_inf` (ceiling) or `negative_inf` (floor).

    A zero divisor, and the smallest signed number divided by -1, are undefined behaviour.
    """

    concepts = (DivisionMotion,)
    rounding: RoundingMode = attr_def(
        EnumKind(RoundingModeAttr), "How the quotient is rounded.", default=RoundingMode.ZERO
    )
    assembly_format = (
        "$lhs `,` $rhs custom<Word>($signedness) (`rounding` `` $rounding^)? attr-dict `:` type($result)"
    )
    traits = (NoMemoryEffect(), Elementwise())

    def verify_(self) -> None:
        check_integer_division(self.rounding, self.signedness)


@tile_op(0x5A, GROUP)
class RemIOp(SignedBinaryOp, name="cuda_tile.remi"):
    """Truncated integer remainder, with the sign of the dividend; a zero divisor is undefined behaviour."""

    concepts = (DivisionMotion,)
    traits = (NoMemoryEffect(), Elementwise(), same_type("result", "lhs", "rhs"))


@tile_op(0x46, GROUP)
class MaxIOp(SignedBinaryOp, name="cuda_tile.maxi"):
    """Larger of two integers, compared as `signedness` says."""


@tile_op(0x48, GROUP)
class MinIOp(SignedBinaryOp, name="cuda_tile.mini"):
    """Smaller of two integers, compared as `signedness` says."""


@tile_op(0x01, GROUP)
class AbsIOp(TileOp, name="cuda_tile.absi"):
    """Absolute value of a signed integer, as an unsigned one: the smallest number gives `2^(n-1)`."""

    source: Value = operand_def(T, "The signed operand.")
    result: Value = result_def(T, "The magnitude, unsigned.")
    assembly_format = "$source attr-dict `:` type($result)"
    traits = (Pure(), Elementwise())


@tile_op(0x50, GROUP)
class NegIOp(TileOp, name="cuda_tile.negi"):
    """Integer negation: `0 - x`, modulo `2^n`."""

    concepts = (OverflowMotion,)
    source: Value = operand_def(T, "The operand.")
    overflow: IntegerOverflow = attr_def(OVERFLOW, OVERFLOW_DOC, default=IntegerOverflow.NONE, since=V13_2)
    result: Value = result_def(T, "The negated operand.")
    assembly_format = "$source (`overflow` `` $overflow^)? attr-dict `:` type($result)"
    traits = (Pure(), Elementwise())

    def verify_(self) -> None:
        check_negation_overflow(self.overflow)


@tile_op(0x0F, GROUP)
class CmpIOp(TileOp, name="cuda_tile.cmpi"):
    """Comparison of integers; `signedness` matters for the four inequalities only."""

    comparison_predicate: ComparisonPredicate = attr_def(EnumKind(ComparisonPredicateAttr), "The relation.")
    lhs: Value = operand_def(T, "The left-hand operand.")
    rhs: Value = operand_def(T, "The right-hand operand.")
    signedness: Signedness = attr_def(SIGNEDNESS, "Whether the operands are read as signed.")
    result: Value = result_def(BOOLEAN_TILE, "Whether the relation holds, for each pair.")
    assembly_format = (
        "custom<Word>($comparison_predicate) $lhs `,` $rhs `,` custom<Word>($signedness) attr-dict `:` "
        "type($lhs) `->` type($result)"
    )
    traits = (
        Pure(),
        Elementwise(),
        TypesSatisfy(COMPARISON_RULE, is_comparison, "lhs", "result"),
    )

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Mapping[str, Attribute], regions: Sequence[Region]
    ) -> Sequence[Type]:
        return comparison_type(operands)


@tile_op(0x60, BITWISE_GROUP)
class ShLIOp(OverflowingBinaryOp, name="cuda_tile.shli"):
    """Shift left, filling with zeros. The amount is unsigned; an amount of the element's width or more is
    undefined behaviour.
    """

    concepts = (OverflowingShiftMotion,)


@tile_op(0x61, BITWISE_GROUP)
class ShRIOp(SignedBinaryOp, name="cuda_tile.shri"):
    """Shift right: arithmetic (signed) or logical (unsigned). The amount is unsigned; an amount of the
    element's width or more is undefined behaviour.
    """

    concepts = (ShiftMotion,)


@tile_op(0x04, BITWISE_GROUP)
class AndIOp(BinaryIntegerOp, name="cuda_tile.andi"):
    """Computes the bitwise and of two integers."""

    traits = (Pure(), Elementwise(), Commutative())


@tile_op(0x52, BITWISE_GROUP)
class OrIOp(BinaryIntegerOp, name="cuda_tile.ori"):
    """Computes the bitwise or of two integers."""

    traits = (Pure(), Elementwise(), Commutative())


@tile_op(0x6C, BITWISE_GROUP)
class XOrIOp(BinaryIntegerOp, name="cuda_tile.xori"):
    """Computes the bitwise exclusive or of two integers."""

    traits = (Pure(), Elementwise(), Commutative())


OPERATIONS = (
    AddIOp,
    SubIOp,
    MulIOp,
    MulhiIOp,
    DivIOp,
    RemIOp,
    MaxIOp,
    MinIOp,
    AbsIOp,
    NegIOp,
    CmpIOp,
    ShLIOp,
    ShRIOp,
    AndIOp,
    OrIOp,
    XOrIOp,
)
