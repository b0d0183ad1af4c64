"""The type constraints of Tile IR operations, worded as the public tools word them."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.dialects.cuda_tile import types as cuda_tile_types
from tilewright.ir import builtin_types
from tilewright.ir.attribute import Type
from tilewright.ir.declaration.attribute_kind import IntegerKind
from tilewright.ir.declaration.constraint import ANY_TYPE, Constraint, IsClass, OneOf


def spelling(element: Type) -> str:
    """Return an element type as diagnostics spell it, such as ``i32`` or ``f8E4M3FN``."""
    return (
        element.spelling
        if isinstance(element, builtin_types.IntegerType | builtin_types.FloatType)
        else str(element)
    )


class TileOf(Constraint):
    """A tile with one of the given element types. ``rank`` is the rank that it must have, None allows any;
    ``word`` names the tile in messages.
    """

    def __init__(self, elements: Sequence[Type], *, rank: int | None = None, word: str = "tile") -> None:
        names = " or ".join(map(spelling, elements))
        prefix = "" if rank is None else f"{rank}D "
        super().__init__(f"{prefix}{word} of {names} values")
        self.elements = tuple(elements)
        self.rank = rank

    def matches(self, type: Type) -> bool:
        return (
            isinstance(type, cuda_tile_types.TileType)
            and type.element_type in self.elements
            and (self.rank is None or len(type.shape) == self.rank)
        )


class PointerTile(Constraint):
    """A tile of pointers, which messages call ``description``. ``rank`` is the rank that it must have; None
    allows any.
    """

    def __init__(self, description: str, *, rank: int | None = None) -> None:
        super().__init__(description)
        self.rank = rank

    def matches(self, type: Type) -> bool:
        return (
            isinstance(type, cuda_tile_types.TileType)
            and isinstance(type.element_type, cuda_tile_types.PointerType)
            and (self.rank is None or len(type.shape) == self.rank)
        )


BASE_FLOAT_TILE = TileOf(cuda_tile_types.BASE_FLOATS)
FLOAT_TILE = TileOf(cuda_tile_types.FLOATS)
INTEGER_TILE = TileOf(cuda_tile_types.INTEGERS)
INTEGER4_TILE = TileOf((*cuda_tile_types.INTEGERS, builtin_types.i4))
NUMBER_TILE = TileOf((*cuda_tile_types.INTEGERS, *cuda_tile_types.FLOATS))
PACKABLE_TILE = TileOf((*cuda_tile_types.INTEGERS, *cuda_tile_types.FLOATS, builtin_types.i4))
BOOLEAN_TILE = TileOf((builtin_types.i1,))
INT8_TILE = TileOf((builtin_types.i8,))
INT64_TILE = TileOf((builtin_types.i64,))
SCALAR_INTEGER = TileOf(cuda_tile_types.INTEGERS, rank=0)
SCALAR_BOOLEAN = TileOf((builtin_types.i1,), rank=0)
SCALAR_INT32 = TileOf((builtin_types.i32,), rank=0)
POINTER_TILE = PointerTile("tile of Pointer type values")
SCALAR_POINTER = PointerTile("0D tile of Pointer type values", rank=0)
ANY_TILE = IsClass(cuda_tile_types.TileType, "Tile type")
TOKEN_TYPE = OneOf((cuda_tile_types.TOKEN,), "cuda tile token type")
TENSOR_VIEW = IsClass(cuda_tile_types.TensorViewType, "tensor view type")
TILE_VIEW = IsClass(cuda_tile_types.TileViewType, "TileView instance")
PARTITION_VIEW = IsClass(cuda_tile_types.PartitionViewType, "partition view type")
STRIDED_VIEW = IsClass(cuda_tile_types.StridedViewType, "strided view type")
GATHER_SCATTER_VIEW = IsClass(cuda_tile_types.GatherScatterViewType, "gather/scatter view type")
ANY = ANY_TYPE


def non_negative_i64() -> IntegerKind:
    """Return the kind of a 64-bit attribute that is not negative, worded as for sizes in bytes or elements."""
    kind = IntegerKind(builtin_types.i64, minimum=0)
    kind.description = "64-bit signless integer attribute whose minimum value is 0"
    return kind
