"""Rules of products of matrices."""

from __future__ import annotations

from math import prod
from typing import Protocol

from tilewright.dialects.tt.enums import ScaleDotElemType
from tilewright.dialects.tt.types import bit_width, element_type_of
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import RankedTensorType
from tilewright.ir.declaration.traits import VerifyError
from tilewright.ir.value import Value

PACKED = ScaleDotElemType.E2M1
"""The format in which two elements share a byte."""


class TritonMatrixProductFields(Protocol):
    """The operands of a product of matrices plus a matrix: ``a * b + c``."""

    a: Value
    b: Value
    c: Value


class ScaledProduct(TritonMatrixProductFields, Protocol):
    """A product of matrices whose groups of elements along K share scale factors; a scale that is None is 1.
    `a_elem_type` and `lhs_k_pack` give the format of `a`, and whether packed elements are neighbours along K;
    likewise for `b`.
    """

    a_scale: Value | None
    b_scale: Value | None
    a_elem_type: ScaleDotElemType
    b_elem_type: ScaleDotElemType
    lhs_k_pack: bool
    rhs_k_pack: bool


def _shape(value: Value) -> tuple[int, ...]:
    type: Type = value.type
    return type.shape if isinstance(type, RankedTensorType) else ()


def _check_ranks(op: TritonMatrixProductFields) -> None:
    a, b, c = _shape(op.a), _shape(op.b), _shape(op.c)
    if len(a) not in (2, 3):
        raise VerifyError("expected operands to be 2d or 3d")
    if not len(a) == len(b) == len(c):
        raise VerifyError("expected all operands to have the same rank")


def _check_extents(op: TritonMatrixProductFields, a: tuple[int, int], b: tuple[int, int]) -> None:
    """Raise `VerifyError` unless `a` and `b`, the last two extents of both matrices, fit each other and the
    accumulator, and the batch extents of all three are equal.
    """
    c = _shape(op.c)
    if a[1] != b[0]:
        raise VerifyError(
            "expected the last dimension of the first operand to be equal to the second-to-last dimension of "
            "the second operand"
        )
    if len(c) == 3 and not _shape(op.a)[0] == _shape(op.b)[0] == c[0]:
        raise VerifyError(
            "expected the first dimension of the first operand to be equal to the first dimension of the result"
        )
    if (a[0], b[1]) != c[-2:]:
        raise VerifyError(
            "expected the output shape to be the concatenation of the last dimension of the first operand and "
            "the last dimension of the second "
        )


def check_dot(op: TritonMatrixProductFields) -> None:
    """Raise `VerifyError` unless the operands of a product have rank 2 or rank 3 and extents that fit, and
    the elements of the factors the same width in bits.
    """
    _check_ranks(op)
    a, b = _shape(op.a), _shape(op.b)
    _check_extents(op, (a[-2], a[-1]), (b[-2], b[-1]))
    if bit_width(element_type_of(op.a.type)) != bit_width(element_type_of(op.b.type)):
        raise VerifyError("element types of operands A and B must have same bit width", prefix=False)


def unpacked(op: ScaledProduct) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the extents (M, K) of the first matrix and (K, N) of the second, counted in elements. Two
    elements of the format E2M1 share a byte of the tensor.
    """
    (m, k), (other, n) = _shape(op.a)[-2:], _shape(op.b)[-2:]
    if op.a_elem_type is PACKED:
        m, k = (m, k * 2) if op.lhs_k_pack else (m * 2, k)
    if op.b_elem_type is PACKED:
        other, n = (other * 2, n) if op.rhs_k_pack else (other, n * 2)
    return (m, k), (other, n)


def _group(extent: int, scale: Value | None) -> int:
    """Return the number of elements that share a scale, of `extent` elements; 0 without a scale, or if there
    is only one for the matrix. Raises `VerifyError` unless the number is 16 or 32.
    """
    if scale is None or prod(_shape(scale)) == 1:
        return 0
    groups = _shape(scale)[-1]
    size = extent // groups if groups else 0
    if size not in (16, 32):
        raise VerifyError(f"scale factor must be 16 or 32. Got {size}", prefix=False)
    return size


def scale_factor(op: ScaledProduct) -> int:
    """Return the number of elements along K that share a scale, 16 or 32; 32 if neither matrix determines it.
    Raises `VerifyError` for another number, and if the two matrices differ.
    """
    (_, k), (other, _) = unpacked(op)
    left, right = _group(k, op.a_scale), _group(other, op.b_scale)
    if left and right and left != right:
        raise VerifyError(
            f"Operands must have the same scale factor; (lhs: {left} vs rhs: {right})", prefix=False
        )
    return left or right or 32


def _check_scales(scale: Value | None) -> None:
    if scale is not None and len(_shape(scale)) < 2:
        raise VerifyError(f"scales must be 2d or 3d, but got '{scale.type}'")


def check_dot_scaled(op: ScaledProduct) -> None:
    """Raise `VerifyError` unless the extents of the matrices of a scaled product, counted in elements, fit
    each other, and the scales have a row for each row of A or column of B, and a column for each group along
    K.
    """
    _check_ranks(op)
    _check_scales(op.a_scale)
    _check_scales(op.b_scale)
    a, b = unpacked(op)
    _check_extents(op, a, b)
    factor = scale_factor(op)
    c = _shape(op.c)
    for word, scale, rows in (("M", op.a_scale, c[-2]), ("N", op.b_scale, c[-1])):
        if scale is None:
            continue
        shape = _shape(scale)
        if shape[-2] != rows:
            raise VerifyError(
                f"scales {word} dimension must match the operand {word} dimension", prefix=False
            )
        if shape[-1] != a[1] // factor:
            raise VerifyError(
                "scales K dimension must match the operand K divided by the scale factor", prefix=False
            )
