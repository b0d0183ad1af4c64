"""The accesses of a kernel in `llvm` and `nvvm` to shared and global memory, and its barriers.

A buffer is the shared memory of an exchange between threads: an `llvm.alloca` in its address space. The
accesses of an operation are a bit set: a bit for reading global memory, a bit for writing it, and two bits
for each buffer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any

from tilewright.dialects.llvm.ops import aggregate as llvm_aggregate, control as llvm_control
from tilewright.dialects.llvm.ops.memory import AllocaOp, LoadOp, StoreOp
from tilewright.dialects.llvm.ops.symbol import LLVMFuncOp
from tilewright.dialects.llvm.types import LLVMPointerType
from tilewright.dialects.nvvm.ops import barrier as nvvm_barrier, copy as nvvm_copy, mma as nvvm_mma
from tilewright.dialects.nvvm.ops.predicated import PredicatedLoadOp, PredicatedStoreOp
from tilewright.ir import block as ir_block, builtin_attributes, builtin_types, walker
from tilewright.ir.declaration.traits import NoMemoryEffect, Pure, Terminator
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering.llvm_types.address_spaces import LlvmAddressSpace

SHARED = LlvmAddressSpace.SHARED.value
EXCHANGE = "tilewright.exchange"
"""The attribute of barriers that separate accesses to shared memory only; other barriers order global memory
too.
"""
BUFFER_BYTES = "tilewright.buffer_bytes"
"""The attribute of a buffer's address in the variable of its kernel: the size of the buffer in bytes."""
RING = "tilewright.ring"
"""The attribute of buffers that asynchronous copies fill, and of the barriers that hand their slots over. On an
allocation, it is the number of its pipeline.

The order of these copies does not follow from barriers alone: operations that wait for groups of copies, and the
distance between the slots that are filled and read, are part of it. So a ring overlaps no other buffer but rings of
other pipelines, and its barriers stay. A pipeline is of a loop without inner loops, which ends when all copies have
landed and all threads have read them: then the memory is free for the next pipeline.
"""
READ, WRITE = 1, 2
GLOBAL = READ | WRITE
"""The bits of accesses to global memory."""
BITS = 2
"""The number of bits of each buffer, and of global memory."""
PRIVATE = frozenset({LlvmAddressSpace.CONSTANT.value, LlvmAddressSpace.LOCAL.value})
"""Address spaces without communication between threads."""


@dataclass(eq=False)
class SharedBuffer:
    """A buffer of shared memory: its operation, index, size and alignment in bytes, and assigned offset. For a ring,
    ``pipeline`` is the number of the pipeline whose asynchronous copies fill it; it is None for other buffers.
    """

    op: AllocaOp
    number: int
    size: int
    alignment: int
    offset: int = 0
    pipeline: int | None = None

    @property
    def is_ring(self) -> bool:
        """Return whether the buffer has a pipeline: asynchronous copies fill its slots in turn."""
        return self.pipeline is not None

    @property
    def reads(self) -> int:
        """Return the bit of reading the buffer."""
        return READ << BITS * (self.number + 1)

    @property
    def writes(self) -> int:
        """Return the bit of writing the buffer."""
        return WRITE << BITS * (self.number + 1)

    @property
    def all_accesses(self) -> int:
        """Return the bits of reading and of writing the buffer."""
        return self.reads | self.writes


@dataclass(eq=False)
class MemoryEvent:
    """An operation of a kernel in the analysis: an access with the access bits ``touches``, a barrier, or the
    allocation of the buffer ``begins``. ``fills`` are the bits of rings that asynchronous copies may write at
    the operation; `flow.add_landings` adds the rings whose copies may end while an operation waits for
    copies.
    """

    op: Operation
    touches: int = 0
    is_barrier: bool = False
    begins: SharedBuffer | None = None
    fills: int = 0


@dataclass(eq=False)
class KernelBlocks:
    """A function with its buffers, its blocks in text order, the events of each block, and the indices of the
    successors of each block (``following``).
    """

    function: LLVMFuncOp
    buffers: list[SharedBuffer]
    blocks: list[ir_block.Block]
    events: list[list[MemoryEvent]]
    following: list[list[int]] = field(default_factory=list[list[int]])

    @property
    def barriers(self) -> Iterator[MemoryEvent]:
        """Yield the barriers in text order."""
        return (event for events in self.events for event in events if event.is_barrier)


def kernel_of(function: LLVMFuncOp) -> KernelBlocks:
    """Return the blocks of a function with its buffers of shared memory, its accesses and its barriers."""
    blocks = list(function.body.blocks)
    numbers = {block: number for number, block in enumerate(blocks)}
    buffers = [_buffer(op, at) for at, op in enumerate(shared_allocations(function))]
    known = {buffer.op: buffer for buffer in buffers}
    leads = pointers(function, {buffer.op.res: 1 << buffer.number for buffer in buffers})
    events = [[event for op in block if (event := _event(op, known, leads))] for block in blocks]
    following = [[numbers[after] for after in block.successors] for block in blocks]
    return KernelBlocks(function, buffers, blocks, events, following)


def defined_functions(module: Operation) -> list[LLVMFuncOp]:
    """Return the functions with bodies in `module`, in the order of the text."""
    found: list[LLVMFuncOp] = []

    def enter(op: Operation) -> walker.WalkResult:
        if not isinstance(op, LLVMFuncOp):
            return walker.WalkResult.CONTINUE
        if op.body.blocks:
            found.append(op)
        return walker.WalkResult.SKIP

    walker.walk(module, enter)
    return found


def shared_allocations(function: Operation) -> Iterator[AllocaOp]:
    """Yield the `llvm.alloca` operations in the address space of shared memory in `function`, in text order."""
    for op in function.walk():
        if type(op) is AllocaOp and is_shared(op.res):
            yield op


def is_shared(value: Value) -> bool:
    """Return whether a value is a pointer into shared memory."""
    return isinstance(value.type, LLVMPointerType) and value.type.address_space == SHARED


def _buffer(op: AllocaOp, number: int) -> SharedBuffer:
    count = op.arraySize.owner.held_attributes.get("value") if op.arraySize.owner else None
    assert isinstance(count, builtin_attributes.IntegerAttr), "exchanges ask for a known number of bytes"
    assert isinstance(op.elem_type, builtin_types.IntegerType), "exchanges ask for bytes"
    size, ring = count.value * op.elem_type.width // 8, op.attributes.get(RING)
    pipeline = ring.value if isinstance(ring, builtin_attributes.IntegerAttr) else None
    return SharedBuffer(op, number, size, op.alignment or 1, pipeline=pipeline)


def pointers(function: Operation, roots: dict[Value, int]) -> dict[Value, int]:
    """Return for each value the bit set of the `roots` that it may be derived from, through operations
    without memory effects and block arguments; other values are missing. `roots` maps each root to its bit.
    """
    found, pending = dict(roots), list(roots)
    while pending:
        value = pending.pop()
        for user in value.uses:
            for target in _derived(user):
                known = found.get(target, 0)
                if found[value] & ~known:
                    found[target] = known | found[value]
                    pending.append(target)
    return found


def _derived(op: Operation) -> Sequence[Value]:
    """Return the values that may be derived from an operand of `op`: the arguments of all successors of a
    terminator, the results of an operation without memory effects, otherwise none.
    """
    if op.kind.has_trait(Terminator):
        return [argument for block in op.successors for argument in block.arguments]
    return op.results if op.kind.has_trait(Pure) or op.kind.has_trait(NoMemoryEffect) else ()


ACCESSES: Mapping[type[Operation], tuple[Callable[[Any], Value], int]] = {
    **dict.fromkeys((LoadOp, PredicatedLoadOp), (attrgetter("addr"), READ)),
    **dict.fromkeys((StoreOp, PredicatedStoreOp), (attrgetter("addr"), WRITE)),
    nvvm_mma.LdMatrixOp: (attrgetter("ptr"), READ),
    nvvm_copy.CpAsyncOp: (attrgetter("src"), READ),
}
"""The operations that only access memory: their pointer operand, and the kind of access.

Asynchronous copies write to rings, whose order is not modelled (`RING`): see ``fills`` of `MemoryEvent`.
"""


def _event(op: Operation, known: dict[AllocaOp, SharedBuffer], leads: dict[Value, int]) -> MemoryEvent | None:
    if type(op) is nvvm_barrier.Barrier0Op:
        return MemoryEvent(op, is_barrier=True)
    if type(op) is AllocaOp:
        return MemoryEvent(op, begins=known[op]) if op in known else None
    touches = touched(op, leads)
    if isinstance(op, nvvm_copy.CpAsyncWaitGroupOp):
        return MemoryEvent(op)
    fills = _through(op.dst, WRITE, leads) if isinstance(op, nvvm_copy.CpAsyncOp) else 0
    return MemoryEvent(op, touches, fills=fills) if touches or fills else None


def touched(op: Operation, leads: dict[Value, int]) -> int:
    """Return the access bits of an operation. An operation without memory effects has none; an unknown
    operation may read and write all memory that its operands point to, and a call also global memory. `leads`
    has the bit set of the buffers that each pointer may point to.
    """
    access = ACCESSES.get(op.__class__)
    if access is not None:
        pointer_of, how = access
        return _through(pointer_of(op), how, leads)
    traits = op.kind.trait_classes
    if Pure in traits or NoMemoryEffect in traits or type(op) is llvm_aggregate.AddressOfOp:
        return 0
    found = GLOBAL if isinstance(op, llvm_control.CallOp) else 0
    for operand in op.operands:
        if isinstance(operand.type, LLVMPointerType) or operand in leads:
            found |= 0 if op.kind.has_trait(Terminator) else _through(operand, GLOBAL, leads)
    return found


def _through(pointer: Value, how: int, leads: dict[Value, int]) -> int:
    """Return the access bits of an access through `pointer`, which reads or writes (`how`). `leads` has the
    bit set of the buffers that each pointer may point to. A pointer without buffers accesses global memory,
    or, if it points to constant or local memory or is the result of an `alloca`, nothing that threads share:
    0.
    """
    found, buffers = 0, leads.get(pointer, 0)
    if not buffers:
        space = getattr(pointer.type, "address_space", 0)
        return 0 if space in PRIVATE or isinstance(pointer.owner, AllocaOp) else how
    number = 0
    while buffers:
        if buffers & 1:
            found |= how << BITS * (number + 1)
        buffers >>= 1
        number += 1
    return found
