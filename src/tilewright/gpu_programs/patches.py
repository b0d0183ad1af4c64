"""Changes to modules and classes of other packages that can be undone."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from typing import Any, cast

_MISSING = object()


class Patches:
    """Sets attributes of modules and classes, and restores their earlier values by `undo`."""

    def __init__(self) -> None:
        self._undo: list[Callable[[], object]] = []

    def set(self, owner: Any, name: str, value: object) -> None:
        """Set the attribute `name` of `owner`, whether it exists or not; `undo` restores its earlier value,
        or deletes it.
        """
        members = cast("dict[str, Any]", vars(owner))
        before = members.get(name, _MISSING)
        setattr(owner, name, value)
        self._undo.append(
            lambda: delattr(owner, name) if before is _MISSING else setattr(owner, name, before)
        )

    def set_all(self, owner: Any, values: Mapping[str, object]) -> None:
        """Set each attribute in `values`, which maps names to values, of `owner`; `undo` restores them."""
        for name, value in values.items():
            self.set(owner, name, value)

    def set_known(self, owner: Any, values: Mapping[str, object]) -> None:
        """Set each attribute in `values`, which maps names to values, that `owner` has already; the others
        are skipped, since versions of a package lack some. `undo` restores them.
        """
        self.set_all(owner, {name: value for name, value in values.items() if hasattr(owner, name)})

    def on_undo(self, undo: Callable[[], object]) -> None:
        """Arrange that the function `undo`, which has no parameters, is called when the patches are undone;
        the last change is undone first.
        """
        self._undo.append(undo)

    def undo(self) -> None:
        """Restore the earlier values, the last change first."""
        while self._undo:
            self._undo.pop()()


def always(value: Any) -> Callable[..., Any]:
    """Return a function that takes any arguments and returns `value`."""

    def answer(*arguments: Any, **named: Any) -> Any:
        return value

    return answer


nothing = always(None)
"""Take any arguments, do nothing and return None."""


def no_context(*arguments: Any, **named: Any) -> contextlib.AbstractContextManager[None]:
    """Return a context manager without effect."""
    return contextlib.nullcontext()
