"""Tensor maps that kernels write: fences of the proxy of tensor maps.

A thread that wrote a map releases it by a fence. A thread that uses the map must know of a later fence of its
own block that acquired its address. Threads of a warp write a map together, so each of them counts as its
writer.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from tilewright.ptxsim import codes, faults, values as ptxsim_values
from tilewright.ptxsim.races.clocks import MAPS, ThreadClocks
from tilewright.ptxsim.races.global_memory import GlobalWatch, agent

HINT = (
    "execute fence.proxy.tensormap::generic.release after the write, let the threads synchronise, and execute "
    "fence.proxy.tensormap::generic.acquire of the map before it is used"
)


@dataclass(slots=True, eq=False)
class AcquireFences:
    """Fences of the threads `rows`, at `times`, that acquired a map; `stamp` identifies the writes to the map
    at that time.
    """

    stamp: bytes
    rows: ptxsim_values.Array
    times: ptxsim_values.Array

    def known(self, clocks: ThreadClocks, row: int) -> bool:
        """Return whether a fence is ordered before the thread `row`, or was executed by it."""
        return bool(((self.rows == row) | (clocks.known[row, self.rows] >= self.times)).any())


Key = tuple[int, int, int]


@dataclass(slots=True, eq=False)
class MapWatch:
    """The fences that acquired tensor maps in global memory, by cluster, block and address of the map, and
    the checks of later uses.
    """

    memory: GlobalWatch
    threads: int
    """The number of threads of a block."""
    acquired: dict[Key, list[AcquireFences]] = field(default_factory=dict[Key, list[AcquireFences]])

    def _key(self, clocks: ThreadClocks, row: int, place: int) -> Key:
        return clocks.number, row // self.threads, place

    def _cells(self, place: int, size: int) -> ptxsim_values.Array:
        return np.arange(place // self.memory.cell, (place + size - 1) // self.memory.cell + 1)

    def _written(self, place: int, size: int) -> tuple[ptxsim_values.Array, bytes]:
        """Return the cells of the map of `size` bytes at `place` that a kernel wrote, and bytes that identify
        the last writes to them.
        """
        cells, marks = self._cells(place, size), self.memory.writes.marks
        cells = cells[marks[cells, 0] > 0]
        return cells, marks[cells, :3].tobytes()

    def acquire(self, clocks: ThreadClocks, rows: ptxsim_values.Array, place: int, size: int) -> None:
        """Record that the threads `rows` of a block execute a fence that acquires the tensor map of `size`
        bytes at `place`, and advance their times. The fence has no effect for threads to which the writes of
        the map are not released.
        """
        cells, stamp = self._written(place, size)
        chosen = [row for row in rows.tolist() if self._unreleased(clocks, row, cells) is None]
        key = self._key(clocks, int(rows[0]), place)
        found = [one for one in self.acquired.get(key, ()) if one.stamp == stamp]
        if chosen and not any(np.isin(chosen, one.rows).all() for one in found):
            numbers = np.array(chosen)
            found.append(AcquireFences(stamp, numbers, clocks.times[numbers]))
        self.acquired[key] = found
        clocks.tick(rows)

    def use(self, clocks: ThreadClocks, row: int, place: int, size: int) -> None:
        """Check that the thread `row` may use the tensor map of `size` bytes at `place`, and record the use,
        so that later writes are checked. Raises `Fault` if a fence that releases or acquires the map is
        missing.
        """
        cells, stamp = self._written(place, size)
        reader = clocks.threads + row
        self.memory.reads.put(self._cells(place, size), clocks.number, reader, clocks.start(row), 0)
        self.memory.reads.pages.use(place + np.arange(size), 0)
        if not len(cells):
            return
        found = self.acquired.get(self._key(clocks, row, place), ())
        if any(one.stamp == stamp and one.known(clocks, row) for one in found):
            return
        at = self._unreleased(clocks, row, cells)
        marks = self.memory.writes.marks
        which = "acquired" if at is None else "released"
        at = int(cells[0]) if at is None else at
        who = agent(clocks, int(marks[at, 0]), int(marks[at, 1]))
        raise faults.Fault(
            codes.RACE,
            f"a tensor copy of thread {row} uses a tensor map that {who} wrote and no fence has {which} for it",
            HINT,
        )

    def _unreleased(self, clocks: ThreadClocks, row: int, cells: ptxsim_values.Array) -> int | None:
        """Return a cell of `cells` whose write is not known to be released to the thread `row`; `None` if all
        writes are.
        """
        marks = self.memory.writes.marks
        for number in np.unique(marks[cells, 0]).tolist():
            some = cells[marks[cells, 0] == number]
            writers, times = marks[some, 1], marks[some, 2]
            released = (writers < clocks.threads) & clocks.behind_fence(MAPS, row, number, writers, times)
            if number == clocks.number and MAPS in clocks.fenced:
                own = writers % clocks.threads
                near = (own >> 5 == row >> 5) & (clocks.fenced[MAPS][own, own] >= times)
                released |= (writers < clocks.threads) & near
            if not released.all():
                return int(some[int(np.argmin(released))])
        return None
