"""``ub`` to ``llvm``: poison and unreachable code."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.dialects.llvm.ops_control import UnreachableOp
from tilewright.dialects.ub.ops import PoisonAttr
from tilewright.ir.value import Value
from tilewright.lowering.llvm_type_converter import LLVMTypeConverter
from tilewright.lowering.patterns import Rule, Site, add_rules
from tilewright.rewrite.pattern import NoMatch
from tilewright.rewrite.pattern_set import RewritePatternSet


def _poison(site: Site) -> Value | NoMatch:
    if not isinstance(site.op.value, PoisonAttr):
        return NoMatch("only values that are poison altogether can be lowered")
    return site.emit.poison(site.result_type())


def _unreachable(site: Site) -> Sequence[Value]:
    site.emit.insert(UnreachableOp)
    return ()


RULES: dict[str, Rule] = {"ub.poison": _poison, "ub.unreachable": _unreachable}
"""How each operation is lowered."""


def populate_ub_to_llvm(patterns: RewritePatternSet, converter: LLVMTypeConverter) -> None:
    """Add the patterns that lower ``ub``."""
    add_rules(patterns, converter, RULES)
