"""Regular expressions that are compiled when they are first used.

Compiling one takes as long as importing a module of some size, and a command uses few of those that it imports.
"""

from __future__ import annotations

import re
from typing import Any, AnyStr

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
    """Return a pattern like `re.compile`, compiled at its first use. Invalid text raises `re.error` then."""
    found: Any = _Uncompiled(text, flags)
    return found
