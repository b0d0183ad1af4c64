"""Loops in which a tile block only waits for other tile blocks: a spin lock, a grid barrier, a flag.

Such a loop only reads memory that other tile blocks write, with ordered accesses. The launch counts the
waiting tile blocks, so that it can start more tile blocks if all wait. In each iteration a tile block yields
to other threads, and tests whether the launch was stopped: the awaited tile block may never run then.
"""

from __future__ import annotations

from tilewright.dialects.llvm.enums import AtomicBinaryOperation, AtomicOrdering
from tilewright.dialects.llvm.ops import control as llvm_control, memory as llvm_memory
from tilewright.dialects.llvm.ops.symbol import LLVMFuncOp
from tilewright.dialects.llvm.types import LLVMFunctionType
from tilewright.dialects.scf.ops_loop import IfOp, WhileOp
from tilewright.ir.block import Region
from tilewright.ir.builtin_types import i32, i64
from tilewright.ir.declaration.traits import Pure
from tilewright.ir.operation import Operation
from tilewright.runtime.context import STOP, WAITING, ReportSite
from tilewright.targets.cpu.facts.access_operations import LOADS, UPDATES, needs_order
from tilewright.targets.cpu.nest.block_code import BlockCode

KIND = "wait"
"""The kind of the `ReportSite` of such a loop."""
YIELD = "sched_yield"
"""The function of the C library that yields to another thread."""


def is_waiting(loop: Operation) -> bool:
    """Return whether `loop` is an `scf.while` that only waits for other tile blocks: it has ordered loads or
    atomic updates of memory, and its other operations are pure, terminators or branches.
    """
    inside = [op for op in loop.walk() if op is not loop and not isinstance(op, IfOp)]
    looks = [op for op in inside if _looks(op)]
    return isinstance(loop, WhileOp) and bool(looks) and all(op in looks or _is_harmless(op) for op in inside)


def _looks(op: Operation) -> bool:
    return op.__class__ in UPDATES or (op.__class__ in LOADS and needs_order(op))


def _is_harmless(op: Operation) -> bool:
    return (op.kind.has_trait(Pure) and not op.regions) or op.kind.is_terminator


def waits(function: Operation) -> bool:
    """Return whether a kernel has a loop in which a tile block only waits for others (`is_waiting`)."""
    return any(isinstance(op, WhileOp) and is_waiting(op) for op in function.walk())


def begin(emit: BlockCode, op: Operation) -> None:
    """Emit the begin of a wait in the loop `op`: increment the number of waiting tile blocks. The loop
    becomes a site of the kernel.
    """
    emit.sites.append(ReportSite(KIND, "", op.location))
    _count(emit, AtomicBinaryOperation.ADD)


def end(emit: BlockCode) -> None:
    """Emit the end of a wait: decrement the number of waiting tile blocks."""
    _count(emit, AtomicBinaryOperation.SUB)


def round_begins(emit: BlockCode) -> None:
    """Emit the begin of an iteration of a waiting loop: yield to other threads, and end the tile block if the
    launch was stopped.
    """
    code = emit.code
    code.effect(llvm_control.CallOp, (), [], callee=YIELD, result_types=[i32])
    counter = code.load(emit.context, i64, 8, ordering=AtomicOrdering.MONOTONIC)
    stopped, go_on = code.new_block(), code.new_block()
    code.fork(code.compare("sge", counter, STOP), stopped, go_on)
    code.enter(stopped)
    end(emit)
    code.jump(emit.abandon)
    code.enter(go_on)


def _count(emit: BlockCode, mode: AtomicBinaryOperation) -> None:
    code = emit.code
    code(
        llvm_memory.AtomicRMWOp,
        mode,
        code.address(emit.context, WAITING),
        code.integer(1),
        AtomicOrdering.MONOTONIC,
        alignment=8,
    )


def declaration() -> LLVMFuncOp:
    """Return the declaration of the function that each iteration calls."""
    return LLVMFuncOp(sym_name=YIELD, function_type=LLVMFunctionType(i32, ()), body=Region(), no_unwind=True)
