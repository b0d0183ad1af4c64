"""C format strings applied to tiles.

A tile prints as nested lists, ``[[0, 1], [2, 3]]``, each element under the conversion; a rank-0 tile prints as its one
element.  Length modifiers are ignored: the tile has its type.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

from tilewright.interp.numerics.element import ElementFormat, NumpyArray, decode
from tilewright.ir.support.print_conversions import Conversion, Piece, element_text


def render(pieces: Sequence[Piece], tiles: Sequence[tuple[NumpyArray, ElementFormat]]) -> str:
    """Return the text of a parsed format with one tile per conversion."""
    remaining = iter(tiles)
    return "".join(p if isinstance(p, str) else _tile(p, *next(remaining)) for p in pieces)


def _tile(conversion: Conversion, tile: NumpyArray, format: ElementFormat) -> str:
    numbers: Any = decode(tile, format) if format.kind == "float" else tile
    show = element_text(conversion, 64 if format.kind == "float" else format.bits)
    return _nested(numbers.tolist(), show)


def _nested(items: Any, show: Callable[[Any], str]) -> str:
    if not isinstance(items, list):
        return show(items)
    parts = [_nested(item, show) for item in cast("list[Any]", items)]
    return f"[{', '.join(parts)}]"
