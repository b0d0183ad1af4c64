"""How many threads a launch runs on, and the threads: parked until there is work."""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable
from functools import cache

from tilewright.ir.diagnostic import failure
from tilewright.runtime import codes

VARIABLE = "TILEWRIGHT_THREADS"
"""Environment variable with the number of threads of launches that do not say."""
MAXIMUM = 1024
SPARE = 4
"""For each thread of a launch there are at most so many workers: several launches may run at once."""

Work = Callable[[], None]


def thread_count(asked: int | None = None) -> int:
    """The number of threads: as asked, or else from the environment, or else one for each processor."""
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
    """Processors that this process may run on."""
    if hasattr(os, "sched_getaffinity"):
        return min(MAXIMUM, len(os.sched_getaffinity(0)))
    return min(MAXIMUM, os.cpu_count() or 1)


class _Job:
    """Work that several threads do at once, each as long as there is any."""

    def __init__(self, work: Work) -> None:
        self.work = work
        self._lock = threading.Lock()
        self._running = 0
        self._closed = False
        self._ended = threading.Lock()
        self._ended.acquire()
        self._failure: BaseException | None = None

    def take_part(self) -> None:
        """Work, unless there is nothing left to do."""
        with self._lock:
            if self._closed:
                return
            self._running += 1
        try:
            self.work()
        except BaseException as error:  # goes to whoever launched, who waits for it
            self._failure = error
        with self._lock:
            self._running -= 1
            last = self._closed and not self._running
        if last:
            self._ended.release()

    def finish(self) -> None:
        """Let nobody begin any more, and wait for those who have."""
        with self._lock:
            self._closed = True
            running = self._running
        if running:
            self._ended.acquire()
        if self._failure is not None:
            raise self._failure


class _Worker:
    """A thread that sleeps until it gets a job, without turning."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._job: _Job | None = None
        self._wake = threading.Lock()
        self._wake.acquire()
        threading.Thread(target=self._run, name="tilewright", daemon=True).start()

    def give(self, job: _Job) -> None:
        """Wake it for a job."""
        self._job = job
        self._wake.release()

    def _run(self) -> None:
        while True:
            self._wake.acquire()
            job, self._job = self._job, None
            if job is not None:
                job.take_part()
            del job  # a sleeping worker keeps no kernel alive
            self._pool.park(self)


class Pool:
    """Threads that are started when they are first needed and then parked between launches.

    Several threads may launch at once: each takes the workers that are free, and starts others when there are fewer
    than it may have.
    """

    def __init__(self) -> None:
        self._idle: deque[_Worker] = deque()
        self._started = 0

    def park(self, worker: _Worker) -> None:
        """Take a worker back."""
        self._idle.append(worker)

    def run(self, work: Work, threads: int) -> None:
        """Call ``work`` on so many threads, this one among them; returns when all calls have.

        A thread that wakes up after this one has done everything does not begin.
        """
        job = _Job(work)
        for _ in range(threads - 1):
            worker = self._worker(SPARE * threads)
            if worker is None:
                break  # they are all on their way to park; this thread does the work alone sooner
            worker.give(job)
        try:
            work()
        finally:
            job.finish()

    def _worker(self, limit: int) -> _Worker | None:
        try:
            return self._idle.pop()
        except IndexError:
            if self._started >= limit:
                return None
        self._started += 1
        return _Worker(self)

    def forget(self) -> None:
        """Start anew: in a child process the threads of its parent are missing."""
        self._idle = deque()
        self._started = 0


POOL = Pool()
"""The threads of this process."""

if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=POOL.forget)
