"""Rules of matrices of a subgroup beyond the types of single operands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tilewright.dialects.common.constraints import checked_type
from tilewright.dialects.gpu.types import MMAMatrixType
from tilewright.ir.declaration.traits import VerifyError
from tilewright.ir.operation import Operation

if TYPE_CHECKING:
    from tilewright.dialects.gpu.ops_matrix import (
        SubgroupMmaComputeOp,
        SubgroupMmaLoadMatrixOp,
        SubgroupMmaStoreMatrixOp,
    )


def has_matrix_element(op: Operation) -> bool:
    """Return whether a value has the element type of the matrix next to it."""
    first = op.operands[0].type
    if isinstance(first, MMAMatrixType):
        return op.results[0].type is first.element_type
    matrix = next(v.type for v in (*op.operands, *op.results) if isinstance(v.type, MMAMatrixType))
    return first is matrix.element_type


def _check_rows(memref: Any, word: str) -> None:
    """Raise `VerifyError` unless the rows of a buffer are contiguous."""
    strides = getattr(memref.layout, "strides", (1,))
    if strides and strides[-1] != 1:
        words = f"expected {word} memref most minor dim must have unit stride"
        raise VerifyError(words, prefix=False)


def check_matrix_load(op: SubgroupMmaLoadMatrixOp) -> None:
    """Raise `VerifyError` unless a matrix is loaded from a buffer with contiguous rows."""
    _check_rows(op.srcMemref.type, "source")


def check_matrix_store(op: SubgroupMmaStoreMatrixOp) -> None:
    """Raise `VerifyError` unless an accumulator is stored to a buffer with contiguous rows."""
    _check_rows(op.dstMemref.type, "destination")
    if checked_type(op.src).operand != "COp":
        words = "expected the operand matrix being stored to have 'COp' operand type"
        raise VerifyError(words, prefix=False)


def check_multiplication(op: SubgroupMmaComputeOp) -> None:
    """Raise `VerifyError` unless the matrices of a multiplication are in order and have matching extents."""
    left, right, sum = checked_type(op.opA), checked_type(op.opB), checked_type(op.opC)
    if (left.operand, right.operand, sum.operand) != ("AOp", "BOp", "COp"):
        raise VerifyError("operands must be in the order AOp, BOp, COp", prefix=False)
    (rows, common), (other, columns) = left.shape, right.shape
    if common != other or (rows, columns) != sum.shape:
        raise VerifyError("operand shapes do not satisfy matmul constraints", prefix=False)
