"""`cp.async`: copies of each thread, which the thread itself waits for.

A copy ends when its thread waits for it. Until then its bytes are undefined and must not be written, so that
neither an early nor a late access sees bytes that depend on the order of execution.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tilewright.ptxsim.asynchronous.arrivals import Arrivals
from tilewright.ptxsim.storage import Storage
from tilewright.ptxsim.values import Array, every, some


@dataclass(slots=True, eq=False)
class AsyncCopy:
    """The copies of several threads by one instruction. Element `i` of each array belongs to copy `i`:
    `lanes` has the index of the thread in its block, `groups` the group, `places` the offset of the first
    byte in `storage`, and `data` a row of bytes. `number` counts the instructions that start copies, from 1.
    """

    storage: Storage
    number: int
    lanes: Array
    groups: Array
    places: Array
    data: Array
    arrived: bool = False

    def arrive(self) -> None:
        """Write the bytes, unless that has happened; they stay undefined until the wait."""
        if not self.arrived:
            self.arrived = True
            self.storage.bytes[self.places[:, None] + np.arange(self.data.shape[1])] = self.data

    def end(self, chosen: Array) -> bool:
        """Complete the copies of the threads in the mask `chosen`, which has an element for each copy, and
        remove them. Return whether no copy is left.
        """
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
    """The unfinished copies of a block's `threads` threads, and the number of groups that each thread has
    committed. `arrivals` chooses when the data of the copies arrive.
    """

    def __init__(self, threads: int, arrivals: Arrivals) -> None:
        self.committed: Any = np.zeros(threads, np.int64)
        self.arrivals = arrivals
        self.pending: list[AsyncCopy] = []
        self.started = 0
        """The number of instructions that started copies."""

    def start(self, storage: Storage, lanes: Array, places: Array, data: Array) -> None:
        """Start the copies of an instruction: row `i` of `data` goes to offset `places[i]` of `storage` for
        thread `lanes[i]`. Raises `Fault` if a target byte is reserved already.
        """
        storage.begin_words(places, data.shape[1])
        self.started += 1
        one = AsyncCopy(storage, self.started, lanes, self.committed[lanes], places, data)
        self.pending.append(one)
        self.arrivals.start(one)

    def commit(self, lanes: Array) -> None:
        """Make a group of the copies that the threads `lanes` started since their last commit."""
        self.committed[lanes] += 1
        self.arrivals.go_on()

    def wait(self, lanes: Array, newest: int) -> None:
        """Complete the groups of the threads `lanes`, except for the newest `newest` groups of each."""
        limits = np.full(len(self.committed), -1)
        limits[lanes] = self.committed[lanes] - newest
        self._end(limits)

    def wait_all(self, lanes: Array) -> None:
        """Complete all copies of the threads `lanes`, including copies without a group."""
        limits = np.full(len(self.committed), -1)
        limits[lanes] = self.committed[lanes] + 1
        self._end(limits)

    def end_before(self, limits: Array) -> None:
        """Complete the copies of each thread with a number up to the thread's element of `limits`; copies are
        numbered from 1 as they start.
        """
        self.pending = [one for one in self.pending if not one.end(limits[one.lanes] >= one.number)]

    def _end(self, limits: Array) -> None:
        self.pending = [one for one in self.pending if not one.end(one.groups < limits[one.lanes])]
