"""Bulk copies: those that arrive at an mbarrier, and those of a thread's bulk groups.

Like `cp.async` they end as late as they may: when somebody waits at their mbarrier, or for their group.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from tilewright.ptxsim import codes
from tilewright.ptxsim.asynchronous.mbarriers import Mbarrier
from tilewright.ptxsim.faults import Fault
from tilewright.ptxsim.rounding import FORMATS, decoded, encoded, rounded
from tilewright.ptxsim.storage import Storage
from tilewright.ptxsim.values import UNSIGNED, Array, dtype, where, words


def arriving(barrier: Mbarrier, storage: Storage, places: Array, data: Array, row: int) -> None:
    """Start a copy into shared memory whose bytes an mbarrier counts; ``row`` is the thread's number in its cluster."""
    storage.begin_write(places)
    time = started(storage, row, places, writes=True)

    def operation() -> None:
        _arrived(barrier, storage, row, time)
        storage.end_write(places, data)
        storage.finish()
        barrier.expect(-data.size)

    barrier.operations.append(operation)


def started(storage: Storage, row: int, places: Array, *, writes: bool) -> int:
    """The time of an asynchronous operation that a thread starts.  Raises `Fault` if it races."""
    if storage.watch is None:
        return 0
    time = storage.watch.clocks.start(row)
    storage.watch.asynchronous(row, time, places, writes=writes)
    return time


def _arrived(barrier: Mbarrier, storage: Storage, row: int, time: int) -> None:
    if storage.watch is not None:
        column = storage.watch.clocks.threads + row
        barrier.arriving.known[column] = max(barrier.arriving.known[column], time)


def from_peer(
    barrier: Mbarrier, source: tuple[Storage, Array], target: tuple[Storage, Array], row: int
) -> None:
    """Start a copy between the shared memories of two blocks; it reads as late as it writes."""
    source[0].begin_read(source[1])
    target[0].begin_write(target[1])
    started(source[0], row, source[1], writes=False)
    time = started(target[0], row, target[1], writes=True)

    def operation() -> None:
        _arrived(barrier, target[0], row, time)
        data = source[0].bytes[source[1]]
        source[0].end_read(source[1])
        target[0].end_write(target[1], data)
        target[0].finish()
        barrier.expect(-data.size)

    barrier.operations.append(operation)


@dataclass(slots=True, eq=False)
class Outgoing:
    """A copy out of shared memory by a thread: what it reads, and what it does with the bytes."""

    lane: int
    group: int
    storage: Storage
    places: Array
    put: Callable[[Array], None]
    row: int = 0
    time: int = 0
    data: Any = None

    def read(self) -> None:
        """Read the source, which may be written again."""
        if self.data is None:
            self.data = self.storage.bytes[self.places]
            self.storage.end_read(self.places)
            if self.storage.watch is not None:
                self.storage.watch.clocks.ended(np.array([self.row]), self.row, self.time)

    def end(self) -> None:
        """Read the source and write the target."""
        self.read()
        self.put(self.data)


class BulkGroups:
    """The bulk copies of a block's threads that have not ended, and how many groups each thread has committed."""

    def __init__(self, threads: int) -> None:
        self.committed: Any = np.zeros(threads, np.int64)
        self.pending: list[Outgoing] = []

    def start(
        self, lane: int, row: int, storage: Storage, places: Array, put: Callable[[Array], None]
    ) -> None:
        """Start a copy of a thread; ``row`` is its number in the cluster."""
        storage.begin_read(places)
        time = started(storage, row, places, writes=False)
        self.pending.append(Outgoing(lane, int(self.committed[lane]), storage, places, put, row, time))

    def commit(self, lanes: Array) -> None:
        """The copies since the last time become a group."""
        self.committed[lanes] += 1

    def wait(self, lanes: Array, newest: int, *, read: bool) -> None:
        """End all groups of these threads but the newest so many, or only their reading."""
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
        """The block ends.  Raises `Fault` if a copy still reads its shared memory."""
        for one in self.pending:
            if one.data is None:
                raise Fault(
                    codes.IN_FLIGHT,
                    f"the block ends while a bulk copy of thread {one.lane} still reads its shared memory",
                    "commit the group and wait for it with cp.async.bulk.wait_group.read",
                )
            one.end()


def plain(storage: Storage, places: Array) -> Callable[[Array], None]:
    """What puts bytes at places, which are undefined until then."""
    storage.begin_write(places)

    def put(data: Array) -> None:
        storage.end_write(places, data)
        storage.finish()

    return put


def reducing(storage: Storage, places: Array, kind: str, op: str) -> Callable[[Array], None]:
    """What combines elements with those at places, the first byte of each."""
    combine = combination(kind, op)
    width = np.dtype(dtype(kind)).itemsize

    def put(data: Array) -> None:
        rows = np.ascontiguousarray(data).reshape(-1, width)
        elements = rows.view(UNSIGNED[8 * width])[:, 0]
        old, undefined = storage.load(places, width)
        if undefined is not None:
            raise Fault(codes.POISON, "a reduction meets memory that nothing has written")
        storage.store(places, width, combine(old, elements), None)

    return put


def combination(kind: str, op: str) -> Callable[[Array, Array], Array]:
    """The new words of old ones and operands."""
    if kind in ("f16", "bf16"):
        row = FORMATS[kind]
        exact: dict[str, Any] = {"add": np.add, "min": np.fmin, "max": np.fmax}
        number = exact[op]
        return lambda a, b: encoded(rounded(number(decoded(a, row), decoded(b, row)), row, "rn"), row)
    view = dtype(kind)

    def increase(a: Array, b: Array) -> Array:
        return where(a >= b, view(0), a + view(1))

    def decrease(a: Array, b: Array) -> Array:
        return where((a == 0) | (a > b), b, a - view(1))

    table: dict[str, Any] = {
        "add": np.add,
        "min": np.minimum,
        "max": np.maximum,
        "and": np.bitwise_and,
        "or": np.bitwise_or,
        "xor": np.bitwise_xor,
        "inc": increase,
        "dec": decrease,
    }
    return lambda a, b: words(table[op](a.view(view), b.view(view)))
