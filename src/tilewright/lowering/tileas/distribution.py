"""The distribution of the elements of a tile over the threads of a block.

A tile that is spread over threads has a type with a linear layout (`tilewright.layouts.linear`). Code counts the
elements of a tile in row-major order: the layouts here map the number of a thread, and the number of a register, to
numbers of elements, which are added. Blocked tiles and the fragments of matrix instructions are of this kind.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from tilewright.dialects.nv_tileas.attributes import LinearLayoutAttr
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import RankedTensorType
from tilewright.layouts.algebra import coalesce
from tilewright.layouts.layout import Layout
from tilewright.layouts.linear import LANE_BITS, LinearLayout, log2


@dataclass(frozen=True)
class Distribution:
    """The assignment of the elements of a tile to threads and registers: register ``r`` of thread ``t`` holds
    the element with the row-major number ``threads(t) + registers(r)``. Threads whose numbers differ in a bit
    of stride 0 hold the same elements.
    """

    threads: Layout
    registers: Layout

    @classmethod
    def of(cls, layout: LinearLayout) -> Distribution | None:
        """Return the distribution that a linear layout describes, or None if the layout spans several blocks,
        or if it is no distribution.

        Each bit of an element's row-major number must belong to exactly one register bit or thread bit, in
        any order; other register and thread bits must have stride 0.
        """
        strides = [layout.row_major(column) for column in layout.columns]
        if layout.block or sorted(filter(None, strides)) != [1 << bit for bit in range(log2(layout.size))]:
            return None
        held = len(layout.register)
        return cls(_layout_of(strides[held:]), _layout_of(strides[:held]))

    def over(self, shape: Sequence[int]) -> LinearLayout:
        """Return this distribution as a linear layout of a tile with the shape `shape`."""
        tile = LinearLayout(tuple(shape))
        registers, threads = (
            tuple(tile.number(coordinates_of(stride, shape)) for stride in bits_of(layout))
            for layout in (self.registers, self.threads)
        )
        return LinearLayout(tuple(shape), registers, threads[:LANE_BITS], threads[LANE_BITS:])

    def in_order(self, count: int) -> LinearLayout | None:
        """Return this distribution as a linear layout of a one-dimensional tile of ``count`` elements; None
        if a stride is not a power of two, or if two bits have one stride other than 0.
        """
        registers, threads = (tuple(bits_of(layout)) for layout in (self.registers, self.threads))
        held = sorted(filter(None, (*registers, *threads)))
        if held != list(dict.fromkeys(held)) or any(stride & (stride - 1) for stride in held):
            return None
        return LinearLayout((count,), registers, threads[:LANE_BITS], threads[LANE_BITS:])

    @property
    def last(self) -> int:
        """The largest row-major number of an element."""
        return sum(bits_of(self.threads)) + sum(bits_of(self.registers))

    @cached_property
    def offsets(self) -> tuple[int, ...]:
        """For each register, the number of its element relative to the element of register 0 of the same
        thread.
        """
        return tuple(self.registers.offsets())

    def owned(self, thread: int) -> list[int]:
        """Return the number of the element in each register of `thread`."""
        first = self.threads(thread)
        return [first + offset for offset in self.offsets]


def bits_of(layout: Layout) -> list[int]:
    """Return the stride of each bit of the coordinate of a layout, the lowest bit first. All extents of the
    layout must be powers of two.
    """
    return [stride << bit for extent, stride in layout.leaves for bit in range(extent.bit_length() - 1)]


def _layout_of(strides: Sequence[int]) -> Layout:
    return coalesce(Layout.flat([(2, stride) for stride in strides]))


def coordinates_of(number: int, shape: Sequence[int]) -> list[int]:
    """Return the coordinates of an element by its number in row-major order."""
    found: list[int] = []
    for extent in reversed(shape):
        number, place = divmod(number, extent)
        found.append(place)
    return found[::-1]


@lru_cache
def blocked(elements: int, threads: int, vector_width: int, least: int = 1) -> Distribution:
    """Return the default distribution of a tile of `elements` elements over `threads` threads: each thread in
    turn holds ``vector_width`` adjacent elements, and the next ones after the last thread go to the first
    thread again.

    All numbers are powers of two. If there are fewer than ``vector_width`` elements for each thread, the
    vector width is smaller, but at least ``least``; if there are not enough elements for all threads then,
    several threads hold each element.
    """
    least = min(least, elements)
    if elements < threads * least:
        holders = elements // least
        found = Layout.flat([(holders, least), (threads // holders, 0)])
        return Distribution(coalesce(found), Layout(least, 1) if least > 1 else Layout(1, 0))
    vector_width = max(min(vector_width, elements // threads), least)
    modes = [(vector_width, 1), (elements // (threads * vector_width), threads * vector_width)]
    return Distribution(Layout(threads, vector_width), coalesce(Layout.flat(modes)))


@lru_cache
def distribution_of(type: Type) -> Distribution | None:
    """Return the distribution over threads of the tiles of a type. Return None for types without a linear
    layout, and for layouts that are no `Distribution`.
    """
    if isinstance(type, RankedTensorType) and isinstance(type.encoding, LinearLayoutAttr):
        return Distribution.of(type.encoding.layout)
    return None
