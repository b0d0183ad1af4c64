"""The vector width of tiles: how many neighbouring elements one thread holds, so that the accesses of a warp
are coalesced.

An access moves up to 16 bytes of a thread at once, if addresses and masks allow that. If a thread holds more
neighbours than one access moves, the lanes of an access are far apart in memory: it then needs more sectors
than its bytes fill.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from math import prod

from tilewright.dialects.nv_tileaa.attributes import MemSemantic
from tilewright.dialects.nv_tileaa.constraints import bits_in_memory, shape_of
from tilewright.dialects.nv_tileaa.ops.memory import AtomicCasOp, AtomicRmwOp
from tilewright.dialects.nv_tileas import attributes as tileas_attributes, ops_tile as tileas_tile
from tilewright.dialects.nv_tileas.ops_memory import LoadOp, StoreOp
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering.access_facts.neighbours import VectorWidthAnalysis
from tilewright.lowering.tileas.layout_rules import is_in_arrays, is_tile

SECTOR = 32
"""The size of a sector, the minimum number of bytes that memory delivers."""
WIDEST = 16
"""The maximum number of bytes that one thread accesses with one instruction."""
POINTER = 8
"""The size of a pointer in bytes."""
USUAL = tileas_attributes.ARRAY_VECTOR_WIDTH
"""The vector width of tiles that are neither loaded nor stored."""

AccessWidth = tuple[int, int]
"""The size of an element in bytes, and the maximum number of neighbouring elements in one access of a thread.
"""
VectorWidths = dict[int, int]
"""Maps the number of elements of a tile to its vector width."""


Accesses = Sequence[tuple[Value, AccessWidth]]
"""For each access, the tile that is loaded or stored, with the element size and the maximum vector width."""


def accesses_of(kernel: Operation, early: Container[Operation] = ()) -> Accesses:
    """Return the loads, stores and atomic updates of tiles in a kernel, in the order of the text. Only weak
    loads and stores can access several elements at once; the maximum vector width of the others is 1.
    The loads in `early` become asynchronous copies.
    """
    neighbours = VectorWidthAnalysis()
    found: list[tuple[Value, AccessWidth]] = []
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
            if isinstance(op, LoadOp) and op in early:
                count = max(count, neighbours.copied_by(op))
            found.append((tile, (size, count)))
    return found


def vector_widths_of(accesses: Accesses, threads: int) -> VectorWidths:
    """Return the best vector width for each number of elements of the tiles in `accesses`, for `threads`
    threads: all tiles with equally many elements get one width, at most their number of elements for each
    thread.
    """
    found: dict[int, list[AccessWidth]] = {}
    for tile, moved in accesses:
        found.setdefault(prod(shape_of(tile.type)), []).append(moved)
    return {elements: best(moved, max(elements // threads, 1)) for elements, moved in found.items()}


def best(accesses: Sequence[AccessWidth], most: int) -> int:
    """Return the vector width, a power of two up to ``most`` and `WIDEST` elements, at which the accesses
    transfer the fewest sectors, and then issue the fewest instructions, per element.
    """
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
    """Return `ARRAY_VECTOR_WIDTH`, the vector width of arrays in the memory of threads, by the number of
    elements of each tile that is extracted from such an array, or inserted into it.
    """
    found: VectorWidths = {}
    for op in kernel.walk():
        if isinstance(op, tileas_tile.ExtractSliceOp) and is_in_arrays(op.source.type):
            found[prod(shape_of(op.result.type))] = tileas_attributes.ARRAY_VECTOR_WIDTH
        elif isinstance(op, tileas_tile.InsertSliceOp) and is_in_arrays(op.result.type):
            found[prod(shape_of(op.source.type))] = tileas_attributes.ARRAY_VECTOR_WIDTH
    return found
