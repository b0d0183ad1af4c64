"""The description of the value of an expression: as text, and as a record for other programs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import partial
from typing import Any

from tilewright.layouts import expressions as layouts_expressions, shuffles as layouts_shuffles, trees
from tilewright.layouts.conversion import ConversionKind, RegisterMovement
from tilewright.layouts.grids import MAX_CELLS, MAX_DRAWN, LayoutGrid, cell_count, grids
from tilewright.layouts.layout import ComposedLayout, Layout
from tilewright.layouts.linear import LEVELS, LinearLayout
from tilewright.layouts.linear_text import linear_text


def description(value: layouts_expressions.Value) -> str:
    """Return a description of a value in lines of text, followed by its tables unless they are too large."""
    return with_tables(_words(value), cell_count(value), partial(grids, value))


def with_tables(words: str, cells: int, tables: Callable[[int], Sequence[LayoutGrid]]) -> str:
    """Return `words`, followed by tables. ``cells`` is the number of cells of all tables together; if it is
    more than `MAX_CELLS`, a note replaces the tables. Otherwise ``tables`` is called with `MAX_CELLS` and
    returns them.
    """
    if cells > MAX_CELLS:
        drawn = "; --svg draws it" if cells <= MAX_DRAWN else ""
        return f"{words}\n(no table: it has more than {MAX_CELLS} cells{drawn})"
    return "\n\n".join([words, *map(str, tables(MAX_CELLS))])


def _words(value: layouts_expressions.Value) -> str:
    match value:
        case Layout():
            return f"{value}\n{value.size} elements, offsets span {value.cosize}"
        case ComposedLayout():
            return f"{value}\n{value.size} elements"
        case trees.Swizzle():
            return f"{value}\n{_swizzle_words(value)}"
        case LinearLayout():
            return f"{linear_text(value)}\n{holders(value)}"
        case RegisterMovement():
            lines = (linear_text(value.source), linear_text(value.destination))
            return f"{value.kind.value}: {_MEANINGS[value.kind]}\nfrom {lines[0]}\nto   {lines[1]}"
        case list():
            return f"[{';'.join('_' if mode is None else _tiler_text(mode) for mode in value)}]"
        case _:
            return trees.tree_text(value)


_MEANINGS = {
    ConversionKind.NOTHING: "every register keeps its element",
    ConversionKind.REGISTERS: "threads have the elements that they get",
    ConversionKind.SHUFFLE: "warps have the elements that they get",
    ConversionKind.SHARED: "elements move between warps, through shared memory",
    ConversionKind.BLOCKS: "elements move between blocks",
}


def _tiler_text(mode: Any) -> str:
    return str(mode) if isinstance(mode, Layout) else f"[{';'.join(map(_tiler_text, mode))}]"


def _swizzle_words(swizzle: trees.Swizzle) -> str:
    source, target = swizzle.base + swizzle.shift, swizzle.base
    if swizzle.shift < 0:
        source, target = swizzle.base, swizzle.base - swizzle.shift
    return f"xors {swizzle.bits} bits, from bit {source} on, into those from bit {target} on"


def holders(layout: LinearLayout) -> str:
    """Return a phrase about the registers, lanes, warps and blocks that hold a tile, such as ``128 elements
    in 4 registers x 32 lanes``. It ends with the number of holders of an element if there are several, or
    says that some elements are not held.
    """
    counts = [f"{1 << len(columns)} {level}s" for level, columns in layout.levels.items() if columns]
    words = f"{layout.size} elements in {' x '.join(counts) or 'one register'}"
    if not layout.is_onto:
        return f"{words}, which do not hold all of them"
    copies = (1 << len(layout.columns)) // layout.size
    return words if copies == 1 else f"{words}, each held {copies} times"


def record(value: layouts_expressions.Value) -> dict[str, Any]:
    """Return the description as data for other programs: the `fields` of the value, and ``"schema": 1``. Only
    plain numbers, strings, lists, tuples, dictionaries and None occur.
    """
    return {"schema": 1, **fields(value)}


def fields(value: layouts_expressions.Value) -> dict[str, Any]:
    """Return the fields of the record for a value: ``kind``, and others that depend on the kind. Offsets and
    steps of shuffles are left out if there are more than `MAX_CELLS`.
    """
    match value:
        case Layout():
            found = {"shape": value.shape, "stride": value.stride, "size": value.size, "cosize": value.cosize}
            return {"kind": "layout", "text": str(value), **found, **_offsets(value)}
        case ComposedLayout():
            return {"kind": "composed layout", "text": str(value), "size": value.size, **_offsets(value)}
        case trees.Swizzle():
            return {"kind": "swizzle", "text": str(value), **asdict(value)}
        case LinearLayout():
            return {"kind": "linear layout", "text": linear_text(value), **_movements(value)}
        case RegisterMovement():
            ends = {"source": linear_text(value.source), "destination": linear_text(value.destination)}
            return {"kind": "conversion", "needs": value.kind.value, **ends, **_rounds(value)}
        case list():
            return {"kind": "tiler", "text": _words(value)}
        case _:
            return {"kind": "number" if isinstance(value, int) else "shape", "value": value}


def _offsets(layout: Layout | ComposedLayout) -> dict[str, list[int]]:
    return {"offsets": layout.offsets()} if layout.size <= MAX_CELLS else {}


def _movements(layout: LinearLayout) -> dict[str, Any]:
    """Return the ``shape`` of the tile; for each level, by its name, the coordinates that each bit of its
    number adds (by xor); and as ``duplicates`` the masks of bits that only repeat elements.
    """
    levels = {level: [layout.coordinates(column) for column in layout.levels[level]] for level in LEVELS}
    return {"shape": layout.shape, **levels, "duplicates": layout.duplicates()}


def _rounds(movement: RegisterMovement) -> dict[str, Any]:
    if movement.kind in (ConversionKind.SHARED, ConversionKind.BLOCKS) or cell_count(movement) > MAX_CELLS:
        return {}
    return {"rounds": [asdict(step) for step in layouts_shuffles.shuffle_steps(movement)]}
