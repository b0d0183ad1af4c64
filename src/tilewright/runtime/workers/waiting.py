"""Launches whose tile blocks wait for others: a spin lock, a barrier of the grid, a partial sum of a neighbour.

Tile blocks begin in order, one on each thread, and a thread whose tile block waits has no time for another one.  So
there are more threads as soon as all wait.  If all tile blocks that may run wait for seconds, nothing will ever come:
the launch is stopped, with a diagnostic.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from tilewright.ir.support.record import Record
from tilewright.runtime.interrupts import completed
from tilewright.runtime.workers.threads import MAXIMUM, Crew

INTERVAL = 0.005
"""The seconds between two tests of a launch."""
PATIENCE = 5.0
"""The seconds after which a launch is taken to be stuck: all its tile blocks wait, and none begins."""


class LaunchProgress(Record, frozen=True):
    """The numbers of tile blocks of a launch that have begun, and that wait for others now."""

    begun: int
    waiting: int


class Stuck(Record, frozen=True):
    """The end of a launch in which all running tile blocks wait: the number of the blocks that wait, and of
    the blocks that could not begin (`missing`).
    """

    waiting: int
    missing: int


def run(
    crew: Crew, count: int, threads: int, progress: Callable[[], LaunchProgress], stop: Callable[[], None]
) -> Stuck | None:
    """Run ``count`` tile blocks, first on ``threads`` threads, and on more while all tile blocks wait;
    ``progress`` returns how many have begun, and how many wait. Return None when all have ended. If all wait
    for too long, call ``stop``, and return the numbers of tile blocks that wait and that could not begin.
    """

    def work() -> Stuck | None:
        crew.add(min(count, threads))
        stuck = _watch(crew, count, progress)
        if stuck is not None:
            stop()
        return stuck

    return completed(work, crew.finish, stop)


def _watch(crew: Crew, count: int, progress: Callable[[], LaunchProgress]) -> Stuck | None:
    """Add threads while all running tile blocks wait and others have not begun.

    Return `Stuck` if all wait for `PATIENCE` seconds and no thread can be added, and None when all threads
    have ended.
    """
    before, since = LaunchProgress(0, 0), time.monotonic()
    while not crew.has_ended(INTERVAL):
        now, alive = progress(), crew.count
        all_wait = alive > 0 and now.waiting >= alive and now.begun == before.begun
        more = min(alive, count - now.begun, MAXIMUM - alive)
        if not all_wait or more > 0:
            since = time.monotonic()
        elif time.monotonic() - since > PATIENCE:
            return Stuck(alive, max(0, count - now.begun))
        if all_wait and more > 0:
            crew.add(more)
        before = now
    return None
