"""Where the parts of a tile are that have been combined already, and how each warp gets those of all warps."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from tilewright.layouts.algebra import coalesce
from tilewright.layouts.layout import Layout
from tilewright.layouts.linear import LANE_BITS
from tilewright.lowering.tileas.conversions.movements import Movement
from tilewright.lowering.tileas.distribution import Distribution, bits_of
from tilewright.targets.elements.types import size_of
from tilewright.targets.nvptx.body.aggregates.combination import Axis, Combination, Row
from tilewright.targets.nvptx.body.exchange import exchanged


@dataclass(frozen=True)
class Parts:
    """The strides of the bits of the numbers of threads and registers; 0 is a bit of threads that hold the same."""

    threads: tuple[int, ...]
    registers: tuple[int, ...]

    @classmethod
    def of(cls, held: Distribution) -> Parts:
        """The parts that single elements are."""
        return cls(tuple(bits_of(held.threads)), tuple(bits_of(held.registers)))

    @property
    def offsets(self) -> list[int]:
        """How far each register is behind the first one."""
        return flat(self.registers).offsets()

    @cached_property
    def numbers(self) -> Mapping[int, int]:
        """The bits of the numbers of these parts, counted without gaps, by the strides that they have in the tile."""
        strides = sorted({*self.threads, *self.registers} - {0})
        return {0: 0, **{stride: 1 << at for at, stride in enumerate(strides)}}

    def by(self, numbers: Mapping[int, int]) -> Distribution:
        """Where parts are, by other numbers."""
        threads, registers = (
            [numbers[stride] for stride in strides] for strides in (self.threads, self.registers)
        )
        return Distribution(flat(threads), flat(registers))

    def lane(self, stride: int) -> int | None:
        """Which bit of the number of a lane is of a stride; None if it tells warps or registers apart."""
        return self.threads.index(stride) if stride in self.threads[:LANE_BITS] else None

    def leaves_warps(self, stride: int) -> bool:
        """Whether elements that are so far apart are in other warps."""
        return stride in self.threads[LANE_BITS:]

    def without(self, stride: int) -> Parts:
        """The parts of which registers are not told apart by a stride any more."""
        return Parts(self.threads, tuple(other for other in self.registers if other != stride))

    def with_bit(self, bit: int, stride: int) -> Parts:
        """The parts with another stride for a bit of the number of threads, which is none of registers then."""
        threads = (*self.threads[:bit], stride, *self.threads[bit + 1 :])
        return Parts(threads, self.registers).without(stride)

    def with_equal_lanes(self, strides: Collection[int]) -> Parts:
        """The parts of which threads are not told apart by some strides any more."""
        return Parts(tuple(0 if stride in strides else stride for stride in self.threads), self.registers)

    def in_each_warp(self, axis: Axis, least: int) -> Parts:
        """The same parts such that each warp has all along a dimension: the nearest in registers, the others in lanes.

        As many are in registers as 2 to the power of ``least``, or as many as lanes leave over.
        """
        along = sorted(stride for stride in self.numbers if axis.has(stride))
        threads = [0 if axis.has(stride) else stride for stride in self.threads]
        free = [bit for bit, stride in enumerate(threads[:LANE_BITS]) if not stride]
        count = max(least, len(along) - len(free))
        for bit, stride in zip(free, along[count:], strict=False):
            threads[bit] = stride
        others = (stride for stride in self.registers if not axis.has(stride))
        return Parts(tuple(threads), (*along[:count], *others))


def flat(strides: Sequence[int]) -> Layout:
    """A layout of bits."""
    return coalesce(Layout.flat([(2, stride) for stride in strides])) if strides else Layout(1, 0)


def gathered(combine: Combination, source: Parts, target: Parts, rows: Sequence[Row]) -> list[Row]:
    """The rows of the same parts in other threads, through shared memory, in the order of their registers."""
    numbers, code, op = source.numbers, combine.code, combine.op
    here, there = source.by(numbers), target.by(numbers)
    columns = zip(zip(*rows, strict=True), combine.types, strict=True)
    made = (
        exchanged(code, op, Movement(here, there, size_of(type)), values, type) for values, type in columns
    )
    return list(zip(*made, strict=True))
