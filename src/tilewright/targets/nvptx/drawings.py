"""The drawings of a kernel: layouts of its tiles, arrangements in shared memory, fragments of its matrix
instructions.

`tilewright layout` prints and draws them, and so does the explorer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import Enum
from functools import partial

from tilewright.dialects.nv_tileas.ops_tile import ConvertLayoutOp, DotOp, ViewOp
from tilewright.ir.operation import Operation
from tilewright.layouts.description import holders
from tilewright.layouts.fragments import mma_fragment
from tilewright.layouts.grids import LayoutGrid, bank_grids, cell_count, grids
from tilewright.layouts.linear import LinearLayout
from tilewright.layouts.linear_text import linear_text
from tilewright.layouts.swizzles import notation
from tilewright.lowering.tileas import encodings as tileas_encodings, matrix_layouts
from tilewright.lowering.tileas.placements import Placement, placements
from tilewright.targets.nvptx import exchanges


class DrawingKind(Enum):
    """The subject of a layout drawing: a tile in registers, a tile in shared memory, or a fragment of a matrix
    product.
    """

    REGISTERS = "registers"
    SHARED = "shared memory"
    FRAGMENT = "fragment"


@dataclass(frozen=True)
class LayoutDrawing:
    """A layout that can be drawn: ``text`` in its notation, ``words`` as a description, and tables, which are
    made when they are needed.

    ``tables`` takes the maximum number of cells, and raises `DiagnosticError` if the tables have more.
    ``cells`` is the number of cells of the tables. ``values`` are the values with the layout; for shared
    memory and fragments, the results of the operations that use it.
    """

    kind: DrawingKind
    text: str
    words: str
    cells: int
    tables: Callable[[int], list[LayoutGrid]]
    values: tuple[Placement, ...]


def drawings(module: Operation) -> list[LayoutDrawing]:
    """Return the drawings of a module of the stage `layouts`: tiles in registers, then shared memory, then
    fragments.

    Equal drawings are merged; a drawing lists all its values.
    """
    values = list(placements(module))
    found: dict[tuple[DrawingKind, str, str], LayoutDrawing] = {}
    for make in (_registers, _exchanges, _fragments):
        for value in values:
            for one in make(value):
                key = one.kind, one.text, one.words
                known = found.get(key)
                found[key] = one if known is None else replace(known, values=(*known.values, value))
    return list(found.values())


def _registers(value: Placement) -> Iterator[LayoutDrawing]:
    """Yield one drawing, for every `value`: a tile's distribution over registers and threads."""
    yield _of_layout(DrawingKind.REGISTERS, linear_text(value.layout), value.layout, value)


def _fragments(value: Placement) -> Iterator[LayoutDrawing]:
    """Yield the drawings of the operand fragments of the matrix instruction that a product becomes; nothing
    if `value` is no result of such a product.
    """
    atom = matrix_layouts.atom_of(value.owner) if isinstance(value.owner, DotOp) else None
    if atom is None:
        return
    shape = atom.instruction.shape
    for operand, type in (("A", atom.a), ("B", atom.b), ("C", atom.sum)):
        text = f"mma.{atom.instruction.ptx_shape}.{operand}.{type}"
        yield _of_layout(DrawingKind.FRAGMENT, text, mma_fragment(shape, operand, type), value)


def _of_layout(kind: DrawingKind, text: str, layout: LinearLayout, value: Placement) -> LayoutDrawing:
    cells = cell_count(layout)
    return LayoutDrawing(kind, text, holders(layout), cells, partial(grids, layout), (value,))


def _exchanges(value: Placement) -> Iterator[LayoutDrawing]:
    """Yield the drawing of the arrangement of a tile in shared memory during an exchange between threads;
    nothing if the operation of `value` makes no such exchange.
    """
    op = value.owner
    made = exchanges.exchange_of(op) if isinstance(op, ViewOp | ConvertLayoutOp) else None
    if made is None or not isinstance(op, ViewOp | ConvertLayoutOp):
        return
    shape = tileas_encodings.tile_type(op.source).shape
    place = notation(made.place.memory, shape)
    columns = ", ".join(map(str, made.place.memory.columns))
    text = str(place) if place is not None else f"offsets of the bits: {columns}"
    tables = partial(bank_grids, made.place.memory, shape, made.width)
    yield LayoutDrawing(
        DrawingKind.SHARED, text, _movement(made), 2 * (made.store.last + 1), tables, (value,)
    )


def _movement(made: exchanges.Exchange) -> str:
    """Return a description of an exchange through shared memory, such as ``elements of 16 bits, stored 4 at a
    time, loaded by ldmatrix.x4; bank conflicts: none of the store, 2-way of the load``.
    """
    words = f"elements of {made.width} bits, stored {made.place.vector} at a time"
    if made.rows is not None:
        access = made.rows.access
        words += f", loaded by ldmatrix.x{access.matrices}{'.trans' if access.transposed else ''}"
    else:
        words += f", loaded {made.place.vector} at a time"
    counts = made.conflicts()
    if counts is None:
        return f"{words}; the elements are in order"
    return f"{words}; bank conflicts: {_times(counts[0])} of the store, {_times(counts[1])} of the load"


def _times(count: int) -> str:
    """Return a description of an access that takes `count` passes because of bank conflicts: ``none`` for 1,
    otherwise such as ``4-way``.
    """
    return "none" if count == 1 else f"{count}-way"
