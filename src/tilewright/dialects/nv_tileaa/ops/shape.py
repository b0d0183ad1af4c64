"""Operations that rearrange elements, and operations that combine elements along a dimension by a region."""

from __future__ import annotations

from tilewright.dialects.nv_tileaa import constraints as tileaa_constraints
from tilewright.dialects.nv_tileaa.rules import region as region_rules, shape as shape_rules
from tilewright.ir.block import Region
from tilewright.ir.declaration import fields, traits as ir_traits
from tilewright.ir.declaration.attribute_kind import BoolKind
from tilewright.ir.declaration.constraint import ANY_TYPE
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

SOURCE = "The tile."
RESULT = "The resulting tile."
REVERSE = "Whether the scan begins with the last element."


class BroadcastOp(tileaa_constraints.TileDialectOp, name="nv_tileaa.broadcast"):
    """Repeats a tile along its dimensions of extent 1, up to the extents of the result. Rank, element type
    and all other extents stay.
    """

    source: Value = fields.operand_def(tileaa_constraints.TILE, SOURCE)
    result: Value = fields.result_def(tileaa_constraints.TILE, RESULT)
    traits = (ir_traits.Pure(),)
    verifies_locally = True

    def verify_(self) -> None:
        shape_rules.check_broadcast(self.source.type, self.result.type)


class AddDimensionOp(tileaa_constraints.TileDialectOp):
    """The base of operations that add a dimension of extent 1 to a tile or scalar, at the position `axis` of
    the result.
    """

    source: Value = fields.operand_def(tileaa_constraints.ELEMENT_LIKE, SOURCE)
    axis: int = fields.attr_def(tileaa_constraints.AXIS, "Where the new dimension is.")
    result: Value = fields.result_def(tileaa_constraints.TILE, RESULT)
    traits = (ir_traits.Pure(),)
    verifies_locally = True

    def verify_(self) -> None:
        shape_rules.check_expanded(self.source.type, self.result.type, self.axis)


class ExpandDimsOp(AddDimensionOp, name="nv_tileaa.expand_dims"):
    """Adds a dimension of extent 1 to a tile or scalar, at the position `axis` of the result."""


class PermuteOp(tileaa_constraints.TileDialectOp, name="nv_tileaa.permute"):
    """Permutes the dimensions of a tile: dimension i of the result is dimension `permutation[i]` of the
    source.
    """

    source: Value = fields.operand_def(tileaa_constraints.TILE, SOURCE)
    permutation: tuple[int, ...] = fields.attr_def(
        tileaa_constraints.EXTENTS, "The dimension of the source for each dimension."
    )
    result: Value = fields.result_def(tileaa_constraints.TILE, RESULT)
    traits = (ir_traits.Pure(),)
    verifies_locally = True

    def verify_(self) -> None:
        shape_rules.check_permutation(self.source.type, self.result.type, self.permutation)


class ViewOp(tileaa_constraints.TileDialectOp, name="nv_tileaa.view"):
    """Reshapes a tile; the elements keep their row-major order."""

    source: Value = fields.operand_def(tileaa_constraints.ELEMENT_LIKE, SOURCE)
    result: Value = fields.result_def(tileaa_constraints.ELEMENT_LIKE, RESULT)
    traits = (ir_traits.Pure(),)
    verifies_locally = True

    def verify_(self) -> None:
        shape_rules.check_view(self.source.type, self.result.type)


class CatOp(tileaa_constraints.TileDialectOp, name="nv_tileaa.cat"):
    """Concatenates tiles, at least one, along the dimension `axis`; the other extents are equal."""

    inputs: tuple[Value, ...] = fields.variadic_operand_def(tileaa_constraints.TILE, "The tiles.")
    axis: int = fields.attr_def(tileaa_constraints.AXIS, "Along which dimension.")
    result: Value = fields.result_def(tileaa_constraints.TILE, RESULT)
    traits = (ir_traits.Pure(),)
    verifies_locally = True

    def verify_(self) -> None:
        shape_rules.check_concatenation([value.type for value in self.inputs], self.result.type, self.axis)


class SliceOp(tileaa_constraints.TileDialectOp):
    """The base of extractions of a rectangular part of a tile: `sizes` elements from `offsets` on, in each
    dimension.
    """

    source: Value = fields.operand_def(tileaa_constraints.TILE, SOURCE)
    offsets: tuple[Value, ...] = fields.variadic_operand_def(
        tileaa_constraints.INDEX, "Where the part begins, for each dimension."
    )
    sizes: tuple[int, ...] = fields.attr_def(tileaa_constraints.EXTENTS, "The extents of the part.")
    result: Value = fields.result_def(tileaa_constraints.TILE, RESULT)
    traits = (ir_traits.Pure(),)
    verifies_locally = True

    def verify_(self) -> None:
        shape_rules.check_slice(self.source.type, self.result.type, len(self.offsets), self.sizes)


class ExtractSliceOp(SliceOp, name="nv_tileaa.extract_slice"):
    """Extracts a rectangular part of a tile: `sizes` elements from `offsets` on, in each dimension. Offsets
    count elements; a part that extends beyond the tile is undefined.
    """


class AggregateOp(tileaa_constraints.TileDialectOp):
    """The base of reductions and scans, which combine elements along a dimension. The region takes the
    accumulated values, then elements, one of each for every tile.
    """

    inputs: tuple[Value, ...] = fields.variadic_operand_def(
        tileaa_constraints.TILE, "The tiles, all of one shape."
    )
    axis: int = fields.attr_def(tileaa_constraints.AXIS, "Along which dimension.")


class ReductionOp(AggregateOp):
    """The base of reductions of tiles along a dimension, which the results do not have. The region combines
    two elements of each tile.
    """

    results_: tuple[Value, ...] = fields.variadic_result_def(
        tileaa_constraints.ELEMENT_LIKE, "The tiles without the dimension."
    )
    body: Region = fields.region_def("Combines two elements of each tile.")

    def verify_(self) -> None:
        region_rules.check_same_shapes(self.inputs)
        region_rules.check_reduced(self.inputs, self.results, self.axis)

    def verify_regions_(self) -> None:
        region_rules.check_body_arguments(self, 2)
        region_rules.check_yield(self)


class PrefixOp(AggregateOp):
    """The base of scans of tiles along a dimension: each element becomes the combination of the elements
    before it, and of itself if ``inclusive``. With ``reverse``, the scan begins with the last element.
    """

    inclusive: bool = fields.attr_def(BoolKind(), "Whether each element counts for itself.", default=True)
    reverse: bool = fields.flag_def(REVERSE, default=False)
    results_: tuple[Value, ...] = fields.variadic_result_def(
        tileaa_constraints.TILE, "Tiles of the types of the operands."
    )
    body: Region = fields.region_def("Combines two elements of each tile.")

    def verify_(self) -> None:
        region_rules.check_same_shapes(self.inputs)
        region_rules.check_scanned(self.inputs, self.results, self.axis)

    def verify_regions_(self) -> None:
        region_rules.check_body_arguments(self, 2)
        region_rules.check_yield(self)


class ElementwiseBodyOp(tileaa_constraints.TileDialectOp):
    """The base of operations that compute tiles element by element: the region takes the indices of an
    element, and the elements of the operands there, and yields an element of each result.
    """

    inputs: tuple[Value, ...] = fields.variadic_operand_def(
        tileaa_constraints.TILE, "The tiles, all of the shape of the results.", default=()
    )
    results_: tuple[Value, ...] = fields.variadic_result_def(tileaa_constraints.TILE, "The computed tiles.")
    body: Region = fields.region_def("Takes an index per dimension, then the elements that stand there.")

    def verify_(self) -> None:
        region_rules.check_same_shapes((*self.results, *self.inputs))

    def verify_regions_(self) -> None:
        region_rules.check_body_arguments(self, 1, indexed=True)
        region_rules.check_yield(self)


class RegionEndOp(tileaa_constraints.TileDialectOp):
    """The base of terminators that end a region with its results."""

    operands_: tuple[Value, ...] = fields.variadic_operand_def(ANY_TYPE, "The results.", default=())
    traits = (ir_traits.Pure(), ir_traits.Terminator())


WITH_BODY = (
    ir_traits.RecursiveMemoryEffects(),
    ir_traits.SingleBlock(),
    ir_traits.ImplicitTerminator("nv_tileaa.yield"),
)


class ReduceOp(ReductionOp, name="nv_tileaa.reduce"):
    """Reduces tiles along a dimension, which the results do not have: the region combines two elements of
    each tile.
    """

    traits = WITH_BODY


class ScanOp(PrefixOp, name="nv_tileaa.scan"):
    """Scans tiles along a dimension: each element becomes the combination of the elements before it, and of
    itself if ``inclusive``. With ``reverse``, the scan begins with the last element.
    """

    traits = WITH_BODY


class GenerateOp(ElementwiseBodyOp, name="nv_tileaa.generate"):
    """Computes tiles element by element: the region takes the indices of an element, and the elements of the
    operands there, and yields an element of each result.
    """

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
