"""Layouts of a kernel as pictures: tiles in registers and in shared memory, and fragments of matrix
instructions.

The tables of `tilewright layout` (`tilewright.targets.nvptx.drawings`) are the data of the pictures.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tilewright.explorer.places import SourcePositions
from tilewright.explorer.schema import LayoutPicture, LayoutTable, TileValue
from tilewright.ir.operation import Operation
from tilewright.layouts.grids import COLORS, MAX_DRAWN, LayoutGrid
from tilewright.lowering.tileas.placements import Placement
from tilewright.targets.nvptx.drawings import LayoutDrawing, drawings

STAGE = "layouts"
"""The stage that has layouts."""
MOST_CELLS = 1 << 17
"""The maximum number of table cells of a kernel's layouts, which take some hundred kilobytes of a page."""


def pictures_of(
    module: Operation, places: SourcePositions, lines: Mapping[Operation, int]
) -> list[LayoutPicture]:
    """Return the pictures of the layouts of a module at the stage `STAGE`; ``lines`` has the line of each
    operation in its text.

    Small pictures get their tables first. Pictures after the first `MOST_CELLS` cells have no tables, and say
    so.
    """
    found = drawings(module)
    kept = _kept(found)
    return [_picture(one, one in kept, places, lines) for one in found]


def _kept(found: Sequence[LayoutDrawing]) -> list[LayoutDrawing]:
    """Return the drawings whose tables are shown: each has at most `MAX_DRAWN` cells, all together at most
    `MOST_CELLS`, the smallest first.
    """
    kept: list[LayoutDrawing] = []
    left = MOST_CELLS
    for drawing in sorted(found, key=lambda one: one.cells):
        left -= drawing.cells
        if drawing.cells <= MAX_DRAWN and left >= 0:
            kept.append(drawing)
    return kept


def _picture(
    drawing: LayoutDrawing, has_tables: bool, places: SourcePositions, lines: Mapping[Operation, int]
) -> LayoutPicture:
    tables = [_table(grid) for grid in drawing.tables(MAX_DRAWN)] if has_tables else []
    return LayoutPicture(
        kind=drawing.kind.value,
        text=drawing.text,
        words=drawing.words,
        values=[_value(value, places, lines) for value in drawing.values],
        tables=tables,
        left_out="" if has_tables else _left_out(drawing),
    )


def _left_out(drawing: LayoutDrawing) -> str:
    """Return the text of a picture without tables: the number of cells that the tables of `drawing` have, and
    the command that draws them.
    """
    name = drawing.values[0].name
    return f"Its tables have {drawing.cells} cells; 'tilewright layout --value {name} --svg' draws up to {MAX_DRAWN}."


def _value(value: Placement, places: SourcePositions, lines: Mapping[Operation, int]) -> TileValue:
    return TileValue(value.name, value.type, places.of(value.location), lines.get(value.owner, 0))


def _table(grid: LayoutGrid) -> LayoutTable:
    """Return a table as data. The cells of a row are one text, since they are many and contain no spaces."""
    return LayoutTable(
        title=grid.title,
        rows=list(grid.rows),
        columns=list(grid.columns),
        cells=[" ".join(cell.text for cell in row) for row in grid.cells],
        shades=[" ".join(str(cell.shade) for cell in row) for row in grid.cells],
        colors=list(COLORS),
    )
