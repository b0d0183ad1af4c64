"""The distribution of partially combined elements, and how each warp gets the parts of all warps."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from tilewright.layouts.algebra import coalesce
from tilewright.layouts.layout import Layout
from tilewright.layouts.linear import LANE_BITS
from tilewright.lowering.tileas.conversions.movements import ElementMovement
from tilewright.lowering.tileas.distribution import Distribution, bits_of
from tilewright.targets.elements.element_types import size_of
from tilewright.targets.nvptx.tileas_to_nvvm.aggregates.combination import Axis, Row, RowCombination
from tilewright.targets.nvptx.tileas_to_nvvm.exchange import exchanged


@dataclass(frozen=True)
class PartStrides:
    """The distribution of partially combined elements (parts) over threads and registers. For each bit of the
    thread number, and of the register number, it has the stride: by how much the bit changes the number of
    the part. Threads that differ in a bit with the stride 0 hold the same part.
    """

    threads: tuple[int, ...]
    registers: tuple[int, ...]

    @classmethod
    def of(cls, held: Distribution) -> PartStrides:
        """Return the distribution `held` before any combination, where each element of the tile is a part of
        its own.
        """
        return cls(tuple(bits_of(held.threads)), tuple(bits_of(held.registers)))

    @property
    def offsets(self) -> list[int]:
        """Return the offset of each register from the first register."""
        return flat(self.registers).offsets()

    @cached_property
    def numbers(self) -> Mapping[int, int]:
        """Return the strides renumbered without gaps: a mapping of the strides in ascending order to 1, 2, 4
        and so on, and of 0 to 0.
        """
        strides = sorted({*self.threads, *self.registers} - {0})
        return {0: 0, **{stride: 1 << at for at, stride in enumerate(strides)}}

    def by(self, numbers: Mapping[int, int]) -> Distribution:
        """Return the parts as a `Distribution`, with each stride replaced by `numbers[stride]`."""
        threads, registers = (
            [numbers[stride] for stride in strides] for strides in (self.threads, self.registers)
        )
        return Distribution(flat(threads), flat(registers))

    def lane(self, stride: int) -> int | None:
        """Return the bit of the lane number with the stride `stride`; None if it is a bit of warps or
        registers.
        """
        return self.threads.index(stride) if stride in self.threads[:LANE_BITS] else None

    def leaves_warps(self, stride: int) -> bool:
        """Return whether elements that are `stride` apart are in different warps."""
        return stride in self.threads[LANE_BITS:]

    def without(self, stride: int) -> PartStrides:
        """Return the distribution without the bit of registers that has the stride `stride`."""
        return PartStrides(self.threads, tuple(other for other in self.registers if other != stride))

    def with_bit(self, bit: int, stride: int) -> PartStrides:
        """Return the distribution in which bit `bit` of the thread number has the stride `stride`, and no bit
        of registers has it.
        """
        threads = (*self.threads[:bit], stride, *self.threads[bit + 1 :])
        return PartStrides(threads, self.registers).without(stride)

    def with_equal_lanes(self, strides: Collection[int]) -> PartStrides:
        """Return the distribution in which the bits of threads with one of `strides` have the stride 0: the
        threads hold the same part.
        """
        return PartStrides(
            tuple(0 if stride in strides else stride for stride in self.threads), self.registers
        )

    def in_each_warp(self, axis: Axis, least: int) -> PartStrides:
        """Return the distribution in which each warp has all parts along a dimension: the nearest in
        registers, others in lanes.

        A thread has 2**``least`` parts along the dimension in registers, or more if the lanes do not suffice.
        """
        along = sorted(stride for stride in self.numbers if axis.has(stride))
        threads = [0 if axis.has(stride) else stride for stride in self.threads]
        free = [bit for bit, stride in enumerate(threads[:LANE_BITS]) if not stride]
        count = max(least, len(along) - len(free))
        for bit, stride in zip(free, along[count:], strict=False):
            threads[bit] = stride
        others = (stride for stride in self.registers if not axis.has(stride))
        return PartStrides(tuple(threads), (*along[:count], *others))


def flat(strides: Sequence[int]) -> Layout:
    """Return a layout whose modes are bits: bit `i` of the index has the stride `strides[i]`."""
    return coalesce(Layout.flat([(2, stride) for stride in strides])) if strides else Layout(1, 0)


def gathered(
    combine: RowCombination, source: PartStrides, target: PartStrides, rows: Sequence[Row]
) -> list[Row]:
    """Move parts from the distribution `source` to `target`, through shared memory if threads need it, and
    return the rows of this thread in `target`. `rows` are its rows in `source`.
    """
    numbers, code, op = source.numbers, combine.code, combine.op
    here, there = source.by(numbers), target.by(numbers)
    columns = zip(zip(*rows, strict=True), combine.types, strict=True)
    made = (
        exchanged(code, op, ElementMovement(here, there, size_of(type)), values, type)
        for values, type in columns
    )
    return list(zip(*made, strict=True))
