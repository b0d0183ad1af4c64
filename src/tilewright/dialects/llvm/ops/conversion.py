"""Operations that convert between types."""

from __future__ import annotations

from typing import Any

from tilewright.dialects.common.base import StandardOp
from tilewright.dialects.common.constraints import element_type_or_self
from tilewright.dialects.llvm import attributes as llvm_attributes, roles as llvm_roles
from tilewright.dialects.llvm.constraints import (
    FLOAT_OR_VECTOR,
    INTEGER_OR_VECTOR,
    NO_AGGREGATE,
    POINTER_OR_VECTOR,
)
from tilewright.dialects.llvm.enums import IntegerOverflowFlags
from tilewright.dialects.llvm.kinds import DEREFERENCEABLE, OVERFLOW
from tilewright.dialects.llvm.types import (
    LLVMPointerType,
)
from tilewright.ir.builtin_types import VectorType
from tilewright.ir.declaration.fields import attr_def, flag_def, operand_def, optional_attr_def, result_def
from tilewright.ir.declaration.traits import Pure, VerifyError
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value


def check_bit_cast(op: BitcastOp) -> None:
    """Raise `VerifyError` unless ``bitcast`` converts pointers to pointers of the same address space, or
    types other than pointers to such types. Vectors count by their elements; widths are not checked.
    """
    source, result = op.arg.type, op.res.type
    pointers = [isinstance(element_type_or_self(type), LLVMPointerType) for type in (source, result)]
    if pointers[0] != pointers[1]:
        raise VerifyError("can only cast pointers from and to pointers")
    if all(pointers) and element_type_or_self(source) is not element_type_or_self(result):
        raise VerifyError(
            "cannot cast pointers of different address spaces, use 'llvm.addrspacecast' instead"
        )


def _same_shape(left: VectorType, right: VectorType) -> bool:
    return left.shape == right.shape and any(left.scalable) == any(right.scalable)


def check_widening(op: SExtOp | ZExtOp) -> None:
    """Raise `VerifyError` unless the result of an integer extension is wider than the operand. Either both
    are integers or both are vectors of one shape.
    """
    source, result = op.arg.type, op.res.type
    if isinstance(source, VectorType) != isinstance(result, VectorType):
        raise VerifyError("input type is a vector but output type is an integer or the reverse", prefix=False)
    if isinstance(source, VectorType) and isinstance(result, VectorType) and not _same_shape(source, result):
        raise VerifyError("input and output vectors are of incompatible shape", prefix=False)
    widths: list[Any] = [element_type_or_self(type) for type in (source, result)]
    if widths[0].width >= widths[1].width:
        words = "integer width of the output type is smaller or equal to the integer width of the input type"
        raise VerifyError(words, prefix=False)


ARG_DOC = "The operand."
RES_DOC = "The result."


class TruncOp(StandardOp, name="llvm.trunc"):
    """Truncates an integer to its low bits. The result is poison if `overflowFlags` exclude an overflow that
    occurs.
    """

    arg: Value = operand_def(INTEGER_OR_VECTOR, ARG_DOC)
    overflowFlags: IntegerOverflowFlags = attr_def(
        OVERFLOW, "The overflows that are assumed not to happen.", default=IntegerOverflowFlags.NONE
    )
    res: Value = result_def(INTEGER_OR_VECTOR, RES_DOC)
    assembly_format = "$arg ($overflowFlags^)? attr-dict `:` type($arg) `to` type($res)"
    traits = (Pure(),)


class ZExtOp(StandardOp, name="llvm.zext"):
    """Extends an integer with zeros; with `nonNeg` the result is poison if the operand is negative."""

    arg: Value = operand_def(INTEGER_OR_VECTOR, ARG_DOC)
    nonNeg: bool = flag_def("Whether the operand is not negative.", default=False)
    res: Value = result_def(INTEGER_OR_VECTOR, RES_DOC)
    assembly_format = "(`nneg` $nonNeg^)? $arg attr-dict `:` type($arg) `to` type($res)"
    traits = (Pure(),)
    verifies_locally = True

    def verify_(self) -> None:
        check_widening(self)


class SExtOp(StandardOp, name="llvm.sext"):
    """Extends an integer with its sign bit."""

    arg: Value = operand_def(INTEGER_OR_VECTOR, ARG_DOC)
    res: Value = result_def(INTEGER_OR_VECTOR, RES_DOC)
    assembly_format = "$arg attr-dict `:` type($arg) `to` type($res)"
    traits = (Pure(),)
    verifies_locally = True

    def verify_(self) -> None:
        check_widening(self)


class UIToFPOp(StandardOp, name="llvm.uitofp"):
    """Converts unsigned integers to floating-point numbers, rounding to nearest even; with `nonNeg` the
    result is poison if the operand is negative as a signed number.
    """

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
    """The base of conversions of floating-point numbers to integers, rounding towards zero; poison if out of
    range.
    """

    arg: Value = operand_def(FLOAT_OR_VECTOR, ARG_DOC)
    res: Value = result_def(INTEGER_OR_VECTOR, RES_DOC)
    assembly_format = "$arg attr-dict `:` type($arg) `to` type($res)"
    traits = (Pure(),)


class FPToUIOp(FloatToIntegerOp, name="llvm.fptoui"):
    """Converts floating-point numbers to unsigned integers, rounding towards zero; poison if out of range."""


class FPToSIOp(FloatToIntegerOp, name="llvm.fptosi"):
    """Converts floating-point numbers to signed integers, rounding towards zero; poison if out of range."""


class FloatCastOp(StandardOp):
    """The base of conversions between floating-point formats."""

    arg: Value = operand_def(FLOAT_OR_VECTOR, ARG_DOC)
    res: Value = result_def(FLOAT_OR_VECTOR, RES_DOC)
    assembly_format = "$arg attr-dict `:` type($arg) `to` type($res)"
    traits = (Pure(),)


class FPTruncOp(FloatCastOp, name="llvm.fptrunc"):
    """Rounds floats, or the elements of a vector, to a narrower format. The operation has no rounding mode
    and no fast-math flags.
    """


class FPExtOp(FloatCastOp, name="llvm.fpext"):
    """Converts to a wider format, exactly."""


class BitcastOp(llvm_roles.BitcastRole, name="llvm.bitcast"):
    """Reads the bits of a value as another type of the same width."""

    arg: Value = operand_def(NO_AGGREGATE, ARG_DOC)
    res: Value = result_def(NO_AGGREGATE, RES_DOC)
    assembly_format = "$arg attr-dict `:` type($arg) `to` type($res)"
    traits = (Pure(),)
    verifies_locally = True

    def verify_(self) -> None:
        check_bit_cast(self)


class AddrSpaceCastOp(StandardOp, name="llvm.addrspacecast"):
    """Converts a pointer to another address space."""

    arg: Value = operand_def(POINTER_OR_VECTOR, ARG_DOC)
    res: Value = result_def(POINTER_OR_VECTOR, RES_DOC)
    assembly_format = "$arg attr-dict `:` type($arg) `to` type($res)"
    traits = (Pure(),)


class PtrToIntOp(StandardOp, name="llvm.ptrtoint"):
    """Converts the address in a pointer to an integer."""

    arg: Value = operand_def(POINTER_OR_VECTOR, ARG_DOC)
    res: Value = result_def(INTEGER_OR_VECTOR, RES_DOC)
    assembly_format = "$arg attr-dict `:` type($arg) `to` type($res)"
    traits = (Pure(),)


class IntToPtrOp(StandardOp, name="llvm.inttoptr"):
    """Converts an integer to a pointer."""

    arg: Value = operand_def(INTEGER_OR_VECTOR, ARG_DOC)
    dereferenceable: llvm_attributes.DereferenceableAttr | None = optional_attr_def(
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
