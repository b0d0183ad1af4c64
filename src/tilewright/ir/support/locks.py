"""Locks that a child process finds free: what makes `fork` safe while other threads compile or launch.

A child process has only the forking thread, and the locks as they were: a lock that another thread held
stays held for ever, and the data it protects may be incomplete. So a fork waits until no other thread holds
any of these locks, and holds all of them itself meanwhile. It gives up after `PATIENCE`: then the child gets
such locks anew.

The import system has locks of its own, one for each module that is being loaded; a fork waits for those, too.
"""

from __future__ import annotations

import os
import sys
import threading
import time
import weakref
from _thread import RLock, allocate_lock, get_ident, start_new_thread
from collections.abc import Callable
from functools import cached_property
from typing import Any, Protocol

PATIENCE = 10.0
"""The maximum number of seconds that a fork waits for locks that other threads hold; after it the fork
continues.
"""
INTERVAL = 0.001
"""The time between two attempts, in seconds."""


class Lock(Protocol):
    """A lock as `threading` makes them: `acquire` takes it, `release` frees it."""

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:
        """Take the lock; return whether that succeeded. With `blocking`, wait for it, at most `timeout`
        seconds unless it is -1.
        """
        ...

    def release(self) -> None:
        """Release the lock; this thread must have acquired it."""
        ...


class _Forks:
    """The locks that must be free in a child process after a fork."""

    def __init__(self) -> None:
        self._locks: dict[int, weakref.ref[Any]] = {}
        self._taken: list[Any] = []
        self._missed: list[Any] = []

    @property
    def count(self) -> int:
        """The number of locks."""
        return len(self._locks)

    def add(self, lock: Lock) -> None:
        """Add a lock, for as long as it is alive."""
        key = id(lock)
        self._locks[key] = weakref.ref(lock, lambda _: self._locks.pop(key, None))

    def before(self) -> None:
        """Acquire all locks before a fork, in any order, and wait until no other thread loads a module: no
        lock is kept while another is waited for. After `PATIENCE` seconds, return with the locks that are
        free.
        """
        end = time.monotonic() + PATIENCE
        while not self._take_all() or _is_loading():
            if time.monotonic() > end:
                return
            self.release_all()
            time.sleep(INTERVAL)

    def _take_all(self) -> bool:
        """Take the locks that are free, and note the others as missed; return True if all are taken."""
        for lock in filter(None, [held() for held in tuple(self._locks.values())]):
            (self._taken if lock.acquire(blocking=False) else self._missed).append(lock)
        return not self._missed

    def release_all(self) -> None:
        """Release the acquired locks, and forget the missed ones."""
        while self._taken:
            self._taken.pop().release()
        self._missed.clear()

    def replace_held(self) -> None:
        """Reinitialise the locks that could not be acquired, in the child process, and release the others."""
        for lock in self._missed:
            lock._at_fork_reinit()
        self.release_all()


FORKS = _Forks()
"""The locks of this process."""

if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=FORKS.before, after_in_parent=FORKS.release_all, after_in_child=FORKS.replace_held
    )


def _is_loading() -> bool:
    """Return whether another thread is loading a module."""
    known: dict[str, Callable[[], Any]] = vars(sys.modules["_frozen_importlib"]).get("_module_locks", {})
    owners = {getattr(held(), "owner", None) for held in tuple(known.values())}
    return bool(owners - {None, get_ident()})


def fork_safe(lock: Lock) -> Lock:
    """Return `lock`, which a child process will find free from now on."""
    FORKS.add(lock)
    return lock


def reentrant_lock() -> Any:
    """Return a new lock that its owner may take again — in the handler of a signal, say — and that child
    processes find free.
    """
    return fork_safe(RLock())


def follow_properties(owner: type) -> None:
    """Make the locks of the cached properties that the class `owner` defines itself free in child processes.

    From Python 3.12 on they have no locks, and nothing is done.
    """
    for found in vars(owner).values():
        lock: Lock | None = vars(found).get("lock") if isinstance(found, cached_property) else None
        if lock is not None:
            fork_safe(lock)


class PlainThread:
    """A thread that calls ``work``. It has begun when the constructor returns, and the process does not wait
    for it at its end.

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
        """Wait for the end of the work, at most `seconds`; without limit if None. Check `is_alive` to see
        whether it has ended.
        """
        if self._is_running and self._running.acquire(timeout=-1 if seconds is None else max(0.0, seconds)):
            self._running.release()
