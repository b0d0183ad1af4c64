"""Intrinsic functions on floating-point numbers."""

from __future__ import annotations

from tilewright.dialects.common.base import SameTypeOp, StandardOp
from tilewright.dialects.common.traits import SameOperandsAndResultType
from tilewright.dialects.llvm.base import LLVMComparisonOp
from tilewright.dialects.llvm.constraints import FLOAT, FLOAT_OR_VECTOR, INTEGER, LLVM_TYPE
from tilewright.dialects.llvm.enums import FastMathFlags
from tilewright.dialects.llvm.kinds import FAST_MATH
from tilewright.dialects.llvm.rules.common import check_sine_and_cosine
from tilewright.ir.builtin_types import i32
from tilewright.ir.declaration.attribute_kind import IntegerKind
from tilewright.ir.declaration.fields import attr_def, operand_def, result_def
from tilewright.ir.declaration.traits import Pure
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

RES_DOC = "The result."
VAL_DOC = "The value."
FASTMATH_FLAGS_DOC = "The fast-math flags."


class UnaryFloatIntrinsicOp(SameTypeOp):
    """The base of functions of one floating-point number, or of each element of a vector."""

    in_: Value = operand_def(FLOAT_OR_VECTOR, "The operand.")
    fastmathFlags: FastMathFlags = attr_def(FAST_MATH, FASTMATH_FLAGS_DOC, default=FastMathFlags.NONE)
    res: Value = result_def(LLVM_TYPE, RES_DOC)
    assembly_format = "`(` operands `)` attr-dict `:` functional-type(operands, results)"
    traits = (
        Pure(),
        SameOperandsAndResultType(),
    )


class FCeilOp(UnaryFloatIntrinsicOp, name="llvm.intr.ceil"):
    """Rounds each element up to an integer."""


class CosOp(UnaryFloatIntrinsicOp, name="llvm.intr.cos"):
    """Computes the cosine of each element."""


class CoshOp(UnaryFloatIntrinsicOp, name="llvm.intr.cosh"):
    """Computes the hyperbolic cosine of each element."""


class ExpOp(UnaryFloatIntrinsicOp, name="llvm.intr.exp"):
    """Computes the exponential function of each element."""


class Exp10Op(UnaryFloatIntrinsicOp, name="llvm.intr.exp10"):
    """Computes 10 to the power of each element."""


class Exp2Op(UnaryFloatIntrinsicOp, name="llvm.intr.exp2"):
    """Computes 2 to the power of each element."""


class FAbsOp(UnaryFloatIntrinsicOp, name="llvm.intr.fabs"):
    """Computes the absolute value of each element."""


class FFloorOp(UnaryFloatIntrinsicOp, name="llvm.intr.floor"):
    """Rounds each element down to an integer."""


class LogOp(UnaryFloatIntrinsicOp, name="llvm.intr.log"):
    """Computes the natural logarithm of each element."""


class Log10Op(UnaryFloatIntrinsicOp, name="llvm.intr.log10"):
    """Computes the logarithm to base 10 of each element."""


class Log2Op(UnaryFloatIntrinsicOp, name="llvm.intr.log2"):
    """Computes the logarithm to base 2 of each element."""


class NearbyintOp(UnaryFloatIntrinsicOp, name="llvm.intr.nearbyint"):
    """Rounds to an integer in the current rounding mode, without raising inexact."""


class RintOp(UnaryFloatIntrinsicOp, name="llvm.intr.rint"):
    """Rounds to an integer in the current rounding mode."""


class RoundOp(UnaryFloatIntrinsicOp, name="llvm.intr.round"):
    """Rounds to the nearest integer, ties away from zero."""


class RoundEvenOp(UnaryFloatIntrinsicOp, name="llvm.intr.roundeven"):
    """Rounds to the nearest integer, ties to even."""


class SinOp(UnaryFloatIntrinsicOp, name="llvm.intr.sin"):
    """Computes the sine of each element."""


class SinhOp(UnaryFloatIntrinsicOp, name="llvm.intr.sinh"):
    """Computes the hyperbolic sine of each element."""


class SqrtOp(UnaryFloatIntrinsicOp, name="llvm.intr.sqrt"):
    """Computes the square root of each element, correctly rounded."""


class TanOp(UnaryFloatIntrinsicOp, name="llvm.intr.tan"):
    """Computes the tangent of each element."""


class TanhOp(UnaryFloatIntrinsicOp, name="llvm.intr.tanh"):
    """Computes the hyperbolic tangent of each element."""


class FTruncOp(UnaryFloatIntrinsicOp, name="llvm.intr.trunc"):
    """Rounds to an integer towards zero."""


class ACosOp(UnaryFloatIntrinsicOp, name="llvm.intr.acos"):
    """Computes the arc cosine of each element."""


class ASinOp(UnaryFloatIntrinsicOp, name="llvm.intr.asin"):
    """Computes the arc sine of each element."""


class ATanOp(UnaryFloatIntrinsicOp, name="llvm.intr.atan"):
    """Computes the arc tangent of each element."""


class BinaryFloatIntrinsicOp(SameTypeOp):
    """The base of functions of two floating-point numbers, or of each pair of elements of two vectors."""

    a: Value = operand_def(FLOAT_OR_VECTOR, "The first operand.")
    b: Value = operand_def(FLOAT_OR_VECTOR, "The second operand.")
    fastmathFlags: FastMathFlags = attr_def(FAST_MATH, FASTMATH_FLAGS_DOC, default=FastMathFlags.NONE)
    res: Value = result_def(LLVM_TYPE, RES_DOC)
    assembly_format = "`(` operands `)` attr-dict `:` functional-type(operands, results)"
    traits = (
        Pure(),
        SameOperandsAndResultType(),
    )


class ATan2Op(BinaryFloatIntrinsicOp, name="llvm.intr.atan2"):
    """Computes the angle of a point, in radians; the first operand is the y coordinate, the second the x
    coordinate.
    """


class CopySignOp(BinaryFloatIntrinsicOp, name="llvm.intr.copysign"):
    """Returns the magnitude of the first operand with the sign of the second."""


class MaximumOp(BinaryFloatIntrinsicOp, name="llvm.intr.maximum"):
    """Returns the larger number. The result is NaN if an operand is NaN, and +0 is larger than -0."""


class MaxNumOp(BinaryFloatIntrinsicOp, name="llvm.intr.maxnum"):
    """Returns the larger number; if one operand is NaN, the other operand."""


class MinimumOp(BinaryFloatIntrinsicOp, name="llvm.intr.minimum"):
    """Returns the smaller number. The result is NaN if an operand is NaN, and -0 is smaller than +0."""


class MinNumOp(BinaryFloatIntrinsicOp, name="llvm.intr.minnum"):
    """Returns the smaller number; if one operand is NaN, the other operand."""


class PowOp(BinaryFloatIntrinsicOp, name="llvm.intr.pow"):
    """Raises the first operand to the power of the second."""


class FusedMultiplyAddOp(SameTypeOp):
    """The base of operations that compute `a * b + c`."""

    a: Value = operand_def(FLOAT_OR_VECTOR, "The first operand.")
    b: Value = operand_def(FLOAT_OR_VECTOR, "The second operand.")
    c: Value = operand_def(FLOAT_OR_VECTOR, "The third operand.")
    fastmathFlags: FastMathFlags = attr_def(FAST_MATH, FASTMATH_FLAGS_DOC, default=FastMathFlags.NONE)
    res: Value = result_def(LLVM_TYPE, RES_DOC)
    assembly_format = "`(` operands `)` attr-dict `:` functional-type(operands, results)"
    traits = (
        Pure(),
        SameOperandsAndResultType(),
    )


class FMAOp(FusedMultiplyAddOp, name="llvm.intr.fma"):
    """Computes `a * b + c`, rounded once."""


class FMulAddOp(FusedMultiplyAddOp, name="llvm.intr.fmuladd"):
    """Computes `a * b + c`, rounded once or twice: whichever is faster on the target."""


class LoadExpOp(StandardOp, name="llvm.intr.ldexp"):
    """Multiplies the first operand by 2 to the power of the second, an integer."""

    val: Value = operand_def(FLOAT_OR_VECTOR, VAL_DOC)
    power: Value = operand_def(INTEGER, "The exponent.")
    fastmathFlags: FastMathFlags = attr_def(FAST_MATH, FASTMATH_FLAGS_DOC, default=FastMathFlags.NONE)
    res: Value = result_def(LLVM_TYPE, RES_DOC)
    assembly_format = "`(` operands `)` attr-dict `:` functional-type(operands, results)"
    traits = (Pure(),)


class PowIOp(StandardOp, name="llvm.intr.powi"):
    """Raises the first operand to the power of the second, an integer."""

    val: Value = operand_def(FLOAT_OR_VECTOR, VAL_DOC)
    power: Value = operand_def(INTEGER, "The exponent.")
    fastmathFlags: FastMathFlags = attr_def(FAST_MATH, FASTMATH_FLAGS_DOC, default=FastMathFlags.NONE)
    res: Value = result_def(LLVM_TYPE, RES_DOC)
    assembly_format = "`(` operands `)` attr-dict `:` functional-type(operands, results)"
    traits = (Pure(),)


class FractionExpOp(StandardOp, name="llvm.intr.frexp"):
    """Splits a number into its fraction, whose magnitude is at least 0.5 and below 1, and its exponent to
    base 2, and returns both in a struct.
    """

    val: Value = operand_def(FLOAT_OR_VECTOR, VAL_DOC)
    fastmathFlags: FastMathFlags = attr_def(FAST_MATH, FASTMATH_FLAGS_DOC, default=FastMathFlags.NONE)
    res: Value = result_def(LLVM_TYPE, RES_DOC)
    assembly_format = "`(` operands `)` attr-dict `:` functional-type(operands, results)"
    traits = (Pure(),)


class SincosOp(StandardOp, name="llvm.intr.sincos"):
    """Computes the sine and the cosine of the operand, and returns both in a struct."""

    val: Value = operand_def(FLOAT_OR_VECTOR, VAL_DOC)
    fastmathFlags: FastMathFlags = attr_def(FAST_MATH, FASTMATH_FLAGS_DOC, default=FastMathFlags.NONE)
    res: Value = result_def(LLVM_TYPE, RES_DOC)
    assembly_format = "`(` operands `)` attr-dict `:` functional-type(operands, results)"
    traits = (Pure(),)

    def verify_(self) -> None:
        check_sine_and_cosine(self)


class IsFPClassOp(LLVMComparisonOp, name="llvm.intr.is.fpclass"):
    """Tests whether a number is in one of the classes (NaN, infinity, subnormal, ...) whose bits are set in
    `bit`.
    """

    in_: Value = operand_def(FLOAT_OR_VECTOR, "The operand.")
    bit: int = attr_def(IntegerKind(i32), "The classes, one bit each.")
    res: Value = result_def(LLVM_TYPE, RES_DOC)
    traits = (Pure(),)


class RoundToIntegerOp(StandardOp):
    """The base of functions that round a floating-point number to an integer type: `lrint`, `llrint` and
    `lround`.
    """

    val: Value = operand_def(FLOAT_OR_VECTOR, VAL_DOC)
    res: Value = result_def(LLVM_TYPE, RES_DOC)
    assembly_format = "`(` operands `)` attr-dict `:` functional-type(operands, results)"
    traits = (Pure(),)


class LrintOp(RoundToIntegerOp, name="llvm.intr.lrint"):
    """Rounds to an integer of the C type `long` in the current rounding mode."""


class LlrintOp(RoundToIntegerOp, name="llvm.intr.llrint"):
    """Rounds to an integer of the C type `long long` in the current rounding mode."""


class LroundOp(RoundToIntegerOp, name="llvm.intr.lround"):
    """Rounds to the nearest integer of the C type `long`, ties away from zero."""


class LlroundOp(StandardOp, name="llvm.intr.llround"):
    """Rounds to the nearest integer of the C type `long long`, ties away from zero."""

    val: Value = operand_def(FLOAT, VAL_DOC)
    res: Value = result_def(LLVM_TYPE, RES_DOC)
    assembly_format = "`(` operands `)` attr-dict `:` functional-type(operands, results)"
    traits = (Pure(),)


OPERATIONS: tuple[type[Operation], ...] = (
    FCeilOp,
    CosOp,
    CoshOp,
    ExpOp,
    Exp10Op,
    Exp2Op,
    FAbsOp,
    FFloorOp,
    LogOp,
    Log10Op,
    Log2Op,
    NearbyintOp,
    RintOp,
    RoundOp,
    RoundEvenOp,
    SinOp,
    SinhOp,
    SqrtOp,
    TanOp,
    TanhOp,
    FTruncOp,
    ACosOp,
    ASinOp,
    ATanOp,
    ATan2Op,
    CopySignOp,
    MaximumOp,
    MaxNumOp,
    MinimumOp,
    MinNumOp,
    PowOp,
    FMAOp,
    FMulAddOp,
    LoadExpOp,
    PowIOp,
    FractionExpOp,
    SincosOp,
    IsFPClassOp,
    LrintOp,
    LlrintOp,
    LroundOp,
    LlroundOp,
)
"""The operations of this module."""
