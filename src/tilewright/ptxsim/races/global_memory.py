"""Races on global memory, by the same clocks as those on shared memory.

Each cell remembers its last write and its last read: the cluster, the thread and its time, and how far the access
reached.  Accesses with an order do not race with each other where both scopes include the other thread.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tilewright.ptxsim import codes
from tilewright.ptxsim.faults import Fault
from tilewright.ptxsim.races.clocks import Clocks, Pages
from tilewright.ptxsim.values import ROW, Array, every, largest, parts


class Last:
    """The last access of each cell: cluster (-1: there was none), row, time and level."""

    def __init__(self, count: int, cell: int) -> None:
        self.marks: Any = np.zeros((count, 4), np.int32)
        self.marks[:, 0] = -1
        self.words = self.marks.view(ROW)[:, 0]
        self.pages = Pages(count * cell)

    def set(self, cells: Array, clocks: Clocks, rows: Array, level: int) -> None:
        """An access of threads, each to its row of cells."""
        marks = np.empty((len(rows), 4), np.int32)
        marks[:, 0], marks[:, 1], marks[:, 2], marks[:, 3] = clocks.number, rows, clocks.times[rows], level
        self.words[cells] = marks.view(ROW)

    def of(self, cells: Array) -> Array:
        """The four numbers of each cell, along the first axis."""
        found = self.words.take(cells).view(np.int32).reshape(*cells.shape, 4)
        return np.moveaxis(found, -1, 0)


class GlobalWatch:
    """The last accesses to the cells of global memory."""

    def __init__(self, size: int, cell: int) -> None:
        """``size`` counts the bytes of memory, ``cell`` those of a cell."""
        self.cell = cell
        count = -(-size // cell) + 16
        self.writes, self.reads = Last(count, cell), Last(count, cell)

    def access(
        self,
        clocks: Clocks,
        threads: int,
        rows: Array,
        places: Array,
        size: int,
        *,
        writes: bool,
        level: int = 0,
    ) -> None:
        """An access of threads to so many bytes each; blocks have so many ``threads``.  Raises `Fault` for a race."""
        if not places.size:
            return  # a box that lies outside of its tensor
        if places.ndim == 1:
            cells = parts(places, size, self.cell)
        else:
            cells = np.unique(places.reshape(len(rows), -1) // self.cell, axis=1)
        does = "is written by" if writes else "is read by"
        if self.writes.pages.used(places, 0):
            self._check(self.writes, clocks, threads, rows, cells, level, (does, "wrote"))
        if writes and self.reads.pages.used(places, 0):
            self._check(self.reads, clocks, threads, rows, cells, level, (does, "read"))
        last = self.writes if writes else self.reads
        last.set(cells, clocks, rows, level)
        last.pages.use(places, 0)

    def _check(
        self,
        last: Last,
        clocks: Clocks,
        threads: int,
        rows: Array,
        cells: Array,
        level: int,
        words: tuple[str, str],
    ) -> None:
        cluster, row, time, before = last.of(cells)
        if largest(cluster) < 0:
            return
        own = cluster == clocks.number
        known: Any = clocks.known[rows[:, None], np.where(own, row, 0)] >= time
        seen: Any = (cluster < 0) | (own & known)
        if level:
            reach = np.minimum(before, level)
            near = own & (row // threads == rows[:, None] // threads)
            seen |= (reach >= 3) | ((reach == 2) & own) | ((reach == 1) & near)
        if every(seen):
            return
        for at, column in np.argwhere(~seen):
            number, other = int(cluster[at, column]), int(row[at, column])
            vector = clocks.foreign.get(int(rows[at]), {}).get(number)
            if number == clocks.number or vector is None or vector[other] < time[at, column]:
                scoped = bool(level and before[at, column])
                raise self._race(
                    int(rows[at]), int(cells[at, column]), other, number == clocks.number, scoped, words
                )

    def _race(
        self, row: int, cell: int, other: int, own: bool, scoped: bool, words: tuple[str, str]
    ) -> Fault:
        who = f"thread {other}" if own else f"thread {other} of another block"
        return Fault(
            codes.RACE,
            f"byte {cell * self.cell:#x} of global memory {words[0]} thread {row}, and nothing orders that behind {who}, "
            f"which {words[1]} it",
            "the scopes of the two accesses do not include the other thread"
            if scoped
            else "put a barrier between the two, or a release and an acquire of a scope that includes both threads",
        )
