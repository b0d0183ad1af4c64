"""The addresses of the tiles and rows of memory objects that accesses read or write, and which of their
elements exist.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tilewright.dialects.llvm.intrinsics.integer import UMinOp
from tilewright.dialects.nv_tileaa.constraints import shape_of
from tilewright.dialects.nv_tileaa.ops import pointer as tileaa_pointer, structure as tileaa_structure
from tilewright.dialects.nv_tileaa.types import TileMemRefType
from tilewright.dialects.nv_tileas import ops_memory as tileas_memory, types as tileas_types
from tilewright.dialects.nv_tileas.ops_tile import ViewOp
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import DYNAMIC
from tilewright.ir.value import Value
from tilewright.lowering.access_facts.positions import Position, PositionFacts
from tilewright.optimizer.analysis.intervals import Interval

ViewAccess = tileas_memory.TiledLoadOp | tileas_memory.TiledStoreOp | tileas_memory.TiledAtomicRmwOp
"""Accesses to a tile of a memory object."""
RowAccess = tileas_memory.GatherLoadOp | tileas_memory.ScatterStoreOp
"""Accesses to rows of a memory object at arbitrary indices: gathers and scatters."""
FARTHEST, UNSIGNED = 1 << 62, (1 << 64) - 1
"""An element index beyond all memory, and the largest unsigned number of 64 bits."""


@dataclass(frozen=True, slots=True)
class MemoryObject:
    """A strided array in memory. Its first element is ``offset`` elements after ``base``; ``sizes`` and
    ``strides`` are in elements.
    """

    base: Value
    offset: Position
    sizes: tuple[Position, ...]
    strides: tuple[Position, ...]
    element: Type


@dataclass(frozen=True, slots=True)
class TileOfMemory:
    """One tile of a memory object. Each tuple has one entry for each dimension of the tile.

    - ``starts``: the index of the tile's first element in the memory object; ``strides``: the distance
      between neighbouring elements, in elements; ``limits``: the number of elements from the start on that
      exist, an int if it is known.
    - ``offset``: the distance in elements from the first element of the memory object to the first element of
      the tile.
    - ``row``: the last dimension that is longer than 1; None if there is none.
    - ``required``: dimensions of extent 1 whose only element may not exist; if it does not, no element of the
      row exists.
    """

    memory: MemoryObject
    shape: tuple[int, ...]
    starts: tuple[Position, ...]
    strides: tuple[Position, ...]
    offset: Position
    limits: tuple[Position, ...]
    row: int | None
    required: tuple[int, ...]

    @property
    def edges(self) -> tuple[int, ...]:
        """Return the dimensions along which accesses are masked: those in which some elements may not exist.
        If there are ``required`` dimensions, they are left out, and the row is masked in any case: it has no
        elements if one of them has none.
        """
        found = [at for at, extent in enumerate(self.shape) if self.limits[at] != extent]
        if not self.required:
            return tuple(found)
        return tuple(
            at for at in range(len(self.shape)) if at == self.row or (at in found and at not in self.required)
        )

    @property
    def is_inside(self) -> bool:
        """Return whether all elements are known to exist, so that no mask is needed."""
        return not self.edges

    @property
    def row_stride(self) -> Position:
        """Return the distance of neighbouring elements of a row, in elements; 0 for tiles of one element."""
        return 0 if self.row is None else self.strides[self.row]


@dataclass(frozen=True, slots=True)
class RowsOfMemory:
    """Rows of a memory object at arbitrary indices of its first dimension; ``shape`` is the shape of the tile
    that they form. ``starts`` and ``limits`` describe the other dimensions: the index of the first element,
    and the number of elements from there on that exist.
    """

    memory: MemoryObject
    shape: tuple[int, ...]
    starts: tuple[Position, ...]
    limits: tuple[Position, ...]


def memory_object(positions: PositionFacts, source: Value) -> MemoryObject:
    """Return the memory object of the `make_memref` whose result `source` is, possibly through assumptions.
    Another `source` is a mistake in the compiler.
    """
    made = without_assumptions(source).owner
    assert isinstance(made, tileaa_structure.MakeMemrefOp), "legality was checked"
    type = made.result.type
    assert isinstance(type, TileMemRefType), "the operation was verified"
    sizes, strides = iter(made.sizes), iter(made.strides)
    return MemoryObject(
        made.base,
        0 if made.offset is None else positions.scalar(made.offset),
        tuple(_given(positions, extent, sizes) for extent in type.shape),
        tuple(_given(positions, stride, strides) for stride in type.strides),
        type.element_type,
    )


def _given(positions: PositionFacts, number: int, dynamic: Iterator[Value]) -> Position:
    return positions.scalar(next(dynamic)) if number == DYNAMIC else number


def tile_of_memory(positions: PositionFacts, op: ViewAccess) -> TileOfMemory:
    """Return the tile that an access reads or writes.

    The limits ignore the access's `in_bounds`: a false assumption must not cause a write past the end of an
    array.
    """
    view = view_of(op)
    memory = memory_object(positions, view.source)
    tile = tiles_of(view).shape
    dimensions = tiled_dimensions(view)
    starts = [
        positions.multiply(_beginning(positions, at, extent), extent)
        for at, extent in zip(op.coords, tile, strict=True)
    ]
    strides = tuple(memory.strides[dimension] for dimension in dimensions)
    offset: Position = 0
    for start, stride in zip(starts, strides, strict=True):
        offset = positions.add(offset, positions.multiply(start, stride))
    sizes = [memory.sizes[dimension] for dimension in dimensions]
    limits = _limits(positions, sizes, starts, tile)
    row = max((at for at, extent in enumerate(tile) if extent > 1), default=None)
    missing = [at for at, extent in enumerate(tile) if extent == 1 and limits[at] != 1]
    required = tuple(missing) if row is not None else ()
    return TileOfMemory(memory, tile, tuple(starts), strides, offset, limits, row, required)


def rows_of_memory(positions: PositionFacts, op: RowAccess) -> RowsOfMemory:
    """Return the rows that an operation gathers or scatters."""
    memory = memory_object(positions, op.base)
    starts = tuple(_beginning(positions, at) for at in op.offsets)
    shape = shape_of(op.value.type if isinstance(op, tileas_memory.ScatterStoreOp) else op.result.type)
    return RowsOfMemory(memory, shape, starts, _limits(positions, memory.sizes[1:], starts, shape[1:]))


def odd_rows(positions: PositionFacts, tile: TileOfMemory) -> tuple[Position, ...] | None:
    """Return the numbers that have to be even, and are not known to be, so that each row of a tile begins at
    an even element; None if one of them is known to be odd. Strides of 1 are left out.
    """
    begin = [positions.add(tile.memory.offset, tile.offset)]
    begin += [
        stride for stride, extent in zip(tile.strides, tile.shape, strict=True) if extent > 1 and stride != 1
    ]
    if any(isinstance(number, int) and number % 2 for number in begin):
        return None
    return tuple(number for number in begin if not positions.is_even(number))


def _beginning(positions: PositionFacts, index: Value, step: int = 1) -> Position:
    """Return the unsigned number `index`, which counts units of ``step`` elements, as a position.

    It is clamped to ``FARTHEST // step``, so that its product with ``step`` does not wrap around.
    """
    number, most = positions.scalar(index), FARTHEST // step
    if isinstance(number, int):
        return min(number & UNSIGNED, most)
    is_near = Interval(0, most).contains(positions.bounds(number))
    return number if is_near else positions.combine(UMinOp, number, most)


def _limits(
    positions: PositionFacts, sizes: Sequence[Position], starts: Sequence[Position], extents: Sequence[int]
) -> tuple[Position, ...]:
    """Return for each dimension the number of elements that exist in the range ``[start, start + extent)`` of
    a memory object of the given size: ``min(max(size - start, 0), extent)``.
    """
    return tuple(
        positions.minimum(positions.maximum(positions.subtract(size, start), 0), extent)
        for size, start, extent in zip(sizes, starts, extents, strict=True)
    )


# --- what the types say


def view_of(op: ViewAccess) -> ViewOp:
    """Return the operation that defines the view of an access: it divides a memory object into a grid of
    tiles.
    """
    made = without_assumptions(op.view).owner
    assert isinstance(made, ViewOp), "TileAS form was checked"
    return made


def without_assumptions(value: Value) -> Value:
    """Return the value that the `assume` operations which define `value` start from; `value` itself if there
    is none.
    """
    while isinstance(value.owner, tileaa_pointer.AssumeOp):
        value = value.owner.source
    return value


def tiles_of(view: ViewOp) -> tileas_types.TiledViewType:
    """Return the type of the result of `view`, which has the shape of its tiles."""
    type = view.result.type
    assert isinstance(type, tileas_types.TiledViewType), "accesses go to views of memory"
    return type


def memory_of(view: ViewOp) -> TileMemRefType:
    """Return the type of the memory object that `view` divides into tiles."""
    type = view.source.type
    assert isinstance(type, TileMemRefType), "accesses go to views of memory"
    return type


def tiled_dimensions(view: ViewOp) -> list[int]:
    """Return, for each dimension of a tile, the dimension of the memory object that it runs along: by default
    the one with the same number.
    """
    groups = view.dim_groups
    return list(range(len(tiles_of(view).shape))) if groups is None else [group[0] for group in groups]
