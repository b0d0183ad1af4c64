"""How elements of tiles are held: in registers, and in memory."""

from __future__ import annotations

from functools import cache
from math import prod

from tilewright.dialects.llvm.types import LLVMPointerType
from tilewright.dialects.nv_tileaa.types import PtrType
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import (
    FloatType,
    IndexType,
    IntegerType,
    RankedTensorType,
    VectorType,
    f16,
    f32,
    f64,
    i8,
    i16,
    i64,
)
from tilewright.targets.llvm.code import POINTER

NATIVE = (f16, f32, f64)
"""Floating-point types that values of LLVM have.  A bf16 is its bits, as the formats that LLVM lacks are: for a mere copy of
a `bfloat` LLVM may convert it to f32 and back, which processors with AVX512-BF16 do without subnormal numbers."""
HELD_IN: dict[int, FloatType | IntegerType] = {4: i8, 6: i8, 8: i8, 16: i16, 19: f32}
"""What holds a float of another type in a register, by its width."""
PACKED_BITS = 4
"""The width of elements of which two share a byte in memory of the program."""


def is_tile(type: Type) -> bool:
    """Whether a value is a tile and not a scalar."""
    return isinstance(type, RankedTensorType)


def element_of(type: Type) -> Type:
    """The element type of a tile; a scalar's own type."""
    return type.element_type if isinstance(type, RankedTensorType) else type


def shape_of(type: Type) -> tuple[int, ...]:
    """The extents of a tile; none for a scalar."""
    return type.shape if isinstance(type, RankedTensorType) else ()


def is_packed(element: Type) -> bool:
    """Whether two elements share a byte in memory of the program."""
    return isinstance(element, IntegerType | FloatType) and element.width == PACKED_BITS


@cache
def register_type(element: Type) -> Type:
    """What holds an element in a register: floats that are not native are their bits, tf32 is an f32."""
    if isinstance(element, IndexType):
        return i64
    if isinstance(element, PtrType | LLVMPointerType):
        return POINTER
    if isinstance(element, FloatType) and element not in NATIVE:
        return HELD_IN[element.width]
    return element


@cache
def memory_type(element: Type) -> Type:
    """What holds an element in memory: integers of less than a byte take one."""
    held = register_type(element)
    return i8 if isinstance(held, IntegerType) and held.width < i8.width else held


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
