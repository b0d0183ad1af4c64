"""The type constraints of LLVM operations, with MLIR's descriptions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tilewright.dialects.llvm import types as llvm_types
from tilewright.ir import builtin_types
from tilewright.ir.attribute import Type
from tilewright.ir.declaration.constraint import Constraint, IsClass, OneOf, Satisfies


def or_vector(scalar: Callable[[Type], bool], words: str) -> Satisfies:
    """Return the constraint for scalars that pass the test `scalar`, and for LLVM vectors of such scalars.
    `words` names the scalars in messages.
    """
    return Satisfies(
        lambda type: scalar(type) or (llvm_types.is_vector(type) and scalar(_element(type))),
        f"{words} or LLVM dialect-compatible vector of {words}",
    )


def vector_of(scalar: Callable[[Type], bool], words: str) -> Satisfies:
    """Return the constraint for LLVM vectors of scalars that pass the test `scalar`. `words` names the
    scalars in messages.
    """
    return Satisfies(
        lambda type: llvm_types.is_vector(type) and scalar(_element(type)),
        f"LLVM dialect-compatible vector of {words}",
    )


def _element(vector: Any) -> Type:
    return vector.element_type


def _is_pointer(type: Type) -> bool:
    return isinstance(type, llvm_types.LLVMPointerType)


def _is_aggregate(type: Type) -> bool:
    return isinstance(type, llvm_types.LLVMStructType | llvm_types.LLVMArrayType)


def pointer_in(*spaces: int) -> Constraint:
    """Return the constraint of a pointer into one of the given address spaces."""
    words = " or ".join(f"LLVM pointer in address space {space}" for space in spaces)
    return OneOf([llvm_types.LLVMPointerType(space) for space in spaces], words)


LLVM_TYPE = Satisfies(llvm_types.is_compatible, "LLVM dialect-compatible type")
PRIMITIVE = Satisfies(
    lambda type: (
        llvm_types.is_compatible(type)
        and not isinstance(type, llvm_types.LLVMVoidType | llvm_types.LLVMFunctionType)
    ),
    "primitive LLVM type",
)
LOADABLE = Satisfies(llvm_types.is_loadable, "LLVM type with size")
INTEGER = Satisfies(llvm_types.is_integer, "signless integer")
SCALAR_FLOAT = IsClass(builtin_types.FloatType, "floating-point")
INTEGER_OR_VECTOR = or_vector(llvm_types.is_integer, "signless integer")
ANY_INTEGER_OR_VECTOR = or_vector(lambda type: isinstance(type, builtin_types.IntegerType), "integer")
FLOAT = Satisfies(llvm_types.is_float, "floating point LLVM type")
FLOAT_OR_VECTOR = or_vector(llvm_types.is_float, "floating point LLVM type")
BOOL_OR_VECTOR = or_vector(lambda type: type is builtin_types.i1, "1-bit signless integer")
POINTER = IsClass(llvm_types.LLVMPointerType, "LLVM pointer type")
GENERIC_POINTER = pointer_in(0)
POINTER_OR_VECTOR = or_vector(_is_pointer, "LLVM pointer type")
INTEGER_OR_POINTER = INTEGER | POINTER
COMPARABLE = Satisfies(
    lambda type: INTEGER_OR_VECTOR.matches(type) or POINTER_OR_VECTOR.matches(type),
    f"{INTEGER_OR_VECTOR.description} or {POINTER_OR_VECTOR.description}",
)
VECTOR = Satisfies(llvm_types.is_vector, "LLVM dialect-compatible vector type")
FIXED_VECTOR = Satisfies(
    lambda type: not llvm_types.is_scalable(type), "LLVM dialect-compatible fixed-length vector type"
)
ATOMIC_VALUE = Satisfies(
    lambda type: (
        llvm_types.is_float(type)
        or _is_pointer(type)
        or llvm_types.is_integer(type)
        or (llvm_types.is_vector(type) and not llvm_types.is_scalable(type))
    ),
    "floating point LLVM type or LLVM pointer type or signless integer or "
    "LLVM dialect-compatible fixed-length vector type",
)
INTEGER_VECTOR = vector_of(llvm_types.is_integer, "signless integer")
BOOL_VECTOR = vector_of(lambda type: type is builtin_types.i1, "1-bit signless integer")
FLOAT_VECTOR = vector_of(lambda type: isinstance(type, builtin_types.FloatType), "floating-point")
POINTER_VECTOR = vector_of(_is_pointer, "LLVM pointer type")
AGGREGATE = Satisfies(_is_aggregate, "LLVM aggregate type")
NO_AGGREGATE = Satisfies(
    lambda type: llvm_types.is_compatible(type) and not _is_aggregate(type),
    "LLVM-compatible non-aggregate type",
)
STRUCT = IsClass(llvm_types.LLVMStructType, "LLVM structure type")
TOKEN_TYPE = OneOf((llvm_types.TOKEN,), "LLVM token type")
BOOL = OneOf((builtin_types.i1,), "1-bit signless integer")
INT8 = OneOf((builtin_types.i8,), "8-bit signless integer")
INT16 = OneOf((builtin_types.i16,), "16-bit signless integer")
INT32 = OneOf((builtin_types.i32,), "32-bit signless integer")
INT64 = OneOf((builtin_types.i64,), "64-bit signless integer")
