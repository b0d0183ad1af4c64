"""Synchronisation by ordered accesses: releases and acquires, by accesses themselves or by fences, with
scopes.

A store with `.release` leaves the knowledge of its thread at the address; a relaxed store after a fence
leaves the knowledge at the fence. A load with `.acquire` takes it; after a relaxed load a later fence takes
it. Both need scopes that include the other thread. Atomic operations continue the release sequence of an
address, and other stores begin a new sequence.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from tilewright.ptxsim.races.clocks import OtherClusterClocks, ThreadClocks

LEVELS = {"cta": 1, "cluster": 2, "gpu": 3, "gl": 3, "sys": 3, "": 3}
"""The level of each scope; 0 is an access without an order."""


@dataclass(frozen=True, slots=True)
class InstructionOrder:
    """The memory order of an instruction's accesses: the level of the scope (`LEVELS`), whether they acquire
    or release, and whether they read and write memory.
    """

    level: int
    acquires: bool = False
    releases: bool = False
    reads: bool = False
    writes: bool = False


@dataclass(frozen=True, slots=True)
class SynchronisingThread:
    """A thread in synchronisation: the clocks of its cluster, the rank of its block in the cluster, and its
    index in the clocks (`row`).
    """

    clocks: ThreadClocks
    rank: int
    row: int


@dataclass(slots=True)
class Release:
    """The knowledge of a thread at a release: the number of its cluster and the rank of its block in it, its
    clocks by cluster and kind (`vectors`), and the level of the scope (`LEVELS`).
    """

    cluster: int
    rank: int
    level: int
    vectors: OtherClusterClocks

    def visible(self, to: SynchronisingThread, level: int) -> bool:
        """Return whether an access of `level` by the thread `to` observes the release: the smaller of the two
        scopes includes both threads.
        """
        reach = min(self.level, level)
        own = to.clocks.number == self.cluster
        return reach >= 3 or (own and (reach == 2 or to.rank == self.rank))


@dataclass(slots=True)
class PendingReleases:
    """The last releasing fence of a thread, for its later stores (`out`, or None), and the releases that its
    loads have observed, each with the scope of the load, for later fences (`found`).
    """

    out: Release | None = None
    found: list[tuple[Release, int]] = field(default_factory=list[tuple[Release, int]])


class SynchronisationState:
    """The addresses by which the threads of a launch synchronise, with the releases at each address, and the
    pending releases and acquires of each thread.
    """

    def __init__(self) -> None:
        self.places: dict[tuple[int, int], list[Release]] = {}
        self.waiting: dict[tuple[int, int], PendingReleases] = {}
        """Pending releases and acquires by cluster and thread."""

    def access(self, thread: SynchronisingThread, key: tuple[int, int], order: InstructionOrder) -> None:
        """Record an ordered access of a thread to the address `key`, a storage and an offset, with its
        releases and acquires.
        """
        if order.reads:
            self._read(thread, key, order)
        if order.writes:
            self._write(thread, key, order)

    def idle(self, order: InstructionOrder) -> bool:
        """Return whether accesses of `order` have no effect at present: they do not release, and no release
        is recorded that they could observe or publish.
        """
        return not (order.releases or self.places or self.waiting)

    def _read(self, thread: SynchronisingThread, key: tuple[int, int], order: InstructionOrder) -> None:
        for one in self.places.get(key, ()):
            if order.acquires:
                if one.visible(thread, order.level):
                    thread.clocks.acquire(thread.row, one.vectors)
            else:
                self._waiting(thread).found.append((one, order.level))

    def _write(self, thread: SynchronisingThread, key: tuple[int, int], order: InstructionOrder) -> None:
        if not order.reads:
            self.places.pop(key, None)
        if order.releases:
            self.places.setdefault(key, []).append(_snapshot(thread, order.level))
            thread.clocks.tick(np.array([thread.row]))
            return
        waiting = self.waiting.get((thread.clocks.number, thread.row))
        if waiting is not None and waiting.out is not None:
            out = waiting.out
            level = min(out.level, order.level)
            found = Release(out.cluster, out.rank, level, out.vectors)
            self.places.setdefault(key, []).append(found)

    def fence(self, thread: SynchronisingThread, level: int, *, acquires: bool, releases: bool) -> None:
        """Execute a memory fence of the thread `thread` with the scope `level`. A fence that `acquires` makes
        releases that earlier loads observed visible to the thread; one that `releases` publishes the thread's
        knowledge by its later stores.
        """
        waiting = self._waiting(thread)
        if acquires:
            for one, reach in waiting.found:
                if one.visible(thread, min(level, reach)):
                    thread.clocks.acquire(thread.row, one.vectors)
        if releases:
            waiting.out = _snapshot(thread, level)
            thread.clocks.tick(np.array([thread.row]))

    def _waiting(self, thread: SynchronisingThread) -> PendingReleases:
        return self.waiting.setdefault((thread.clocks.number, thread.row), PendingReleases())


def _snapshot(thread: SynchronisingThread, level: int) -> Release:
    return Release(thread.clocks.number, thread.rank, level, thread.clocks.release_clocks(thread.row))
