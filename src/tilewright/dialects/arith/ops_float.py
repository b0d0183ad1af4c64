"""Operations of floating-point arithmetic."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tilewright.dialects.arith.attributes import CMPF_PREDICATE, FAST_MATH, CmpFPredicate, FastMathFlags
from tilewright.dialects.common import base, constraints, traits as common_traits
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.block import Region
from tilewright.ir.declaration.fields import attr_def, operand_def, result_def
from tilewright.ir.declaration.traits import Commutative, Pure
from tilewright.ir.value import Value

LEFT = "The left-hand operand."
RIGHT = "The right-hand operand."
FLAGS = "The fast-math flags."
PURE = (Pure(), common_traits.ElementwiseSameType())
COMMUTATIVE = (Commutative(), *PURE)


class FloatBinaryOp(base.SameTypeOp):
    """The base of float operations on two values, or on each pair of elements."""

    lhs: Value = operand_def(constraints.FLOAT_LIKE, LEFT)
    rhs: Value = operand_def(constraints.FLOAT_LIKE, RIGHT)
    fastmath: FastMathFlags = attr_def(FAST_MATH, FLAGS, default=FastMathFlags.NONE)
    result: Value = result_def(constraints.FLOAT_LIKE, "The result.")
    assembly_format = "$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"
    traits = PURE


class NegFOp(base.SameTypeOp, name="arith.negf"):
    """Negation: flips the sign bit."""

    operand: Value = operand_def(constraints.FLOAT_LIKE, "The operand.")
    fastmath: FastMathFlags = attr_def(FAST_MATH, FLAGS, default=FastMathFlags.NONE)
    result: Value = result_def(constraints.FLOAT_LIKE, "The result.")
    assembly_format = "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"
    traits = PURE


class AddFOp(FloatBinaryOp, name="arith.addf"):
    """Adds two floating-point values."""

    traits = COMMUTATIVE


class SubFOp(FloatBinaryOp, name="arith.subf"):
    """Subtracts the right floating-point value from the left one."""


class MulFOp(FloatBinaryOp, name="arith.mulf"):
    """Multiplies two floating-point values."""

    traits = COMMUTATIVE


class DivFOp(FloatBinaryOp, name="arith.divf"):
    """Divides the left floating-point value by the right one."""


class RemFOp(FloatBinaryOp, name="arith.remf"):
    """The remainder of division rounded towards zero; it has the sign of the left-hand operand."""


class MaximumFOp(FloatBinaryOp, name="arith.maximumf"):
    """The larger of two numbers; NaN if one of them is, and +0 is larger than -0."""

    traits = COMMUTATIVE


class MinimumFOp(FloatBinaryOp, name="arith.minimumf"):
    """The smaller of two numbers; NaN if one of them is, and -0 is smaller than +0."""

    traits = COMMUTATIVE


class MaxNumFOp(FloatBinaryOp, name="arith.maxnumf"):
    """The larger of two numbers; if one is NaN, the other."""

    traits = COMMUTATIVE


class MinNumFOp(FloatBinaryOp, name="arith.minnumf"):
    """The smaller of two numbers; if one is NaN, the other."""

    traits = COMMUTATIVE


class CmpFOp(base.StandardOp, name="arith.cmpf"):
    """Compares two floating-point values, or each pair of elements, by a predicate. The result is i1, or has
    i1 elements in the shape of the operands.
    """

    predicate: CmpFPredicate = attr_def(CMPF_PREDICATE, "The relation.")
    lhs: Value = operand_def(constraints.FLOAT_LIKE, LEFT)
    rhs: Value = operand_def(constraints.FLOAT_LIKE, RIGHT)
    fastmath: FastMathFlags = attr_def(FAST_MATH, FLAGS, default=FastMathFlags.NONE)
    result: Value = result_def(constraints.BOOL_LIKE, "Whether the relation holds.")
    assembly_format = "$predicate `,` $lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($lhs)"
    traits = (
        Pure(),
        common_traits.PredicateTrait(constraints.COMPARISON_WORDS, constraints.is_comparison),
        common_traits.SameTypeOperands(),
        common_traits.ElementwiseMappable(),
    )

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Mapping[str, Attribute], regions: Sequence[Region]
    ) -> Sequence[Type]:
        return [constraints.i1_of_same_shape(operands[0].type)]


OPERATIONS = (
    NegFOp,
    AddFOp,
    SubFOp,
    MulFOp,
    DivFOp,
    RemFOp,
    MaximumFOp,
    MinimumFOp,
    MaxNumFOp,
    MinNumFOp,
    CmpFOp,
)
