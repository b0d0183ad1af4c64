"""The vector width of tiles: how many neighbouring elements one thread holds, so that the accesses of a warp
are coalesced.

An access moves up to 16 bytes of a thread at once, if addresses and masks allow that. If a thread holds more
neighbours than one access moves, the lanes of an access are far apart in memory: it then needs more sectors
than its bytes fill.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from tilewright.dialects.nv_tileaa.attributes import MemSemantic
from tilewright.dialects.nv_tileaa.constraints import bits_in_memory, shape_of
from tilewright.dialects.nv_tileaa.ops.memory import AtomicCasOp, AtomicRmwOp
from tilewright.dialects.nv_tileas import attributes as tileas_attributes, ops_tile as tileas_tile
from tilewright.dialects.nv_tileas.ops_memory import LoadOp, StoreOp
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering.access_facts.neighbours import Neighbours
from tilewright.lowering.tileas.layout_rules import is_in_arrays, is_tile

SECTOR = 32
"""The size of a sector, the minimum number of bytes that memory delivers."""
WIDEST = 16
"""The maximum number of bytes that an access of one thread moves."""
POINTER = 8
"""The size of a pointer in bytes."""
USUAL = tileas_attributes.DEALT
"""The vector width of tiles that no access moves."""

Moved = tuple[int, int]
"""The size of an element in bytes, and the number of neighbours that one access may move."""
VectorWidths = dict[int, int]
"""The vector width by the number of elements of a tile."""


Accesses = Sequence[tuple[Value, Moved]]
"""The tiles that accesses move, and the size and number of elements that one access of a thread may move."""


def accesses_of(kernel: Operation) -> Accesses:
    """Return the accesses of a kernel."""
    neighbours = Neighbours()
    found: list[tuple[Value, Moved]] = []
    for op in kernel.walk():
        if isinstance(op, LoadOp | AtomicRmwOp | AtomicCasOp):
            tile = op.result
        elif isinstance(op, StoreOp):
            tile = op.value
        else:
            continue
        if is_tile(tile):
            size = (bits_in_memory(tile.type) + 7) // 8 or POINTER
            is_weak = op.mem_semantic is MemSemantic.WEAK
            count = neighbours.moved_by(op) if isinstance(op, LoadOp | StoreOp) and is_weak else 1
            found.append((tile, (size, count)))
    return found


def vector_widths_of(accesses: Accesses, threads: int) -> VectorWidths:
    """Return the best vector widths for accesses; tiles with equally many elements have one width."""
    found: dict[int, list[Moved]] = {}
    for tile, moved in accesses:
        found.setdefault(prod(shape_of(tile.type)), []).append(moved)
    return {elements: best(moved, max(elements // threads, 1)) for elements, moved in found.items()}


def best(accesses: Sequence[Moved], most: int) -> int:
    """Return the vector width, up to ``most``, with the smallest number of sectors, then of instructions."""
    choices = [1 << bit for bit in range(min(most, WIDEST).bit_length())]

    def cost(vector_width: int) -> tuple[float, float]:
        sectors = requests = 0.0
        for size, neighbours in accesses:
            moved = min(neighbours, vector_width, max(WIDEST // size, 1))
            sectors += min(SECTOR, vector_width * size) / moved
            requests += 1 / moved
        return sectors, requests

    return min(choices, key=cost)


def slices_of_arrays(kernel: Operation) -> VectorWidths:
    """Return the vector width of slices of arrays (`DEALT`, the width of the arrays).

    The key is the number of elements of a tile that is extracted from, or inserted into, an array.
    """
    found: VectorWidths = {}
    for op in kernel.walk():
        if isinstance(op, tileas_tile.ExtractSliceOp) and is_in_arrays(op.source.type):
            found[prod(shape_of(op.result.type))] = tileas_attributes.DEALT
        elif isinstance(op, tileas_tile.InsertSliceOp) and is_in_arrays(op.result.type):
            found[prod(shape_of(op.source.type))] = tileas_attributes.DEALT
    return found
