"""`nvvm-allocate-shared-memory`: assigns offsets to exchange buffers, and removes unneeded barriers.

A buffer is live from its allocation to its last access, and until the next barrier of all threads. Buffers
that are live at the same time do not overlap; others may. Fewer barriers make buffers live longer. The first
plan removes the barriers that are unneeded if no buffers overlap, which leaves a barrier for each exchange
and needs the memory of two exchanges. If it exceeds the static shared memory of a kernel, the second plan
keeps all barriers that sharing needs. In both, a ring of a pipeline shares memory with rings of other pipelines only.
If that exceeds what the chip has, the third plan lets exchanges before and after a loop use the memory of its ring.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from tilewright.dialects.common.chips import Chip
from tilewright.dialects.llvm import enums as llvm_enums, types as llvm_types
from tilewright.dialects.llvm.ops import aggregate as llvm_aggregate, memory as llvm_memory
from tilewright.dialects.llvm.ops.symbol import GlobalOp, LLVMFuncOp
from tilewright.ir import block as ir_block, builtin_attributes, builtin_types, diagnostic
from tilewright.ir.operation import Operation
from tilewright.lowering.capability import Capability
from tilewright.lowering.target_facts import target_of
from tilewright.lowering.upstream_to_llvm.patterns import free_name
from tilewright.passes.pass_ import Pass, PassState
from tilewright.targets.nvptx import codes
from tilewright.targets.nvptx.shared_memory import barriers, flow, model as shared_memory_model

STATIC = 48 << 10
"""The maximum static shared memory of a kernel on every GPU in bytes; a launch must request more."""
DYNAMIC_SHARED_MEMORY = "tilewright.dynamic_shared_memory"
"""The attribute of kernels with the bytes of shared memory that a launch must request."""
ALIGNMENT = 16
"""The minimum alignment of a kernel's shared memory in bytes."""


@dataclass(frozen=True)
class AllocateSharedMemory(Pass):
    """Assigns offsets to the buffers of exchanges (`llvm.alloca` in shared memory), and removes unneeded
    barriers. Raises `DiagnosticError` for a kernel that needs more shared memory than its chip has.

    All buffers of a kernel are in a single variable. Up to 48 KiB are declared; for more, the variable is
    external, and the launch must request the number of bytes in the attribute
    `tilewright.dynamic_shared_memory`.
    """

    name: ClassVar[str] = "nvvm-allocate-shared-memory"
    dependent_dialects: ClassVar[tuple[str, ...]] = ("llvm",)

    def run(self, op: Operation, state: PassState) -> None:
        target = target_of(op)
        for function in shared_memory_model.defined_functions(op):
            state.count("num-barriers-removed", allocate_buffers(op, function, target))


def allocate_buffers(module: Operation, function: LLVMFuncOp, target: Capability | None) -> int:
    """Allocate the buffers of a function and remove its unneeded barriers. Returns the number of removed
    barriers.

    Raises `DiagnosticError` for a kernel that needs more shared memory than its chip has.
    """
    kernel = shared_memory_model.kernel_of(function)
    flow.add_landings(kernel)
    dropped = planned(kernel, STATIC if target is None or target.gpu is None else target.gpu.shared_memory)
    for event in dropped:
        event.op.erase()
    for event in kernel.barriers:
        event.op.attributes.pop(shared_memory_model.EXCHANGE, None)
        event.op.attributes.pop(shared_memory_model.RING, None)
    if kernel.buffers:
        _declare(module, kernel, target)
    return len(dropped)


def planned(kernel: shared_memory_model.KernelBlocks, most: int) -> set[shared_memory_model.MemoryEvent]:
    """Assign an offset to every buffer, within `most` bytes if possible. Return the barriers that are
    unneeded with these offsets; they are not removed.
    """
    assign_offsets(kernel, barriers.needless(kernel, barriers.access_bits(kernel.buffers)))
    if extent(kernel) > STATIC:
        assign_offsets(kernel, set())
    if extent(kernel) > most:
        assign_offsets(kernel, set(), rings_apart=False)
    return barriers.needless(kernel, barriers.partners(kernel.buffers))


def extent(kernel: shared_memory_model.KernelBlocks) -> int:
    """Return the size in bytes of the memory that holds all buffers at their assigned offsets; 0 without
    buffers.
    """
    return max((one.offset + one.size for one in kernel.buffers), default=0)


def assign_offsets(
    kernel: shared_memory_model.KernelBlocks,
    dropped: set[shared_memory_model.MemoryEvent],
    *,
    rings_apart: bool = True,
) -> None:
    """Assign to every buffer the lowest offset without overlap with conflicting buffers, large buffers first.
    The barriers `dropped` are taken to be removed. With `rings_apart`, rings conflict with all buffers that
    are not rings.
    """
    meet = conflicts(kernel, lambda event: event not in dropped, rings_apart)
    done: list[shared_memory_model.SharedBuffer] = []
    for one in sorted(kernel.buffers, key=lambda one: (-one.size, one.number)):
        others = [other for other in done if meet[one.number] >> other.number & 1]
        one.offset = _lowest(one, others)
        done.append(one)


def _lowest(one: shared_memory_model.SharedBuffer, others: list[shared_memory_model.SharedBuffer]) -> int:
    offset = 0
    for other in sorted(others, key=lambda other: other.offset):
        if offset + one.size <= other.offset:
            break
        offset = max(offset, -(-(other.offset + other.size) // one.alignment) * one.alignment)
    return offset


def conflicts(
    kernel: shared_memory_model.KernelBlocks,
    kept: Callable[[shared_memory_model.MemoryEvent], bool],
    rings_apart: bool,
) -> list[int]:
    """Return for each buffer the bit set of the indices of conflicting buffers, which are live where it is
    accessed, or accessed where it is live. Rings of two pipelines do not conflict, rings of one do; with
    `rings_apart`, rings conflict with all other buffers. `kept` returns whether a barrier stays.
    """
    found = [0] * len(kernel.buffers)
    for event, held in (
        *flow.forwards(kernel, flow.since_barrier(kept)),
        *flow.backwards(kernel, flow.still_used),
    ):
        for number in flow.numbers(event.touches | event.fills):
            for other in flow.numbers(held):
                found[number] |= 1 << other
                found[other] |= 1 << number
    for one in kernel.buffers:
        for other in kernel.buffers:
            bit = 1 << other.number
            if one.is_ring and other.is_ring:
                found[one.number] = found[one.number] & ~bit | (bit if one.pipeline == other.pipeline else 0)
            elif rings_apart and (one.is_ring or other.is_ring):
                found[one.number] |= bit
    return found


# --- the variable


def _declare(module: Operation, kernel: shared_memory_model.KernelBlocks, target: Capability | None) -> None:
    """Declare a variable for all buffers of a kernel and replace their allocations. Raises `DiagnosticError`
    if it is too large.
    """
    size, function = extent(kernel), kernel.function
    if target is not None and target.gpu is not None:
        _require(function, size, target.gpu)
    name = free_name(module, f"{function.sym_name}_shared")
    dynamic = size > STATIC
    if dynamic:
        function.attributes[DYNAMIC_SHARED_MEMORY] = builtin_attributes.integer32(size)
    alignment = max(ALIGNMENT, *(one.alignment for one in kernel.buffers))
    variable = GlobalOp(
        llvm_types.LLVMArrayType(builtin_types.i8, 0 if dynamic else size),
        name,
        llvm_enums.Linkage.EXTERNAL if dynamic else llvm_enums.Linkage.INTERNAL,
        addr_space=shared_memory_model.SHARED,
        alignment=alignment,
        initializer=ir_block.Region(),
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
        raise diagnostic.failure(
            codes.TOO_MUCH_SHARED_MEMORY,
            message,
            function.location,
            hint="use smaller tiles, or another GPU",
        )


def _replace(one: shared_memory_model.SharedBuffer, name: str) -> None:
    """Replace the `alloca` of the buffer `one` with a pointer to its offset in the shared variable `name`.
    The pointer has the size of the buffer, and whether it is a ring, as attributes.
    """
    op = one.op
    assert op.parent is not None
    type = llvm_types.LLVMPointerType(shared_memory_model.SHARED)
    base = llvm_aggregate.AddressOfOp(name, result_types=(type,), location=op.lazy_location)
    address = llvm_memory.GEPOp(
        base.res,
        (one.offset,),
        builtin_types.i8,
        (),
        llvm_enums.PointerWrapFlags.NONE,
        result_types=(type,),
        location=op.lazy_location,
    )
    address.attributes[shared_memory_model.BUFFER_BYTES] = builtin_attributes.integer32(one.size)
    if one.is_ring:
        address.attributes[shared_memory_model.RING] = builtin_attributes.UNIT
    op.parent.insert_before(op, base)
    op.parent.insert_before(op, address)
    op.res.replace_all_uses_with(address.res)
    op.erase()
