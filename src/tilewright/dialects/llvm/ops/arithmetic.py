"""Arithmetic, bits and comparisons."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilewright.dialects.common.base import SameTypeOp, StandardOp
from tilewright.dialects.common.constraints import COMPARISON_WORDS, is_comparison
from tilewright.dialects.common.traits import PredicateTrait, SameOperandsAndResultType, SameTypeOperands
from tilewright.dialects.llvm.base import LLVMComparisonOp
from tilewright.dialects.llvm.constraints import (
    BOOL_OR_VECTOR,
    COMPARABLE,
    FLOAT_OR_VECTOR,
    INTEGER_OR_VECTOR,
    LLVM_TYPE,
)
from tilewright.dialects.llvm.enums import (
    FastMathFlags,
    FloatPredicate,
    IntegerOverflowFlags,
    IntegerPredicate,
)
from tilewright.dialects.llvm.kinds import FAST_MATH, FLOAT_PREDICATE, INTEGER_PREDICATE, OVERFLOW
from tilewright.dialects.llvm.syntax.custom import parse_comparison, print_comparison
from tilewright.ir.declaration.constraint import TypeVariable
from tilewright.ir.declaration.fields import attr_def, flag_def, operand_def, result_def
from tilewright.ir.declaration.traits import Commutative, NoMemoryEffect, Pure
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

if TYPE_CHECKING:
    from tilewright.ir.text import parser as text_parser, printer as text_printer

SAME_LLVM_TYPE = TypeVariable("T", LLVM_TYPE)
LHS_DOC = "The left-hand operand."
RES_DOC = "The result."
RHS_DOC = "The right-hand operand."
FASTMATH_FLAGS_DOC = "The fast-math flags."


class IntegerArithmeticOp(SameTypeOp):
    """The base of integer operations on two values, or on each pair of elements, with the flags `nsw` and
    `nuw`.
    """

    lhs: Value = operand_def(INTEGER_OR_VECTOR, LHS_DOC)
    rhs: Value = operand_def(INTEGER_OR_VECTOR, RHS_DOC)
    overflowFlags: IntegerOverflowFlags = attr_def(
        OVERFLOW, "The overflows that are assumed not to happen.", default=IntegerOverflowFlags.NONE
    )
    res: Value = result_def(INTEGER_OR_VECTOR, RES_DOC)
    assembly_format = "$lhs `,` $rhs ($overflowFlags^)? attr-dict `:` type($res)"
    traits = (
        Pure(),
        SameOperandsAndResultType(),
    )


class AddOp(IntegerArithmeticOp, name="llvm.add"):
    """Adds two integers modulo the width."""

    traits = (
        Pure(),
        SameOperandsAndResultType(),
        Commutative(),
    )


class SubOp(IntegerArithmeticOp, name="llvm.sub"):
    """Subtracts the right integer from the left one, modulo the width."""


class MulOp(IntegerArithmeticOp, name="llvm.mul"):
    """Multiplies two integers modulo the width."""

    traits = (
        Pure(),
        SameOperandsAndResultType(),
        Commutative(),
    )


class ShlOp(IntegerArithmeticOp, name="llvm.shl"):
    """Shifts an integer to the left; poison if the shift amount is not below the width."""


class ExactIntegerOp(SameTypeOp):
    """The base of divisions and right shifts. With `isExact` the result is poison if the remainder, or a bit
    that is shifted out, is not zero.
    """

    lhs: Value = operand_def(INTEGER_OR_VECTOR, LHS_DOC)
    rhs: Value = operand_def(INTEGER_OR_VECTOR, RHS_DOC)
    isExact: bool = flag_def("Whether nothing is lost.", default=False)
    res: Value = result_def(INTEGER_OR_VECTOR, RES_DOC)
    assembly_format = "(`exact` $isExact^)? $lhs `,` $rhs attr-dict `:` type($res)"
    traits = (SameOperandsAndResultType(),)


class UDivOp(ExactIntegerOp, name="llvm.udiv"):
    """Divides unsigned integers; division by zero is undefined."""

    traits = (
        NoMemoryEffect(),
        SameOperandsAndResultType(),
    )


class SDivOp(ExactIntegerOp, name="llvm.sdiv"):
    """Divides signed integers, rounding towards zero; division by zero, and overflow, are undefined."""

    traits = (
        NoMemoryEffect(),
        SameOperandsAndResultType(),
    )


class IntegerBinaryOp(SameTypeOp):
    """The base of integer operations on two values, or on each pair of elements."""

    lhs: Value = operand_def(INTEGER_OR_VECTOR, LHS_DOC)
    rhs: Value = operand_def(INTEGER_OR_VECTOR, RHS_DOC)
    res: Value = result_def(INTEGER_OR_VECTOR, RES_DOC)
    assembly_format = "$lhs `,` $rhs attr-dict `:` type($res)"
    traits = (
        Pure(),
        SameOperandsAndResultType(),
    )


class URemOp(IntegerBinaryOp, name="llvm.urem"):
    """Computes the remainder of unsigned division; division by zero is undefined."""


class SRemOp(IntegerBinaryOp, name="llvm.srem"):
    """Computes the remainder of signed division; it has the sign of the dividend. Division by zero, and the
    smallest number divided by -1, are undefined.
    """


class AndOp(IntegerBinaryOp, name="llvm.and"):
    """Computes the bitwise and of two integers."""


class OrOp(SameTypeOp, name="llvm.or"):
    """Computes the bitwise or of two integers; with `isDisjoint` it is poison if a bit is set in both."""

    lhs: Value = operand_def(INTEGER_OR_VECTOR, LHS_DOC)
    rhs: Value = operand_def(INTEGER_OR_VECTOR, RHS_DOC)
    isDisjoint: bool = flag_def("Whether no bit is set in both operands.", default=False)
    res: Value = result_def(INTEGER_OR_VECTOR, RES_DOC)
    assembly_format = "(`disjoint` $isDisjoint^)? $lhs `,` $rhs attr-dict `:` type($res)"
    traits = (
        Pure(),
        SameOperandsAndResultType(),
    )


class XOrOp(IntegerBinaryOp, name="llvm.xor"):
    """Computes the bitwise exclusive or of two integers."""


class LShrOp(ExactIntegerOp, name="llvm.lshr"):
    """Shifts an integer to the right, filling with zeros; poison if the shift amount is not below the width."""

    traits = (
        Pure(),
        SameOperandsAndResultType(),
    )


class AShrOp(ExactIntegerOp, name="llvm.ashr"):
    """Shifts an integer to the right, filling with the sign bit; poison if the shift amount is not below the
    width.
    """

    traits = (
        Pure(),
        SameOperandsAndResultType(),
    )


class FloatBinaryOp(SameTypeOp):
    """The base of floating-point operations on two values, or on each pair of elements."""

    lhs: Value = operand_def(FLOAT_OR_VECTOR, LHS_DOC)
    rhs: Value = operand_def(FLOAT_OR_VECTOR, RHS_DOC)
    fastmathFlags: FastMathFlags = attr_def(FAST_MATH, FASTMATH_FLAGS_DOC, default=FastMathFlags.NONE)
    res: Value = result_def(FLOAT_OR_VECTOR, RES_DOC)
    assembly_format = "$lhs `,` $rhs attr-dict `:` type($res)"
    traits = (
        Pure(),
        SameOperandsAndResultType(),
    )


class FAddOp(FloatBinaryOp, name="llvm.fadd"):
    """Adds two floating-point values."""


class FSubOp(FloatBinaryOp, name="llvm.fsub"):
    """Subtracts the right floating-point value from the left one."""


class FMulOp(FloatBinaryOp, name="llvm.fmul"):
    """Multiplies two floating-point values."""


class FDivOp(FloatBinaryOp, name="llvm.fdiv"):
    """Divides the left floating-point value by the right one."""


class FRemOp(FloatBinaryOp, name="llvm.frem"):
    """Computes the remainder of division rounded towards zero; it has the sign of the dividend."""


class FNegOp(SameTypeOp, name="llvm.fneg"):
    """Negates a floating-point value: flips its sign bit."""

    operand: Value = operand_def(FLOAT_OR_VECTOR, "The operand.")
    fastmathFlags: FastMathFlags = attr_def(FAST_MATH, FASTMATH_FLAGS_DOC, default=FastMathFlags.NONE)
    res: Value = result_def(FLOAT_OR_VECTOR, RES_DOC)
    assembly_format = "$operand attr-dict `:` type($res)"
    traits = (
        Pure(),
        SameOperandsAndResultType(),
    )


class ICmpOp(LLVMComparisonOp, name="llvm.icmp"):
    """Compares two integers or pointers, or vectors of these element by element, by the relation `predicate`.
    The result is an i1 or a vector of i1.
    """

    predicate: IntegerPredicate = attr_def(INTEGER_PREDICATE, "The relation.")
    lhs: Value = operand_def(COMPARABLE, LHS_DOC)
    rhs: Value = operand_def(COMPARABLE, RHS_DOC)
    res: Value = result_def(BOOL_OR_VECTOR, RES_DOC)
    traits = (
        Pure(),
        PredicateTrait(COMPARISON_WORDS, is_comparison),
        SameTypeOperands(),
    )

    def print_custom(self, printer: text_printer.Printer) -> None:
        print_comparison(self, printer)

    @classmethod
    def parse_custom(cls, parser: text_parser.Parser) -> Operation:
        return parse_comparison(cls.op_kind, parser, IntegerPredicate)


class FCmpOp(LLVMComparisonOp, name="llvm.fcmp"):
    """Compares two floating-point values, or vectors element by element, by the relation `predicate`, which
    also says what NaN gives. The result is an i1 or a vector of i1.
    """

    predicate: FloatPredicate = attr_def(FLOAT_PREDICATE, "The relation.")
    lhs: Value = operand_def(FLOAT_OR_VECTOR, LHS_DOC)
    rhs: Value = operand_def(FLOAT_OR_VECTOR, RHS_DOC)
    fastmathFlags: FastMathFlags = attr_def(FAST_MATH, FASTMATH_FLAGS_DOC, default=FastMathFlags.NONE)
    res: Value = result_def(BOOL_OR_VECTOR, RES_DOC)
    traits = (
        Pure(),
        PredicateTrait(COMPARISON_WORDS, is_comparison),
        SameTypeOperands(),
    )

    def print_custom(self, printer: text_printer.Printer) -> None:
        print_comparison(self, printer)

    @classmethod
    def parse_custom(cls, parser: text_parser.Parser) -> Operation:
        return parse_comparison(cls.op_kind, parser, FloatPredicate)


class SelectOp(StandardOp, name="llvm.select"):
    """Selects one of two values by an i1, or for each element by a vector of i1."""

    condition: Value = operand_def(BOOL_OR_VECTOR, "The condition.")
    trueValue: Value = operand_def(SAME_LLVM_TYPE, "The value where the condition is true.")
    falseValue: Value = operand_def(SAME_LLVM_TYPE, "The value where the condition is false.")
    fastmathFlags: FastMathFlags = attr_def(FAST_MATH, FASTMATH_FLAGS_DOC, default=FastMathFlags.NONE)
    res: Value = result_def(SAME_LLVM_TYPE, RES_DOC)
    assembly_format = "operands attr-dict `:` type($condition) `,` type($res)"
    traits = (Pure(),)


class FreezeOp(SameTypeOp, name="llvm.freeze"):
    """Returns the operand; if that is undefined or poison, an arbitrary value that is the same at all uses."""

    val: Value = operand_def(LLVM_TYPE, "The value.")
    res: Value = result_def(LLVM_TYPE, RES_DOC)
    assembly_format = "$val attr-dict `:` type($val)"
    traits = (
        Pure(),
        SameOperandsAndResultType(),
    )


OPERATIONS: tuple[type[Operation], ...] = (
    AddOp,
    SubOp,
    MulOp,
    ShlOp,
    UDivOp,
    SDivOp,
    URemOp,
    SRemOp,
    AndOp,
    OrOp,
    XOrOp,
    LShrOp,
    AShrOp,
    FAddOp,
    FSubOp,
    FMulOp,
    FDivOp,
    FRemOp,
    FNegOp,
    ICmpOp,
    FCmpOp,
    SelectOp,
    FreezeOp,
)
"""The operations of this module."""
