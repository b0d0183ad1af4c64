"""How values cross memory: as few accesses as their alignment allows.

The parts of a value are cut into words of at most the known alignment; small neighbours are put together to words of 32
bits; equal neighbours become vectors of at most 16 bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tilewright.ptx.model import Guard, Integer, Name, Operand, Vector
from tilewright.targets.nvptx.emission.emitter import FunctionEmitter
from tilewright.targets.nvptx.emission.legal import BY_BITS, Slot

WIDEST = 16
"""The bytes of the largest access."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A part of a value in memory."""

    offset: int
    part: int
    slot: Slot


@dataclass(frozen=True, slots=True)
class Word:
    """What is accessed at once: so many bytes that hold whole cells, or piece ``piece`` of a cell of more bytes."""

    offset: int
    size: int
    cells: tuple[Cell, ...]
    piece: int | None = None


def _known_alignment(alignment: int, offset: int) -> int:
    """What the address at an offset is a multiple of."""
    return min(alignment, offset & -offset) if offset else alignment


def words(slots: Sequence[Slot], offsets: Sequence[int], alignment: int) -> list[Word]:
    """The words of a value, in the order of their addresses."""
    cells = [Cell(offset, at, slot) for at, (offset, slot) in enumerate(zip(offsets, slots, strict=True))]
    found: list[Word] = []
    at = 0
    while at < len(cells):
        cell = cells[at]
        known = _known_alignment(alignment, cell.offset)
        group = _group(cells, at, known)
        if cell.slot.size > known:
            found += _pieces(cell, known)
        else:
            found.append(Word(cell.offset, cell.slot.size * len(group), group))
        at += len(group)
    return found


def _pieces(cell: Cell, size: int) -> list[Word]:
    return [Word(cell.offset + at * size, size, (cell,), at) for at in range(cell.slot.size // size)]


def _group(cells: Sequence[Cell], at: int, known: int) -> tuple[Cell, ...]:
    """The cells that are put into one word: two or four small neighbours, or one."""
    first = cells[at]
    size = first.slot.size
    for count in (4, 2):
        group = tuple(cells[at : at + count])
        near = [cell.offset for cell in group] == [first.offset + number * size for number in range(count)]
        alike = near and all(cell.slot.size == size and cell.slot.bits > 1 for cell in group)
        if size * count <= min(4, known) and alike:
            return group
    return (first,)


def vectors(found: Sequence[Word], alignment: int, limit: int = WIDEST) -> list[Sequence[Word]]:
    """Words by vectors of one, two or four."""
    groups: list[Sequence[Word]] = []
    at = 0
    while at < len(found):
        count = next(
            count for count in (4, 2, 1) if _is_vector(found[at : at + count], count, alignment, limit)
        )
        groups.append(found[at : at + count])
        at += count
    return groups


def _is_vector(group: Sequence[Word], count: int, alignment: int, limit: int) -> bool:
    if count == 1:
        return True
    first, size = group[0], group[0].size
    total = size * count
    places = [first.offset + number * size for number in range(count)]
    return (
        [word.offset for word in group] == places
        and all(word.size == size for word in group)
        and total <= min(limit, _known_alignment(alignment, first.offset))
    )


def spelling(count: int, size: int) -> str:
    """The end of the name of an access to so many words of so many bytes."""
    vector = f"v{count}." if count > 1 else ""
    return f"{vector}b{8 * size}"


def loaded(emit: FunctionEmitter, word: Word) -> Name:
    """A new register for a word."""
    pool = word.cells[0].slot.register if len(word.cells) == 1 and word.piece is None else None
    if pool is None or pool.bits != max(8 * word.size, 16):
        pool = BY_BITS[max(8 * word.size, 16)]
    return emit.register(pool)


def parts_of(
    emit: FunctionEmitter, slots: Sequence[Slot], read: Sequence[tuple[Word, Name]]
) -> list[Operand]:
    """The parts of a value from the words that were read."""
    parts: list[Operand] = [Integer(0)] * len(slots)
    pieces: dict[int, list[Operand]] = {}
    for word, register in read:
        if word.piece is not None:
            pieces.setdefault(word.cells[0].part, []).append(register)
            continue
        size = word.cells[0].slot.size * 8
        for cell, value in zip(word.cells, emit.split(register, word.size * 8, size), strict=True):
            parts[cell.part] = _from_memory(emit, cell.slot, value)
    for part, found in pieces.items():
        parts[part] = emit.join(found, 8 * slots[part].size // len(found))
    return parts


def _from_memory(emit: FunctionEmitter, slot: Slot, value: Operand) -> Operand:
    if slot.bits > 1:
        return value
    bit = emit.compute("and.b16", value, Integer(1))
    return emit.compute("setp.ne.b16", bit, Integer(0))


def stored(emit: FunctionEmitter, parts: Sequence[Operand], word: Word) -> Operand:
    """What is written as a word."""
    values = [_to_memory(emit, cell.slot, parts[cell.part]) for cell in word.cells]
    if word.piece is not None:
        whole = word.cells[0].slot.size * 8
        return emit.split(values[0], whole, 8 * word.size)[word.piece]
    return emit.join(values, 8 * word.cells[0].slot.size)


def _to_memory(emit: FunctionEmitter, slot: Slot, value: Operand) -> Operand:
    return emit.resized(value, 1, 8) if slot.bits == 1 else value


@dataclass(frozen=True, slots=True)
class Condition:
    """The predicate of an access, and the parts of the value that a load gives where the predicate does not hold."""

    guard: Guard
    otherwise: Sequence[Operand] = ()


def read(
    emit: FunctionEmitter,
    head: str,
    base: Name,
    start: int,
    shape: tuple[Sequence[Slot], Sequence[int]],
    alignment: int,
    limit: int = WIDEST,
    condition: Condition | None = None,
) -> list[Operand]:
    """Load a value of so many slots at such offsets; ``head`` is the name of the instruction up to the vector.

    What is read under a condition is in its registers before, so that the load may leave them as they are.
    """
    slots, offsets = shape
    found: list[tuple[Word, Name]] = []
    for group in vectors(words(slots, offsets, alignment), alignment, limit):
        registers = [loaded(emit, word) for word in group]
        target = Vector(tuple(registers)) if len(group) > 1 else registers[0]
        first = group[0]
        if condition is not None:
            for word, register in zip(group, registers, strict=True):
                put(emit, register, word, stored(emit, condition.otherwise, word))
        place, guard = emit.at(base, start + first.offset), condition.guard if condition else None
        emit.emit(f"{head}.{spelling(len(group), first.size)}", target, place, guard=guard)
        found += zip(group, registers, strict=True)
    return parts_of(emit, slots, found)


def put(emit: FunctionEmitter, register: Name, word: Word, value: Operand) -> None:
    """Move a word into the register that it is loaded to."""
    emit.emit(f"mov.b{max(8 * word.size, 16)}", register, value)


def write(
    emit: FunctionEmitter,
    head: str,
    base: Name,
    start: int,
    shape: tuple[Sequence[Slot], Sequence[int]],
    parts: Sequence[Operand],
    alignment: int,
    limit: int = WIDEST,
    guard: Guard | None = None,
) -> None:
    """Store a value; see `read`."""
    slots, offsets = shape
    for group in vectors(words(slots, offsets, alignment), alignment, limit):
        values = [stored(emit, parts, word) for word in group]
        source = Vector(tuple(values)) if len(group) > 1 else values[0]
        first = group[0]
        place = emit.at(base, start + first.offset)
        emit.emit(f"{head}.{spelling(len(group), first.size)}", place, source, guard=guard)
