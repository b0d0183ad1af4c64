"""Locks that other threads hold when a process forks."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from functools import cached_property
from typing import Any

import pytest

from tilewright.ir.support import locks
from tilewright.ir.support.locks import fork_safe, reentrant_lock

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]


def in_child(action: Callable[[], bool]) -> bool:
    """What a child process answers."""
    child = os.fork()
    if child == 0:
        answer = False
        try:
            answer = action()
        finally:
            os._exit(0 if answer else 1)
    return os.waitpid(child, 0)[1] == 0


def held_for(lock: Any, seconds: float, release: threading.Event | None = None) -> threading.Thread:
    """Return a thread that holds a lock for some seconds, or until ``release`` is set."""
    has = threading.Event()

    def hold() -> None:
        with lock:
            has.set()
            (release or threading.Event()).wait(seconds)

    thread = threading.Thread(target=hold)
    thread.start()
    has.wait()
    return thread


def is_free(lock: Any) -> bool:
    taken = []
    other = threading.Thread(target=lambda: taken.append(lock.acquire(timeout=1)))
    other.start()
    other.join()
    return taken == [True]


@pytest.mark.parametrize("make", [reentrant_lock, lambda: fork_safe(threading.Lock())])
def test_a_fork_waits(make: Callable[[], Any]) -> None:
    lock = make()
    holder = held_for(lock, 0.05)
    assert in_child(lambda: is_free(lock))
    assert is_free(lock)
    holder.join()


def test_a_fork_does_not_wait_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locks, "PATIENCE", 0.01)
    lock, other = reentrant_lock(), reentrant_lock()
    release = threading.Event()
    holder = held_for(lock, 60, release)
    assert in_child(lambda: is_free(lock) and is_free(other))
    assert not lock.acquire(blocking=False)
    release.set()
    holder.join()
    assert is_free(lock)
    assert is_free(other)


def test_who_forks_keeps_its_locks() -> None:
    lock = reentrant_lock()
    with lock:
        assert in_child(lambda: not is_free(lock))
        assert not is_free(lock)
    assert is_free(lock)


def test_locks_of_cached_properties() -> None:
    class Owner:
        @cached_property
        def slow(self) -> int:
            began.set()
            threading.Event().wait(0.05)
            return 1

    began, owner = threading.Event(), Owner()
    locks.follow_properties(Owner)
    other = threading.Thread(target=lambda: owner.slow)
    other.start()
    began.wait()
    assert in_child(lambda: Owner().slow == 1)
    other.join()


def test_locks_that_are_gone_are_forgotten() -> None:
    count = locks.FORKS.count
    lock = reentrant_lock()
    assert locks.FORKS.count == count + 1
    del lock
    assert locks.FORKS.count == count
