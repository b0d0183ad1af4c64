"""The legal values of ``llvm.mlir.constant`` for each type."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilewright.dialects.llvm.attributes import PoisonAttr, UndefAttr, ZeroAttr
from tilewright.dialects.llvm.types import (
    LLVMArrayType,
    LLVMPointerType,
    LLVMStructType,
    LLVMTargetExtType,
    is_integer,
)
from tilewright.ir import builtin_attributes
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.builtin_types import FloatType, IndexType, IntegerType, VectorType, i8
from tilewright.ir.declaration.traits import VerifyError
from tilewright.ir.support.strings import utf8

if TYPE_CHECKING:
    from tilewright.dialects.llvm.ops.aggregate import ConstantOp

EMPTY = (ZeroAttr, UndefAttr)
"""The attributes that may be the value of a whole array or struct inside of an array."""


def check_constant(op: ConstantOp) -> None:
    """Raise `VerifyError` unless the value of a constant fits its type: a string an array of i8 with as many
    elements as its UTF-8 form has bytes, an array attribute a struct or array, dense elements a vector or
    array with as many elements, an integer any integer type, a float the same float type or an integer type
    of its width. Other attributes are refused, and so are types of other targets (`LLVMTargetExtType`).
    """
    value, result = op.value, op.res.type
    if isinstance(value, builtin_attributes.StringAttr):
        _check_string(value, result)
    elif isinstance(result, LLVMStructType):
        _check_struct(value, result)
    elif isinstance(result, LLVMTargetExtType):
        raise VerifyError("does not support target extension type.")
    elif isinstance(value, builtin_attributes.IntegerAttr):
        if not isinstance(result, IntegerType):
            raise VerifyError("expected integer type")
    elif isinstance(value, builtin_attributes.FloatAttr):
        _check_float(value.type, result)
    elif isinstance(value, builtin_attributes.DenseElementsAttr):
        _check_elements(value, result)
    elif isinstance(value, builtin_attributes.ArrayAttr):
        if not isinstance(result, LLVMArrayType):
            raise VerifyError("expected array or struct type for array attribute")
        _check_array(value, result, 0)
    else:
        raise VerifyError("only supports integer, float, string or elements attributes")


def _check_string(value: builtin_attributes.StringAttr, result: Type) -> None:
    length = len(utf8(value.value))
    fits = isinstance(result, LLVMArrayType) and result.count == length and result.element_type is i8
    if not fits:
        raise VerifyError(f"expected array type of {length} i8 elements for the string constant")


def _check_struct(value: Attribute, result: LLVMStructType) -> None:
    if not isinstance(value, builtin_attributes.ArrayAttr):
        raise VerifyError("expected array attribute for struct type")
    types = result.body or ()
    if len(value.elements) != len(types):
        raise VerifyError(f"expected array attribute of size {len(types)}")
    for number, (element, type) in enumerate(zip(value.elements, types, strict=True)):
        if not (is_integer(type) or isinstance(type, IndexType | FloatType)):
            raise VerifyError("expected struct element types to be floating point type or integer type")
        if not isinstance(element, builtin_attributes.FloatAttr | builtin_attributes.IntegerAttr):
            raise VerifyError("expected element of array attribute to be floating point or integer")
        if element.type is not type:
            raise VerifyError(f"struct element at index {number} is of wrong type")


def _check_float(kind: Type, result: Type) -> None:
    """Raise `VerifyError` if the result is a float type other than `kind`, or an integer type of another
    width. Other types are not checked.
    """
    if isinstance(result, FloatType):
        if result is not kind:
            raise VerifyError("attribute and type have different float semantics")
    elif isinstance(result, IntegerType) and isinstance(kind, FloatType) and result.width != kind.width:
        raise VerifyError(f"expected integer type of width {kind.width}")


def _check_elements(value: builtin_attributes.DenseElementsAttr, result: Type) -> None:
    if _is_scalable(result):
        if not value.is_splat:
            raise VerifyError("scalable vector type requires a splat attribute")
        return
    if not isinstance(result, VectorType | LLVMArrayType):
        raise VerifyError("expected vector or array type")
    count = _element_count(result)
    if count != value.count:
        words = "type and attribute have a different number of elements"
        raise VerifyError(f"{words}: {count} vs. {value.count}")
    given, wanted = value.element_type, _element_type(result)
    if isinstance(given, FloatType):
        _check_float(given, wanted)
    elif isinstance(given, IntegerType) and not isinstance(wanted, IntegerType):
        raise VerifyError("expected integer element type for integer elements attribute")


def _is_scalable(type: Type) -> bool:
    while isinstance(type, LLVMArrayType):
        type = type.element_type
    return isinstance(type, VectorType) and any(type.scalable)


def _element_count(type: Type) -> int:
    count = 1
    while isinstance(type, LLVMArrayType):
        count *= type.count
        type = type.element_type
    if isinstance(type, VectorType):
        for extent in type.shape:
            count *= extent
    return count


def _element_type(type: Type) -> Type:
    while isinstance(type, LLVMArrayType):
        type = type.element_type
    return type.element_type if isinstance(type, VectorType) else type


def _check_array(value: builtin_attributes.ArrayAttr, type: LLVMArrayType, dimension: int) -> None:
    if len(value.elements) != type.count:
        words = f"array attribute size does not match array type size in dimension {dimension}"
        raise VerifyError(f"{words}: {len(value.elements)} vs. {type.count}")
    if isinstance(type.element_type, LLVMArrayType):
        _check_nested(value, type.element_type, dimension)
    elif isinstance(type.element_type, LLVMPointerType):
        _check_pointers(value)
    elif isinstance(type.element_type, LLVMStructType):
        _check_structs(value, type.element_type)
    else:
        raise VerifyError("for array with an array attribute must have a struct element type")


def _check_nested(value: builtin_attributes.ArrayAttr, type: LLVMArrayType, dimension: int) -> None:
    for number, element in enumerate(value.elements):
        if isinstance(element, EMPTY):
            continue
        if not isinstance(element, builtin_attributes.ArrayAttr):
            raise VerifyError(
                f"nested attribute for sub-array in dimension {dimension} at index {number} "
                "must be a zero, or undef, or array attribute"
            )
        _check_array(element, type, dimension + 1)


def _check_pointers(value: builtin_attributes.ArrayAttr) -> None:
    for number, element in enumerate(value.elements):
        flat = isinstance(element, builtin_attributes.SymbolRefAttr) and not element.nested
        if not (flat or isinstance(element, (*EMPTY, PoisonAttr))):
            words = f"pointer array element at index {number}"
            raise VerifyError(f"{words} must be a flat symbol reference, zero, undef, or poison")


def _check_structs(value: builtin_attributes.ArrayAttr, type: LLVMStructType) -> None:
    size = len(type.body or ())
    for number, element in enumerate(value.elements):
        if isinstance(element, EMPTY):
            continue
        if not isinstance(element, builtin_attributes.ArrayAttr):
            raise VerifyError(
                f"nested attribute for struct element at index {number} "
                "must be a zero, or undef, or array attribute"
            )
        if len(element.elements) != size:
            raise VerifyError(
                f"nested array attribute size for struct element at index {number} "
                f"must match struct size: {len(element.elements)} vs. {size}"
            )


def is_zero(value: Attribute) -> bool:
    """Return whether an initial value is a number, a dense attribute or an array of such values, and all its
    numbers are zero, of either sign. Return False for other attributes, such as `#llvm.zero`.
    """
    if isinstance(value, builtin_attributes.IntegerAttr | builtin_attributes.FloatAttr):
        return value.value == 0
    if isinstance(value, builtin_attributes.DenseElementsAttr):
        sign = 1 << (value.element_bytes * 8 - 1) if isinstance(value.element_type, FloatType) else 0
        return all(pattern in (0, sign) for pattern in value.patterns())
    return isinstance(value, builtin_attributes.ArrayAttr) and all(map(is_zero, value.elements))
