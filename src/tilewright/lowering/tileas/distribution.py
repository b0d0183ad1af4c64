"""Which elements of a tile each thread of a block holds.

A tile that is spread over threads has a type with a layout: ``tensor<8x128xf32, #nv_tileas.layout<(128,(4,2)),(4,(1,512))>>``.
The first mode of the layout counts threads, the second the registers of each; the strides lead to the number of an element
in row-major order.  Threads that differ by a mode of stride 0 hold the same elements.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

from tilewright.dialects.nv_tileas.attributes import LayoutAttr
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import RankedTensorType
from tilewright.layouts.layout import Layout, layout_of_trees

WIDEST = 4
"""So many neighbouring elements go to the registers of one thread, where there are as many: an access can move them at once."""


@dataclass(frozen=True)
class Distribution:
    """The layout of the threads, and that of the registers of each thread."""

    threads: Layout
    registers: Layout

    @classmethod
    def of(cls, layout: LayoutAttr) -> Distribution | None:
        """What a layout says; None unless it has one mode for threads and one for registers."""
        modes = layout_of_trees(layout.shape, layout.stride).modes
        return cls(*modes) if len(modes) == 2 else None

    @property
    def layout(self) -> LayoutAttr:
        """The attribute that says the same."""
        whole = Layout.of([self.threads, self.registers])
        return LayoutAttr(whole.shape, whole.stride)

    @cached_property
    def offsets(self) -> tuple[int, ...]:
        """How far the element of each register is behind that of the first one."""
        return tuple(self.registers.offsets())

    def owned(self, thread: int) -> list[int]:
        """The numbers of the elements of a thread, register by register."""
        first = self.threads(thread)
        return [first + offset for offset in self.offsets]


@lru_cache
def blocked(elements: int, threads: int) -> Distribution:
    """The distribution of a tile for which nobody has another wish: neighbours go to one thread, then to the next one.

    Both numbers are powers of two.  Of fewer elements than threads, several threads hold each.
    """
    if elements < threads:
        return Distribution(Layout.flat([(elements, 1), (threads // elements, 0)]), Layout(1, 0))
    together = min(WIDEST, elements // threads)
    rest = elements // (threads * together)
    modes = [(together, 1), (rest, threads * together)]
    held = [mode for mode in modes if mode[0] > 1]
    return Distribution(Layout(threads, together), Layout.flat(held))


def distribution_of(type: Type) -> Distribution | None:
    """How the tiles of a type are spread over threads; None for types that do not say."""
    if isinstance(type, RankedTensorType) and isinstance(type.encoding, LayoutAttr):
        return Distribution.of(type.encoding)
    return None
