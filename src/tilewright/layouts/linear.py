"""Linear layouts: from the bits of (register, lane, warp, block) to the bits of the coordinates of an element.

Every extent is a power of two, so each of these bits moves an element by a fixed amount, and movements are combined by
xor.  Blocked layouts, the fragments of matrix instructions and swizzles are all of this kind.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from tilewright.ir.diagnostic import DiagnosticError, failure
from tilewright.layouts.bits import BitMatrix, XorBasis
from tilewright.layouts.codes import BAD_LAYOUT, NOT_LINEAR
from tilewright.layouts.layout import AnyLayout, ComposedLayout, Layout
from tilewright.layouts.trees import Swizzle, tree_text

LEVELS = ("register", "lane", "warp", "block")
"""The levels of a distributed tile, from the inside out."""
LANE_BITS = 5


@dataclass(frozen=True, slots=True)
class LinearLayout:
    """A tile distributed over threads. A set bit i of the register number adds ``register[i]`` to the number
    of the element, by xor; ``lane``, ``warp`` and ``block`` do the same for the numbers of lane, warp and
    block.

    Elements are numbered with dimension 0 fastest, as in CuTe. A register holds one element. Raises
    `DiagnosticError` unless extents are powers of two, and elements are in the tile.
    """

    shape: tuple[int, ...]
    register: tuple[int, ...] = ()
    lane: tuple[int, ...] = ()
    warp: tuple[int, ...] = ()
    block: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        for extent in self.shape:
            log2(extent)
        if any(not 0 <= column < self.size for column in self.columns):
            raise failure(BAD_LAYOUT, f"expected elements below {self.size}, got {self.columns}")

    @property
    def size(self) -> int:
        """Return the number of elements of the tile."""
        return prod(self.shape)

    @property
    def levels(self) -> dict[str, tuple[int, ...]]:
        """Return, for each level, the element offsets that the bits of its number add; offsets combine by
        xor.
        """
        return {level: getattr(self, level) for level in LEVELS}

    @property
    def columns(self) -> tuple[int, ...]:
        """Return the element offsets that the bits of the register, lane, warp and block number add.

        Offsets combine by xor.
        """
        return self.register + self.lane + self.warp + self.block

    @property
    def matrix(self) -> BitMatrix:
        """Return the map from a position (the bits of register, lane, warp and block, lowest first) to the
        number of its element.
        """
        return BitMatrix(self.columns, log2(self.size))

    def element(self, register: int, lane: int = 0, warp: int = 0, block: int = 0) -> int:
        """Return the number of the element that a register of a lane, warp and block holds."""
        found = 0
        for columns, number in zip(self.levels.values(), (register, lane, warp, block), strict=True):
            found ^= BitMatrix(columns, log2(self.size))(number)
        return found

    def elements(self) -> list[int]:
        """Return the number of the element at every position. Elements are numbered with dimension 0 fastest;
        among the positions, the register varies fastest, then lane, warp and block.
        """
        found = [0]
        for column in self.columns:
            found += [element ^ column for element in found]
        return found

    def coordinates(self, element: int) -> tuple[int, ...]:
        """Return the coordinates of an element, one for each dimension. ``element`` is its number, with
        dimension 0 fastest.
        """
        found: list[int] = []
        for extent in self.shape:
            found.append(element % extent)
            element //= extent
        return tuple(found)

    def row_major(self, element: int) -> int:
        """Convert the number of an element, with dimension 0 fastest, to its number in row-major order, with
        the last dimension fastest.
        """
        number = 0
        for place, extent in zip(self.coordinates(element), self.shape, strict=True):
            number = number * extent + place
        return number

    def number(self, coordinates: Sequence[int]) -> int:
        """Return the number of the element at `coordinates`, with dimension 0 fastest."""
        found = 0
        for extent, coordinate in zip(reversed(self.shape), reversed(coordinates), strict=True):
            found = found * extent + coordinate
        return found

    @property
    def is_onto(self) -> bool:
        """Return whether every element of the tile is held by some register."""
        return self.matrix.is_onto

    def duplicates(self) -> dict[str, int]:
        """Return, for each level, the mask of the bits of its number that only repeat elements: positions in
        which these bits are 0 hold every element exactly once. A store of the tile is predicated on them.
        """
        span = XorBasis()
        return {
            level: sum(1 << bit for bit, column in enumerate(columns) if span.add(column))
            for level, columns in self.levels.items()
        }

    def broadcast(self) -> dict[str, int]:
        """Return, for each level, the mask of the bits of its number that do not change the element: their
        column is zero.
        """
        return {
            level: sum(1 << bit for bit, column in enumerate(columns) if not column)
            for level, columns in self.levels.items()
        }


def log2(extent: int) -> int:
    """Return the logarithm of an extent to base 2. Raises `DiagnosticError` unless it is a power of two."""
    if extent < 1 or extent & (extent - 1):
        raise _not_linear(f"expected an extent that is a power of two, got {extent}")
    return extent.bit_length() - 1


def _not_linear(message: str) -> DiagnosticError:
    return failure(NOT_LINEAR, message, hint="layouts of other shapes are looked at offset by offset")


def bit_matrix(layout: AnyLayout) -> BitMatrix:
    """Return the map from the number of a coordinate, leftmost fastest, to the offset. Raises
    `DiagnosticError` unless the map is linear over xor: extents are powers of two, strides do not overlap in
    their bits, and a composed layout has the offset 0.
    """
    if isinstance(layout, ComposedLayout):
        inner = layout.inner
        if layout.offset:
            raise _not_linear(f"expected an offset of 0, got {layout.offset}")
        columns = bit_matrix(layout.layout).columns
        return _matrix(
            [inner(column) for column in columns]
            if isinstance(inner, Swizzle)
            else _offsets_of(inner, columns)
        )
    columns = tuple(step << bit for extent, step in layout.leaves for bit in range(log2(extent)))
    seen = 0
    for column in columns:
        if column < 0 or column & seen:
            raise _not_linear(f"expected strides whose multiples have no bit in common, got {layout}")
        seen |= column
    return _matrix(columns)


def _offsets_of(layout: Layout, columns: Sequence[int]) -> list[int]:
    """Return the offsets of coordinates, which are given as numbers, in a layout. Raises `DiagnosticError` if
    the layout is not linear, or a number is beyond its size.
    """
    matrix = bit_matrix(layout)
    if any(column >> len(matrix.columns) for column in columns):
        raise _not_linear(f"expected coordinates below {layout.size}, for {layout}")
    return [matrix(column) for column in columns]


def _matrix(columns: Sequence[int]) -> BitMatrix:
    return BitMatrix(tuple(columns), max((column.bit_length() for column in columns), default=0))


def linear_layout_of(layout: AnyLayout, shape: Sequence[int]) -> LinearLayout:
    """Return the linear layout of a CuTe layout whose first mode counts threads, and the second the values of
    each thread. Its offsets count the elements of a tile, dimension 0 fastest. Threads are lanes up to 32,
    beyond that warps. Raises `DiagnosticError` if it has other modes, or is not linear.
    """
    modes = (layout.layout if isinstance(layout, ComposedLayout) else layout).modes
    if len(modes) != 2:
        raise failure(BAD_LAYOUT, f"expected a layout of two modes, (thread, value), got {layout}")
    columns = bit_matrix(layout).columns
    threads = log2(modes[0].size)
    lanes = min(threads, LANE_BITS)
    return LinearLayout(tuple(shape), columns[threads:], columns[:lanes], columns[lanes:threads])


def blocked(
    shape: Sequence[int],
    registers: Sequence[int],
    lanes: Sequence[int],
    warps: Sequence[int],
    order: Sequence[int],
) -> LinearLayout:
    """Return a layout in which each thread holds a block of elements; the blocks of lanes are adjacent within
    a warp, and the blocks of warps within the tile. ``registers``, ``lanes`` and ``warps`` are extents by
    dimension; ``order`` lists the dimensions, the fastest first. If the tile is larger, further registers
    repeat the pattern; if it is smaller, several registers or threads hold the same element. Raises
    `DiagnosticError` unless there is an extent for each dimension, all are powers of two, and ``order`` is a
    permutation.
    """
    rank = len(shape)
    if sorted(order) != list(range(rank)) or {len(registers), len(lanes), len(warps)} != {rank}:
        words = (
            f"expected an extent for each dimension of {tree_text(tuple(shape))}, and an order of all of them"
        )
        raise failure(BAD_LAYOUT, words)
    steps = [prod(shape[:at]) for at in range(rank)]
    taken = [0] * rank

    def columns(dimension: int, count: int) -> list[int]:
        first = taken[dimension]
        taken[dimension] += count
        bits = range(first, first + count)
        return [steps[dimension] << bit if 1 << bit < shape[dimension] else 0 for bit in bits]

    inner, lane, warp = (
        [column for at in order for column in columns(at, log2(extents[at]))]
        for extents in (registers, lanes, warps)
    )
    rest = [column for at in order for column in columns(at, max(log2(shape[at]) - taken[at], 0))]
    return LinearLayout(tuple(shape), (*inner, *rest), tuple(lane), tuple(warp))
