"""Memory objects and views of them, globals, constants, tiles made of scalars."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from tilewright.dialects.common.functions import Symbols, VerifiesSymbolUses
from tilewright.dialects.common.kinds import TypedKind
from tilewright.dialects.common.traits import SymbolWithVisibility
from tilewright.dialects.nv_tileaa.attributes import ActivationLayout, ActivationLayoutAttr, ConvParamsAttr
from tilewright.dialects.nv_tileaa.constraints import (
    AXIS,
    COUNT,
    DIMENSION_GROUPS,
    ELEMENT,
    ELEMENT_LIKE,
    EXTENTS,
    INDEX,
    INTEGER_LIKE,
    MEMREF,
    POINTER,
    TEXT,
    TILE,
    VIEW,
    TileDialectOp,
    element_of,
    is_pointer,
    shape_of,
)
from tilewright.dialects.nv_tileaa.rules.shape import (
    check_channel,
    check_memory_object,
    check_tiled_view,
    check_tiling,
)
from tilewright.dialects.nv_tileaa.types import TileMemRefType
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.block import Region
from tilewright.ir.builtin_attributes import DenseElementsAttr
from tilewright.ir.builtin_types import DYNAMIC
from tilewright.ir.declaration.attribute_kind import (
    ElementsKind,
    EnumKind,
    InstanceKind,
    SymbolNameKind,
    SymbolRefKind,
)
from tilewright.ir.declaration.fields import (
    attr_def,
    flag_def,
    operand_def,
    optional_attr_def,
    optional_operand_def,
    result_def,
    variadic_operand_def,
)
from tilewright.ir.declaration.traits import ConstantLike, NoMemoryEffect, Pure, VerifyError
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

TILE_SIZES = "How many elements a tile has along each of its dimensions."
DIM_GROUPS = "The dimensions of the memory object that each dimension of the tile cuts."


class MakeMemrefOp(TileDialectOp, name="nv_tileaa.make_memref"):
    """A strided memory object: a pointer with extents and strides."""

    base: Value = operand_def(POINTER, "Where the first element is.")
    offset: Value | None = optional_operand_def(
        INDEX, "Elements between the pointer and the first element.", default=None
    )
    sizes: tuple[Value, ...] = variadic_operand_def(
        INDEX, "The extents that the type leaves open, in order.", default=()
    )
    strides: tuple[Value, ...] = variadic_operand_def(
        INDEX, "The strides that the type leaves open, in order.", default=()
    )
    alias_scope: int | None = optional_attr_def(
        COUNT, "The scope; memory objects of different scopes do not overlap.", default=None
    )
    result: Value = result_def(MEMREF, "The memory object.")
    traits = (Pure(),)
    verifies_locally = True

    def verify_(self) -> None:
        check_memory_object(self)


class GetDimSizeOp(TileDialectOp, name="nv_tileaa.get_dim_size"):
    """The extent of one dimension of a memory object."""

    source: Value = operand_def(MEMREF, "The memory object.")
    dim: int = attr_def(AXIS, "Which dimension.")
    result: Value = result_def(INDEX, "The extent.")
    traits = (Pure(),)
    verifies_locally = True

    def verify_(self) -> None:
        rank = len(_memory(self.source.type).shape)
        if self.dim >= rank:
            raise VerifyError(f"expects a dimension from 0 to {rank - 1}, but got {self.dim}")


def _memory(type: Type) -> TileMemRefType:
    assert isinstance(type, TileMemRefType), "the operand constraint holds"
    return type


def size_operand(op: MakeMemrefOp, dim: int) -> Value | None:
    """Return the operand that holds an extent of a memory object; None for an extent that the type states."""
    shape = _memory(op.result.type).shape
    return op.sizes[shape[:dim].count(DYNAMIC)] if shape[dim] == DYNAMIC else None


class BlockTileOp(TileDialectOp, name="nv_tileaa.block_tile"):
    """A memory object seen as a grid of tiles."""

    source: Value = operand_def(MEMREF, "The memory object.")
    tile_sizes: tuple[int, ...] = attr_def(EXTENTS, TILE_SIZES, ir_name="tileSizes")
    dim_groups: tuple[tuple[int, ...], ...] = attr_def(DIMENSION_GROUPS, DIM_GROUPS, ir_name="dimGroups")
    result: Value = result_def(VIEW, "The view.")
    traits = (Pure(),)
    verifies_locally = True

    def verify_(self) -> None:
        check_tiling(self.tile_sizes, self.dim_groups, len(_memory(self.source.type).shape))
        check_tiled_view(self.source.type, self.result.type, self.tile_sizes)


class ConvTileOp(TileDialectOp, name="nv_tileaa.conv_tile"):
    """The input of a convolution as a grid of tiles: each holds the elements from which one output tile is computed."""

    source: Value = operand_def(MEMREF, "The memory object.")
    tile_sizes: tuple[int, ...] = attr_def(EXTENTS, TILE_SIZES, ir_name="tileSizes")
    dim_groups: tuple[tuple[int, ...], ...] = attr_def(DIMENSION_GROUPS, DIM_GROUPS, ir_name="dimGroups")
    conv_params: ConvParamsAttr = attr_def(
        InstanceKind(ConvParamsAttr, "parameters of a convolution"), "Filter, stride, padding, dilation."
    )
    activation_layout: ActivationLayout = attr_def(
        EnumKind(ActivationLayoutAttr), "The order of the dimensions of the memory object."
    )
    result: Value = result_def(VIEW, "The view.")
    traits = (Pure(),)
    verifies_locally = True

    def verify_(self) -> None:
        rank = len(_memory(self.source.type).shape)
        check_tiling(self.tile_sizes, self.dim_groups, rank)
        spatial = len(self.conv_params.filter)
        layout = self.activation_layout.name
        if len(layout) != rank or spatial != rank - 2:
            raise VerifyError(
                f"expects a filter and a layout of rank {rank}, but got {spatial} extents and {layout}"
            )
        check_channel(self.dim_groups, layout.index("C"))
        check_tiled_view(self.source.type, self.result.type, self.tile_sizes)


class GlobalOp(TileDialectOp, name="nv_tileaa.global"):
    """Named memory of the module; ``value`` is its contents when the module is loaded."""

    sym_name: str = attr_def(SymbolNameKind(), "The name.")
    value: DenseElementsAttr = attr_def(ElementsKind(), "The elements; its type says how many there are.")
    sym_visibility: str | None = optional_attr_def(TEXT, "The visibility of the memory's name.", default=None)
    alignment: int | None = optional_attr_def(
        COUNT, "The alignment in bytes, a power of two; absent: an element's.", default=None
    )
    constant: bool = flag_def("The memory is never written to.", default=False)
    traits = (SymbolWithVisibility(),)


class GetGlobalOp(TileDialectOp, name="nv_tileaa.get_global"):
    """The address of memory with a name."""

    global_name: str = attr_def(SymbolRefKind(), "The name.", ir_name="name")
    result: Value = result_def(POINTER, "The address of the first element.")
    traits = (Pure(), VerifiesSymbolUses())

    def verify_symbol_uses(self, symbols: Symbols) -> None:
        """Raise `VerifyError` unless the symbol is a global."""
        if not isinstance(symbols.get(self.global_name), GlobalOp):
            raise VerifyError(f"'{self.global_name}' does not reference a valid global")


class ConstantTensorOp(TileDialectOp, name="nv_tileaa.constant_tensor"):
    """A tile whose elements are known and not all the same.

    Accounts of the dialect leave the operation out, and yet dense constants have nowhere else to go.
    """

    value: DenseElementsAttr = attr_def(ElementsKind(), "The elements.")
    result: Value = result_def(TILE, "The tile.")
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


class SplatOp(TileDialectOp, name="nv_tileaa.splat"):
    """A tile whose elements all equal one scalar: an operand, or a constant."""

    source: Value | None = optional_operand_def(ELEMENT, "The scalar.", default=None)
    value: Attribute | None = optional_attr_def(
        TypedKind(), "The number, where there is no operand.", default=None
    )
    result: Value = result_def(TILE, "The tile.")
    traits = (Pure(),)
    verifies_locally = True

    def verify_(self) -> None:
        if (self.source is None) == (self.value is None):
            raise VerifyError("expects either an operand or the attribute 'value'")
        given = self.source.type if self.source is not None else getattr(self.value, "type", None)
        element = element_of(self.result.type)
        if given is not element and not (given is not None and is_pointer(given) and is_pointer(element)):
            raise VerifyError(f"expects a tile of {given}, got '{self.result.type}'")


class ExtractOp(TileDialectOp, name="nv_tileaa.extract"):
    """One element of a tile."""

    source: Value = operand_def(ELEMENT_LIKE, "The tile.")
    indices: tuple[Value, ...] = variadic_operand_def(
        INDEX, "The index of the element: one number per dimension.", default=()
    )
    result: Value = result_def(ELEMENT, "The element.")
    traits = (Pure(),)
    verifies_locally = True

    def verify_(self) -> None:
        rank = len(shape_of(self.source.type))
        if len(self.indices) != rank:
            raise VerifyError(f"expects {rank} indices, but got {len(self.indices)}")
        element, result = element_of(self.source.type), self.result.type
        if element is not result and not (is_pointer(element) and is_pointer(result)):
            raise VerifyError(f"expects a result of {element}, got {result}")


class MakeRangeOp(TileDialectOp, name="nv_tileaa.make_range"):
    """The numbers from ``lower`` up to, not including, ``upper``."""

    lower: Value = operand_def(INDEX, "The first number.")
    upper: Value = operand_def(INDEX, "Where the numbers end; ``lower`` and the extent of the tile.")
    result: Value = result_def(INTEGER_LIKE, "A tile of rank 1.")
    traits = (NoMemoryEffect(),)
    verifies_locally = True

    def verify_(self) -> None:
        if len(shape_of(self.result.type)) != 1:
            raise VerifyError(f"expects a result of rank 1, got '{self.result.type}'")
        types = {self.lower.type, self.upper.type, element_of(self.result.type)}
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
