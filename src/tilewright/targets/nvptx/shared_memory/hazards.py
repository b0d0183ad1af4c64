"""`nvvm-check-shared-memory`: verification that threads of a block do not conflict in shared memory.

The check does not use the results of allocation and barrier removal: it reads the finished code. Two accesses
of different threads to a common byte, one of them a write, must have a barrier on every path between them.
Between the write and the read of a buffer its bytes must not be written by others. Addresses are computed for
every thread; an unknown address may be any byte of its buffer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import compress
from math import gcd, prod
from typing import ClassVar

from tilewright.dialects.llvm.ops import control as llvm_control, memory as llvm_memory
from tilewright.dialects.llvm.ops.symbol import LLVMFuncOp
from tilewright.dialects.nvvm.ops import barrier as nvvm_barrier, mma as nvvm_mma
from tilewright.ir.block import Block
from tilewright.ir.builtin_attributes import DenseArrayAttr, IntegerAttr
from tilewright.ir.diagnostic import Diagnostic, DiagnosticCode, DiagnosticError, Severity
from tilewright.ir.interfaces.effects import accesses_nothing
from tilewright.ir.operation import Operation
from tilewright.ir.value import OpResult, Value
from tilewright.passes.pass_ import Pass, PassState
from tilewright.targets.nvptx import codes
from tilewright.targets.nvptx.nvvm_to_ptx.legal import layout
from tilewright.targets.nvptx.shared_memory import flow, model as shared_memory_model
from tilewright.targets.nvptx.shared_memory.addresses import SharedAddress, ThreadIterations, Threads

REQUIRED = "nvvm.reqntid"
"""The attribute of kernels with the extents of a block."""
ROW_BYTES = 16
"""The size of a row in a load of matrices in bytes; the lane that passes its address counts as its reader."""
EVERYTHING = 1 << 18
"""A size larger than the shared memory of a block, in bytes."""


Buffer = tuple[Value | None, str, int, int]
"""The address of a buffer, its variable, its first byte and its end; no address means any shared memory."""


@dataclass(eq=False)
class SharedAccess:
    """An access to shared memory: whether it reads or writes (`how`, of the bits `READ` and `WRITE`), the
    buffer, the number of bytes of each thread (``size``), and the offset of each thread.

    `threads` are the accessing threads, and `offsets` the first byte of each; `None` if unknown. `bit` is the
    access in the data flow. `turns` restricts the threads that access at a time, or is `None` for all of
    them. Bytes are compared by cells of `cell` bytes.
    """

    op: Operation
    how: int
    buffer: Buffer
    size: int = 0
    threads: Sequence[int] = ()
    offsets: Sequence[int] | None = None
    bit: int = 0
    turns: ThreadIterations | None = None
    cell: int = 1
    """The size of a cell in bytes. Memory is compared by cells, which all exact accesses of the kernel touch
    as a whole.
    """

    @cached_property
    def cells(self) -> frozenset[int]:
        """Return the numbers (the offset divided by the cell size) of the cells that any of the threads may
        touch.
        """
        cell = self.cell
        if self.offsets is None:
            return frozenset(range(self.buffer[2] // cell, -(-self.buffer[3] // cell)))
        first = [offset // cell for offset in self.offsets]
        return frozenset(first).union(*([at + more for at in first] for more in range(1, self.size // cell)))

    @property
    def is_exact(self) -> bool:
        """Return whether the bytes that each thread accesses are known; otherwise the access may touch the
        whole buffer.
        """
        return self.offsets is not None

    @property
    def overlaps_itself(self) -> bool:
        """Return whether two of its threads touch a common byte, in the same iteration if `turns` is known;
        False if the offsets are unknown.
        """
        if self.offsets is None:
            return False
        written = len(self.offsets) * (self.size // self.cell)
        if self.turns is None:
            return len(self.cells) < written
        return len(self.owners(self.cells, by_turn=True)) < written

    def owners(self, cells: frozenset[int], *, by_turn: bool) -> dict[tuple[int, int], set[int]]:
        """Return the threads that touch each of `cells`, by a pair of turn and cell. The turn is the thread's
        number in `turns` with `by_turn`, otherwise 0.
        """
        found: dict[tuple[int, int], set[int]] = {}
        for thread, offset in zip(self.threads, self.offsets or (), strict=True):
            turn = self.turns.numbers[thread] if by_turn and self.turns is not None else 0
            for cell in range(offset // self.cell, (offset + self.size) // self.cell):
                if cell in cells:
                    found.setdefault((turn, cell), set()).add(thread)
        return found


@dataclass(eq=False)
class CheckedFunction:
    """A function with its accesses to shared memory in text order, also by their operations (`by_op`); each
    access is a bit in the data flow through the blocks of `kernel`.
    """

    kernel: shared_memory_model.KernelBlocks
    accesses: list[SharedAccess] = field(default_factory=list[SharedAccess])
    by_op: dict[Operation, SharedAccess] = field(default_factory=dict[Operation, SharedAccess])


@dataclass(frozen=True)
class CheckSharedMemory(Pass):
    """Verifies that barriers separate all conflicts of threads in shared memory, and that no live buffer is
    overwritten.

    Reports the two accesses of every conflict that cannot be excluded. The code is not changed.
    """

    name: ClassVar[str] = "nvvm-check-shared-memory"
    atomic: ClassVar[bool] = True

    def run(self, op: Operation, state: PassState) -> None:
        state.preserve_all()
        found = [
            problem
            for function in shared_memory_model.defined_functions(op)
            for problem in problems(function)
        ]
        if found:
            raise DiagnosticError(found)


def problems(function: LLVMFuncOp) -> Iterator[Diagnostic]:
    """Yield a diagnostic for each pair of accesses of a function that may conflict in shared memory."""
    if not any(shared_memory_model.is_shared(operand) for op in function.walk() for operand in op.operands):
        return
    checked = _checked(function)
    reported: set[tuple[int, int]] = set()
    for first, second in (*hazards(checked), *overwritten(checked)):
        if (first.bit, second.bit) not in reported:
            reported.add((first.bit, second.bit))
            yield _problem(first, second)


def hazards(checked: CheckedFunction) -> Iterator[tuple[SharedAccess, SharedAccess]]:
    """Yield pairs of accesses that may touch a common byte without a barrier between them, one of them a
    write: the earlier access first. An access whose own threads write the same byte is paired with itself.
    """
    writes = sum(access.bit for access in checked.accesses if access.how & shared_memory_model.WRITE)
    near = _near(checked.accesses)
    row = _DisjointAccesses()
    for event, held in flow.forwards(checked.kernel, flow.since_barrier(lambda event: True)):
        access = checked.by_op.get(event.op)
        if access is None:
            continue
        if access.how & shared_memory_model.WRITE and access.overlaps_itself:
            yield access, access
        others = held & near[access.buffer] & ~access.bit
        others &= -1 if access.how & shared_memory_model.WRITE else writes
        for number in flow.set_bits(0 if row.takes(access, others) else others):
            if _meet(checked.accesses[number], access):
                yield checked.accesses[number], access


class _DisjointAccesses:
    """Accesses with pairwise disjoint bytes, against which a further access is compared in a single step."""

    def __init__(self) -> None:
        self._bits = 0
        self._cells: set[int] = set()

    def takes(self, access: SharedAccess, others: int) -> bool:
        """Add `access` if it touches no byte of the collected accesses; return whether it was added. If an
        access of the bit set `others` is not among the collected accesses, they are dropped first, and the
        result is false.
        """
        if others & ~self._bits:
            self._bits, self._cells = 0, set()
            return False
        if not self._cells.isdisjoint(access.cells):
            return False
        self._bits |= access.bit
        self._cells |= access.cells
        return True


def _near(accesses: Sequence[SharedAccess]) -> dict[Buffer, int]:
    """Return for each buffer the bits of the accesses to overlapping buffers."""
    found: dict[Buffer, int] = {}
    for access in accesses:
        found[access.buffer] = found.get(access.buffer, 0) | access.bit
    return {one: sum(bits for other, bits in found.items() if _overlap(one, other)) for one in found}


def _overlap(one: Buffer, other: Buffer) -> bool:
    anywhere = one[0] is None or other[0] is None
    return anywhere or (one[1] == other[1] and other[2] < one[3] and one[2] < other[3])


def _meet(first: SharedAccess, second: SharedAccess) -> bool:
    """Return whether different threads may touch a common byte in the two accesses, in the same iteration if
    both have `turns` by the same value. With an unknown address, a common cell of the two is enough.
    """
    if first.cells.isdisjoint(second.cells):
        return False
    if not (first.is_exact and second.is_exact):
        return True
    common = first.cells & second.cells
    turns = first.turns, second.turns
    by_turn = turns[0] is not None and turns[1] is not None and turns[0].value is turns[1].value
    mine, theirs = (one.owners(common, by_turn=by_turn) for one in (first, second))
    return any(len(threads | theirs[cell]) > 1 for cell, threads in mine.items() if cell in theirs)


def overwritten(checked: CheckedFunction) -> Iterator[tuple[SharedAccess, SharedAccess]]:
    """Yield pairs of a write to one buffer and a read of another with common bytes, where the write may come
    between a write of the other buffer and the read. An unknown address may be any byte of its buffer.
    """
    named: dict[Buffer, list[SharedAccess]] = {}
    for access in checked.accesses:
        named.setdefault(access.buffer, []).append(access)
    bits = {
        buffer: sum(one.bit for one in held if one.how & shared_memory_model.READ)
        for buffer, held in named.items()
    }

    def transfer(held: int, event: shared_memory_model.MemoryEvent) -> int:
        access = checked.by_op.get(event.op)
        if access is None or access.buffer[0] is None:
            return held
        return held | access.bit if access.how == shared_memory_model.READ else held & ~bits[access.buffer]

    near = _near(checked.accesses)
    for event, held in flow.backwards(_block_flow(checked), transfer):
        access = checked.by_op.get(event.op)
        if access is None or access.buffer[0] is None or not access.how & shared_memory_model.WRITE:
            continue
        for other in map(
            checked.accesses.__getitem__, flow.set_bits(held & near[access.buffer] & ~bits[access.buffer])
        ):
            if not other.cells.isdisjoint(access.cells):
                yield access, other


def _block_flow(checked: CheckedFunction) -> shared_memory_model.KernelBlocks:
    """Return the control flow of a whole thread block, with the events of the kernel. A branch that only
    skips a block is taken to execute the block, because some threads execute it.
    """
    kernel = checked.kernel
    places = {block: number for number, block in enumerate(kernel.blocks)}
    following = [[places[one] for one in _not_skipped(block)] for block in kernel.blocks]
    return shared_memory_model.KernelBlocks(kernel.function, [], kernel.blocks, kernel.events, following)


def _not_skipped(block: Block) -> Sequence[Block]:
    end = block.last
    if isinstance(end, llvm_control.CondBrOp):
        for one, other in ((end.trueDest, end.falseDest), (end.falseDest, end.trueDest)):
            if one.predecessors == [block] and list(one.successors) == [other]:
                return [one]
    return block.successors


# --- collection of accesses


def _checked(function: LLVMFuncOp) -> CheckedFunction:
    blocks = list(function.body.blocks)
    places = {block: number for number, block in enumerate(blocks)}
    following = [[places[after] for after in block.successors] for block in blocks]
    found = CheckedFunction(
        shared_memory_model.KernelBlocks(function, [], blocks, [[] for _ in blocks], following)
    )
    threads = Threads(function, _thread_count(function))
    for block, events in zip(blocks, found.kernel.events, strict=True):
        for op in block:
            if type(op) is nvvm_barrier.Barrier0Op:
                events.append(shared_memory_model.MemoryEvent(op, is_barrier=True))
            for access in filter(None, _accesses(op, threads)):
                access.bit = 1 << len(found.accesses)
                found.accesses.append(access)
                found.by_op[op] = access
                events.append(shared_memory_model.MemoryEvent(op, access.bit))
    _choose_cells(found.accesses)
    return found


def _choose_cells(accesses: Sequence[SharedAccess]) -> None:
    """Set the cell size of all accesses to the greatest common divisor of the sizes of the exact accesses, if
    all offsets are multiples of it, otherwise to 1 byte.
    """
    exact = [one for one in accesses if one.offsets is not None]
    cell = gcd(*(one.size for one in exact))
    if any(offset % cell for one in exact for offset in one.offsets or ()):
        cell = 1
    for one in accesses:
        one.cell = max(cell, 1)


def _thread_count(function: LLVMFuncOp) -> int:
    extents = function.attributes.get(REQUIRED)
    return prod(extents.values) if isinstance(extents, DenseArrayAttr) else 1024


def _accesses(op: Operation, threads: Threads) -> Iterator[SharedAccess | None]:
    """Yield the access of an operation, if it is one; None stands for an access to a ring, which is not
    checked. An operation of another kind with a pointer into shared memory may read and write all of its
    buffer, unless it accesses no memory.
    """
    if type(op) is llvm_memory.LoadOp and shared_memory_model.is_shared(op.addr):
        yield _access(op, shared_memory_model.READ, op.addr, layout(op.res.type).size, threads)
    elif type(op) is nvvm_mma.LdMatrixOp:
        yield _access(op, shared_memory_model.READ, op.ptr, ROW_BYTES, threads)
    elif type(op) is llvm_memory.StoreOp and shared_memory_model.is_shared(op.addr):
        yield _access(op, shared_memory_model.WRITE, op.addr, layout(op.value.type).size, threads)
    elif not accesses_nothing(op.kind):
        for operand in op.operands:
            if shared_memory_model.is_shared(operand):
                yield _access(op, shared_memory_model.READ | shared_memory_model.WRITE, operand, 0, threads)
                return


def _access(op: Operation, how: int, pointer: Value, size: int, threads: Threads) -> SharedAccess | None:
    """Return the access of `op` to `size` bytes at `pointer`; `how` says whether it reads or writes. None for
    an access to a ring, which barriers alone do not order.
    """
    place = threads.address_of(pointer)
    if place is None:
        return SharedAccess(op, how, (None, "", 0, EVERYTHING))
    if isinstance(place.buffer, OpResult) and shared_memory_model.RING in place.buffer.owner.held_attributes:
        return None
    buffer = place.buffer, place.variable, *_extent(place)
    if place.offset is None or not size:
        return SharedAccess(op, how, buffer)
    assert op.parent is not None
    active, count, turns = threads.active(op.parent), threads.count, threads.turns(op.parent)
    offsets = place.offset if isinstance(place.offset, tuple) else (place.offset,) * count
    if active is None:
        return SharedAccess(op, how, buffer, size, range(count), offsets, turns=turns)
    mine = list(compress(range(count), active)), list(compress(offsets, active))
    return SharedAccess(op, how, buffer, size, *mine, turns=turns)


def _extent(place: SharedAddress) -> tuple[int, int]:
    """Return the half-open range of bytes of the buffer of an address in its variable; without a known
    buffer, a range that ends beyond all memory.
    """
    size = (
        place.buffer.owner.held_attributes.get(shared_memory_model.BUFFER_BYTES)
        if isinstance(place.buffer, OpResult)
        else None
    )
    return place.begin, place.begin + size.value if isinstance(size, IntegerAttr) else 1 << 30


def _problem(first: SharedAccess, second: SharedAccess) -> Diagnostic:
    code: DiagnosticCode = codes.SHARED_HAZARD
    words = {shared_memory_model.READ: "reads", shared_memory_model.WRITE: "writes"}
    said = [words.get(one.how, "uses") for one in (first, second)]
    message = f"a thread {said[1]} shared memory that another thread {said[0]}, and no barrier separates them"
    found = Diagnostic(Severity.ERROR, message, second.op.location, code)
    return found.note(f"the other access: '{first.op.name}'", first.op.location)
