"""Exchanges through shared memory as data: the arrangement of a tile between a store and a load, and the addresses of
both sides.

`tilewright.layouts.swizzles` chooses the arrangement: the vector width is as large as both sides allow, and
lanes of a warp do not access different words of one bank. Offsets are linear in the bits of thread and
register numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from tilewright.dialects.nv_tileas.attributes import Transfer
from tilewright.dialects.nv_tileas.ops_tile import ConvertLayoutOp, ViewOp
from tilewright.ir.attribute import Type
from tilewright.ir.operation import Operation
from tilewright.layouts.access import AccessLayout
from tilewright.layouts.bits import BitMatrix
from tilewright.layouts.linear import LinearLayout, log2
from tilewright.layouts.matrix_rows import MatrixRows, matrix_rows
from tilewright.layouts.swizzles import RoundTrip, round_trip
from tilewright.lowering.target_facts import target_of
from tilewright.lowering.tileas.conversions.movements import ElementMovement, conversion_of, view_of
from tilewright.lowering.tileas.distribution import Distribution, bits_of
from tilewright.lowering.upstream_to_llvm.patterns import enclosing_table
from tilewright.targets.elements.element_types import element_of, size_of
from tilewright.targets.nvptx.shared_memory import allocate


@lru_cache(maxsize=1024)
def store_to_load(store: Distribution, load: Distribution, width: int) -> RoundTrip:
    """Return the arrangement of the elements, of `width` bits each, that one side stores and the other loads.

    If a side omits elements or adds numbers with a carry, the elements are in the order of their numbers, and
    are accessed one at a time.
    """
    count = store.last + 1
    sides = [_linear(side, count) for side in (store, load)]
    if all(sides):
        found = round_trip(*(side for side in sides if side), width=width)
        while not all(_is_aligned(side, found) for side in (store, load)):
            found = RoundTrip(found.memory, found.vector // 2)
        return found
    return RoundTrip(BitMatrix.identity(log2(count)), 1)


@lru_cache(maxsize=1024)
def matrices(store: Distribution, load: Distribution, width: int) -> MatrixRows | None:
    """Return the arrangement of elements of `width` bits for a load of matrices (`ldmatrix`), with the
    matrices. Return None if a side is not linear, if the load is no load of matrices, or if a thread does not
    store whole vectors of the arrangement.
    """
    count = store.last + 1
    sides = [_linear(side, count) for side in (store, load)]
    found = matrix_rows(*(side for side in sides if side), width=width) if all(sides) else None
    return found if found is not None and _is_aligned(store, found.place) else None


def _linear(side: Distribution, count: int) -> LinearLayout | None:
    """Return a side as a linear layout of all `count` elements in order; None if it is not linear or omits
    elements.
    """
    found = side.in_order(count)
    return found if found is not None and found.is_onto else None


def _is_aligned(side: Distribution, place: RoundTrip) -> bool:
    """Return whether the registers of each thread in the distribution `side` fill whole vectors of the
    arrangement `place`.
    """
    offsets = {place.memory(offset) for offset in side.offsets}
    lines = {offset // place.vector for offset in offsets}
    threads = [place.memory(stride) for stride in bits_of(side.threads)]
    return len(offsets) == len(lines) * place.vector and not any(one % place.vector for one in threads)


@dataclass(frozen=True, slots=True)
class Exchange:
    """A tile that goes through shared memory: its distributions at the store and the load, and the
    arrangement ``place`` of its elements in memory.

    ``width`` is the size of an element in bits. ``rows`` are the loads of matrices by `ldmatrix`; None: each
    thread loads its own elements.
    """

    store: Distribution
    load: Distribution
    width: int
    place: RoundTrip
    rows: MatrixRows | None

    @classmethod
    def of(cls, store: Distribution, load: Distribution, width: int) -> Exchange:
        """Return the exchange of elements of `width` bits from the distribution `store` to the distribution
        `load`, with loads of matrices if possible.
        """
        rows = matrices(store, load, width)
        place = rows.place if rows is not None else store_to_load(store, load, width)
        return cls(store, load, width, place, rows)

    def conflicts(self) -> tuple[int, int] | None:
        """Return how often each phase of a store, and of a load, accesses the busiest bank (1: without a
        conflict); None if a side is not linear.
        """
        count = self.store.last + 1
        sides = [_linear(self.store, count), self.rows.named if self.rows else _linear(self.load, count)]
        found = [
            AccessLayout.of(side, self.place.memory, self.width).bank_conflicts(self.place.vector)
            for side in sides
            if side is not None
        ]
        return (found[0], found[1]) if len(found) == len(sides) else None


@dataclass(frozen=True)
class RegisterAddresses:
    """The addresses of the registers of a thread in shared memory: ``threads`` maps the thread number to an
    offset, to which the offset of a register is added by xor. ``vectors`` maps the offset of each vector
    access to the numbers of its elements, in the order of their addresses. Offsets are in elements.
    """

    threads: BitMatrix
    vectors: Mapping[int, Sequence[int]]
    """The element numbers of each vector access, in the order of their addresses, by the offset of its first
    element.
    """

    @classmethod
    def of(cls, side: Distribution, place: RoundTrip) -> RegisterAddresses:
        """Return the addresses for the distribution `side` of a tile in the arrangement `place`."""
        by_offset = {place.memory(offset): offset for offset in side.offsets}
        vectors: dict[int, list[int]] = {}
        for offset in sorted(by_offset):
            vectors.setdefault(offset - offset % place.vector, []).append(by_offset[offset])
        columns = tuple(place.memory(stride) for stride in bits_of(side.threads))
        return cls(BitMatrix(columns, place.memory.rows), vectors)


def through_memory(movement: ElementMovement) -> Exchange:
    """Return the exchange by which `exchanged` moves the elements of `movement` through shared memory, all at
    once.
    """
    return Exchange.of(movement.held, movement.wanted, 8 * movement.size)


def exchange_of(op: ViewOp | ConvertLayoutOp) -> Exchange | None:
    """Return the exchange of a whole tile through shared memory that the operation becomes. Return None if it
    moves no elements between threads, moves them in another way, or in several pieces because shared memory
    is too small.
    """
    movement = movement_of(op)
    if movement is None or (transfer_of(op) or movement.transfer) is not Transfer.SHARED:
        return None
    is_whole = pieces_of(op, number_of(movement.held), element_of(op.source.type)) == 1
    return through_memory(movement) if is_whole else None


def movement_of(op: ViewOp | ConvertLayoutOp) -> ElementMovement | None:
    """Return the movement of elements between threads; None for views of memory, or of tiles that are in no
    registers.
    """
    return conversion_of(op) if isinstance(op, ConvertLayoutOp) else view_of(op)


def transfer_of(op: ViewOp | ConvertLayoutOp) -> Transfer | None:
    """Return the way of transfer that a layout conversion states. Return None for a conversion that states
    none, and for views, which use the cheapest.
    """
    return op.transfer if isinstance(op, ConvertLayoutOp) else None


def pieces_of(op: Operation, count: int, element: Type) -> int:
    """Return the number of pieces, a power of two, in which `count` elements fit into shared memory; 1 if
    they fit together.
    """
    pieces = 1
    while count // pieces * size_of(element) > shared_memory(op):
        pieces *= 2
    return pieces


def number_of(held: Distribution) -> int:
    """Return the number of elements of a tile with the distribution `held`: one more than the highest element
    number.
    """
    return 1 + max(held.threads.cosize + held.registers.cosize - 2, 0)


def shared_memory(op: Operation) -> int:
    """Return the shared memory of a block in bytes, on the module's chip; 48 KiB if the module names no GPU.
    Raises `DiagnosticError` if the chip does not exist.
    """
    target = target_of(enclosing_table(op))
    return target.gpu.shared_memory if target is not None and target.gpu is not None else allocate.STATIC


def chip_name(op: Operation) -> str:
    """Return the name of the module's chip for messages; "a GPU" if the module has no target."""
    target = target_of(enclosing_table(op))
    return target.chip if target is not None else "a GPU"
