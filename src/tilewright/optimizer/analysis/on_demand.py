"""Facts about values, computed when somebody asks, for those who ask about few values.

The transfer rules are those of the analysis of value facts.  That one starts with the whole kernel and goes round loops
until nothing changes; here values carried round loops are unknown, and the rest follows from where a value comes from.
"""

from __future__ import annotations

from collections.abc import Callable

from tilewright.ir.block import Block
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.optimizer.analysis.facts import ValueFacts, unknown
from tilewright.optimizer.analysis.rules import UNKNOWN, Rule

DEEPEST = 64
"""Chains of operations are followed so far."""


class FactsOnDemand:
    """Facts by the rules of some dialects; less is known than by the analysis of whole kernels."""

    def __init__(self, rule_of: Callable[[Operation], Rule]) -> None:
        self._rule_of = rule_of
        self._known: dict[Value, ValueFacts] = {}
        self._depth = 0

    def facts(self, value: Value) -> ValueFacts:
        """What is known of a value."""
        found = self._known.get(value)
        if found is None:
            self._depth += 1
            found = self._work_out(value) if self._depth <= DEEPEST else unknown(value.type)
            self._depth -= 1
            self._known[value] = found
        return found

    def note(self, value: Value, facts: ValueFacts) -> None:
        """Say what is known of a value from now on."""
        self._known[value] = facts

    def of_argument(self, block: Block, value: Value) -> ValueFacts:
        """What is known of an argument of a block."""
        return unknown(value.type)

    def _work_out(self, value: Value) -> ValueFacts:
        owner = value.owner
        if isinstance(owner, Block):
            return self.of_argument(owner, value)
        if owner.regions:
            return unknown(value.type)
        rule = self._rule_of(owner)
        if rule is UNKNOWN:
            return unknown(value.type)
        return rule.results(owner, [self.facts(operand) for operand in owner.operands])[value.index]
