"""`convert-gpu-to-nvvm`: matrix products of `nvgpu`, and numbers and barriers of `gpu`, become operations of `nvvm`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tilewright.dialects.builtin.dialect import UnrealizedConversionCastOp
from tilewright.ir.operation import Operation
from tilewright.lowering import pattern
from tilewright.lowering.cute_to_nvvm.products import populate_products
from tilewright.lowering.cute_to_nvvm.registers import ChipGate, populate_registers, target_on_gpu
from tilewright.lowering.llvm_types.converter import LLVMOptions, LLVMTypeConverter
from tilewright.passes.pass_ import Pass, PassState
from tilewright.rewrite.conversion.driver import ConversionConfig
from tilewright.rewrite.conversion.target import ConversionTarget
from tilewright.rewrite.pattern_set import RewritePatternSet


@dataclass(frozen=True)
class ConvertGPUToNVVM(Pass):
    """Converts `gpu` and `nvgpu` to `nvvm`.

    A fragment of a matrix, a vector of rank 2, becomes the registers that hold it: several values replace one
    vector. Indices and sizes of blocks and threads are read from special registers. Operations without an
    instruction on the chip, and operations of the host, such as launches, are errors. Unrealized casts are
    left for `reconcile-unrealized-casts`.
    """

    name: ClassVar[str] = "convert-gpu-to-nvvm"
    dependent_dialects: ClassVar[tuple[str, ...]] = ("llvm", "nvvm", "nvgpu", "gpu")

    def run(self, op: Operation, state: PassState) -> None:
        target = target_on_gpu(op)
        options = LLVMOptions(elements=target.elements, fragments=True)
        converter = LLVMTypeConverter(state.context, options)
        patterns = RewritePatternSet(state.context)
        populate_registers(patterns, converter, ChipGate(target))
        populate_products(patterns, converter)
        wanted = ConversionTarget().add_illegal_dialect("gpu", "nvgpu").add_legal_dialect("llvm", "nvvm")
        wanted.add_legal(UnrealizedConversionCastOp)
        config = ConversionConfig(type_converter=converter)
        pattern.convert(op, state, wanted, patterns, config)
