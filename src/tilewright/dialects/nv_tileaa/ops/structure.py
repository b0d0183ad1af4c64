"""Memory objects and views of them, globals, constants, tiles made of scalars."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from tilewright.dialects.common import functions, kinds, traits as common_traits
from tilewright.dialects.nv_tileaa import constraints as tileaa_constraints, types as tileaa_types
from tilewright.dialects.nv_tileaa.attributes import ActivationLayout, ActivationLayoutAttr, ConvParamsAttr
from tilewright.dialects.nv_tileaa.rules import shape as shape_rules
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.block import Region
from tilewright.ir.builtin_attributes import DenseElementsAttr
from tilewright.ir.builtin_types import DYNAMIC
from tilewright.ir.declaration import attribute_kind, fields
from tilewright.ir.declaration.traits import ConstantLike, NoMemoryEffect, Pure, VerifyError
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

TILE_SIZES = "How many elements a tile has along each of its dimensions."
DIM_GROUPS = "The dimensions of the memory object that each dimension of the tile cuts."


class MakeMemrefOp(tileaa_constraints.TileDialectOp, name="nv_tileaa.make_memref"):
    """Creates a strided memory object from a pointer and an optional offset in elements. `sizes` and
    `strides` have the extents and strides that are dynamic in the result type, in order.
    """

    base: Value = fields.operand_def(tileaa_constraints.POINTER, "Where the first element is.")
    offset: Value | None = fields.optional_operand_def(
        tileaa_constraints.INDEX, "Elements between the pointer and the first element.", default=None
    )
    sizes: tuple[Value, ...] = fields.variadic_operand_def(
        tileaa_constraints.INDEX, "The extents that the type leaves open, in order.", default=()
    )
    strides: tuple[Value, ...] = fields.variadic_operand_def(
        tileaa_constraints.INDEX, "The strides that the type leaves open, in order.", default=()
    )
    alias_scope: int | None = fields.optional_attr_def(
        tileaa_constraints.COUNT,
        "The scope; memory objects of different scopes do not overlap.",
        default=None,
    )
    result: Value = fields.result_def(tileaa_constraints.MEMREF, "The memory object.")
    traits = (Pure(),)
    verifies_locally = True

    def verify_(self) -> None:
        shape_rules.check_memory_object(self)


class GetDimSizeOp(tileaa_constraints.TileDialectOp, name="nv_tileaa.get_dim_size"):
    """Returns the extent of one dimension of a memory object."""

    source: Value = fields.operand_def(tileaa_constraints.MEMREF, "The memory object.")
    dim: int = fields.attr_def(tileaa_constraints.AXIS, "Which dimension.")
    result: Value = fields.result_def(tileaa_constraints.INDEX, "The extent.")
    traits = (Pure(),)
    verifies_locally = True

    def verify_(self) -> None:
        rank = len(_memory(self.source.type).shape)
        if self.dim >= rank:
            raise VerifyError(f"expects a dimension from 0 to {rank - 1}, but got {self.dim}")


def _memory(type: Type) -> tileaa_types.TileMemRefType:
    assert isinstance(type, tileaa_types.TileMemRefType), "the operand constraint holds"
    return type


def size_operand(op: MakeMemrefOp, dim: int) -> Value | None:
    """Return the operand of `op` that is the extent of dimension `dim` of the memory object; None if the
    extent is static.
    """
    shape = _memory(op.result.type).shape
    return op.sizes[shape[:dim].count(DYNAMIC)] if shape[dim] == DYNAMIC else None


class BlockTileOp(tileaa_constraints.TileDialectOp, name="nv_tileaa.block_tile"):
    """Creates a view that divides a memory object into a grid of tiles of the shape `tile_sizes`. For each
    dimension of a tile, `dim_groups` has the dimensions of the memory object that it divides.
    """

    source: Value = fields.operand_def(tileaa_constraints.MEMREF, "The memory object.")
    tile_sizes: tuple[int, ...] = fields.attr_def(tileaa_constraints.EXTENTS, TILE_SIZES, ir_name="tileSizes")
    dim_groups: tuple[tuple[int, ...], ...] = fields.attr_def(
        tileaa_constraints.DIMENSION_GROUPS, DIM_GROUPS, ir_name="dimGroups"
    )
    result: Value = fields.result_def(tileaa_constraints.VIEW, "The view.")
    traits = (Pure(),)
    verifies_locally = True

    def verify_(self) -> None:
        shape_rules.check_tiling(self.tile_sizes, self.dim_groups, len(_memory(self.source.type).shape))
        shape_rules.check_tiled_view(self.source.type, self.result.type, self.tile_sizes)


class ConvTileOp(tileaa_constraints.TileDialectOp, name="nv_tileaa.conv_tile"):
    """Creates a view that divides the input of a convolution into tiles: each holds the elements from which
    one output tile is computed.
    """

    source: Value = fields.operand_def(tileaa_constraints.MEMREF, "The memory object.")
    tile_sizes: tuple[int, ...] = fields.attr_def(tileaa_constraints.EXTENTS, TILE_SIZES, ir_name="tileSizes")
    dim_groups: tuple[tuple[int, ...], ...] = fields.attr_def(
        tileaa_constraints.DIMENSION_GROUPS, DIM_GROUPS, ir_name="dimGroups"
    )
    conv_params: ConvParamsAttr = fields.attr_def(
        attribute_kind.InstanceKind(ConvParamsAttr, "parameters of a convolution"),
        "Filter, stride, padding, dilation.",
    )
    activation_layout: ActivationLayout = fields.attr_def(
        attribute_kind.EnumKind(ActivationLayoutAttr), "The order of the dimensions of the memory object."
    )
    result: Value = fields.result_def(tileaa_constraints.VIEW, "The view.")
    traits = (Pure(),)
    verifies_locally = True

    def verify_(self) -> None:
        rank = len(_memory(self.source.type).shape)
        shape_rules.check_tiling(self.tile_sizes, self.dim_groups, rank)
        spatial = len(self.conv_params.filter)
        layout = self.activation_layout.name
        if len(layout) != rank or spatial != rank - 2:
            raise VerifyError(
                f"expects a filter and a layout of rank {rank}, but got {spatial} extents and {layout}"
            )
        shape_rules.check_channel(self.dim_groups, layout.index("C"))
        shape_rules.check_tiled_view(self.source.type, self.result.type, self.tile_sizes)


class GlobalOp(tileaa_constraints.TileDialectOp, name="nv_tileaa.global"):
    """A global variable; ``value`` is its contents when the module is loaded."""

    sym_name: str = fields.attr_def(attribute_kind.SymbolNameKind(), "The name.")
    value: DenseElementsAttr = fields.attr_def(
        attribute_kind.ElementsKind(), "The elements; its type says how many there are."
    )
    sym_visibility: str | None = fields.optional_attr_def(
        tileaa_constraints.TEXT, "The visibility of the memory's name.", default=None
    )
    alignment: int | None = fields.optional_attr_def(
        tileaa_constraints.COUNT,
        "The alignment in bytes, a power of two; absent: an element's.",
        default=None,
    )
    constant: bool = fields.flag_def("The memory is never written to.", default=False)
    traits = (common_traits.SymbolWithVisibility(),)


class GetGlobalOp(tileaa_constraints.TileDialectOp, name="nv_tileaa.get_global"):
    """Returns the address of a global variable."""

    global_name: str = fields.attr_def(attribute_kind.SymbolRefKind(), "The name.", ir_name="name")
    result: Value = fields.result_def(tileaa_constraints.POINTER, "The address of the first element.")
    traits = (Pure(), functions.VerifiesSymbolUses())

    def verify_symbol_uses(self, symbols: functions.Symbols) -> None:
        """Raise `VerifyError` unless the symbol is a global."""
        if not isinstance(symbols.get(self.global_name), GlobalOp):
            raise VerifyError(f"'{self.global_name}' does not reference a valid global")


class ConstantTensorOp(tileaa_constraints.TileDialectOp, name="nv_tileaa.constant_tensor"):
    """Returns the constant tile `value`. A tile whose elements are all equal is usually a `splat`."""

    value: DenseElementsAttr = fields.attr_def(attribute_kind.ElementsKind(), "The elements.")
    result: Value = fields.result_def(tileaa_constraints.TILE, "The tile.")
    result_names: ClassVar[tuple[str, ...]] = ("cst",)
    traits = (ConstantLike(), Pure())
    verifies_locally = True

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Mapping[str, Attribute], regions: Sequence[Region]
    ) -> Sequence[Type]:
        value = attributes["value"]
        assert isinstance(value, DenseElementsAttr), "the attribute constraint holds"
        return [value.type]

    def verify_(self) -> None:
        if self.value.type is not self.result.type:
            raise VerifyError(f"expects a result of type '{self.value.type}', got '{self.result.type}'")


class SplatOp(tileaa_constraints.TileDialectOp, name="nv_tileaa.splat"):
    """Returns a tile whose elements all equal one scalar: the operand `source`, or the constant `value`;
    exactly one of the two is given.
    """

    source: Value | None = fields.optional_operand_def(
        tileaa_constraints.ELEMENT, "The scalar.", default=None
    )
    value: Attribute | None = fields.optional_attr_def(
        kinds.TypedKind(), "The number, where there is no operand.", default=None
    )
    result: Value = fields.result_def(tileaa_constraints.TILE, "The tile.")
    traits = (Pure(),)
    verifies_locally = True

    def verify_(self) -> None:
        if (self.source is None) == (self.value is None):
            raise VerifyError("expects either an operand or the attribute 'value'")
        given = self.source.type if self.source is not None else getattr(self.value, "type", None)
        element = tileaa_constraints.element_of(self.result.type)
        if given is not element and not (
            given is not None
            and tileaa_constraints.is_pointer(given)
            and tileaa_constraints.is_pointer(element)
        ):
            raise VerifyError(f"expects a tile of {given}, got '{self.result.type}'")


class ExtractOp(tileaa_constraints.TileDialectOp, name="nv_tileaa.extract"):
    """Extracts the element of a tile at `indices`, one number per dimension; none for a scalar."""

    source: Value = fields.operand_def(tileaa_constraints.ELEMENT_LIKE, "The tile.")
    indices: tuple[Value, ...] = fields.variadic_operand_def(
        tileaa_constraints.INDEX, "The index of the element: one number per dimension.", default=()
    )
    result: Value = fields.result_def(tileaa_constraints.ELEMENT, "The element.")
    traits = (Pure(),)
    verifies_locally = True

    def verify_(self) -> None:
        rank = len(tileaa_constraints.shape_of(self.source.type))
        if len(self.indices) != rank:
            raise VerifyError(f"expects {rank} indices, but got {len(self.indices)}")
        element, result = tileaa_constraints.element_of(self.source.type), self.result.type
        if element is not result and not (
            tileaa_constraints.is_pointer(element) and tileaa_constraints.is_pointer(result)
        ):
            raise VerifyError(f"expects a result of {element}, got {result}")


class MakeRangeOp(tileaa_constraints.TileDialectOp, name="nv_tileaa.make_range"):
    """Returns a tile of rank 1 with the numbers from ``lower`` up to, not including, ``upper``. The elements
    have the type of the limits.
    """

    lower: Value = fields.operand_def(tileaa_constraints.INDEX, "The first number.")
    upper: Value = fields.operand_def(
        tileaa_constraints.INDEX, "Where the numbers end; ``lower`` and the extent of the tile."
    )
    result: Value = fields.result_def(tileaa_constraints.INTEGER_LIKE, "A tile of rank 1.")
    traits = (NoMemoryEffect(),)
    verifies_locally = True

    def verify_(self) -> None:
        if len(tileaa_constraints.shape_of(self.result.type)) != 1:
            raise VerifyError(f"expects a result of rank 1, got '{self.result.type}'")
        types = {self.lower.type, self.upper.type, tileaa_constraints.element_of(self.result.type)}
        if len(types) > 1:
            raise VerifyError("expects limits and elements to have the same type")


OPERATIONS: tuple[type[Operation], ...] = (
    MakeMemrefOp,
    GetDimSizeOp,
    BlockTileOp,
    ConvTileOp,
    GlobalOp,
    GetGlobalOp,
    ConstantTensorOp,
    SplatOp,
    ExtractOp,
    MakeRangeOp,
)
