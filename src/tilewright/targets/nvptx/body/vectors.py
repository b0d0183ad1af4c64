"""Neighbouring elements that one copy moves: how many, and in which registers they are."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.ir.attribute import Type
from tilewright.ir.value import Value
from tilewright.layouts.access import Access
from tilewright.layouts.layout import Layout
from tilewright.lowering.tileas.distribution import Distribution, bits_of
from tilewright.targets.elements.types import size_of
from tilewright.targets.nvptx.body.code import PatternCode, stored_type
from tilewright.targets.nvptx.body.pattern import Registers

IN_PLACE = Layout(1 << 62, 1)
"""The layout of a memory in which elements lie in the order of their numbers."""


def together(held: Distribution, memory: Layout, size: int) -> int:
    """How many elements of so many bytes a copy moves between registers and a memory that is aligned for it.

    ``memory`` leads from the numbers of elements to their places; threads begin at multiples of what they move.
    """
    registers, threads = (
        tuple(memory(bit) for bit in bits_of(layout)) for layout in (held.registers, held.threads)
    )
    found = Access(registers, threads, (), 8 * size).vector
    while any(step % found for step in threads):
        found //= 2
    return found


def beginnings(places: Sequence[int], count: int) -> list[int]:
    """Where the groups of so many neighbours begin in which some places are, each group once."""
    return sorted({place - place % count for place in places})


def write_neighbours(
    code: PatternCode, first: Value, places: Sequence[int], values: Registers, element: Type, count: int
) -> None:
    """Write elements that lie so far behind an address, by copies of ``count`` neighbours."""
    held = dict(zip(places, values, strict=True))
    for begin in beginnings(places, count):
        target = code.pointer(first, begin, stored_type(element))
        code.write_all([held[begin + at] for at in range(count)], target, element, count * size_of(element))


def read_neighbours(
    code: PatternCode, first: Value, places: Sequence[int], element: Type, count: int
) -> Registers:
    """Read elements that lie so far behind an address, by copies of ``count`` neighbours, each of them once."""
    found: dict[int, Value] = {}
    for begin in beginnings(places, count):
        source = code.pointer(first, begin, stored_type(element))
        values = code.read_all(source, element, count, count * size_of(element))
        found.update(zip(range(begin, begin + count), values, strict=True))
    return [found[place] for place in places]
