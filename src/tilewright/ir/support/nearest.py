"""The known name that a misspelt one was meant to be."""

from __future__ import annotations

from collections.abc import Iterable


def nearest(name: str, known: Iterable[str], cutoff: float = 0.6) -> str | None:
    """The name nearest to ``name``, or None if all are less alike than ``cutoff`` (1: the same, 0: anything)."""
    import difflib  # slow to load, and only a mistake needs it

    close = difflib.get_close_matches(name, list(known), n=1, cutoff=cutoff)
    return close[0] if close else None
