"""`cp.async`: copies by each thread, which its own waits cover.

A copy ends when its thread waits for it.  Until then its bytes are undefined and may not be written, so neither a reader
that comes too early nor one that comes too late sees bytes that another order could change.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tilewright.ptxsim.asynchronous.arrivals import Arrivals
from tilewright.ptxsim.storage import Storage
from tilewright.ptxsim.values import Array, every, some


@dataclass(slots=True, eq=False)
class Copy:
    """Copies of several threads by one instruction: the threads' numbers, groups, first places and bytes (a row each)."""

    storage: Storage
    number: int
    lanes: Array
    groups: Array
    places: Array
    data: Array
    arrived: bool = False

    def arrive(self) -> None:
        """The bytes arrive, if they have not; they stay undefined until the wait."""
        if not self.arrived:
            self.arrived = True
            self.storage.bytes[self.places[:, None] + np.arange(self.data.shape[1])] = self.data

    def end(self, chosen: Array) -> bool:
        """End the copies of some threads; answers whether none is left."""
        if every(chosen):
            self.arrived = True
            self._land(self.lanes, self.places, self.data)
            self.storage.finish()
            return True
        if not some(chosen):
            return False
        self._land(self.lanes[chosen], self.places[chosen], self.data[chosen])
        rest = ~chosen
        self.lanes, self.groups = self.lanes[rest], self.groups[rest]
        self.places, self.data = self.places[rest], self.data[rest]
        return False

    def _land(self, lanes: Array, places: Array, data: Array) -> None:
        size = data.shape[1]
        self.storage.end_words(places, size, data)
        if self.storage.watch is not None:
            self.storage.watch.landed(lanes, places, size)


class ThreadCopies:
    """The copies of a block's threads that have not ended, and how many groups each thread has committed."""

    def __init__(self, threads: int, arrivals: Arrivals) -> None:
        self.committed: Any = np.zeros(threads, np.int64)
        self.arrivals = arrivals
        self.pending: list[Copy] = []
        self.started = 0
        """How many instructions started copies."""

    def start(self, storage: Storage, lanes: Array, places: Array, data: Array) -> None:
        """Start a copy of each thread's row of bytes to its place."""
        storage.begin_words(places, data.shape[1])
        self.started += 1
        one = Copy(storage, self.started, lanes, self.committed[lanes], places, data)
        self.pending.append(one)
        self.arrivals.start(one)

    def commit(self, lanes: Array) -> None:
        """The copies since the last time become a group."""
        self.committed[lanes] += 1
        self.arrivals.go_on()

    def wait(self, lanes: Array, newest: int) -> None:
        """End all groups of these threads but the newest so many."""
        limits = np.full(len(self.committed), -1)
        limits[lanes] = self.committed[lanes] - newest
        self._end(limits)

    def wait_all(self, lanes: Array) -> None:
        """End all copies of these threads, also those without a group."""
        limits = np.full(len(self.committed), -1)
        limits[lanes] = self.committed[lanes] + 1
        self._end(limits)

    def end_before(self, limits: Array) -> None:
        """End the copies of each thread that were among the first so many to be started."""
        self.pending = [one for one in self.pending if not one.end(limits[one.lanes] >= one.number)]

    def _end(self, limits: Array) -> None:
        self.pending = [one for one in self.pending if not one.end(one.groups < limits[one.lanes])]
