"""Tiles with layouts: allocation, shape, conversion of layouts, matrix products, reductions."""

from __future__ import annotations

from tilewright.dialects.common.kinds import STRINGS
from tilewright.dialects.nv_tileaa.constraints import (
    DIMENSION_GROUPS,
    ELEMENT_LIKE,
    EXTENTS,
    I1,
    INDEX,
    TILE,
    TileDialectOp,
)
from tilewright.dialects.nv_tileaa.ops.math import SCALE_A, SCALE_B, ProductOp
from tilewright.dialects.nv_tileaa.ops.shape import (
    RESULT,
    SOURCE,
    AddDimensionOp,
    ElementwiseBodyOp,
    PrefixOp,
    ReductionOp,
    RegionEndOp,
    SliceOp,
)
from tilewright.dialects.nv_tileaa.ops.structure import DIM_GROUPS
from tilewright.dialects.nv_tileaa.rules.shape import check_slice, check_view as check_tile_view
from tilewright.dialects.nv_tileaa.types import ProgramIdType
from tilewright.dialects.nv_tileas.attributes import AtomAttr, LayoutAttr, Transfer
from tilewright.dialects.nv_tileas.base import (
    ASYNC_TOKEN,
    ATOM,
    LAYOUT,
    MEMORY,
    TRANSFER,
    VIEW,
    LayoutOp,
    OrderedLayoutOp,
    SameTypeLayoutOp,
)
from tilewright.dialects.nv_tileas.rules import (
    check_conversion,
    check_copy,
    check_dot,
    check_groups,
    check_layout_view,
    check_view,
    encoding_of,
)
from tilewright.ir.declaration.constraint import ANY_TYPE, Either, OneOf
from tilewright.ir.declaration.fields import (
    attr_def,
    operand_def,
    optional_attr_def,
    optional_operand_def,
    result_def,
    variadic_operand_def,
    variadic_result_def,
)
from tilewright.ir.declaration.traits import (
    ImplicitTerminator,
    NoMemoryEffect,
    Pure,
    RecursiveMemoryEffects,
    SingleBlock,
    VerifyError,
    same_element_type,
    same_shape,
    same_type,
)
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

TILE_OR_VIEW = Either(TILE, VIEW)
VIEWED = Either(ELEMENT_LIKE, MEMORY)
WITH_BODY = (RecursiveMemoryEffects(), SingleBlock(), ImplicitTerminator("nv_tileas.yield"))
ATOM_DOC = "The instruction that the operation becomes."


class AllocTensorOp(LayoutOp, name="nv_tileas.alloc_tensor"):
    """A tile whose elements are not set yet."""

    result: Value = result_def(TILE_OR_VIEW, "The tile, or a view of memory for it.")
    traits = (Pure(),)


class CreateNoneOp(TileDialectOp, name="nv_tileas.create_none"):
    """A token without predecessors."""

    result: Value = result_def(ASYNC_TOKEN, "The token.")
    traits = (Pure(),)


class ConvertLayoutOp(LayoutOp, name="nv_tileas.convert_layout"):
    """Moves the elements of a tile from ``source_layout`` to the layout of the operation.

    If types have encodings, these are the layouts, and the types differ in nothing else.
    """

    source: Value = operand_def(TILE, SOURCE)
    source_layout: LayoutAttr | None = optional_attr_def(
        LAYOUT, "Where the elements of the operand are.", default=None
    )
    transfer: Transfer | None = optional_attr_def(
        TRANSFER, "How they get there; absent until conversions are materialised.", default=None
    )
    result: Value = result_def(TILE, RESULT)
    traits = (Pure(), same_shape("source", "result"), same_element_type("source", "result"))
    verifies_locally = True

    def verify_(self) -> None:
        if self.layout is None and encoding_of(self.result.type) is None:
            raise VerifyError("expects a layout to convert to")
        check_conversion(self.source.type, self.result.type)


class CopyOp(OrderedLayoutOp, name="nv_tileas.copy"):
    """Copies elements from one residency to another."""

    source: Value = operand_def(TILE_OR_VIEW, "What is copied.")
    destination: Value = operand_def(TILE_OR_VIEW, "Where it goes.")
    atom: AtomAttr = attr_def(ATOM, ATOM_DOC)
    verifies_locally = True

    def verify_(self) -> None:
        check_copy(self.source.type, self.destination.type)


class ShuffleOp(SameTypeLayoutOp, name="nv_tileas.shuffle"):
    """Exchanges elements among the threads of a warp."""

    source: Value = operand_def(TILE, SOURCE)
    atom: AtomAttr | None = optional_attr_def(ATOM, ATOM_DOC, default=None)
    result: Value = result_def(TILE, RESULT)
    traits = (NoMemoryEffect(), same_type("source", "result"))


class ReinterpretOp(LayoutOp, name="nv_tileas.reinterpret"):
    """The bits of a tile or of memory as elements of another type."""

    source: Value = operand_def(TILE_OR_VIEW, SOURCE)
    result: Value = result_def(TILE_OR_VIEW, RESULT)
    traits = (Pure(),)


class ViewOp(LayoutOp, name="nv_tileas.view"):
    """Elements in another shape: of a tile, or of memory as a grid of tiles.

    For a tile, the layout maps each element to an element of the source: it has the shape of the result, and
    its strides count elements of the source in row-major order; 0 repeats an element. Without a layout the
    elements keep their order. For a memory object, ``dim_groups`` has the dimensions that each dimension of a
    tile divides; by default the dimension of the same number.
    """

    source: Value = operand_def(VIEWED, "The tile, view or memory object.")
    dim_groups: tuple[tuple[int, ...], ...] | None = optional_attr_def(
        DIMENSION_GROUPS, DIM_GROUPS, ir_name="dimGroups", default=None
    )
    result: Value = result_def(VIEWED, "The elements in another shape.")
    traits = (Pure(),)
    verifies_locally = True

    def verify_(self) -> None:
        check_groups(self.source.type, self.result.type, self.dim_groups)
        if MEMORY.matches(self.source.type) or MEMORY.matches(self.result.type):
            check_view(self.source.type, self.result.type)
        elif self.layout is not None:
            check_layout_view(self.source.type, self.result.type, self.layout)
        else:
            check_tile_view(self.source.type, self.result.type)


class ExpandDimsOp(LayoutOp, AddDimensionOp, name="nv_tileas.expand_dims"):
    """A tile with one more extent, of 1."""


class ExtractSliceOp(LayoutOp, SliceOp, name="nv_tileas.extract_slice"):
    """A part of a tile."""


class InsertSliceOp(LayoutOp, name="nv_tileas.insert_slice"):
    """A tile with a part replaced."""

    source: Value = operand_def(TILE, "The part.")
    destination: Value = operand_def(TILE, "The tile.")
    offsets: tuple[Value, ...] = variadic_operand_def(INDEX, "Where the part begins, for each dimension.")
    sizes: tuple[int, ...] = attr_def(EXTENTS, "The extents of the part.")
    result: Value = result_def(TILE, RESULT)
    traits = (Pure(), same_type("destination", "result"))
    verifies_locally = True

    def verify_(self) -> None:
        check_slice(self.destination.type, self.source.type, len(self.offsets), self.sizes)


class DotOp(LayoutOp, ProductOp, name="nv_tileas.dot"):
    """The product of two matrices plus a matrix, by one kind of matrix instruction."""

    accumulate: Value | None = optional_operand_def(I1, "Whether C is added; it is without.", default=None)
    sfa: Value | None = optional_operand_def(TILE, SCALE_A, default=None)
    sfb: Value | None = optional_operand_def(TILE, SCALE_B, default=None)
    atom: AtomAttr | None = optional_attr_def(ATOM, ATOM_DOC, default=None)
    traits = (Pure(),)
    verifies_locally = True

    def verify_(self) -> None:
        check_dot(self)


class CombiningLayoutOp(OrderedLayoutOp):
    """Combines elements, which may be of several threads."""

    atom: AtomAttr | None = optional_attr_def(
        ATOM, "The instruction that combines elements of several threads.", default=None
    )


class ReduceOp(CombiningLayoutOp, ReductionOp, name="nv_tileas.reduce"):
    """One element for each row along a dimension."""

    traits = WITH_BODY


class ScanOp(CombiningLayoutOp, PrefixOp, name="nv_tileas.scan"):
    """Combines for each element the elements before it along a dimension, and itself if ``inclusive``."""

    traits = WITH_BODY


class GenerateOp(LayoutOp, ElementwiseBodyOp, name="nv_tileas.generate"):
    """Tiles whose elements the region computes from their indices and from elements of other tiles."""

    traits = WITH_BODY


class YieldOp(RegionEndOp, name="nv_tileas.yield"):
    """Ends a region with its results."""


class CancelNextProgramIdOp(TileDialectOp, name="nv_tileas.cancel_next_program_id"):
    """Takes over an instance of the program that has not begun yet, if there is one."""

    result: Value = result_def(OneOf((ProgramIdType(),), "program id"), "The instance.")


class PragmaOp(TileDialectOp, name="nv_tileas.pragma"):
    """Directives for the assembler, at the beginning and at the end of what computes the results."""

    enter: tuple[str, ...] | None = optional_attr_def(
        STRINGS, "At the beginning.", ir_name="ocgEnterDirectives", default=None
    )
    leave: tuple[str, ...] | None = optional_attr_def(
        STRINGS, "At the end.", ir_name="ocgLeaveDirectives", default=None
    )
    operands_: tuple[Value, ...] = variadic_operand_def(ANY_TYPE, "The values.", default=())
    results_: tuple[Value, ...] = variadic_result_def(ANY_TYPE, "The same values.")
    traits = (NoMemoryEffect(),)
    verifies_locally = True

    def verify_(self) -> None:
        if self.operand_types != self.result_types:
            raise VerifyError("expects results of the types of the operands")


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
