"""Facts about values of Tile IR, computed on demand, as patterns need few."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.dialects.cuda_tile.ops import control
from tilewright.ir.block import Block
from tilewright.ir.value import Value
from tilewright.optimizer.analysis.facts import ValueFacts, unknown
from tilewright.optimizer.analysis.intervals import Interval
from tilewright.optimizer.analysis.on_demand import FactsOnDemand
from tilewright.optimizer.analysis.rule_set import rule_of
from tilewright.optimizer.analysis.rules_control import counter_facts, parameter_facts
from tilewright.optimizer.analysis.rules_memory import index_fits


class Questions(FactsOnDemand):
    """The queries of `ValueFactsAnalysis`, computed on demand with fewer facts."""

    def __init__(self) -> None:
        super().__init__(rule_of)

    def of_argument(self, block: Block, value: Value) -> ValueFacts:
        """Return the facts about a parameter of a kernel."""
        return parameter_facts(value) if _is_kernel(block) else unknown(value.type)

    def enter(self, loop: control.ForOp) -> None:
        """Record the facts about the counter of a loop whose body is about to be converted."""
        bounds = [self.facts(value) for value in loop.operands[:3]]
        self.note(loop.body.block.arguments[0], counter_facts(bounds[0], bounds[1], bounds[2], loop))

    # --- questions

    def bounds(self, value: Value) -> Interval | None:
        """Return an interval that contains every element of an integer tile, read as signed; None for other
        values.
        """
        return self.facts(value).bounds

    def constant(self, value: Value) -> int | None:
        """Return the number that every element of an integer tile is, or None."""
        return self.facts(value).constant

    def tile_fits(self, view: Value, index: Sequence[Value], dimension: int) -> bool:
        """Return whether a tile of a view is known to be inside the tensor along a dimension.

        It is not enough that tiles cover an extent exactly: an index past the last one selects a tile that
        does not exist.
        """
        return index_fits(view.type, self.facts(view), dimension, self.facts(index[dimension])) is not None


def _is_kernel(block: Block) -> bool:
    parent = block.parent_op
    return parent is not None and parent.kind.mnemonic in ("entry", "func")
