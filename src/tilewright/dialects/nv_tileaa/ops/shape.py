"""Operations that move elements, and those that combine them along a dimension by a region."""

from __future__ import annotations

from tilewright.dialects.nv_tileaa.constraints import (
    AXIS,
    ELEMENT_LIKE,
    EXTENTS,
    INDEX,
    TILE,
    TileDialectOp,
)
from tilewright.dialects.nv_tileaa.rules.region import (
    check_body_arguments,
    check_reduced,
    check_same_shapes,
    check_scanned,
    check_yield,
)
from tilewright.dialects.nv_tileaa.rules.shape import (
    check_broadcast,
    check_concatenation,
    check_expanded,
    check_permutation,
    check_slice,
    check_view,
)
from tilewright.ir.block import Region
from tilewright.ir.declaration.attribute_kind import BoolKind
from tilewright.ir.declaration.constraint import ANY_TYPE
from tilewright.ir.declaration.fields import (
    attr_def,
    flag_def,
    operand_def,
    region_def,
    result_def,
    variadic_operand_def,
    variadic_result_def,
)
from tilewright.ir.declaration.traits import (
    ImplicitTerminator,
    Pure,
    RecursiveMemoryEffects,
    SingleBlock,
    Terminator,
)
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

SOURCE = "The tile."
RESULT = "The resulting tile."
REVERSE = "Whether the scan begins with the last element."


class BroadcastOp(TileDialectOp, name="nv_tileaa.broadcast"):
    """A tile repeated along its extents of 1."""

    source: Value = operand_def(TILE, SOURCE)
    result: Value = result_def(TILE, RESULT)
    traits = (Pure(),)
    verifies_locally = True

    def verify_(self) -> None:
        check_broadcast(self.source.type, self.result.type)


class AddDimensionOp(TileDialectOp):
    """A tile with one more extent, of 1."""

    source: Value = operand_def(ELEMENT_LIKE, SOURCE)
    axis: int = attr_def(AXIS, "Where the new dimension is.")
    result: Value = result_def(TILE, RESULT)
    traits = (Pure(),)
    verifies_locally = True

    def verify_(self) -> None:
        check_expanded(self.source.type, self.result.type, self.axis)


class ExpandDimsOp(AddDimensionOp, name="nv_tileaa.expand_dims"):
    """A tile with one more extent, of 1."""


class PermuteOp(TileDialectOp, name="nv_tileaa.permute"):
    """A tile with its dimensions in another order."""

    source: Value = operand_def(TILE, SOURCE)
    permutation: tuple[int, ...] = attr_def(EXTENTS, "The dimension of the source for each dimension.")
    result: Value = result_def(TILE, RESULT)
    traits = (Pure(),)
    verifies_locally = True

    def verify_(self) -> None:
        check_permutation(self.source.type, self.result.type, self.permutation)


class ViewOp(TileDialectOp, name="nv_tileaa.view"):
    """The elements of a tile, in order, in another shape."""

    source: Value = operand_def(ELEMENT_LIKE, SOURCE)
    result: Value = result_def(ELEMENT_LIKE, RESULT)
    traits = (Pure(),)
    verifies_locally = True

    def verify_(self) -> None:
        check_view(self.source.type, self.result.type)


class CatOp(TileDialectOp, name="nv_tileaa.cat"):
    """Tiles side by side along a dimension."""

    inputs: tuple[Value, ...] = variadic_operand_def(TILE, "The tiles.")
    axis: int = attr_def(AXIS, "Along which dimension.")
    result: Value = result_def(TILE, RESULT)
    traits = (Pure(),)
    verifies_locally = True

    def verify_(self) -> None:
        check_concatenation([value.type for value in self.inputs], self.result.type, self.axis)


class SliceOp(TileDialectOp):
    """A part of a tile."""

    source: Value = operand_def(TILE, SOURCE)
    offsets: tuple[Value, ...] = variadic_operand_def(INDEX, "Where the part begins, for each dimension.")
    sizes: tuple[int, ...] = attr_def(EXTENTS, "The extents of the part.")
    result: Value = result_def(TILE, RESULT)
    traits = (Pure(),)
    verifies_locally = True

    def verify_(self) -> None:
        check_slice(self.source.type, self.result.type, len(self.offsets), self.sizes)


class ExtractSliceOp(SliceOp, name="nv_tileaa.extract_slice"):
    """A part of a tile."""


class AggregateOp(TileDialectOp):
    """Combines elements along a dimension. The region takes the accumulated values, then elements, one per tile."""

    inputs: tuple[Value, ...] = variadic_operand_def(TILE, "The tiles, all of one shape.")
    axis: int = attr_def(AXIS, "Along which dimension.")


class ReductionOp(AggregateOp):
    """One element for each row along a dimension."""

    results_: tuple[Value, ...] = variadic_result_def(ELEMENT_LIKE, "The tiles without the dimension.")
    body: Region = region_def("Combines two elements of each tile.")

    def verify_(self) -> None:
        check_same_shapes(self.inputs)
        check_reduced(self.inputs, self.results, self.axis)

    def verify_regions_(self) -> None:
        check_body_arguments(self, 2)
        check_yield(self)


class PrefixOp(AggregateOp):
    """Combines for each element the elements before it along a dimension, and itself if ``inclusive``."""

    inclusive: bool = attr_def(BoolKind(), "Whether each element counts for itself.", default=True)
    reverse: bool = flag_def(REVERSE, default=False)
    results_: tuple[Value, ...] = variadic_result_def(TILE, "Tiles of the types of the operands.")
    body: Region = region_def("Combines two elements of each tile.")

    def verify_(self) -> None:
        check_same_shapes(self.inputs)
        check_scanned(self.inputs, self.results, self.axis)

    def verify_regions_(self) -> None:
        check_body_arguments(self, 2)
        check_yield(self)


class ElementwiseBodyOp(TileDialectOp):
    """Tiles whose elements the region computes from their indices and from elements of other tiles."""

    inputs: tuple[Value, ...] = variadic_operand_def(
        TILE, "The tiles, all of the shape of the results.", default=()
    )
    results_: tuple[Value, ...] = variadic_result_def(TILE, "The computed tiles.")
    body: Region = region_def("Takes an index per dimension, then the elements that stand there.")

    def verify_(self) -> None:
        check_same_shapes((*self.results, *self.inputs))

    def verify_regions_(self) -> None:
        check_body_arguments(self, 1, indexed=True)
        check_yield(self)


class RegionEndOp(TileDialectOp):
    """Ends a region with its results."""

    operands_: tuple[Value, ...] = variadic_operand_def(ANY_TYPE, "The results.", default=())
    traits = (Pure(), Terminator())


WITH_BODY = (RecursiveMemoryEffects(), SingleBlock(), ImplicitTerminator("nv_tileaa.yield"))


class ReduceOp(ReductionOp, name="nv_tileaa.reduce"):
    """One element for each row along a dimension."""

    traits = WITH_BODY


class ScanOp(PrefixOp, name="nv_tileaa.scan"):
    """Combines for each element the elements before it along a dimension, and itself if ``inclusive``."""

    traits = WITH_BODY


class GenerateOp(ElementwiseBodyOp, name="nv_tileaa.generate"):
    """Tiles whose elements the region computes from their indices and from elements of other tiles."""

    traits = WITH_BODY


class YieldOp(RegionEndOp, name="nv_tileaa.yield"):
    """Ends a region with its results."""


OPERATIONS: tuple[type[Operation], ...] = (
    BroadcastOp,
    ExpandDimsOp,
    PermuteOp,
    ViewOp,
    CatOp,
    ExtractSliceOp,
    ReduceOp,
    ScanOp,
    GenerateOp,
    YieldOp,
)
