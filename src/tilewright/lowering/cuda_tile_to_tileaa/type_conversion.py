"""The one type converter of the conversion from `cuda_tile` to `nv_tileaa`.

| type | what becomes of it |
|---|---|
| tile of rank 0 | the bare element |
| other tile | tensor of the same extents |
| pointer | `!nv_tileaa.ptr` into global memory |
| token | `!nv_tileaa.mem_token` |
| tensor view | `!nv_tileaa.memref` with the same extents and strides |
| partition view | `!nv_tileaa.tiled_view` of that memory object |
| strided and gather/scatter views | the memory object itself: each access says which part it means |
"""

from __future__ import annotations

from tilewright.dialects.cuda_tile.types import (
    GatherScatterViewType,
    PartitionViewType,
    PointerType,
    StridedViewType,
    TensorViewType,
    TileType,
    TokenType,
)
from tilewright.dialects.nv_tileaa.types import (
    GLOBAL_SPACE,
    MEM_TOKEN,
    PtrType,
    TiledViewType,
    TileMemRefType,
)
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import FunctionType, RankedTensorType
from tilewright.ir.context import Context
from tilewright.rewrite.conversion.bridges import cast_materialization
from tilewright.rewrite.conversion.type_converter import TypeConverter, claim


class TileAATypeConverter(TypeConverter):
    """The type converter of this file.

    Constructing it claims it for the pass that runs: a second converter in the same pass is an error.
    """

    def __init__(self, context: Context) -> None:
        super().__init__()
        claim(self)
        self.add_conversion(TileType, tile_form)
        self.add_conversion(PointerType, pointer_form)
        self.add_conversion(TokenType, lambda _: MEM_TOKEN)
        self.add_conversion(TensorViewType, memory_form)
        self.add_conversion(
            PartitionViewType, lambda type: TiledViewType(memory_form(type.tensor), type.tile)
        )
        self.add_conversion(StridedViewType, lambda type: memory_form(type.tensor))
        self.add_conversion(GatherScatterViewType, lambda type: memory_form(type.tensor))
        self.add_conversion(FunctionType, self.function_form)
        self.add_conversion(Type, lambda type: type)
        bridge = cast_materialization(context)
        self.add_source_materialization(bridge)
        self.add_target_materialization(bridge)


def pointer_form(type: PointerType) -> PtrType:
    """Return the converted pointer type, which always points to global memory.

    Only operations that use a pointer depend on its mapping.
    """
    return PtrType(type.pointee, GLOBAL_SPACE)


def tile_form(type: TileType) -> Type:
    """Return a tensor, or the bare element."""
    element = type.element_type
    if isinstance(element, PointerType):
        element = pointer_form(element)
    return RankedTensorType(type.shape, element) if type.shape else element


def memory_form(type: TensorViewType) -> TileMemRefType:
    """Return a strided memory object."""
    return TileMemRefType(type.shape, type.element_type, type.strides)
