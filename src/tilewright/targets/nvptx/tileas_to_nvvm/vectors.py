"""Neighbouring elements that one copy moves: the vector width, and their registers."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.ir.attribute import Type
from tilewright.ir.value import Value
from tilewright.layouts import access as layouts_access, layout as layouts_layout
from tilewright.lowering.tileas.distribution import Distribution, bits_of
from tilewright.targets.elements.element_types import size_of
from tilewright.targets.nvptx.tileas_to_nvvm.code import PatternCode, stored_type
from tilewright.targets.nvptx.tileas_to_nvvm.pattern import Registers

IN_PLACE = layouts_layout.Layout(1 << 62, 1)
"""The layout of a memory with elements in the order of their numbers."""


def vector_width(held: Distribution, memory: layouts_layout.Layout, size: int) -> int:
    """Return the number of elements, of `size` bytes each, that one copy moves between registers and an
    aligned memory. ``memory`` maps element numbers to indices in memory. The index of the first element of
    every thread is a multiple of the result.
    """
    registers, threads = (
        tuple(memory(bit) for bit in bits_of(layout)) for layout in (held.registers, held.threads)
    )
    found = layouts_access.AccessLayout(registers, threads, (), 8 * size).vector
    while any(step % found for step in threads):
        found //= 2
    return found


def beginnings(places: Sequence[int], count: int) -> list[int]:
    """Return the starts of the groups of `count` indices, aligned to `count`, that contain `places`:
    ascending, each once.
    """
    return sorted({place - place % count for place in places})


def write_neighbours(
    code: PatternCode, first: Value, places: Sequence[int], values: Registers, element: Type, count: int
) -> None:
    """Write `values` to the offsets `places`, in elements, from the address `first`, by copies of ``count``
    adjacent elements.
    """
    held = dict(zip(places, values, strict=True))
    for begin in beginnings(places, count):
        target = code.pointer(first, begin, stored_type(element))
        code.write_all([held[begin + at] for at in range(count)], target, element, count * size_of(element))


def read_neighbours(
    code: PatternCode, first: Value, places: Sequence[int], element: Type, count: int
) -> Registers:
    """Read the elements at the offsets `places`, in elements, from the address `first`, by copies of
    ``count`` adjacent elements, each copy once.
    """
    found: dict[int, Value] = {}
    for begin in beginnings(places, count):
        source = code.pointer(first, begin, stored_type(element))
        values = code.read_all(source, element, count, count * size_of(element))
        found.update(zip(range(begin, begin + count), values, strict=True))
    return [found[place] for place in places]
