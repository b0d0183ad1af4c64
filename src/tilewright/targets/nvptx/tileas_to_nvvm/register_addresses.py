"""Tiles in shared memory between a store and a load: the arrangement of the elements, and the accesses of
both sides.

`tilewright.layouts.swizzles` chooses the arrangement: the vector width is as large as both sides allow, and
lanes of a warp do not access different words of one bank. Offsets are linear in the bits of thread and
register numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from tilewright.dialects.llvm.ops import arithmetic as llvm
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import i32
from tilewright.ir.value import Value
from tilewright.layouts.access import AccessLayout
from tilewright.layouts.bits import BitMatrix
from tilewright.layouts.layout import Layout
from tilewright.layouts.linear import LinearLayout, log2
from tilewright.layouts.matrix_rows import MatrixRows, matrix_rows
from tilewright.layouts.swizzles import RoundTrip, round_trip
from tilewright.lowering.tileas.distribution import Distribution, bits_of
from tilewright.targets.elements.element_types import size_of
from tilewright.targets.nvptx.tileas_to_nvvm.accesses import guarded, is_first_holder
from tilewright.targets.nvptx.tileas_to_nvvm.code import PatternCode, stored_type
from tilewright.targets.nvptx.tileas_to_nvvm.pattern import Registers


@lru_cache(maxsize=1024)
def store_to_load(store: Distribution, load: Distribution, width: int) -> RoundTrip:
    """Return the arrangement of the elements, of `width` bits each, that one side stores and the other loads.

    A side that omits elements, or adds numbers with a carry, keeps the elements in order.
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
    """Return the arrangement for loads of matrices (`ldmatrix`); None if the load cannot be one."""
    count = store.last + 1
    sides = [_linear(side, count) for side in (store, load)]
    found = matrix_rows(*(side for side in sides if side), width=width) if all(sides) else None
    return found if found is not None and _is_aligned(store, found.place) else None


def _linear(side: Distribution, count: int) -> LinearLayout | None:
    """Return a side as a linear layout of all elements in order; None if it is not linear."""
    found = side.in_order(count)
    return found if found is not None and found.is_onto else None


def _is_aligned(side: Distribution, place: RoundTrip) -> bool:
    """Return whether the registers of a thread fill whole vectors."""
    offsets = {place.memory(offset) for offset in side.offsets}
    lines = {offset // place.vector for offset in offsets}
    threads = [place.memory(stride) for stride in bits_of(side.threads)]
    return len(offsets) == len(lines) * place.vector and not any(one % place.vector for one in threads)


@dataclass(frozen=True, slots=True)
class Exchange:
    """A tile that goes through shared memory: its distributions at the store and the load, and the
    arrangement of its elements.

    ``width`` is the size of an element in bits. ``rows`` are the loads of matrices, or None.
    """

    store: Distribution
    load: Distribution
    width: int
    place: RoundTrip
    rows: MatrixRows | None

    @classmethod
    def of(cls, store: Distribution, load: Distribution, width: int) -> Exchange:
        """Return the exchange between two sides, with loads of matrices if possible."""
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
    offset, to which the offset of a register is added by xor.
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


def addresses_of(
    code: PatternCode, base: Value, places: RegisterAddresses, element: Type
) -> Callable[[int], Value]:
    """Return a function from the offset of a register (a key of `RegisterAddresses.vectors`) to its address
    in this thread.

    The offset is combined with the thread's own offset by xor, which equals a sum where the bits are
    disjoint.
    """
    stored = stored_type(element)
    own = code.mapped(places.threads, code.thread())
    meeting = 0
    for column in places.threads.columns:
        meeting |= column
    known: dict[int, Value] = {}

    def address(offset: int) -> Value:
        part = offset & meeting
        if part not in known:
            turned = code(llvm.XOrOp, own, code.integer(part, i32)) if part else own
            known[part] = code.pointer(base, turned, stored)
        return code.pointer(known[part], offset - part, stored)

    return address


def write_placed(
    code: PatternCode, base: Value, place: RoundTrip, held: Distribution, values: Registers, element: Type
) -> None:
    """Write the registers of a tile, which `held` distributes, to shared memory at `base` in the arrangement
    `place`. The first thread that holds an element writes it.
    """
    places = RegisterAddresses.of(held, place)
    registers = dict(zip(held.offsets, values, strict=True))

    def write() -> Sequence[Value]:
        address = addresses_of(code, base, places, element)
        for offset, elements in places.vectors.items():
            row = [registers[number] for number in elements]
            code.write_all(row, address(offset), element, len(row) * size_of(element))
        return []

    guarded(code, is_first_holder(code, held.threads), [], write)


def read_matrices(
    code: PatternCode, base: Value, rows: MatrixRows, wanted: Distribution, element: Type
) -> Registers:
    """Read the elements that `wanted` gives this thread from shared memory at `base` by `ldmatrix`; each lane
    passes the address of a row.
    """
    named, access = Distribution.of(rows.named), rows.access
    assert named is not None, "the rows have element numbers"
    places = RegisterAddresses.of(named, rows.place)
    address = addresses_of(code, base, places, element)
    within = log2(4 // size_of(element))
    bits = bits_of(wanted.registers)
    in_word = Layout.flat([(2, bit) for bit in bits[:within]]).offsets()
    of_matrix = Layout.flat([(2, bit) for bit in bits[within : within + log2(access.matrices)]]).offsets()
    found: dict[int, Value] = {}
    for offset, row in places.vectors.items():
        loaded = code.read_matrices(address(offset), element, access.matrices, transposed=access.transposed)
        for matrix, values in zip(of_matrix, loaded, strict=True):
            found.update(zip((row[0] + matrix + at for at in in_word), values, strict=True))
    return [found[offset] for offset in wanted.offsets]


def read_placed(
    code: PatternCode, base: Value, place: RoundTrip, wanted: Distribution, element: Type
) -> Registers:
    """Read the elements that `wanted` gives this thread from shared memory at `base`, where they are in the
    arrangement `place`. An element in several registers is read once.
    """
    places = RegisterAddresses.of(wanted, place)
    address = addresses_of(code, base, places, element)
    found: dict[int, Value] = {}
    for offset, elements in places.vectors.items():
        row = code.read_all(address(offset), element, len(elements), len(elements) * size_of(element))
        found.update(zip(elements, row, strict=True))
    return [found[offset] for offset in wanted.offsets]
