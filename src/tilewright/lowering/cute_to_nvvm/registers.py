"""Thread and block indices: the operations of `gpu` become reads of `nvvm`'s special registers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tilewright.dialects.common.interfaces import AtomTypeInterface, concept
from tilewright.dialects.gpu import enums as gpu_enums, ops_index as gpu, ops_thread as gpu_thread
from tilewright.dialects.llvm.ops.conversion import SExtOp
from tilewright.dialects.nvvm.constraints import RequiresSM
from tilewright.dialects.nvvm.ops import register as nvvm
from tilewright.dialects.nvvm.ops.barrier import Barrier0Op
from tilewright.ir import builtin_types, diagnostic
from tilewright.ir.attribute import Type
from tilewright.ir.operation import Operation
from tilewright.lowering import capability as lowering_capability, codes, target_facts
from tilewright.lowering.inserting import RewritingInserter
from tilewright.lowering.llvm_types.converter import LLVMTypeConverter
from tilewright.rewrite.conversion.pattern import Adaptor, ConversionPattern
from tilewright.rewrite.conversion.rewriter import ConversionRewriter
from tilewright.rewrite.pattern import NoMatch
from tilewright.rewrite.pattern_set import RewritePatternSet

HINT = "write the attributes that `convert-tileaa-to-tileas{compute-capability=sm_80}` writes"


def first_chip(atom: Type) -> int:
    """Return the lowest compute capability, such as 80, that has the instruction of an atom."""
    known = concept(atom, AtomTypeInterface)
    assert known is not None, "atoms say what they need"
    return known.minimum_capability(atom)


@dataclass(frozen=True, slots=True)
class ChipGate:
    """The chip that code is made for, with tests of whether it has the instruction of an operation."""

    target: lowering_capability.Capability

    def refuses(self, op: Operation, first: int) -> NoMatch | None:
        """Return the reason why an operation that exists since compute capability ``first`` is not available
        on the target; None if it is.
        """
        if self.target.number >= first:
            return None
        return NoMatch("'{}' needs sm_{}; the code is for {}", (op.name, first, self.target.chip))

    def refuses_atom(self, op: Operation, atom: Type) -> NoMatch | None:
        """Return the reason why an operation is not available on the target, because the instruction of its
        atom needs a later chip; None if the target has the instruction.
        """
        return self.refuses(op, first_chip(atom))

    def refuses_kind(self, op: Operation, made: type[Operation]) -> NoMatch | None:
        """Return the refusal of an operation because the operation of `nvvm` that would replace it needs a
        later chip; None if the target has it, or if it has no required chip.
        """
        needed = made.op_kind.trait(RequiresSM)
        return None if needed is None else self.refuses(op, min(needed.versions))


def target_on_gpu(module: Operation) -> lowering_capability.Capability:
    """Return the chip of a module.

    Raises `DiagnosticError` if the module has no target, or the processor is its target.
    """
    target = target_facts.target_of(module)
    if target is None or target.is_host:
        message = "the module does not name its GPU"
        raise diagnostic.failure(codes.NO_COMPUTE_CAPABILITY, message, module.location, hint=HINT)
    return target


Registers = Mapping[gpu_enums.Dimension, type[Operation]]


def _three(*found: type[Operation]) -> Registers:
    return dict(zip(gpu_enums.Dimension, found, strict=True))


BY_DIMENSION: Mapping[type[gpu.DimensionIndexOp], Registers] = {
    gpu.ThreadIdOp: _three(nvvm.ThreadIdXOp, nvvm.ThreadIdYOp, nvvm.ThreadIdZOp),
    gpu.BlockIdOp: _three(nvvm.BlockIdXOp, nvvm.BlockIdYOp, nvvm.BlockIdZOp),
    gpu.BlockDimOp: _three(nvvm.BlockDimXOp, nvvm.BlockDimYOp, nvvm.BlockDimZOp),
    gpu.GridDimOp: _three(nvvm.GridDimXOp, nvvm.GridDimYOp, nvvm.GridDimZOp),
    gpu.ClusterIdOp: _three(nvvm.ClusterIdXOp, nvvm.ClusterIdYOp, nvvm.ClusterIdZOp),
    gpu.ClusterDimOp: _three(nvvm.ClusterDimXOp, nvvm.ClusterDimYOp, nvvm.ClusterDimZOp),
    gpu.ClusterBlockIdOp: _three(
        nvvm.BlockInClusterIdXOp, nvvm.BlockInClusterIdYOp, nvvm.BlockInClusterIdZOp
    ),
}
"""For each index or size of `gpu`, the operation that reads the special register of its dimension."""
WITHIN_WARPS: Mapping[type[gpu.WarpIndexOp], type[Operation]] = {
    gpu.LaneIdOp: nvvm.LaneIdOp,
    gpu.SubgroupSizeOp: nvvm.WarpSizeOp,
}
"""For each index or size of `gpu` without a dimension, the operation that reads its special register."""


class SpecialRegisterConversion(ConversionPattern[Operation]):
    """Converts an index or size of `gpu` to a read of a special register of 32 bits, which is sign-extended
    if `index` is wider. It does not match if the chip lacks the register.
    """

    def __init__(self, root: type[Operation], converter: LLVMTypeConverter, gate: ChipGate) -> None:
        super().__init__(converter, root=root, debug_name=f"register of {root.op_kind.name}")
        self.converter = converter
        self.gate = gate

    def match_and_rewrite(
        self, op: Operation, adaptor: Adaptor, rewriter: ConversionRewriter
    ) -> NoMatch | None:
        made: Any = register_of(op)
        refused = self.gate.refuses_kind(op, made)
        if refused is not None:
            return refused
        emit = RewritingInserter(rewriter, op.lazy_location)
        number, index = emit(made, type=builtin_types.i32), self.converter.index_type
        rewriter.replace(op, number if index is builtin_types.i32 else emit(SExtOp, number, type=index))
        return None


def register_of(op: Operation) -> type[Operation]:
    """Return the operation of `nvvm` that reads the special register for an index or size of `gpu`."""
    if isinstance(op, gpu.DimensionIndexOp):
        return BY_DIMENSION[op.__class__][op.dimension]
    assert isinstance(op, gpu.WarpIndexOp), "there is a pattern for it"
    return WITHIN_WARPS[op.__class__]


class BlockBarrier(ConversionPattern[gpu_thread.BarrierOp]):
    """Converts a barrier of the block to `nvvm.barrier0`, at which all threads of the block wait. Its
    attributes are kept.
    """

    def match(self, op: gpu_thread.BarrierOp) -> None:
        """Match every barrier: all of them can be converted."""

    def rewrite(self, op: gpu_thread.BarrierOp, adaptor: Adaptor, rewriter: ConversionRewriter) -> None:
        RewritingInserter(rewriter, op.lazy_location).insert(Barrier0Op, attributes=dict(op.held_attributes))
        rewriter.replace(op, [])


def populate_registers(patterns: RewritePatternSet, converter: LLVMTypeConverter, gate: ChipGate) -> None:
    """Add the patterns for indices and sizes, and for barriers of a block."""
    patterns.add(
        *(SpecialRegisterConversion(root, converter, gate) for root in (*BY_DIMENSION, *WITHIN_WARPS))
    )
    patterns.add(BlockBarrier())
