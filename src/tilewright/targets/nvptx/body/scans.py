"""Scans, in the interpreter's order: in each step every element absorbs the one at a distance in front, which doubles.

The distance is one bit of the number of an element; subtracting it may borrow from higher bits.  Where none of those tells
threads apart the element in front is in another register, where they tell lanes apart it comes by a shuffle, where they tell
warps apart through shared memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

from tilewright.dialects.llvm.ops import arithmetic as llvm
from tilewright.dialects.nv_tileas.ops_tile import ScanOp
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import i32
from tilewright.ir.value import Value
from tilewright.lowering.llvm_types.converter import LLVMTypeConverter
from tilewright.lowering.tileas.distribution import Distribution, bits_of
from tilewright.lowering.tileas_to_llvm.functions import THREADS
from tilewright.rewrite.conversion.pattern import Adaptor
from tilewright.rewrite.pattern import NoMatch
from tilewright.rewrite.pattern_set import RewritePatternSet
from tilewright.targets.elements.types import element_of, shape_of
from tilewright.targets.nvptx.body.code import PatternCode
from tilewright.targets.nvptx.body.exchange import read_element, shared
from tilewright.targets.nvptx.body.pattern import Registers, TilePattern, distribution
from tilewright.targets.nvptx.body.reductions import Axis, Combination, Row, selected
from tilewright.targets.nvptx.body.shuffles import from_lane, holder


@dataclass(frozen=True)
class Origin:
    """Where the element in front of that in a register is: in which registers of how distant a thread.

    In which of the ``registers`` depends on the thread; ``always``: all threads have an element in front there.
    """

    registers: tuple[int, ...]
    moves: bool
    always: bool


@dataclass(frozen=True)
class Step:
    """One step of a scan: how far away the other element is along a dimension, backwards if the scan is."""

    held: Distribution
    axis: Axis
    stride: int
    reverse: bool

    @property
    def distance(self) -> int:
        """What is added to the number of an element to get that of the element in front."""
        return self.stride if self.reverse else -self.stride

    @cached_property
    def mask(self) -> int:
        """The bits of numbers that change: those along the dimension from the stride on."""
        return self.axis.high - self.stride

    @property
    def first(self) -> int:
        """What these bits are where no element is in front."""
        return self.mask if self.reverse else 0

    def exists(self, number: int) -> bool:
        """Whether there is an element in front of that of a number."""
        return number & self.mask != self.first

    @cached_property
    def thread_bits(self) -> list[int]:
        """The strides of the bits of thread numbers that may change."""
        return [stride for stride in bits_of(self.held.threads) if stride & self.mask]

    @property
    def leaves_warps(self) -> bool:
        """Whether elements come from other warps."""
        return any(stride & self.mask for stride in bits_of(self.held.threads)[THREADS.bit_length() - 1 :])

    @cached_property
    def threads(self) -> list[int]:
        """Threads that stand for all, by the number of their first element: neighbouring bits are all zeros or all ones.

        A borrow passes through zeros only, a carry through ones only.
        """
        runs: list[int] = []
        for stride in sorted(self.thread_bits):
            if runs and runs[-1] & stride >> 1:
                runs[-1] |= stride
            else:
                runs.append(stride)
        return [sum(chosen) for chosen in product(*((0, run) for run in runs))]

    def origin(self, offset: int) -> Origin | None:
        """Where the element in front of that of a register is; None if it is nowhere in any thread."""
        threads = [thread for thread in self.threads if self.exists(thread + offset)]
        if not threads:
            return None
        here = sum(bits_of(self.held.registers))
        found = [thread + offset + self.distance for thread in threads]
        registers = tuple(sorted({number & here for number in found}))
        moves = any(number & ~here != thread for number, thread in zip(found, threads, strict=True))
        return Origin(registers, moves, len(threads) == len(self.threads))


class Scan(TilePattern[ScanOp]):
    """See the head of this file."""

    def lower(self, op: ScanOp, at: Adaptor, code: PatternCode) -> Sequence[Registers] | NoMatch:
        if not op.inclusive:
            return NoMatch("the scan leaves out each element itself")
        types = [element_of(value.type) for value in op.inputs]
        held, axis = distribution(op.inputs[0].type), Axis.of(shape_of(op.inputs[0].type), op.axis)
        combine = Combination(self.converter, code, op, types)
        rows = dict(zip(held.offsets, zip(*at.inputs, strict=True), strict=True))
        for stride in axis.strides:
            rows = Absorption(combine, Step(held, axis, stride, op.reverse)).of(rows)
        return list(zip(*rows.values(), strict=True))


class Absorption:
    """The code of a step: the rows of this thread, each with the one in front of it."""

    def __init__(self, combine: Combination, step: Step) -> None:
        self.combine = combine
        self.code = combine.code
        self.step = step

    @cached_property
    def own(self) -> Value:
        """The number of the first element of this thread."""
        return self.code.offset(self.step.held.threads, self.code.thread())

    def of(self, rows: Mapping[int, Row]) -> dict[int, Row]:
        """The rows after the step, by the offsets of their registers."""
        origins = {offset: self.step.origin(offset) for offset in rows}
        earlier = dict(self._earlier(rows, {at: found for at, found in origins.items() if found is not None}))
        made = {at: self.combine(row, rows[at]) for at, row in earlier.items()}
        return {at: self._where(at, origins[at], made.get(at, own), own) for at, own in rows.items()}

    def _earlier(self, rows: Mapping[int, Row], origins: Mapping[int, Origin]) -> Iterator[tuple[int, Row]]:
        """The row in front of that of each register that has one in some thread."""
        moving = {at: found for at, found in origins.items() if found.moves}
        for at, found in origins.items():
            if not found.moves:
                yield at, rows[found.registers[0]]
        if self.step.leaves_warps:
            yield from self._through_memory(rows, moving)
        else:
            yield from ((at, self._shuffled(rows, at, found)) for at, found in moving.items())

    def _where(self, at: int, origin: Origin | None, made: Row, own: Row) -> Row:
        """What a step made where there is an element in front, and what was there elsewhere."""
        if origin is None or origin.always:
            return made
        code, step = self.code, self.step
        bits = code(llvm.AndOp, code.plus(self.own, at), code.integer(step.mask, i32))
        exists = code.compare_integers("ne", bits, code.integer(step.first, i32))
        return selected(code, exists, made, own)

    # --- elements of other lanes

    def _shuffled(self, rows: Mapping[int, Row], at: int, origin: Origin) -> Row:
        """Each lane sends the row that the one behind it wants."""
        source = holder(self.code, self.step.held.threads, self.code.plus(self.own, at + self.step.distance))
        return tuple(from_lane(self.code, value, source) for value in self._sent(rows, at, origin))

    def _sent(self, rows: Mapping[int, Row], at: int, origin: Origin) -> Row:
        """The row for the register at an offset: which one that is can be seen at the number behind it."""
        code, here = self.code, sum(bits_of(self.step.held.registers))
        first, *others = origin.registers
        sent = rows[first]
        for other in others:
            behind = code.plus(self.own, other - self.step.distance)
            bits = code(llvm.AndOp, behind, code.integer(here, i32))
            wanted = code.compare_integers("eq", bits, code.integer(at, i32))
            sent = selected(code, wanted, rows[other], sent)
        return sent

    # --- elements of other warps

    def _through_memory(
        self, rows: Mapping[int, Row], moving: Mapping[int, Origin]
    ) -> Iterator[tuple[int, Row]]:
        columns = [
            self._column(values, moving, type)
            for values, type in zip(zip(*rows.values(), strict=True), self.combine.types, strict=True)
        ]
        return zip(moving, zip(*columns, strict=True), strict=True)

    def _column(self, values: Registers, moving: Mapping[int, Origin], element: Type) -> list[Value]:
        """The elements of one operand that registers get; where there are none, some others."""
        code, held = self.code, self.step.held
        base = shared(code, self.combine.op, held, values, element)
        wrap = code.integer(sum(bits_of(held.threads)) + sum(bits_of(held.registers)), i32)
        places = [code(llvm.AndOp, code.plus(self.own, at + self.step.distance), wrap) for at in moving]
        return [read_element(code, base, place, 0, element) for place in places]


def populate_scans(patterns: RewritePatternSet, converter: LLVMTypeConverter) -> None:
    """The patterns of this file."""
    patterns.add(Scan(converter))
