"""Packed elements of four bits in memory of the program: two share a byte, the first in the low bits.

An address names a byte, so elements are given by the number of elements before them. Rows that begin at a
whole byte are loaded and stored as bytes. Elsewhere a lane is half of a byte. The other half may belong to
another tile block, so stores preserve it by atomic operations. Tiles in scratch memory have a byte for each
element.
"""

from __future__ import annotations

from dataclasses import dataclass

from tilewright.dialects.llvm.enums import AtomicBinaryOperation, AtomicOrdering
from tilewright.dialects.llvm.ops import arithmetic as llvm, conversion as llvm_conversion
from tilewright.dialects.llvm.ops.memory import AtomicRMWOp, GEPOp
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import VectorType, i8
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering.llvm_types.element_forms import PACKED_BITS as BITS
from tilewright.targets.cpu.memory import buffer
from tilewright.targets.elements import atomics, lanes as elements_lanes
from tilewright.targets.llvm.code import DYNAMIC, POINTER, Index, LlvmBuilder

LOW = (1 << BITS) - 1
"""The bits of the first element of a byte."""


@dataclass(frozen=True, slots=True)
class PackedLanes:
    """Lanes of packed elements in memory: the addresses of their bytes, and the numbers of their lowest bits
    in the bytes, 0 or 4; vectors, or scalars for one lane.
    """

    addresses: Value
    shifts: Value


def halves(code: LlvmBuilder, base: Value, offsets: Value) -> PackedLanes:
    """Return the halves that lie ``offsets`` (64 bits) elements after the byte `base`."""
    bytes_ = code(llvm.AShrOp, offsets, code.integer(1, offsets.type))
    kind = VectorType(offsets.type.shape, POINTER) if isinstance(offsets.type, VectorType) else POINTER
    addresses = code(GEPOp, base, (DYNAMIC,), i8, (bytes_,), type=kind)
    odd = code(llvm.AndOp, offsets, code.integer(1, offsets.type))
    narrow = VectorType(offsets.type.shape, i8) if isinstance(offsets.type, VectorType) else i8
    shifts = code(llvm.ShlOp, code(llvm_conversion.TruncOp, odd, type=narrow), code.integer(2, narrow))
    return PackedLanes(addresses, shifts)


def low_bits(code: LlvmBuilder, held: Value, shifts: Value) -> Value:
    """Return the elements in the bytes `held`: the four bits from bit number `shifts` on."""
    return code(llvm.AndOp, code(llvm.LShrOp, held, shifts), code.integer(LOW, held.type))


# --- halves of bytes


def load_one(code: LlvmBuilder, at: PackedLanes, element: Type) -> Value:
    """Load the packed element at `at`, half of a byte, and return it in its register type."""
    return buffer.from_memory(code, low_bits(code, code.load(at.addresses, i8, 1), at.shifts), element)


def load_each(
    code: LlvmBuilder, at: PackedLanes, element: Type, lanes: int, mask: Value, other: Value
) -> Value:
    """Load the `lanes` elements at `at`, at arbitrary addresses, with ``other`` where the mask is false.
    Return a vector of the register type.
    """
    held = buffer.gather(code, at.addresses, i8, lanes, mask, code.integer(0, i8))
    found = low_bits(code, held, at.shifts)
    default = buffer.spread(code, buffer.to_memory(code, other, element), lanes)
    default = default if isinstance(default.type, VectorType) else code.broadcast(default, 1)
    return buffer.from_memory(code, code(llvm.SelectOp, mask, found, default, type=found.type), element)


def store_each(
    code: LlvmBuilder, at: PackedLanes, element: Type, value: Value, lanes: int, mask: Value | None
) -> None:
    """Store `value`, a vector or a scalar for all lanes, to the elements at `at`, one lane after the other.
    The other half of each byte is preserved. Lanes whose mask is false go to a byte that is never read (None:
    all lanes are stored).
    """
    held = buffer.spread(code, buffer.to_memory(code, value, element), lanes)
    at = at if mask is None else where(code, at, mask)
    for lane in range(lanes):
        place, shift, bits = (
            buffer.extract(code, vector, lane) for vector in (at.addresses, at.shifts, held)
        )
        store_one(code, PackedLanes(place, shift), bits)


def where(code: LlvmBuilder, at: PackedLanes, mask: Value) -> PackedLanes:
    """Return the lanes `at` with the address of an unused byte on the stack where the mask is false."""
    nowhere = code.stack(1, i8, 1)
    kind = at.addresses.type
    elsewhere = code.broadcast(nowhere, kind.shape[0]) if isinstance(kind, VectorType) else nowhere
    return PackedLanes(code(llvm.SelectOp, mask, at.addresses, elsewhere, type=kind), at.shifts)


def store_one(code: LlvmBuilder, at: PackedLanes, bits: Value) -> None:
    """Store one element, in the low bits of the byte `bits`. Other threads never see a change of the other
    half of its byte; they may see this half as zero in between.
    """
    kept = code(llvm.LShrOp, code.integer(-1 << BITS, i8), at.shifts)
    for mode, operand in (
        (AtomicBinaryOperation.AND, kept),
        (AtomicBinaryOperation.OR, code(llvm.ShlOp, bits, at.shifts)),
    ):
        code(AtomicRMWOp, mode, at.addresses, operand, AtomicOrdering.MONOTONIC, alignment=1)


def exchange_one(code: LlvmBuilder, at: PackedLanes, bits: Value, order: atomics.AtomicAccessOrder) -> None:
    """Store one element, given as a byte, by an atomic compare-and-swap loop of the memory order `order`,
    which is repeated until no other thread intervenes. The other half of the byte stays.
    """
    kept = code(llvm.LShrOp, code.integer(-1 << BITS, i8), at.shifts)
    placed = code(llvm.ShlOp, bits, at.shifts)
    atomics.exchanged_at_last(
        code, at.addresses, i8, order, lambda seen: code(llvm.OrOp, code(llvm.AndOp, seen, kept), placed)
    )


# --- whole bytes


def load_bytes(code: LlvmBuilder, address: Value, element: Type, lanes: int) -> Value:
    """Load `lanes` packed elements, an even number, from whole bytes from `address` on, as a vector of the
    register type.
    """
    held = code.load(address, VectorType((lanes // 2,), i8), 1) if lanes > 2 else _one_byte(code, address)
    shifts = code.integer(BITS, held.type)
    low, high = code(llvm.AndOp, held, code.integer(LOW, held.type)), code(llvm.LShrOp, held, shifts)
    order = [at for pair in range(lanes // 2) for at in (pair, pair + lanes // 2)]
    return buffer.from_memory(code, code.shuffle(low, high, order), element)


def _one_byte(code: LlvmBuilder, address: Value) -> Value:
    return code.broadcast(code.load(address, i8, 1), 1)


def store_bytes(code: LlvmBuilder, value: Value, address: Value, element: Type, lanes: int) -> None:
    """Store `lanes` packed elements, an even number, to whole bytes from `address` on; a scalar `value` is
    broadcast.
    """
    held = buffer.to_memory(code, buffer.spread(code, value, lanes), element)
    low, high = (code.shuffle(held, held, range(first, lanes, 2)) for first in (0, 1))
    joined = code(llvm.OrOp, low, code(llvm.ShlOp, high, code.integer(BITS, high.type)))
    code.store(joined, address, 1)


# --- known even numbers


def is_even(code: LlvmBuilder, index: Index) -> bool:
    """Return whether `index` is known to be even: an even constant, a value in ``code.even``, a product with
    an even factor, or a sum or difference of even numbers. False if nothing is known.
    """
    if isinstance(index, int):
        return index % 2 == 0
    known = elements_lanes.known_index(code, index)
    if isinstance(known, int):
        return known % 2 == 0
    made = index.owner
    if not isinstance(made, Operation):
        return index in code.even
    operands = (
        [is_even(code, operand) for operand in made.operands]
        if isinstance(made, llvm.AddOp | llvm.SubOp | llvm.MulOp)
        else []
    )
    return any(operands) if isinstance(made, llvm.MulOp) else bool(operands) and all(operands)
