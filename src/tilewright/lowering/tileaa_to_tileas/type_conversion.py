"""The one type converter of the conversion from `nv_tileaa` to `nv_tileas`, and what "TileAS form" means.

| type | TileAS form |
|---|---|
| tile (tensor with all extents known) | itself; arithmetic on it belongs to `nv_tileas` |
| tensor with unknown extents | none |
| pointer to something | `!llvm.ptr` into the same address space; tiles of pointers stay as they are |
| tiled view of a memory object | `!nv_tileas.tiled_view` in global memory |
| everything else (scalars, memory objects, queues, tokens) | itself |
"""

from __future__ import annotations

from tilewright.dialects.llvm.types import LLVMPointerType
from tilewright.dialects.nv_tileaa.constraints import is_tile
from tilewright.dialects.nv_tileaa.types import PtrType, TiledViewType as SourceViewType, TileMemRefType
from tilewright.dialects.nv_tileas.types import Residency, TiledViewType
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import FunctionType, RankedTensorType, UnrankedTensorType
from tilewright.ir.context import Context
from tilewright.ir.operation import Operation
from tilewright.rewrite.conversion import bridges, type_converter


class TileASTypeConverter(type_converter.TypeConverter):
    """Converts types to TileAS form: pointers to pointers of LLVM in the same address space, unless
    ``opaque_pointers`` is False; tiled views to views of `nv_tileas` in global memory; function types by
    their parts. Tensors with unknown extents are refused, other types are unchanged. A pass may create only
    one type converter: a second one is an error.
    """

    def __init__(self, context: Context, *, opaque_pointers: bool = True) -> None:
        super().__init__()
        type_converter.claim(self)
        self.add_conversion(RankedTensorType, lambda type: type if is_tile(type) else type_converter.REFUSED)
        self.add_conversion(UnrankedTensorType, lambda _: type_converter.REFUSED)
        if opaque_pointers:
            self.add_conversion(PtrType, lambda type: LLVMPointerType(type.address_space))
        self.add_conversion(SourceViewType, _view)
        self.add_conversion(FunctionType, self.function_form)
        self.add_conversion(Type, lambda type: type)
        bridge = bridges.cast_materialization(context)
        self.add_source_materialization(bridge)
        self.add_target_materialization(bridge)

    def has_tileas_form(self, op: Operation) -> bool:
        """Return whether all operands and results of an operation have types in TileAS form."""
        return self.is_legal(op)

    def is_free_of_tiles(self, op: Operation) -> bool:
        """Return whether an operation of `arith` is legal: its values have types in TileAS form, and none of
        them is a tile.
        """
        tiles = any(isinstance(type, RankedTensorType) for type in (*op.operand_types, *op.result_types))
        return not tiles and self.is_legal(op)


def _view(type: SourceViewType) -> type_converter.Converted:
    if not isinstance(type.source, TileMemRefType):
        return type_converter.REFUSED
    return TiledViewType(type.source.element_type, type.shape, Residency.GLOBAL, type.layout)
