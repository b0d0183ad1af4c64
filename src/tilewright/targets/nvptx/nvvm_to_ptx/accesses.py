"""How values are loaded and stored: by as few accesses as their alignment allows.

The parts of a value are divided into words of at most the known alignment; small neighbours are merged to
words of 32 bits; equal neighbours become vectors of at most 16 bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tilewright.ptx.model import InstructionGuard, IntegerConstant, Name, Operand, Vector
from tilewright.targets.nvptx.nvvm_to_ptx.emitter import PtxFunctionEmitter
from tilewright.targets.nvptx.nvvm_to_ptx.legal import BY_BITS, RegisterSlot

WIDEST = 16
"""The size of the largest access in bytes."""


@dataclass(frozen=True, slots=True)
class MemoryCell:
    """A register of a value as it is in memory: its ``offset`` in bytes, its index ``part`` among the
    registers of the value, and its class and size (``slot``).
    """

    offset: int
    part: int
    slot: RegisterSlot


@dataclass(frozen=True, slots=True)
class AccessUnit:
    """One scalar access, or one element of a vector access: ``size`` bytes at ``offset``. They are the
    registers ``cells``; or, if ``piece`` is not None, piece number ``piece`` of a register that is larger
    than the access.
    """

    offset: int
    size: int
    cells: tuple[MemoryCell, ...]
    piece: int | None = None


def _known_alignment(alignment: int, offset: int) -> int:
    """Return the known alignment, a power of two in bytes, of the address `offset` bytes after an address
    with the alignment `alignment`.
    """
    return min(alignment, offset & -offset) if offset else alignment


def scalar_accesses(
    slots: Sequence[RegisterSlot], offsets: Sequence[int], alignment: int
) -> list[AccessUnit]:
    """Return the scalar accesses for the registers `slots` at `offsets` bytes from an address with
    `alignment`, in bytes, in the order of their addresses. Small neighbours share an access; a register with
    less alignment than its size takes several.
    """
    cells = [
        MemoryCell(offset, at, slot) for at, (offset, slot) in enumerate(zip(offsets, slots, strict=True))
    ]
    found: list[AccessUnit] = []
    at = 0
    while at < len(cells):
        cell = cells[at]
        known = _known_alignment(alignment, cell.offset)
        group = _group(cells, at, known)
        if cell.slot.size > known:
            found += _pieces(cell, known)
        else:
            found.append(AccessUnit(cell.offset, cell.slot.size * len(group), group))
        at += len(group)
    return found


def _pieces(cell: MemoryCell, size: int) -> list[AccessUnit]:
    return [AccessUnit(cell.offset + at * size, size, (cell,), at) for at in range(cell.slot.size // size)]


def _group(cells: Sequence[MemoryCell], at: int, known: int) -> tuple[MemoryCell, ...]:
    """Return the registers, from ``cells[at]`` on, that one access covers: two or four adjacent registers of
    at most 4 bytes together, else one. ``known`` is the alignment in bytes of the first.
    """
    first = cells[at]
    size = first.slot.size
    for count in (4, 2):
        group = tuple(cells[at : at + count])
        near = [cell.offset for cell in group] == [first.offset + number * size for number in range(count)]
        alike = near and all(cell.slot.size == size and cell.slot.bits > 1 for cell in group)
        if size * count <= min(4, known) and alike:
            return group
    return (first,)


def vectors(found: Sequence[AccessUnit], alignment: int, limit: int = WIDEST) -> list[Sequence[AccessUnit]]:
    """Return the accesses ``found`` in groups of four, two or one. Each group becomes a vector access of at
    most ``limit`` bytes: its members have one size, are adjacent, and the address has the alignment of the
    whole group. ``alignment`` is in bytes.
    """
    groups: list[Sequence[AccessUnit]] = []
    at = 0
    while at < len(found):
        count = next(
            count for count in (4, 2, 1) if _is_vector(found[at : at + count], count, alignment, limit)
        )
        groups.append(found[at : at + count])
        at += count
    return groups


def _is_vector(group: Sequence[AccessUnit], count: int, alignment: int, limit: int) -> bool:
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
    """Return the suffix of an access to `count` words of `size` bytes, for example ``v2.b32``."""
    vector = f"v{count}." if count > 1 else ""
    return f"{vector}b{8 * size}"


def loaded(emit: PtxFunctionEmitter, word: AccessUnit) -> Name:
    """Return a new register that is wide enough to load `word` into."""
    pool = word.cells[0].slot.register if len(word.cells) == 1 and word.piece is None else None
    if pool is None or pool.bits != max(8 * word.size, 16):
        pool = BY_BITS[max(8 * word.size, 16)]
    return emit.register(pool)


def parts_of(
    emit: PtxFunctionEmitter, slots: Sequence[RegisterSlot], read: Sequence[tuple[AccessUnit, Name]]
) -> list[Operand]:
    """Return the registers of a value, in the order of `slots`, computed from the accesses and the registers
    that they were loaded into.
    """
    parts: list[Operand] = [IntegerConstant(0)] * len(slots)
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


def _from_memory(emit: PtxFunctionEmitter, slot: RegisterSlot, value: Operand) -> Operand:
    if slot.bits > 1:
        return value
    bit = emit.compute("and.b16", value, IntegerConstant(1))
    return emit.compute("setp.ne.b16", bit, IntegerConstant(0))


def stored(emit: PtxFunctionEmitter, parts: Sequence[Operand], word: AccessUnit) -> Operand:
    """Return the operand that the access `word` has to store for a value with the registers `parts`."""
    values = [_to_memory(emit, cell.slot, parts[cell.part]) for cell in word.cells]
    if word.piece is not None:
        whole = word.cells[0].slot.size * 8
        return emit.split(values[0], whole, 8 * word.size)[word.piece]
    return emit.join(values, 8 * word.cells[0].slot.size)


def _to_memory(emit: PtxFunctionEmitter, slot: RegisterSlot, value: Operand) -> Operand:
    return emit.resized(value, 1, 8) if slot.bits == 1 else value


@dataclass(frozen=True, slots=True)
class AccessPredicate:
    """The predicate of an access. ``otherwise`` are the parts that a load returns if the predicate is false;
    stores do not use it.
    """

    guard: InstructionGuard
    otherwise: Sequence[Operand] = ()


def read(
    emit: PtxFunctionEmitter,
    head: str,
    base: Name,
    start: int,
    shape: tuple[Sequence[RegisterSlot], Sequence[int]],
    alignment: int,
    limit: int = WIDEST,
    condition: AccessPredicate | None = None,
) -> list[Operand]:
    """Emit loads of a value, and return its registers.

    ``head`` is the name of the instruction without vector and width, such as ``ld.global``. The registers and
    their offsets in bytes are ``shape``; the first byte is at ``base + start``, an address with ``alignment``
    in bytes. ``limit`` is the maximum size of a vector access in bytes. Under a condition, the registers are
    initialised with ``otherwise`` first; a load with a false predicate leaves them unchanged.
    """
    slots, offsets = shape
    found: list[tuple[AccessUnit, Name]] = []
    for group in vectors(scalar_accesses(slots, offsets, alignment), alignment, limit):
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


def put(emit: PtxFunctionEmitter, register: Name, word: AccessUnit, value: Operand) -> None:
    """Emit a move of `value` into `register`, which the access `word` is loaded into."""
    emit.emit(f"mov.b{max(8 * word.size, 16)}", register, value)


def write(
    emit: PtxFunctionEmitter,
    head: str,
    base: Name,
    start: int,
    shape: tuple[Sequence[RegisterSlot], Sequence[int]],
    parts: Sequence[Operand],
    alignment: int,
    limit: int = WIDEST,
    guard: InstructionGuard | None = None,
) -> None:
    """Emit stores of a value with the registers `parts`; with a ``guard``, only where it holds.

    ``head`` is the name of the instruction without vector and width, such as ``st.global``. The registers and
    their offsets in bytes are ``shape``; the first byte is at ``base + start``, an address with ``alignment``
    in bytes. ``limit`` is the maximum size of a vector access in bytes.
    """
    slots, offsets = shape
    for group in vectors(scalar_accesses(slots, offsets, alignment), alignment, limit):
        values = [stored(emit, parts, word) for word in group]
        source = Vector(tuple(values)) if len(group) > 1 else values[0]
        first = group[0]
        place = emit.at(base, start + first.offset)
        emit.emit(f"{head}.{spelling(len(group), first.size)}", place, source, guard=guard)
