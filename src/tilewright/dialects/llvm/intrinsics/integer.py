"""Intrinsic functions on integers."""

from __future__ import annotations

from tilewright.dialects.common import base, traits as common_traits
from tilewright.dialects.llvm import base as llvm_base, kinds as llvm_kinds
from tilewright.dialects.llvm.constraints import INTEGER_OR_VECTOR, LLVM_TYPE
from tilewright.ir.declaration.fields import attr_def, operand_def, result_def
from tilewright.ir.declaration.traits import Pure
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

A_DOC = "The first operand."
RES_DOC = "The result."
B_DOC = "The second operand."


class BinaryIntegerIntrinsicOp(base.SameTypeOp):
    """The base of functions of two integers, or of each pair of elements of two vectors."""

    a: Value = operand_def(INTEGER_OR_VECTOR, A_DOC)
    b: Value = operand_def(INTEGER_OR_VECTOR, B_DOC)
    res: Value = result_def(LLVM_TYPE, RES_DOC)
    assembly_format = "`(` operands `)` attr-dict `:` functional-type(operands, results)"
    traits = (
        Pure(),
        common_traits.SameOperandsAndResultType(),
    )


class SMaxOp(BinaryIntegerIntrinsicOp, name="llvm.intr.smax"):
    """Returns the larger of two signed integers."""


class SMinOp(BinaryIntegerIntrinsicOp, name="llvm.intr.smin"):
    """Returns the smaller of two signed integers."""


class UMaxOp(BinaryIntegerIntrinsicOp, name="llvm.intr.umax"):
    """Returns the larger of two unsigned integers."""


class UMinOp(BinaryIntegerIntrinsicOp, name="llvm.intr.umin"):
    """Returns the smaller of two unsigned integers."""


class SAddSatOp(BinaryIntegerIntrinsicOp, name="llvm.intr.sadd.sat"):
    """Adds signed integers with saturation: a sum out of range becomes the nearest bound."""


class UAddSatOp(BinaryIntegerIntrinsicOp, name="llvm.intr.uadd.sat"):
    """Adds unsigned integers with saturation: a sum out of range becomes the largest number."""


class SSubSatOp(BinaryIntegerIntrinsicOp, name="llvm.intr.ssub.sat"):
    """Subtracts signed integers with saturation: a difference out of range becomes the nearest bound."""


class USubSatOp(BinaryIntegerIntrinsicOp, name="llvm.intr.usub.sat"):
    """Subtracts unsigned integers with saturation: a negative difference becomes zero."""


class SSHLSatOp(BinaryIntegerIntrinsicOp, name="llvm.intr.sshl.sat"):
    """Shifts a signed integer to the left with saturation: a result out of range becomes the nearest bound."""


class USHLSatOp(BinaryIntegerIntrinsicOp, name="llvm.intr.ushl.sat"):
    """Shifts an unsigned integer to the left with saturation: a result out of range becomes the largest
    number.
    """


class OverflowOp(llvm_base.OverflowResultOp):
    """The base of arithmetic that returns a struct of the wrapped result and an i1: whether it wrapped."""

    lhs: Value = operand_def(INTEGER_OR_VECTOR, "The left-hand operand.")
    rhs: Value = operand_def(INTEGER_OR_VECTOR, "The right-hand operand.")
    res: Value = result_def(LLVM_TYPE, RES_DOC)
    traits = (
        Pure(),
        common_traits.SameOperandsElementType(),
    )


class SAddWithOverflowOp(OverflowOp, name="llvm.intr.sadd.with.overflow"):
    """Adds signed integers; the result is a struct of the wrapped sum and an i1: whether it overflowed."""


class UAddWithOverflowOp(OverflowOp, name="llvm.intr.uadd.with.overflow"):
    """Adds unsigned integers; the result is a struct of the wrapped sum and an i1: whether it overflowed."""


class SSubWithOverflowOp(OverflowOp, name="llvm.intr.ssub.with.overflow"):
    """Subtracts signed integers; the result is a struct of the wrapped difference and an i1: whether it
    overflowed.
    """


class USubWithOverflowOp(OverflowOp, name="llvm.intr.usub.with.overflow"):
    """Subtracts unsigned integers; the result is a struct of the wrapped difference and an i1: whether it
    overflowed.
    """


class SMulWithOverflowOp(OverflowOp, name="llvm.intr.smul.with.overflow"):
    """Multiplies signed integers; the result is a struct of the wrapped product and an i1: whether it
    overflowed.
    """


class UMulWithOverflowOp(OverflowOp, name="llvm.intr.umul.with.overflow"):
    """Multiplies unsigned integers; the result is a struct of the wrapped product and an i1: whether it
    overflowed.
    """


class AbsOp(base.StandardOp, name="llvm.intr.abs"):
    """Computes the absolute value of a signed integer. The smallest integer is its own absolute value, or
    gives poison with `is_int_min_poison`.
    """

    in_: Value = operand_def(INTEGER_OR_VECTOR, "The integer.")
    is_int_min_poison: bool = attr_def(llvm_kinds.BIT, "Whether the smallest integer gives poison.")
    res: Value = result_def(LLVM_TYPE, RES_DOC)
    traits = (Pure(),)


class UnaryIntegerIntrinsicOp(base.SameTypeOp):
    """The base of functions of one integer, or of each element of a vector."""

    in_: Value = operand_def(INTEGER_OR_VECTOR, "The operand.")
    res: Value = result_def(LLVM_TYPE, RES_DOC)
    assembly_format = "`(` operands `)` attr-dict `:` functional-type(operands, results)"
    traits = (
        Pure(),
        common_traits.SameOperandsAndResultType(),
    )


class BitReverseOp(UnaryIntegerIntrinsicOp, name="llvm.intr.bitreverse"):
    """Reverses the order of the bits of each element."""


class ByteSwapOp(UnaryIntegerIntrinsicOp, name="llvm.intr.bswap"):
    """Reverses the order of the bytes of each element."""


class CtPopOp(UnaryIntegerIntrinsicOp, name="llvm.intr.ctpop"):
    """Counts the bits that are set in each element."""


class CountZerosOp(base.SameTypeOp):
    """The base of operations that count the zero bits from one end of an integer. Zero gives its width, or
    poison with `is_zero_poison`.
    """

    in_: Value = operand_def(INTEGER_OR_VECTOR, "The operand.")
    is_zero_poison: bool = attr_def(llvm_kinds.BIT, "Whether zero gives poison.")
    res: Value = result_def(LLVM_TYPE, RES_DOC)
    traits = (
        Pure(),
        common_traits.SameOperandsAndResultType(),
    )


class CountLeadingZerosOp(CountZerosOp, name="llvm.intr.ctlz"):
    """Counts the zero bits above the highest bit that is set."""


class CountTrailingZerosOp(CountZerosOp, name="llvm.intr.cttz"):
    """Counts the zero bits below the lowest bit that is set."""


class FunnelShiftOp(base.SameTypeOp):
    """The base of operations that shift the concatenation of `a` (high half) and `b` (low half) by `c` bits,
    modulo the width.
    """

    a: Value = operand_def(INTEGER_OR_VECTOR, A_DOC)
    b: Value = operand_def(INTEGER_OR_VECTOR, B_DOC)
    c: Value = operand_def(INTEGER_OR_VECTOR, "The third operand.")
    res: Value = result_def(LLVM_TYPE, RES_DOC)
    assembly_format = "`(` operands `)` attr-dict `:` functional-type(operands, results)"
    traits = (
        Pure(),
        common_traits.SameOperandsAndResultType(),
    )


class FshlOp(FunnelShiftOp, name="llvm.intr.fshl"):
    """Shifts the concatenation of `a` (high half) and `b` to the left by `c` bits, modulo the width; the
    result is the high half.
    """


class FshrOp(FunnelShiftOp, name="llvm.intr.fshr"):
    """Shifts the concatenation of `a` (high half) and `b` to the right by `c` bits, modulo the width; the
    result is the low half.
    """


class ThreeWayCompareOp(base.StandardOp):
    """The base of comparisons whose result is -1, 0 or 1 as the first operand is smaller than, equal to or
    larger than the second.
    """

    a: Value = operand_def(INTEGER_OR_VECTOR, A_DOC)
    b: Value = operand_def(INTEGER_OR_VECTOR, B_DOC)
    res: Value = result_def(INTEGER_OR_VECTOR, RES_DOC)
    assembly_format = "`(` operands `)` attr-dict `:` functional-type(operands, results)"
    traits = (
        Pure(),
        common_traits.SameTypeOperands(),
    )


class SCmpOp(ThreeWayCompareOp, name="llvm.intr.scmp"):
    """Compares signed integers: -1 if the first is smaller, 0 if both are equal, 1 if the first is larger."""


class UCmpOp(ThreeWayCompareOp, name="llvm.intr.ucmp"):
    """Compares unsigned integers: -1 if the first is smaller, 0 if both are equal, 1 if the first is larger."""


OPERATIONS: tuple[type[Operation], ...] = (
    SMaxOp,
    SMinOp,
    UMaxOp,
    UMinOp,
    SAddSatOp,
    UAddSatOp,
    SSubSatOp,
    USubSatOp,
    SSHLSatOp,
    USHLSatOp,
    SAddWithOverflowOp,
    UAddWithOverflowOp,
    SSubWithOverflowOp,
    USubWithOverflowOp,
    SMulWithOverflowOp,
    UMulWithOverflowOp,
    AbsOp,
    BitReverseOp,
    ByteSwapOp,
    CtPopOp,
    CountLeadingZerosOp,
    CountTrailingZerosOp,
    FshlOp,
    FshrOp,
    SCmpOp,
    UCmpOp,
)
"""The operations of this module."""
