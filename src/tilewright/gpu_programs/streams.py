"""Streams and events: all work is complete when the call that started it returns, so there is nothing to wait
for.
"""

from __future__ import annotations

import threading
from itertools import count
from time import perf_counter
from typing import Any, Self

_handles = count(1)


class _Chosen(threading.local):
    """The streams that a thread has selected, the innermost last."""

    def __init__(self) -> None:
        self.stack: list[Stream] = []


class Stream:
    """A CUDA stream, whose work is always complete. ``handle`` is its number, 0 for the default stream; None
    stands for a new number. In a ``with`` block it is the current stream of the thread.
    """

    _chosen = _Chosen()

    def __init__(self, handle: int | None = None) -> None:
        self.handle = next(_handles) if handle is None else handle

    @classmethod
    def current(cls, default: Self) -> Self:
        """Return the current stream of this thread; `default` if it has selected none, or the current stream
        is of another class.
        """
        chosen = cls._chosen.stack
        found = chosen[-1] if chosen else default
        return found if isinstance(found, cls) else default

    def choose(self) -> None:
        """Make this stream the current stream of the thread, in place of the stream that the thread has
        selected last.
        """
        self._chosen.stack[-1:] = [self]

    def __cuda_stream__(self) -> tuple[int, int]:
        return 0, self.handle

    def query(self) -> bool:
        """Return True: all work is complete."""
        return True

    def synchronize(self) -> None:
        """Return at once: all work is complete."""

    def wait_event(self, event: Event) -> None:
        """Return at once: the event is complete."""

    def __enter__(self) -> Self:
        self._chosen.stack.append(self)
        return self

    def __exit__(self, *exception: object) -> None:
        self._chosen.stack.pop()


class Event:
    """A CUDA event, always complete, with the CPU's time of its record. The constructor ignores all
    arguments.
    """

    def __init__(self, *arguments: Any, **named: Any) -> None:
        self._time: float | None = None

    def record(self, stream: Any = None) -> None:
        """Record the time of the event; `stream` is not used."""
        self._time = perf_counter()

    def query(self) -> bool:
        """Return True: the event is complete, or was never recorded."""
        return True

    def wait(self, stream: Any = None) -> None:
        """Return at once: the event is complete. `stream` is not used."""

    def synchronize(self) -> None:
        """Return at once: the event is complete."""

    def elapsed_time(self, end_event: Event) -> float:
        """Return the milliseconds from this event to `end_event`, at least 1e-6. Raises `RuntimeError` if one
        of them was not recorded.
        """
        if self._time is None or end_event._time is None:
            raise RuntimeError("Both events must be recorded before calculating elapsed time.")
        return max((end_event._time - self._time) * 1e3, 1e-6)
