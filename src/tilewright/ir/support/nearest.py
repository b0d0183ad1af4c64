"""The known name that a misspelt one was meant to be."""

from __future__ import annotations

from collections.abc import Iterable

_WORD = 5
"""The minimum number of characters of a name that may be the beginning of a longer one."""
_ALIKE = 0.8
"""How much alike the beginning must be (1: the same)."""


def nearest(name: str, known: Iterable[str], cutoff: float = 0.6) -> str | None:
    """Return the name in `known` most similar to ``name``, or None if none is as similar as ``cutoff`` (1:
    equal, 0: anything).
    """
    import difflib  # slow to load, and only a mistake needs it

    names = list(known)
    close = difflib.get_close_matches(name, names, n=1, cutoff=cutoff)
    if not close and len(name) >= _WORD:  # the first words of a long name
        heads = {one[: len(name)]: one for one in reversed(names) if len(one) > len(name)}
        close = [heads[head] for head in difflib.get_close_matches(name, heads, n=1, cutoff=_ALIKE)]
    return close[0] if close else None
