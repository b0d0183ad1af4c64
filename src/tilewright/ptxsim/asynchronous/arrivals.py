"""When the data of asynchronous operations arrive.

Without a seed they arrive as late as they may: when somebody waits for them.  With one it is chosen for each operation
whether they arrive at once, at that wait, or in between, and a wait at an mbarrier may find at first that nothing has
come.  What is undefined or reserved until the wait stays so in either case.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

POSTPONED = 2
"""So often waits find that the operations of an mbarrier have not ended."""
AT_ONCE, BETWEEN, CHOICES = 0, 1, 3


class Arriving(Protocol):
    """An operation whose data arrive once; a second time nothing happens."""

    def arrive(self) -> None:
        """The data arrive."""
        ...


@dataclass(slots=True, eq=False)
class Arrival:
    """An operation that arrives at an mbarrier: what it does when its data arrive, and when somebody waits."""

    put: Callable[[], None]
    finish: Callable[[], None]
    arrived: bool = False

    def arrive(self) -> None:
        """The data arrive, if they have not."""
        if not self.arrived:
            self.arrived = True
            self.put()

    def end(self) -> None:
        """Somebody waits."""
        self.finish()
        self.arrive()


class Arrivals:
    """The operations of a launch whose data are to arrive before the wait."""

    def __init__(self, seed: int = 0) -> None:
        """``seed`` chooses; 0 lets everything arrive late."""
        self.chance: Any = np.random.default_rng([seed, 1]) if seed else None
        self.coming: list[Arriving] = []

    def start(self, one: Arriving) -> None:
        """An operation starts."""
        if self.chance is None:
            return
        self.go_on()
        choice = int(self.chance.integers(CHOICES))
        if choice == AT_ONCE:
            one.arrive()
        elif choice == BETWEEN:
            self.coming.append(one)

    def go_on(self) -> None:
        """Time goes by: some of what is to come arrives."""
        if self.coming:
            now = self.chance.integers(2, size=len(self.coming))
            coming, self.coming = self.coming, []
            for one, comes in zip(coming, now, strict=True):
                if comes:
                    one.arrive()
                else:
                    self.coming.append(one)

    def postpones(self, times: int) -> bool:
        """Whether a wait finds nothing, as so many before it."""
        if self.chance is None or times >= POSTPONED:
            return False
        self.go_on()
        return bool(self.chance.integers(2))
