"""Launches on other threads than the main thread, which must end when the user presses Ctrl-C.

Only the main thread receives Ctrl-C. Another thread would stay in its kernel, and Python waits for its
threads before the process ends. Such launches are therefore registered here, and are stopped by the handler
of Ctrl-C, or when an interrupted process ends.
"""

from __future__ import annotations

import ctypes
import signal
import sys
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import partial
from types import FrameType
from typing import Any, NoReturn

from tilewright.runtime.interrupts import MAIN

Stop = Callable[[], object]
POOLS = "concurrent.futures.thread"
"""The module that waits, when the process ends, for threads of pools. Exit functions run in reverse order of their
registration, so ours is registered again once a launch finds the module. It is not loaded here: another thread may
fork meanwhile, and the child would release locks of the module that are not taken.
"""


ENDED = SystemExit
"""The exception that ends a launch on another thread when the main thread was interrupted.

Python ends a thread silently for it.
"""


class OtherThreadLaunches:
    """The launches that now run on other threads than the main thread."""

    def __init__(self) -> None:
        self.is_over = False
        """Whether the process comes to its end, so that no launch may begin on another thread."""
        self._stops: dict[object, Stop] = {}
        self._lock = threading.RLock()  # a handler of signals may stop launches at any place
        self._knew_pools: bool | None = None
        """Whether pools of threads had been loaded when the end of the process was last arranged for."""

    def begin(self, stop: Stop) -> object:
        """Register a launch on this thread, and return a key for `end`. A call of ``stop`` must make the
        launch end.

        Raises `ENDED` if the process is ending.
        """
        knows_pools = POOLS in sys.modules
        if self._knew_pools is None or (knows_pools and not self._knew_pools):
            self._knew_pools = knows_pools
            _at_end(self._stop_if_interrupted)
        key = object()
        with self._lock:
            self._stops[key] = stop
        if self.is_over:
            self.end(key)
            raise ENDED
        return key

    def end(self, key: object) -> None:
        """Remove the launch with the `key` that `begin` returned."""
        with self._lock:
            del self._stops[key]

    def stop(self) -> None:
        """Request that all registered launches stop, and return at once. The launches raise `ENDED` on their
        threads.
        """
        with self._lock:
            for stop in self._stops.values():
                stop()

    def finish(self) -> None:
        """Stop all launches on other threads, and let each later `begin` raise `ENDED`. The process is about
        to end.
        """
        self.is_over = True
        self.stop()

    def _stop_if_interrupted(self) -> None:
        """When the main thread has ended by Ctrl-C, stop the launches on other threads.

        Otherwise do nothing.
        """
        last: Any = getattr(sys, "last_type", None)
        if self.is_over or (last is not None and issubclass(last, KeyboardInterrupt)):
            self.finish()


ELSEWHERE = OtherThreadLaunches()
"""The launches on other threads of this process."""


def _at_end(work: Callable[[], None]) -> None:
    """Call `work` when the main thread has ended, before Python waits for threads, including threads of
    pools; never if this Python has no such hook.
    """
    register: Any = vars(threading).get("_register_atexit")
    if register is not None:
        register(work)


@contextmanager
def stoppable() -> Generator[None]:
    """Let `OtherThreadLaunches.stop` end the code of the ``with`` block by raising `ENDED` in it, unless this
    is the main thread. Launches that run in Python, such as interpreted ones, use it.
    """
    thread = threading.get_ident()
    if thread == MAIN.identity:
        yield
        return
    key = ELSEWHERE.begin(partial(_raise_in, thread))
    try:
        yield
    finally:
        ELSEWHERE.end(key)


def _raise_in(thread: int) -> None:
    """Raise `ENDED` in the thread with the identifier `thread`, as soon as it executes Python code."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(ENDED))


def _interrupted(number: int, frame: FrameType | None) -> NoReturn:
    """Handle Ctrl-C: stop the launches on other threads, which the main thread may wait for, and raise
    `KeyboardInterrupt`.
    """
    ELSEWHERE.stop()
    raise KeyboardInterrupt


def handle_interrupts() -> None:
    """Let Ctrl-C stop the launches of all threads, if so far it only raises `KeyboardInterrupt`. It does
    nothing on other threads than the main thread.
    """
    is_plain = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if threading.current_thread() is threading.main_thread() and is_plain:
        signal.signal(signal.SIGINT, _interrupted)


def leave_interrupts() -> None:
    """Restore the handler of interrupts that `handle_interrupts` replaced, if it is still replaced. It does
    nothing on other threads than the main thread.
    """
    is_ours = signal.getsignal(signal.SIGINT) is _interrupted
    if threading.current_thread() is threading.main_thread() and is_ours:
        signal.signal(signal.SIGINT, signal.default_int_handler)
