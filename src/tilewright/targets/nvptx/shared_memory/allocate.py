"""`nvvm-allocate-shared-memory`: the offsets of exchange buffers, and removal of unneeded barriers.

A buffer is live from its allocation to its last access, and until the next barrier of all threads. Buffers
that are live at the same time do not overlap; others may. Fewer barriers make buffers live longer. The first
plan removes the barriers that are unneeded if no buffers overlap, which leaves a barrier for each exchange
and needs the memory of two exchanges. If it exceeds the static shared memory of a kernel, the second plan
keeps all barriers that sharing needs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from tilewright.dialects.common.chips import Chip
from tilewright.dialects.llvm.enums import Linkage, PointerWrapFlags
from tilewright.dialects.llvm.ops.aggregate import AddressOfOp
from tilewright.dialects.llvm.ops.memory import GEPOp
from tilewright.dialects.llvm.ops.symbol import GlobalOp, LLVMFuncOp
from tilewright.dialects.llvm.types import LLVMArrayType, LLVMPointerType
from tilewright.ir.block import Region
from tilewright.ir.builtin_attributes import UNIT, integer32
from tilewright.ir.builtin_types import i8
from tilewright.ir.diagnostic import failure
from tilewright.ir.operation import Operation
from tilewright.lowering.capability import Capability
from tilewright.lowering.target_facts import target_of
from tilewright.lowering.upstream_to_llvm.patterns import free_name
from tilewright.passes.pass_ import Pass, PassState
from tilewright.targets.nvptx import codes
from tilewright.targets.nvptx.shared_memory.barriers import apart, needless, partners
from tilewright.targets.nvptx.shared_memory.flow import (
    backwards,
    forwards,
    numbers,
    since_barrier,
    still_used,
)
from tilewright.targets.nvptx.shared_memory.model import (
    BUFFER_BYTES,
    EXCHANGE,
    RING,
    SHARED,
    KernelBlocks,
    MemoryEvent,
    SharedBuffer,
    defined_functions,
    kernel_of,
)

STATIC = 48 << 10
"""The maximum static shared memory of a kernel on every GPU in bytes; a launch must request more."""
DYNAMIC_SHARED_MEMORY = "tilewright.dynamic_shared_memory"
"""The attribute of kernels with the bytes of shared memory that a launch must request."""
ALIGNMENT = 16
"""The minimum alignment of a kernel's shared memory in bytes."""


@dataclass(frozen=True)
class AllocateSharedMemory(Pass):
    """Assigns offsets to the buffers of exchanges (`llvm.alloca` in shared memory), and removes unneeded
    barriers.

    All buffers of a kernel are in a single variable. Up to 48 KiB are declared; for more, the variable is
    external, and the launch must request the number of bytes in the attribute
    `tilewright.dynamic_shared_memory`.
    """

    name: ClassVar[str] = "nvvm-allocate-shared-memory"
    dependent_dialects: ClassVar[tuple[str, ...]] = ("llvm",)

    def run(self, op: Operation, state: PassState) -> None:
        target = target_of(op)
        for function in defined_functions(op):
            state.count("num-barriers-removed", settle(op, function, target))


def settle(module: Operation, function: LLVMFuncOp, target: Capability | None) -> int:
    """Allocate the buffers of a function and remove its unneeded barriers. Returns the number of removed
    barriers.

    Raises `DiagnosticError` for a kernel that needs more shared memory than its chip has.
    """
    kernel = kernel_of(function)
    dropped = planned(kernel)
    for event in dropped:
        event.op.erase()
    for event in kernel.barriers:
        event.op.attributes.pop(EXCHANGE, None)
        event.op.attributes.pop(RING, None)
    if kernel.buffers:
        _declare(module, kernel, target)
    return len(dropped)


def planned(kernel: KernelBlocks) -> set[MemoryEvent]:
    """Assign an offset to every buffer. Returns the barriers that are unneeded then."""
    place(kernel, needless(kernel, apart(kernel.buffers)))
    if extent(kernel) > STATIC:
        place(kernel, set())
    return needless(kernel, partners(kernel.buffers))


def extent(kernel: KernelBlocks) -> int:
    """Return the size of the memory of all buffers in bytes."""
    return max((one.offset + one.size for one in kernel.buffers), default=0)


def place(kernel: KernelBlocks, dropped: set[MemoryEvent]) -> None:
    """Assign to every buffer the lowest offset without overlap with conflicting buffers; large buffers first."""
    meet = conflicts(kernel, lambda event: event not in dropped)
    done: list[SharedBuffer] = []
    for one in sorted(kernel.buffers, key=lambda one: (-one.size, one.number)):
        others = [other for other in done if meet[one.number] >> other.number & 1]
        one.offset = _lowest(one, others)
        done.append(one)


def _lowest(one: SharedBuffer, others: list[SharedBuffer]) -> int:
    offset = 0
    for other in sorted(others, key=lambda other: other.offset):
        if offset + one.size <= other.offset:
            break
        offset = max(offset, -(-(other.offset + other.size) // one.alignment) * one.alignment)
    return offset


def conflicts(kernel: KernelBlocks, kept: Callable[[MemoryEvent], bool]) -> list[int]:
    """Return for each buffer the bit set of conflicting buffers: live where it is accessed, or accessed where
    it is live. Rings conflict with every buffer.
    """
    found = [0] * len(kernel.buffers)
    for event, held in (*forwards(kernel, since_barrier(kept)), *backwards(kernel, still_used)):
        for number in numbers(event.touches):
            for other in numbers(held):
                found[number] |= 1 << other
                found[other] |= 1 << number
    everything, rings = (1 << len(found)) - 1, sum(1 << one.number for one in kernel.buffers if one.is_ring)
    return [everything if rings >> number & 1 else bits | rings for number, bits in enumerate(found)]


# --- the variable


def _declare(module: Operation, kernel: KernelBlocks, target: Capability | None) -> None:
    """Declare a variable for all buffers of a kernel and replace their allocations. Raises `DiagnosticError`
    if it is too large.
    """
    size, function = extent(kernel), kernel.function
    if target is not None and target.gpu is not None:
        _require(function, size, target.gpu)
    name = free_name(module, f"{function.sym_name}_shared")
    dynamic = size > STATIC
    if dynamic:
        function.attributes[DYNAMIC_SHARED_MEMORY] = integer32(size)
    alignment = max(ALIGNMENT, *(one.alignment for one in kernel.buffers))
    variable = GlobalOp(
        LLVMArrayType(i8, 0 if dynamic else size),
        name,
        Linkage.EXTERNAL if dynamic else Linkage.INTERNAL,
        addr_space=SHARED,
        alignment=alignment,
        initializer=Region(),
    )
    module.regions[0].blocks[0].prepend(variable)
    for one in kernel.buffers:
        _replace(one, name)


def _require(function: LLVMFuncOp, size: int, chip: Chip) -> None:
    if size > chip.shared_memory:
        message = (
            f"kernel '{function.sym_name}' needs {size} bytes of shared memory; "
            f"a block on {chip.name} has {chip.shared_memory}"
        )
        raise failure(
            codes.TOO_MUCH_SHARED_MEMORY,
            message,
            function.location,
            hint="use smaller tiles, or another GPU",
        )


def _replace(one: SharedBuffer, name: str) -> None:
    """Replace the allocation of a buffer with its address in the variable `name`."""
    op = one.op
    assert op.parent is not None
    type = LLVMPointerType(SHARED)
    base = AddressOfOp(name, result_types=(type,), location=op.lazy_location)
    address = GEPOp(
        base.res,
        (one.offset,),
        i8,
        (),
        PointerWrapFlags.NONE,
        result_types=(type,),
        location=op.lazy_location,
    )
    address.attributes[BUFFER_BYTES] = integer32(one.size)
    if one.is_ring:
        address.attributes[RING] = UNIT
    op.parent.insert_before(op, base)
    op.parent.insert_before(op, address)
    op.res.replace_all_uses_with(address.res)
    op.erase()
