"""What orders grids and mappings of memory: one instruction of each thread.

An access that one of these waits for is followed by a barrier (`accesses.settle`), so each thread orders what all of them
did; behind it each thread goes on by itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tilewright.dialects.nv_tileaa.ops.memory import FenceAliasOp, LaunchDependentsOp, WaitForGridOp
from tilewright.dialects.nvvm.enums.barriers import GridDepActionKind, ProxyKind
from tilewright.dialects.nvvm.ops.barrier import FenceProxyOp, GriddepcontrolOp
from tilewright.ir.builtin_types import i32
from tilewright.ir.operation import Operation
from tilewright.lowering.llvm_types.converter import LLVMTypeConverter
from tilewright.rewrite.conversion.pattern import Adaptor
from tilewright.rewrite.pattern_set import RewritePatternSet
from tilewright.targets.nvptx.body.code import PatternCode
from tilewright.targets.nvptx.body.pattern import Registers, TilePattern
from tilewright.targets.nvptx.body.program import TOKEN

INSTRUCTIONS: Mapping[type[Operation], tuple[type[Operation], GridDepActionKind | ProxyKind]] = {
    WaitForGridOp: (GriddepcontrolOp, GridDepActionKind.WAIT),
    LaunchDependentsOp: (GriddepcontrolOp, GridDepActionKind.LAUNCH_DEPENDENTS),
    FenceAliasOp: (FenceProxyOp, ProxyKind.ALIAS),
}
"""Each operation as one of `nvvm`."""


class Ordering(TilePattern[Operation]):
    """The instruction."""

    def lower(self, op: Operation, at: Adaptor, code: PatternCode) -> Sequence[Registers]:
        instruction, kind = INSTRUCTIONS[op.__class__]
        code.effect(instruction, kind)
        return [[code.integer(TOKEN, i32)]]


def populate_fences(patterns: RewritePatternSet, converter: LLVMTypeConverter) -> None:
    """The patterns of this file."""
    patterns.add(
        *(Ordering(converter, root=root, debug_name=f"{root.op_kind.name} as one") for root in INSTRUCTIONS)
    )
