"""`nvvm-allocate-shared-memory`: where the buffers of exchanges lie, and which barriers are left.

A buffer is in use from where it begins to its last access, and until all threads have met behind that.  Buffers that are in use
at the same time lie apart; others may share bytes.  With fewer barriers buffers are in use for longer: the first plan takes away
the barriers that nothing would need if all buffers lay apart, which leaves one barrier for each exchange and takes the memory of
two; if that is more than a kernel has without being asked, the second plan keeps all barriers that sharing asks for.
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
from tilewright.ir.builtin_attributes import integer32
from tilewright.ir.builtin_types import i8
from tilewright.ir.diagnostic import failure
from tilewright.ir.operation import Operation
from tilewright.lowering.capability import Capability
from tilewright.lowering.target_facts import target_of
from tilewright.lowering.upstream_to_llvm.symbols import free_name
from tilewright.passes.pass_ import Pass, PassState
from tilewright.targets.nvptx import codes
from tilewright.targets.nvptx.shared.barriers import apart, needless, partners
from tilewright.targets.nvptx.shared.flow import backwards, forwards, numbers, since_barrier, still_used
from tilewright.targets.nvptx.shared.model import (
    BUFFER_BYTES,
    EXCHANGE,
    SHARED,
    Buffer,
    Event,
    Kernel,
    defined_functions,
    kernel_of,
)

STATIC = 48 << 10
"""Bytes of shared memory that a kernel may declare on every GPU; more has to be asked for by the launch."""
DYNAMIC_SHARED_MEMORY = "tilewright.dynamic_shared_memory"
"""On kernels: the bytes of shared memory that a launch has to ask for."""
ALIGNMENT = 16
"""Of the memory of a kernel, in bytes, if no buffer asks for more."""


@dataclass(frozen=True)
class AllocateSharedMemory(Pass):
    """Gives the buffers of exchanges (`llvm.alloca` in the space of shared memory) their places, and drops needless barriers.

    All buffers of a kernel lie in one variable.  Up to 48 KiB are declared; for more, the variable is external and the
    launch has to ask for the bytes that the kernel's attribute `tilewright.dynamic_shared_memory` counts.
    """

    name: ClassVar[str] = "nvvm-allocate-shared-memory"
    dependent_dialects: ClassVar[tuple[str, ...]] = ("llvm",)

    def run(self, op: Operation, state: PassState) -> None:
        target = target_of(op)
        for function in defined_functions(op):
            state.count("num-barriers-removed", settle(op, function, target))


def settle(module: Operation, function: LLVMFuncOp, target: Capability | None) -> int:
    """Place the buffers of a function and drop its needless barriers; answers how many these were.

    Raises `DiagnosticError` for a kernel that needs more than its chip has.
    """
    kernel = kernel_of(function)
    dropped = planned(kernel)
    for event in dropped:
        event.op.erase()
    for event in kernel.barriers:
        event.op.attributes.pop(EXCHANGE, None)
    if kernel.buffers:
        _declare(module, kernel, target)
    return len(dropped)


def planned(kernel: Kernel) -> set[Event]:
    """Give every buffer its offset; answers the barriers that nothing needs then."""
    place(kernel, needless(kernel, apart(kernel.buffers)))
    if extent(kernel) > STATIC:
        place(kernel, set())
    return needless(kernel, partners(kernel.buffers))


def extent(kernel: Kernel) -> int:
    """The bytes of all buffers together."""
    return max((one.offset + one.size for one in kernel.buffers), default=0)


def place(kernel: Kernel, dropped: set[Event]) -> None:
    """Give every buffer the lowest offset at which it has no byte in common with another one in use; large ones first."""
    meet = conflicts(kernel, lambda event: event not in dropped)
    done: list[Buffer] = []
    for one in sorted(kernel.buffers, key=lambda one: (-one.size, one.number)):
        others = [other for other in done if meet[one.number] >> other.number & 1]
        one.offset = _lowest(one, others)
        done.append(one)


def _lowest(one: Buffer, others: list[Buffer]) -> int:
    offset = 0
    for other in sorted(others, key=lambda other: other.offset):
        if offset + one.size <= other.offset:
            break
        offset = max(offset, -(-(other.offset + other.size) // one.alignment) * one.alignment)
    return offset


def conflicts(kernel: Kernel, kept: Callable[[Event], bool]) -> list[int]:
    """For each buffer the bits of the buffers that are in use where it is touched, or the other way round."""
    found = [0] * len(kernel.buffers)
    for event, held in (*forwards(kernel, since_barrier(kept)), *backwards(kernel, still_used)):
        for number in numbers(event.touches):
            for other in numbers(held):
                found[number] |= 1 << other
                found[other] |= 1 << number
    return found


# --- the variable


def _declare(module: Operation, kernel: Kernel, target: Capability | None) -> None:
    """Put one variable behind all buffers of a kernel."""
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
            codes.TOO_MUCH_SHARED_MEMORY, message, function.location, hint="use smaller tiles, or another GPU"
        )


def _replace(one: Buffer, name: str) -> None:
    """Put the address of a buffer in the place of the operation that asked for it."""
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
    op.parent.insert_before(op, base)
    op.parent.insert_before(op, address)
    op.res.replace_all_uses_with(address.res)
    op.erase()
