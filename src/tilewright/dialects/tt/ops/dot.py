"""Operations for products of matrices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tilewright.dialects.tt import attributes as tt_attributes, enums as tt_enums
from tilewright.dialects.tt.constraints import FLOAT_TENSOR, NUMBER_TENSOR, SCALED_TENSOR
from tilewright.dialects.tt.rules.dot import check_dot, check_dot_scaled
from tilewright.dialects.tt.traits import TENSOR_SIZE, TritonOp, TypesMatch, identity
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.block import Region
from tilewright.ir.declaration import attribute_kind, traits as ir_traits
from tilewright.ir.declaration.fields import attr_def, operand_def, optional_operand_def, result_def
from tilewright.ir.value import Value

A_DOC = "The first matrix, M by K, or a batch of them."
B_DOC = "The second matrix, K by N, or a batch of them."
C_DOC = "The accumulator, M by N."
D_DOC = "The product plus the accumulator."
SCALE_DOC = "One factor for each group of elements of a row; without it the factors are 1."
ELEMENT_DOC = "The format of the elements; two of 4 bits share a byte."
PACK_DOC = (
    "Whether elements of 4 bits that share a byte are neighbours along K, not along the other dimension."
)
ACCUMULATOR = (TypesMatch("result's type matches accumulator's type", "d", "c", identity),)


class MatrixProductOp(TritonOp):
    """The base of matrix products plus a matrix; the result has the type of the accumulator."""

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Mapping[str, Attribute], regions: Sequence[Region]
    ) -> Sequence[Type]:
        return [operands[2].type]

    @classmethod
    def infer_operand_types(cls, parsing: Any, known: Mapping[str, Sequence[Type]]) -> dict[str, list[Type]]:
        return {"c": list(known["d"])}


class DotOp(MatrixProductOp, name="tt.dot"):
    """Multiplies two matrices, or batches of them, and adds a third. The elements of `a` and `b` have one
    width; `inputPrecision` says how f32 factors are read, and up to `maxNumImpreciseAcc` products of 8-bit
    floats may be added with less precision.
    """

    a: Value = operand_def(NUMBER_TENSOR, A_DOC)
    b: Value = operand_def(NUMBER_TENSOR, B_DOC)
    c: Value = operand_def(NUMBER_TENSOR, C_DOC)
    inputPrecision: tt_enums.InputPrecision = attr_def(
        tt_attributes.INPUT_PRECISION, "How operands of f32 are read.", default=tt_enums.InputPrecision.IEEE
    )
    maxNumImpreciseAcc: int = attr_def(
        tt_attributes.INT32, "How many products of 8-bit floats may be added with less precision.", default=0
    )
    d: Value = result_def(NUMBER_TENSOR, D_DOC)
    assembly_format = (
        "$a`,` $b`,` $c (`,` `inputPrecision` `=` $inputPrecision^)? attr-dict `:` "
        "type($a) `*` type($b) `->` type($d)"
    )
    traits = (ir_traits.Pure(), *ACCUMULATOR, TENSOR_SIZE)

    def verify_(self) -> None:
        check_dot(self)


class DotScaledOp(MatrixProductOp, name="tt.dot_scaled"):
    """Multiplies two matrices whose groups of 16 or 32 elements along K share a scale, and adds a third
    matrix. A missing scale is 1. `a_elem_type` and `b_elem_type` are the formats of the elements; two
    elements of E2M1 share a byte.
    """

    a: Value = operand_def(SCALED_TENSOR, A_DOC)
    b: Value = operand_def(SCALED_TENSOR, B_DOC)
    c: Value = operand_def(FLOAT_TENSOR, C_DOC)
    a_scale: Value | None = optional_operand_def(SCALED_TENSOR, SCALE_DOC)
    b_scale: Value | None = optional_operand_def(SCALED_TENSOR, SCALE_DOC)
    a_elem_type: tt_enums.ScaleDotElemType = attr_def(tt_attributes.SCALE_ELEMENT, ELEMENT_DOC)
    b_elem_type: tt_enums.ScaleDotElemType = attr_def(tt_attributes.SCALE_ELEMENT, ELEMENT_DOC)
    fastMath: bool = attr_def(attribute_kind.BoolKind(), "Whether NaN factors need not give NaN.")
    lhs_k_pack: bool = attr_def(attribute_kind.BoolKind(), PACK_DOC, default=True)
    rhs_k_pack: bool = attr_def(attribute_kind.BoolKind(), PACK_DOC, default=True)
    d: Value = result_def(FLOAT_TENSOR, D_DOC)
    assembly_format = (
        "$a (`scale` $a_scale^)? `,` $b (`scale` $b_scale^)? `,` $c "
        "`lhs` `=` $a_elem_type `rhs` `=` $b_elem_type attr-dict "
        "`:` type($a) (`,` type($a_scale)^)? `*` type($b) (`,` type($b_scale)^)? `->` type($d)"
    )
    traits = (ir_traits.Pure(), *ACCUMULATOR, TENSOR_SIZE)

    def verify_(self) -> None:
        check_dot_scaled(self)


OPERATIONS = (DotOp, DotScaledOp)
