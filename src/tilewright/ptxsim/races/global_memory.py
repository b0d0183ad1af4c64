"""Race detection on global memory, by the clocks of shared memory.

Each cell has its last write and its last read: the cluster (0 for none), the thread or asynchronous operation
with its time, and the scope of the access. Accesses with an order do not race with each other if both scopes include
the other thread. The initial contents precede every access and every fence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from tilewright.ptxsim import codes, faults, layout as ptxsim_layout
from tilewright.ptxsim.races import clocks as races_clocks
from tilewright.ptxsim.values import ROW, Array, every, largest, touched_units

LEVEL_BITS = 2
"""The number of bits of a scope level; the higher bits have the number of the step, 0 for asynchronous
operations.
"""
_LEVEL = (1 << LEVEL_BITS) - 1
PAGE_BYTES = 1 << races_clocks.PAGE
PENDING = (1 << 31) - 1
"""The time of a pending write; it is later than all known times."""


class LastAccesses:
    """The last access of each of `count` cells of `cell` bytes: cluster (from 1; 0 for none), row, time, and
    level with the number of the step. The row is the index of a clock: of a thread, or of its asynchronous
    operations.
    """

    def __init__(self, count: int, cell: int) -> None:
        self.marks: Any = np.zeros((count, 4), np.int32)  # the system provides pages when they are first used
        self.words = self.marks.view(ROW)[:, 0]
        self.pages = races_clocks.PageEpochs(count * cell)

    def set(
        self, cells: Array, clocks: races_clocks.ThreadClocks, rows: Array, level: int, step: int
    ) -> None:
        """Record an access of the step number `step` with the scope `level`: thread `rows[i]` accesses row
        `i` of `cells` at its current time.
        """
        marks = np.empty((len(rows), 4), np.int32)
        marks[:, 0], marks[:, 1], marks[:, 2], marks[:, 3] = (
            clocks.number,
            rows,
            clocks.times[rows],
            level | step << LEVEL_BITS,
        )
        self.words[cells] = marks.view(ROW)

    def ranges(self, cell: int) -> list[tuple[int, int]]:
        """Return the ranges of bytes that were accessed, as (begin, end) with the end exclusive, in
        increasing order. `cell` is the size of a cell.
        """
        pages = np.flatnonzero(self.pages.latest >= 0)
        cells = (pages[:, None] * (PAGE_BYTES // cell) + np.arange(PAGE_BYTES // cell)).ravel()
        cells = cells[cells < len(self.marks)]
        used = cells[self.marks[cells, 0] > 0]
        ends = np.flatnonzero(np.diff(used) > 1)
        first = used[np.concatenate([[0], ends + 1])] if len(used) else used
        last = used[np.concatenate([ends, [len(used) - 1]])] if len(used) else used
        return [(int(begin) * cell, (int(end) + 1) * cell) for begin, end in zip(first, last, strict=True)]

    def put(self, cells: Array, *numbers: int) -> None:
        """Record an access of a clock to `cells`: the numbers are its cluster, row, time and level."""
        self.marks[cells] = numbers

    def of(self, cells: Array) -> Array:
        """Return the four numbers of each cell along the first axis; the level includes the number of the
        step.
        """
        found = self.words.take(cells).view(np.int32).reshape(*cells.shape, 4)
        return np.moveaxis(found, -1, 0)


@dataclass(frozen=True, slots=True)
class RaceMessage:
    """Phrases of the message of a race: ``does`` for the access that is checked, such as "is read by", and
    ``did`` for the earlier access.
    """

    does: str
    did: str


def _words(*, writes: bool, who: str = "") -> tuple[RaceMessage, RaceMessage]:
    """Return the phrases for the message about a read or write by `who` (a text such as " an asynchronous
    operation of", or empty) that races with the last write, and the phrases for a race with the last read.
    """
    does = f"is {'written' if writes else 'read'} by{who}"
    return RaceMessage(does, "wrote"), RaceMessage(does, "read")


class GlobalWatch:
    """The last accesses to the cells of global memory."""

    def __init__(self, size: int, cell: int, refuse: Callable[[faults.Fault], None]) -> None:
        """Initialise the watch of `size` bytes with cells of `cell` bytes. `refuse` raises a race, or returns
        to continue.
        """
        self._refuse = refuse
        self.cell = cell
        count = -(-size // cell) + 16
        self.writes, self.reads = LastAccesses(count, cell), LastAccesses(count, cell)

    def ranges(self) -> Iterator[tuple[int, int, bool]]:
        """Yield (begin, end, is_write), with the end exclusive, for each range of bytes that was read, then
        for each that was written.
        """
        for last, is_write in ((self.reads, False), (self.writes, True)):
            yield from ((begin, end, is_write) for begin, end in last.ranges(self.cell))

    def access(
        self,
        clocks: races_clocks.ThreadClocks,
        threads: int,
        rows: Array,
        places: Array,
        size: int,
        *,
        writes: bool,
        level: int = 0,
        by: races_clocks.RaceAccess = races_clocks.UNKNOWN,
    ) -> None:
        """Check an access of the threads `rows` of a cluster to `size` bytes each at `places` for races, and
        record it: a write if `writes` holds, else a read. `clocks` are the clocks of the cluster, `threads`
        is the number of threads of a block, and `level` the scope of an ordered access (0: no order). `by`
        describes the step. A race is passed to `refuse`, which may raise it.
        """
        cells = touched_units(places, size, self.cell)
        after_write, after_read = _words(writes=writes)
        if self.writes.pages.used(places, 0):
            self._check(self.writes, clocks, threads, rows, cells, level, after_write, by)
        if writes and self.reads.pages.used(places, 0):
            self._check(self.reads, clocks, threads, rows, cells, level, after_read)
        last = self.writes if writes else self.reads
        last.set(cells, clocks, rows, level, by.step)
        last.pages.use(places, 0)

    def asynchronous(
        self,
        clocks: races_clocks.ThreadClocks,
        threads: int,
        row: int,
        time: int,
        places: Array,
        *,
        writes: bool,
        level: int = 0,
    ) -> None:
        """Check an access of the async proxy, a write if `writes` holds, else a read, to the bytes at
        `places` for races, and record it at `time`. The thread `row` started it, and `level` is its scope (0:
        no order). A race is passed to `refuse`; a missing proxy fence raises `Fault`.
        """
        cells = self._cells(places)
        if not len(cells):
            return  # the box is outside its tensor
        rows = np.array([row])
        after_write, after_read = _words(writes=writes, who=" an asynchronous operation of")
        self._check(self.writes, clocks, threads, rows, cells[None], level, after_write)
        self._check_fence(clocks, row, cells, level)
        if writes:
            self._check(self.reads, clocks, threads, rows, cells[None], level, after_read)
        last = self.writes if writes else self.reads
        last.put(cells, clocks.number, clocks.threads + row, time, level)
        last.pages.use(places.ravel(), 0)

    def landed(self, clocks: races_clocks.ThreadClocks, row: int, time: int, places: Array) -> None:
        """Set the time of a pending write to `places` by an asynchronous operation of the thread `row` to
        `time`, the time at which it ended. Other writes are unchanged.
        """
        cells, marks = self._cells(places), self.writes.marks
        mine = (marks[cells, 0] == clocks.number) & (marks[cells, 1] == clocks.threads + row)
        marks[cells[mine & (marks[cells, 2] == PENDING)], 2] = time

    def _cells(self, places: Array) -> Array:
        return np.unique(places // self.cell)

    def _check(
        self,
        last: LastAccesses,
        clocks: races_clocks.ThreadClocks,
        threads: int,
        rows: Array,
        cells: Array,
        level: int,
        words: RaceMessage,
        by: races_clocks.RaceAccess = races_clocks.UNKNOWN,
    ) -> None:
        cluster, row, time, made = last.of(cells)
        if largest(cluster) == 0:
            return
        own = cluster == clocks.number
        known: Any = clocks.known[rows[:, None], np.where(own, row, 0)] >= time
        seen: Any = (cluster == 0) | (own & known)
        if level:
            before = made & _LEVEL
            reach = np.minimum(before, level)
            near = own & (row % clocks.threads // threads == rows[:, None] // threads)
            seen |= (reach >= 3) | ((reach == 2) & own) | ((reach == 1) & near)
        if every(seen):
            return
        if by.keeps is not None:
            near = own & (row % clocks.threads // threads == rows[:, None] // threads)
            seen |= near & (made >> LEVEL_BITS == by.step) & by.keeps()[:, None]
        for at, column in np.argwhere(~seen):
            number, other = int(cluster[at, column]), int(row[at, column])
            vector = clocks.foreign.get(int(rows[at]), {}).get((number, races_clocks.CLOCKS))
            if number == clocks.number or vector is None or vector[other] < time[at, column]:
                scoped = bool(level and made[at, column] & _LEVEL)
                fault = self._race(
                    clocks, int(rows[at]), int(cells[at, column]), (number, other), scoped, words
                )
                fault.earlier = int(made[at, column]) >> LEVEL_BITS
                self._refuse(fault)

    def _check_fence(self, clocks: races_clocks.ThreadClocks, row: int, cells: Array, level: int) -> None:
        """Raise `Fault` if a thread wrote one of `cells` and no proxy fence orders the write before the
        asynchronous operation of the thread `row`. With a `level`, ordered writes need no fence.
        """
        cluster, writer, time, made = self.writes.of(cells)
        generic = (cluster > 0) & (writer < clocks.threads)
        if level:
            generic &= made & _LEVEL == 0
        for number in np.unique(cluster[generic]).tolist():
            some = generic & (cluster == number)
            fenced = clocks.behind_fence(races_clocks.GLOBAL, row, number, writer[some], time[some])
            if not fenced.all():
                at = int(np.flatnonzero(some)[int(np.argmin(fenced))])
                who = agent(clocks, number, int(writer[at]))
                raise faults.Fault(
                    codes.RACE,
                    f"an asynchronous operation of thread {row} touches byte {int(cells[at]) * self.cell:#x} of global memory, which "
                    f"{who} wrote without a proxy fence behind it",
                    "execute fence.proxy.async after the write, before the threads synchronise",
                )

    def _race(
        self,
        clocks: races_clocks.ThreadClocks,
        row: int,
        cell: int,
        other: tuple[int, int],
        scoped: bool,
        words: RaceMessage,
    ) -> faults.Fault:
        return faults.Fault(
            codes.RACE,
            f"byte {cell * self.cell:#x} of global memory {words.does} thread {row}, and no synchronisation orders this after "
            f"{agent(clocks, *other)}, which {words.did} it",
            "the scopes of the two accesses do not include the other thread"
            if scoped
            else "put a barrier between the two, or a release and an acquire of a scope that includes both threads; "
            "wait for an asynchronous operation first",
            ptxsim_layout.WINDOWS["global"] + cell * self.cell,
        )


def agent(clocks: races_clocks.ThreadClocks, number: int, row: int) -> str:
    """Return the name of clock `row` of the cluster `number`, such as ``thread 3 of another block``; all
    clusters have the same number of threads.
    """
    return clocks.agent(row) + ("" if number == clocks.number else " of another block")
