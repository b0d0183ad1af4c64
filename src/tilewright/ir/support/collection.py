"""Work that allocates much and frees nothing.

Reading, copying or printing a module makes many objects that all stay alive, and no garbage in cycles.  The cyclic
garbage collector would visit the growing heap again and again for nothing, which doubles the time and more.  So it
rests for the length of such work, and what was made meanwhile is moved among the old objects unseen.

Memory stays bounded: the objects moved like that are counted, and when they may be as many as all others together (and
are at least `_LEAST`), the next such work begins with a full collection.  Thus no more garbage waits for the
collector than there are live objects, plus `_LEAST` and what one piece of work makes; and each object is visited about
once on average.

Outside of `paused_collection` the collector is as the program set it: on by default.
"""

from __future__ import annotations

import gc
from collections.abc import Generator
from contextlib import contextmanager

_LEAST = 500_000
"""So many objects (some 50 MB) are never worth a full collection."""


class _Unseen:
    """Counts the objects that were moved among the old ones without a visit by the collector."""

    def __init__(self) -> None:
        self._count = 0
        self._limit = _LEAST
        self._collections = 0

    def collect_if_many(self) -> None:
        """Run a full collection if there may be much garbage among the unseen objects."""
        if self._full_collections() != self._collections:  # somebody else has seen them
            self._count = 0
        if self._count > self._limit:
            gc.collect()
            self._count = 0
            self._limit = max(_LEAST, len(gc.get_objects()))
        self._collections = self._full_collections()

    def move_young(self) -> None:
        """Make all young objects old, unless somebody relies on frozen ones (`gc.freeze`), which this would thaw."""
        young = gc.get_count()[0]
        if young > gc.get_threshold()[0] and gc.get_freeze_count() == 0:
            self._count += young
            gc.freeze()
            gc.unfreeze()

    @staticmethod
    def _full_collections() -> int:
        return gc.get_stats()[2]["collections"]


_UNSEEN = _Unseen()


@contextmanager
def paused_collection() -> Generator[None]:
    """No garbage collection meanwhile; afterwards the collector is on again if it was on before.

    Scopes may be nested, and several threads may be in one: what the first found is restored when it leaves.
    """
    enabled = gc.isenabled() and gc.get_threshold()[0] > 0
    if enabled:
        _UNSEEN.collect_if_many()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            _UNSEEN.move_young()
            gc.enable()
