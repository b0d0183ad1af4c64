"""The conversion as a whole: patterns in fixed order, legal operations, and messages of failures.

Parts A (arithmetic, comparison, conversion, indexing, control flow), B (memory, pointers, tokens, views) and
C (matrix products, reductions, scans) come in this order; after them the patterns that other passes also
install alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tilewright.bytecode.preview_calls import refuse_calls
from tilewright.dialects.builtin.dialect import ModuleOp, UnrealizedConversionCastOp
from tilewright.dialects.cuda_tile.ops import control
from tilewright.dialects.llvm.ops import aggregate as llvm_aggregate, memory as llvm_memory
from tilewright.dialects.nv_tileaa.ops.program import WithOperandsOp
from tilewright.dialects.ub.dialect import PoisonOp
from tilewright.ir.diagnostic import failure
from tilewright.ir.operation import Operation
from tilewright.lowering import codes, pattern as conversion, target_facts
from tilewright.lowering.capability import Capability, parse_capability
from tilewright.lowering.cuda_tile_to_tileaa import program as cuda_tile_to_tileaa_program
from tilewright.lowering.cuda_tile_to_tileaa.accesses import access_patterns
from tilewright.lowering.cuda_tile_to_tileaa.arithmetic import arithmetic_patterns, singleton_rows
from tilewright.lowering.cuda_tile_to_tileaa.control_patterns import LOOPS_AND_BRANCHES, control_patterns
from tilewright.lowering.cuda_tile_to_tileaa.early_exits import has_exits, remove_early_exits
from tilewright.lowering.cuda_tile_to_tileaa.memory_patterns import memory_patterns
from tilewright.lowering.cuda_tile_to_tileaa.nesting import refuse_deep_nesting
from tilewright.lowering.cuda_tile_to_tileaa.packing import PackPattern, UnpackPattern
from tilewright.lowering.cuda_tile_to_tileaa.pattern import TileAALowering
from tilewright.lowering.cuda_tile_to_tileaa.products import product_patterns
from tilewright.lowering.cuda_tile_to_tileaa.shapes import ConstantPattern, shape_patterns
from tilewright.lowering.cuda_tile_to_tileaa.type_conversion import TileAATypeConverter
from tilewright.lowering.cuda_tile_to_tileaa.views import view_patterns
from tilewright.passes import manager as passes_manager, pass_
from tilewright.rewrite.conversion import driver, target as conversion_target
from tilewright.rewrite.pattern_set import RewritePatternSet

FAILED = "failed to convert cuda_tile to nv_tileaa"
LEGAL_DIALECTS = ("arith", "nv_tileaa", "func", "gpu", "scf", "math")
BRIDGED = (ModuleOp, UnrealizedConversionCastOp, llvm_memory.AllocaOp, llvm_aggregate.ConstantOp)
"""Further operations that are legal: modules, and the `llvm.alloca` of a tile block's memory with its size
and the casts of its address.
"""


def populate_part_a(patterns: RewritePatternSet, lowering: TileAALowering) -> None:
    """Add the patterns for arithmetic, comparisons, conversions, shapes, packing and control flow."""
    patterns.add(*arithmetic_patterns(lowering), *shape_patterns(lowering))
    patterns.add(PackPattern(lowering), UnpackPattern(lowering), *control_patterns(lowering))


def populate_part_b(patterns: RewritePatternSet, lowering: TileAALowering) -> None:
    """Add the patterns for memory, pointers, tokens, views and kernels."""
    patterns.add(*memory_patterns(lowering), *view_patterns(lowering), *access_patterns(lowering))
    patterns.add(*(pattern(lowering) for pattern in cuda_tile_to_tileaa_program.PROGRAM_PATTERNS))


def populate_part_c(patterns: RewritePatternSet, lowering: TileAALowering) -> None:
    """Add the patterns for matrix products, reductions and scans."""
    patterns.add(*product_patterns(lowering))


def populate_singletons(patterns: RewritePatternSet, lowering: TileAALowering) -> None:
    """Add the patterns that other conversions also install alone: the arithmetic of `SINGLETONS`, globals,
    assumptions, constants.
    """
    patterns.add(*singleton_rows(lowering))
    patterns.add(
        cuda_tile_to_tileaa_program.GlobalPattern(lowering),
        cuda_tile_to_tileaa_program.AssumePattern(lowering),
        ConstantPattern(lowering),
    )


def populate_cuda_tile_to_tileaa(patterns: RewritePatternSet, lowering: TileAALowering) -> None:
    """Add all patterns of the conversion, in a fixed order."""
    populate_part_a(patterns, lowering)
    populate_part_b(patterns, lowering)
    populate_part_c(patterns, lowering)
    populate_singletons(patterns, lowering)


def tileaa_target(converter: TileAATypeConverter) -> conversion_target.ConversionTarget:
    """Return the target. The dialects `LEGAL_DIALECTS` are legal, and modules, casts and the memory of a tile
    block (`BRIDGED`); `cuda_tile` and `nv_tileaa.with_operands` are illegal. `ub.poison`, `scf.while` and its
    terminators, and `scf.yield` are legal if the types of their values are converted.
    """
    target = conversion_target.ConversionTarget().add_legal_dialect(*LEGAL_DIALECTS).add_legal(*BRIDGED)
    target.add_illegal_dialect("cuda_tile").add_illegal(WithOperandsOp)
    target.add_dynamically_legal(converter.is_legal, PoisonOp, *LOOPS_AND_BRANCHES)
    return target


def convert_to_tileaa(op: Operation, state: pass_.PassState, capability: Capability) -> None:
    """Convert the `cuda_tile` modules inside of `op` to `nv_tileaa`, and record the chip in `op` unless the
    target is the host. Hints that the code does not follow are reported as warnings.

    Raises `DiagnosticError` if `op` itself is a `cuda_tile.module`, and for calls, too deep nesting, and
    operations that cannot be converted; `op` is then unchanged.
    """
    modules = [inner for inner in op.walk() if isinstance(inner, control.ModuleOp)]
    if op in modules:
        raise failure(
            codes.NO_ENCLOSING_MODULE,
            f"{FAILED}: the module has nothing around it",
            op.location,
            hint="run the pass on a builtin.module that holds the cuda_tile.module",
        )
    lowering = TileAALowering(TileAATypeConverter(state.context), capability=capability)
    kernels = [entry for module in modules for entry in module.body.block]
    for kernel in kernels:
        refuse_calls(kernel)
        refuse_deep_nesting(kernel)
        if (
            isinstance(kernel, control.EntryOp)
            and (unused := cuda_tile_to_tileaa_program.hints_not_used(kernel, capability)) is not None
        ):
            state.emit(unused)
    entries = [kernel for kernel in kernels if has_exits(kernel)]
    backup = op.clone() if entries else None
    try:
        for entry in entries:
            remove_early_exits(entry)
        _convert(op, state, lowering)
    except BaseException:
        if backup is not None:
            passes_manager.restore(op, backup)
        raise
    if not capability.is_host:
        target_facts.attach_target(op, capability.chip)


def _convert(op: Operation, state: pass_.PassState, lowering: TileAALowering) -> None:
    patterns = RewritePatternSet(state.context)
    populate_cuda_tile_to_tileaa(patterns, lowering)
    config = driver.ConversionConfig(driver.FoldingMode.NEVER, lowering.converter, failure_message=FAILED)
    conversion.convert(op, state, tileaa_target(lowering.converter), patterns, config)


@dataclass(frozen=True)
class ConvertCudaTileToTileAA(pass_.Pass):
    """Converts kernels of Tile IR to `nv_tileaa`, `arith`, `math` and `scf`; no operation of `cuda_tile`
    survives.

    ``compute-capability`` names the target: a GPU such as `sm_100`, or `host`, the processor. The contents of
    a `cuda_tile.module` go into the module around it. If anything cannot be converted the pass fails and
    nothing is changed.
    """

    name: ClassVar[str] = "convert-cuda-tile-to-tileaa"
    atomic: ClassVar[bool] = True
    dependent_dialects: ClassVar[tuple[str, ...]] = ("nv_tileaa", "arith", "math", "scf", "ub", "llvm")
    compute_capability: str = "host"

    def run(self, op: Operation, state: pass_.PassState) -> None:
        convert_to_tileaa(op, state, parse_capability(self.compute_capability))


@dataclass(frozen=True)
class ConvertCudaTileToTileAAAlias(ConvertCudaTileToTileAA):
    """An alias of ``convert-cuda-tile-to-tileaa``: a second name that pass pipelines use."""

    name: ClassVar[str] = "convert-cudatile-to-tileaa"
