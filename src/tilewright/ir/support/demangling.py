"""The names of C++ functions as programs write them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from importlib import import_module
from typing import Any

from tilewright.ir.support.strings import pattern

MANGLED = "_Z"
"""The prefix of mangled names."""
_INTEGER_SUFFIX = pattern(r"(?<=\d)(?:u|l|ul)(?=[,> ])")
_INLINE_NAMESPACE = pattern(r"::__\d+(?=::)")


@lru_cache(maxsize=1024)
def source_name(symbol: str) -> str:
    """Return the name of a function in C++: ``scale<float, 256>`` for ``_Z5scaleIfLi256EEvPKT_PS0_S0_i``.

    Parameters, the result type and inline namespaces of CUDA are left out. A symbol that is not mangled is returned as it
    is, and so is every symbol if the package `cxxfilt` is missing.
    """
    if not symbol.startswith(MANGLED):
        return symbol
    try:
        cxxfilt: Any = import_module("cxxfilt")  # loads the C++ library; comes with the extra `cpp`
    except ImportError:
        return symbol
    try:
        text = cxxfilt.demangle(symbol)
    except cxxfilt.InvalidName:
        return symbol
    name = _without_result(_without_parameters(text))
    return _INLINE_NAMESPACE.sub("", _INTEGER_SUFFIX.sub("", name)).replace("> >", ">>")


def _without_parameters(text: str) -> str:
    """Return a demangled name without its last parameter list and the qualifiers after the list; unchanged if
    it has no parentheses.
    """
    end = text.rfind(")")
    depth = 0
    for at in range(end, 0, -1):
        depth += (text[at] == ")") - (text[at] == "(")
        if depth == 0:
            return text[:at]
    return text


def _without_result(text: str) -> str:
    """Return a demangled function without its result type, which templates have before the name."""
    depth = 0
    for at in range(len(text) - 1, -1, -1):
        depth += (text[at] in ">)") - (text[at] in "<(")
        if depth == 0 and text[at] == " ":
            return text[at + 1 :]
    return text


def matching(name: str, symbols: Iterable[str]) -> list[str]:
    """Return the ``symbols`` whose name in the source program is ``name``: exactly, or, if there are none,
    without template arguments. Blanks are ignored.

    ``scale`` stands for every instance of the template, ``scale<float, 256>`` for one.
    """
    wanted = _compact(name)
    names = {symbol: _compact(source_name(symbol)) for symbol in symbols}
    exact = [symbol for symbol, known in names.items() if known == wanted]
    return exact or [symbol for symbol, known in names.items() if known.partition("<")[0] == wanted]


def _compact(name: str) -> str:
    """Return a name without spaces, so that ``scale<float,256>`` equals ``scale<float, 256>``."""
    return "".join(name.split())
