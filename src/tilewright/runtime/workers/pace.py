"""Decides whether a launch uses several threads, by the time of earlier launches.

Two threads need less time than one, unless there is little work, or its data has to move from the cache of one
processor to another's. So a kernel runs both ways when it is new, and goes on in the faster one; now and then it tries
the other one again, as arguments and the machine change.
"""

from __future__ import annotations

LONG = 1e-3
"""The seconds of work from which on several threads are used without a try."""
TRIES = 3
"""The number of launches that try one thread or several; their minimum time counts, as other programs may
interrupt.
"""
FADE = 0.998
"""The factor by which each launch in one way (one thread or several) reduces the known time of the other way.

After some hundred launches the other way is tried again.
"""
REST = 15
"""The number of launches that are not timed after a launch with little work."""
GROWTH = 1.25
"""The maximum factor by which a known time grows from one launch to the next: most outliers are accidents."""


class BlockTimes:
    """The seconds that a tile block takes, on one thread and on several, for one kernel and grids of similar
    size.
    """

    __slots__ = ("_alone", "_hope", "_is_together", "_together", "_tries", "_work", "rest")

    def __init__(self) -> None:
        self._work: float | None = None
        """Seconds of all threads, from a launch before the ways were tried."""
        self._alone: float | None = None
        self._together: float | None = None
        self._is_together = False
        self._tries = TRIES
        self._hope = 1.0
        self.rest = 0
        """The number of launches that use one thread and are not timed."""

    def work(self, count: int) -> float | None:
        """Return the estimated seconds of work in `count` tile blocks; None without earlier launches."""
        known = self._work if self._alone is None else self._alone
        return None if known is None else known * count

    def wants_several(self, count: int, least: float) -> bool:
        """Return whether the next launch, of `count` tile blocks, should use several threads; call it once
        for each launch, since it counts the launches that try one way or the other. True without an earlier
        launch. Before the first launch on one thread, True only above `LONG` seconds of estimated work.
        Afterwards False if the estimate is less than ``least`` seconds: ``rest`` is then set to the number of
        following launches that need no timing.
        """
        alone = self._alone
        if alone is None:
            return self._work is None or self._work * count > LONG
        if alone * count < least:
            self.rest = REST
            return False
        if self._tries > 0:
            self._tries -= 1
            return self._is_together
        self._hope *= FADE
        if self._is_slower(alone):
            self._is_together = not self._is_together
            self._tries = TRIES - 1
            self._hope = 1.0
        return self._is_together

    def _is_slower(self, alone: float) -> bool:
        """Return whether launches are slower than the known time of the other way (one thread, or several)
        times `_hope`. True if several threads have not been timed.
        """
        together = self._together
        if together is None:
            return True
        now, other = (together, alone) if self._is_together else (alone, together)
        return now > other * self._hope

    def took(self, seconds: float, count: int, threads: int) -> None:
        """Record that a launch of `count` tile blocks on `threads` threads took `seconds`. A launch on
        several threads before the first on one thread only counts for the estimated work.
        """
        each = seconds / count
        if threads == 1:
            self._alone = _noted(self._alone, each)
        elif (
            self._alone is None
        ):  # the first launch also starts threads, and touches memory for the first time
            self._work = each * threads
        else:
            self._together = _noted(self._together, each)


def _noted(known: float | None, seconds: float) -> float:
    return seconds if known is None or seconds < known else min(seconds, known * GROWTH)
