"""The rules of matrix multiplication, in the order in which they are reported."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from tilewright.dialects.common.constraints import is_float, is_signless_integer
from tilewright.dialects.nv_tileaa.attributes import Signedness
from tilewright.dialects.nv_tileaa.constraints import bits_of, element_of, shape_of
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import f4E2M1FN, f16, f32, f64
from tilewright.ir.declaration.traits import VerifyError
from tilewright.ir.value import Value

if TYPE_CHECKING:
    from tilewright.dialects.nv_tileaa.ops.math import DotOp


def check_dot(op: DotOp) -> None:
    """Raise `VerifyError` unless the element types (`check_dot_elements`) and shapes (`check_dot_shapes`) of
    a product are valid, and scales are given for both factors or for none.
    """
    check_dot_elements(op)
    check_dot_shapes(op.a.type, op.b.type, op.c.type, op.result.type)
    if (op.sfa is None) != (op.sfb is None):
        raise VerifyError("expects both SFA and SFB to be present")


class MatrixProductFields(Protocol):
    """The fields of a matrix product that its rules read: the factors `a` and `b`, the addend `c`, the
    `result`, and the signedness of integer factors, `signedness_a` and `signedness_b`.
    """

    a: Value
    b: Value
    c: Value
    result: Value
    signedness_a: Signedness | None
    signedness_b: Signedness | None


def check_dot_elements(op: MatrixProductFields) -> None:
    """Raise `VerifyError` unless the matrices are all of integers or all of floats. Integer factors must have
    one width and a signedness each. Float products are summed in f32; f4E2M1FN may be summed in f16, and f64
    in f64.
    """
    elements = [element_of(value.type) for value in (op.a, op.b, op.c, op.result)]
    if not (all(map(is_signless_integer, elements)) or all(map(is_float, elements))):
        raise VerifyError(
            "expected the element types of A, B, C, and D to be either all integers or all floats."
        )
    if is_float(elements[0]):
        _check_accumulator(elements[0], elements[2])
    else:
        _check_integers(op)


def _check_integers(op: MatrixProductFields) -> None:
    left, right = bits_of(op.a.type), bits_of(op.b.type)
    if left != right:
        raise VerifyError(f"expects #A and #B have same bit width but got {left} and {right}")
    for name, signedness in (("A", op.signedness_a), ("B", op.signedness_b)):
        if signedness is None:
            raise VerifyError(f"expect signedness attribute for operand {name}")


def _check_accumulator(multiplicand: Type, accumulator: Type) -> None:
    if multiplicand is f4E2M1FN:
        if accumulator not in (f32, f16):
            raise VerifyError(f"expects #C element type to be either f32 or f16, but got {accumulator}")
    elif multiplicand is f64 and accumulator is f64:
        return  # accounts of the dialect have no such product, and yet Tile IR has it
    elif accumulator is not f32:
        raise VerifyError(f"expects #C element type to be f32, but got {accumulator}")


def check_dot_shapes(a: Type, b: Type, c: Type, result: Type) -> None:
    """Raise `VerifyError` unless `a` has the shape ``[batch x] M x K``, `b` ``[batch x] K x N``, and `c`
    ``[batch x] M x N``, all of rank 2 or all of rank 3, and `c` and `result` are the same type. The element
    types of `a` and `b` are not checked.
    """
    rank = len(shape_of(result))
    if rank not in (2, 3):
        raise VerifyError(f"expects rank-2 or rank-3 tensor for result, but got ({rank})")
    left, right = shape_of(a), shape_of(b)
    fits = len(left) == len(right) == rank and left[:-2] == right[:-2] and left[-1] == right[-2]
    if not fits:
        raise VerifyError("expects the shape of operand #A and #B to be compatible")
    if shape_of(c) != (*left[:-1], right[-1]) or c is not result:
        raise VerifyError("expects the shape of operand #C is compatible with operands #A and #B")
