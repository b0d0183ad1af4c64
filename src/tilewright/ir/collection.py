"""Work that allocates much and frees nothing."""

from __future__ import annotations

import gc
from collections.abc import Generator
from contextlib import contextmanager

_MANY = 10_000
"""New objects that it takes to make the next small collection a slow one."""


@contextmanager
def paused_collection() -> Generator[None]:
    """No garbage collection meanwhile: a growing module is all alive, and scanning it again doubles the time.

    Afterwards everything counts as old, so that the next small collection does not scan it, either.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            if (
                gc.get_count()[0] > _MANY and gc.get_freeze_count() == 0
            ):  # nobody else relies on frozen objects
                gc.freeze()
                gc.unfreeze()
            gc.enable()
