"""Bulk copies, completed by an mbarrier or by a bulk group of their thread.

Like `cp.async` they end when a thread waits at their mbarrier, or for their group; `arrivals` chooses when
their bytes arrive.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from tilewright.ptxsim import codes, faults
from tilewright.ptxsim.asynchronous import combining, mbarriers as asynchronous_mbarriers
from tilewright.ptxsim.asynchronous.arrivals import Arrival, Arrivals
from tilewright.ptxsim.storage import Storage
from tilewright.ptxsim.values import UNSIGNED, Array, dtype


def arriving(
    arrivals: Arrivals,
    barrier: asynchronous_mbarriers.Mbarrier,
    storage: Storage,
    places: Array,
    data: Array,
    row: int,
    *,
    generic_proxy: bool = False,
) -> None:
    """Start a copy of `data` to the bytes at `places` of the shared memory `storage`, which `barrier` counts;
    `row` is the index of the thread in its cluster. With `generic_proxy` no proxy fence is needed. Raises
    `Fault` for a race.
    """
    storage.begin_write(places)
    time = started(storage, row, places, writes=True, generic_proxy=generic_proxy)

    def put() -> None:
        storage.bytes[places] = data
        _arrived(barrier, storage, row, time)
        barrier.expect(-data.size)

    def finish() -> None:
        storage.end_write(places, data)
        storage.finish()

    _start(arrivals, barrier, Arrival(put, finish))


def _start(arrivals: Arrivals, barrier: asynchronous_mbarriers.Mbarrier, one: Arrival) -> None:
    barrier.operations.append(one)
    arrivals.start(one)


def started(storage: Storage, row: int, places: Array, *, writes: bool, generic_proxy: bool = False) -> int:
    """Count a new asynchronous operation of the thread with index `row` in the cluster, check its access to
    `places` of `storage` for races, and return its time; 0 without race detection. The access is a write if
    `writes` holds, else a read. With `generic_proxy` no proxy fence is needed. Raises `Fault` for a race.
    """
    if storage.watch is None:
        return 0
    time = storage.watch.clocks.start(row)
    storage.watch.asynchronous(row, time, places, writes=writes, generic_proxy=generic_proxy)
    return time


def _arrived(barrier: asynchronous_mbarriers.Mbarrier, storage: Storage, row: int, time: int) -> None:
    if storage.watch is not None:
        column = storage.watch.clocks.threads + row
        barrier.arriving.known[column] = max(barrier.arriving.known[column], time)


def from_peer(
    arrivals: Arrivals,
    barrier: asynchronous_mbarriers.Mbarrier,
    source: tuple[Storage, Array],
    target: tuple[Storage, Array],
    row: int,
) -> None:
    """Start a copy between the shared memories of two blocks, which `barrier` counts. `source` and `target`
    are a storage and offsets in it; the source is read when the target is written. `row` is the index of the
    thread in the cluster.
    """
    source[0].begin_read(source[1])
    target[0].begin_write(target[1])
    started(source[0], row, source[1], writes=False)
    time = started(target[0], row, target[1], writes=True)

    def put() -> None:
        target[0].bytes[target[1]] = source[0].bytes[source[1]]
        _arrived(barrier, target[0], row, time)
        barrier.expect(-source[1].size)

    def finish() -> None:
        source[0].end_read(source[1])
        target[0].end_write(target[1], source[0].bytes[source[1]])
        target[0].finish()

    _start(arrivals, barrier, Arrival(put, finish))


class CopyDestination(Protocol):
    """The destination of a copy: `arrive` writes the bytes when they arrive, and `end` completes the copy
    when its thread has waited.
    """

    def arrive(self, data: Array) -> None:
        """Write `data`: the bytes arrive."""
        ...

    def end(self, data: Array) -> None:
        """Make `data` defined at the destination: the thread has waited for the copy."""
        ...


@dataclass(slots=True, eq=False)
class OutgoingCopy:
    """A copy out of shared memory that a thread started: the bytes at `places` of `storage`, and its target.
    `lane` is the index of the thread in its block, `row` its index in the cluster, and `group` the number of
    its bulk group. `landed` is called when the copy has ended. `time` is the number of the operation in the
    race detection, 0 without it. `data` are the bytes once they are read (`is_read`); `arrived` is set when
    the target has them.
    """

    lane: int
    group: int
    storage: Storage
    places: Array
    target: CopyDestination
    landed: Callable[[], None]
    row: int = 0
    time: int = 0
    is_read: bool = False
    arrived: bool = False
    data: Any = None

    def read(self) -> None:
        """Complete the read of the source, which the thread waits for, unless it is complete. The source may
        be written afterwards.
        """
        if not self.is_read:
            self.is_read = True
            self._fetch()
            self.storage.end_read(self.places)
            if self.storage.watch is not None:
                self.storage.watch.clocks.ended(np.array([self.row]), self.row, self.time)

    def _fetch(self) -> None:
        if self.data is None:
            self.data = self.storage.bytes[self.places]

    def arrive(self) -> None:
        """Read the source and write the target, unless that has happened."""
        if not self.arrived:
            self.arrived = True
            self._fetch()
            self.target.arrive(self.data)

    def end(self) -> None:
        """Complete the copy, because the thread waits for its group: read the source and write the target
        unless that has happened, complete the target, and call `landed`.
        """
        self.read()
        self.arrive()
        self.target.end(self.data)
        self.landed()


class BulkGroups:
    """The unfinished bulk copies of a block of `threads` threads, and the number of groups that each thread
    has committed. `arrivals` chooses when the data of the copies arrive.
    """

    def __init__(self, threads: int, arrivals: Arrivals) -> None:
        self.committed: Any = np.zeros(threads, np.int64)
        self.pending: list[OutgoingCopy] = []
        self.arrivals = arrivals

    def start(
        self,
        thread: tuple[int, int],
        storage: Storage,
        places: Array,
        target: CopyDestination,
        landed: Callable[[], None],
    ) -> None:
        """Start a copy of the bytes at `places` of `storage` to `target`. `thread` is the index of the thread
        in the block and its index in the cluster. `landed` is called when the copy has ended.
        """
        lane, row = thread
        storage.begin_read(places)
        time = started(storage, row, places, writes=False)
        one = OutgoingCopy(lane, int(self.committed[lane]), storage, places, target, landed, row, time)
        self.pending.append(one)
        self.arrivals.start(one)

    def commit(self, lanes: Array) -> None:
        """Make a group of the copies that the threads `lanes` started since their last commit."""
        self.committed[lanes] += 1
        self.arrivals.go_on()

    def wait(self, lanes: Array, newest: int, *, read: bool) -> None:
        """Complete the groups of the threads `lanes`, except for the newest `newest` groups of each. With
        `read`, complete only the reads of their sources.
        """
        limits = np.full(len(self.committed), -1)
        limits[lanes] = self.committed[lanes] - newest
        covered = [one for one in self.pending if one.group < limits[one.lane]]
        for one in covered:
            if read:
                one.read()
            else:
                one.end()
        if not read:
            self.pending = [one for one in self.pending if one not in covered]

    def finish(self) -> None:
        """Complete the copies that are left at the end of the block. Raises `Fault` if the source of one was
        not read in a wait.
        """
        for one in self.pending:
            if not one.is_read:
                raise faults.Fault(
                    codes.IN_FLIGHT,
                    f"the block ends while a bulk copy of thread {one.lane} still reads its shared memory",
                    "commit the group and wait for it with cp.async.bulk.wait_group.read",
                )
            one.end()


class PlainDestination:
    """A destination of copies: the bytes at `places` of a storage, which stay undefined until the wait. The
    constructor reserves them; it raises `Fault` if a byte is reserved already.
    """

    def __init__(self, storage: Storage, places: Array) -> None:
        storage.begin_write(places)
        self.storage, self.places = storage, places

    def arrive(self, data: Array) -> None:
        """Write `data` to the bytes, which stay undefined until `end`."""
        self.storage.bytes[self.places] = data

    def end(self, data: Array) -> None:
        """Write `data` again, mark the bytes as defined, and release them for other stores."""
        self.storage.end_write(self.places, data)
        self.storage.finish()


class BulkReduction:
    """A destination of copies: elements of global memory of the type `kind` that are combined with the data
    by `op`. `places` has the offset of the first byte of each element.
    """

    def __init__(self, storage: Storage, places: Array, kind: str, op: str) -> None:
        self.storage, self.places = storage, places
        self.combine = combining.combination(kind, op, flushes=True)
        self.width = np.dtype(dtype(kind)).itemsize

    def arrive(self, data: Array) -> None:
        """Replace the elements with their combinations with `data`. Raises `Fault` if an element is
        undefined.
        """
        rows = np.ascontiguousarray(data).reshape(-1, self.width)
        elements = rows.view(UNSIGNED[8 * self.width])[:, 0]
        old, undefined = self.storage.load(self.places, self.width)
        if undefined is not None:
            raise faults.Fault(codes.POISON, "a reduction reads memory that was never written")
        self.storage.store(self.places, self.width, self.combine(old, elements), None)

    def end(self, data: Array) -> None:
        """Do nothing: the results are defined when they arrive."""
