"""Layouts as tables, as text and as a picture: the offset of each coordinate, the registers that hold each
element, and the element in each register.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from xml.etree import ElementTree

from tilewright.ir.diagnostic import failure
from tilewright.layouts.bits import BitMatrix
from tilewright.layouts.codes import TOO_LARGE
from tilewright.layouts.conversion import ConversionKind, RegisterMovement
from tilewright.layouts.expressions import Value
from tilewright.layouts.layout import ComposedLayout, Layout
from tilewright.layouts.linear import LinearLayout
from tilewright.layouts.shuffles import ShuffleStep, shuffle_steps
from tilewright.layouts.trees import tree_text

MAX_CELLS = 1 << 12
"""The maximum number of cells of a table in text; larger ones cannot be read."""
MAX_DRAWN = 1 << 15
"""The maximum number of cells of a picture: both views of a tile of 128 x 128 fit."""
BANKS, BANK_BITS = 32, 32
"""The number of banks of shared memory, and their width in bits."""
BANKS_OF_COLOR = 4
"""The number of neighbouring banks with one colour: 16 bytes, the most that a thread moves in one access."""
CELL, TITLE, MARGIN, CHARACTER = 26, 30, 12, 7
"""Lengths in pixels: the height of a cell, the height of a title, the margin around a table, and the width of
a character.
"""
COLORS = ("#cfe3f7", "#d9f0d3", "#fde8c8", "#f6d5de", "#e3d9f3", "#d3efee", "#f4f1c6", "#e2e2e2")
STYLE = (
    "text{font:11px ui-monospace,monospace;fill:#1c2b39;text-anchor:middle;dominant-baseline:central}"
    ".title{font-size:13px;text-anchor:start}.label{fill:#5a6b7b}rect{stroke:#ffffff}"
)


@dataclass(frozen=True, slots=True)
class GridCell:
    """A cell of a table: its ``text``, and ``shade``, an index that selects its color, modulo the number of
    colors.
    """

    text: str
    shade: int = 0


@dataclass(frozen=True, slots=True)
class LayoutGrid:
    """A table with a title, and names of rows and columns; ``cells`` are its rows from top to bottom."""

    title: str
    rows: Sequence[str]
    columns: Sequence[str]
    cells: Sequence[Sequence[GridCell]]

    def __str__(self) -> str:
        lines = [("", *self.columns), *((name, *(cell.text for cell in row)) for name, row in self._named())]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        texts = (
            "  ".join(text.rjust(width) for text, width in zip(line, widths, strict=True)) for line in lines
        )
        return "\n".join([self.title, *(text.rstrip() for text in texts)])

    def _named(self) -> list[tuple[str, Sequence[GridCell]]]:
        return list(zip(self.rows, self.cells, strict=True))


def grids(value: Value, most: int = MAX_CELLS) -> list[LayoutGrid]:
    """Return the tables of a layout, or of a conversion within warps; other values and conversions have none.
    Raises `DiagnosticError` if `cell_count` of the value is more than ``most``.
    """
    _limit(cell_count(value), most)
    match value:
        case Layout() | ComposedLayout():
            return [_offsets(value)]
        case LinearLayout():
            return [_tensor_view(value), _thread_view(value)]
        case RegisterMovement() if value.kind not in (ConversionKind.SHARED, ConversionKind.BLOCKS):
            return [_rounds(value)]
        case _:
            return []


def _limit(count: int, most: int) -> None:
    """Raise `DiagnosticError` for more cells than ``most``."""
    if count > most:
        hint = f"show a part: tables have at most {most} cells"
        raise failure(TOO_LARGE, f"the table of {count} cells is too large to be shown", hint=hint)


def cell_count(value: Value) -> int:
    """Return the number of table cells that show a layout or a conversion of registers; 0 for any other
    value. A conversion is counted also if it has no table, since elements move between warps.
    """
    match value:
        case Layout() | ComposedLayout():
            return value.size
        case LinearLayout():
            return value.size + (1 << len(value.columns))
        case RegisterMovement():
            return 1 << len(value.destination.columns)
        case _:
            return 0


def _offsets(layout: Layout | ComposedLayout) -> LayoutGrid:
    """Return a table of the offsets, with the first mode as rows and the other modes as columns."""
    modes = (layout.layout if isinstance(layout, ComposedLayout) else layout).modes
    rows = modes[0].size if modes else 1
    offsets = layout.offsets()
    cells = [[GridCell(str(offset), offset) for offset in offsets[row::rows]] for row in range(rows)]
    columns = [str(column) for column in range(len(offsets) // rows)]
    return LayoutGrid("offsets: mode 0 down, the others across", list(map(str, range(rows))), columns, cells)


def _tensor_view(layout: LinearLayout) -> LayoutGrid:
    """Return a table of the elements with their holders, ``thread:register``, and dimension 0 as rows. Of
    several holders it shows the first; an element without a holder is shown as ``-``.
    """
    holders: dict[int, GridCell] = {}
    threads = _threads(layout)
    for place, element in enumerate(layout.elements()):
        if element not in holders:
            thread, register = divmod(place, 1 << len(layout.register))
            holders[element] = GridCell(f"{threads[thread]}:{register}", thread)
    cells = by_rows([holders.get(element, GridCell("-")) for element in range(layout.size)], layout.shape)
    return LayoutGrid("tensor view: the holder of each element (thread:register)", *_counts(cells), cells)


def _thread_view(layout: LinearLayout) -> LayoutGrid:
    """Return a table of the registers, with the coordinates of their elements; a row is a thread."""
    names = [tree_text(layout.coordinates(element)) for element in range(layout.size)]
    elements, threads = layout.elements(), _threads(layout)
    count = 1 << len(layout.register)
    cells = [
        [GridCell(names[element], thread) for element in elements[thread * count : (thread + 1) * count]]
        for thread in range(len(threads))
    ]
    columns = [str(register) for register in range(count)]
    return LayoutGrid("thread view: coordinates by register", threads, columns, cells)


def _threads(layout: LinearLayout) -> list[str]:
    """Return the names of the threads of all blocks, in order, such as ``T5``, or ``B1:T5`` if there is more
    than one block. Threads count from 0 in each block.
    """
    threads = range(1 << len(layout.lane) + len(layout.warp))
    blocks = [f"B{block}:" if layout.block else "" for block in range(1 << len(layout.block))]
    return [f"{block}T{thread}" for block, thread in product(blocks, threads)]


def by_rows(cells: Sequence[GridCell], shape: Sequence[int]) -> list[Sequence[GridCell]]:
    """Return the cells of a tile, one for each element with dimension 0 fastest, as rows: a row for each
    index in dimension 0. A tile of rank 0 has one row.
    """
    rows = shape[0] if shape else 1
    return [cells[row::rows] for row in range(rows)]


def _counts(cells: Sequence[Sequence[GridCell]]) -> tuple[list[str], list[str]]:
    """Return the indices of the rows, and of the columns, of a table as their names."""
    return [str(row) for row in range(len(cells))], [str(column) for column in range(len(cells[0]))]


def bank_grids(
    memory: BitMatrix, shape: Sequence[int], width: int, most: int = MAX_CELLS
) -> list[LayoutGrid]:
    """Return two tables of a tile in shared memory: the bank of each element, and the elements by bank.

    ``memory`` maps the number of an element of ``width`` bits, in row-major order, to its offset in elements.
    Raises `DiagnosticError` if the tables have more cells than ``most``.
    """
    tile = LinearLayout(tuple(shape))
    _limit(2 * tile.size, most)
    places = [tile.coordinates(element) for element in range(tile.size)]
    offsets = [memory(tile.row_major(element)) for element in range(tile.size)]
    banks = [offset * width // BANK_BITS % BANKS for offset in offsets]
    cells = by_rows([GridCell(str(bank), bank // BANKS_OF_COLOR) for bank in banks], shape)
    held = dict(zip(offsets, places, strict=True))
    return [
        LayoutGrid("tensor view: the bank of each element", *_counts(cells), cells),
        _by_bank(held, width),
    ]


def _by_bank(held: Mapping[int, Sequence[int]], width: int) -> LayoutGrid:
    """Return a table of shared memory. It has a cell for each element of ``width`` bits, with the coordinates
    of the element, or ``-`` where `held` has none. A row holds the 128 bytes that all banks deliver at a
    time, but not more elements than `held` has. `held` maps offsets, in elements, to coordinates.
    """
    line = max(min(BANKS * BANK_BITS // width, len(held)), 1)
    starts = range(0, max(held, default=0) + 1, line)
    cells = [[_held_at(held, offset) for offset in range(start, start + line)] for start in starts]
    columns = [f"b{at * width // BANK_BITS}" for at in range(line)]
    rows = [f"byte {start * width // 8}" for start in starts]
    return LayoutGrid("memory view: coordinates by bank", rows, columns, cells)


def _held_at(held: Mapping[int, Sequence[int]], offset: int) -> GridCell:
    """Return the cell for an offset in memory: the coordinates of the element that ``held`` has there, or
    ``-``. Elements of one row of the tile have one color.
    """
    place = held.get(offset)
    return GridCell("-") if place is None else GridCell(tree_text(tuple(place)), place[0] if place else 0)


def _rounds(movement: RegisterMovement) -> LayoutGrid:
    """Return a table for warp 0 of a shuffle schedule: for each lane and step, the register that the lane
    fills, the lane that it reads from, and the register which that lane sends; ``-`` if the lane fills none.
    Raises `DiagnosticError` if elements move between warps.
    """
    steps = list(shuffle_steps(movement))
    cells = [[_exchange(step, lane) for step in steps] for lane in range(len(steps[0].reads))]
    title = "rounds of warp 0: register filled < lane:register read"
    rows = [f"T{lane}" for lane in range(len(cells))]
    return LayoutGrid(title, rows, [_name(at, step) for at, step in enumerate(steps)], cells)


def _name(at: int, step: ShuffleStep) -> str:
    if step.is_local:
        return f"{at}: own"
    return f"{at}: shuffle" if step.xor is None else f"{at}: xor {step.xor}"


def _exchange(step: ShuffleStep, lane: int) -> GridCell:
    sender, register = step.reads[lane], step.fills[lane]
    return (
        GridCell("-")
        if register is None
        else GridCell(f"{register} < T{sender}:{step.sends[sender]}", sender)
    )


def picture_of(value: Value) -> str | None:
    """Return an SVG picture of a layout, or of a conversion within warps. Return None for other values and
    conversions, and if there are more than `MAX_DRAWN` cells.
    """
    if cell_count(value) > MAX_DRAWN:
        return None
    tables = grids(value, MAX_DRAWN)
    return picture(tables) if tables else None


def picture(tables: Sequence[LayoutGrid]) -> str:
    """Return an SVG picture of tables, one below the other."""
    svg = ElementTree.Element("svg", xmlns="http://www.w3.org/2000/svg")
    ElementTree.SubElement(svg, "style").text = STYLE
    width = 0
    y = MARGIN
    for table in tables:
        right, y = _draw(svg, table, y)
        width = max(width, right)
    svg.set("viewBox", f"0 0 {width + MARGIN} {y}")
    svg.set("width", str(width + MARGIN))
    svg.set("height", str(y))
    ElementTree.indent(svg)
    return ElementTree.tostring(svg, encoding="unicode") + "\n"


def _draw(svg: ElementTree.Element, table: LayoutGrid, top: int) -> tuple[int, int]:
    """Draw a table whose upper edge is at ``top`` into `svg`; return its right edge and the top of the next
    table, in pixels.
    """
    texts = [*table.columns, *(cell.text for row in table.cells for cell in row)]
    step = CHARACTER * max(map(len, texts), default=1) + 10
    left = MARGIN + CHARACTER * max(map(len, table.rows), default=1) + 10
    _text(svg, MARGIN, top + TITLE // 2, table.title, "title")
    y = top + TITLE
    for at, name in enumerate(table.columns):
        _text(svg, left + at * step + step // 2, y + CELL // 2, name, "label")
    for name, row in zip(table.rows, table.cells, strict=True):
        y += CELL
        _text(svg, (MARGIN + left) // 2, y + CELL // 2, name, "label")
        for at, cell in enumerate(row):
            _box(svg, left + at * step, y, step, cell)
    return left + step * len(table.columns), y + CELL + MARGIN


def _text(svg: ElementTree.Element, x: int, y: int, text: str, kind: str) -> None:
    ElementTree.SubElement(svg, "text", {"x": str(x), "y": str(y), "class": kind}).text = text


def _box(svg: ElementTree.Element, x: int, y: int, width: int, cell: GridCell) -> None:
    place = {"x": str(x), "y": str(y), "width": str(width), "height": str(CELL)}
    ElementTree.SubElement(svg, "rect", {**place, "fill": COLORS[cell.shade % len(COLORS)]})
    _text(svg, x + width // 2, y + CELL // 2, cell.text, "cell")
