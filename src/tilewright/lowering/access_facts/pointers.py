"""What is known of tiles of pointers: how far apart the elements of a row are, for certain or if nothing wraps around."""

from __future__ import annotations

from tilewright.dialects.nv_tileaa.constraints import shape_of
from tilewright.dialects.scf import ops_loop as scf
from tilewright.ir.block import Block
from tilewright.ir.value import Value
from tilewright.lowering.access_facts.offsets import Offsets
from tilewright.optimizer.analysis.facts import ValueFacts, unknown
from tilewright.optimizer.analysis.on_demand import FactsOnDemand
from tilewright.optimizer.analysis.rules_tileas import rule_of


class TileFacts(FactsOnDemand):
    """Facts about the values of a kernel in TileAS form."""

    def __init__(self) -> None:
        super().__init__(rule_of)

    def of_argument(self, block: Block, value: Value) -> ValueFacts:
        """Of the counters of loops it is known by what they can be divided."""
        loop, facts = block.parent_op, unknown(value.type)
        if not isinstance(loop, scf.ForOp) or value.index > 0:
            return facts
        divisor = min(self.facts(loop.lowerBound).divisor, self.facts(loop.step).divisor)
        return facts.changed(divisor=divisor)


class PointerFacts:
    """The facts about the tiles of pointers of a kernel; keeps what it found out."""

    def __init__(self) -> None:
        self.values = TileFacts()
        self.offsets = Offsets()

    def distance(self, pointers: Value, dimension: int) -> int | None:
        """How many elements neighbours along a dimension are apart in every run: 0 or 1; None for anything else.

        A sum that starts at a multiple of as many elements as the row has cannot wrap around inside of it.
        """
        run, extent = self.values.facts(pointers).runs[dimension], shape_of(pointers.type)[dimension]
        if run.constancy == extent:
            return 0
        return 1 if run.contiguity == extent else None

    def likely_distance(self, pointers: Value, dimension: int) -> int | None:
        """The same if no sum of narrow integers in `Offsets.narrow_parts` wraps around."""
        stride = self.offsets.stride(pointers, dimension)
        return stride if stride in (0, 1) else None
