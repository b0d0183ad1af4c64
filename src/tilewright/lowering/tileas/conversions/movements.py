"""How elements move from the threads that hold them to the threads that need them: the possible ways and their costs.

Both sides are distributions of one tile, whose elements have numbers. If every thread has its elements, registers are
renamed. If every warp has them, lanes exchange words by shuffles, if that takes fewer instructions than to go through
shared memory. Instructions are counted for one thread.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import prod

from tilewright.dialects.nv_tileaa.constraints import bits_in_memory, shape_of
from tilewright.dialects.nv_tileas.attributes import LinearLayoutAttr, Transfer, row_major, view_strides
from tilewright.dialects.nv_tileas.ops_tile import ConvertLayoutOp, ViewOp
from tilewright.ir.attribute import Type
from tilewright.layouts import linear, shared, shuffles as layouts_shuffles
from tilewright.layouts.layout import Layout
from tilewright.lowering.tileas.distribution import Distribution, bits_of, distribution_of

POINTER = 64
"""The width of a pointer in bits."""
WORD_BYTES = 4
"""The number of bytes that a shuffle moves."""
ACCESS_BYTES = 16
"""The maximum number of bytes that an access of shared memory moves."""
MEETING = 10
"""The cost of a move through shared memory, beside the accesses: two barriers, and the addresses of both sides, in
instructions.

Together with the accesses that is, for 60 random conversions on sm_80, what machine code has more or less than by shuffles,
give or take six instructions.
"""


def through(moves: Layout, layout: Layout) -> Layout:
    """Return the composition of a layout of powers of two with `moves`, bit by bit."""
    return Layout.flat([(2, moves(stride)) for stride in bits_of(layout)])


def kept_registers(
    held: Distribution, wanted: Distribution, moves: Layout, start: int = 0
) -> list[int] | None:
    """Return for each new register the register of the same thread that holds its element; None if some
    elements are in other threads. ``moves`` maps the numbers of new elements to numbers of old ones;
    ``start`` is added to them.
    """
    if [moves(stride) for stride in bits_of(wanted.threads)] != bits_of(held.threads):
        return None
    registers = {offset: number for number, offset in enumerate(held.offsets)}
    found = [registers.get(start + moves(offset)) for offset in wanted.offsets]
    return [number for number in found if number is not None] if None not in found else None


@dataclass(frozen=True)
class ElementMovement:
    """A movement of elements of ``size`` bytes from the threads of ``held`` to the threads of ``wanted``.

    Both use the same numbers of elements.
    """

    held: Distribution
    wanted: Distribution
    size: int

    @classmethod
    def of(cls, held: Distribution, target: Distribution, moves: Layout, size: int) -> ElementMovement:
        """Return the movement to a distribution; ``moves`` maps the numbers of new elements to numbers of old ones."""
        return cls(held, Distribution(through(moves, target.threads), through(moves, target.registers)), size)

    @property
    def in_warps(self) -> layouts_shuffles.WarpExchange | None:
        """Return the movement as an exchange between lanes of a warp; None if elements move between warps."""
        return _in_warps(self)

    @property
    def transfer(self) -> Transfer:
        """Return the cheapest transfer: renamed registers, shuffles, or shared memory."""
        return _cheapest(self)

    @property
    def kept(self) -> list[int] | None:
        """Return the register that holds the element of each wanted register in its thread; None if some are
        elsewhere.
        """
        return kept_registers(self.held, self.wanted, Layout(self.held.last + 1, 1))

    @property
    def shuffle_instructions(self) -> int | None:
        """Return the number of shuffles and selects of the exchange within warps; None if there is no such
        exchange. Packing words is not counted: accesses of shared memory need it, too.
        """
        made = self.in_warps
        if made is None:
            return None
        return max(self.size // WORD_BYTES, 1) * sum(made.counts)

    @property
    def memory_instructions(self) -> int:
        """Return the instructions of a move through shared memory: accesses move neighbours common to both sides."""
        sides = [bits_of(side.registers) for side in (self.held, self.wanted)]
        vector_width = min(1 << len(shared.held_by_both(*sides)), max(ACCESS_BYTES // self.size, 1))
        return MEETING + sum(len({*side.offsets}) // vector_width for side in (self.held, self.wanted))


def conversion_of(op: ConvertLayoutOp) -> ElementMovement | None:
    """Return the movement that a conversion makes; None for a tile that is in no registers."""
    held, wanted = distribution_of(op.source.type), distribution_of(op.result.type)
    if held is None or wanted is None:
        return None
    return ElementMovement(held, wanted, _size(op.source.type))


def view_of(op: ViewOp) -> ElementMovement | None:
    """Return the movement that a view of a tile makes; None for one of memory, or of a tile that is in no registers."""
    held, wanted = distribution_of(op.source.type), distribution_of(op.result.type)
    if held is None or wanted is None:
        return None
    return ElementMovement.of(held, wanted, moves_of_view(op), _size(op.source.type))


def moves_of_view(op: ViewOp) -> Layout:
    """Return the map from the numbers of a view's elements to the numbers of the tile's elements."""
    shape = shape_of(op.result.type)
    strides = view_strides(op.layout) if op.layout is not None else row_major(shape)
    return moves_of(shape, strides)


@lru_cache(maxsize=1024)
def seen_from(shape: tuple[int, ...], moves: Layout, wanted: LinearLayoutAttr) -> LinearLayoutAttr | None:
    """Return the layout of a tile whose view then has the layout `wanted`, so that no element moves.

    ``moves`` maps the numbers of the view's elements to the tile's. None if the view omits some of them, or
    repeats them in another way than along a dimension.
    """
    found = Distribution.of(wanted.layout)
    if found is None:
        return None
    registers = [stride for stride in map(moves, bits_of(found.registers)) if stride]
    threads = list(map(moves, bits_of(found.threads)))
    if sorted(filter(None, (*registers, *threads))) != [1 << bit for bit in range(linear.log2(prod(shape)))]:
        return None
    sides = (Layout.flat([(2, stride) for stride in side]) for side in (threads, registers))
    return LinearLayoutAttr.of(Distribution(*sides).over(shape))


def moves_of(shape: Sequence[int], strides: Sequence[int]) -> Layout:
    """Return the map from the row-major number of an element to its offset under `strides`."""
    return Layout.flat(list(zip(shape, strides, strict=True))[::-1])


def _size(type: Type) -> int:
    """Return the size of an element in bytes."""
    return max((bits_in_memory(type) or POINTER) // 8, 1)


@lru_cache(maxsize=1024)
def _in_warps(movement: ElementMovement) -> layouts_shuffles.WarpExchange | None:
    count = movement.held.last + 1
    sides = [side.in_order(count) for side in (movement.held, movement.wanted)]
    source, destination = sides
    if source is None or destination is None or not source.is_onto:
        return None
    return layouts_shuffles.WarpExchange.of(source, destination, max(WORD_BYTES // movement.size, 1))


@lru_cache(maxsize=1024)
def _cheapest(movement: ElementMovement) -> Transfer:
    if movement.kept is not None:
        return Transfer.REGISTERS
    shuffles = movement.shuffle_instructions
    if shuffles is not None and shuffles <= movement.memory_instructions:
        return Transfer.SHUFFLES
    return Transfer.SHARED
