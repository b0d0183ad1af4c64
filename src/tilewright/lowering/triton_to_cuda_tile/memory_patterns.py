"""Pointers, loads, stores and atomic operations.

The accesses get placeholder tokens that order nothing; `order` replaces them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tilewright.dialects.cuda_tile.enums import AtomicRMWMode, MemoryOrderingSemantics, MemoryScope
from tilewright.dialects.cuda_tile.ops import conversion as casts, memory, tile as tiles
from tilewright.dialects.cuda_tile.types import PointerType, TileType, tile_of
from tilewright.dialects.tt.enums import MemSemantic, MemSyncScope, RMWOp
from tilewright.dialects.tt.ops import atomic, cast, memory as tt
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import i1, i8
from tilewright.ir.value import Value
from tilewright.lowering.pattern import LoweringResult
from tilewright.lowering.triton_to_cuda_tile.emit import CudaTileEmitter
from tilewright.lowering.triton_to_cuda_tile.pattern import TritonLowering, TritonPattern
from tilewright.rewrite.conversion.pattern import Adaptor

WEAK = MemoryOrderingSemantics.WEAK
RELAXED = MemoryOrderingSemantics.RELAXED
ORDERINGS = {
    MemSemantic.RELAXED: RELAXED,
    MemSemantic.ACQUIRE: MemoryOrderingSemantics.ACQUIRE,
    MemSemantic.RELEASE: MemoryOrderingSemantics.RELEASE,
    MemSemantic.ACQUIRE_RELEASE: MemoryOrderingSemantics.ACQ_REL,
}
SCOPES = {
    MemSyncScope.GPU: MemoryScope.DEVICE,
    MemSyncScope.CTA: MemoryScope.TL_BLK,
    MemSyncScope.SYSTEM: MemoryScope.SYS,
}
MODES = {
    RMWOp.AND: AtomicRMWMode.AND,
    RMWOp.OR: AtomicRMWMode.OR,
    RMWOp.XOR: AtomicRMWMode.XOR,
    RMWOp.ADD: AtomicRMWMode.ADD,
    RMWOp.FADD: AtomicRMWMode.ADDF,
    RMWOp.MAX: AtomicRMWMode.MAX,
    RMWOp.MIN: AtomicRMWMode.MIN,
    RMWOp.UMAX: AtomicRMWMode.UMAX,
    RMWOp.UMIN: AtomicRMWMode.UMIN,
    RMWOp.XCHG: AtomicRMWMode.XCHG,
}


def to_memory(emit: CudaTileEmitter, value: Value) -> Value:
    """Return a value with the element type that it has in memory: i1 becomes i8."""
    return emit.resized(value, i8, signed=False) if tile_of(value).element_type is i1 else value


def from_memory(emit: CudaTileEmitter, value: Value, type: Type) -> Value:
    """Return a loaded value converted to `type`, the inverse of `to_memory`: an i8 becomes the i1 that is
    true unless it is 0. A value of this type is returned unchanged.
    """
    return value if value.type is type else emit.is_set(value)


class AddPtrPattern(TritonPattern[tt.AddPtrOp]):
    """Converts `addptr` to the `offset` of Tile IR: both add offsets, which count elements, to pointers."""

    def lower(
        self, op: tt.AddPtrOp, at: Adaptor, types: Sequence[Type], emit: CudaTileEmitter
    ) -> LoweringResult:
        return emit(tiles.OffsetOp, *at.operands)


class TritonBitcastPattern(TritonPattern[cast.BitcastOp]):
    """Converts a bitcast; for pointers, to a cast to another pointee type. If the type stays after
    conversion, the operand replaces the result.
    """

    def lower(
        self, op: cast.BitcastOp, at: Adaptor, types: Sequence[Type], emit: CudaTileEmitter
    ) -> LoweringResult:
        (value,), (type,) = at.operands, types
        assert isinstance(type, TileType), "the converter says so"
        if value.type is type:
            return value
        if isinstance(type.element_type, PointerType):
            return emit(casts.PtrToPtrOp, value, type=type)
        return emit.same_bits(value, type.element_type)


class IntToPtrPattern(TritonPattern[cast.IntToPtrOp]):
    """Converts `int_to_ptr` to the operation of Tile IR with this name."""

    def lower(
        self, op: cast.IntToPtrOp, at: Adaptor, types: Sequence[Type], emit: CudaTileEmitter
    ) -> LoweringResult:
        return emit(casts.IntToPtrOp, *at.operands, type=types[0])


class PtrToIntPattern(TritonPattern[cast.PtrToIntOp]):
    """Converts `ptr_to_int` to the operation of Tile IR with this name."""

    def lower(
        self, op: cast.PtrToIntOp, at: Adaptor, types: Sequence[Type], emit: CudaTileEmitter
    ) -> LoweringResult:
        return emit(casts.PtrToIntOp, *at.operands, type=types[0])


class LoadPattern(TritonPattern[tt.LoadOp]):
    """Converts a load with its mask and the values for masked-out elements. A volatile load is relaxed at
    system scope, so that a loop sees stores of other programs; other loads are weak.
    """

    def lower(
        self, op: tt.LoadOp, at: Adaptor, types: Sequence[Type], emit: CudaTileEmitter
    ) -> LoweringResult:
        ordering, scope = (RELAXED, MemoryScope.SYS) if op.isVolatile else (WEAK, None)
        other = to_memory(emit, at.other) if at.other is not None else None
        made = emit.made(
            memory.LoadPtrTkoOp, ordering, at.ptr, memory_scope=scope, mask=at.mask, padding_value=other
        )
        return from_memory(emit, made.result, types[0])


class StorePattern(TritonPattern[tt.StoreOp]):
    """Converts a store through pointers to a weak store with the same mask; i1 is stored as i8."""

    def lower(
        self, op: tt.StoreOp, at: Adaptor, types: Sequence[Type], emit: CudaTileEmitter
    ) -> LoweringResult:
        value = to_memory(emit, at.value)
        emit.made(memory.StorePtrTkoOp, WEAK, at.ptr, value, mask=at.mask)
        return ()


class AtomicLoadPattern(TritonPattern[atomic.AtomicLoadOp]):
    """Converts an atomic load to a load through pointers with its mask, memory ordering and scope."""

    def lower(
        self, op: atomic.AtomicLoadOp, at: Adaptor, types: Sequence[Type], emit: CudaTileEmitter
    ) -> LoweringResult:
        ordering, scope = ORDERINGS[op.sem], SCOPES[op.scope]
        made = emit.made(memory.LoadPtrTkoOp, ordering, at.ptr, memory_scope=scope, mask=at.mask)
        return from_memory(emit, made.result, types[0])


class AtomicStorePattern(TritonPattern[atomic.AtomicStoreOp]):
    """Converts an atomic store to a store through pointers with its mask, memory ordering and scope."""

    def lower(
        self, op: atomic.AtomicStoreOp, at: Adaptor, types: Sequence[Type], emit: CudaTileEmitter
    ) -> LoweringResult:
        ordering, scope, value = ORDERINGS[op.sem], SCOPES[op.scope], to_memory(emit, at.value)
        emit.made(memory.StorePtrTkoOp, ordering, at.ptr, value, memory_scope=scope, mask=at.mask)
        return ()


class AtomicRMWPattern(TritonPattern[atomic.AtomicRMWOp]):
    """Converts an atomic read-modify-write through pointers, with its mask, memory ordering and scope."""

    def lower(
        self, op: atomic.AtomicRMWOp, at: Adaptor, types: Sequence[Type], emit: CudaTileEmitter
    ) -> LoweringResult:
        mode, order = MODES[op.atomic_rmw_op], (ORDERINGS[op.sem], SCOPES[op.scope])
        return emit.made(memory.AtomicRMWTkoOp, *order, at.ptr, mode, at.val, mask=at.mask).result


class AtomicCASPattern(TritonPattern[atomic.AtomicCASOp]):
    """Converts an atomic compare-and-swap through pointers, with its memory ordering and scope."""

    def lower(
        self, op: atomic.AtomicCASOp, at: Adaptor, types: Sequence[Type], emit: CudaTileEmitter
    ) -> LoweringResult:
        order = ORDERINGS[op.sem], SCOPES[op.scope]
        return emit.made(memory.AtomicCASTkoOp, *order, at.ptr, at.cmp, at.val).result


def memory_patterns(lowering: TritonLowering) -> list[TritonPattern[Any]]:
    """Return the patterns for pointers, loads, stores and atomic operations."""
    classes = (
        AddPtrPattern,
        TritonBitcastPattern,
        IntToPtrPattern,
        PtrToIntPattern,
        LoadPattern,
        StorePattern,
        AtomicLoadPattern,
        AtomicStorePattern,
        AtomicRMWPattern,
        AtomicCASPattern,
    )
    return [pattern(lowering) for pattern in classes]
