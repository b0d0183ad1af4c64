"""Reductions and scans with a region that combines two elements, and regions applied to each element."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from tilewright.dialects.common.traits import ReturnLike, SameOperandsAndResultShape
from tilewright.dialects.tt.attributes import INT32
from tilewright.dialects.tt.constraints import TENSOR, VALUE
from tilewright.dialects.tt.rules import reduction as reduction_rules
from tilewright.dialects.tt.traits import TENSOR_SIZE, SameEncoding, SameOperandsEncoding, TritonOp
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.block import Region
from tilewright.ir.declaration import attribute_kind, fields, traits as ir_traits
from tilewright.ir.declaration.constraint import ANY_TYPE
from tilewright.ir.value import Value

SOURCES_DOC = "The tensors, all of one shape."
AXIS_DOC = "The dimension along which elements are combined."
COMBINE_DOC = (
    "Combines one element of each tensor with another one of each: the arguments are first the "
    "elements of one position, then of the other.  It must be associative."
)
RETURN_FORMAT = "$result attr-dict `:` type($result)"


class ReduceReturnOp(TritonOp, name="tt.reduce.return"):
    """Ends the region of a reduction with the combined elements."""

    result_: tuple[Value, ...] = fields.variadic_operand_def(ANY_TYPE, "One element for each tensor.")
    assembly_format = RETURN_FORMAT
    traits = (ir_traits.HasParent("tt.reduce"), ir_traits.Pure(), ReturnLike(), TENSOR_SIZE)


class CombiningOp(TritonOp):
    """The base of `tt.reduce` and `tt.scan`, which combine elements along the dimension `axis` by a region."""

    srcs: tuple[Value, ...] = fields.variadic_operand_def(TENSOR, SOURCES_DOC)
    axis: int = fields.attr_def(INT32, AXIS_DOC)
    combineOp: Region = fields.region_def(COMBINE_DOC)
    ending: ClassVar[type[TritonOp]]
    """The class of the region's terminator."""

    def verify_(self) -> None:
        reduction_rules.check_reduction(self, self.axis)

    def verify_regions_(self) -> None:
        reduction_rules.check_combiner(self, self.combineOp, self.ending)


class ReduceOp(CombiningOp, name="tt.reduce"):
    """Reduces tensors along the dimension `axis`, which the results do not have. The region combines two
    elements of each tensor; only neighbouring elements or partial results are combined.
    """

    result_: tuple[Value, ...] = fields.variadic_result_def(
        VALUE, "One tensor for each operand, without the dimension; a scalar if it was the only one."
    )
    ending = ReduceReturnOp
    traits = (
        ir_traits.Pure(),
        ir_traits.SameOperandsShape(),
        SameOperandsEncoding(),
        ir_traits.SingleBlock(),
        ir_traits.InferredResultTypes(),
        TENSOR_SIZE,
    )

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Mapping[str, Attribute], regions: Sequence[Region]
    ) -> Sequence[Type]:
        return [reduction_rules.reduced(value.type, attributes) for value in operands]


class ScanReturnOp(TritonOp, name="tt.scan.return"):
    """Ends the region of a scan with the combined elements."""

    result_: tuple[Value, ...] = fields.variadic_operand_def(ANY_TYPE, "One element for each tensor.")
    assembly_format = RETURN_FORMAT
    traits = (ir_traits.HasParent("tt.scan"), ir_traits.Pure(), ReturnLike(), TENSOR_SIZE)


class ScanOp(CombiningOp, name="tt.scan"):
    """Scans tensors along one dimension: each element becomes the combination of all elements up to it,
    itself included; with `reverse`, of all elements from it on.
    """

    reverse: bool = fields.attr_def(attribute_kind.BoolKind(), "Whether the scan begins at the last element.")
    result_: tuple[Value, ...] = fields.variadic_result_def(
        TENSOR, "One tensor of the same type for each operand."
    )
    ending = ScanReturnOp
    traits = (
        ir_traits.Pure(),
        SameEncoding(),
        SameOperandsAndResultShape(),
        ir_traits.SingleBlock(),
        ir_traits.InferredResultTypes(),
        TENSOR_SIZE,
    )

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Mapping[str, Attribute], regions: Sequence[Region]
    ) -> Sequence[Type]:
        return [value.type for value in operands]


class MapElementwiseReturnOp(TritonOp, name="tt.map_elementwise.return"):
    """Ends the region of a map with the elements of its results."""

    result_: tuple[Value, ...] = fields.variadic_operand_def(
        ANY_TYPE, "`pack` elements of each result, one result after another."
    )
    assembly_format = "attr-dict ($result^ `:` type($result))?"
    traits = (ir_traits.HasParent("tt.map_elementwise"), ir_traits.Pure(), ReturnLike(), TENSOR_SIZE)


class MapElementwiseOp(TritonOp, name="tt.map_elementwise"):
    """Executes a region of scalar code for every `pack` elements of the operands. The region may branch, but
    not write memory.
    """

    srcs: tuple[Value, ...] = fields.variadic_operand_def(TENSOR, SOURCES_DOC)
    pack: int = fields.attr_def(INT32, "How many elements of each tensor one run gets: a power of two.")
    result_: tuple[Value, ...] = fields.variadic_result_def(TENSOR, "Tensors of the same shape.")
    scalarOp: Region = fields.region_def(
        "The code: its arguments are `pack` elements of each tensor, one tensor after another.",
        single_block=False,
    )
    traits = (SameEncoding(), SameOperandsAndResultShape(), ir_traits.RecursiveMemoryEffects(), TENSOR_SIZE)

    def verify_(self) -> None:
        reduction_rules.check_map(self, self.pack)

    def verify_regions_(self) -> None:
        reduction_rules.check_mapped_region(self, self.scalarOp, self.pack, MapElementwiseReturnOp)


OPERATIONS = (
    ReduceOp,
    ReduceReturnOp,
    ScanOp,
    ScanReturnOp,
    MapElementwiseOp,
    MapElementwiseReturnOp,
)
