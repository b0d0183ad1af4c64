"""Race detection on shared memory by vector clocks.

Every thread has a clock for its own accesses, and a clock for the asynchronous operations that it starts. An
operation of the async proxy is ordered before a thread's accesses only if a thread waited for it, and after
them only if a proxy fence is between. A row of ``known`` has the time of every clock up to which accesses
precede the thread's next access; a row of ``fenced`` has the time up to which they precede a fence of a kind.
Barriers, arrivals and waits join rows. Each cell of memory has its last write, and the last read of each
warp.

Accesses with an order (including atomic operations) are not checked here; `orders` implements their
synchronisation.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from tilewright.ptxsim import codes, faults
from tilewright.ptxsim.values import ROW, Array, every, largest, touched_units

ALWAYS = 1 << 62
"""A time after every barrier."""
STEPS = 1 << 20
"""Barriers of all threads are counted in this unit; the lower part has the number of the step that wrote a
cell, if it is less.
"""
WRITE = np.dtype([("writer", np.int32), ("written", np.int32), ("last", np.int64)])
"""The last write of a cell: its thread, its time, the last barrier of all threads before it, and the number
of the step.
"""
PAGE = 9
"""The number of address bits of a page; no access of a thread crosses a page boundary."""
REMEMBERED = 256
"""The maximum number of reads that are recorded lazily."""
SHARED, GLOBAL, MAPS = "shared", "global", "maps"
"""The kinds of proxy fences: the async proxy in shared and in global memory, and the proxy of tensor maps."""
BEFORE_SYNC, AFTER_SYNC = "before thread sync", "after thread sync"
"""The kinds of fences of tensor memory: times of accesses that precede a fence before a synchronisation, and of
those that also precede a fence behind it.
"""
CLOCKS = ""
"""The key of the clocks themselves, beside the kinds of fences."""
OtherClusterClocks = dict[tuple[int, str], Array]
"""Clocks of other clusters and their fenced times, by cluster index and kind."""


class BarrierClock:
    """A vector clock that is published at a barrier: the join of the clocks of the threads that arrived."""

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self.known: Any = np.zeros(2 * threads, np.int32)
        self.fenced: dict[str, Any] = {}
        """The joined fenced times, by kind of fence."""
        self.foreign: OtherClusterClocks = {}

    def add(self, other: BarrierClock) -> None:
        """Join the clocks of `other` to these clocks, with its fenced times and its clocks of other clusters."""
        np.maximum(self.known, other.known, out=self.known)
        for kind, vector in other.fenced.items():
            self.add_fenced(kind, vector)
        self.foreign = joined(self.foreign, other.foreign)

    def fence_before_sync(self) -> None:
        """Record all known times as fenced before a synchronisation of threads, as `tcgen05.commit` does."""
        self.add_fenced(BEFORE_SYNC, self.known)

    def ended(self, column: int, time: int) -> None:
        """Record the end of an operation on tensor memory at `time` of the clock `column`, also as fenced
        before a synchronisation.
        """
        self.known[column] = max(self.known[column], time)
        before = self.fenced.get(BEFORE_SYNC)
        before = self.fenced[BEFORE_SYNC] = np.zeros_like(self.known) if before is None else before.copy()
        before[column] = max(before[column], time)

    def add_fenced(self, kind: str, vector: Array) -> None:
        """Join `vector` to the fenced times of the kind `kind`."""
        before = self.fenced.get(kind)
        self.fenced[kind] = vector.copy() if before is None else np.maximum(before, vector)

    def copy(self) -> BarrierClock:
        """Return a copy, which later publications to `self` do not change."""
        other = BarrierClock(self.threads)
        other.known, other.fenced, other.foreign = self.known.copy(), dict(self.fenced), self.foreign
        return other


def joined(first: OtherClusterClocks, second: OtherClusterClocks) -> OtherClusterClocks:
    """Return the elementwise maximum of two sets of clocks, by cluster and kind. Neither argument is changed;
    the result may be `first` itself.
    """
    if first is second or not second:
        return first
    found = dict(first)
    for key, vector in second.items():
        found[key] = np.maximum(found[key], vector) if key in found else vector
    return found


class ThreadClocks:
    """The clocks of all threads of a cluster: clock `i` counts the accesses of thread `i`, and clock
    ``threads + i`` the asynchronous operations that it starts. `known` and `fenced` have the times of other
    clocks that are ordered before each thread.
    """

    def __init__(self, threads: int, number: int = 0) -> None:
        """Initialise the clocks of `threads` threads; `number` is the index of the cluster."""
        self.threads = threads
        self.number = number
        self.times: Any = np.ones(threads, np.int32)
        """The time of each thread's next access."""
        self._same: BarrierClock | None = BarrierClock(threads)
        """The common knowledge of all threads apart from their own times; `None` if their knowledge differs.
        """
        self._known: Any = None
        self._fenced: dict[str, Any] = {}
        self.started: Any = np.zeros(threads, np.int32)
        """The number of asynchronous operations that each thread has started."""
        self.foreign: dict[int, OtherClusterClocks] = {}
        """The known clocks of other clusters, by thread."""
        self.joins = 0
        """The number of barriers of all threads, in `STEPS`; accesses before the last of them are ordered
        before all later accesses.
        """

    @property
    def known(self) -> Any:
        """Return the matrix of known times: a row for each thread, a column for each clock. The caller may
        change it.
        """
        self._tell_apart()
        return self._known

    @property
    def fenced(self) -> dict[str, Any]:
        """Return for each kind of fence a matrix: row `i` has the times up to which accesses precede a fence
        that is ordered before thread `i`.
        """
        self._tell_apart()
        return self._fenced

    def _tell_apart(self) -> None:
        """Create a row for each thread from the common knowledge."""
        if self._same is not None:
            self._known = np.tile(self._same.known, (self.threads, 1))
            fenced = self._same.fenced.items()
            self._fenced = {kind: np.tile(vector, (self.threads, 1)) for kind, vector in fenced}
            own = np.arange(self.threads)
            self._known[own, own] = self.times
            self._same = None

    def tick(self, rows: Array) -> None:
        """Advance the times of the threads `rows` by 1."""
        self.times[rows] += 1
        if self._same is None:
            self._known[rows, rows] = self.times[rows]

    def publish(self, rows: Array, to: BarrierClock) -> None:
        """Join the clocks of the threads `rows`, with the fenced times and the clocks of other clusters, to
        `to`, and advance the times of these threads.
        """
        if self._same is None:
            known = self._known[rows].max(0)
            fenced = {kind: matrix[rows].max(0) for kind, matrix in self._fenced.items()}
        else:
            known, fenced = self._same.known.copy(), self._same.fenced
            known[rows] = self.times[rows]
        np.maximum(to.known, known, out=to.known)
        for kind, vector in fenced.items():
            to.add_fenced(kind, vector)
        if self.foreign:
            for row in rows.tolist():
                to.foreign = joined(to.foreign, self.foreign.get(row, {}))
        self.tick(rows)

    def learn(self, rows: Array, from_: BarrierClock) -> None:
        """Join the published clocks `from_` to the clocks of the threads `rows`: the accesses before them
        precede the next accesses of these threads.
        """
        self.known[rows] = np.maximum(self.known[rows], from_.known)
        for kind, vector in from_.fenced.items():
            matrix = self.matrix(kind)
            matrix[rows] = np.maximum(matrix[rows], vector)
        self._learn_foreign(rows, from_.foreign)

    def _learn_foreign(self, rows: Array, foreign: OtherClusterClocks) -> None:
        if foreign:
            for row in rows.tolist():
                self.foreign[row] = joined(self.foreign.get(row, {}), foreign)

    def acquire(self, row: int, vectors: OtherClusterClocks) -> None:
        """Join the clocks `vectors` of a release, by cluster and kind, to the knowledge of the thread `row`."""
        for (number, kind), vector in vectors.items():
            if number == self.number:
                own = self.known[row] if kind == CLOCKS else self.matrix(kind)[row]
                np.maximum(own, vector, out=own)
        others = {key: vector for key, vector in vectors.items() if key[0] != self.number}
        self._learn_foreign(np.array([row]), others)

    def release_clocks(self, row: int) -> OtherClusterClocks:
        """Return a copy of the knowledge of the thread `row` for a release: its vector clock and its fenced
        times, and the same of other clusters, by the number of the cluster and the kind (`CLOCKS`, or a kind
        of fence).
        """
        own = {(self.number, kind): matrix[row].copy() for kind, matrix in self.fenced.items()}
        return {(self.number, CLOCKS): self.known[row].copy(), **own, **self.foreign.get(row, {})}

    def level(self, from_: BarrierClock) -> None:
        """Complete a barrier of all threads: the clocks of every thread become the join `from_`."""
        self._same = from_.copy()
        self.times = from_.known[: self.threads] + 1
        self._learn_foreign(np.arange(self.threads), from_.foreign)
        self.joins += STEPS

    def join(self, rows: Array) -> None:
        """Join the clocks of the threads `rows`: a barrier of these threads."""
        all_of = BarrierClock(self.threads)
        self.publish(rows, all_of)
        self.learn(rows, all_of)

    # --- proxies

    def matrix(self, kind: str) -> Any:
        """Return the matrix of fenced times of a kind, a row for each thread, which the caller may change. It
        is created, with the times 0, at the first call.
        """
        if kind not in self.fenced:
            columns = 2 * self.threads if kind in (BEFORE_SYNC, AFTER_SYNC) else self.threads
            self.fenced[kind] = np.zeros((self.threads, columns), np.int32)
        return self.fenced[kind]

    def fence_proxies(self, rows: Array, *kinds: str) -> None:
        """Execute proxy fences of `kinds`: all accesses that the threads `rows` know precede later operations
        of the proxies. The times of the threads advance.
        """
        for kind in kinds:
            matrix = self.matrix(kind)
            matrix[rows] = np.maximum(matrix[rows], self.known[rows, : self.threads])
            for row in rows.tolist() if self.foreign else ():
                known = self.foreign.get(row, {})
                fenced = {
                    (number, kind): vector[: self.threads]
                    for (number, which), vector in known.items()
                    if which == CLOCKS
                }
                self.foreign[row] = joined(known, fenced)
        self.tick(rows)

    def fence_before_sync(self, rows: Array) -> None:
        """Order the known accesses of the threads `rows` to tensor memory before their later synchronisation,
        and advance their times.
        """
        matrix = self.matrix(BEFORE_SYNC)
        matrix[rows] = np.maximum(matrix[rows], self.known[rows])
        self.tick(rows)

    def fence_after_sync(self, rows: Array) -> None:
        """Order later operations of the threads `rows` on tensor memory after their earlier synchronisation."""
        before, after = self.matrix(BEFORE_SYNC), self.matrix(AFTER_SYNC)
        after[rows] = np.maximum(after[rows], before[rows])

    def behind_fence(self, kind: str, row: int, number: int, threads: Array, times: Array) -> Array:
        """Return a mask of the accesses by the clocks `threads` of cluster `number`, at `times`, that precede
        a fence of `kind` which is ordered before the thread `row` of this cluster. Initial contents, at time
        0, always do.
        """
        if number == self.number:
            vector = self.fenced[kind][row] if kind in self.fenced else None
        else:
            vector = self.foreign.get(row, {}).get((number, kind))
        return times <= 0 if vector is None else vector[threads] >= times

    def start(self, row: int) -> int:
        """Count a new asynchronous operation of the thread `row`, and return its time: the number of
        operations that the thread has started. It is a time of the clock ``threads + row``; the thread's own
        time does not change.
        """
        self.started[row] += 1
        return int(self.started[row])

    def ended(self, rows: Array, starter: int, time: int) -> None:
        """Record that the threads `rows` know the end, at `time`, of an asynchronous operation that the
        thread `starter` started.
        """
        column = self.threads + starter
        self.known[rows, column] = np.maximum(self.known[rows, column], time)

    def agent(self, number: int) -> str:
        """Return the name of the thread whose clock has the index `number`, or, from ``threads`` on, of its
        asynchronous operations, for messages.
        """
        if number < self.threads:
            return f"thread {number}"
        return f"an asynchronous operation of thread {number - self.threads}"


class PageEpochs:
    """For each page of a memory of `size` bytes, the time of its last use, in barriers of all threads
    (`ThreadClocks.joins`), or `ALWAYS`: a quick proof that no cell of the page was used since a barrier.
    """

    def __init__(self, size: int) -> None:
        self.latest: Any = np.full((size >> PAGE) + 2, -1, np.int64)
        self.last = -1
        """The maximum over all pages."""

    def used(self, places: Array, since: int) -> bool:
        """Return whether bytes in the pages of `places` may have been used since the barrier `since`."""
        return self.last >= since and largest(self.latest[places >> PAGE]) >= since

    def use(self, places: Array, time: int) -> None:
        """Record a use of the bytes at `places` at the time `time`, the last barrier before it, or `ALWAYS`."""
        pages = places >> PAGE
        self.latest[pages] = np.maximum(self.latest[pages], time) if self.last == ALWAYS else time
        self.last = max(self.last, time)


@dataclass(frozen=True, slots=True)
class RaceAccess:
    """An access by a step: the number of the step (0: unknown), and for a plain store the function `keeps`,
    which returns a mask of the threads whose value is in memory already; None for other accesses.
    """

    step: int = 0
    keeps: Callable[[], Array] | None = None


UNKNOWN = RaceAccess()


class SharedWatch:
    """The last accesses to the cells of a block's shared memory."""

    def __init__(self, clocks: ThreadClocks, base: int, size: int, cell: int) -> None:
        """Initialise the watch of `size` bytes. `base` is the index of the block's first thread in the
        cluster, and `cell` the size of a cell in bytes.
        """
        self.clocks, self.base, self.cell = clocks, base, cell
        count = -(-size // cell) + 64
        warps = -(-clocks.threads // 32) + 1
        writes: Any = np.zeros(count, WRITE)
        self.words = writes.view(ROW)
        self.writer, self.written, self.last_write = writes["writer"], writes["written"], writes["last"]
        self.last_write[:] = -1
        self.reader: Any = np.zeros((warps, count), np.int32)
        self.read: Any = np.zeros((warps, count), np.int32)
        self.last_read: Any = np.full(count, -1, np.int64)
        """The last barrier of all threads before the last read of each cell, as in `last_write`; `ALWAYS` for
        asynchronous operations.
        """
        self.page_writes, self.page_reads = PageEpochs(size), PageEpochs(size)
        self.unmarked: list[tuple[Array, Array, int, Array]] = []
        """Reads since the last barrier that are not yet recorded in cells: threads, places, sizes in bytes
        and times.
        """
        self.reads: list[tuple[Array, Array, Array]] = []
        """Reads whose cells are marked, but without thread and time: threads, cells and times."""
        self.since = 0
        self.unfenced: set[int] = set()
        """The numbers of steps whose writes the async proxy may use without a proxy fence."""

    def access(
        self, rows: Array, places: Array, size: int, *, writes: bool, by: RaceAccess = UNKNOWN
    ) -> None:
        """Check an access of the threads `rows` to `size` bytes each at `places` for races, and record it: a
        write if `writes` holds, else a read. `by` describes the step. Raises `Fault` for a race.
        """
        joins, own, threads = self.clocks.joins, self.clocks.times[rows], rows[:, None]
        if self.page_writes.used(places, joins):
            cells = touched_units(places, size, self.cell)
            if largest(self.last_write[cells]) >= joins:
                self._after_write(threads, cells, writes, by)
        if not writes:
            self._remember(rows, places, size, own)
            return
        cells = touched_units(places, size, self.cell)
        self._forget_reads()
        self._mark_reads()
        if self.page_reads.used(places, joins) and largest(self.last_read[cells]) >= joins:
            self._after_reads(threads, cells)
        self._wrote(rows, places, cells, by.step)

    def _wrote(self, rows: Array, places: Array, cells: Array, step: int = 0) -> None:
        """Record a write of each thread to its row of `cells`, by the step with the number `step` (0:
        unknown).
        """
        writes: Any = np.empty(len(rows), WRITE)
        joins = self.clocks.joins
        writes["writer"], writes["written"], writes["last"] = (
            rows,
            self.clocks.times[rows],
            joins + step % STEPS,
        )
        self.words[cells] = writes.view(ROW)[:, None]
        self.page_writes.use(places, joins)

    def _remember(self, rows: Array, places: Array, size: int, own: Array) -> None:
        """Record reads of `size` bytes at `places` by the threads `rows` at the times `own`, without entering
        them to cells: that happens before the next write, and not at all after a barrier of all threads.
        """
        self._forget_reads()
        self.unmarked.append((rows, places, size, own))
        if self.page_reads.last == ALWAYS:
            self._mark_reads()
        if len(self.unmarked) + len(self.reads) > REMEMBERED:
            self._enter_reads()

    def _forget_reads(self) -> None:
        """Drop the reads that are not entered to cells if a barrier of all threads has followed them: no
        later write can race with them.
        """
        if self.since != self.clocks.joins:
            self.unmarked, self.reads, self.since = [], [], self.clocks.joins

    def _mark_reads(self) -> None:
        """Record for the cells of unmarked reads that they were read since the last barrier of all threads;
        the reading threads and times are entered later, by `_enter_reads`.
        """
        for rows, places, size, own in self.unmarked:
            cells = touched_units(places, size, self.cell)
            self.last_read[cells] = self.since
            self.page_reads.use(places, self.since)
            self.reads.append((rows[:, None], cells, own[:, None]))
        self.unmarked = []

    def _enter_reads(self) -> None:
        """Enter the thread and time of recorded reads to their cells."""
        self._mark_reads()
        for threads, cells, own in self.reads:
            warps = threads >> 5
            self.reader[warps, cells], self.read[warps, cells] = threads, own
        self.reads = []

    def asynchronous(
        self, row: int, time: int, places: Array, *, writes: bool, generic_proxy: bool = False
    ) -> None:
        """Check and record a write (with `writes`) or read of the bytes at `places` by an operation that the
        thread `row` started at `time`. The operation is of the async proxy or, with `generic_proxy`, of the
        proxy of the threads. Raises `Fault` for a race, or a missing proxy fence.
        """
        clocks = self.clocks
        cells = np.unique(places // self.cell)
        writer, written = self.writer[cells], self.written[cells]
        generic = writer < clocks.threads
        seen = clocks.known[row, writer] >= written
        fenced = clocks.behind_fence(SHARED, row, clocks.number, np.where(generic, writer, 0), written)
        if generic_proxy:
            fenced = fenced | True
        if self.unfenced:
            fenced |= np.isin(self.last_write[cells] % STEPS, list(self.unfenced))
        self._told(
            seen, np.array([[row]]), cells[None], "is touched by an asynchronous operation of", "wrote"
        )
        if (generic & ~fenced).any():
            at = int(np.argmax(generic & ~fenced))
            raise faults.Fault(
                codes.RACE,
                f"an asynchronous operation of thread {row} touches shared address {int(cells[at]) * self.cell:#x}, "
                f"which thread {int(writer[at])} wrote without a proxy fence behind it",
                "execute fence.proxy.async after the write, before the barrier",
            )
        agent = clocks.threads + row
        if writes:
            self._after_reads(np.array([[row]]), cells[None])
            self.writer[cells], self.written[cells], self.last_write[cells] = agent, time, ALWAYS
            self.page_writes.use(places, ALWAYS)
        else:
            self._mark_reads()
            self.reader[-1, cells], self.read[-1, cells], self.last_read[cells] = agent, time, ALWAYS
            self.page_reads.use(places, ALWAYS)

    def landed(self, lanes: Array, places: Array, size: int) -> None:
        """Record that `cp.async` copies of the threads `lanes` wrote `size` bytes each at `places`, when the
        threads have waited for them.
        """
        self._wrote(lanes + self.base, places, touched_units(places, size, self.cell))

    def look(self, rows: Array, places: Array) -> None:
        """Check the use of the mbarriers at `places` by the threads `rows`. Raises `Fault` if a thread's use
        is not ordered after the initialisation.
        """
        cells = places[:, None] // self.cell
        seen = self.clocks.known[rows[:, None], self.writer[cells]] >= self.written[cells]
        self._told(seen, rows[:, None], cells, "is used as an mbarrier by", "initialised")

    def forget(self, places: Array) -> None:
        """Drop the recorded accesses to the bytes at `places`, which become an mbarrier, or ordinary memory
        again.
        """
        cells = places // self.cell
        self._enter_reads()
        self.written[cells] = 0
        self.read[:, cells] = 0
        self.last_write[cells] = self.last_read[cells] = -1

    def _after_write(self, threads: Array, cells: Array, writes: bool, by: RaceAccess) -> None:
        seen: Any = self.clocks.known[threads, self.writer[cells]] >= self.written[cells]
        if by.keeps is not None and not every(seen):
            seen |= (self.last_write[cells] % STEPS == by.step % STEPS) & by.keeps()[:, None]
        self._told(seen, threads, cells, "is written by" if writes else "is read by", "wrote")

    def _told(self, seen: Array, threads: Array, cells: Array, does: str, did: str) -> None:
        if every(seen):
            return
        at = np.unravel_index(int(np.argmin(seen)), cells.shape)
        other = int(self.writer[cells[at]])
        fault = self._race(int(np.broadcast_to(threads, cells.shape)[at]), int(cells[at]), does, other, did)
        fault.earlier = int(self.last_write[cells[at]]) % STEPS
        raise fault

    def _after_reads(self, threads: Array, cells: Array) -> None:
        self._enter_reads()
        reader, read = self.reader[:, cells], self.read[:, cells]
        if read.any():
            seen = self.clocks.known[threads[None], reader] >= read
            if not every(seen):
                at = np.unravel_index(int(np.argmin(seen)), seen.shape)
                row = int(np.broadcast_to(threads[None], seen.shape)[at])
                raise self._race(row, int(cells[at[1:]]), "is written by", int(reader[at]), "read")
            self.read[:, cells] = 0
        self.last_read[cells] = -1

    def _race(self, row: int, cell: int, does: str, other: int, did: str) -> faults.Fault:
        who = self.clocks.agent(other)
        return faults.Fault(
            codes.RACE,
            f"shared address {cell * self.cell:#x} {does} thread {row}, and no synchronisation orders this after {who}, which {did} it",
            "put a barrier between the two accesses, or wait for the operation",
        )
