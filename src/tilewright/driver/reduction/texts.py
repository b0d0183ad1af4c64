"""Smaller texts of a module: fewer parameters of functions, smaller extents of shapes, and smaller constants."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

_EXTENT = re.compile(
    r"(?<![\w.%@#$-])(\d+)(?=x)|(?<=[\d?]x)(\d+)(?=x)|(?<=[\d?]x)(\d+)(?![\w.])|(?<=tile=\()(\d+)(?=\))"
)
"""Extents in types: a number before or after an x, and the extent of a tile of one dimension."""
_PARAMETER = re.compile(r"%(\w+): ")
_OPENING, _CLOSING = "(<[{", ")>]}"
_CONSTANT = re.compile(r"(constant\s*(?:<[^:<>]*:\s*|dense<)?)(-?\d[\d.e+-]*)(?=\s*[>:])")
"""A constant of one number, up to the number, and the number."""


def with_smaller_extents(text: str) -> Iterator[str]:
    """Yield texts in which one extent, wherever its number stands in types of the module, is replaced by 1,
    by 2 or by its half; the largest extents come first.
    """
    extents = {int(next(filter(None, found.groups()))) for found in _EXTENT.finditer(text)}
    for extent in sorted(extents, reverse=True):
        for smaller in sorted({1, 2, extent // 2}):
            if 0 < smaller < extent:
                yield _EXTENT.sub(partial(_replaced, str(extent), str(smaller)), text)


def _replaced(extent: str, smaller: str, found: re.Match[str]) -> str:
    return smaller if found.group(0) == extent else found.group(0)


def with_smaller_constants(text: str) -> Iterator[str]:
    """Yield texts in which one constant of a single number is replaced by 0 or 1, the last constants first.
    Constants that would get longer or larger are left out.
    """
    for found in reversed(list(_CONSTANT.finditer(text))):
        number = found.group(2)
        for smaller in ("0", "1"):
            word = f"{smaller}.0" if "." in number else smaller
            if word != number and _size(word) <= _size(number):
                yield f"{text[: found.start(2)]}{word}{text[found.end(2) :]}"


def _size(word: str) -> tuple[int, float]:
    return len(word), abs(float(word))


def without_parameters(text: str) -> Iterator[str]:
    """Yield smaller MLIR texts: first, if several parameters of functions are unused, `text` without all of
    them, then texts without one of them, the last ones first. A parameter is taken as unused if its name
    occurs once in the whole text.
    """
    found = [one for one in _PARAMETER.finditer(text) if len(re.findall(rf"%{one[1]}\b", text)) == 1]
    spans = [_span(text, one.start(), one.end()) for one in found]
    if len(spans) > 1:
        yield _without(text, spans)
    for span in reversed(spans):
        yield _without(text, [span])


def _span(text: str, begin: int, at: int) -> tuple[int, int]:
    """Return the half-open range of a parameter in the text, with the comma after it, or else before it.
    `begin` is the position of its name, `at` the position of its type.
    """
    depth = 0
    while at < len(text) and (depth or text[at] not in ",)"):
        depth += (text[at] in _OPENING) - (text[at] in _CLOSING and text[at - 1] != "-")
        at += 1
    if text[at : at + 2] == ", ":
        return begin, at + 2
    return (begin - 2 if text[begin - 2 : begin] == ", " else begin), at


def _without(text: str, spans: list[tuple[int, int]]) -> str:
    for begin, end in reversed(spans):
        text = text[:begin] + text[end:]
    return text.replace(", )", ")")
