"""Operations that reshape, repeat, reorder, select or count the elements of tensors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tilewright.dialects.common.traits import SameTypeOperands
from tilewright.dialects.tt import attributes as tt_attributes, types as tt_types
from tilewright.dialects.tt.constraints import BOOL_LIKE, INT_TENSOR, TENSOR, VALUE
from tilewright.dialects.tt.rules import shape as tt_shape_rules
from tilewright.dialects.tt.traits import TENSOR_SIZE, SameEncoding, TritonOp, TypesMatch, identity
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.block import Region
from tilewright.ir.builtin_types import i32
from tilewright.ir.declaration.attribute_kind import DenseArrayKind
from tilewright.ir.declaration.fields import (
    attr_def,
    flag_def,
    operand_def,
    optional_operand_def,
    result_def,
)
from tilewright.ir.declaration.traits import (
    InferredResultTypes,
    NoMemoryEffect,
    Pure,
    SameOperandsAndResultElementType,
    VerifyError,
)
from tilewright.ir.value import Value

RESHAPE = "$src attr-dict `:` type($src) `->` type($result)"
PAIR = "$lhs `,` $rhs attr-dict `:` type($lhs) `->` type($result)"
TENSOR_DOC = "The tensor."
KEEP_DOC = "The layout of the result was chosen well; keep it."
LHS_DOC, RHS_DOC = "The first tensor.", "The second tensor."


class SplatOp(TritonOp, name="tt.splat"):
    """Returns a tensor whose elements all equal one scalar."""

    src: Value = operand_def(VALUE, "The scalar.")
    result: Value = result_def(TENSOR, TENSOR_DOC)
    assembly_format = RESHAPE
    traits = (Pure(), SameOperandsAndResultElementType(), SameEncoding(), TENSOR_SIZE)


class UnsplatOp(TritonOp, name="tt.unsplat"):
    """Returns the only element of a tensor."""

    src: Value = operand_def(TENSOR, "A tensor with one element.")
    result: Value = result_def(VALUE, "The element.")
    assembly_format = "$src attr-dict `:` type($src)"
    traits = (Pure(), InferredResultTypes(), TENSOR_SIZE)

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Mapping[str, Attribute], regions: Sequence[Region]
    ) -> Sequence[Type]:
        return [tt_types.element_type_of(operands[0].type)]

    def verify_(self) -> None:
        if tt_types.element_count(self.src.type) != 1:
            raise VerifyError("source tensor must have exactly one element", prefix=False)


class ExpandDimsOp(TritonOp, name="tt.expand_dims"):
    """Adds a dimension of extent 1 to a tensor, at the position `axis` of the result."""

    src: Value = operand_def(TENSOR, TENSOR_DOC)
    axis: int = attr_def(tt_attributes.INT32, "The position of the new dimension in the result.")
    result: Value = result_def(TENSOR, "The same elements.")
    assembly_format = RESHAPE
    traits = (Pure(), SameOperandsAndResultElementType(), InferredResultTypes(), TENSOR_SIZE)

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Mapping[str, Attribute], regions: Sequence[Region]
    ) -> Sequence[Type]:
        return [tt_shape_rules.expanded(operands[0].type, attributes)]


class ReshapeOp(TritonOp, name="tt.reshape"):
    """Reshapes a tensor; the elements keep their row-major order, unless the operation allows to reorder
    them.
    """

    src: Value = operand_def(TENSOR, TENSOR_DOC)
    allow_reorder: bool = flag_def("The elements may stand in any order.")
    efficient_layout: bool = flag_def(KEEP_DOC)
    result: Value = result_def(TENSOR, "The same elements.")
    assembly_format = (
        "$src (`allow_reorder` $allow_reorder^)? (`efficient_layout` $efficient_layout^)? attr-dict `:` "
        "type($src) `->` type($result)"
    )
    traits = (Pure(), SameOperandsAndResultElementType(), TENSOR_SIZE)

    def verify_(self) -> None:
        tt_shape_rules.check_reshape(self.src.type, self.result.type)


class BroadcastOp(TritonOp, name="tt.broadcast"):
    """Repeats a tensor along its dimensions of extent 1, up to the extents of the result."""

    src: Value = operand_def(TENSOR, TENSOR_DOC)
    result: Value = result_def(TENSOR, "The repeated tensor.")
    assembly_format = RESHAPE
    traits = (Pure(), SameOperandsAndResultElementType(), TENSOR_SIZE)

    def verify_(self) -> None:
        tt_shape_rules.check_broadcast(self.src.type, self.result.type)


class PairOp(TritonOp):
    """The base of `tt.cat` and `tt.join`: the operands `lhs` and `rhs`, and a syntax that writes the type of
    `lhs` only. Subclasses declare the result, and the trait that both operands have one type.
    """

    lhs: Value = operand_def(TENSOR, LHS_DOC)
    rhs: Value = operand_def(TENSOR, RHS_DOC)
    assembly_format = PAIR

    @classmethod
    def infer_operand_types(
        cls, parsing: object, known: Mapping[str, Sequence[Type]]
    ) -> dict[str, list[Type]]:
        """Return ``{"rhs": [type]}`` with the type of ``lhs``, which `known` has; the text spells only the
        latter.
        """
        return {"rhs": list(known["lhs"])}


class CatOp(PairOp, name="tt.cat"):
    """Concatenates two tensors; the elements may be in any order."""

    result: Value = result_def(TENSOR, "The elements of both.")
    traits = (NoMemoryEffect(), SameTypeOperands(), SameOperandsAndResultElementType(), TENSOR_SIZE)

    def verify_(self) -> None:
        tt_shape_rules.check_cat(self.lhs.type, self.result.type)


class JoinOp(PairOp, name="tt.join"):
    """Joins two tensors along a new last dimension of extent 2."""

    result: Value = result_def(TENSOR, "Both tensors.")
    traits = (Pure(), SameTypeOperands(), TENSOR_SIZE)

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Mapping[str, Attribute], regions: Sequence[Region]
    ) -> Sequence[Type]:
        return [tt_shape_rules.joined(operands[0].type)]

    def verify_(self) -> None:
        tt_shape_rules.check_join(self.lhs.type, self.result.type)


class SplitOp(TritonOp, name="tt.split"):
    """Splits a tensor into two along its last dimension, which has extent 2 and is removed."""

    src: Value = operand_def(TENSOR, TENSOR_DOC)
    outLHS: Value = result_def(TENSOR, "The elements at position 0.")
    outRHS: Value = result_def(TENSOR, "The elements at position 1.")
    assembly_format = "$src attr-dict `:` type($src) `->` type($outLHS)"
    traits = (
        Pure(),
        TypesMatch("outLHS and outRHS types match", "outLHS", "outRHS", identity),
        InferredResultTypes(),
        TENSOR_SIZE,
    )

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Mapping[str, Attribute], regions: Sequence[Region]
    ) -> Sequence[Type]:
        return [tt_shape_rules.split(operands[0].type)] * 2

    def verify_(self) -> None:
        tt_shape_rules.check_split(self.src.type)


class TransOp(TritonOp, name="tt.trans"):
    """Permutes the dimensions of a tensor: dimension `i` of the result is the dimension ``order[i]`` of the
    operand.
    """

    src: Value = operand_def(TENSOR, TENSOR_DOC)
    order_: tuple[int, ...] = attr_def(
        DenseArrayKind(i32), "For each dimension of the result, which one of the operand it is."
    )
    result: Value = result_def(TENSOR, "The same elements.")
    assembly_format = RESHAPE
    traits = (Pure(), SameOperandsAndResultElementType(), InferredResultTypes(), TENSOR_SIZE)

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Mapping[str, Attribute], regions: Sequence[Region]
    ) -> Sequence[Type]:
        return [tt_shape_rules.permuted(operands[0].type, attributes)]

    def verify_(self) -> None:
        tt_shape_rules.check_order(self.src.type, self.result.type, self.order_)


class MakeRangeOp(TritonOp, name="tt.make_range"):
    """Returns the integers from `start` up to, not including, `end`, as a one-dimensional tensor of i32."""

    start: int = attr_def(tt_attributes.INT32, "The first number.")
    end: int = attr_def(tt_attributes.INT32, "The numbers are below it.")
    result: Value = result_def(INT_TENSOR, "The numbers.")
    assembly_format = "attr-dict `:` type($result)"
    traits = (Pure(), TENSOR_SIZE)

    def verify_(self) -> None:
        tt_shape_rules.check_range(self.start, self.end, self.result.type)


class HistogramOp(TritonOp, name="tt.histogram"):
    """Counts how often each number from 0 up to, not including, the extent of the result occurs."""

    src: Value = operand_def(INT_TENSOR, "The numbers.")
    mask: Value | None = optional_operand_def(
        BOOL_LIKE, "The mask of the elements that count; all without it."
    )
    result: Value = result_def(INT_TENSOR, "One count for each number.")
    assembly_format = "$src (`,` $mask^)? attr-dict `:` type($src) `->` type($result)"
    traits = (Pure(), TypesMatch("mask type matches src type", "src", "mask", tt_types.mask_of), TENSOR_SIZE)

    @classmethod
    def infer_operand_types(
        cls, parsing: object, known: Mapping[str, Sequence[Type]]
    ) -> dict[str, list[Type]]:
        uses: Mapping[str, Sequence[object]] = getattr(parsing, "uses", {})
        return {"mask": [tt_types.mask_of(known["src"][0])]} if uses.get("mask") else {}


class GatherOp(TritonOp, name="tt.gather"):
    """Selects elements of a tensor along the dimension `axis` by their indices. The result has the shape of
    `indices`; in the other dimensions an element keeps its position.
    """

    src: Value = operand_def(TENSOR, TENSOR_DOC)
    indices: Value = operand_def(INT_TENSOR, "Where each element of the result stands along the dimension.")
    axis: int = attr_def(tt_attributes.INT32, "The dimension.")
    efficient_layout: bool = flag_def(KEEP_DOC)
    result: Value = result_def(TENSOR, "The elements, in the shape of the indices.")
    assembly_format = "$src `[` $indices `]` attr-dict `:` functional-type(operands, results)"
    traits = (Pure(), InferredResultTypes(), TENSOR_SIZE)

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Mapping[str, Attribute], regions: Sequence[Region]
    ) -> Sequence[Type]:
        return [tt_shape_rules.gathered(operands[0].type, operands[1].type)]

    def verify_(self) -> None:
        tt_shape_rules.check_gather(self.src.type, self.indices.type, self.result.type, self.axis)


OPERATIONS = (
    SplatOp,
    UnsplatOp,
    ExpandDimsOp,
    ReshapeOp,
    BroadcastOp,
    CatOp,
    JoinOp,
    SplitOp,
    TransOp,
    MakeRangeOp,
    HistogramOp,
    GatherOp,
)
