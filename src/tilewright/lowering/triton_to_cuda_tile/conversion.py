"""The conversion as a whole: patterns in fixed order, legal operations, and the steps before and after."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Any, ClassVar

from tilewright.dialects.arith.dialect import ARITH
from tilewright.dialects.builtin.dialect import BUILTIN, ModuleOp, UnrealizedConversionCastOp
from tilewright.dialects.cf.dialect import CF
from tilewright.dialects.cuda_tile.dialect import CUDA_TILE
from tilewright.dialects.cuda_tile.ops import control
from tilewright.dialects.llvm.dialect import LLVM
from tilewright.dialects.llvm.intrinsics.memory import AssumeOp
from tilewright.dialects.math.dialect import MATH
from tilewright.dialects.scf.dialect import SCF
from tilewright.dialects.tt.dialect import TT
from tilewright.dialects.tt.ops import function as tt
from tilewright.dialects.ttg.dialect import TTG, BarrierOp
from tilewright.dialects.ub.dialect import UB
from tilewright.ir import block as ir_block, context as ir_context
from tilewright.ir.operation import Operation
from tilewright.lowering import pattern
from tilewright.lowering.triton_to_cuda_tile.control_patterns import ENTERED, control_patterns
from tilewright.lowering.triton_to_cuda_tile.debugging import debugging_patterns
from tilewright.lowering.triton_to_cuda_tile.descriptor_views import choose_access_versions
from tilewright.lowering.triton_to_cuda_tile.descriptors import descriptor_patterns
from tilewright.lowering.triton_to_cuda_tile.elementwise.calls import call_patterns
from tilewright.lowering.triton_to_cuda_tile.elementwise.elementwise_rows import arithmetic_patterns
from tilewright.lowering.triton_to_cuda_tile.elementwise.own import element_patterns
from tilewright.lowering.triton_to_cuda_tile.folds import fold_patterns
from tilewright.lowering.triton_to_cuda_tile.functions import function_patterns
from tilewright.lowering.triton_to_cuda_tile.memory_patterns import memory_patterns
from tilewright.lowering.triton_to_cuda_tile.order import order_accesses
from tilewright.lowering.triton_to_cuda_tile.own_memory import own_memory_patterns
from tilewright.lowering.triton_to_cuda_tile.pattern import TritonLowering, TritonLoweringOptions
from tilewright.lowering.triton_to_cuda_tile.products import product_patterns
from tilewright.lowering.triton_to_cuda_tile.refusals import DIALECTS, refuse
from tilewright.lowering.triton_to_cuda_tile.shapes import shape_patterns
from tilewright.lowering.triton_to_cuda_tile.structure import structure_functions
from tilewright.lowering.triton_to_cuda_tile.type_conversion import TritonTypeConverter
from tilewright.passes import manager as passes_manager, pass_
from tilewright.rewrite.conversion.driver import ConversionConfig, FoldingMode
from tilewright.rewrite.conversion.target import ConversionTarget
from tilewright.rewrite.pattern_set import RewritePatternSet

FAILED = "failed to convert tt to cuda_tile"


class OrderedAccesses(StrEnum):
    """The accesses that tokens order: all accesses of the program, or only accesses through the same pointer
    parameter.
    """

    PROGRAM = "program"
    POINTERS = "pointers"


def populate_triton_to_cuda_tile(patterns: RewritePatternSet, lowering: TritonLowering) -> None:
    """Add all patterns of the conversion, which share `lowering`, to `patterns`, in a fixed order."""
    patterns.add(*arithmetic_patterns(lowering), *element_patterns(lowering), *call_patterns(lowering))
    patterns.add(*shape_patterns(lowering), *own_memory_patterns(lowering), *fold_patterns(lowering))
    patterns.add(*memory_patterns(lowering), *descriptor_patterns(lowering), *product_patterns(lowering))
    patterns.add(*control_patterns(lowering), *function_patterns(lowering), *debugging_patterns(lowering))


def tile_target(converter: TritonTypeConverter) -> ConversionTarget:
    """Return the conversion target: operations of `cuda_tile` are legal, loops and breaks only if the types
    of their values are converted, and no operation of the dialects of Triton is.
    """
    target = ConversionTarget().add_legal_dialect("cuda_tile").add_legal(ModuleOp, UnrealizedConversionCastOp)
    target.add_illegal_dialect(*DIALECTS).add_illegal(AssumeOp).add_legal(BarrierOp)
    target.add_dynamically_legal(converter.is_legal, *ENTERED)
    return target


def tile_module(op: ModuleOp) -> Operation:
    """Move the functions of a module of Triton into a new `cuda_tile.module`, called ``kernels``, at its end;
    return the new module.
    """
    block: ir_block.Block = op.bodyRegion.block
    body = ir_block.Block()
    for function in [inner for inner in block if isinstance(inner, tt.FuncOp)]:
        body.append(function.detach())
    return block.append(control.ModuleOp("kernels", body=ir_block.Region([body]), location=op.lazy_location))


def _drop_helpers(module: Any) -> list[Any]:
    """Erase the private functions of a module, which are not kernels and whose calls were inlined; return the
    kernels.
    """
    for function in list(module.body.block):
        if function.sym_visibility == "private":
            function.erase()
    return list(module.body.block)


@dataclass(frozen=True)
class ConvertTritonToCudaTile(pass_.Pass):
    """Converts a module of Triton (`tt` with `arith`, `math`, `scf` and `cf`) to a `cuda_tile.module` inside
    of it.

    Every function that is not private becomes a kernel with the same parameters; a tensor descriptor becomes
    a pointer, extents, strides and a flag. Calls are inlined. ``memory-order`` selects the ordered accesses:
    `program` orders all accesses; `pointers` leaves accesses through different pointers unordered. With
    ``round-to-tf32`` products of f32 with the input precision `tf32` round their inputs to it, as tensor
    cores do; without, they are computed in full precision. If anything cannot be converted the pass fails and
    nothing is changed.
    """

    name: ClassVar[str] = "convert-triton-to-cuda-tile"
    anchor: ClassVar[str | None] = "builtin.module"
    atomic: ClassVar[bool] = True
    dependent_dialects: ClassVar[tuple[str, ...]] = ("cuda_tile", "ub")
    memory_order: OrderedAccesses = OrderedAccesses.PROGRAM
    round_to_tf32: bool = False

    def run(self, op: Operation, state: pass_.PassState) -> None:
        assert isinstance(op, ModuleOp), "the anchor says so"
        backup = op.clone()
        try:
            self._convert(op, state)
        except BaseException:
            passes_manager.restore(op, backup)
            raise

    def _convert(self, op: ModuleOp, state: pass_.PassState) -> None:
        module: Any = tile_module(op)
        functions: Sequence[Any] = list(module.body.block)
        structure_functions(functions)
        lowering = TritonLowering(
            TritonTypeConverter(state.context), TritonLoweringOptions(self.round_to_tf32)
        )
        refuse(_drop_helpers(module), lowering.converter)
        patterns = RewritePatternSet(state.context)
        populate_triton_to_cuda_tile(patterns, lowering)
        config = ConversionConfig(FoldingMode.NEVER, lowering.converter, failure_message=FAILED)
        pattern.convert(module, state, tile_target(lowering.converter), patterns, config)
        for statistic, count in choose_access_versions(module).items():
            state.count(statistic, count)
        for entry in list(module.body.block):
            order_accesses(entry, by_pointer=self.memory_order is OrderedAccesses.POINTERS)


@cache
def own_context() -> ir_context.Context:
    """Return the context of conversions without a given one, with the dialects that they need. It is made
    once for the process.
    """
    return ir_context.Context([BUILTIN, ARITH, CF, CUDA_TILE, LLVM, MATH, SCF, TT, TTG, UB])


def convert_triton_module(
    module: Operation,
    context: ir_context.Context | None = None,
    *,
    memory_order: str = "program",
    round_to_tf32: bool = False,
) -> Operation:
    """Convert a copy of a module of Triton, a `builtin.module`, and return a verified `cuda_tile.module`,
    which is not inside of another module. The original is not changed.

    With ``memory_order`` `program` tokens order all accesses, with `pointers` only accesses through the same
    pointer parameter. With ``round_to_tf32`` products of f32 with the input precision `tf32` round their
    inputs to it. ``context`` is by default `own_context`. Raises `DiagnosticError` for operations that cannot
    be converted, and `ValueError` for another ``memory_order``.
    """
    copy = module.clone()
    assert isinstance(copy, ModuleOp), "Triton makes a builtin.module"
    manager = passes_manager.PassManager(context or own_context(), "builtin.module")
    manager.add(
        ConvertTritonToCudaTile(memory_order=OrderedAccesses(memory_order), round_to_tf32=round_to_tf32)
    )
    manager.run(copy)
    made = copy.bodyRegion.block.last
    assert made is not None, "the pass leaves one module"
    return made.detach()
