"""The CPU as a back end of the conversion of kernel bodies to LLVM.

Planning decides which tiles lie in memory, and the emitter writes the code of a kernel according to the plan.
The phase `main` runs both; back ends for GPUs use one more phase.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from tilewright.dialects.llvm import enums as llvm_enums, types as llvm_types
from tilewright.dialects.llvm.ops.symbol import GlobalOp, LLVMFuncOp
from tilewright.dialects.nv_tileaa.types import PtrType
from tilewright.ir import block as ir_block, builtin_attributes, builtin_types
from tilewright.ir.operation import Operation
from tilewright.lowering.capability import Capability
from tilewright.lowering.tileas_to_llvm.phases import BodyState, Step, convert_to_llvm
from tilewright.passes.pass_ import Pass, PassState
from tilewright.runtime.description import DESCRIPTION, KernelImage, describe
from tilewright.targets.cpu.kernel.kernel import EmittedKernel, emit_module, is_kernel
from tilewright.targets.cpu.machine import compile as machine_compile, legality, target as machine_target
from tilewright.targets.cpu.machine.host import processor
from tilewright.targets.parameters import parameter_of


def kernel_image(kernel: EmittedKernel) -> KernelImage:
    """Return the `KernelImage` of an emitted kernel, by which the runtime loads and launches it."""
    written = kernel.written
    parameters = tuple(
        parameter_of(type).replace(
            is_written=isinstance(type, PtrType) and (written is None or at in written)
        )
        for at, type in enumerate(kernel.arguments)
    )
    return KernelImage(
        kernel.name,
        machine_compile.symbol_of(kernel.name),
        parameters,
        kernel.scratch_bytes,
        kernel.sites,
        kernel.checks,
        written is None,
        kernel.user_name,
    )


class CpuBackEnd:
    """The `BackEnd` for the processor ``target``: converts kernels to functions of `llvm` in the phase
    ``main``. With ``records_times`` each tile block records when it ran, and on which thread.
    """

    def __init__(self, target: machine_target.CpuTarget, *, records_times: bool = False) -> None:
        self.target = target
        self.records_times = records_times

    @property
    def name(self) -> str:
        """Return the name of the processor."""
        return str(self.target)

    @property
    def dialects(self) -> frozenset[str]:
        """Return the dialects of the generated code: only `llvm`."""
        return frozenset({"llvm"})

    @property
    def companions(self) -> frozenset[str]:
        """Return the dialects whose remaining operations later passes convert: none, because the phase `main`
        converts everything.
        """
        return frozenset()

    def makes_code_for(self, target: Capability) -> bool:
        """Return whether `target` is a processor of the host and not a GPU."""
        return target.is_host

    def steps(self) -> Mapping[str, Step]:
        """Return the step of the phase `main`, the only phase that this back end uses."""
        return {"main": self._main}

    def _main(self, state: BodyState) -> None:
        """Replace kernels and the remaining `nv_tileaa` operations of the module by code. Other functions
        stay.
        """
        block = state.module.regions[0].block
        emitted = emit_module(state.module, self.target, records_times=self.records_times)
        for op in reversed(list(block)):
            if is_kernel(op) or op.kind.dialect == "nv_tileaa":
                op.erase()
        names = {kernel.name for kernel in emitted.kernels}
        for op in list(emitted.module.regions[0].block):
            if isinstance(op, LLVMFuncOp) and op.sym_name in names:
                op.sym_name = machine_compile.symbol_of(op.sym_name)
            block.append(op.detach())
        block.append(description(emitted.kernels))


SECTION = ".tilewright"
"""The section of object files that holds the description of their kernels. ELF loaders ignore it."""


def description(kernels: Sequence[EmittedKernel]) -> GlobalOp:
    """Return a global constant that describes how to launch `kernels`.

    The description makes a module self-contained: a loader needs nothing else to run its kernels.
    """
    text = describe(kernel_image(kernel) for kernel in kernels)
    return GlobalOp(
        llvm_types.LLVMArrayType(builtin_types.i8, len(text)),
        DESCRIPTION,
        llvm_enums.Linkage.EXTERNAL,
        constant=True,
        value=builtin_attributes.StringAttr(text),
        section=SECTION,
        initializer=ir_block.Region(),
    )


@dataclass(frozen=True)
class ConvertTileASToLLVM(Pass):
    """Convert kernels to LLVM in phases: code for a processor, then the remaining operations, then bridges.

    The pass fails if an operation survives. ``processor`` is `host` or a name from the list of processors.
    ``index-bitwidth`` is the width of ``index`` outside of kernels in bits; 0 selects the width of the
    machine. With ``record-times`` each tile block records when it ran, and on which thread.
    """

    name: ClassVar[str] = "convert-nv-tileas-to-llvm"
    dependent_dialects: ClassVar[tuple[str, ...]] = ("llvm", "cf", "arith")
    processor: str = "host"
    index_bitwidth: int = 0
    record_times: bool = False

    def run(self, op: Operation, state: PassState) -> None:
        target = processor(self.processor)
        convert_to_llvm(op, state, CpuBackEnd(target, records_times=self.record_times), self.index_bitwidth)
        legality.check_intrinsics(op, target)


@dataclass(frozen=True)
class ConvertTileASToLLVMAlias(ConvertTileASToLLVM):
    """The pass ``convert-nv-tileas-to-llvm`` under a second name, for existing pass lists."""

    name: ClassVar[str] = "convert-tileas-to-llvm"
