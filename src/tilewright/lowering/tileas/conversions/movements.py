"""Computes how a layout conversion can move elements between threads, and its cost in instructions.

The source and the result are distributions of one tile over the threads. If every thread already holds its
elements, registers are renamed. If every warp does, lanes exchange them by shuffles, unless that takes more
instructions than shared memory. Instructions are counted for one thread.
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
from tilewright.layouts import linear, shuffles as layouts_shuffles, swizzles
from tilewright.layouts.layout import Layout
from tilewright.lowering.tileas.distribution import Distribution, bits_of, distribution_of

POINTER = 64
"""The width of a pointer in bits."""
WORD_BYTES = 4
"""The number of bytes that a shuffle moves."""
ACCESS_BYTES = 16
"""The maximum number of bytes that an access of shared memory moves."""
MEETING = 10
"""The instructions of a move through shared memory besides the accesses: two barriers, and the addresses of
both sides.

Fitted to machine code: for 60 random conversions on sm_80 this cost, with the accesses, predicts the
difference to shuffles within six instructions.
"""


def through(moves: Layout, layout: Layout) -> Layout:
    """Return the layout that maps a coordinate ``c`` to ``moves(layout(c))``. All extents are powers of two;
    bits are mapped one by one.
    """
    return Layout.flat([(2, moves(stride)) for stride in bits_of(layout)])


def kept_registers(
    held: Distribution, wanted: Distribution, moves: Layout, start: int = 0
) -> list[int] | None:
    """Return, for each register of `wanted`, the register of `held` in the same thread that has its element.
    None if a thread lacks an element, or the register is not the same in all threads. ``moves`` maps element
    numbers of the wanted tile to element numbers of the held tile; ``start`` is added to the latter.
    """
    if [moves(stride) for stride in bits_of(wanted.threads)] != bits_of(held.threads):
        return None
    registers = {offset: number for number, offset in enumerate(held.offsets)}
    found = [registers.get(start + moves(offset)) for offset in wanted.offsets]
    return [number for number in found if number is not None] if None not in found else None


@dataclass(frozen=True)
class ElementMovement:
    """A transfer of elements of ``size`` bytes from the threads that hold them to the threads that need them.

    ``held`` and ``wanted`` are the distributions before and after; both number the elements in the same way.
    """

    held: Distribution
    wanted: Distribution
    size: int

    @classmethod
    def of(cls, held: Distribution, target: Distribution, moves: Layout, size: int) -> ElementMovement:
        """Return the transfer of elements of ``size`` bytes from `held` to `target`. ``moves`` maps element
        numbers of the target tile to element numbers of the held tile.
        """
        return cls(held, Distribution(through(moves, target.threads), through(moves, target.registers)), size)

    @property
    def in_warps(self) -> layouts_shuffles.WarpExchange | None:
        """The shuffles that do the transfer. None if elements move between warps, or if ``held`` or
        ``wanted`` is no linear layout of the elements.
        """
        return _in_warps(self)

    @property
    def transfer(self) -> Transfer:
        """The cheapest kind of transfer: renaming registers if every thread has its elements, otherwise
        shuffles if they are possible and take no more instructions than shared memory, otherwise shared
        memory.
        """
        return _cheapest(self)

    @property
    def kept(self) -> list[int] | None:
        """For each wanted register, the register that already holds its element in the same thread; None if a
        thread lacks an element.
        """
        return kept_registers(self.held, self.wanted, Layout(self.held.last + 1, 1))

    @property
    def shuffle_instructions(self) -> int | None:
        """The number of shuffles and selects of the exchange within warps, for one thread, or None if there
        is no such exchange. Packing words is not counted: accesses of shared memory need it, too.
        """
        made = self.in_warps
        if made is None:
            return None
        return max(self.size // WORD_BYTES, 1) * sum(made.counts)

    @property
    def memory_instructions(self) -> int:
        """The number of instructions of the transfer through shared memory, for one thread. One access
        transfers several elements if they are in adjacent registers, and adjacent to each other, on both
        sides.
        """
        sides = [bits_of(side.registers) for side in (self.held, self.wanted)]
        vector_width = min(1 << len(swizzles.held_by_both(*sides)), max(ACCESS_BYTES // self.size, 1))
        return MEETING + sum(len({*side.offsets}) // vector_width for side in (self.held, self.wanted))


def conversion_of(op: ConvertLayoutOp) -> ElementMovement | None:
    """Return the transfer of a layout conversion; None unless source and result are distributed over
    registers.
    """
    held, wanted = distribution_of(op.source.type), distribution_of(op.result.type)
    if held is None or wanted is None:
        return None
    return ElementMovement(held, wanted, _size(op.source.type))


def view_of(op: ViewOp) -> ElementMovement | None:
    """Return the transfer of a view of a tile; None for a view of memory, or a tile that is not in registers."""
    held, wanted = distribution_of(op.source.type), distribution_of(op.result.type)
    if held is None or wanted is None:
        return None
    return ElementMovement.of(held, wanted, moves_of_view(op), _size(op.source.type))


def moves_of_view(op: ViewOp) -> Layout:
    """Return the layout that maps the row-major number of an element of the view to the number of the element
    of the tile.
    """
    shape = shape_of(op.result.type)
    strides = view_strides(op.layout) if op.layout is not None else row_major(shape)
    return moves_of(shape, strides)


@lru_cache(maxsize=1024)
def seen_from(shape: tuple[int, ...], moves: Layout, wanted: LinearLayoutAttr) -> LinearLayoutAttr | None:
    """Return the layout of a tile of the shape ``shape``, such that a view of the tile has the layout
    `wanted` without moving elements.

    ``moves`` maps the numbers of the view's elements to the tile's. None if the view omits some elements, or
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
    """Return the layout that maps the row-major number of an element of a tile of the shape `shape` to its
    offset under `strides`.
    """
    return Layout.flat(list(zip(shape, strides, strict=True))[::-1])


def _size(type: Type) -> int:
    """Return the size in bytes of a scalar type, or of an element of a tile: 8 for a pointer, 1 for an
    element of less than a byte.
    """
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
