"""Unranked memrefs at function boundaries, and the size of the descriptor behind one."""

from __future__ import annotations

from tilewright.dialects.llvm.intrinsics.memory import MemcpyOp
from tilewright.dialects.llvm.types import POINTER, VOID, LLVMFunctionType, LLVMPointerType, LLVMStructType
from tilewright.ir.builtin_types import UnrankedMemRefType, i8, i64
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering.emitter import LlvmEmitter
from tilewright.lowering.llvm_types.memref_descriptor import resized, unranked_pair
from tilewright.lowering.upstream_to_llvm.symbols import declare_function

POINTER_BYTES = 8
NUMBER_BYTES = 8


def descriptor_bytes(emit: LlvmEmitter, unranked: Value) -> Value:
    """Return the size of a ranked descriptor: two pointers, the offset, and two numbers for each dimension."""
    one, two = emit.index(1), emit.index(2)
    pointer, number = emit.index(POINTER_BYTES), emit.index(NUMBER_BYTES)
    pointers = emit.multiply(two, pointer)
    rank = resized(emit, emit.extract(unranked, 0), emit.index_type)
    numbers = emit.multiply(emit.add(emit.multiply(two, rank), one), number)
    return emit.add(pointers, numbers)


def copy_unranked_to_heap(emit: LlvmEmitter, op: Operation, value: Value, type: UnrankedMemRefType) -> Value:
    """Return an unranked memref with its descriptor in fresh memory, for the caller to free."""
    size = descriptor_bytes(emit, value)
    malloc = declare_function(
        emit.rewriter, op, "malloc", LLVMFunctionType(LLVMPointerType(0), (emit.index_type,))
    )
    memory = emit.call(malloc, [size], [POINTER]).results[0]
    return _copied(emit, value, memory, size)


def copy_unranked_to_stack(emit: LlvmEmitter, op: Operation, value: Value, type: UnrankedMemRefType) -> Value:
    """Return an unranked memref that was returned, with its descriptor on this stack; the heap copy is freed."""
    size = descriptor_bytes(emit, value)
    memory = emit.stack_slot(i8, size)
    old = emit.extract(value, 1)
    copied = _copied(emit, value, memory, size)
    free = declare_function(emit.rewriter, op, "free", LLVMFunctionType(VOID, (POINTER,)))
    emit.call(free, [old])
    return copied


def _copied(emit: LlvmEmitter, value: Value, memory: Value, size: Value) -> Value:
    emit.insert(MemcpyOp, memory, emit.extract(value, 1), resized(emit, size, i64), isVolatile=False)
    form = value.type
    assert isinstance(form, LLVMStructType)
    return unranked_pair(emit, form, emit.extract(value, 0), memory)
