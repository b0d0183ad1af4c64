"""Memory of a tile block, allocated from the heap of the device, because any thread may access all of it.

The first thread calls the driver's allocator, and all others get the address through shared memory. At the
end of the block of operations there is a barrier, and the first thread frees the memory.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tilewright.dialects.llvm.ops import arithmetic as llvm
from tilewright.dialects.llvm.ops.control import CallOp
from tilewright.dialects.llvm.ops.conversion import AddrSpaceCastOp, IntToPtrOp
from tilewright.dialects.llvm.types import LLVMFunctionType, LLVMPointerType, LLVMVoidType
from tilewright.dialects.nv_tileaa.ops.memory import AllocateOp
from tilewright.ir.attribute import Type
from tilewright.ir.builder import InsertionPoint
from tilewright.ir.builtin_types import i64
from tilewright.ir.declaration.traits import Terminator
from tilewright.ir.value import Value
from tilewright.lowering.llvm_types.converter import LLVMTypeConverter
from tilewright.lowering.tileas.conversions.movements import ElementMovement
from tilewright.lowering.upstream_to_llvm.patterns import declare_function
from tilewright.rewrite.conversion.pattern import Adaptor
from tilewright.rewrite.pattern_set import RewritePatternSet
from tilewright.targets.elements.element_types import size_of
from tilewright.targets.llvm.code import POINTER
from tilewright.targets.nvptx.tileas_to_nvvm.accesses import (
    EVERYWHERE,
    emit_barrier,
    guarded,
    is_first_holder,
)
from tilewright.targets.nvptx.tileas_to_nvvm.code import PatternCode
from tilewright.targets.nvptx.tileas_to_nvvm.exchange import exchanged
from tilewright.targets.nvptx.tileas_to_nvvm.messages import report_failure
from tilewright.targets.nvptx.tileas_to_nvvm.pattern import Registers, ThreadPattern
from tilewright.targets.nvptx.tileas_to_nvvm.program import GLOBAL

TAKE, GIVE_BACK = "malloc", "free"
"""The functions that the driver adds to every module."""
ALIGNMENT = 16
"""The alignment of addresses from the heap in bytes."""
NO_MEMORY = "the heap of the device has no memory left for a tile block"


class AllocateLowering(ThreadPattern[AllocateOp]):
    """Lower allocations: the first thread takes memory from the heap of the device, all others get the
    address through shared memory, and the first thread frees the memory at the end of the block of
    operations, after a barrier.
    """

    def lower(self, op: AllocateOp, at: Adaptor, code: PatternCode) -> Sequence[Registers]:
        block = op.parent
        assert block is not None, "operations that are lowered stand in blocks"
        end = next(one for one in block.ops if one.has_trait(Terminator))  # later operations replace it

        def take() -> Sequence[Value]:
            return [self._heap_memory(op, code)]

        nowhere = [code.integer(0, i64)]
        (taken,) = self._by_first(code, [i64], take, nowhere)
        alone = exchanged(code, op, ElementMovement(EVERYWHERE, EVERYWHERE, size_of(i64)), [taken], i64)
        with code.rewriter.at(InsertionPoint.before(end)):
            emit_barrier(code)
            self._by_first(code, [], lambda: self._given_back(op, code, taken))
        place = code(IntToPtrOp, self._aligned(code, alone[0], op.alignment), type=POINTER)
        return [[code(AddrSpaceCastOp, place, type=LLVMPointerType(GLOBAL))]]

    def _by_first(
        self,
        code: PatternCode,
        types: Sequence[Type],
        body: Callable[[], Sequence[Value]],
        other: Registers = (),
    ) -> Registers:
        return guarded(code, is_first_holder(code, EVERYWHERE.threads), types, body, other)

    def _heap_memory(self, op: AllocateOp, code: PatternCode) -> Value:
        """Return the address of new memory from the heap, as an integer; it has enough bytes to be aligned.
        The kernel stops with a failure if there is no memory.
        """
        spare = op.alignment if op.alignment > ALIGNMENT else 0
        name = declare_function(code.rewriter, op, TAKE, LLVMFunctionType(POINTER, (i64,)))
        size = code.integer(op.size + spare, i64)
        taken = code.bits(code(CallOp, (), (size,), callee=name, type=POINTER))

        def fail() -> Sequence[Value]:
            report_failure(code, op, NO_MEMORY)
            return []

        guarded(code, code.compare_integers("eq", taken, code.integer(0, i64)), [], fail)
        return taken

    def _aligned(self, code: PatternCode, place: Value, alignment: int) -> Value:
        if alignment <= ALIGNMENT:
            return place
        return code(llvm.AndOp, code.plus(place, alignment - 1), code.integer(-alignment, i64))

    def _given_back(self, op: AllocateOp, code: PatternCode, taken: Value) -> Sequence[Value]:
        type = LLVMFunctionType(LLVMVoidType(), (POINTER,))
        name = declare_function(code.rewriter, op, GIVE_BACK, type)
        code.effect(CallOp, (), (code(IntToPtrOp, taken, type=POINTER),), callee=name, result_types=[])
        return []


def populate_allocations(patterns: RewritePatternSet, converter: LLVMTypeConverter) -> None:
    """Add the patterns of this file."""
    patterns.add(AllocateLowering(converter))
