"""The passes of the CPU; what they need is imported when one runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tilewright.ir.operation import Operation
from tilewright.passes.pass_ import Pass, PassState


@dataclass(frozen=True)
class ConvertTileASToLLVM(Pass):
    """Converts kernels to LLVM in phases: code for a processor, then what is left, then bridges; survivors fail it.

    ``processor`` is `host` or a name from the list of processors.  ``index-bitwidth`` is the width of ``index`` outside
    of kernels, 0 for that of the machine.
    """

    name: ClassVar[str] = "convert-nv-tileas-to-llvm"
    dependent_dialects: ClassVar[tuple[str, ...]] = ("llvm", "cf", "arith")
    processor: str = "host"
    index_bitwidth: int = 0

    def run(self, op: Operation, state: PassState) -> None:
        from tilewright.lowering.tileas_to_llvm import convert_to_llvm
        from tilewright.targets.cpu.body import CpuBackEnd
        from tilewright.targets.cpu.host import processor

        convert_to_llvm(op, state, CpuBackEnd(processor(self.processor)), self.index_bitwidth)


@dataclass(frozen=True)
class ConvertTileASToLLVMAlias(ConvertTileASToLLVM):
    """Another spelling of ``convert-nv-tileas-to-llvm``, as pass lists have it."""

    name: ClassVar[str] = "convert-tileas-to-llvm"


PASSES: tuple[type[Pass], ...] = (ConvertTileASToLLVM, ConvertTileASToLLVMAlias)
"""What start-up publishes."""
