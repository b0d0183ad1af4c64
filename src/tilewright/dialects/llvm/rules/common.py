"""Rules of LLVM operations beyond the types of single operands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from tilewright.dialects.llvm.types import (
    LLVMArrayType,
    LLVMStructType,
    is_scalable,
    same_shape_of,
)
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.builtin_attributes import StringAttr
from tilewright.ir.builtin_types import VectorType, i1
from tilewright.ir.declaration.traits import VerifyError
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

if TYPE_CHECKING:
    from tilewright.dialects.llvm.intrinsics.float import SincosOp

MAXIMUM_VECTOR_BITS = 1 << 17


def exchange_type(value: Type) -> Type:
    """Return the result type of a compare-and-exchange of a value type: a struct of that type and an i1."""
    return LLVMStructType((value, i1))


def is_exchange_result(op: Operation) -> bool:
    """Return whether the result is a struct of the type of the third operand, the new value, and an i1."""
    return op.results[0].type is exchange_type(op.operands[2].type)


def result_is_operand(position: int) -> Callable[[Operation], bool]:
    """Return a predicate for operations: the first result has the type of the operand with the index
    `position`.
    """
    return lambda op: op.results[0].type is op.operands[position].type


def is_extracted_element(op: Operation) -> bool:
    """Return whether the first result has the element type of the first operand, a vector."""
    vector: Any = op.operands[0].type
    return op.results[0].type is vector.element_type


def is_inserted_element(op: Operation) -> bool:
    """Return whether the second operand has the element type of the first, a vector."""
    vector: Any = op.operands[0].type
    return op.operands[1].type is vector.element_type


def are_small_vectors(op: Operation) -> bool:
    """Return whether every operand and result that is a vector has at most `MAXIMUM_VECTOR_BITS` bits, or as
    many for each unit of ``vscale``.
    """
    types = [value.type for value in (*op.operands, *op.results)]
    return all(_bits(type) <= MAXIMUM_VECTOR_BITS for type in types if isinstance(type, VectorType))


def _bits(vector: VectorType) -> int:
    return vector.shape[0] * getattr(vector.element_type, "width", 64)


def keeps_scalability(outer: str, inner: str) -> Callable[[Operation], bool]:
    """Return a predicate for operations: if the value of the field `inner` is a scalable vector, so is the
    value of the field `outer`.
    """

    def holds(op: Operation) -> bool:
        (whole,), (part,) = op.kind.field_values(op, outer), op.kind.field_values(op, inner)
        return is_scalable(whole.type) or not is_scalable(part.type)

    return holds


def doubles_vector(op: Operation) -> bool:
    """Return whether the operation's first result is a vector with the element type of the first operand, a
    vector, and twice its length. Both are scalable, or neither is.
    """
    source, result = op.operands[0].type, op.results[0].type
    return (
        isinstance(source, VectorType)
        and isinstance(result, VectorType)
        and result is VectorType((2 * source.shape[0],), source.element_type, source.scalable)
    )


def overflow_type(operand: Type) -> Type:
    """Return the result type of arithmetic with an overflow flag: a struct of the operand type and an i1, or,
    for a vector, a vector of i1 of its shape.
    """
    return LLVMStructType((operand, same_shape_of(i1, operand)))


def member_type(container: Type, path: Sequence[int]) -> Type:
    """Return the type of the member of the struct or array `container` at `path`, positions from the outside
    in; an empty path gives `container`. Raises `VerifyError` for a position out of range, and for a position
    in another type.
    """
    current = container
    for position in path:
        if isinstance(current, LLVMStructType) and current.body is not None:
            if not 0 <= position < len(current.body):
                raise VerifyError(f"position out of bounds: {position}")
            current = current.body[position]
        elif isinstance(current, LLVMArrayType):
            if not 0 <= position < current.count:
                raise VerifyError(f"position out of bounds: {position}")
            current = current.element_type
        else:
            raise VerifyError(f"expected LLVM IR structure/array type, got: {current}")
    return current


def shuffled_type(source: Any, mask: Sequence[int]) -> Type:
    """Return the type of a vector with the element type and the scalability of the vector type `source`, and
    one element for each number in `mask`.
    """
    return VectorType((len(mask),), source.element_type, source.scalable)


def check_sine_and_cosine(op: SincosOp) -> None:
    """Raise `VerifyError` unless the result is a struct of two values of the operand's type."""
    operand, result = op.val.type, op.res.type
    if result is not LLVMStructType((operand, operand)):
        raise VerifyError(
            "expected result type to be an homogeneous struct with two elements matching the operand type, "
            f"but got '{result}'"
        )


def check_addresses(pointers: Any, data: Any, number: int) -> None:
    """Raise `VerifyError` unless the type `pointers` is a vector with one address for each element of the
    vector type `data`. `number` is the number of the operand in the message, from 1. Nothing is checked if
    `data` is not a vector.
    """
    if not isinstance(data, VectorType):
        return
    wanted = VectorType(data.shape, pointers.element_type, data.scalable)
    if pointers is not wanted:
        raise VerifyError(f"expected operand #{number} type to be '{wanted}'")


def check_sizes(sizes: Sequence[int], name: str, operands: Sequence[Value], field: str) -> None:
    """Raise `VerifyError` unless `sizes`, the attribute `name`, are not negative and add up to the number of
    `operands`, which they divide into groups. `field` names the operands in the message.
    """
    if any(size < 0 for size in sizes):
        raise VerifyError(f"'{name}' attribute cannot have negative elements")
    if sum(sizes) != len(operands):
        raise VerifyError(
            f"{field} count ({len(operands)}) does not match with the total size ({sum(sizes)}) "
            f"specified in attribute '{name}'"
        )


def check_bundle_sizes(sizes: Sequence[int], operands: Sequence[Value]) -> None:
    """Raise `VerifyError` unless `sizes`, the numbers of operands of the operand bundles, are not negative
    and add up to the number of `operands`.
    """
    check_sizes(sizes, "op_bundle_sizes", operands, "op_bundle_operands")


def check_bundles(sizes: Sequence[int], operands: Sequence[Value], tags: Sequence[Attribute] | None) -> None:
    """Raise `VerifyError` unless the sizes of operand bundles add up to the number of operands, and there is
    a string in `tags` for each bundle. None counts as no tags.
    """
    check_bundle_sizes(sizes, operands)
    tags = tags or ()
    if not all(isinstance(tag, StringAttr) for tag in tags):
        raise VerifyError("operand bundle tag must be a StringAttr", prefix=False)
    if len(sizes) != len(tags):
        words = f"expected {len(sizes)} operand bundle tags, but actually got {len(tags)}"
        raise VerifyError(words, prefix=False)
