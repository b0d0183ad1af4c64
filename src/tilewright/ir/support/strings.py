"""Strings: regular expressions that are compiled when used, near spellings, first paragraphs, and UTF-8."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, AnyStr

_WORD = 5
"""The minimum length of a misspelt name that is also compared with the beginnings of longer names."""
_ALIKE = 0.8
"""The minimum similarity of such a beginning to the name (1: equal)."""

BREAKPOINT = "breakpoint(): only the interpreter stops here, target interp\n"
"""The format of the print that frontends make of ``breakpoint()`` in a kernel. The interpreter stops there;
compiled code prints the text.
"""


def nearest(name: str, known: Iterable[str], cutoff: float = 0.6) -> str | None:
    """Return the name in `known` most similar to ``name``, with a similarity of at least ``cutoff`` (1:
    equal, 0: anything). If there is none, return a longer name whose beginning is similar to a ``name`` of
    five or more characters, or else None.
    """
    import difflib  # slow to load, and only a mistake needs it

    names = list(known)
    close = difflib.get_close_matches(name, names, n=1, cutoff=cutoff)
    if not close and len(name) >= _WORD:  # the first words of a long name
        heads = {one[: len(name)]: one for one in reversed(names) if len(one) > len(name)}
        close = [heads[head] for head in difflib.get_close_matches(name, heads, n=1, cutoff=_ALIKE)]
    return close[0] if close else None


_METHODS = ("findall", "finditer", "fullmatch", "match", "search", "split", "sub")


class _Uncompiled:
    """A pattern that is compiled when one of its methods is first used; then it has the methods of the
    compiled `re.Pattern`.
    """

    __slots__ = ("_flags", "_text", *_METHODS)

    def __init__(self, text: Any, flags: int) -> None:
        self._text = text
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        compiled = re.compile(self._text, self._flags)
        for method in _METHODS:
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)


def pattern(text: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Return a pattern like `re.compile`, with the same ``flags``, which is compiled at its first use and has
    the matching methods only. Invalid text raises `re.error` then, not here.
    """
    found: Any = _Uncompiled(text, flags)
    return found


def first_paragraph(docstring: str | None) -> str:
    """Return the first paragraph of a docstring in one line; an empty text without a docstring."""
    return " ".join((docstring or "").strip().partition("\n\n")[0].split())


def utf8(text: str) -> bytes:
    """Return the UTF-8 encoding of a string; surrogate escapes become the raw bytes that they stand for. If
    another lone surrogate is in it, all surrogates are encoded as they are.
    """
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # a lone surrogate that stands for no byte
        return text.encode("utf-8", "surrogatepass")
