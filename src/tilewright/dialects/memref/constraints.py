"""The type constraints of memref operations, with MLIR's descriptions."""

from __future__ import annotations

from tilewright.dialects.common.constraints import is_float, is_signless_integer
from tilewright.ir.arithmetic.strided_layout import strides_and_offset
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import (
    MemRefType,
    UnrankedMemRefType,
    i8,
    index,
)
from tilewright.ir.declaration.constraint import IsClass, OneOf, Satisfies


def is_strided(type: Type) -> bool:
    """Return whether a type is a memref with a strided layout."""
    return isinstance(type, MemRefType) and strides_and_offset(type) is not None


def _is_shape(type: Type) -> bool:
    """Return whether a type is a memref of rank 1 with elements of type index or of a signless integer type."""
    if not isinstance(type, MemRefType) or len(type.shape) != 1:
        return False
    return type.element_type is index or is_signless_integer(type.element_type)


def _is_ranked(type: Type) -> bool:
    return isinstance(type, UnrankedMemRefType) or (isinstance(type, MemRefType) and bool(type.shape))


def _is_bytes(type: Type) -> bool:
    return isinstance(type, MemRefType) and len(type.shape) == 1 and type.element_type is i8


MEMREF = IsClass(MemRefType, "memref of any type values")
ANY_MEMREF = IsClass((MemRefType, UnrankedMemRefType), "ranked or unranked memref of any type values")
STRIDED_MEMREF = Satisfies(is_strided, "strided memref of any type values")
STRIDED_SCALAR_MEMREF = Satisfies(
    lambda type: is_strided(type) and isinstance(type, MemRefType) and not type.shape,
    "strided memref of any type values of rank 0",
)
STATIC_MEMREF = Satisfies(
    lambda type: isinstance(type, MemRefType) and type.has_static_shape,
    "statically shaped memref of any type values",
)
VECTOR_MEMREF = Satisfies(
    lambda type: isinstance(type, MemRefType) and len(type.shape) == 1, "1D memref of any type values"
)
BYTES = Satisfies(_is_bytes, "1D memref of 8-bit signless integer values")
SHAPE_MEMREF = Satisfies(_is_shape, "1D memref of signless integer or index values")
RANKED_OR_UNRANKED = Satisfies(
    _is_ranked, "unranked.memref of any type values or non-0-ranked.memref of any type values"
)
NUMBER = Satisfies(
    lambda type: is_signless_integer(type) or is_float(type), "signless integer or floating-point"
)
NUMBER_MEMREF = Satisfies(
    lambda type: isinstance(type, MemRefType) and NUMBER.matches(type.element_type),
    "memref of signless integer or floating-point values",
)
INDEX = OneOf((index,), "index")
