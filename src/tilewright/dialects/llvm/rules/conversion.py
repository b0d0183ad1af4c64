"""Rules of conversions beyond the types of single operands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tilewright.dialects.common.constraints import element_type_or_self
from tilewright.dialects.llvm.types import (
    LLVMPointerType,
)
from tilewright.ir.builtin_types import VectorType
from tilewright.ir.declaration.traits import VerifyError

if TYPE_CHECKING:
    from tilewright.dialects.llvm.ops.conversion import BitcastOp, SExtOp, ZExtOp


def check_bit_cast(op: BitcastOp) -> None:
    """Raise `VerifyError` unless ``bitcast`` keeps pointers pointers."""
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
    """Raise `VerifyError` unless an integer extension widens."""
    source, result = op.arg.type, op.res.type
    if isinstance(source, VectorType) != isinstance(result, VectorType):
        raise VerifyError("input type is a vector but output type is an integer or the reverse", prefix=False)
    if isinstance(source, VectorType) and isinstance(result, VectorType) and not _same_shape(source, result):
        raise VerifyError("input and output vectors are of incompatible shape", prefix=False)
    widths: list[Any] = [element_type_or_self(type) for type in (source, result)]
    if widths[0].width >= widths[1].width:
        words = "integer width of the output type is smaller or equal to the integer width of the input type"
        raise VerifyError(words, prefix=False)
