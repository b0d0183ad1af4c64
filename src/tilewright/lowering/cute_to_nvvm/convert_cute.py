"""`convert-cute-to-nvgpu`: copies, matrix instructions and barriers of CuTe become loads, stores, `nvgpu` and `gpu`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tilewright.dialects.builtin.ops import UnrealizedConversionCastOp
from tilewright.ir.operation import Operation
from tilewright.lowering import conversion
from tilewright.lowering.cute_to_nvvm.barriers import populate_barriers
from tilewright.lowering.cute_to_nvvm.copies import populate_copies
from tilewright.lowering.cute_to_nvvm.gates import Gate, target_on_gpu
from tilewright.lowering.cute_to_nvvm.matrices import populate_matrices
from tilewright.lowering.llvm_types.converter import LLVMOptions, LLVMTypeConverter
from tilewright.passes.pass_ import Pass, PassState
from tilewright.rewrite.conversion.driver import ConversionConfig
from tilewright.rewrite.conversion.target import ConversionTarget
from tilewright.rewrite.pattern_set import RewritePatternSet

CUTE = ("cutlass", "cute_nvgpu", "cute")
"""The dialects that are converted completely, in the order in which they are loaded."""
MADE = ("llvm", "nvvm", "nvgpu", "gpu")


@dataclass(frozen=True)
class ConvertCuteToNVGPU(Pass):
    """Converts copies, matrix instructions and barriers of `cute`, `cute_nvgpu` and `cutlass`.

    A copy becomes one load or store of `llvm` where the chip moves as many bits at once, else halves of it do.  A matrix
    product becomes `nvgpu.mma.sync`, a barrier of the block `gpu.barrier`.  What the chip does not have is refused with
    the names of the operation and the chip.  Bridges to the pointers of `llvm` stay for `reconcile-unrealized-casts`.
    """

    name: ClassVar[str] = "convert-cute-to-nvgpu"
    dependent_dialects: ClassVar[tuple[str, ...]] = (*CUTE, *MADE)

    def run(self, op: Operation, state: PassState) -> None:
        target = target_on_gpu(op)
        converter = LLVMTypeConverter(state.context, LLVMOptions(elements=target.elements))
        patterns = RewritePatternSet(state.context)
        populate_copies(patterns, converter)
        populate_barriers(patterns)
        populate_matrices(patterns, converter, Gate(target))
        wanted = ConversionTarget().add_illegal_dialect(*CUTE).add_legal_dialect(*MADE)
        wanted.add_legal(UnrealizedConversionCastOp)
        config = ConversionConfig(type_converter=converter)
        conversion.convert(op, state, wanted, patterns, config)
