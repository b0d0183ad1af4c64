"""The number of threads of a launch; threads that work for one launch, and end with it."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from functools import cache
from queue import Empty, SimpleQueue

from tilewright.ir.diagnostic import failure
from tilewright.ir.support.locks import PlainThread
from tilewright.runtime import codes, interrupts

VARIABLE = "TILEWRIGHT_THREADS"
"""The environment variable with the default number of threads of a launch."""
MAXIMUM = 1024
WAITING_CALLS = 64
"""The number of calls that may wait for the caller of a `Crew`: a thread with a further call waits, too."""

Work = Callable[[], object]


def thread_count(asked: int | None = None) -> int:
    """Return `asked`, or if that is None the number of threads in the environment variable `VARIABLE`, or
    without the variable one thread for each processor. Raises `DiagnosticError` for a number that is not from
    1 to `MAXIMUM`.
    """
    if asked is None:
        return _default(os.environ.get(VARIABLE))
    if isinstance(asked, bool) or not 1 <= asked <= MAXIMUM:
        raise _refusal(repr(asked))
    return asked


@cache
def _default(given: str | None) -> int:
    if given is None:
        return available_processors()
    if not given.isdecimal() or not 1 <= int(given) <= MAXIMUM:
        raise _refusal(f"{VARIABLE}={given!r}")
    return int(given)


def _refusal(given: str) -> Exception:
    message = f"the number of threads is from 1 to {MAXIMUM}, got {given}"
    return failure(codes.BAD_THREADS, message, hint="leave it out for one thread per processor")


def available_processors() -> int:
    """Return the number of processors that this process may run on, at most `MAXIMUM`."""
    if hasattr(os, "sched_getaffinity"):
        return min(MAXIMUM, len(os.sched_getaffinity(0)))
    return min(MAXIMUM, os.cpu_count() or 1)


class Crew:
    """Threads that run the same work, each once, while the caller waits and serves their calls.

    The caller runs no work: so signal handlers, which run in the main thread, are not delayed, and their
    exceptions never interrupt a kernel.
    """

    def __init__(self, work: Work) -> None:
        self._work = work
        self._lock = threading.Lock()
        self._calls: SimpleQueue[Work | None] = SimpleQueue()
        self._room: SimpleQueue[None] = SimpleQueue()
        """One entry for each call that may still wait.

        No semaphore: an exception out of a handler of signals can leave Python's semaphore locked for ever.
        """
        for _ in range(WAITING_CALLS):
            self._room.put(None)
        self._failure: BaseException | None = None
        self._missing = 0  # the number of threads that were added and have not begun
        self._running = 0
        self._closed = False

    @property
    def count(self) -> int:
        """The number of threads that have not finished, including threads that have not begun."""
        return self._missing + self._running

    def run(self, threads: int, stop: Callable[[], None]) -> None:
        """Run the work on ``threads`` new threads, and return when all have ended; meanwhile, run the calls
        that they queue. ``stop`` is called after an exception, and has to make them end. Raises the exception
        of a thread or of a call.
        """

        def work() -> None:
            self.add(threads)
            self.has_ended()

        interrupts.completed(work, self.finish, stop)

    def add(self, threads: int) -> None:
        """Start the work on `threads` more threads, without waiting for them.

        After an interrupt some of them may be missing: see `finish`.
        """
        with self._lock:
            self._missing += threads
        for _ in range(threads):
            PlainThread(self._run)

    def finish(self) -> None:
        """Let no further thread begin, and wait for running ones. May be called again after an interrupt."""
        with self._lock:
            self._closed = True
            self._missing = 0
        self.has_ended()

    def _run(self) -> None:
        with self._lock:
            if self._closed:
                return
            self._missing -= 1
            self._running += 1
        try:
            self._work()
        except BaseException as error:  # goes to whoever launched
            self._failure = error
        with self._lock:
            self._running -= 1
        self._calls.put(None)

    def call_in_launcher(self, call: Work) -> None:
        """Queue `call` for the launching thread, which runs queued calls in order. Threads of the crew call
        this.

        It waits only while `WAITING_CALLS` calls are queued.
        """
        self._room.get()
        self._calls.put(call)

    def has_ended(self, seconds: float | None = None) -> bool:
        """Run queued calls (`call_in_launcher`) on this thread, and wait for the end of all threads. Return
        whether they ended within `seconds` (None: no limit). Raises the exception of a call at once, while
        threads may still run, and the exception of a thread after the end of all threads.
        """
        end = None if seconds is None else time.monotonic() + seconds
        while self.count or not self._calls.empty():
            try:
                call = self._calls.get(timeout=None if end is None else max(0.0, end - time.monotonic()))
            except Empty:
                return False
            if call is not None:
                self._room.put(None)
                call()
        failure, self._failure = self._failure, None
        if failure is not None:
            raise failure
        return True
