"""Streams and events: everything is done when the call that started it returns, so there is nothing to wait for."""

from __future__ import annotations

import threading
from itertools import count
from time import perf_counter
from typing import Any, Self

_handles = count(1)


class _Chosen(threading.local):
    """The streams that a thread has chosen, the last one innermost."""

    def __init__(self) -> None:
        self.stack: list[Stream] = []


class Stream:
    """Stands for a CUDA stream; ``handle`` is its number, 0 that of the default stream."""

    _chosen = _Chosen()

    def __init__(self, handle: int | None = None) -> None:
        self.handle = next(_handles) if handle is None else handle

    @classmethod
    def current(cls, default: Self) -> Self:
        """The stream that the thread chose last, or the default one."""
        chosen = cls._chosen.stack
        found = chosen[-1] if chosen else default
        return found if isinstance(found, cls) else default

    def choose(self) -> None:
        """Make it the current one for good."""
        self._chosen.stack[-1:] = [self]

    def __cuda_stream__(self) -> tuple[int, int]:
        return 0, self.handle

    def query(self) -> bool:
        """Nothing is pending."""
        return True

    def synchronize(self) -> None:
        """Nothing is pending."""

    def wait_event(self, event: Event) -> None:
        """It has happened."""

    def __enter__(self) -> Self:
        self._chosen.stack.append(self)
        return self

    def __exit__(self, *exception: object) -> None:
        self._chosen.stack.pop()


class Event:
    """Stands for a CUDA event; times are those of the CPU."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        self._time: float | None = None

    def record(self, stream: Any = None) -> None:
        """It happens now."""
        self._time = perf_counter()

    def query(self) -> bool:
        """It has happened, or was never recorded."""
        return True

    def wait(self, stream: Any = None) -> None:
        """It has happened."""

    def synchronize(self) -> None:
        """It has happened."""

    def elapsed_time(self, end_event: Event) -> float:
        """Milliseconds from this event to the other.  Raises RuntimeError if one was not recorded."""
        if self._time is None or end_event._time is None:
            raise RuntimeError("Both events must be recorded before calculating elapsed time.")
        return max((end_event._time - self._time) * 1e3, 1e-6)
