"""Conversions that ``arith`` does not have: of pointers, and between formats of floats."""

from __future__ import annotations

from tilewright.dialects.tt.attributes import ROUNDING_MODE
from tilewright.dialects.tt.constraints import FLOAT_LIKE, I64_LIKE, POINTER_LIKE, VALUE
from tilewright.dialects.tt.enums import RoundingMode
from tilewright.dialects.tt.traits import CAST, TritonOp
from tilewright.dialects.tt.types import PtrType, bit_width, element_type_of
from tilewright.ir.declaration.fields import operand_def, optional_attr_def, result_def
from tilewright.ir.declaration.traits import VerifyError
from tilewright.ir.value import Value

FORMAT = "$src attr-dict `:` type($src) `->` type($result)"


class IntToPtrOp(TritonOp, name="tt.int_to_ptr"):
    """Converts an integer to a pointer with this address."""

    src: Value = operand_def(I64_LIKE, "The number.")
    result: Value = result_def(POINTER_LIKE, "The address.")
    assembly_format = FORMAT
    traits = CAST


class PtrToIntOp(TritonOp, name="tt.ptr_to_int"):
    """Converts a pointer to its address as an integer."""

    src: Value = operand_def(POINTER_LIKE, "The address.")
    result: Value = result_def(I64_LIKE, "The number.")
    assembly_format = FORMAT
    traits = CAST


class BitcastOp(TritonOp, name="tt.bitcast"):
    """Reads the bits of a value as another type of the same width, or a pointer as one to another type."""

    src: Value = operand_def(VALUE, "The value.")
    result: Value = result_def(VALUE, "The same bits.")
    assembly_format = FORMAT
    traits = CAST

    def verify_(self) -> None:
        source, target = element_type_of(self.src.type), element_type_of(self.result.type)
        if isinstance(source, PtrType) and isinstance(target, PtrType):
            if source.address_space is not target.address_space:
                raise VerifyError("Cannot bitcast pointer between different address spaces", prefix=False)
        elif isinstance(source, PtrType) or isinstance(target, PtrType):
            raise VerifyError("Cannot bitcast pointer to non-pointer type", prefix=False)
        elif bit_width(source) != bit_width(target):
            raise VerifyError(
                f"Cannot bitcast data-type of size {bit_width(source)} to data-type of size {bit_width(target)}",
                prefix=False,
            )


class FpToFpOp(TritonOp, name="tt.fp_to_fp"):
    """Converts between formats of floats; to fewer bits with a stated rounding."""

    src: Value = operand_def(FLOAT_LIKE, "The value.")
    rounding: RoundingMode | None = optional_attr_def(
        ROUNDING_MODE, "How the value is rounded; must be there where the result has fewer bits."
    )
    result: Value = result_def(FLOAT_LIKE, "The value in the other format.")
    assembly_format = "$src attr-dict (`,` `rounding` `=` $rounding^)? `:` type($src) `->` type($result)"
    traits = CAST

    def verify_(self) -> None:
        source, target = element_type_of(self.src.type), element_type_of(self.result.type)
        if bit_width(target) < bit_width(source) and self.rounding is None:
            raise VerifyError("Rounding mode is required for FP downcast", prefix=False)


OPERATIONS = (IntToPtrOp, PtrToIntOp, BitcastOp, FpToFpOp)
