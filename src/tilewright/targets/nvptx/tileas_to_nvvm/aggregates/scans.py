"""Scans: every element absorbs all elements before it along a dimension.

The bits of element numbers along the dimension are processed from the lowest on. After each step, elements
that differ only in processed bits are a run: each element of a run has absorbed the elements before it in the
run, and the total of the run is known. Then all elements of the second of two neighbouring runs absorb the
total of the first.

Register bits below the first thread bit are processed immediately. After the first thread bit, all registers
of a thread in one run (a column) absorb the same values, so each column has one prefix, which its elements
absorb at the end. Lanes exchange totals by shuffles. At the first warp bit, the totals of all runs go through
shared memory. Each warp scans them as a small tile, and every thread takes the totals before its own runs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile

from tilewright.dialects.llvm.ops import arithmetic as llvm
from tilewright.dialects.nv_tileas.ops_tile import ScanOp
from tilewright.ir.builtin_types import i32
from tilewright.ir.value import Value
from tilewright.lowering.llvm_types.converter import LLVMTypeConverter
from tilewright.lowering.tileas.distribution import Distribution
from tilewright.rewrite.conversion.pattern import Adaptor
from tilewright.rewrite.pattern import NoMatch
from tilewright.rewrite.pattern_set import RewritePatternSet
from tilewright.targets.elements.element_types import element_of, shape_of
from tilewright.targets.nvptx.tileas_to_nvvm.aggregates.combination import (
    Axis,
    Row,
    RowCombination,
    has_bit,
    selected,
)
from tilewright.targets.nvptx.tileas_to_nvvm.aggregates.parts import PartStrides, gathered
from tilewright.targets.nvptx.tileas_to_nvvm.code import PatternCode
from tilewright.targets.nvptx.tileas_to_nvvm.pattern import Registers, ThreadPattern, distribution
from tilewright.targets.nvptx.tileas_to_nvvm.shuffles import from_lane, from_partner, holder


class ScanLowering(ThreadPattern[ScanOp]):
    """Lower `nv_tileas.scan`, if it is inclusive: registers of a thread absorb the elements before them,
    lanes exchange totals by shuffles, and warps exchange them once through shared memory.
    """

    def lower(self, op: ScanOp, at: Adaptor, code: PatternCode) -> Sequence[Registers] | NoMatch:
        if not op.inclusive:
            return NoMatch("the scan is exclusive")
        types = [element_of(value.type) for value in op.inputs]
        held, axis = distribution(op.inputs[0].type), Axis.of(shape_of(op.inputs[0].type), op.axis)
        combine = RowCombination(self.converter, code, op, types)
        scanning = TileScan(combine, axis, held, list(zip(*at.inputs, strict=True)), reverse=op.reverse)
        return combine.canonical_results(zip(*scanning.result(), strict=True))


@dataclass(frozen=True)
class Prefix:
    """The combination of the elements before a column. ``exists`` is an i1 that is true in threads with such
    elements; None means that there are some in every thread.
    """

    row: Row
    exists: Value | None


class TileScan:
    """A tile during its scan along `axis`, from the end if `reverse`: the `rows` of this thread in the
    distribution `held`, which `combine` combines, and the total of each run with elements of this thread. A
    run is a range of elements along the dimension that are combined already; each step joins neighbouring
    runs, until one is left.
    """

    def __init__(
        self, combine: RowCombination, axis: Axis, held: Distribution, rows: Sequence[Row], *, reverse: bool
    ) -> None:
        self.combine = combine
        self.code = combine.code
        self.axis = axis
        self.held = held
        self.reverse = reverse
        self.parts = PartStrides.of(held)
        """The distribution of the runs."""
        self.rows = dict(zip(held.offsets, rows, strict=True))
        self.totals = dict(self.rows)
        self.columns: dict[int, Prefix | None] = {}
        """The prefixes of columns, by the offsets of their first registers; empty until a thread bit is
        processed.
        """

    def result(self) -> list[Row]:
        """Emit the scan, and return the rows, each combined with all elements before it. May be called once:
        it uses up the strides of the axis.
        """
        strides = self.axis.strides
        while strides:
            taken = self._process_bits(strides)
            del strides[:taken]
        return [self._finished(at, row) for at, row in self.rows.items()]

    def _process_bits(self, strides: Sequence[int]) -> int:
        """Process the first bit of `strides`: a bit of registers alone, bits of lanes together with the
        following bits of lanes, and a bit of warps with all others. Return the number of processed bits.
        """
        first = strides[0]
        if self.parts.leaves_warps(first):
            self._across_warps()
            return len(strides)
        lanes = list(takewhile(lambda stride: self.parts.lane(stride) is not None, strides))
        if lanes:
            self._across_lanes(lanes, is_last=len(lanes) == len(strides))
            return len(lanes)
        self._within(first)
        return 1

    # --- prefixes of columns

    def _column(self, at: int) -> int:
        """Return the column of the register at the offset `at`, by the offset of the column's first register."""
        return max(first for first in self.columns if first & at == first)

    def _members(self, run: int) -> Iterable[int]:
        """Yield the columns of the run `run`, by their first registers; `run` is the offset of the run's
        first register.
        """
        left = sum(self.parts.registers)
        return [first for first in self.columns if first & left == run]

    def _begin_columns(self) -> None:
        if not self.columns:
            self.columns = dict.fromkeys(self.totals)

    def _absorb(self, run: int, row: Row, exists: Value | None) -> None:
        """Put `row`, the total of the elements before a run, before the prefix of each column of the run.
        `exists` says whether there are such elements (None: in every thread).
        """
        for first in self._members(run):
            self.columns[first] = self._in_front(Prefix(row, exists), self.columns[first])

    def _in_front(self, front: Prefix, old: Prefix | None) -> Prefix:
        """Return the combination of two prefixes, with `front` before `old`."""
        if old is None:
            return front
        code, row = self.code, self.combine(front.row, old.row)
        if old.exists is not None:
            row = selected(code, old.exists, row, front.row)
        if front.exists is None:
            return Prefix(row, None)
        row = selected(code, front.exists, row, old.row)
        return Prefix(row, None if old.exists is None else code(llvm.OrOp, front.exists, old.exists))

    def _finished(self, at: int, row: Row) -> Row:
        front = self.columns[self._column(at)] if self.columns else None
        if front is None:
            return row
        made = self.combine(front.row, row)
        return made if front.exists is None else selected(self.code, front.exists, made, row)

    # --- between registers

    def _within(self, stride: int) -> None:
        """Join neighbouring runs of a thread that are `stride` apart, in its registers: each element of the
        later run, in the direction of the scan, is combined with the total of the earlier one, and the totals
        are joined.
        """
        left, totals = self.parts.without(stride), self.totals
        self.totals = dict[int, Row]()
        for at in left.offsets:
            front, back = (at + stride, at) if self.reverse else (at, at + stride)
            if self.columns:
                self._absorb(back, totals[front], None)
            else:
                self._absorb_at_once(back, totals[front])
            self.totals[at] = self.combine(totals[front], totals[back])
        self.parts = left

    def _absorb_at_once(self, run: int, row: Row) -> None:
        left = sum(self.parts.registers)
        for at in self.rows:
            if at & left == run:
                self.rows[at] = self.combine(row, self.rows[at])

    # --- between lanes

    @cached_property
    def own(self) -> Value:
        """Return the number of the first element of this thread."""
        return self.code.offset(self.held.threads, self.code.thread())

    def _across_lanes(self, strides: Sequence[int], *, is_last: bool) -> None:
        """Let runs absorb the preceding runs in other lanes; `strides` are the bits to process, all of the
        lane number. With `is_last` no totals are needed afterwards.
        """
        self._begin_columns()
        exists, source = self._lane_in_front(strides)
        for run, total in self.totals.items():
            through, self.totals[run] = self._of_lanes(total, strides, is_last=is_last)
            front = tuple(from_lane(self.code, value, source) for value in through)
            self._absorb(run, front, exists)
        self.parts = self.parts.with_equal_lanes(strides)

    def _of_lanes(self, total: Row, strides: Sequence[int], *, is_last: bool) -> tuple[Row, Row]:
        """Return the combination of the totals of the lanes up to and including this lane along `strides`,
        and the total of all these lanes, which with `is_last` is not complete. `total` is this lane's.
        """
        through = total
        for stride in strides:
            bit = self.parts.lane(stride)
            assert bit is not None, "lanes are distinguished"
            follows = has_bit(self.code, bit, is_set=not self.reverse)
            other = tuple(from_partner(self.code, value, bit) for value in total)
            is_begin = through is total
            if is_begin or not (is_last and stride == strides[-1]):
                total = self.combine.of_either(follows, total, other)
            more = total if is_begin else self.combine(other, through)
            through = selected(self.code, follows, more, through)
        return through, total

    def _lane_in_front(self, strides: Sequence[int]) -> tuple[Value, Value]:
        """Return whether a lane precedes this lane along the dimension within `strides`, as an i1, and the
        number of that lane, which is arbitrary if there is none.
        """
        code, step = self.code, strides[0] if self.reverse else -strides[0]
        exists = self.exists(self.own, sum(strides))
        return exists, holder(code, self.held.threads, code.plus(self.own, step))

    def exists(self, number: Value, mask: int) -> Value:
        """Return whether an element precedes element `number` along the bits of `mask`: these are not all 0
        (not all 1, if the scan is reversed).
        """
        code, first = self.code, mask if self.reverse else 0
        bits = code(llvm.AndOp, number, code.integer(mask, i32))
        return code.compare_integers("ne", bits, code.integer(first, i32))

    # --- between warps

    def _across_warps(self) -> None:
        """Let runs absorb the preceding runs of all warps: each warp scans the totals of all runs."""
        self._begin_columns()
        numbers, parts = self.parts.numbers, self.parts.in_each_warp(self.axis, 0)
        along = [number for stride, number in numbers.items() if self.axis.has(stride)]
        axis = Axis(min(along), 2 * max(along))
        rows = gathered(self.combine, self.parts, parts, list(self.totals.values()))
        totals = TileScan(self.combine, axis, parts.by(numbers), rows, reverse=self.reverse)
        places = ScanTotals(totals, self.parts.by(numbers))
        offsets = self.parts.by(numbers).offsets
        for run, offset, front in zip(self.totals, offsets, places.in_front(offsets), strict=True):
            self._absorb(run, front, places.exists(offset))


class ScanTotals:
    """The totals of all runs, as this thread reads them for its own runs: `totals` is the tile of totals,
    which the lanes of each warp hold, and `own` the distribution of this thread's runs.
    """

    def __init__(self, totals: TileScan, own: Distribution) -> None:
        self.totals = totals
        self.code = totals.code
        self.own = own
        self.mask = totals.axis.high - totals.axis.low
        self.first = self.code.offset(own.threads, self.code.thread())

    def exists(self, offset: int) -> Value | None:
        """Return whether a run precedes the run of this thread's register at `offset`; None if one does in
        every thread.
        """
        registers = sum(PartStrides.of(self.own).registers)
        differs = registers & ~offset if self.totals.reverse else offset
        if differs & self.mask:
            return None
        return self.totals.exists(self.code.plus(self.first, offset), self.mask)

    def in_front(self, offsets: Sequence[int]) -> list[Row]:
        """Return, for each of this thread's registers at `offsets`, the total of the runs before its run; an
        arbitrary total if there are none.
        """
        step = self.totals.axis.low if self.totals.reverse else -self.totals.axis.low
        numbers = [self.code.plus(self.first, offset + step) for offset in offsets]
        rows = dict(zip(self.totals.held.offsets, self.totals.result(), strict=True))
        return [self._run_total(rows, number) for number in numbers]

    def _run_total(self, rows: dict[int, Row], number: Value) -> Row:
        """Return the total of run `number`, a run-time value: shuffles read all `rows`, the totals in
        registers by offset, from the lane that holds it, and the bits of `number` select one.
        """
        code, held = self.code, self.totals.held
        source = holder(code, held.threads, number)
        found = {at: tuple(from_lane(code, value, source) for value in row) for at, row in rows.items()}
        for stride in PartStrides.of(held).registers:
            bit = code(llvm.AndOp, number, code.integer(stride, i32))
            is_set = code.compare_integers("ne", bit, code.integer(0, i32))
            found = {
                at: selected(code, is_set, found[at + stride], row)
                for at, row in found.items()
                if not at & stride
            }
        return found[0]


def populate_scans(patterns: RewritePatternSet, converter: LLVMTypeConverter) -> None:
    """Add the patterns of this file."""
    patterns.add(ScanLowering(converter))
