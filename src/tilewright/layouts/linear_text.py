"""The text of linear layouts, in CuTe's notation: strides are steps along dimensions.

``(16,8) register=(2,2):(1@1,8@0) lane=(4,8):(2@1,1@0)`` is the accumulator of ``mma.m16n8k16``: the low bit of a
register number moves by one column, the other by 8 rows.  A stride ``1@0+8@1`` moves along both dimensions; strides are
combined by xor.  The text is canonical: bits that double the movement of the one before are one mode with it.
"""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.ir.diagnostic import failure
from tilewright.layouts.codes import BAD_LAYOUT
from tilewright.layouts.linear import LEVELS, LinearLayout, log2
from tilewright.layouts.parser import LayoutParser
from tilewright.layouts.trees import Basis, Tree, integers, is_known, tree_text


def linear_text(layout: LinearLayout) -> str:
    """Return the canonical text of a layout, such as ``(16,8) register=(2,2):(1@1,8@0)
    lane=(4,8):(2@1,1@0)``. Levels without bits are left out.
    """
    levels = [
        f"{level}={_modes_text(layout, columns)}" for level, columns in layout.levels.items() if columns
    ]
    return " ".join([tree_text(layout.shape), *levels])


def _modes_text(layout: LinearLayout, columns: Sequence[int]) -> str:
    modes: list[tuple[int, int]] = []
    last = -1
    for column in columns:
        if modes and column == _doubled(layout, last):
            modes[-1] = modes[-1][0] * 2, modes[-1][1]
        else:
            modes.append((2, column))
        last = column
    extents, strides = zip(*modes, strict=True)
    texts = [_stride_text(layout, stride) for stride in strides]
    if len(modes) == 1:
        return f"{extents[0]}:{texts[0]}"
    return f"{tree_text(extents)}:({','.join(texts)})"


def _doubled(layout: LinearLayout, column: int) -> int | None:
    """Return the element whose coordinates are twice the coordinates of element `column`; None if they are
    outside the tile.
    """
    twice = [2 * coordinate for coordinate in layout.coordinates(column)]
    fits = all(coordinate < extent for coordinate, extent in zip(twice, layout.shape, strict=True))
    return layout.number(twice) if fits else None


def _stride_text(layout: LinearLayout, column: int) -> str:
    steps = [f"{step}@{at}" for at, step in enumerate(layout.coordinates(column)) if step]
    return "+".join(steps) or "0"


def parse_linear(text: str) -> LinearLayout:
    """Parse the text of a linear layout, such as ``(16,8) register=(2,2):(1@1,8@0) lane=(4,8):(2@1,1@0)``.
    Raises `DiagnosticError`, which points into the text.
    """
    parser = LayoutParser(text)
    found = read_linear(parser, parser.tree())
    parser.end()
    return found


def read_linear(parser: LayoutParser, shape: Tree) -> LinearLayout:
    """Parse the levels of a linear layout after its shape, which is parsed already, and return the layout. A
    level that is left out has no bits. Raises `DiagnosticError` for other text, a repeated level, and
    elements outside the tile.
    """
    if not is_known(shape) or not isinstance(shape, tuple):
        raise parser.error(f"expected extents in parentheses, got {tree_text(shape)}")
    whole = LinearLayout(integers(shape))
    levels: dict[str, tuple[int, ...]] = {}
    while parser.token in LEVELS:
        level = parser.advance()
        if level in levels:
            raise parser.error(f"'{level}' stands twice in '{parser.text}'")
        parser.expect("=")
        levels[level] = _read_modes(parser, whole)
    return LinearLayout(whole.shape, **levels)


def _read_modes(parser: LayoutParser, tile: LinearLayout) -> tuple[int, ...]:
    extents = parser.tree()
    if not is_known(extents):
        raise parser.error(f"expected extents, got {tree_text(extents)}")
    parser.expect(":")
    strides = _read_strides(parser, tile)
    if len(integers(extents)) != len(strides):
        raise parser.error(f"expected a stride for each extent of {tree_text(extents)}, got {len(strides)}")
    columns: list[int] = []
    for extent, stride in zip(integers(extents), strides, strict=True):
        columns += _doublings(tile, stride, log2(extent))
    return tuple(columns)


def _doublings(tile: LinearLayout, stride: int, count: int) -> list[int]:
    """Return the ``count`` elements at 1, 2, 4, ... times the coordinates of element ``stride``. Raises
    `DiagnosticError` if one is outside the tile.
    """
    found: list[int] = []
    column: int | None = stride
    for _ in range(count):
        if column is None:
            raise failure(BAD_LAYOUT, f"a mode of stride {_stride_text(tile, stride)} leaves the tile")
        found.append(column)
        column = _doubled(tile, column)
    return found


def _read_strides(parser: LayoutParser, tile: LinearLayout) -> list[int]:
    if not parser.accept("("):
        return [_read_stride(parser, tile)]
    found = [_read_stride(parser, tile)]
    while parser.accept(","):
        found.append(_read_stride(parser, tile))
    parser.expect(")")
    return found


def _read_stride(parser: LayoutParser, tile: LinearLayout) -> int:
    """Parse a stride: steps along dimensions, joined by ``+``. Return the number of the element at these
    steps. Raises `DiagnosticError` for other text, and for steps beyond the tile.
    """
    steps = [0] * len(tile.shape)
    while True:
        leaf = parser.leaf()
        match leaf:
            case Basis(int(count), (dimension,)) if 0 <= dimension < len(steps) and not steps[dimension]:
                steps[dimension] = count
            case 0:
                pass
            case _:
                raise parser.error(f"expected steps along dimensions such as 1@0+8@1, got {tree_text(leaf)}")
        if not parser.accept("+"):
            break
    if any(not 0 <= step < extent for step, extent in zip(steps, tile.shape, strict=True)):
        raise parser.error(f"expected steps inside of the tile {tree_text(tile.shape)}, got {steps}")
    return tile.number(steps)
