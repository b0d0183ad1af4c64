"""`convert-cute-to-nvgpu`: copies, matrix instructions and barriers of CuTe become loads, stores, `nvgpu` and `gpu`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tilewright.dialects.builtin.dialect import UnrealizedConversionCastOp
from tilewright.dialects.cutlass.dialect import ArriveAndWaitOp
from tilewright.dialects.gpu.ops_thread import BarrierOp
from tilewright.dialects.llvm.ops.aggregate import ConstantOp
from tilewright.dialects.nvvm.ops import barrier as nvvm
from tilewright.ir.builtin_attributes import IntegerAttr
from tilewright.ir.builtin_types import i32
from tilewright.ir.operation import Operation
from tilewright.lowering import inserting, pattern
from tilewright.lowering.cute_to_nvvm import copies as cute_to_nvvm_copies, matrices
from tilewright.lowering.cute_to_nvvm.registers import ChipGate, target_on_gpu
from tilewright.lowering.llvm_types.converter import LLVMOptions, LLVMTypeConverter
from tilewright.passes.pass_ import Pass, PassState
from tilewright.rewrite.conversion.driver import ConversionConfig
from tilewright.rewrite.conversion.pattern import Adaptor, ConversionPattern
from tilewright.rewrite.conversion.rewriter import ConversionRewriter
from tilewright.rewrite.conversion.target import ConversionTarget
from tilewright.rewrite.pattern_set import RewritePatternSet


class NamedBarrier(ConversionPattern[ArriveAndWaitOp]):
    """Converts a barrier of threads: barrier 0 of all threads of the block to `gpu.barrier`, other barriers
    to `nvvm.barrier` with their number and, if it is given, the number of threads.
    """

    def match(self, op: ArriveAndWaitOp) -> None:
        """Match every barrier: all of them can be converted."""

    def rewrite(self, op: ArriveAndWaitOp, adaptor: Adaptor, rewriter: ConversionRewriter) -> None:
        emit = inserting.RewritingInserter(rewriter, op.lazy_location)
        if not op.barrier_id and op.threads is None:
            own = {field.ir_name for field in op.kind.attributes}
            kept = {name: value for name, value in op.held_attributes.items() if name not in own}
            emit.insert(BarrierOp, attributes=kept)
        else:
            number = emit(ConstantOp, IntegerAttr(i32, op.barrier_id), type=i32)
            threads = None
            if op.threads is not None:
                threads = emit(ConstantOp, IntegerAttr(i32, op.threads), type=i32)
            emit.insert(nvvm.BarrierOp, number, threads, result_types=[])
        rewriter.replace(op, [])


def populate_barriers(patterns: RewritePatternSet) -> None:
    """Add the pattern for barriers to `patterns`."""
    patterns.add(NamedBarrier())


CUTE = ("cutlass", "cute_nvgpu", "cute")
"""The dialects that are converted completely, in the order in which they are loaded."""
MADE = ("llvm", "nvvm", "nvgpu", "gpu")


@dataclass(frozen=True)
class ConvertCuteToNVGPU(Pass):
    """Converts copies, matrix instructions and barriers of `cute`, `cute_nvgpu` and `cutlass`.

    A copy of at most 128 bits becomes one load or store, of `llvm`, or of `nvvm` if it has a predicate; a
    larger copy is split into halves first. A matrix product becomes `nvgpu.mma.sync`, a load of matrices
    `nvvm.ldmatrix`. A barrier of all threads of the block becomes `gpu.barrier`, another barrier
    `nvvm.barrier`. An operation without an instruction on the chip is an error, which names the operation and
    the chip. Unrealized casts to pointers of `llvm` are left for `reconcile-unrealized-casts`.
    """

    name: ClassVar[str] = "convert-cute-to-nvgpu"
    dependent_dialects: ClassVar[tuple[str, ...]] = (*CUTE, *MADE)

    def run(self, op: Operation, state: PassState) -> None:
        target = target_on_gpu(op)
        converter = LLVMTypeConverter(state.context, LLVMOptions(elements=target.elements))
        patterns = RewritePatternSet(state.context)
        cute_to_nvvm_copies.populate_copies(patterns, converter)
        populate_barriers(patterns)
        matrices.populate_matrices(patterns, converter, ChipGate(target))
        wanted = ConversionTarget().add_illegal_dialect(*CUTE).add_legal_dialect(*MADE)
        wanted.add_legal(UnrealizedConversionCastOp)
        config = ConversionConfig(type_converter=converter)
        pattern.convert(op, state, wanted, patterns, config)
