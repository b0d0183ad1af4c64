"""The representations of elements of tiles: in registers, and in memory."""

from __future__ import annotations

from functools import cache
from math import prod

from tilewright.dialects.llvm.types import LLVMPointerType
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import FloatType, IntegerType, RankedTensorType, VectorType
from tilewright.lowering.llvm_types.element_forms import HOST


def is_tile(type: Type) -> bool:
    """Return whether a type is a tile type, not a scalar type."""
    return isinstance(type, RankedTensorType)


def element_of(type: Type) -> Type:
    """Return the element type of a tile; a scalar's own type."""
    return type.element_type if isinstance(type, RankedTensorType) else type


def shape_of(type: Type) -> tuple[int, ...]:
    """Return the shape of a tile; `()` for a scalar."""
    return type.shape if isinstance(type, RankedTensorType) else ()


@cache
def register_type(element: Type) -> Type:
    """Return the type that holds an element in a register of the host: LLVM's type, f32 for tf32, and an
    integer with the bits of bf16 and of formats that LLVM lacks (at least 8 bits).
    """
    return HOST.register(element)


def is_native(element: Type) -> bool:
    """Return whether an element is a float that registers hold in LLVM's float type of its format; False for
    bf16.
    """
    return isinstance(element, FloatType) and register_type(element) is element


@cache
def memory_type(element: Type) -> Type:
    """Return the type of an element in memory: its register type, but a byte for integers of fewer bits."""
    return HOST.memory(element)


@cache
def size_of(element: Type) -> int:
    """Return the size of an element in memory in bytes."""
    held = memory_type(element)
    if isinstance(held, LLVMPointerType):
        return 8
    assert isinstance(held, IntegerType | FloatType)
    return max(1, held.width // 8)


def bytes_of(type: Type) -> int:
    """Return the size in bytes of a contiguous tile in memory, or of a scalar."""
    return prod(shape_of(type)) * size_of(element_of(type))


def vector(element: Type, lanes: int) -> Type:
    """Return a vector type of `lanes` elements, or the element type for a single lane."""
    return VectorType((lanes,), element) if lanes > 1 else element
