"""Threads that an interrupted caller starts, or does not start: nothing in between.

`threading.Thread` starts in many instructions of Python, and Python runs handlers of signals between any two of them.
An exception out of a handler leaves its locks in disorder there, so that the caller gets ``RuntimeError: release
unlocked lock`` in place of `KeyboardInterrupt`.  Each `Thread` is in a set of weak references, too, from which a
callback removes it; an exception out of a handler that runs in the callback is printed and lost.
"""

from __future__ import annotations

import sys
import threading
from _thread import allocate_lock, start_new_thread
from collections.abc import Callable


class PlainThread:
    """A thread that runs ``work`` and has begun when this returns; the process does not wait for it when it ends.

    Raises `RuntimeError` if the system has no more threads.
    """

    def __init__(self, work: Callable[[], object]) -> None:
        self._work = work
        self._is_running = True
        self._running = allocate_lock()
        self._running.acquire()
        self._trace = threading.gettrace()  # tools that watch threads of `threading` watch these, too
        self._beginning = allocate_lock()
        self._beginning.acquire()
        start_new_thread(self._run, ())
        self._beginning.acquire()

    def _run(self) -> None:
        self._beginning.release()
        if self._trace is not None:
            sys.settrace(self._trace)
        try:
            self._work()
        finally:
            self._is_running = False
            self._running.release()

    def is_alive(self) -> bool:
        """Return whether the work has not ended yet."""
        return self._is_running

    def join(self, seconds: float | None = None) -> None:
        """Wait for the end of the work, at most `seconds`."""
        if self._is_running and self._running.acquire(timeout=-1 if seconds is None else max(0.0, seconds)):
            self._running.release()
