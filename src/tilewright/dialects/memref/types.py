"""Result types of memref operations: slices, transposes, collapsed shapes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tilewright.ir.arithmetic import affine, strided_layout
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import DYNAMIC, MemRefType, index


def times(left: int, right: int) -> int:
    """Return a product; it is `DYNAMIC` if a factor is, unless the other is 0."""
    if 0 in (left, right):
        return 0
    return DYNAMIC if DYNAMIC in (left, right) else left * right


def plus(left: int, right: int) -> int:
    """Return a sum; it is `DYNAMIC` if a term is."""
    return DYNAMIC if DYNAMIC in (left, right) else left + right


def subview_type(
    source: MemRefType, offsets: Sequence[int], sizes: Sequence[int], strides: Sequence[int]
) -> MemRefType:
    """Return the type of a slice of the strided memref `source`. It keeps all dimensions, also dimensions of
    extent 1; `DYNAMIC` numbers make the layout dynamic.
    """
    layout = strided_layout.strides_and_offset(source)
    assert layout is not None, "a slice needs a strided source"
    source_strides, target = layout
    for offset, stride in zip(offsets, source_strides, strict=False):
        target = plus(target, times(offset, stride))
    products = tuple(map(times, source_strides, strides))
    return source.replace(shape=tuple(sizes), layout=strided_layout.StridedLayoutAttr(products, target))


def transposed_type(source: MemRefType, permutation: affine.AffineMap) -> MemRefType:
    """Return the type of a strided memref with permuted dimensions. Its layout is an affine map, or absent if
    the result is row-major without an offset.
    """
    layout = strided_layout.strides_and_offset(source)
    assert layout is not None, "a transpose needs a strided source"
    order = [result.position for result in permutation.results if isinstance(result, affine.AffineDimension)]
    strides = tuple(layout[0][position] for position in order)
    shape = tuple(source.shape[position] for position in order)
    dense = layout[1] == 0 and strides == strided_layout.row_major_strides(shape) and DYNAMIC not in strides
    return source.replace(shape=shape, layout=None if dense else strided_map(strides, layout[1]))


def strided_map(strides: Sequence[int], offset: int) -> affine.AffineMapAttr:
    """Return a strided layout as an affine map; the dynamic offset and strides become symbols, the offset
    first.
    """
    symbols = 0
    sum: affine.AffineExpression = affine.AffineConstant(0)
    for position, number in enumerate((offset, *strides)):
        factor: affine.AffineExpression = (
            affine.AffineSymbol(symbols) if number == DYNAMIC else affine.AffineConstant(number)
        )
        symbols += number == DYNAMIC
        sum = sum + (affine.AffineDimension(position - 1) * factor if position else factor)
    return affine.AffineMapAttr(affine.AffineMap(len(strides), symbols, (sum,)))


def metadata_types(source: Type) -> list[Type]:
    """Return the result types of `extract_strided_metadata`: a rank-0 buffer, then an index for the offset,
    each size and each stride.
    """
    memref: Any = source
    buffer = MemRefType((), memref.element_type, None, memref.memory_space)
    return [buffer, *[index] * (1 + 2 * len(memref.shape))]


def dropped_dimensions(full: Sequence[int], reduced: Sequence[int]) -> list[int] | None:
    """Return the positions of the unit dimensions to drop from `full` to get `reduced`; None if that is not
    possible.
    """
    dropped: list[int] = []
    position = 0
    for number, extent in enumerate(full):
        if position < len(reduced) and reduced[position] == extent:
            position += 1
        elif extent == 1:
            dropped.append(number)
        else:
            return None
    return dropped if position == len(reduced) else None
