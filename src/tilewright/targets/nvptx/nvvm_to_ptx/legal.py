"""The registers of a type, and the offsets of its parts in memory.

| type | registers |
|---|---|
| i1 | a predicate |
| integers up to 16, 32 and 64 bits | one register of 16, 32 or 64 bits, zero-extended |
| i128 | two of 64 bits, low half first |
| f16, bf16, f32, f64 | one of their width |
| pointers | 64 bits; 32 bits into shared memory (also of a cluster) and tensor memory |
| vectors of f16 or bf16 | pairs of elements in 32 bits; the last element of an odd number has a register of its own |
| other vectors | a register for each element |
| structs, arrays | the registers of their members |
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from tilewright.dialects.llvm.types import (
    LLVMArrayType,
    LLVMPointerType,
    LLVMStructType,
    LLVMVoidType,
)
from tilewright.ir import builtin_types
from tilewright.ir.attribute import Type
from tilewright.ptx.registers import POOLS, RegisterClass

PREDICATES, BYTES, SHORTS, WORDS, SINGLES, LONGS, DOUBLES, QUADS = (
    POOLS[prefix] for prefix in ("%p", "%rb", "%rs", "%r", "%f", "%rd", "%fd", "%rq")
)
BY_BITS = {1: PREDICATES, 16: SHORTS, 32: WORDS, 64: LONGS, 128: QUADS}
"""The register class of bits and integers, by width."""
FLOATS = {
    builtin_types.f16: SHORTS,
    builtin_types.bf16: SHORTS,
    builtin_types.f32: SINGLES,
    builtin_types.f64: DOUBLES,
}
PAIRED = frozenset({builtin_types.f16, builtin_types.bf16})
"""The element types with two elements in a register of 32 bits."""
SHORT_SPACES = frozenset({3, 6, 7})
"""The address spaces with 32-bit addresses: shared memory, tensor memory, shared memory of the cluster."""
GENERIC, GLOBAL, SHARED, CONSTANT, LOCAL, CLUSTER = 0, 1, 3, 4, 5, 7
MEMORY_WIDTHS = frozenset({8, 16, 32, 64, 128})


@dataclass(frozen=True, slots=True)
class RegisterSlot:
    """One register of a value: its class, the type of the elements in it, their width in bits, and how many
    they are (``lanes``).
    """

    register: RegisterClass
    element: Type
    width: int
    lanes: int = 1

    @property
    def bits(self) -> int:
        """Return the number of used bits."""
        return self.width * self.lanes

    @property
    def size(self) -> int:
        """Return the size in memory in bytes."""
        return max(self.bits // 8, 1)


class UnsupportedRegisterType(Exception):
    """A type that registers or memory cannot hold; ``type`` is the unsupported part of it."""

    def __init__(self, type: Type) -> None:
        super().__init__(str(type))
        self.type = type


def pointer_bits(type: LLVMPointerType) -> int:
    """Return the width in bits of the addresses of a pointer type, by its address space."""
    return 32 if type.address_space in SHORT_SPACES else 64


@lru_cache(maxsize=256)
def register_bits(width: int) -> int:
    """Return the width of the register that holds an integer of `width` bits."""
    return next(bits for bits in BY_BITS if bits >= width and (bits > 1 or width == 1))


@lru_cache(maxsize=1024)
def slots(type: Type) -> tuple[RegisterSlot, ...]:
    """Return the registers that hold a value of `type`, in order: several for a vector, an array or a struct,
    none for `void`. Raises `UnsupportedRegisterType` if no registers hold the type.
    """
    match type:
        case builtin_types.IntegerType():
            return _integer(type)
        case builtin_types.FloatType() if type in FLOATS:
            return (RegisterSlot(FLOATS[type], type, type.width),)
        case LLVMPointerType():
            bits = pointer_bits(type)
            return (RegisterSlot(BY_BITS[bits], type, bits),)
        case builtin_types.VectorType() if len(type.shape) == 1 and not any(type.scalable or ()):
            return _vector(type)
        case LLVMArrayType():
            return slots(type.element_type) * type.count
        case LLVMStructType() if type.body is not None:
            return tuple(slot for member in type.body for slot in slots(member))
        case LLVMVoidType():
            return ()
        case _:
            raise UnsupportedRegisterType(type)


def _integer(type: builtin_types.IntegerType) -> tuple[RegisterSlot, ...]:
    if type.width == 128:
        return (RegisterSlot(LONGS, type, 64),) * 2
    if type.width > 64 or type.signedness != "signless":
        raise UnsupportedRegisterType(type)
    return (RegisterSlot(BY_BITS[register_bits(type.width)], type, type.width),)


def _vector(type: builtin_types.VectorType) -> tuple[RegisterSlot, ...]:
    (count,) = type.shape
    (inner, *rest) = slots(type.element_type)
    if rest:
        raise UnsupportedRegisterType(type)
    if type.element_type in PAIRED and count % 2 == 0:
        return (RegisterSlot(WORDS, type.element_type, inner.width, 2),) * (count // 2)
    return (inner,) * count


def element_of(type: Type) -> Type:
    """Return the element type of a vector type; another type is returned unchanged."""
    return type.element_type if isinstance(type, builtin_types.VectorType) else type


def lanes_of(type: Type) -> int:
    """Return the number of lanes of a vector type; 1 for any other type."""
    return type.shape[0] if isinstance(type, builtin_types.VectorType) else 1


# --- memory


@dataclass(frozen=True, slots=True)
class MemoryLayout:
    """A type in memory: its size and alignment in bytes, and the offset of each of its registers."""

    size: int
    alignment: int
    offsets: tuple[int, ...]


def _up(size: int, alignment: int) -> int:
    return -(-size // alignment) * alignment


@lru_cache(maxsize=1024)
def layout(type: Type) -> MemoryLayout:
    """Return the layout of a type in memory, according to the data layout of NVPTX.

    Raises:
        UnsupportedRegisterType: memory does not hold the type.
    """
    match type:
        case LLVMArrayType():
            inner = layout(type.element_type)
            starts = (at * inner.size for at in range(type.count))
            offsets = tuple(start + offset for start in starts for offset in inner.offsets)
            return MemoryLayout(inner.size * type.count, inner.alignment, offsets)
        case LLVMStructType() if type.body is not None:
            return _struct(type)
        case builtin_types.VectorType():
            return _vector_layout(type)
        case builtin_types.IntegerType(width=128):
            return MemoryLayout(16, 16, (0, 8))
        case _:
            (slot,) = slots(type)
            if slot.size * 8 not in MEMORY_WIDTHS:
                raise UnsupportedRegisterType(type)
            return MemoryLayout(slot.size, slot.size, (0,))


def _vector_layout(type: builtin_types.VectorType) -> MemoryLayout:
    held = slots(type)
    if held[0].bits == 1:
        raise UnsupportedRegisterType(type)
    size = sum(slot.size for slot in held)
    whole = 1 << (size - 1).bit_length()
    return MemoryLayout(whole, whole, tuple(at * held[0].size for at in range(len(held))))


def member_offsets(type: LLVMStructType) -> tuple[int, ...]:
    """Return the offsets of the members of a struct in bytes. Raises `UnsupportedRegisterType` for a member without a memory
    layout.
    """
    offsets, at = list[int](), 0
    for member in type.body or ():
        inner = layout(member)
        at = at if type.packed else _up(at, inner.alignment)
        offsets.append(at)
        at += inner.size
    return tuple(offsets)


def _struct(type: LLVMStructType) -> MemoryLayout:
    inner = [layout(member) for member in type.body or ()]
    starts = member_offsets(type)
    alignment = 1 if type.packed else max((one.alignment for one in inner), default=1)
    end = max((start + one.size for start, one in zip(starts, inner, strict=True)), default=0)
    offsets = tuple(
        start + offset for start, one in zip(starts, inner, strict=True) for offset in one.offsets
    )
    return MemoryLayout(_up(end, alignment), alignment, offsets)
