"""Tiles in shared memory whose fragments ``ldmatrix`` loads: 16 bytes of a row per lane, without bank conflicts.

Lane l names row l % 8 of matrix l / 8. Lanes that name rows are, to the banks, lanes that load 16 bytes each, so the
placement of the tile is found as for any round trip, between the storing layout and the layout in which lanes hold the
rows they name.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tilewright.layouts import access as layouts_access, swizzles
from tilewright.layouts.linear import LANE_BITS, LinearLayout

ROW_BITS = 3
"""The logarithm of the number of rows of a matrix: 2 ** 3."""
WORDS_OF_ROW = 2
"""The logarithm of the number of 32-bit words of a row: 2 ** 2."""
MATRIX_BITS = LANE_BITS - ROW_BITS
"""The logarithm of the maximum number of matrices that an instruction moves: 2 ** 2."""


@dataclass(frozen=True, slots=True)
class MatrixRows:
    """Loads of matrices by `ldmatrix` from a tile in shared memory, which is placed there as ``place``
    describes.

    ``named`` is the layout of row addresses over the lanes that pass them to the instruction. ``access`` has
    the number of matrices of an instruction. Of the registers of the fragments, the first ones count the
    elements of a word, the next ones the matrices of an instruction, and the rest the instructions; the rest
    are also the last registers of ``named``.
    """

    place: swizzles.RoundTrip
    named: LinearLayout
    access: layouts_access.MatrixAccess


def matrix_rows(store: LinearLayout, load: LinearLayout, width: int) -> MatrixRows | None:
    """Return the placement of a tile, with elements of ``width`` bits, stored in one layout and loaded by
    ``ldmatrix``. Return None if no thread of the storing layout has a row in its registers, or the fragments
    do not fit a matrix load.

    Raises `DiagnosticError` unless both layouts are of one tile and hold all of it, and the width is a power
    of two up to 128.
    """
    for named in _candidates(load, width):
        place = swizzles.round_trip(store, named, width)
        access = layouts_access.AccessLayout.of(load, place.memory, width).matrix_access()
        if access is not None and place.vector * width == 1 << layouts_access.VECTOR_BITS:
            return MatrixRows(place, named, access)
    return None


def _candidates(load: LinearLayout, width: int) -> Iterator[LinearLayout]:
    """Yield the layouts of row addresses to try for the layout ``load``: first four lanes hold the words of a
    row, then, for elements of 16 bits and ``.trans``, eight lanes hold its elements. Nothing is yielded if a
    warp has not 32 lanes, or a thread does not hold whole words.
    """
    packed = layouts_access.WORD_BITS - layouts_access.element_bits(width)
    if len(load.lane) != LANE_BITS or not 0 <= packed <= len(load.register):
        return
    word, others = load.register[:packed], load.register[packed:]
    matrices, rest = others[:MATRIX_BITS], others[MATRIX_BITS:]
    unused = (0,) * (MATRIX_BITS - len(matrices))
    within, across = load.lane[:WORDS_OF_ROW], load.lane[WORDS_OF_ROW:]
    yield LinearLayout(load.shape, (*word, *within, *rest), (*across, *matrices, *unused), load.warp)
    if packed == 1:
        yield LinearLayout(load.shape, (*across, *rest), (*word, *within, *matrices, *unused), load.warp)
