"""The stages of the CPU after TileAS, and what else the CPU adds to the compiler: one row of the table of targets.

Nothing is imported here that a command which only lists stages and options would not need.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from tilewright.targets.cpu.text import check_triple, is_llvm_ir, kernels_of
from tilewright.targets.stage import Compilation, Stage, TargetHooks, TargetOption

if TYPE_CHECKING:
    from tilewright.ir.operation import Operation
    from tilewright.passes.pass_ import PassState
    from tilewright.runtime.description import KernelImage
    from tilewright.targets.cpu.machine.compile import Product
    from tilewright.targets.cpu.machine.target import CpuTarget
    from tilewright.targets.cpu.plan.schedule import Bar


def to_llvm(compilation: Compilation, module: Operation) -> Operation:
    """Loops over elements, in the dialect of LLVM."""
    from tilewright.lowering.tileas_to_llvm.phases import convert_to_llvm
    from tilewright.targets.cpu.body import CpuBackEnd
    from tilewright.targets.cpu.machine.legality import check_intrinsics

    target = _processor(compilation)
    back_end = CpuBackEnd(target, records_times=compilation.option("record_times"))

    def convert_tileas_to_llvm(op: Operation, state: PassState) -> None:
        convert_to_llvm(op, state, back_end)

    made = module.clone()
    compilation.run_manager(lambda manager: manager.add(convert_tileas_to_llvm), made, "convert to llvm")
    check_intrinsics(made, target)
    return made


def as_plan(compilation: Compilation, module: Operation) -> str:
    """The plans of the kernels, for people to read."""
    from tilewright.targets.cpu.kernel.kernel import plan_module
    from tilewright.targets.cpu.plan.printing import as_text

    return as_text(plan_module(module, _processor(compilation)), module)


def schedule_of(compilation: Compilation, module: Operation) -> list[Bar]:
    """The steps of the plans of the kernels, in their order."""
    from tilewright.targets.cpu.kernel.kernel import plan_module
    from tilewright.targets.cpu.plan.schedule import schedule

    return schedule(plan_module(module, _processor(compilation)), module)


def as_plan_json(compilation: Compilation, module: Operation) -> str:
    """The plans of the kernels, as JSON."""
    from tilewright.targets.cpu.kernel.kernel import plan_module
    from tilewright.targets.cpu.plan.printing import as_json

    return as_json(plan_module(module, _processor(compilation)), module)


def as_llvm_ir(compilation: Compilation, module: Operation) -> str:
    """The text of LLVM IR."""
    from tilewright.targets.cpu.machine.compile import ir_text

    return ir_text(module, _processor(compilation), line_tables=compilation.options.debug_info)


def assembled(compilation: Compilation, text: str) -> str:
    """Assembly of the processor, from LLVM IR."""
    from tilewright.targets.cpu.machine.compile import Product, assembly

    isolated = _isolated(compilation, text, Product.ASSEMBLY)
    return assembly(text, _processor(compilation)) if isolated is None else isolated.decode()


def object_file(compilation: Compilation, text: str) -> bytes:
    """An object file, from LLVM IR."""
    from tilewright.targets.cpu.machine.compile import Product, object_code

    isolated = _isolated(compilation, text, Product.OBJECT)
    return object_code(text, _processor(compilation)) if isolated is None else isolated


def _isolated(compilation: Compilation, text: str, product: Product) -> bytes | None:
    """What a process of its own makes, if one is asked for; always for text that somebody else may have written."""
    from tilewright.targets.cpu.machine.compile import isolated

    target = _processor(compilation)
    check_triple(text, target.triple)
    if not (compilation.option("isolate") or compilation.is_text):
        return None
    return isolated(text, target, product)


def _processor(compilation: Compilation) -> CpuTarget:
    """The processor that code is made for.  Raises `DiagnosticError` for a name that is not known."""
    from tilewright.targets.cpu.machine.host import processor

    return processor(compilation.option("cpu"))


def _kernels(compilation: Compilation) -> tuple[KernelImage, ...]:
    return kernels_of(str(compilation.asm["llvm"]))


def _processors() -> Iterable[str]:
    from tilewright.targets.cpu.machine.host import HOST, PROCESSORS

    return (HOST, *PROCESSORS)


def _identity(options: Mapping[str, Any]) -> tuple[CpuTarget, bool]:
    """The processor with its features, and what is recorded; how LLVM is run changes nothing in the code."""
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
        Stage("plan", "what the back end decided, and why", ".plan", "tileas", write=as_plan),
        Stage("plan-json", "the plan as JSON", ".plan.json", "tileas", write=as_plan_json),
        Stage("llvm", "LLVM IR", ".ll", "tileas", to_llvm, as_llvm_ir, recognises=is_llvm_ir),
        Stage("asm", "assembly of the processor", ".s", "llvm", translate=assembled),
        Stage("object", "machine code as an object file", ".o", "llvm", translate=object_file),
    ),
    code="object",
    kernels=_kernels,
    options=(
        TargetOption("cpu", "host", "The processor to make code for; host is this one", _processors),
        TargetOption("isolate", False, "Let LLVM make the code in a process of its own"),
        TargetOption("record_times", False, "Let each tile block record when it ran, and on which thread"),
    ),
    identity=_identity,
    compiler=_compiler,
    obstacle=_obstacle,
)
"""What the table of targets names for the CPU."""
