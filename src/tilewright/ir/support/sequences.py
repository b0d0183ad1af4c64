"""Sequences among what callers hand in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeGuard


def is_list(value: object) -> TypeGuard[Sequence[Any]]:
    """True if a value is a sequence, but not a string, bytes or a `memoryview`."""
    if type(value) is list or type(value) is tuple:  # costs next to nothing
        return True
    return isinstance(value, Sequence) and not isinstance(value, str | bytes | bytearray | memoryview)
