"""How elements of tiles are held: in registers, and in memory."""

from __future__ import annotations

from functools import cache
from math import prod

from tilewright.dialects.llvm.types import LLVMPointerType
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import FloatType, IntegerType, RankedTensorType, VectorType
from tilewright.lowering.llvm_types.element_forms import HOST


def is_tile(type: Type) -> bool:
    """Whether a value is a tile and not a scalar."""
    return isinstance(type, RankedTensorType)


def element_of(type: Type) -> Type:
    """The element type of a tile; a scalar's own type."""
    return type.element_type if isinstance(type, RankedTensorType) else type


def shape_of(type: Type) -> tuple[int, ...]:
    """The extents of a tile; none for a scalar."""
    return type.shape if isinstance(type, RankedTensorType) else ()


@cache
def register_type(element: Type) -> Type:
    """What holds an element in a register: its form by the shared converter of types, or the bits of that."""
    return HOST.register(element)


def is_native(element: Type) -> bool:
    """Whether registers hold a float of a format as a float of this format."""
    return isinstance(element, FloatType) and register_type(element) is element


@cache
def memory_type(element: Type) -> Type:
    """What holds an element in memory: integers of less than a byte take one."""
    return HOST.memory(element)


@cache
def size_of(element: Type) -> int:
    """Bytes of an element in memory."""
    held = memory_type(element)
    if isinstance(held, LLVMPointerType):
        return 8
    assert isinstance(held, IntegerType | FloatType)
    return max(1, held.width // 8)


def bytes_of(type: Type) -> int:
    """Bytes of a tile in memory whose elements lie one after the other, or of a scalar."""
    return prod(shape_of(type)) * size_of(element_of(type))


def vector(element: Type, lanes: int) -> Type:
    """A vector of so many elements, or one element alone."""
    return VectorType((lanes,), element) if lanes > 1 else element
