"""The garbage collector in processes of commands, and in those of the programs that they run."""

from __future__ import annotations

import atexit
import gc

_USUAL = gc.get_threshold()
_YOUNG = 100_000
"""The collector looks after so many new objects: start-up makes fewer, all of which stay."""


def own_process() -> None:
    """Tell the garbage collector that this process runs one command: it seldom looks, and not at all at the end."""
    gc.set_threshold(_YOUNG, *_USUAL[1:])
    atexit.register(gc.freeze)


def usual_collection() -> None:
    """Let the collector do what it does in any Python, before a program of the user's runs."""
    gc.set_threshold(*_USUAL)
    atexit.unregister(gc.freeze)
