"""The strided memref layout: ``strided<[4, 1], offset: ?>``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from tilewright.ir.attribute import Attribute
from tilewright.ir.builtin_types import DYNAMIC, MemRefType


class StridedLayoutAttr(Attribute):
    """One stride per dimension and an offset, in elements; `DYNAMIC` stands for ``?``."""

    name: ClassVar[str] = "builtin.strided"
    is_memref_layout: ClassVar[bool] = True
    strides: tuple[int, ...]
    offset: int = 0

    @property
    def text(self) -> str:
        """The spelling: ``strided<[4, 1], offset: ?>``."""
        strides = ", ".join(map(_extent, self.strides))
        offset = f", offset: {_extent(self.offset)}" if self.offset else ""
        return f"strided<[{strides}]{offset}>"


def _extent(value: int) -> str:
    return "?" if value == DYNAMIC else str(value)


def row_major_strides(shape: Sequence[int]) -> tuple[int, ...]:
    """Strides of a dense row-major array; `DYNAMIC` left of the first dynamic extent from the right."""
    strides: list[int] = []
    stride = 1
    for extent in reversed(shape):
        strides.append(stride)
        stride = DYNAMIC if DYNAMIC in (extent, stride) else stride * extent
    return tuple(reversed(strides))


def strides_and_offset(memref: MemRefType) -> tuple[tuple[int, ...], int] | None:
    """Strides and offset of a memref; None when its layout is no strided one."""
    if memref.layout is None:
        return row_major_strides(memref.shape), 0
    if isinstance(memref.layout, StridedLayoutAttr):
        return memref.layout.strides, memref.layout.offset
    return None
