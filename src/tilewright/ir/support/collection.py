"""Work that allocates much and frees nothing.

Reading, copying or printing a module makes many objects that all stay alive, and no garbage in cycles. The
cyclic garbage collector would visit the growing heap again and again for nothing, which doubles the time and
more. So it rests for the length of such work, and the objects made meanwhile are moved to the oldest
generation without a collection.

Memory stays bounded: the objects moved like that are counted, and when they may be as many as all others together (and
are at least `_LEAST`), the next such work begins with a full collection.  Thus no more garbage waits for the
collector than there are live objects, plus `_LEAST` and the objects of one piece of work; and each object is visited
about once on average.

Outside of `paused_collection` the collector is as the program set it: on by default. A program that builds a
large module operation by operation gets the same in pieces: after every `APPENDED` operations that were put
at the end of blocks, the objects made meanwhile are moved to the oldest generation, under the same bound
(`spare_growing_ir`). A program that puts no operations into blocks sees nothing of it, nor does one that has
turned the collector off, has frozen objects of its own, or has called ``spare_growing_ir(False)``.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Generator
from contextlib import contextmanager
from itertools import cycle

_LEAST = 500_000
"""A full collection is run only if there are at least this many unvisited objects (some 50 MB)."""
_FROZEN_AT_START = 2_000
"""The maximum number of frozen objects that Python itself has: 3.12 freezes hundreds when it starts. A
program that calls `gc.freeze` freezes all objects that are alive.
"""
APPENDED = 1024
"""The number of appended operations after which growth is moved to the oldest generation: before a
collection would be due.
"""


class _Unseen:
    """Counts the objects that were moved to the oldest generation without a visit by the collector."""

    def __init__(self) -> None:
        self._count = 0
        self._limit = _LEAST
        self._collections = 0

    def collect_if_many(self) -> None:
        """Run a full collection if more objects were moved without a visit than the limit allows: `_LEAST`,
        or the number of objects after the last such collection.
        """
        if self._full_collections() != self._collections:  # a full collection has visited them
            self._count = 0
        if self._count > self._limit:
            gc.collect()
            self._count = 0
            self._limit = max(_LEAST, len(gc.get_objects()))
        self._collections = self._full_collections()

    def move_young(self) -> None:
        """Move young objects to the oldest generation if they are more than the threshold of a collection,
        unless the program has frozen objects (`gc.freeze`), which this would thaw, or has called
        ``spare_growing_ir(False)``.
        """
        young = gc.get_count()[0]
        if _is_sparing and young > gc.get_threshold()[0] and not _has_frozen():
            self._count += young
            gc.freeze()
            gc.unfreeze()

    def move_grown(self) -> None:
        """Move all objects of the younger generations to the oldest generation; run a full collection first
        if one is due.
        """
        self.collect_if_many()
        thresholds, made, size = gc.get_threshold(), 0, 1
        for number, threshold in zip(gc.get_count(), thresholds, strict=True):
            made += number * size
            size *= threshold + 1
        self._count += made
        gc.freeze()
        gc.unfreeze()

    @staticmethod
    def _full_collections() -> int:
        return gc.get_stats()[2]["collections"]


def _is_on() -> bool:
    return gc.isenabled() and gc.get_threshold()[0] > 0


def _has_frozen() -> bool:
    """Return whether the program has frozen objects (`gc.freeze`), which live apart from all others. They are
    counted one by one, which takes milliseconds for millions.
    """
    return gc.get_freeze_count() >= _FROZEN_AT_START


_UNSEEN = _Unseen()
_is_sparing = True

is_growth_due: Callable[[], bool] = cycle([False] * (APPENDED - 1) + [True]).__next__
"""Count one appended operation; return True at every `APPENDED`-th call."""


def spare_growing_ir(spare: bool = True) -> None:
    """Set whether the garbage collector skips IR that a program builds operation by operation, and what such
    work as reading or compiling makes; True, the default, says that it does. With False that work still runs
    without collections, and the first one comes after it.
    """
    global _is_sparing
    _is_sparing = spare


def age_new_objects() -> None:
    """Move new objects to the oldest generation, unless the program has turned the collector off, has frozen
    objects, or has called ``spare_growing_ir(False)``.
    """
    if _is_sparing and _is_on() and not _has_frozen():
        _UNSEEN.move_grown()


@contextmanager
def paused_collection() -> Generator[None]:
    """Disable garbage collection in a ``with`` block; afterwards the collector is on if it was on before.

    Blocks may be nested, and several threads may be in one: the state that the first of them found is
    restored when it leaves.
    """
    enabled = _is_on()
    if enabled:
        _UNSEEN.collect_if_many()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            _UNSEEN.move_young()
            gc.enable()
