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

from tilewright.dialects.cuda_tile import types as cuda_tile_types
from tilewright.dialects.nv_tileaa import types as tileaa_types
from tilewright.ir import builtin_types, context as ir_context
from tilewright.ir.attribute import Type
from tilewright.rewrite.conversion import bridges, type_converter


class TileAATypeConverter(type_converter.TypeConverter):
    """Converts types of `cuda_tile` to `nv_tileaa`: a tile to a tensor, or to its element for rank 0;
    pointers and tokens; a tensor view to a memref, and a partition view to a tiled view of it; other views to
    the memref alone. Function types are converted by their parts, other types are unchanged. A pass may
    create only one type converter: a second one is an error.
    """

    def __init__(self, context: ir_context.Context) -> None:
        super().__init__()
        type_converter.claim(self)
        self.add_conversion(cuda_tile_types.TileType, tile_form)
        self.add_conversion(cuda_tile_types.PointerType, pointer_form)
        self.add_conversion(cuda_tile_types.TokenType, lambda _: tileaa_types.MEM_TOKEN)
        self.add_conversion(cuda_tile_types.TensorViewType, memory_form)
        self.add_conversion(
            cuda_tile_types.PartitionViewType,
            lambda type: tileaa_types.TiledViewType(memory_form(type.tensor), type.tile),
        )
        self.add_conversion(cuda_tile_types.StridedViewType, lambda type: memory_form(type.tensor))
        self.add_conversion(cuda_tile_types.GatherScatterViewType, lambda type: memory_form(type.tensor))
        self.add_conversion(builtin_types.FunctionType, self.function_form)
        self.add_conversion(Type, lambda type: type)
        bridge = bridges.cast_materialization(context)
        self.add_source_materialization(bridge)
        self.add_target_materialization(bridge)


def pointer_form(type: cuda_tile_types.PointerType) -> tileaa_types.PtrType:
    """Return the converted type of a pointer, which always points to global memory."""
    return tileaa_types.PtrType(type.pointee, tileaa_types.GLOBAL_SPACE)


def tile_form(type: cuda_tile_types.TileType) -> Type:
    """Return the converted type of a tile: a tensor, or the element type for rank 0."""
    element = type.element_type
    if isinstance(element, cuda_tile_types.PointerType):
        element = pointer_form(element)
    return builtin_types.RankedTensorType(type.shape, element) if type.shape else element


def memory_form(type: cuda_tile_types.TensorViewType) -> tileaa_types.TileMemRefType:
    """Return the converted type of a tensor view: a memref of `nv_tileaa` with the same extents and strides."""
    return tileaa_types.TileMemRefType(type.shape, type.element_type, type.strides)
