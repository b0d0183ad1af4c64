"""Functions that return the same result for any arguments."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any


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
