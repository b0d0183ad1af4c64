"""Facts about values, computed when a pattern asks, as patterns ask about few values.

The transfer rules are those of the analysis of value facts.  That one starts with the whole kernel and goes round loops
until nothing changes; here values carried round loops are unknown, and the rest follows from where a value comes from.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tilewright.dialects.cuda_tile import ops_control as control
from tilewright.ir.block import Block
from tilewright.ir.value import Value
from tilewright.optimizer.analysis.control import counter_facts, parameter_facts
from tilewright.optimizer.analysis.facts import ValueFacts, unknown
from tilewright.optimizer.analysis.intervals import Interval
from tilewright.optimizer.analysis.rule_set import rule_of
from tilewright.optimizer.analysis.rules_memory import index_fits

DEEPEST = 64
"""Chains of operations are followed so far."""


class Questions:
    """Answers as `ValueFactsAnalysis` gives them, only less is known."""

    def __init__(self) -> None:
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

    def _work_out(self, value: Value) -> ValueFacts:
        owner: Any = value.owner
        if isinstance(owner, Block):
            return parameter_facts(value) if _is_kernel(owner) else unknown(value.type)
        if owner.regions:
            return unknown(value.type)
        results = rule_of(owner).results(owner, [self.facts(operand) for operand in owner.operands])
        return results[value.index]

    def enter(self, loop: control.ForOp) -> None:
        """Note what is known of the counter of a loop whose body is about to be converted."""
        bounds = [self.facts(value) for value in loop.operands[:3]]
        self._known[loop.body.block.arguments[0]] = counter_facts(bounds[0], bounds[1], bounds[2], loop)

    # --- questions

    def bounds(self, value: Value) -> Interval | None:
        """The interval in which every element of an integer tile lies, read as signed; None for other values."""
        return self.facts(value).bounds

    def constant(self, value: Value) -> int | None:
        """The number that every element of an integer tile is, or None."""
        return self.facts(value).constant

    def tile_fits(self, view: Value, index: Sequence[Value], dimension: int) -> bool:
        """Whether a tile of a view is known to lie inside of the tensor along a dimension.

        Tiles that cover an extent exactly do not: an index past the last one names a tile that does not exist.
        """
        return index_fits(view.type, self.facts(view), dimension, self.facts(index[dimension])) is not None


def _is_kernel(block: Block) -> bool:
    parent = block.parent_op
    return parent is not None and parent.kind.mnemonic in ("entry", "func")
