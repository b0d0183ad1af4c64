"""Operations that convert between types."""

from __future__ import annotations

from tilewright.dialects.common.base import StandardOp
from tilewright.dialects.llvm.attributes import DereferenceableAttr
from tilewright.dialects.llvm.constraints import (
    FLOAT_OR_VECTOR,
    INTEGER_OR_VECTOR,
    NO_AGGREGATE,
    POINTER_OR_VECTOR,
)
from tilewright.dialects.llvm.enums import IntegerOverflowFlags
from tilewright.dialects.llvm.kinds import DEREFERENCEABLE, OVERFLOW
from tilewright.dialects.llvm.roles import BitcastRole
from tilewright.dialects.llvm.rules.conversion import check_bit_cast, check_widening
from tilewright.ir.declaration.fields import attr_def, flag_def, operand_def, optional_attr_def, result_def
from tilewright.ir.declaration.traits import Pure
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

ARG_DOC = "The operand."
RES_DOC = "The result."


class TruncOp(StandardOp, name="llvm.trunc"):
    """Drops the high bits of an integer."""

    arg: Value = operand_def(INTEGER_OR_VECTOR, ARG_DOC)
    overflowFlags: IntegerOverflowFlags = attr_def(
        OVERFLOW, "The overflows that are assumed not to happen.", default=IntegerOverflowFlags.NONE
    )
    res: Value = result_def(INTEGER_OR_VECTOR, RES_DOC)
    assembly_format = "$arg ($overflowFlags^)? attr-dict `:` type($arg) `to` type($res)"
    traits = (Pure(),)


class ZExtOp(StandardOp, name="llvm.zext"):
    """Widens an integer with zeros; `nonNeg` promises that the operand is not negative."""

    arg: Value = operand_def(INTEGER_OR_VECTOR, ARG_DOC)
    nonNeg: bool = flag_def("Whether the operand is not negative.", default=False)
    res: Value = result_def(INTEGER_OR_VECTOR, RES_DOC)
    assembly_format = "(`nneg` $nonNeg^)? $arg attr-dict `:` type($arg) `to` type($res)"
    traits = (Pure(),)
    verifies_locally = True

    def verify_(self) -> None:
        check_widening(self)


class SExtOp(StandardOp, name="llvm.sext"):
    """Widens an integer with its sign bit."""

    arg: Value = operand_def(INTEGER_OR_VECTOR, ARG_DOC)
    res: Value = result_def(INTEGER_OR_VECTOR, RES_DOC)
    assembly_format = "$arg attr-dict `:` type($arg) `to` type($res)"
    traits = (Pure(),)
    verifies_locally = True

    def verify_(self) -> None:
        check_widening(self)


class UIToFPOp(StandardOp, name="llvm.uitofp"):
    """Converts unsigned integers to floating-point numbers, rounding to nearest even."""

    arg: Value = operand_def(INTEGER_OR_VECTOR, ARG_DOC)
    nonNeg: bool = flag_def("Whether the operand is not negative.", default=False)
    res: Value = result_def(FLOAT_OR_VECTOR, RES_DOC)
    assembly_format = "(`nneg` $nonNeg^)? $arg attr-dict `:` type($arg) `to` type($res)"
    traits = (Pure(),)


class SIToFPOp(StandardOp, name="llvm.sitofp"):
    """Converts signed integers to floating-point numbers, rounding to nearest even."""

    arg: Value = operand_def(INTEGER_OR_VECTOR, ARG_DOC)
    res: Value = result_def(FLOAT_OR_VECTOR, RES_DOC)
    assembly_format = "$arg attr-dict `:` type($arg) `to` type($res)"
    traits = (Pure(),)


class FloatToIntegerOp(StandardOp):
    """Conversion of floating-point numbers to integers, rounding towards zero; poison when out of range."""

    arg: Value = operand_def(FLOAT_OR_VECTOR, ARG_DOC)
    res: Value = result_def(INTEGER_OR_VECTOR, RES_DOC)
    assembly_format = "$arg attr-dict `:` type($arg) `to` type($res)"
    traits = (Pure(),)


class FPToUIOp(FloatToIntegerOp, name="llvm.fptoui"):
    """Converts to unsigned integers."""


class FPToSIOp(FloatToIntegerOp, name="llvm.fptosi"):
    """Converts to signed integers."""


class FloatCastOp(StandardOp):
    """Conversion between floating-point formats."""

    arg: Value = operand_def(FLOAT_OR_VECTOR, ARG_DOC)
    res: Value = result_def(FLOAT_OR_VECTOR, RES_DOC)
    assembly_format = "$arg attr-dict `:` type($arg) `to` type($res)"
    traits = (Pure(),)


class FPTruncOp(FloatCastOp, name="llvm.fptrunc"):
    """Rounds to a narrower format."""


class FPExtOp(FloatCastOp, name="llvm.fpext"):
    """Converts to a wider format, exactly."""


class BitcastOp(BitcastRole, name="llvm.bitcast"):
    """Reads the bits of a value as another type of the same width."""

    arg: Value = operand_def(NO_AGGREGATE, ARG_DOC)
    res: Value = result_def(NO_AGGREGATE, RES_DOC)
    assembly_format = "$arg attr-dict `:` type($arg) `to` type($res)"
    traits = (Pure(),)
    verifies_locally = True

    def verify_(self) -> None:
        check_bit_cast(self)


class AddrSpaceCastOp(StandardOp, name="llvm.addrspacecast"):
    """A pointer into another address space."""

    arg: Value = operand_def(POINTER_OR_VECTOR, ARG_DOC)
    res: Value = result_def(POINTER_OR_VECTOR, RES_DOC)
    assembly_format = "$arg attr-dict `:` type($arg) `to` type($res)"
    traits = (Pure(),)


class PtrToIntOp(StandardOp, name="llvm.ptrtoint"):
    """The address in a pointer as an integer."""

    arg: Value = operand_def(POINTER_OR_VECTOR, ARG_DOC)
    res: Value = result_def(INTEGER_OR_VECTOR, RES_DOC)
    assembly_format = "$arg attr-dict `:` type($arg) `to` type($res)"
    traits = (Pure(),)


class IntToPtrOp(StandardOp, name="llvm.inttoptr"):
    """A pointer from an integer."""

    arg: Value = operand_def(INTEGER_OR_VECTOR, ARG_DOC)
    dereferenceable: DereferenceableAttr | None = optional_attr_def(
        DEREFERENCEABLE, "Number of bytes after the resulting pointer that can be read.", default=None
    )
    res: Value = result_def(POINTER_OR_VECTOR, RES_DOC)
    assembly_format = (
        "$arg (`dereferenceable` `` $dereferenceable^)? attr-dict `:` type($arg) `to` type($res)"
    )
    traits = (Pure(),)


OPERATIONS: tuple[type[Operation], ...] = (
    TruncOp,
    ZExtOp,
    SExtOp,
    UIToFPOp,
    SIToFPOp,
    FPToUIOp,
    FPToSIOp,
    FPTruncOp,
    FPExtOp,
    BitcastOp,
    AddrSpaceCastOp,
    PtrToIntOp,
    IntToPtrOp,
)
"""The operations of this module."""
