"""The progress of long work. It is reported only in a ``with`` block that installs a reporter."""

from __future__ import annotations

import contextlib
from contextvars import ContextVar
from typing import TYPE_CHECKING, Generic, Protocol, Self, TypeVar

if TYPE_CHECKING:
    from collections.abc import Generator

_T = TypeVar("_T")


class Entered(Generic[_T]):
    """The values of one kind that ``with`` blocks of this thread or task have entered, the innermost last.

    As an attribute of a class it reads as the innermost one (None outside of all blocks).
    """

    def __init__(self, name: str) -> None:
        self._values: ContextVar[tuple[_T, ...]] = ContextVar(name, default=())

    def enter(self, value: _T) -> _T:
        """Begin a block with a value, which is returned."""
        self._values.set((*self._values.get(), value))
        return value

    def leave(self) -> None:
        """End the innermost block."""
        self._values.set(self._values.get()[:-1])

    @property
    def innermost(self) -> _T | None:
        """The value of the innermost block; None outside of all blocks."""
        values = self._values.get()
        return values[-1] if values else None

    def __get__(self, instance: object, owner: type[object] | None = None) -> _T | None:
        return self.innermost


class Reporter(Protocol):
    """An object that is called when work begins and ends. In between it may poll `Progress.done`: a step
    makes no call.
    """

    def begin(self, work: Progress) -> None:
        """Handle the beginning of ``work``, whose `total` is known."""
        ...

    def end(self, work: Progress) -> None:
        """Handle the end of ``work``, whether complete or not."""
        ...


_REPORTERS: Entered[Reporter] = Entered("reporters of progress")


@contextlib.contextmanager
def reporting(reporter: Reporter) -> Generator[None]:
    """Report the work in a ``with`` block to `reporter`, and not to a reporter of an outer block."""
    _REPORTERS.enter(reporter)
    try:
        yield
    finally:
        _REPORTERS.leave()


class Progress:
    """The progress of a ``with`` block: the number of steps that are done, of `total`. ``what`` names the
    steps. The innermost reporter gets it; without a reporter it is only counted.
    """

    def __init__(self, what: str, total: int) -> None:
        self.what = what
        self.total = total
        self.done = 0
        self._reporter = _REPORTERS.innermost

    def __enter__(self) -> Self:
        if self._reporter is not None:
            self._reporter.begin(self)
        return self

    def __exit__(self, *exception: object) -> None:
        if self._reporter is not None:
            self._reporter.end(self)

    def step(self, count: int = 1) -> None:
        """Add `count` to the number of completed steps, `done`. The reporter is not called; it may poll
        `done`.
        """
        self.done += count
