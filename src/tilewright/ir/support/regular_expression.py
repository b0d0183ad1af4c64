"""Regular expressions that are compiled when they are first used.

Compiling one takes as long as importing a module of some size, and a command uses few of those that it imports.
"""

from __future__ import annotations

import re
from typing import Any, AnyStr

_METHODS = ("findall", "finditer", "fullmatch", "match", "search", "split", "sub")


class _Uncompiled:
    """A pattern whose methods are not there before one is asked for; then they are those of the compiled pattern."""

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
    """What `re.compile` answers, later.  A text that is no regular expression raises `re.error` at the first use."""
    found: Any = _Uncompiled(text, flags)
    return found
