"""The stages of the CPU after TileAS, and the CPU's other contributions to the compiler: one row of the table
of targets.

This file imports only modules that a command needs to list stages and options.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from tilewright.targets.cpu.text import check_triple, is_llvm_ir, kernels_of
from tilewright.targets.stage import Compilation, Stage, TargetHooks, TargetOption

if TYPE_CHECKING:
    from tilewright.ir.operation import Operation
    from tilewright.runtime.description import KernelImage
    from tilewright.targets.cpu.machine import compile as machine_compile, target as machine_target
    from tilewright.targets.cpu.plan.schedule import StepSpan


def to_llvm(compilation: Compilation, module: Operation) -> Operation:
    """Return the module of the `llvm` dialect for a module of TileAS: its tiles become loops over elements.
    The given module is not changed. Raises `DiagnosticError` for an unknown processor, and for an operation
    that has no form on the CPU.
    """
    from tilewright.targets.cpu.machine.host import HOST

    _processor(compilation)  # an unknown name is told as it was given
    cpu, records_times = compilation.option("cpu"), compilation.option("record_times")
    options = [f"processor={cpu}"] if cpu != HOST else []
    options += ["record-times=true"] if records_times else []
    given = f"{{{' '.join(options)}}}" if options else ""
    pipeline = f"convert-nv-tileas-to-llvm{given},split-long-functions"
    return compilation.run_passes(module.clone(), pipeline, "convert to llvm")


def as_plan(compilation: Compilation, module: Operation) -> str:
    """Return the plans of the kernels as text for people. Raises `DiagnosticError` for an unknown processor,
    and for an operation that has no form on the CPU.
    """
    from tilewright.targets.cpu.kernel.kernel import plan_module
    from tilewright.targets.cpu.plan.printing import as_text

    return as_text(plan_module(module, _processor(compilation)), module)


def schedule_of(compilation: Compilation, module: Operation) -> list[StepSpan]:
    """Return the steps of the plans of the kernels, in order. Raises `DiagnosticError` as `as_plan` does."""
    from tilewright.targets.cpu.kernel.kernel import plan_module
    from tilewright.targets.cpu.plan.schedule import schedule

    return schedule(plan_module(module, _processor(compilation)), module)


def as_plan_json(compilation: Compilation, module: Operation) -> str:
    """Return the plans of the kernels as JSON. Raises `DiagnosticError` as `as_plan` does."""
    from tilewright.targets.cpu.kernel.kernel import plan_module
    from tilewright.targets.cpu.plan.printing import as_json

    return as_json(plan_module(module, _processor(compilation)), module)


def as_llvm_ir(compilation: Compilation, module: Operation) -> str:
    """Return the text of LLVM IR for a module of the `llvm` dialect, with debug metadata if the options of
    the compilation request it. Raises `DiagnosticError` for an unknown processor, and for an operation that
    LLVM IR cannot express.
    """
    from tilewright.targets.cpu.machine.compile import ir_text

    return ir_text(module, _processor(compilation), line_tables=compilation.options.debug_info)


def assembled(compilation: Compilation, text: str) -> str:
    """Return the assembly of LLVM IR. LLVM runs in a separate process if that is requested, or if the
    compilation began with a text. Raises `DiagnosticError` if the text is for another triple, or LLVM refuses
    it.
    """
    from tilewright.targets.cpu.machine.compile import CompilerOutput, assembly

    isolated = _isolated(compilation, text, CompilerOutput.ASSEMBLY)
    return assembly(text, _processor(compilation)) if isolated is None else isolated.decode()


def object_file(compilation: Compilation, text: str) -> bytes:
    """Return the object file of LLVM IR. LLVM runs in a separate process if that is requested, or if the
    compilation began with a text. Raises `DiagnosticError` if the text is for another triple, or LLVM refuses
    it.
    """
    from tilewright.targets.cpu.machine.compile import CompilerOutput, object_code

    isolated = _isolated(compilation, text, CompilerOutput.OBJECT)
    return object_code(text, _processor(compilation)) if isolated is None else isolated


def _isolated(compilation: Compilation, text: str, product: machine_compile.CompilerOutput) -> bytes | None:
    """Return the output of a separate process, if requested or if the text may be untrusted; None if LLVM is
    to run in this process. Raises `DiagnosticError` if the text is for another triple, or LLVM refuses it.
    """
    from tilewright.targets.cpu.machine.compile import isolated

    target = _processor(compilation)
    check_triple(text, target.triple)
    if not (compilation.option("isolate") or compilation.is_text):
        return None
    return isolated(text, target, product)


def _processor(compilation: Compilation) -> machine_target.CpuTarget:
    """Return the processor that code is made for.

    Raises:
        DiagnosticError: the name of the processor is unknown.
    """
    from tilewright.targets.cpu.machine.host import processor

    return processor(compilation.option("cpu"))


def _kernels(compilation: Compilation) -> tuple[KernelImage, ...]:
    return kernels_of(str(compilation.asm["llvm"]))


def _processors() -> Iterable[str]:
    from tilewright.targets.cpu.machine.host import HOST, PROCESSORS

    return (HOST, *PROCESSORS)


def _identity(options: Mapping[str, Any]) -> tuple[machine_target.CpuTarget, bool]:
    """Return the options that change the code, for the cache: the processor with its features, and whether
    times are recorded. How LLVM is run does not change the code. Raises `DiagnosticError` for an unknown
    processor.
    """
    from tilewright.targets.cpu.machine.host import processor

    return processor(options["cpu"]), options["record_times"]


def _compiler() -> tuple[object, ...]:
    from tilewright.runtime.llvm import llvm, llvm_options

    return (llvm().llvm_version_info, llvm_options())


def _obstacle(options: Mapping[str, Any]) -> str:
    from tilewright.targets.cpu.machine.host import obstacle, processor

    target = processor(options["cpu"])
    reason = obstacle(target)
    return reason and f"code for {target} cannot run here: {reason}"


CPU = TargetHooks(
    stages=(
        Stage("plan", "the decisions of the back end, with reasons", ".plan", "tileas", write=as_plan),
        Stage("plan-json", "the plan as JSON", ".plan.json", "tileas", write=as_plan_json),
        Stage("llvm", "LLVM IR", ".ll", "tileas", to_llvm, as_llvm_ir, recognises=is_llvm_ir),
        Stage("asm", "assembly of the processor", ".s", "llvm", translate=assembled),
        Stage("object", "machine code as an object file", ".o", "llvm", translate=object_file),
    ),
    code="object",
    kernels=_kernels,
    options=(
        TargetOption(
            "cpu", "host", "The processor to generate code for; host is this machine's", _processors
        ),
        TargetOption("isolate", False, "Generate code with LLVM in a separate process"),
        TargetOption("record_times", False, "Record for each tile block when it ran, and on which thread"),
    ),
    identity=_identity,
    compiler=_compiler,
    obstacle=_obstacle,
)
"""The CPU's row in the table of targets."""
