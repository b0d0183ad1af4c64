"""The type constraints of GPU operations, described in MLIR's words."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.dialects.gpu.types import TOKEN, MMAMatrixType
from tilewright.ir import builtin_types
from tilewright.ir.attribute import Type
from tilewright.ir.declaration.constraint import Constraint, IsClass, OneOf, Satisfies

SIGNED8, UNSIGNED8 = builtin_types.IntegerType(8, "signed"), builtin_types.IntegerType(8, "unsigned")


def is_number(type: Type) -> bool:
    """Return whether a type is an integer or a float."""
    return isinstance(type, builtin_types.IntegerType | builtin_types.FloatType)


def _is_number_or_vector(type: Type) -> bool:
    if isinstance(type, builtin_types.VectorType):
        return len(type.shape) == 1 and not type.scalable and is_number(type.element_type)
    return is_number(type)


class MatrixOf(Constraint):
    """The constraint for a `gpu.mma_matrix` over one of the given element types."""

    def __init__(self, *elements: Type) -> None:
        super().__init__(f"gpu.mma_matrix of {_words(elements)} values")
        self.elements = elements

    def matches(self, type: Type) -> bool:
        return isinstance(type, MMAMatrixType) and type.element_type in self.elements


_WORDS: dict[Type, str] = {
    SIGNED8: "8-bit signed integer",
    UNSIGNED8: "8-bit unsigned integer",
    builtin_types.i8: "8-bit signless integer",
    builtin_types.i32: "32-bit signless integer",
    builtin_types.f16: "16-bit float",
    builtin_types.f32: "32-bit float",
    builtin_types.f64: "64-bit float",
}


def _words(elements: Sequence[Type]) -> str:
    return " or ".join(_WORDS[element] for element in elements)


BUFFER_ELEMENTS = (
    builtin_types.i8,
    builtin_types.i32,
    builtin_types.f16,
    builtin_types.f32,
    builtin_types.f64,
)


def _is_matrix_buffer(type: Type) -> bool:
    """Return whether matrices can be loaded from a buffer of a type: a memref of i8, i32, f16, f32 or f64, or
    of vectors of rank 1 of these.
    """
    if not isinstance(type, builtin_types.MemRefType):
        return False
    element = type.element_type
    if isinstance(element, builtin_types.VectorType) and len(element.shape) == 1:
        element = element.element_type
    return element in BUFFER_ELEMENTS


ASYNC_TOKEN = OneOf((TOKEN,), "async token type")
INDEX = OneOf((builtin_types.index,), "index")
BOOL = OneOf((builtin_types.i1,), "1-bit signless integer")
INT32 = OneOf((builtin_types.i32,), "32-bit signless integer")
LAUNCH_SIZE = OneOf(
    (builtin_types.index, builtin_types.i32, builtin_types.i64),
    "index or 32-bit signless integer or 64-bit signless integer",
)
MEMREF = IsClass(builtin_types.MemRefType, "memref of any type values")
UNRANKED_MEMREF = IsClass(builtin_types.UnrankedMemRefType, "unranked.memref of any type values")
NUMBER = Satisfies(is_number, "Integer or Float")
NUMBER_OR_VECTOR = Satisfies(
    _is_number_or_vector, "Integer or Float or fixed-length vector of Integer or Float values of ranks 1"
)
REDUCIBLE = IsClass(
    (builtin_types.IntegerType, builtin_types.IndexType, builtin_types.FloatType),
    "integer or index or floating-point",
)
MATRIX = IsClass(MMAMatrixType, "MMAMatrix type")
MATRIX_ELEMENTS = (SIGNED8, UNSIGNED8, builtin_types.i32, builtin_types.f16, builtin_types.f32)
MATRIX_ELEMENT = OneOf(MATRIX_ELEMENTS, _words(MATRIX_ELEMENTS))
FACTOR_MATRIX = MatrixOf(SIGNED8, UNSIGNED8, builtin_types.f16, builtin_types.f32, builtin_types.f64)
SUM_MATRIX = MatrixOf(builtin_types.i32, builtin_types.f16, builtin_types.f32, builtin_types.f64)
STORED_MATRIX = MatrixOf(
    SIGNED8, UNSIGNED8, builtin_types.i32, builtin_types.f16, builtin_types.f32, builtin_types.f64
)
MATRIX_BUFFER = Satisfies(
    _is_matrix_buffer,
    f"memref of {_words(BUFFER_ELEMENTS)} or vector of {_words(BUFFER_ELEMENTS)} values of ranks 1 values",
)
BYTES = Satisfies(
    lambda type: (
        isinstance(type, builtin_types.MemRefType)
        and len(type.shape) == 1
        and type.element_type is builtin_types.i8
    ),
    "1D memref of 8-bit signless integer values",
)
