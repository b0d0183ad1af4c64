"""The stages of a compilation, as a table: what a module becomes on its way to code.

To add a stage is to add a row: which stage it is made from, how, and how it is written down.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tilewright.driver.checks import check_names
from tilewright.driver.llvm_text import check_triple
from tilewright.driver.options import CPU, OPT_LEVEL
from tilewright.ir.operation import Operation

if TYPE_CHECKING:
    from tilewright.dialects.cuda_tile.version import Version
    from tilewright.driver.artifact import Artifact
    from tilewright.passes.pass_ import PassState


@dataclass(frozen=True, slots=True)
class CompileOptions:
    """How to compile.

    - ``pipeline``: passes to run on the module first, such as ``canonicalize,cse``.
    - ``bytecode_version``: of the stage ``bytecode``; None is the oldest one that holds the module.
    - ``debug_info``: whether stages that are text show locations, and LLVM IR, assembly and objects have line tables.
    - ``opt_level``: how much the optimizer does before Tile IR is lowered, 0 to 3; results do not depend on it.
    - ``cpu``: the processor that code is made for, ``host`` or one of `tilewright.targets.cpu.machine.host.PROCESSORS`.
    - ``verify_each``: whether the verifier runs after each pass of the optimizer, and not only after each stage.
    - ``isolate``: whether LLVM makes the code in a process of its own.
    - ``checks``: names of run-time checks that the code makes, as for `tilewright.launch`: a comma-separated text or
      several names, which become a tuple in the order of `tilewright.driver.checks.CHECKS`.
    """

    pipeline: str = ""
    bytecode_version: Version | tuple[int, int] | None = None
    debug_info: bool = False
    opt_level: int = OPT_LEVEL.default
    cpu: str = CPU.default
    verify_each: bool = False
    isolate: bool = False
    checks: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "checks", check_names(self.checks))


Maker = Callable[["Artifact", Operation], Operation]
Writer = Callable[["Artifact", Operation], str | bytes]
Translator = Callable[["Artifact", str], str | bytes]


def as_text(artifact: Artifact, module: Operation) -> str:
    """MLIR text, ended by a newline."""
    return module.get_asm(enable_debug_info=artifact.options.debug_info) + "\n"


def as_bytecode(artifact: Artifact, module: Operation) -> bytes:
    """Tile IR bytecode."""
    from tilewright.bytecode.writer import write_bytecode

    return write_bytecode(module, artifact.options.bytecode_version, verify=False)


def through(pipeline: str) -> Maker:
    """A stage made by passes from a copy of the one before."""

    def make(artifact: Artifact, module: Operation) -> Operation:
        return artifact.run_passes(module.clone(), pipeline, pipeline)

    return make


def to_tileaa(artifact: Artifact, module: Operation) -> Operation:
    """Optimised, and out of Tile IR, with the checks that are asked for."""
    from tilewright.driver.lowering import insert_checks, mark_accesses, optimise, wrapped

    made = wrapped(module)
    insert_checks(artifact, made)
    optimise(artifact, made)
    made = artifact.run_passes(made, "convert-cuda-tile-to-tileaa", "convert to tileaa")
    mark_accesses(artifact, made)
    return made


def to_tileas(artifact: Artifact, module: Operation) -> Operation:
    """With layouts."""
    return artifact.run_passes(module.clone(), "convert-tileaa-to-tileas", "convert to tileas")


def to_llvm(artifact: Artifact, module: Operation) -> Operation:
    """Loops over elements, in the dialect of LLVM."""
    from tilewright.lowering.tileas_to_llvm.phases import convert_to_llvm
    from tilewright.targets.cpu.body import CpuBackEnd
    from tilewright.targets.cpu.machine.legality import check_intrinsics

    back_end = CpuBackEnd(artifact.processor)

    def convert_tileas_to_llvm(op: Operation, state: PassState) -> None:
        convert_to_llvm(op, state, back_end)

    made = module.clone()
    artifact.run_manager(lambda manager: manager.add(convert_tileas_to_llvm), made, "convert to llvm")
    check_intrinsics(made, artifact.processor)
    return made


def as_llvm_ir(artifact: Artifact, module: Operation) -> str:
    """The text of LLVM IR."""
    from tilewright.targets.cpu.machine.compile import ir_text

    return ir_text(module, artifact.processor, line_tables=artifact.options.debug_info)


def assembled(artifact: Artifact, text: str) -> str:
    """Assembly of the processor, from LLVM IR."""
    from tilewright.targets.cpu.machine.compile import Product, assembly, isolated

    check_triple(text, artifact.processor.triple)
    if _is_isolated(artifact):
        return isolated(text, artifact.processor, Product.ASSEMBLY).decode()
    return assembly(text, artifact.processor)


def object_file(artifact: Artifact, text: str) -> bytes:
    """An object file, from LLVM IR."""
    from tilewright.targets.cpu.machine.compile import Product, isolated, object_code

    check_triple(text, artifact.processor.triple)
    if _is_isolated(artifact):
        return isolated(text, artifact.processor, Product.OBJECT)
    return object_code(text, artifact.processor)


def _is_isolated(artifact: Artifact) -> bool:
    """Whether LLVM gets a process of its own; always for text that somebody else may have written."""
    return artifact.options.isolate or artifact.input == LLVM


@dataclass(frozen=True, slots=True)
class Stage:
    """One row.

    ``make`` makes the stage's module from that of ``source``, which it must not change; without it they are the same.
    ``write`` writes the module down.  A stage that has no module, but is made from the text of its source, has
    ``translate`` instead of both.  A stage without a source is made from the input.
    """

    name: str
    summary: str
    suffix: str
    source: str | None = None
    make: Maker | None = None
    write: Writer = as_text
    translate: Translator | None = None


STAGES: dict[str, Stage] = {
    stage.name: stage
    for stage in (
        Stage("tileir", "the module in Tile IR, as text", ".mlir"),
        Stage("bytecode", "the module in Tile IR, as bytecode", ".tileirbc", "tileir", write=as_bytecode),
        Stage("tileaa", "tiles with alias analysis, as text", ".tileaa.mlir", "tileir", to_tileaa),
        Stage("tileas", "tiles with layouts and schedules, as text", ".tileas.mlir", "tileaa", to_tileas),
        Stage("llvm", "LLVM IR", ".ll", "tileas", to_llvm, as_llvm_ir),
        Stage("asm", "assembly of the processor", ".s", "llvm", translate=assembled),
        Stage("object", "machine code as an object file", ".o", "llvm", translate=object_file),
    )
}
"""Every stage, in order."""


def is_made_from(stage: Stage, input_stage: str) -> bool:
    """Whether a stage can be made when the input is of another one."""
    current: Stage | None = stage
    while current is not None and current.name != input_stage:
        current = STAGES[current.source] if current.source is not None else None
    return current is not None


LLVM = "llvm"
"""The lowest stage that a module can be given in."""


def input_stage(module: Operation) -> str:
    """The stage that a module given to be compiled is of."""
    dialects = {op.kind.name.split(".", 1)[0] for op in module.walk()}
    return next((stage for dialect, stage in _LOWERED if dialect in dialects), "tileir")


_LOWERED = (("nv_tileas", "tileas"), ("nv_tileaa", "tileaa"))
"""Dialects below Tile IR, the lowest first, and the stage of a module with operations of one."""
