"""Parts of a tile that are in shared memory one after the other, if the whole tile does not fit.

A part is a box of the tile whose extents are powers of two. The bits of an element's number therefore split
into the number of its box and its index in the box.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from math import prod

from tilewright.ir.attribute import Type
from tilewright.ir.value import Value
from tilewright.layouts.layout import Layout
from tilewright.lowering.tileas.distribution import Distribution
from tilewright.targets.elements.element_types import size_of
from tilewright.targets.nvptx.tileas_to_nvvm.accesses import both, guarded, is_first_holder
from tilewright.targets.nvptx.tileas_to_nvvm.code import PatternCode, stored_type
from tilewright.targets.nvptx.tileas_to_nvvm.pattern import Registers
from tilewright.targets.nvptx.tileas_to_nvvm.vectors import vector_width, write_neighbours


@dataclass(frozen=True)
class BoxGrid:
    """A shape divided into boxes; numbers of boxes and indices in a box are row-major."""

    shape: tuple[int, ...]
    box: tuple[int, ...]

    @property
    def counts(self) -> tuple[int, ...]:
        """Return the number of boxes along each dimension of the tile."""
        return tuple(extent // size for extent, size in zip(self.shape, self.box, strict=True))

    @cached_property
    def number(self) -> Layout:
        """Return the layout from the number of an element to the number of its box."""
        return self._bits([0] * len(self.box), _row_major(self.counts))

    @cached_property
    def place(self) -> Layout:
        """Return the layout from the number of an element to its index in the box."""
        return self.along(_row_major(self.box))

    def along(self, strides: Sequence[int]) -> Layout:
        """Return the layout from the number of an element to its offset in its box, where a step of 1 along
        each dimension moves by the stride in `strides`.
        """
        return self._bits(strides, [0] * len(self.box))

    def _bits(self, inside: Sequence[int], beyond: Sequence[int]) -> Layout:
        modes: list[tuple[int, int]] = []
        for size, count, *strides in list(zip(self.box, self.counts, inside, beyond, strict=True))[::-1]:
            modes += zip((size, count), strides, strict=True)
        return Layout.flat(modes)


def _row_major(shape: Sequence[int]) -> list[int]:
    return [prod(shape[at + 1 :]) for at in range(len(shape))]


def registers_of_boxes(boxes: BoxGrid, offsets: Sequence[int]) -> dict[int, list[int]]:
    """Return the indices of the registers at `offsets`, grouped by the constant that they add to the number
    of the box of the thread's first element.
    """
    found: dict[int, list[int]] = {}
    for register, offset in enumerate(offsets):
        found.setdefault(boxes.number(offset), []).append(register)
    return found


def in_box(
    code: PatternCode, boxes: BoxGrid, held: Distribution, registers: int, wanted: Value
) -> Value | None:
    """Return an i1: whether the elements of a group of registers of this thread are in box `wanted`.
    `registers` is the key of the group in `registers_of_boxes`. Return None if there is only one box.
    """
    if prod(boxes.counts) == 1:
        return None
    own = code.offset(boxes.number, code.offset(held.threads, code.thread()))
    return code.compare_integers("eq", code.plus(own, registers), wanted)


def write_box(
    code: PatternCode,
    base: Value,
    boxes: BoxGrid,
    wanted: Value,
    held: Distribution,
    values: Registers,
    element: Type,
) -> None:
    """Write the elements of box number `wanted`, a run-time value, of a tile to shared memory at `base`. The
    tile is in the registers `values`, distributed as `held`. Each element is written by the first thread that
    holds it.
    """
    stored = stored_type(element)
    own = code.offset(boxes.place, code.offset(held.threads, code.thread()))
    first = code.pointer(base, code.index(own), stored)
    alone = is_first_holder(code, held.threads)
    count = vector_width(held, boxes.place, size_of(element))

    def write(registers: Sequence[int]) -> Sequence[Value]:
        places = [boxes.place(held.offsets[register]) for register in registers]
        write_neighbours(code, first, places, [values[register] for register in registers], element, count)
        return []

    for number, registers in registers_of_boxes(boxes, held.offsets).items():
        is_here = in_box(code, boxes, held, number, wanted)
        guarded(code, both(code, is_here, alone), [], partial(write, registers))
