"""All transfer rules: one explicit list of the modules that hold them."""

from __future__ import annotations

from tilewright.ir.declaration.traits import Elementwise
from tilewright.ir.operation import Operation
from tilewright.optimizer.analysis import rules_integer, rules_memory, rules_tile
from tilewright.optimizer.analysis.rules import ELEMENTWISE, UNKNOWN, FactRule

RULES: dict[type[Operation], FactRule] = {
    **rules_integer.RULES.rules,
    **rules_tile.RULES.rules,
    **rules_memory.RULES.rules,
}
"""The rule of each operation about which more is known than that it is elementwise."""


def rule_of(op: Operation) -> FactRule:
    """Return the rule of an operation; every operation without regions has one."""
    return RULES.get(type(op)) or (ELEMENTWISE if op.has_trait(Elementwise) else UNKNOWN)
