"""`nvvm-sink-fragments`: moves loads of matrix operands from shared memory down to their use.

An exchange reads all elements of a thread together. With fragments of products these are more than the
registers hold beside the sums, while a step along the common dimension needs few of them. So loads move down
to their first use, past barriers too, as long as a barrier is left between them and the next write to their
buffer.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import ClassVar

from tilewright.dialects.llvm.ops import aggregate as llvm_aggregate, conversion as llvm_conversion
from tilewright.dialects.llvm.ops.memory import LoadOp
from tilewright.dialects.llvm.ops.symbol import LLVMFuncOp
from tilewright.dialects.llvm.types import LLVMStructType
from tilewright.dialects.nvvm.ops.mma import LdMatrixOp, MmaOp
from tilewright.ir import block as ir_block, builtin_types
from tilewright.ir.attribute import Type
from tilewright.ir.operation import Operation
from tilewright.lowering.target_facts import target_of
from tilewright.passes.pass_ import Pass, PassState
from tilewright.targets.nvptx.shared_memory import model as shared_memory_model
from tilewright.targets.nvptx.shared_memory.allocate import STATIC

PARTS = (
    llvm_conversion.BitcastOp,
    llvm_aggregate.ExtractElementOp,
    llvm_aggregate.ExtractValueOp,
    llvm_aggregate.InsertElementOp,
)
"""Operations that split loaded values, or join them."""
REGISTERS = 255
"""The most registers of a thread."""
WORD = 32
"""The bits of a register."""
ANYWHERE = (llvm_aggregate.ConstantOp, llvm_aggregate.PoisonOp)
"""Operations whose results are available before all others."""


@dataclass(frozen=True)
class SinkFragments(Pass):
    """Moves loads from shared memory down to their first use, in blocks with matrix instructions.

    A load that passes a barrier makes its buffer live longer. If the buffers of a block exceed the static shared
    memory of a kernel, loads stay between their barriers and before the allocation of the next buffer, which may
    then overlap theirs. But where fragments and sums are more than half of a thread's registers, which would leave
    too few for copies and addresses, buffers may fill the shared memory that the chip has for a block.
    """

    name: ClassVar[str] = "nvvm-sink-fragments"

    def run(self, op: Operation, state: PassState) -> None:
        target = target_of(op)
        chip = target.gpu if target is not None else None
        most = STATIC if chip is None else chip.shared_memory
        state.report(
            "num-moved", sum(sink(function, most) for function in shared_memory_model.defined_functions(op))
        )


def sink(function: LLVMFuncOp, most: int = STATIC) -> int:
    """Move the loads of a function from shared memory down to their uses, in blocks with matrix products.
    `most` is the shared memory in bytes of a block on the chip, which the buffers of a block may fill if its
    products need many registers. Return the number of moved operations.
    """
    if not any(type(op) is MmaOp for op in function.walk()):
        return 0
    kernel = shared_memory_model.kernel_of(function)
    return sum(_sink(row) for row in _rows(kernel, most))


def _rows(kernel: shared_memory_model.KernelBlocks, most: int) -> Iterator[OrderedBlock]:
    for block, events in zip(kernel.blocks, kernel.events, strict=True):
        if any(isinstance(op, MmaOp) for op in block):
            room = max(most, STATIC) if words_of_products(block, events) > REGISTERS // 2 else STATIC
            yield OrderedBlock.of(block, events, crowded=bytes_of_buffers(kernel, events) > room)


def bytes_of_buffers(
    kernel: shared_memory_model.KernelBlocks, events: Sequence[shared_memory_model.MemoryEvent]
) -> int:
    """Return the sum of the sizes of the buffers of `kernel` that at least one of the accesses `events` reads
    or writes.
    """
    touched = 0
    for event in events:
        touched |= event.touches
    return sum(one.size for one in kernel.buffers if touched & (one.reads | one.writes))


def words_of_products(block: ir_block.Block, events: Sequence[shared_memory_model.MemoryEvent]) -> int:
    """Return the registers of a thread for all fragments that a block reads, and for the sums of its products."""
    read = [
        event.op
        for event in events
        if isinstance(event.op, LoadOp | LdMatrixOp) and not event.touches & shared_memory_model.GLOBAL
    ]
    first = [op for op in block if isinstance(op, MmaOp) and not _continues(op)]
    return sum(register_count(result.type) for op in (*read, *first) for result in op.results)


def register_count(type: Type) -> int:
    """Return the number of 32-bit registers that a value of `type` takes; a pointer takes two."""
    if isinstance(type, LLVMStructType):
        return sum(map(register_count, type.body or ()))
    if isinstance(type, builtin_types.VectorType):
        return -(-prod(type.shape) * _bits_of(type.element_type) // WORD)
    return -(-_bits_of(type) // WORD)


def _bits_of(type: Type) -> int:
    return type.width if isinstance(type, builtin_types.IntegerType | builtin_types.FloatType) else 2 * WORD


def _continues(op: MmaOp) -> bool:
    """Return whether a product accumulates onto the result of another product."""
    owners = {value.owner for value in op.operandC}
    return any(isinstance(owner, MmaOp | llvm_aggregate.ExtractValueOp) for owner in owners)


@dataclass(frozen=True)
class OrderedBlock:
    """The operations of a block in order, with the index of each (`number`), the access bits of operations
    (`touches`), the indices of the barriers, and by access bit the indices of the accesses (`places`).

    With ``crowded``, loads stay between their barriers, and allocations of buffers count as barriers.
    """

    ops: Sequence[Operation]
    number: Mapping[Operation, int]
    touches: Mapping[Operation, int]
    barriers: Sequence[int]
    places: Mapping[int, Sequence[int]]
    """The positions of accesses, by access bit."""
    crowded: bool

    @classmethod
    def of(
        cls, block: ir_block.Block, events: Sequence[shared_memory_model.MemoryEvent], *, crowded: bool
    ) -> OrderedBlock:
        """Return the ordered operations of `block`; `events` are its accesses, barriers and allocations.

        With `crowded`, allocations count as barriers.
        """
        ops = list(block)
        number = {op: at for at, op in enumerate(ops)}
        touches = {event.op: event.touches for event in events if event.touches}
        barriers = [
            number[event.op] for event in events if event.is_barrier or (crowded and event.begins is not None)
        ]
        return cls.of_events(ops, touches, barriers, crowded=crowded)

    @classmethod
    def of_events(
        cls,
        ops: Sequence[Operation],
        touches: Mapping[Operation, int],
        barriers: Sequence[int],
        *,
        crowded: bool,
    ) -> OrderedBlock:
        """Return the ordered operations `ops`, with the access bits of operations in `touches` and the
        indices of barriers in `barriers`, which ascend. If `crowded`, these already include the allocations.
        """
        number = {op: at for at, op in enumerate(ops)}
        places: dict[int, list[int]] = {}
        for op, touched in touches.items():
            for bit in _bits(touched):
                places.setdefault(bit, []).append(number[op])
        return cls(ops, number, touches, barriers, places, crowded)

    def is_load(self, op: Operation) -> bool:
        """Return whether an operation is a load that reads buffers of shared memory only."""
        touches = self.touches.get(op, 0)
        return (
            isinstance(op, LoadOp | LdMatrixOp) and bool(touches) and not touches & shared_memory_model.GLOBAL
        )

    def limit(self, op: Operation) -> int:
        """Return the index of the operation before which the load `op` must stay. With `crowded` it is the
        next barrier. Otherwise it is the last barrier before its buffers are written again; the index of `op`
        if there is no such barrier. It is the end of the block if there is no next barrier, or no further
        write.
        """
        at, end = self.number[op], len(self.ops) - 1
        following = bisect_right(self.barriers, at)
        if self.crowded:
            return self.barriers[following] if following < len(self.barriers) else end
        written = [
            later[place]
            for bit in _bits(self.touches[op])
            if (later := self.places.get(bit * shared_memory_model.WRITE // shared_memory_model.READ))
            and (place := bisect_right(later, at)) < len(later)
        ]
        if not written:
            return end
        last = bisect_left(self.barriers, min(written)) - 1
        return self.barriers[last] if last >= following else at


def _bits(touches: int) -> Iterator[int]:
    """Yield each set bit of a number as a power of two, the lowest first."""
    while touches:
        bit = touches & -touches
        yield bit
        touches ^= bit


def _sink(row: OrderedBlock) -> int:
    """Move the loads of `row`, and the operations that split their results, down to their first uses, or to
    the `limit` of a load. Return the number of moved operations.
    """
    places: dict[Operation, int] = {}
    for op in reversed(list(_movable(row))):
        users = {user for result in op.results for user in result.uses}
        uses = (places.get(user, row.number[user]) for user in users if user in row.number)
        place = min(uses, default=len(row.ops) - 1)
        if row.is_load(op):
            place = min(place, row.limit(op))
        if place > row.number[op]:
            places[op] = place
    for op, place in reversed(places.items()):
        op.move_before(row.ops[place])
    return len(places)


def _movable(row: OrderedBlock) -> Iterator[Operation]:
    """Yield, in order, the loads of `row` from shared memory, and the operations that split or join the
    results of these loads and constants only.
    """
    found: set[Operation] = set()
    for op in row.ops:
        owners = {value.owner for value in op.operands}
        is_part = isinstance(op, PARTS) and all(
            owner in found or isinstance(owner, ANYWHERE) for owner in owners
        )
        if row.is_load(op) or (is_part and not found.isdisjoint(owners)):
            found.add(op)
            yield op
