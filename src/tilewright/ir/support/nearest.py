"""The known name that a misspelt one was meant to be."""

from __future__ import annotations

from collections.abc import Iterable

_WORD = 5
"""Characters from which on a name may stand for a longer one that begins like it."""
_ALIKE = 0.8
"""How much alike the beginning must be (1: the same)."""


def nearest(name: str, known: Iterable[str], cutoff: float = 0.6) -> str | None:
    """The name nearest to ``name``, or None if all are less alike than ``cutoff`` (1: the same, 0: anything)."""
    import difflib  # slow to load, and only a mistake needs it

    names = list(known)
    close = difflib.get_close_matches(name, names, n=1, cutoff=cutoff)
    if not close and len(name) >= _WORD:  # the first words of a long name
        heads = {one[: len(name)]: one for one in reversed(names) if len(one) > len(name)}
        close = [heads[head] for head in difflib.get_close_matches(name, heads, n=1, cutoff=_ALIKE)]
    return close[0] if close else None
