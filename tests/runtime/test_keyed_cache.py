"""The cache in memory: what is kept, what goes, and that each value is made once."""

from __future__ import annotations

import os
import threading

import pytest

from tilewright.runtime.keyed_cache import KeyedCache


def never() -> int:
    raise AssertionError("made")


def test_a_value_is_made_once() -> None:
    cache: KeyedCache[str, int] = KeyedCache(2)
    assert cache.get("a") is None
    assert cache.of("a", lambda: 1) == 1
    assert cache.of("a", never) == cache.get("a") == 1


def test_the_value_that_was_not_used_for_longest_goes_first() -> None:
    cache: KeyedCache[str, int] = KeyedCache(2)
    for key, value in (("a", 1), ("b", 2)):
        cache.put(key, value)
    assert cache.get("a") == 1
    cache.put("c", 3)
    assert (cache.get("a"), cache.get("b"), cache.get("c"), len(cache)) == (1, None, 3, 2)
    cache.put("a", 4)
    cache.put("d", 5)
    assert (cache.get("a"), cache.get("c"), len(cache)) == (4, None, 2)
    cache.clear()
    assert (cache.get("a"), len(cache)) == (None, 0)


def test_what_fails_is_not_kept() -> None:
    cache: KeyedCache[str, int] = KeyedCache(2)
    with pytest.raises(AssertionError, match="made"):
        cache.of("a", never)
    assert cache.of("a", lambda: 1) == 1


def test_values_may_be_made_of_other_values() -> None:
    cache: KeyedCache[int, int] = KeyedCache(100)

    def fibonacci(number: int) -> int:
        return number if number < 2 else made(number - 1) + made(number - 2)

    def made(number: int) -> int:
        return cache.of(number, lambda: fibonacci(number))

    assert (made(60), len(cache)) == (1548008755920, 61)


def test_threads_wait_for_each_other() -> None:
    cache: KeyedCache[str, object] = KeyedCache(2)
    begun, found = threading.Event(), list[object]()

    def make() -> object:
        begun.set()
        threading.Event().wait(0.05)
        return object()

    threads = [threading.Thread(target=lambda: found.append(cache.of("a", make))) for _ in range(4)]
    for thread in threads:
        thread.start()
    assert begun.wait(10)
    for thread in threads:
        thread.join()
    assert len(found) == 4
    assert set(found) == {cache.get("a")}


def test_threads_that_make_room_at_the_same_time() -> None:
    cache: KeyedCache[int, int] = KeyedCache(4)
    wrong: list[object] = []

    def go(start: int) -> None:
        for turn in range(2000):
            key = (start + turn) % 9
            try:
                if cache.of(key, lambda key=key: key + 1) != key + 1:
                    wrong.append(key)
            except Exception as error:
                wrong.append(error)

    threads = [threading.Thread(target=go, args=(start,)) for start in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (wrong, len(cache)) == ([], 4)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.filterwarnings("ignore:This process.*is multi-threaded:DeprecationWarning")
def test_a_child_finds_the_lock_free() -> None:
    """The parent's other thread makes a value while the process forks: the fork waits until the value is there."""
    cache: KeyedCache[str, int] = KeyedCache(2)
    begun, goes_on = threading.Event(), threading.Event()

    def make() -> int:
        begun.set()
        goes_on.wait(10)
        return 1

    maker = threading.Thread(target=lambda: cache.of("a", make))
    maker.start()
    assert begun.wait(10)
    threading.Timer(0.05, goes_on.set).start()
    child = os.fork()
    if child == 0:
        os._exit(cache.of("a", lambda: 2) + cache.of("b", lambda: 10))
    maker.join()
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 11
