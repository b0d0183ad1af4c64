"""Choose when the data of asynchronous operations arrive.

Without a seed they arrive as late as possible: when a thread waits for them. With a seed it is chosen for
each operation whether its data arrive at its start, at that wait, or in between, and a wait at an mbarrier
may first find that nothing has arrived. Data stay undefined or reserved until the wait in both cases.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

POSTPONED = 2
"""The maximum number of consecutive waits that find the operations of an mbarrier unfinished."""
AT_ONCE, BETWEEN, CHOICES = 0, 1, 3


class PendingArrival(Protocol):
    """An operation whose data arrive once; later calls of `arrive` have no effect."""

    def arrive(self) -> None:
        """Write the data to their destination."""
        ...


@dataclass(slots=True, eq=False)
class Arrival:
    """An operation that arrives at an mbarrier: `put` writes its data, and `finish` runs when a thread waits.
    `over` returns whether the operation has ended although no thread waits at this mbarrier. `arrived` is set
    once `put` was called.
    """

    put: Callable[[], None]
    finish: Callable[[], None]
    over: Callable[[], bool] = lambda: False
    arrived: bool = False

    def arrive(self) -> None:
        """Call `put`, unless it was called before."""
        if not self.arrived:
            self.arrived = True
            self.put()

    def end(self) -> None:
        """Call `finish`, and `put` unless it was called before: a thread waits for the operation."""
        self.finish()
        self.arrive()


class Arrivals:
    """Chooses when the data of the asynchronous operations of a launch arrive; `coming` has the operations
    whose data will arrive before their wait.
    """

    def __init__(self, seed: int = 0) -> None:
        """Initialise the generator of random choices with `seed`; with 0 all data arrive at their wait."""
        self.chance: Any = np.random.default_rng([seed, 1]) if seed else None
        self.coming: list[PendingArrival] = []

    def start(self, one: PendingArrival) -> None:
        """Start the operation `one`. Without a seed, its data arrive at its wait. With a seed, its data
        arrive now, at some later step, or at its wait, and the data of a random part of the operations in
        `coming` arrive.
        """
        if self.chance is None:
            return
        self.go_on()
        choice = int(self.chance.integers(CHOICES))
        if choice == AT_ONCE:
            one.arrive()
        elif choice == BETWEEN:
            self.coming.append(one)

    def go_on(self) -> None:
        """Let the data of each operation in `coming` arrive with a probability of one half, and remove such
        operations from `coming`.
        """
        if self.coming:
            now = self.chance.integers(2, size=len(self.coming))
            coming, self.coming = self.coming, []
            for one, comes in zip(coming, now, strict=True):
                if comes:
                    one.arrive()
                else:
                    self.coming.append(one)

    def postpones(self, times: int) -> bool:
        """Let the data of a random part of the operations in `coming` arrive, and return whether a wait finds
        its operations unfinished; `times` earlier waits in a row did. Return False, and do nothing, without a
        seed or after `POSTPONED` such waits.
        """
        if self.chance is None or times >= POSTPONED:
            return False
        self.go_on()
        return bool(self.chance.integers(2))
