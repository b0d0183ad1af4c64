"""Arithmetic: products, reductions, scans."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tilewright.dialects.arith.attributes import FAST_MATH, FastMathFlags
from tilewright.dialects.common.base import StandardOp
from tilewright.dialects.common.traits import PredicateTrait
from tilewright.dialects.vector import base as vector_base, rules_arithmetic, syntax_arithmetic
from tilewright.dialects.vector.constraints import ANY_VECTOR, FLOAT_VECTOR
from tilewright.dialects.vector.enums import CombiningKind, IteratorType
from tilewright.dialects.vector.rules_shape import same_elements, same_types
from tilewright.ir.arithmetic.affine import AffineMapAttr
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import i64
from tilewright.ir.declaration.attribute_kind import BoolKind, DenseArrayKind, IntegerKind
from tilewright.ir.declaration.constraint import ANY_TYPE, TypeVariable
from tilewright.ir.declaration.fields import attr_def, operand_def, optional_operand_def, result_def
from tilewright.ir.declaration.traits import Elementwise, Pure
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

if TYPE_CHECKING:
    from tilewright.ir.text import parser as text_parser, printer as text_printer

SAME_ANY_TYPE = TypeVariable("T", ANY_TYPE)
SAME_ANY_VECTOR = TypeVariable("T", ANY_VECTOR)
SAME_ANY_VECTOR_U = TypeVariable("U", ANY_VECTOR)
SAME_FLOAT_VECTOR = TypeVariable("T", FLOAT_VECTOR)
KIND_DOC = "How elements are combined."
LHS_DOC = "The left-hand operand."
RESULT_DOC = "The result."
RHS_DOC = "The right-hand operand."
SOURCE_DOC = "The vector."
ACC_DOC = "The value that is combined with the result."


class FMAOp(StandardOp, name="vector.fma"):
    """Fused multiply-add of each element: `lhs * rhs + acc`, rounded once."""

    lhs: Value = operand_def(SAME_FLOAT_VECTOR, LHS_DOC)
    rhs: Value = operand_def(SAME_FLOAT_VECTOR, RHS_DOC)
    acc: Value = operand_def(SAME_FLOAT_VECTOR, ACC_DOC)
    result: Value = result_def(SAME_FLOAT_VECTOR, RESULT_DOC)
    assembly_format = "$lhs `,` $rhs `,` $acc attr-dict `:` type($lhs)"
    traits = (
        Pure(),
        Elementwise(),
    )


class ContractionOp(vector_base.AccumulatorResultOp, name="vector.contract"):
    """Multiplies two vectors, combines the products along the reduction dimensions by `kind`, and combines
    the result with an accumulator. Each affine map of `indexing_maps` assigns loops to the dimensions of an
    operand.
    """

    lhs: Value = operand_def(ANY_VECTOR, LHS_DOC)
    rhs: Value = operand_def(ANY_VECTOR, RHS_DOC)
    acc: Value = operand_def(ANY_TYPE, ACC_DOC)
    indexing_maps: tuple[AffineMapAttr, ...] = attr_def(
        vector_base.AFFINE_MAPS, "The map from the product's dimensions to each operand's."
    )
    iterator_types: tuple[IteratorType, ...] = attr_def(
        vector_base.ITERATOR_TYPES, "The dimensions of the product that are summed."
    )
    kind_: CombiningKind = attr_def(vector_base.COMBINING_KIND, KIND_DOC, default=CombiningKind.ADD)
    result: Value = result_def(ANY_TYPE, RESULT_DOC)
    traits = (
        Pure(),
        PredicateTrait("lhs and rhs have same element type", same_elements("lhs", "rhs")),
        PredicateTrait("third operand acc and result have same element type", same_elements("acc", "result")),
    )

    def verify_(self) -> None:
        rules_arithmetic.check_contraction(self)

    def print_custom(self, printer: text_printer.Printer) -> None:
        syntax_arithmetic.print_contraction(self, printer)

    @classmethod
    def parse_custom(cls, parser: text_parser.Parser) -> Operation:
        return syntax_arithmetic.parse_contraction(cls.op_kind, parser)


class OuterProductOp(StandardOp, name="vector.outerproduct"):
    """Multiplies each element of one vector with each element of another, or with a scalar, and combines the
    products with an optional accumulator.
    """

    lhs: Value = operand_def(ANY_VECTOR, LHS_DOC)
    rhs: Value = operand_def(ANY_TYPE, RHS_DOC)
    acc: Value | None = optional_operand_def(ANY_VECTOR, ACC_DOC, default=None)
    kind_: CombiningKind = attr_def(vector_base.COMBINING_KIND, KIND_DOC, default=CombiningKind.ADD)
    result: Value = result_def(ANY_VECTOR, RESULT_DOC)
    traits = (
        Pure(),
        PredicateTrait("lhs operand and result have same element type", same_elements("lhs", "result")),
        PredicateTrait("rhs operand and result have same element type", same_elements("rhs", "result")),
    )

    def verify_(self) -> None:
        rules_arithmetic.check_outer_product(self)

    def print_custom(self, printer: text_printer.Printer) -> None:
        syntax_arithmetic.print_outer_product(self, printer)

    @classmethod
    def parse_custom(cls, parser: text_parser.Parser) -> Operation:
        return syntax_arithmetic.parse_outer_product(cls.op_kind, parser)


class ReductionOp(vector_base.ReducedResultOp, name="vector.reduction"):
    """Combines all elements of a vector of rank 0 or 1, and the accumulator if there is one, to a scalar."""

    kind_: CombiningKind = attr_def(vector_base.COMBINING_KIND, KIND_DOC)
    vector: Value = operand_def(ANY_VECTOR, SOURCE_DOC)
    acc: Value | None = optional_operand_def(ANY_TYPE, ACC_DOC, default=None)
    fastmath: FastMathFlags = attr_def(FAST_MATH, "The fast-math flags.", default=FastMathFlags.NONE)
    dest: Value = result_def(ANY_TYPE, RESULT_DOC)
    assembly_format = (
        "$kind `,` $vector (`,` $acc^)? (`fastmath` `` $fastmath^)? attr-dict `:` type($vector) "
        "`into` type($dest)"
    )
    traits = (
        Pure(),
        PredicateTrait("source operand and result have same element type", same_elements("vector", "dest")),
        PredicateTrait("dest and acc have the same type", same_types("acc", "dest")),
    )

    @classmethod
    def infer_operand_types(cls, parsing: Any, known: Mapping[str, Sequence[Type]]) -> dict[str, list[Type]]:
        """Return the types that the text leaves out: ``{"acc": [type]}`` with the result type, and an empty
        list without an accumulator.
        """
        return {"acc": list(known["dest"]) * len(parsing.uses.get("acc", ()))}

    def verify_(self) -> None:
        rules_arithmetic.check_reduction(self)


class MultiDimReductionOp(vector_base.AccumulatorResultOp, name="vector.multi_reduction"):
    """Combines the elements along the dimensions `reduction_dims` and the element of the accumulator by
    `kind`. The result and the accumulator have the other dimensions; without any they are scalars.
    """

    kind_: CombiningKind = attr_def(vector_base.COMBINING_KIND, KIND_DOC)
    source: Value = operand_def(ANY_VECTOR, SOURCE_DOC)
    acc: Value = operand_def(SAME_ANY_TYPE, ACC_DOC)
    reduction_dims: tuple[int, ...] = attr_def(DenseArrayKind(i64), "The dimensions that are combined.")
    dest: Value = result_def(SAME_ANY_TYPE, RESULT_DOC)
    assembly_format = (
        "$kind `,` $source `,` $acc attr-dict $reduction_dims `:` type($source) `to` type($dest)"
    )
    traits = (
        Pure(),
        PredicateTrait("source operand and result have same element type", same_elements("source", "dest")),
    )

    def verify_(self) -> None:
        rules_arithmetic.check_multi_reduction(self)


class ScanOp(StandardOp, name="vector.scan"):
    """Computes, along the dimension `reduction_dim`, the combination of an initial value and the elements
    before each element, itself included if `inclusive`. The first result has the source's type. The second is
    the combination of all elements; it and the initial value lack the dimension.
    """

    kind_: CombiningKind = attr_def(vector_base.COMBINING_KIND, KIND_DOC)
    source: Value = operand_def(SAME_ANY_VECTOR, SOURCE_DOC)
    initial_value: Value = operand_def(SAME_ANY_VECTOR_U, "Where the scan begins.")
    reduction_dim: int = attr_def(IntegerKind(), "The dimension that is scanned.")
    inclusive: bool = attr_def(BoolKind(), "Whether an element takes part in its own result.")
    dest: Value = result_def(SAME_ANY_VECTOR, RESULT_DOC)
    accumulated_value: Value = result_def(SAME_ANY_VECTOR_U, "The combination of all elements.")
    assembly_format = (
        "$kind `,` $source `,` $initial_value attr-dict `:` type($source) `,` type($initial_value)"
    )
    traits = (Pure(),)

    def verify_(self) -> None:
        rules_arithmetic.check_scan(self)


OPERATIONS: tuple[type[Operation], ...] = (
    FMAOp,
    ContractionOp,
    OuterProductOp,
    ReductionOp,
    MultiDimReductionOp,
    ScanOp,
)
"""The operations of this module."""
