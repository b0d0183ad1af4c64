"""Handlers of signals while kernels run.

Python runs them — the handler of Ctrl-C raises `KeyboardInterrupt` — in the main thread only, and only between
instructions of its own. So a main thread that runs tile blocks has to come back now and then: a watchdog, which looks
every `INTERVAL`, asks launches to pause that have been running since its last look. Other launches cost a few stores.

A launch pauses between two tile blocks.  A tile block that may take long calls an `Attendant` instead, and goes on when
the handlers have run.
"""

from __future__ import annotations

import ctypes
import os
import threading
import time
from collections.abc import Callable, Generator
from queue import SimpleQueue
from typing import Protocol, TypeVar

from tilewright.ir.support.locks import PlainThread

_T = TypeVar("_T")
_CALLBACK = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)

INTERVAL = 0.05
"""The seconds between two tests of the main thread's launch by the watchdog."""
DOZE = 20
"""The number of tests without a launch after which the watchdog sleeps until the next launch."""


class Pausable(Protocol):
    """A launch that runs on the main thread, and that the method `pause` asks to release this thread for a
    moment.
    """

    def pause(self) -> None:
        """Ask the launch to release the main thread for a moment, and return at once. The watchdog calls this
        in a thread of its own.
        """
        ...


class Attendant:
    """Lets signal handlers run in the middle of a tile block; ``address`` is the function that the tile block
    calls.

    An exception of a handler cannot pass through a kernel. It is stored, and the tile block is told to end.
    ``words`` is the memory of the launch context, ``attention`` the index of the word that requests the
    pause.
    """

    def __init__(self, words: memoryview, attention: int) -> None:
        self._kept: list[BaseException | None] = [None]
        attending = _attending(words, attention, self._kept)
        next(attending)
        self._function = _CALLBACK(attending.send)
        self.address: int = ctypes.cast(self._function, ctypes.c_void_p).value or 0

    @property
    def failure(self) -> BaseException | None:
        """Return the exception that a signal handler raised, or None."""
        return self._kept[0]


def _attending(
    words: memoryview, attention: int, kept: list[BaseException | None]
) -> Generator[int, int, None]:
    """Yield 0 for each call of a tile block, after signal handlers have run and the request
    ``words[attention]`` is reset; yield 1 if a handler raised an exception, which is stored in ``kept[0]``.
    It is a generator, because Python runs handlers before the first instruction of a function, where the
    function cannot catch anything yet. A generator resumes inside its `try`.
    """
    try:
        while True:
            yield 0
            words[attention] = 0
    except GeneratorExit:
        raise
    except BaseException as error:
        kept[0] = error  # no call: Python would run further handlers behind it
        yield 1


class Watchdog:
    """A thread that asks the launch of the main thread to pause, if it has been running for `INTERVAL`
    seconds.
    """

    def __init__(self) -> None:
        self.launch: Pausable | None = None
        """The launch of the main thread: it sets this, then reads `is_asleep`."""
        self.is_asleep = True
        self._is_started = False
        self._calls: SimpleQueue[None] = SimpleQueue()

    def wake(self) -> None:
        """Start or wake the watchdog: the main thread runs a launch."""
        if not self._is_started:
            self._is_started = True
            PlainThread(self._run)
        self._calls.put(None)

    def _run(self) -> None:
        while True:
            self.is_asleep = True
            if self.launch is None:  # looked at after having said so
                self._calls.get()
            self.is_asleep = False
            self._watch()

    def _watch(self) -> None:
        """Examine launches every `INTERVAL`, until `DOZE` tests in a row have found none. Ask a launch to
        pause that the test before found, too.
        """
        before, quiet = None, 0
        while quiet < DOZE:
            time.sleep(INTERVAL)
            now = self.launch
            if now is not None and now is before:
                now.pause()
            before, quiet = now, 0 if now is not None else quiet + 1


WATCHDOG = Watchdog()
"""The watchdog of this process."""


def completed(work: Callable[[], _T], wait: Callable[[], object], stop: Callable[[], None]) -> _T:
    """Return the result of ``work`` after ``wait`` has returned, which it does when all threads have
    finished. An exception in the meantime — by Ctrl-C, say — calls ``stop``, and propagates when all have
    finished.
    """
    try:
        return work()
    except BaseException:
        stop()
        raise
    finally:
        _insist(wait, stop)


def _insist(wait: Callable[[], object], stop: Callable[[], None]) -> None:
    """Call ``wait`` until it returns. After each exception in the meantime, call ``stop``; the first
    exception is raised at the end.
    """
    raised: BaseException | None = None
    while True:
        try:
            wait()
            break
        except BaseException as error:
            raised = raised or error
            stop()
    if raised is not None:
        raise raised


class _MainThread:
    """The identifier of the main thread of this process, which runs the handlers of signals. `forget` sets it
    anew in a forked child, and resets the watchdog.
    """

    def __init__(self) -> None:
        self.identity = threading.main_thread().ident

    def forget(self) -> None:
        """Adapt to a child process: its main thread is the thread that forked, and it has no watchdog."""
        self.identity = threading.get_ident()
        WATCHDOG.__init__()


MAIN = _MainThread()

if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=MAIN.forget)
