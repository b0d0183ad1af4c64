"""Arithmetic that neither ``arith`` nor ``math`` has."""

from __future__ import annotations

from tilewright.dialects.tt import attributes as tt_attributes, enums as tt_enums
from tilewright.dialects.tt.constraints import F32_LIKE, FLOAT_LIKE, INT_LIKE
from tilewright.dialects.tt.traits import SAME_TYPE, TritonSameTypeOp
from tilewright.ir.declaration.fields import attr_def, operand_def, result_def
from tilewright.ir.value import Value

BINARY = "$x `,` $y attr-dict `:` type($x)"
DIVIDEND, DIVISOR, QUOTIENT = "The dividend.", "The divisor.", "The quotient."


class ClampFOp(TritonSameTypeOp, name="tt.clampf"):
    """Limits a float to the range from `min` to `max`. `propagateNan` says whether the result is NaN if an
    operand is.
    """

    x: Value = operand_def(FLOAT_LIKE, "The value.")
    min: Value = operand_def(FLOAT_LIKE, "The smallest result.")
    max: Value = operand_def(FLOAT_LIKE, "The largest result.")
    propagateNan: tt_enums.PropagateNan = attr_def(
        tt_attributes.PROPAGATE_NAN, "Whether the result is NaN where the value is, or one of the limits."
    )
    result: Value = result_def(FLOAT_LIKE, "The value, or the limit beyond which it lies.")
    assembly_format = "$x `,` $min `,` $max `,` `propagateNan` `=` $propagateNan attr-dict `:` type($result)"
    traits = SAME_TYPE


class PreciseSqrtOp(TritonSameTypeOp, name="tt.precise_sqrt"):
    """Computes the square root, rounded to nearest."""

    x: Value = operand_def(FLOAT_LIKE, "The radicand.")
    result: Value = result_def(FLOAT_LIKE, "The root.")
    assembly_format = "$x attr-dict `:` type($x)"
    traits = SAME_TYPE


class PreciseDivFOp(TritonSameTypeOp, name="tt.precise_divf"):
    """Divides floats and rounds to nearest."""

    x: Value = operand_def(FLOAT_LIKE, DIVIDEND)
    y: Value = operand_def(FLOAT_LIKE, DIVISOR)
    result: Value = result_def(FLOAT_LIKE, QUOTIENT)
    assembly_format = BINARY
    traits = SAME_TYPE


class ApproxDivFOp(TritonSameTypeOp, name="tt.approx_divf"):
    """Divides floats with an error of up to 2.5 units in the last place."""

    x: Value = operand_def(F32_LIKE, DIVIDEND)
    y: Value = operand_def(F32_LIKE, DIVISOR)
    result: Value = result_def(F32_LIKE, QUOTIENT)
    assembly_format = BINARY
    traits = SAME_TYPE


class MulhiUIOp(TritonSameTypeOp, name="tt.mulhiui"):
    """Computes the upper half of the product of unsigned integers."""

    x: Value = operand_def(INT_LIKE, "One factor.")
    y: Value = operand_def(INT_LIKE, "The other factor.")
    result: Value = result_def(INT_LIKE, "The upper half of the bits of the product.")
    assembly_format = BINARY
    traits = SAME_TYPE


OPERATIONS = (ClampFOp, PreciseSqrtOp, PreciseDivFOp, ApproxDivFOp, MulhiUIOp)
