"""Facts about values, computed on demand, for users that ask about few values.

It uses the transfer rules of the analysis of value facts. The analysis visits the whole kernel up to a fixed point;
here loop-carried values are unknown, and other facts follow from the definition of a value.
"""

from __future__ import annotations

from collections.abc import Callable

from tilewright.ir.block import Block
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.optimizer.analysis.facts import ValueFacts, unknown
from tilewright.optimizer.analysis.rules import UNKNOWN, FactRule

DEEPEST = 64
"""The maximum length of a chain of operations that is followed; beyond it nothing is known."""


class FactsOnDemand:
    """Facts by the rules of some dialects; less is known than by the analysis of whole kernels."""

    def __init__(self, rule_of: Callable[[Operation], FactRule]) -> None:
        self._rule_of = rule_of
        self._known: dict[Value, ValueFacts] = {}
        self._depth = 0

    def facts(self, value: Value) -> ValueFacts:
        """Return the facts about a value."""
        found = self._known.get(value)
        if found is None:
            self._depth += 1
            found = self._work_out(value) if self._depth <= DEEPEST else unknown(value.type)
            self._depth -= 1
            self._known[value] = found
        return found

    def note(self, value: Value, facts: ValueFacts) -> None:
        """Set the facts about a value from now on."""
        self._known[value] = facts

    def of_argument(self, block: Block, value: Value) -> ValueFacts:
        """Return the facts about an argument of a block: none by default."""
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
