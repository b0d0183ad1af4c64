"""Type constraints of the standard dialects, described in MLIR's words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tilewright.ir import builtin_types
from tilewright.ir.attribute import Type
from tilewright.ir.declaration.constraint import IsClass, OneOf, Satisfies
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

VALUE_SHAPED = (builtin_types.VectorType, builtin_types.RankedTensorType, builtin_types.UnrankedTensorType)
"""The shaped types that are values, not buffers."""
BUFFERS = (builtin_types.MemRefType, builtin_types.UnrankedMemRefType)
SHAPED_TYPES = (*VALUE_SHAPED, *BUFFERS)


def element_type_or_self(type: Type) -> Type:
    """Return the element type of a shaped type; any other type is returned unchanged."""
    return type.element_type if isinstance(type, SHAPED_TYPES) else type


def is_signless_integer(type: Type) -> bool:
    """Return whether a type is ``i<N>``."""
    return isinstance(type, builtin_types.IntegerType) and type.signedness == "signless"


def is_signless_integer_or_index(type: Type) -> bool:
    """Return whether a type is ``i<N>`` or ``index``."""
    return is_signless_integer(type) or isinstance(type, builtin_types.IndexType)


def is_float(type: Type) -> bool:
    """Return whether a type is a floating-point type."""
    return isinstance(type, builtin_types.FloatType)


class TypeLike(Satisfies):
    """The constraint that a type is a scalar that satisfies a predicate, or a vector or tensor of such
    scalars.
    """

    def __init__(self, scalar: Callable[[Type], bool], description: str) -> None:
        super().__init__(lambda type: scalar(value_element_type(type)), description)


def value_element_type(type: Type) -> Type:
    """Return the element type of a vector or tensor; any other type, such as a memref, is returned unchanged."""
    return type.element_type if isinstance(type, VALUE_SHAPED) else type


def _or_buffer(scalar: Callable[[Type], bool]) -> Callable[[Type], bool]:
    """Return a predicate: the type is a scalar that satisfies `scalar`, or a vector, tensor or ranked memref
    of such scalars.
    """

    def matches(type: Type) -> bool:
        element = (
            type.element_type if isinstance(type, builtin_types.MemRefType) else value_element_type(type)
        )
        return scalar(element)

    return matches


SIGNLESS_INTEGER_LIKE = TypeLike(is_signless_integer_or_index, "signless-integer-like")
FIXED_WIDTH_INTEGER_LIKE = TypeLike(is_signless_integer, "signless-fixed-width-integer-like")
FLOAT_LIKE = TypeLike(is_float, "floating-point-like")
BOOL_LIKE = TypeLike(lambda type: type is builtin_types.i1, "bool-like")
BITCAST_TYPE = Satisfies(
    _or_buffer(lambda type: is_signless_integer(type) or is_float(type)),
    "signless-integer-or-float-like or memref of signless-integer or float",
)
INDEX_CAST_TYPE = Satisfies(
    _or_buffer(is_signless_integer_or_index),
    "signless-integer-like or memref of signless-integer",
)
I1 = OneOf((builtin_types.i1,), "1-bit signless integer")
INDEX = OneOf((builtin_types.index,), "index")
SIGNLESS_INTEGER_OR_INDEX = Satisfies(is_signless_integer_or_index, "signless integer or index")
INTEGER = IsClass(builtin_types.IntegerType, "integer")
FUNCTION = IsClass(builtin_types.FunctionType, "function type")
RANKED_TENSOR = IsClass(builtin_types.RankedTensorType, "ranked tensor of any type values")
SHAPED = IsClass(builtin_types.ShapedType, "shaped of any type values")


def checked_type(value: Value) -> Any:
    """Return the type of a value, typed as `Any`: its constraint was verified, so the caller may use all
    attributes of that kind of type.
    """
    return value.type


def i1_of_same_shape(type: Type) -> Type:
    """Return a vector or tensor of ``i1`` with the shape of ``type``, or ``i1`` if it is any other type."""
    return type.replace(element_type=builtin_types.i1) if isinstance(type, VALUE_SHAPED) else builtin_types.i1


def is_comparison(op: Operation) -> bool:
    """Return whether the result type is `i1_of_same_shape` of the first operand's type."""
    return op.results[0].type is i1_of_same_shape(op.operands[0].type)


COMPARISON_WORDS = "result type has i1 element type and same shape as operands"
