"""Functions that answer the same whatever they are asked."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any


def always(value: Any) -> Callable[..., Any]:
    """A function of any arguments that answers a value."""

    def answer(*arguments: Any, **named: Any) -> Any:
        return value

    return answer


nothing = always(None)
"""Nothing is to be done."""


def no_context(*arguments: Any, **named: Any) -> contextlib.AbstractContextManager[None]:
    """A ``with`` block in which nothing is different."""
    return contextlib.nullcontext()
