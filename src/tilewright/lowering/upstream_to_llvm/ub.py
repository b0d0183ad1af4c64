"""``ub`` to ``llvm``: poison and unreachable code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from tilewright.dialects.llvm.ops.control import UnreachableOp
from tilewright.dialects.ub import ops
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering.llvm_types.converter import LLVMTypeConverter
from tilewright.lowering.upstream_to_llvm.conversion import ToLLVMWithIndex
from tilewright.lowering.upstream_to_llvm.patterns import LoweringSite, Rule, add_rules
from tilewright.rewrite.pattern_set import RewritePatternSet


def _poison(site: LoweringSite[ops.PoisonOp]) -> Value:
    return site.emit.poison(site.result_type())


def _unreachable(site: LoweringSite[ops.UnreachableOp]) -> Sequence[Value]:
    site.emit.insert(UnreachableOp)
    return ()


RULES: dict[type[Operation], Rule] = {ops.PoisonOp: _poison, ops.UnreachableOp: _unreachable}
"""How each operation is lowered."""


def populate_ub_to_llvm(patterns: RewritePatternSet, converter: LLVMTypeConverter) -> None:
    """Add the patterns that lower ``ub``."""
    add_rules(patterns, converter, RULES)


@dataclass(frozen=True)
class ConvertUBToLLVM(ToLLVMWithIndex):
    """Converts ``ub`` to ``llvm``; ``index-bitwidth`` is the width of ``index``, 0 for the machine's (64)."""

    name: ClassVar[str] = "convert-ub-to-llvm"

    def populate(self, patterns: RewritePatternSet, converter: LLVMTypeConverter) -> None:
        populate_ub_to_llvm(patterns, converter)
