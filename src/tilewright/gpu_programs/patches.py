"""Changes to foreign modules and classes that can be taken back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast

_MISSING = object()


class Patches:
    """Attributes that have been set, and how to put back what was there before."""

    def __init__(self) -> None:
        self._undo: list[Callable[[], object]] = []

    def set(self, owner: Any, name: str, value: object) -> None:
        """Set an attribute, also one that there was not."""
        members = cast("dict[str, Any]", vars(owner))
        before = members.get(name, _MISSING)
        setattr(owner, name, value)
        self._undo.append(
            lambda: delattr(owner, name) if before is _MISSING else setattr(owner, name, before)
        )

    def set_all(self, owner: Any, values: Mapping[str, object]) -> None:
        """Set several attributes."""
        for name, value in values.items():
            self.set(owner, name, value)

    def set_known(self, owner: Any, values: Mapping[str, object]) -> None:
        """Set those attributes that the owner has: other versions of it may lack some."""
        self.set_all(owner, {name: value for name, value in values.items() if hasattr(owner, name)})

    def on_undo(self, undo: Callable[[], object]) -> None:
        """Call a function when everything is put back."""
        self._undo.append(undo)

    def undo(self) -> None:
        """Put back what was there, the last change first."""
        while self._undo:
            self._undo.pop()()
