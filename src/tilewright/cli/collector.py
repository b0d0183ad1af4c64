"""The garbage collector in processes of commands, and in the user's programs that they run."""

from __future__ import annotations

import atexit
import gc
import os

_USUAL = gc.get_threshold()
_YOUNG = 100_000
"""The number of new objects that starts a collection: start-up makes fewer objects, and all of them stay."""


_processes: list[int] = []
"""The id of this process, if it runs one command and ends with it; otherwise empty."""


def is_own_process() -> bool:
    """Return whether this process runs one command and ends with it."""
    return os.getpid() in _processes


def own_process() -> None:
    """Record that this process runs one command, and tune the garbage collector for it: collections are rare,
    and there is none at the end.
    """
    _processes.append(os.getpid())
    gc.set_threshold(_YOUNG, *_USUAL[1:])
    atexit.register(gc.freeze)


def usual_collection() -> None:
    """Restore Python's usual settings of the collector before a program of the user runs."""
    gc.set_threshold(*_USUAL)
    atexit.unregister(gc.freeze)
