"""Operations on matrices whose elements are distributed over the threads of a warp."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tilewright.dialects.common.base import StandardOp
from tilewright.dialects.common.constraints import checked_type
from tilewright.dialects.common.traits import PredicateTrait, same_type
from tilewright.dialects.gpu import constraints as gpu_constraints, enums as gpu_enums
from tilewright.dialects.gpu.kinds import ELEMENTWISE, INDEX_ATTRIBUTE
from tilewright.dialects.gpu.types import MMAMatrixType
from tilewright.ir.attribute import Type
from tilewright.ir.declaration.fields import attr_def, flag_def, operand_def, result_def, variadic_operand_def
from tilewright.ir.declaration.traits import Pure, VerifyError
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value


def has_matrix_element(op: Operation) -> bool:
    """Return whether the scalar has the element type of the matrix: the result if the first operand is a
    matrix, else the first operand.
    """
    first = op.operands[0].type
    if isinstance(first, MMAMatrixType):
        return op.results[0].type is first.element_type
    matrix = next(v.type for v in (*op.operands, *op.results) if isinstance(v.type, MMAMatrixType))
    return first is matrix.element_type


def _check_rows(memref: Any, word: str) -> None:
    """Raise `VerifyError` if the layout of a buffer has strides, and the last one is not 1; `word` names the
    buffer in the message. Layouts without strides, such as affine maps, are not checked.
    """
    strides = getattr(memref.layout, "strides", (1,))
    if strides and strides[-1] != 1:
        words = f"expected {word} memref most minor dim must have unit stride"
        raise VerifyError(words, prefix=False)


def check_matrix_load(op: SubgroupMmaLoadMatrixOp) -> None:
    """Raise `VerifyError` if the layout of the source buffer states a stride other than 1 for the last
    dimension.
    """
    _check_rows(op.srcMemref.type, "source")


def check_matrix_store(op: SubgroupMmaStoreMatrixOp) -> None:
    """Raise `VerifyError` if the stored matrix is not a ``COp``, or if the layout of the destination buffer
    states a stride other than 1 for the last dimension.
    """
    _check_rows(op.dstMemref.type, "destination")
    if checked_type(op.src).operand != "COp":
        words = "expected the operand matrix being stored to have 'COp' operand type"
        raise VerifyError(words, prefix=False)


def check_multiplication(op: SubgroupMmaComputeOp) -> None:
    """Raise `VerifyError` unless the matrices are ``AOp``, ``BOp`` and ``COp`` in this order, with the shapes
    M x K, K x N and M x N.
    """
    left, right, sum = checked_type(op.opA), checked_type(op.opB), checked_type(op.opC)
    if (left.operand, right.operand, sum.operand) != ("AOp", "BOp", "COp"):
        raise VerifyError("operands must be in the order AOp, BOp, COp", prefix=False)
    (rows, common), (other, columns) = left.shape, right.shape
    if common != other or (rows, columns) != sum.shape:
        raise VerifyError("operand shapes do not satisfy matmul constraints", prefix=False)


INDICES_DOC = "One subscript per dimension."
MATRIX_DOC = "The matrix."
RES_DOC = "The result."


class SubgroupMmaLoadMatrixOp(StandardOp, name="gpu.subgroup_mma_load_matrix"):
    """Loads a matrix from a buffer at `indices`. Its elements are distributed over the threads of a warp."""

    srcMemref: Value = operand_def(gpu_constraints.MATRIX_BUFFER, "The buffer.")
    leadDimension: int = attr_def(INDEX_ATTRIBUTE, "The distance of two rows, in elements.")
    indices: tuple[Value, ...] = variadic_operand_def(gpu_constraints.INDEX, INDICES_DOC, default=())
    transpose: bool = flag_def("Whether the matrix lies transposed.", default=False)
    res: Value = result_def(gpu_constraints.MATRIX, RES_DOC)
    assembly_format = "$srcMemref`[`$indices`]` attr-dict `:` type($srcMemref) `->` type($res)"

    def verify_(self) -> None:
        check_matrix_load(self)


class SubgroupMmaStoreMatrixOp(StandardOp, name="gpu.subgroup_mma_store_matrix"):
    """Stores a matrix, whose elements are distributed over the threads of a warp, to a buffer at `indices`."""

    src: Value = operand_def(gpu_constraints.STORED_MATRIX, MATRIX_DOC)
    dstMemref: Value = operand_def(gpu_constraints.MATRIX_BUFFER, "The buffer.")
    leadDimension: int = attr_def(INDEX_ATTRIBUTE, "The distance of two rows, in elements.")
    indices: tuple[Value, ...] = variadic_operand_def(gpu_constraints.INDEX, INDICES_DOC, default=())
    transpose: bool = flag_def("Whether the matrix lies transposed.", default=False)
    assembly_format = "$src`,` $dstMemref`[`$indices`]` attr-dict `:` type($src)`,` type($dstMemref)"

    def verify_(self) -> None:
        check_matrix_store(self)


class SubgroupMmaComputeOp(StandardOp, name="gpu.subgroup_mma_compute"):
    """Multiplies the matrices `opA` and `opB`, each transposed by its flag, and adds `opC`; the result has
    the type of `opC`.
    """

    opA: Value = operand_def(gpu_constraints.FACTOR_MATRIX, "The left-hand matrix.")
    opB: Value = operand_def(gpu_constraints.FACTOR_MATRIX, "The right-hand matrix.")
    opC: Value = operand_def(gpu_constraints.SUM_MATRIX, "The matrix that is added.")
    a_transpose: bool = flag_def("Whether the left-hand matrix is transposed.", default=False)
    b_transpose: bool = flag_def("Whether the right-hand matrix is transposed.", default=False)
    res: Value = result_def(gpu_constraints.MATRIX, RES_DOC)
    assembly_format = "$opA`,` $opB`,` $opC attr-dict `:` type($opA)`,` type($opB) `->` type($res)"
    traits = (
        Pure(),
        same_type("opC", "res"),
    )

    def verify_(self) -> None:
        check_multiplication(self)


class SubgroupMmaElementwiseOp(StandardOp, name="gpu.subgroup_mma_elementwise"):
    """Applies the operation `opType` to the elements of one or more matrices at the same position."""

    opType: gpu_enums.MMAElementwise = attr_def(ELEMENTWISE, "What is computed.")
    args: tuple[Value, ...] = variadic_operand_def(gpu_constraints.MATRIX, "The values.", default=())
    res: Value = result_def(gpu_constraints.MATRIX, RES_DOC)
    assembly_format = "$opType $args attr-dict `:` functional-type($args, $res)"
    traits = (Pure(),)


class SubgroupMmaConstantMatrixOp(StandardOp, name="gpu.subgroup_mma_constant_matrix"):
    """Returns a matrix whose elements are all equal to a scalar."""

    value: Value = operand_def(gpu_constraints.MATRIX_ELEMENT, "The value.")
    res: Value = result_def(gpu_constraints.MATRIX, RES_DOC)
    assembly_format = "$value attr-dict `:` type($res)"
    traits = (
        Pure(),
        PredicateTrait("value type matches element type of mma_matrix", has_matrix_element),
    )

    @classmethod
    def infer_operand_types(cls, parsing: Any, known: Mapping[str, Sequence[Type]]) -> dict[str, list[Type]]:
        """Return the type of the value: the element type of the matrix."""
        matrix: Any = known["res"][0]
        return {"value": [getattr(matrix, "element_type", matrix)]}


class SubgroupMmaExtractThreadLocalOp(StandardOp, name="gpu.subgroup_mma_extract_thread_local"):
    """Returns the element of a matrix that this thread holds at `indices`, which count the elements of the
    thread.
    """

    matrix: Value = operand_def(gpu_constraints.MATRIX, MATRIX_DOC)
    indices: tuple[Value, ...] = variadic_operand_def(gpu_constraints.INDEX, INDICES_DOC, default=())
    res: Value = result_def(gpu_constraints.NUMBER, RES_DOC)
    assembly_format = "$matrix`[`$indices`]` attr-dict `:` type($matrix) `->` type($res)"
    traits = (
        Pure(),
        PredicateTrait("value type matches element type of mma_matrix", has_matrix_element),
    )


class SubgroupMmaInsertThreadLocalOp(StandardOp, name="gpu.subgroup_mma_insert_thread_local"):
    """Returns a matrix whose element that this thread holds at `indices`, which count the elements of the
    thread, is `value`.
    """

    value: Value = operand_def(gpu_constraints.NUMBER, "The value.")
    matrix: Value = operand_def(gpu_constraints.MATRIX, MATRIX_DOC)
    indices: tuple[Value, ...] = variadic_operand_def(gpu_constraints.INDEX, INDICES_DOC, default=())
    res: Value = result_def(gpu_constraints.MATRIX, RES_DOC)
    assembly_format = (
        "$value`,` $matrix`[`$indices`]` attr-dict `:` type($value)`,` type($matrix) `->` type($res)"
    )
    traits = (
        Pure(),
        PredicateTrait("value type matches element type of mma_matrix", has_matrix_element),
    )


OPERATIONS: tuple[type[Operation], ...] = (
    SubgroupMmaLoadMatrixOp,
    SubgroupMmaStoreMatrixOp,
    SubgroupMmaComputeOp,
    SubgroupMmaElementwiseOp,
    SubgroupMmaConstantMatrixOp,
    SubgroupMmaExtractThreadLocalOp,
    SubgroupMmaInsertThreadLocalOp,
)
"""The operations of this module."""
