"""GPUs as a back end of the body conversion to LLVM: one conversion, whose patterns turn a tile into
registers of a thread.
"""

from __future__ import annotations

from collections.abc import Mapping, Set as AbstractSet
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from tilewright.dialects.builtin.dialect import UnrealizedConversionCastOp
from tilewright.dialects.llvm.ops.symbol import LLVMFuncOp
from tilewright.dialects.nv_tileaa.ops.memory import AccessOp
from tilewright.dialects.nv_tileas import ops_tile as tileas_tile, types as tileas_types
from tilewright.ir import builtin_attributes, builtin_types, diagnostic
from tilewright.ir.operation import Operation
from tilewright.lowering import capability as lowering_capability, pattern as conversion, target_facts
from tilewright.lowering.access_facts.neighbours import copies, plan
from tilewright.lowering.tileas_to_llvm.phases import BodyState, Step, convert_to_llvm
from tilewright.lowering.upstream_to_llvm.everything import populate_all
from tilewright.passes.pass_ import Pass, PassState
from tilewright.rewrite.conversion.driver import ConversionConfig
from tilewright.rewrite.conversion.target import ConversionTarget
from tilewright.rewrite.pattern_set import RewritePatternSet
from tilewright.targets.elements.lanes import mark_unseen
from tilewright.targets.elements.math import library
from tilewright.targets.elements.run_time_library import NativeInstructions
from tilewright.targets.nvptx import codes, instructions as nvptx_instructions
from tilewright.targets.nvptx.pipelines.rings import rings_of
from tilewright.targets.nvptx.tileas_to_nvvm import allocations, atomics as tileas_to_nvvm_atomics
from tilewright.targets.nvptx.tileas_to_nvvm.accesses import populate_accesses, wanted_registers
from tilewright.targets.nvptx.tileas_to_nvvm.aggregates import reductions, scans
from tilewright.targets.nvptx.tileas_to_nvvm.elementwise import populate_elementwise
from tilewright.targets.nvptx.tileas_to_nvvm.exchange import populate_exchanges
from tilewright.targets.nvptx.tileas_to_nvvm.large import arrays as large_arrays, scans as large_scans
from tilewright.targets.nvptx.tileas_to_nvvm.matrix import populate_matrix_products
from tilewright.targets.nvptx.tileas_to_nvvm.messages import populate_messages
from tilewright.targets.nvptx.tileas_to_nvvm.multimem import populate_multimem
from tilewright.targets.nvptx.tileas_to_nvvm.narrow_floats import populate_narrow_floats
from tilewright.targets.nvptx.tileas_to_nvvm.pattern import registers_of
from tilewright.targets.nvptx.tileas_to_nvvm.pipelines import (
    IN_STAGES,
    populate_pipelines,
    ring_of,
)
from tilewright.targets.nvptx.tileas_to_nvvm.products import populate_products
from tilewright.targets.nvptx.tileas_to_nvvm.program import populate_program
from tilewright.targets.nvptx.tileas_to_nvvm.slices import populate_slices

TILES = ("nv_tileaa", "nv_tileas")
"""The source dialects of the conversion; an operation of them without a pattern is refused by name."""
NVVM_KERNEL = "nvvm.kernel"
"""The attribute of functions that can be launched."""


class NvptxBackEnd:
    """The `BackEnd` for GPUs: converts the bodies of kernels, whose tiles have layouts, to the code of one
    thread.
    """

    @property
    def name(self) -> str:
        """Return the name of the back end for messages."""
        return "GPUs"

    @property
    def dialects(self) -> frozenset[str]:
        """Return the dialects of the generated code: `llvm` and `nvvm`."""
        return frozenset({"llvm", "nvvm"})

    @property
    def companions(self) -> frozenset[str]:
        """Return the dialects that `convert-cute-to-nvgpu` and `convert-gpu-to-nvvm` convert: copies,
        barriers, thread numbers.
        """
        return frozenset({"cutlass", "cute_nvgpu", "cute", "nvgpu", "gpu"})

    def makes_code_for(self, target: lowering_capability.Capability) -> bool:
        """Return whether `target` is a GPU: it is not the host."""
        return not target.is_host

    def steps(self) -> Mapping[str, Step]:
        """Return the phases: convert everything at once, so that loops and branches carry registers; then add
        functions.
        """
        return {"main": convert_body, "functions": add_functions}


def add_functions(state: BodyState) -> None:
    """Add the definitions of the library functions that kernels call, and mark kernels with NVVM's attribute."""
    library.link(state.module, nvptx_instructions.NATIVE)
    for op in state.module.walk():
        if type(op) is LLVMFuncOp and target_facts.KERNEL in op.held_attributes:
            op.attributes[NVVM_KERNEL] = builtin_attributes.UNIT


def convert_body(state: BodyState) -> None:
    """Convert kernels and their operations.

    Raises:
        DiagnosticError: an operation has no form on GPUs.
    """
    state.converter.add_conversion(builtin_types.RankedTensorType, registers_of)
    state.converter.add_conversion(tileas_types.PipelineType, ring_of)
    patterns, neighbours = RewritePatternSet(state.passes.context), plan(state.module)
    instructions = _instructions(state)
    for populate in (
        partial(populate_narrow_floats, native=instructions),
        partial(populate_elementwise, native=instructions),
        partial(populate_program, wanted=wanted_registers(state.module, neighbours)),
        partial(populate_accesses, neighbours=neighbours, partial=copies(state.module)),
        partial(populate_multimem, neighbours=neighbours),
        tileas_to_nvvm_atomics.populate_atomics,
        allocations.populate_allocations,
        populate_messages,
        populate_exchanges,
        populate_matrix_products,
        reductions.populate_reductions,
        scans.populate_scans,
        populate_slices,
        partial(large_arrays.populate_arrays, runs=large_arrays.runs_of_arrays(state.module)),
        large_scans.populate_scans_of_arrays,
        populate_products,
        partial(populate_pipelines, rings=rings_of(state.module)),
        populate_all,
    ):
        populate(patterns, state.converter)
    require_unchecked(state)
    require_known(state, {pattern.root for pattern in patterns} | {tileas_tile.YieldOp, *IN_STAGES})
    target = (
        ConversionTarget().add_legal_dialect(*sorted(state.dialects)).add_legal(UnrealizedConversionCastOp)
    )
    config = ConversionConfig(type_converter=state.converter)
    conversion.convert(state.module, state.passes, target, patterns, config)


def _instructions(state: BodyState) -> NativeInstructions:
    gpu = state.target.gpu
    return nvptx_instructions.NATIVE if gpu is None else nvptx_instructions.instructions_of(gpu)


def require_known(state: BodyState, roots: AbstractSet[object]) -> None:
    """Raise `DiagnosticError` with all operations on tiles whose classes are not in `roots`, the classes with
    patterns.
    """
    unknown = [op for op in state.module.walk() if op.kind.dialect in TILES and op.__class__ not in roots]
    if unknown:
        raise diagnostic.DiagnosticError([_without_form(op, state.target.chip) for op in unknown])


def require_unchecked(state: BodyState) -> None:
    """Raise `DiagnosticError` if an access requests run-time checks: only the simulator has the addresses of
    all accesses.
    """
    found = (op for op in state.module.walk() if isinstance(op, AccessOp) and op.checks)
    checked = next(found, None)
    if checked is not None:
        message = f"'{checked.name}' is to be checked ({', '.join(checked.checks or ())}), which code for GPUs does not support"
        hint = "the simulator makes these checks of every access: launch with a target such as 'sim:sm_80'"
        raise diagnostic.failure(codes.NO_GPU_FORM, message, checked.location, hint=hint)


def _without_form(op: Operation, chip: str) -> diagnostic.Diagnostic:
    message = f"'{op.name}' has no form on {chip}"
    found = diagnostic.Diagnostic(diagnostic.Severity.ERROR, message, op.location, codes.NO_GPU_FORM)
    return found.hint("compile for the processor (target 'cpu'), which has a form for it")


@dataclass(frozen=True)
class ConvertTileASToNVVM(Pass):
    """Convert kernels for GPUs, whose tiles have layouts, to the code of one thread.

    A tile becomes registers of the thread. Arithmetic becomes `llvm`; copies between memory and registers
    become `cute`, the barriers of an exchange `cutlass`, numbers of threads and blocks `gpu`. The passes
    `convert-cute-to-nvgpu` and `convert-gpu-to-nvvm` lower the latter.
    """

    name: ClassVar[str] = "convert-nv-tileas-to-nvvm"
    dependent_dialects: ClassVar[tuple[str, ...]] = (
        *("llvm", "nvvm", "cf", "arith", "scf"),
        *("cutlass", "cute_nvgpu", "cute", "gpu"),
    )

    def run(self, op: Operation, state: PassState) -> None:
        mark_unseen(op)
        convert_to_llvm(op, state, NvptxBackEnd())
