"""Values that ``with`` blocks enter: contexts, locations and insertion points that need not be handed along."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Generic, TypeVar

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
        """The value of the innermost block, if there is one."""
        values = self._values.get()
        return values[-1] if values else None

    def __get__(self, instance: object, owner: type[object] | None = None) -> _T | None:
        return self.innermost
