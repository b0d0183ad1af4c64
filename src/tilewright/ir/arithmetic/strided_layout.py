"""The strided memref layout: ``strided<[4, 1], offset: ?>``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from tilewright.ir.arithmetic.affine import (
    AffineBinary,
    AffineConstant,
    AffineDimension,
    AffineExpression,
    AffineMap,
    AffineMapAttr,
    AffineOperator,
    AffineSymbol,
)
from tilewright.ir.builtin_types import DYNAMIC, MemRefLayout, MemRefType


class StridedLayoutAttr(MemRefLayout):
    """A memref layout with one stride for each dimension and an offset, in elements; `DYNAMIC` stands for
    ``?``.
    """

    name: ClassVar[str] = "builtin.strided"
    strides: tuple[int, ...]
    offset: int = 0

    @property
    def layout_rank(self) -> int:
        """The number of dimensions of a memref that has this layout."""
        return len(self.strides)

    @property
    def spelling(self) -> str:
        """The text: ``strided<[4, 1], offset: ?>``."""
        strides = ", ".join(map(_extent, self.strides))
        offset = f", offset: {_extent(self.offset)}" if self.offset else ""
        return f"strided<[{strides}]{offset}>"


def _extent(value: int) -> str:
    return "?" if value == DYNAMIC else str(value)


def row_major_strides(shape: Sequence[int]) -> tuple[int, ...]:
    """Return the strides of a dense row-major array, in elements.

    The strides to the left of the last dynamic extent are `DYNAMIC`: `(2, ?, 4)` has `(?, 4, 1)`.
    """
    strides: list[int] = []
    stride = 1
    for extent in reversed(shape):
        strides.append(stride)
        stride = DYNAMIC if DYNAMIC in (extent, stride) else stride * extent
    return tuple(reversed(strides))


def strides_and_offset(memref: MemRefType) -> tuple[tuple[int, ...], int] | None:
    """Return the strides and the offset of a memref, in elements, `DYNAMIC` if unknown; None if its layout is
    not strided.
    """
    layout = memref.layout
    if layout is None:
        return row_major_strides(memref.shape), 0
    if isinstance(layout, StridedLayoutAttr):
        return layout.strides, layout.offset
    if isinstance(layout, AffineMapAttr):
        return _strides_of_map(layout.map, memref.shape)
    return None


def _strides_of_map(map: AffineMap, shape: Sequence[int]) -> tuple[tuple[int, ...], int] | None:
    """Return the strides and the offset of a layout map with one result that is linear in the dimensions;
    None for other maps.
    """
    if map.is_identity:
        return row_major_strides(shape), 0
    if len(map.results) != 1:
        return None
    coefficients: dict[AffineExpression | None, int] = {}
    for term in terms(map.results[0]):
        factor, leaf = _factor(term)
        if factor is None or leaf in coefficients:
            return None
        coefficients[leaf] = factor
    dimensions = [AffineDimension(position) for position in range(map.dimension_count)]
    return tuple(coefficients.get(dimension, 0) for dimension in dimensions), coefficients.get(None, 0)


def _factor(term: AffineExpression) -> tuple[int | None, AffineExpression | None]:
    """Return a summand as a factor and a dimension: ``(c, d)`` for ``d * c``, ``(c, None)`` for a constant
    ``c``. A factor that is no constant is `DYNAMIC`. Return ``(None, None)`` if the summand is not linear.
    """
    match term:
        case AffineConstant(value=value):
            return value, None
        case AffineSymbol():
            return DYNAMIC, None
        case AffineDimension():
            return 1, term
        case AffineBinary(operator=AffineOperator.MULTIPLY, left=AffineDimension() as left, right=right):
            return (right.value if isinstance(right, AffineConstant) else DYNAMIC), left
        case _:
            return None, None


def terms(expression: AffineExpression) -> list[AffineExpression]:
    """Return the summands of a sum from left to right; an expression that is no sum is its own only summand."""
    if isinstance(expression, AffineBinary) and expression.operator is AffineOperator.ADD:
        return [*terms(expression.left), expression.right]
    return [expression]
