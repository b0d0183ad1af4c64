"""The cache of values that are made once and used often: decoded modules, loaded kernels, bytecode, launches.

A key holds all that a value depends on: the content, the target, and the options. `DiskCache` is the level below for
values that outlive the process: the function that makes a value looks there first.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, Generic, TypeVar

from tilewright.ir.support.locks import reentrant_lock

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class KeyedCache(Generic[Key, Value]):
    """Values by their keys, at most ``limit`` of them: the least recently used value is removed first.

    Threads may share a cache. Each value is made once: a thread that requests a value waits while another one
    makes it. Caches whose values must not be made at the same time share a ``lock``. Child processes find the
    lock free.
    """

    __slots__ = ("_limit", "_lock", "_values")

    def __init__(self, limit: int, lock: Any = None) -> None:
        self._limit = limit
        self._lock = reentrant_lock() if lock is None else lock
        self._values: OrderedDict[Key, Value] = OrderedDict()

    def get(self, key: Key) -> Value | None:
        """Return the value of a key, and count the use; None if it has not been made, or is being made: this
        method does not wait.
        """
        found = self._values.get(key)
        if found is not None:
            try:
                self._values.move_to_end(key)
            except KeyError:
                return found  # another thread has made room
        return found

    def of(self, key: Key, make: Callable[[], Value]) -> Value:
        """Return the value of a key; if there is none, ``make`` makes it, which must not return None. Nothing
        is stored if ``make`` raises.
        """
        found = self.get(key)
        if found is None:
            with self._lock:
                found = self.get(key)
                if found is None:
                    found = make()
                    self.put(key, found)
        return found

    def put(self, key: Key, value: Value) -> None:
        """Store a value; an earlier value of the key is replaced. If there are too many values, the least
        recently used ones are removed.
        """
        with self._lock:
            self._values[key] = value
            self._values.move_to_end(key)
            while len(self._values) > self._limit:
                self._values.popitem(last=False)

    def every_key(self) -> list[Key]:
        """Return the keys, the least recently used first."""
        with self._lock:
            return list(self._values)

    def clear(self) -> None:
        """Remove all values from the cache."""
        with self._lock:
            self._values.clear()

    def __len__(self) -> int:
        return len(self._values)
