"""The stages of a compilation, as a table: what a module becomes on its way to code.

To add a stage is to add a row: which stage it is made from, the passes that lead there, and how it is written down.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tilewright.ir.operation import Operation

if TYPE_CHECKING:
    from tilewright.dialects.cuda_tile.version import Version


@dataclass(frozen=True, slots=True)
class CompileOptions:
    """How to compile.

    - ``pipeline``: passes to run on the module first, such as ``canonicalize,cse``.
    - ``bytecode_version``: of the stage ``bytecode``; None is the oldest one that holds the module.
    - ``debug_info``: whether stages that are text show locations.
    """

    pipeline: str = ""
    bytecode_version: Version | tuple[int, int] | None = None
    debug_info: bool = False


Writer = Callable[[Operation, CompileOptions], str | bytes]


def as_text(module: Operation, options: CompileOptions) -> str:
    """MLIR text, ended by a newline."""
    return module.get_asm(enable_debug_info=options.debug_info) + "\n"


def as_bytecode(module: Operation, options: CompileOptions) -> bytes:
    """Tile IR bytecode."""
    from tilewright.bytecode.writer import write_bytecode

    return write_bytecode(module, options.bytecode_version, verify=False)


@dataclass(frozen=True, slots=True)
class Stage:
    """One row.

    ``source`` is the stage whose module this one is made from by ``passes``; without one it is made from the input.
    ``missing`` says why this installation does not have the stage.
    """

    name: str
    summary: str
    suffix: str
    source: str | None = None
    passes: str = ""
    write: Writer = as_text
    missing: str = ""


_NO_LOWERING = "this version does not lower 'cuda_tile' any further"
STAGES: dict[str, Stage] = {
    stage.name: stage
    for stage in (
        Stage("tileir", "the module in Tile IR, as text", ".mlir"),
        Stage("bytecode", "the module in Tile IR, as bytecode", ".tileirbc", write=as_bytecode),
        Stage("tileaa", "tiles with alias analysis, as text", ".tileaa.mlir", missing=_NO_LOWERING),
        Stage("tileas", "tiles with layouts and schedules, as text", ".tileas.mlir", missing=_NO_LOWERING),
        Stage("llvm", "LLVM IR", ".ll", missing=_NO_LOWERING),
        Stage("asm", "assembly of the target", ".s", missing=_NO_LOWERING),
    )
}
"""Every stage there is or will be, in order."""


def available_stages() -> tuple[str, ...]:
    """Names of the stages that this installation has."""
    return tuple(name for name, stage in STAGES.items() if not stage.missing)
