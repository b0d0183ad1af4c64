"""The type constraints of Tile IR operations, worded as the public tools word them."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.dialects.cuda_tile.types import (
    BASE_FLOATS,
    FLOATS,
    INTEGERS,
    TOKEN,
    GatherScatterViewType,
    PartitionViewType,
    PointerType,
    StridedViewType,
    TensorViewType,
    TileType,
    TileViewType,
)
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import FloatType, IntegerType, i1, i4, i8, i32, i64
from tilewright.ir.declaration.attribute_kind import IntegerKind
from tilewright.ir.declaration.constraint import ANY_TYPE, Constraint, IsClass, OneOf


def spelling(element: Type) -> str:
    """Return an element type as diagnostics spell it."""
    return element.spelling if isinstance(element, IntegerType | FloatType) else str(element)


class TileOf(Constraint):
    """A tile over one of the given element types; ``rank`` restricts its rank, ``word`` is its name in messages."""

    def __init__(self, elements: Sequence[Type], *, rank: int | None = None, word: str = "tile") -> None:
        names = " or ".join(map(spelling, elements))
        prefix = "" if rank is None else f"{rank}D "
        super().__init__(f"{prefix}{word} of {names} values")
        self.elements = tuple(elements)
        self.rank = rank

    def matches(self, type: Type) -> bool:
        return (
            isinstance(type, TileType)
            and type.element_type in self.elements
            and (self.rank is None or len(type.shape) == self.rank)
        )


class PointerTile(Constraint):
    """A tile of pointers; ``rank`` restricts its rank."""

    def __init__(self, description: str, *, rank: int | None = None) -> None:
        super().__init__(description)
        self.rank = rank

    def matches(self, type: Type) -> bool:
        return (
            isinstance(type, TileType)
            and isinstance(type.element_type, PointerType)
            and (self.rank is None or len(type.shape) == self.rank)
        )


BASE_FLOAT_TILE = TileOf(BASE_FLOATS)
FLOAT_TILE = TileOf(FLOATS)
INTEGER_TILE = TileOf(INTEGERS)
INTEGER4_TILE = TileOf((*INTEGERS, i4))
NUMBER_TILE = TileOf((*INTEGERS, *FLOATS))
PACKABLE_TILE = TileOf((*INTEGERS, *FLOATS, i4))
BOOLEAN_TILE = TileOf((i1,))
INT8_TILE = TileOf((i8,))
INT64_TILE = TileOf((i64,))
SCALAR_INTEGER = TileOf(INTEGERS, rank=0)
SCALAR_BOOLEAN = TileOf((i1,), rank=0)
SCALAR_INT32 = TileOf((i32,), rank=0)
POINTER_TILE = PointerTile("tile of Pointer type values")
SCALAR_POINTER = PointerTile("0D tile of Pointer type values", rank=0)
ANY_TILE = IsClass(TileType, "Tile type")
TOKEN_TYPE = OneOf((TOKEN,), "cuda tile token type")
TENSOR_VIEW = IsClass(TensorViewType, "tensor view type")
TILE_VIEW = IsClass(TileViewType, "TileView instance")
PARTITION_VIEW = IsClass(PartitionViewType, "partition view type")
STRIDED_VIEW = IsClass(StridedViewType, "strided view type")
GATHER_SCATTER_VIEW = IsClass(GatherScatterViewType, "gather/scatter view type")
ANY = ANY_TYPE


def non_negative_i64() -> IntegerKind:
    """Return the kind of a 64-bit attribute that is not negative, worded as for sizes in bytes or elements."""
    kind = IntegerKind(i64, minimum=0)
    kind.description = "64-bit signless integer attribute whose minimum value is 0"
    return kind
