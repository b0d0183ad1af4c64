"""Tiles with layouts: allocation, shape, conversion of layouts, matrix products, reductions."""

from __future__ import annotations

from tilewright.dialects.common.kinds import STRINGS
from tilewright.dialects.nv_tileaa import constraints as tileaa_constraints, types as tileaa_types
from tilewright.dialects.nv_tileaa.ops import shape as tileaa_shape, structure as tileaa_structure
from tilewright.dialects.nv_tileaa.ops.math import SCALE_A, SCALE_B, ProductOp
from tilewright.dialects.nv_tileaa.rules.shape import check_slice, check_view as check_tile_view
from tilewright.dialects.nv_tileas import base as tileas_base, rules as tileas_rules
from tilewright.dialects.nv_tileas.attributes import AtomAttr, LayoutAttr, Transfer
from tilewright.ir.declaration import fields, traits as ir_traits
from tilewright.ir.declaration.constraint import ANY_TYPE, Either, OneOf
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

TILE_OR_VIEW = Either(tileaa_constraints.TILE, tileas_base.VIEW)
VIEWED = Either(tileaa_constraints.ELEMENT_LIKE, tileas_base.MEMORY)
WITH_BODY = (
    ir_traits.RecursiveMemoryEffects(),
    ir_traits.SingleBlock(),
    ir_traits.ImplicitTerminator("nv_tileas.yield"),
)
ATOM_DOC = "The instruction that the operation becomes."


class AllocTensorOp(tileas_base.LayoutOp, name="nv_tileas.alloc_tensor"):
    """Returns a tile, or a view of memory, whose elements are uninitialised."""

    result: Value = fields.result_def(TILE_OR_VIEW, "The tile, or a view of memory for it.")
    traits = (ir_traits.Pure(),)


class CreateNoneOp(tileaa_constraints.TileDialectOp, name="nv_tileas.create_none"):
    """Creates a token that is ordered after nothing."""

    result: Value = fields.result_def(tileas_base.ASYNC_TOKEN, "The token.")
    traits = (ir_traits.Pure(),)


class ConvertLayoutOp(tileas_base.LayoutOp, name="nv_tileas.convert_layout"):
    """Moves the elements of a tile from ``source_layout`` to the layout of the operation.

    If types have encodings, these are the layouts, and the types differ in nothing else.
    """

    source: Value = fields.operand_def(tileaa_constraints.TILE, tileaa_shape.SOURCE)
    source_layout: LayoutAttr | None = fields.optional_attr_def(
        tileas_base.LAYOUT, "Where the elements of the operand are.", default=None
    )
    transfer: Transfer | None = fields.optional_attr_def(
        tileas_base.TRANSFER, "How they get there; absent until conversions are materialised.", default=None
    )
    result: Value = fields.result_def(tileaa_constraints.TILE, tileaa_shape.RESULT)
    traits = (
        ir_traits.Pure(),
        ir_traits.same_shape("source", "result"),
        ir_traits.same_element_type("source", "result"),
    )
    verifies_locally = True

    def verify_(self) -> None:
        if self.layout is None and tileas_rules.encoding_of(self.result.type) is None:
            raise ir_traits.VerifyError("expects a layout to convert to")
        tileas_rules.check_conversion(self.source.type, self.result.type)


class CopyOp(tileas_base.OrderedLayoutOp, name="nv_tileas.copy"):
    """Copies elements between memories, such as registers and shared memory, by the instruction `atom`."""

    source: Value = fields.operand_def(TILE_OR_VIEW, "What is copied.")
    destination: Value = fields.operand_def(TILE_OR_VIEW, "Where it goes.")
    atom: AtomAttr = fields.attr_def(tileas_base.ATOM, ATOM_DOC)
    verifies_locally = True

    def verify_(self) -> None:
        tileas_rules.check_copy(self.source.type, self.destination.type)


class ShuffleOp(tileas_base.SameTypeLayoutOp, name="nv_tileas.shuffle"):
    """Exchanges elements among the threads of a warp, by the instruction `atom`; the result has the type of
    the source.
    """

    source: Value = fields.operand_def(tileaa_constraints.TILE, tileaa_shape.SOURCE)
    atom: AtomAttr | None = fields.optional_attr_def(tileas_base.ATOM, ATOM_DOC, default=None)
    result: Value = fields.result_def(tileaa_constraints.TILE, tileaa_shape.RESULT)
    traits = (ir_traits.NoMemoryEffect(), ir_traits.same_type("source", "result"))


class ReinterpretOp(tileas_base.LayoutOp, name="nv_tileas.reinterpret"):
    """Reads the bits of a tile or of memory as elements of another type."""

    source: Value = fields.operand_def(TILE_OR_VIEW, tileaa_shape.SOURCE)
    result: Value = fields.result_def(TILE_OR_VIEW, tileaa_shape.RESULT)
    traits = (ir_traits.Pure(),)


class ViewOp(tileas_base.LayoutOp, name="nv_tileas.view"):
    """Elements in another shape: of a tile, or of memory as a grid of tiles.

    For a tile, the layout maps each element to an element of the source: it has the shape of the result, and
    its strides count elements of the source in row-major order; 0 repeats an element. Without a layout the
    elements keep their order. For a memory object, ``dim_groups`` has the dimensions that each dimension of a
    tile divides; by default the dimension of the same number.
    """

    source: Value = fields.operand_def(VIEWED, "The tile, view or memory object.")
    dim_groups: tuple[tuple[int, ...], ...] | None = fields.optional_attr_def(
        tileaa_constraints.DIMENSION_GROUPS, tileaa_structure.DIM_GROUPS, ir_name="dimGroups", default=None
    )
    result: Value = fields.result_def(VIEWED, "The elements in another shape.")
    traits = (ir_traits.Pure(),)
    verifies_locally = True

    def verify_(self) -> None:
        tileas_rules.check_groups(self.source.type, self.result.type, self.dim_groups)
        if tileas_base.MEMORY.matches(self.source.type) or tileas_base.MEMORY.matches(self.result.type):
            tileas_rules.check_view(self.source.type, self.result.type)
        elif self.layout is not None:
            tileas_rules.check_layout_view(self.source.type, self.result.type, self.layout)
        else:
            check_tile_view(self.source.type, self.result.type)


class ExpandDimsOp(tileas_base.LayoutOp, tileaa_shape.AddDimensionOp, name="nv_tileas.expand_dims"):
    """Adds a dimension of extent 1 to a tile or scalar, at the position `axis` of the result."""


class ExtractSliceOp(tileas_base.LayoutOp, tileaa_shape.SliceOp, name="nv_tileas.extract_slice"):
    """Extracts a rectangular part of a tile: `sizes` elements from `offsets` on, in each dimension."""


class InsertSliceOp(tileas_base.LayoutOp, name="nv_tileas.insert_slice"):
    """Returns `destination` with a rectangular part replaced by `source`: `sizes` elements from `offsets` on,
    in each dimension.
    """

    source: Value = fields.operand_def(tileaa_constraints.TILE, "The part.")
    destination: Value = fields.operand_def(tileaa_constraints.TILE, "The tile.")
    offsets: tuple[Value, ...] = fields.variadic_operand_def(
        tileaa_constraints.INDEX, "Where the part begins, for each dimension."
    )
    sizes: tuple[int, ...] = fields.attr_def(tileaa_constraints.EXTENTS, "The extents of the part.")
    result: Value = fields.result_def(tileaa_constraints.TILE, tileaa_shape.RESULT)
    traits = (ir_traits.Pure(), ir_traits.same_type("destination", "result"))
    verifies_locally = True

    def verify_(self) -> None:
        check_slice(self.destination.type, self.source.type, len(self.offsets), self.sizes)


class DotOp(tileas_base.LayoutOp, ProductOp, name="nv_tileas.dot"):
    """Multiplies two matrices and adds a matrix, by the matrix instruction that `atom` names. `sfa` and `sfb`
    are scale factors of blocks of elements; without `accumulate` the matrix is always added.
    """

    accumulate: Value | None = fields.optional_operand_def(
        tileaa_constraints.I1, "Whether C is added; it is without.", default=None
    )
    sfa: Value | None = fields.optional_operand_def(tileaa_constraints.TILE, SCALE_A, default=None)
    sfb: Value | None = fields.optional_operand_def(tileaa_constraints.TILE, SCALE_B, default=None)
    atom: AtomAttr | None = fields.optional_attr_def(tileas_base.ATOM, ATOM_DOC, default=None)
    traits = (ir_traits.Pure(),)
    verifies_locally = True

    def verify_(self) -> None:
        tileas_rules.check_dot(self)


class CombiningLayoutOp(tileas_base.OrderedLayoutOp):
    """The base of `nv_tileas.reduce` and `nv_tileas.scan`, which combine elements of a tile, possibly of
    several threads. `atom` names the instruction that combines elements of different threads.
    """

    atom: AtomAttr | None = fields.optional_attr_def(
        tileas_base.ATOM, "The instruction that combines elements of several threads.", default=None
    )


class ReduceOp(CombiningLayoutOp, tileaa_shape.ReductionOp, name="nv_tileas.reduce"):
    """Reduces tiles along the dimension `axis`, which the results do not have. The region combines two
    elements of each tile.
    """

    traits = WITH_BODY


class ScanOp(CombiningLayoutOp, tileaa_shape.PrefixOp, name="nv_tileas.scan"):
    """Scans tiles along the dimension `axis`: each element becomes the combination of the elements before it,
    and of itself if ``inclusive``. With ``reverse``, the scan begins with the last element. The region
    combines two elements of each tile; the results have the types of the operands.
    """

    traits = WITH_BODY


class GenerateOp(tileas_base.LayoutOp, tileaa_shape.ElementwiseBodyOp, name="nv_tileas.generate"):
    """Computes tiles element by element: the region gets the indices of an element, and the elements of the
    operands there, and yields an element of each result. Operands and results have one shape.
    """

    traits = WITH_BODY


class YieldOp(tileaa_shape.RegionEndOp, name="nv_tileas.yield"):
    """Ends a region with its results."""


class CancelNextProgramIdOp(tileaa_constraints.TileDialectOp, name="nv_tileas.cancel_next_program_id"):
    """Cancels a tile block that has not begun yet, so that this tile block can do its work. The result, a
    ``!nv_tileaa.program_id``, identifies the canceled tile block; it is not valid if there was none to cancel
    (`is_valid_program_id`).
    """

    result: Value = fields.result_def(OneOf((tileaa_types.ProgramIdType(),), "program id"), "The instance.")


class PragmaOp(tileaa_constraints.TileDialectOp, name="nv_tileas.pragma"):
    """Returns its operands unchanged, and inserts directives for the assembler before and after the
    operations that compute the operands.
    """

    enter: tuple[str, ...] | None = fields.optional_attr_def(
        STRINGS, "At the beginning.", ir_name="ocgEnterDirectives", default=None
    )
    leave: tuple[str, ...] | None = fields.optional_attr_def(
        STRINGS, "At the end.", ir_name="ocgLeaveDirectives", default=None
    )
    operands_: tuple[Value, ...] = fields.variadic_operand_def(ANY_TYPE, "The values.", default=())
    results_: tuple[Value, ...] = fields.variadic_result_def(ANY_TYPE, "The same values.")
    traits = (ir_traits.NoMemoryEffect(),)
    verifies_locally = True

    def verify_(self) -> None:
        if self.operand_types != self.result_types:
            raise ir_traits.VerifyError("expects results of the types of the operands")


OPERATIONS: tuple[type[Operation], ...] = (
    AllocTensorOp,
    CreateNoneOp,
    ConvertLayoutOp,
    CopyOp,
    ShuffleOp,
    ReinterpretOp,
    ViewOp,
    ExpandDimsOp,
    ExtractSliceOp,
    InsertSliceOp,
    DotOp,
    ReduceOp,
    ScanOp,
    GenerateOp,
    YieldOp,
    CancelNextProgramIdOp,
    PragmaOp,
)
