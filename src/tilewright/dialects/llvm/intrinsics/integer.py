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
    """A function of two integers, or of each pair of elements."""

    a: Value = operand_def(INTEGER_OR_VECTOR, A_DOC)
    b: Value = operand_def(INTEGER_OR_VECTOR, B_DOC)
    res: Value = result_def(LLVM_TYPE, RES_DOC)
    assembly_format = "`(` operands `)` attr-dict `:` functional-type(operands, results)"
    traits = (
        Pure(),
        common_traits.SameOperandsAndResultType(),
    )


class SMaxOp(BinaryIntegerIntrinsicOp, name="llvm.intr.smax"):
    """The larger of two signed integers."""


class SMinOp(BinaryIntegerIntrinsicOp, name="llvm.intr.smin"):
    """The smaller of two signed integers."""


class UMaxOp(BinaryIntegerIntrinsicOp, name="llvm.intr.umax"):
    """The larger of two unsigned integers."""


class UMinOp(BinaryIntegerIntrinsicOp, name="llvm.intr.umin"):
    """The smaller of two unsigned integers."""


class SAddSatOp(BinaryIntegerIntrinsicOp, name="llvm.intr.sadd.sat"):
    """Signed addition that stays at the nearest bound."""


class UAddSatOp(BinaryIntegerIntrinsicOp, name="llvm.intr.uadd.sat"):
    """Unsigned addition that stays at the highest number."""


class SSubSatOp(BinaryIntegerIntrinsicOp, name="llvm.intr.ssub.sat"):
    """Signed subtraction that stays at the nearest bound."""


class USubSatOp(BinaryIntegerIntrinsicOp, name="llvm.intr.usub.sat"):
    """Unsigned subtraction that stays at zero."""


class SSHLSatOp(BinaryIntegerIntrinsicOp, name="llvm.intr.sshl.sat"):
    """Signed shift to the left that stays at the nearest bound."""


class USHLSatOp(BinaryIntegerIntrinsicOp, name="llvm.intr.ushl.sat"):
    """Unsigned shift to the left that stays at the highest number."""


class OverflowOp(llvm_base.OverflowResultOp):
    """Arithmetic that gives a struct of the wrapped result and whether it wrapped."""

    lhs: Value = operand_def(INTEGER_OR_VECTOR, "The left-hand operand.")
    rhs: Value = operand_def(INTEGER_OR_VECTOR, "The right-hand operand.")
    res: Value = result_def(LLVM_TYPE, RES_DOC)
    traits = (
        Pure(),
        common_traits.SameOperandsElementType(),
    )


class SAddWithOverflowOp(OverflowOp, name="llvm.intr.sadd.with.overflow"):
    """Adds signed integers, and tells whether the sum overflows."""


class UAddWithOverflowOp(OverflowOp, name="llvm.intr.uadd.with.overflow"):
    """Adds unsigned integers, and tells whether the sum overflows."""


class SSubWithOverflowOp(OverflowOp, name="llvm.intr.ssub.with.overflow"):
    """Subtracts signed integers, and tells whether the difference overflows."""


class USubWithOverflowOp(OverflowOp, name="llvm.intr.usub.with.overflow"):
    """Subtracts unsigned integers, and tells whether the difference overflows."""


class SMulWithOverflowOp(OverflowOp, name="llvm.intr.smul.with.overflow"):
    """Multiplies signed integers, and tells whether the product overflows."""


class UMulWithOverflowOp(OverflowOp, name="llvm.intr.umul.with.overflow"):
    """Multiplies unsigned integers, and tells whether the product overflows."""


class AbsOp(base.StandardOp, name="llvm.intr.abs"):
    """The absolute value of a signed integer."""

    in_: Value = operand_def(INTEGER_OR_VECTOR, "The integer.")
    is_int_min_poison: bool = attr_def(llvm_kinds.BIT, "Whether the smallest integer gives poison.")
    res: Value = result_def(LLVM_TYPE, RES_DOC)
    traits = (Pure(),)


class UnaryIntegerIntrinsicOp(base.SameTypeOp):
    """A function of one integer, or of each element."""

    in_: Value = operand_def(INTEGER_OR_VECTOR, "The operand.")
    res: Value = result_def(LLVM_TYPE, RES_DOC)
    assembly_format = "`(` operands `)` attr-dict `:` functional-type(operands, results)"
    traits = (
        Pure(),
        common_traits.SameOperandsAndResultType(),
    )


class BitReverseOp(UnaryIntegerIntrinsicOp, name="llvm.intr.bitreverse"):
    """The bits in reverse order."""


class ByteSwapOp(UnaryIntegerIntrinsicOp, name="llvm.intr.bswap"):
    """The bytes in reverse order."""


class CtPopOp(UnaryIntegerIntrinsicOp, name="llvm.intr.ctpop"):
    """The number of bits that are set."""


class CountZerosOp(base.SameTypeOp):
    """Counts zero bits from one end."""

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
    """Shifts the concatenation of two integers."""

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
    """Shifts the concatenation of two integers to the left; the result is its high half."""


class FshrOp(FunnelShiftOp, name="llvm.intr.fshr"):
    """Shifts the concatenation of two integers to the right; the result is its low half."""


class ThreeWayCompareOp(base.StandardOp):
    """-1, 0 or 1 as the first operand is smaller, equal or larger."""

    a: Value = operand_def(INTEGER_OR_VECTOR, A_DOC)
    b: Value = operand_def(INTEGER_OR_VECTOR, B_DOC)
    res: Value = result_def(INTEGER_OR_VECTOR, RES_DOC)
    assembly_format = "`(` operands `)` attr-dict `:` functional-type(operands, results)"
    traits = (
        Pure(),
        common_traits.SameTypeOperands(),
    )


class SCmpOp(ThreeWayCompareOp, name="llvm.intr.scmp"):
    """Compares signed integers: -1, 0 or 1."""


class UCmpOp(ThreeWayCompareOp, name="llvm.intr.ucmp"):
    """Compares unsigned integers: -1, 0 or 1."""


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
