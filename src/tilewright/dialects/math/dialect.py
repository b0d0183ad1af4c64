"""The declaration of the ``math`` dialect: its operations, types and attributes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tilewright.dialects.arith.attributes import FAST_MATH, FastMathFlags
from tilewright.dialects.arith.dialect import materialize_constant
from tilewright.dialects.common import base, constraints, traits as common_traits
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.block import Region
from tilewright.ir.declaration.fields import attr_def, operand_def, result_def
from tilewright.ir.declaration.traits import Pure
from tilewright.ir.dialect import Dialect, FoldTable
from tilewright.ir.interfaces.control_flow import InlinerInterface
from tilewright.ir.value import Value

OPERAND = "The operand."
LEFT = "The first operand."
RIGHT = "The second operand."
RESULT = "The result."
FLAGS = "The fast-math flags."
PURE = (Pure(), common_traits.ElementwiseSameType())


class FloatUnaryOp(base.SameTypeOp):
    """The base of float functions of one value, or of each element of a tensor or vector."""

    operand: Value = operand_def(constraints.FLOAT_LIKE, OPERAND)
    fastmath: FastMathFlags = attr_def(FAST_MATH, FLAGS, default=FastMathFlags.NONE)
    result: Value = result_def(constraints.FLOAT_LIKE, RESULT)
    assembly_format = "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"
    traits = PURE


class FloatBinaryOp(base.SameTypeOp):
    """The base of float functions of two values, or of each pair of elements of two tensors or vectors."""

    lhs: Value = operand_def(constraints.FLOAT_LIKE, LEFT)
    rhs: Value = operand_def(constraints.FLOAT_LIKE, RIGHT)
    fastmath: FastMathFlags = attr_def(FAST_MATH, FLAGS, default=FastMathFlags.NONE)
    result: Value = result_def(constraints.FLOAT_LIKE, RESULT)
    assembly_format = "$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"
    traits = PURE


class IntegerUnaryOp(base.SameTypeOp):
    """The base of integer functions of one value, or of each element of a tensor or vector."""

    operand: Value = operand_def(constraints.SIGNLESS_INTEGER_LIKE, OPERAND)
    result: Value = result_def(constraints.SIGNLESS_INTEGER_LIKE, RESULT)
    assembly_format = "$operand attr-dict `:` type($result)"
    traits = PURE


class ClassificationOp(base.StandardOp):
    """The base of tests of the kind of a float (NaN, infinite, ...), element by element; the result is an i1,
    or i1 elements.
    """

    operand: Value = operand_def(constraints.FLOAT_LIKE, OPERAND)
    fastmath: FastMathFlags = attr_def(FAST_MATH, FLAGS, default=FastMathFlags.NONE)
    result: Value = result_def(constraints.BOOL_LIKE, "The answer.")
    assembly_format = "$operand attr-dict `:` type($operand)"
    traits = (
        Pure(),
        common_traits.PredicateTrait(constraints.COMPARISON_WORDS, constraints.is_comparison),
        common_traits.ElementwiseMappable(),
    )

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Mapping[str, Attribute], regions: Sequence[Region]
    ) -> Sequence[Type]:
        return [constraints.i1_of_same_shape(operands[0].type)]


class AbsFOp(FloatUnaryOp, name="math.absf"):
    """Absolute value: clears the sign bit."""


class AcosOp(FloatUnaryOp, name="math.acos"):
    """Arc cosine, in [0, pi]."""


class AcoshOp(FloatUnaryOp, name="math.acosh"):
    """Computes the inverse hyperbolic cosine of each element."""


class AsinOp(FloatUnaryOp, name="math.asin"):
    """Arc sine, in [-pi/2, pi/2]."""


class AsinhOp(FloatUnaryOp, name="math.asinh"):
    """Computes the inverse hyperbolic sine of each element."""


class AtanOp(FloatUnaryOp, name="math.atan"):
    """Arc tangent, in [-pi/2, pi/2]."""


class AtanhOp(FloatUnaryOp, name="math.atanh"):
    """Computes the inverse hyperbolic tangent of each element."""


class CbrtOp(FloatUnaryOp, name="math.cbrt"):
    """Computes the cube root of each element."""


class CeilOp(FloatUnaryOp, name="math.ceil"):
    """The smallest integer not below the operand."""


class CosOp(FloatUnaryOp, name="math.cos"):
    """Cosine of an angle in radians."""


class CoshOp(FloatUnaryOp, name="math.cosh"):
    """Computes the hyperbolic cosine of each element."""


class ErfOp(FloatUnaryOp, name="math.erf"):
    """Computes the error function of each element."""


class ErfcOp(FloatUnaryOp, name="math.erfc"):
    """One minus the error function."""


class ExpOp(FloatUnaryOp, name="math.exp"):
    """The exponential function, to base e."""


class Exp2Op(FloatUnaryOp, name="math.exp2"):
    """The exponential function, to base 2."""


class ExpM1Op(FloatUnaryOp, name="math.expm1"):
    """`exp(x) - 1`, without loss of precision near zero."""


class FloorOp(FloatUnaryOp, name="math.floor"):
    """The largest integer not above the operand."""


class LogOp(FloatUnaryOp, name="math.log"):
    """Computes the natural logarithm of each element."""


class Log10Op(FloatUnaryOp, name="math.log10"):
    """Logarithm to base 10."""


class Log1pOp(FloatUnaryOp, name="math.log1p"):
    """`log(1 + x)`, without loss of precision near zero."""


class Log2Op(FloatUnaryOp, name="math.log2"):
    """Logarithm to base 2."""


class RoundOp(FloatUnaryOp, name="math.round"):
    """The nearest integer, ties away from zero."""


class RoundEvenOp(FloatUnaryOp, name="math.roundeven"):
    """The nearest integer, ties to even."""


class RsqrtOp(FloatUnaryOp, name="math.rsqrt"):
    """One divided by the square root."""


class SinOp(FloatUnaryOp, name="math.sin"):
    """Sine of an angle in radians."""


class SinhOp(FloatUnaryOp, name="math.sinh"):
    """Computes the hyperbolic sine of each element."""


class SqrtOp(FloatUnaryOp, name="math.sqrt"):
    """Computes the square root of each element."""


class TanOp(FloatUnaryOp, name="math.tan"):
    """Tangent of an angle in radians."""


class TanhOp(FloatUnaryOp, name="math.tanh"):
    """Computes the hyperbolic tangent of each element."""


class TruncOp(FloatUnaryOp, name="math.trunc"):
    """The integer part: rounds towards zero."""


class Atan2Op(FloatBinaryOp, name="math.atan2"):
    """The angle of the point (rhs, lhs), in [-pi, pi]."""


class CopySignOp(FloatBinaryOp, name="math.copysign"):
    """The magnitude of the first operand with the sign of the second."""


class PowFOp(FloatBinaryOp, name="math.powf"):
    """The first number to the power of the second."""


class AbsIOp(IntegerUnaryOp, name="math.absi"):
    """Absolute value of a signed integer; the smallest number, whose absolute value does not fit, stays
    unchanged.
    """


class CountLeadingZerosOp(IntegerUnaryOp, name="math.ctlz"):
    """The number of zero bits above the highest bit that is set; the width for zero."""


class CountTrailingZerosOp(IntegerUnaryOp, name="math.cttz"):
    """The number of zero bits below the lowest bit that is set; the width for zero."""


class CtPopOp(IntegerUnaryOp, name="math.ctpop"):
    """The number of one bits."""


class IsFiniteOp(ClassificationOp, name="math.isfinite"):
    """Whether a number is neither infinite nor NaN."""


class IsInfOp(ClassificationOp, name="math.isinf"):
    """Whether a number is infinite."""


class IsNaNOp(ClassificationOp, name="math.isnan"):
    """Whether a number is NaN."""


class IsNormalOp(ClassificationOp, name="math.isnormal"):
    """Whether a number is neither zero, subnormal, infinite nor NaN."""


class ClampFOp(base.SameTypeOp, name="math.clampf"):
    """Limits a number to the range from `min` to `max`, both included; NaN if an operand is NaN."""

    value: Value = operand_def(constraints.FLOAT_LIKE, "The number.")
    min: Value = operand_def(constraints.FLOAT_LIKE, "The lower limit.")
    max: Value = operand_def(constraints.FLOAT_LIKE, "The upper limit.")
    fastmath: FastMathFlags = attr_def(FAST_MATH, FLAGS, default=FastMathFlags.NONE)
    result: Value = result_def(constraints.FLOAT_LIKE, RESULT)
    assembly_format = (
        "$value `to` ` ` `[` $min `,` $max `]` (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"
    )
    traits = PURE


class FmaOp(base.SameTypeOp, name="math.fma"):
    """`a * b + c` with a single rounding."""

    a: Value = operand_def(constraints.FLOAT_LIKE, "The first factor.")
    b: Value = operand_def(constraints.FLOAT_LIKE, "The second factor.")
    c: Value = operand_def(constraints.FLOAT_LIKE, "The addend.")
    fastmath: FastMathFlags = attr_def(FAST_MATH, FLAGS, default=FastMathFlags.NONE)
    result: Value = result_def(constraints.FLOAT_LIKE, RESULT)
    assembly_format = "$a `,` $b `,` $c (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"
    traits = PURE


class FPowIOp(base.SameTypeOp, name="math.fpowi"):
    """A float (first operand) to the power of a signed integer (second operand)."""

    lhs: Value = operand_def(constraints.FLOAT_LIKE, LEFT)
    rhs: Value = operand_def(constraints.SIGNLESS_INTEGER_LIKE, RIGHT)
    fastmath: FastMathFlags = attr_def(FAST_MATH, FLAGS, default=FastMathFlags.NONE)
    result: Value = result_def(constraints.FLOAT_LIKE, RESULT)
    assembly_format = "$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($lhs) `,` type($rhs)"
    traits = (
        Pure(),
        common_traits.same_type("lhs", "result"),
        common_traits.SameOperandsAndResultShape(),
        common_traits.ElementwiseMappable(),
    )


class IPowIOp(base.SameTypeOp, name="math.ipowi"):
    """A signed integer (first operand) to the power of another one (second operand)."""

    lhs: Value = operand_def(constraints.SIGNLESS_INTEGER_LIKE, LEFT)
    rhs: Value = operand_def(constraints.SIGNLESS_INTEGER_LIKE, RIGHT)
    result: Value = result_def(constraints.SIGNLESS_INTEGER_LIKE, RESULT)
    assembly_format = "$lhs `,` $rhs attr-dict `:` type($result)"
    traits = PURE


class SincosOp(base.SameTypeOp, name="math.sincos"):
    """Sine and cosine of an angle in radians."""

    operand: Value = operand_def(constraints.FLOAT_LIKE, OPERAND)
    fastmath: FastMathFlags = attr_def(FAST_MATH, FLAGS, default=FastMathFlags.NONE)
    sin: Value = result_def(constraints.FLOAT_LIKE, "The sine.")
    cos: Value = result_def(constraints.FLOAT_LIKE, "The cosine.")
    assembly_format = "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($operand)"
    traits = (
        Pure(),
        common_traits.same_type("operand", "sin", "cos"),
        common_traits.SameOperandsAndResultShape(),
        common_traits.ElementwiseMappable(),
    )


OPERATIONS = (
    AbsFOp,
    AcosOp,
    AcoshOp,
    AsinOp,
    AsinhOp,
    AtanOp,
    AtanhOp,
    CbrtOp,
    CeilOp,
    CosOp,
    CoshOp,
    ErfOp,
    ErfcOp,
    ExpOp,
    Exp2Op,
    ExpM1Op,
    FloorOp,
    LogOp,
    Log10Op,
    Log1pOp,
    Log2Op,
    RoundOp,
    RoundEvenOp,
    RsqrtOp,
    SinOp,
    SinhOp,
    SqrtOp,
    TanOp,
    TanhOp,
    TruncOp,
    Atan2Op,
    CopySignOp,
    PowFOp,
    AbsIOp,
    CountLeadingZerosOp,
    CountTrailingZerosOp,
    CtPopOp,
    IsFiniteOp,
    IsInfOp,
    IsNaNOp,
    IsNormalOp,
    ClampFOp,
    FmaOp,
    FPowIOp,
    IPowIOp,
    SincosOp,
)


HAND_WRITTEN_SYNTAX: tuple[str, ...] = ()
"""Operations whose custom syntax is written in Python instead of an assembly format."""


def _folds() -> FoldTable:
    """Return the dialect's table of folds, which is imported on first use."""
    from tilewright.dialects.math.folds import FOLDS

    return FOLDS


MATH = Dialect(
    "math",
    doc="Elementary functions.",
    operations=OPERATIONS,
    interfaces=(InlinerInterface(),),
    folds=_folds,
    materialize_constant=materialize_constant,
    depends_on=("arith",),
)
