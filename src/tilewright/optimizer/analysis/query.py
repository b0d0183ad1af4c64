"""Queries about facts, for passes and lowerings: `state.analysis(ValueFactsAnalysis)` or
`ValueFactsAnalysis(op)`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from tilewright.ir.block import Block
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.optimizer.analysis import dataflow, intervals, reasons, runs as analysis_runs
from tilewright.optimizer.analysis.facts import ValueFacts, points, unknown
from tilewright.optimizer.analysis.pointer_origins import ANYWHERE, AccessOverlap, PointerOrigin, overlap
from tilewright.optimizer.analysis.rules import UNKNOWN, FactRule
from tilewright.optimizer.analysis.rules_memory import spanned_bytes, tile_fits


class AliasResult(NamedTuple):
    """Whether two accesses overlap, and the reason."""

    overlap: AccessOverlap
    because: str


class ValueFactsAnalysis:
    """The facts about the values of the kernels in an operation (a module, or a kernel).

    Facts hold in every defined run: assumptions are taken to be true, and undefined behaviour not to happen. They
    describe the IR at the time of the analysis; the manager drops it when a pass changes the IR.
    """

    def __init__(self, root: Operation) -> None:
        self.root = root
        self._flow = dataflow.Dataflow(root)

    def facts(self, value: Value) -> ValueFacts:
        """Return all facts about a value; for a value that never exists, the facts of its type."""
        return self._flow.values.get(value) or unknown(value.type)

    def exists(self, value: Value) -> bool:
        """Return whether a value may be computed: False if it is in code that never runs."""
        return value in self._flow.values

    def divisibility(self, value: Value) -> int:
        """Return the largest power of two, at most `MAXIMUM_DIVISOR`, that is known to divide every element:
        integers, or addresses in bytes. Zero has `MAXIMUM_DIVISOR`; 1 means that nothing is known, also for
        values of other types.
        """
        return self.facts(value).divisor

    def bounds(self, value: Value) -> intervals.Interval | None:
        """Return the interval in which every element of an integer tile lies, read as signed; None for other values."""
        return self.facts(value).bounds

    def constant(self, value: Value) -> int | None:
        """Return the number that every element of an integer tile is equal to, read as signed (true is -1);
        None if there is no such number.
        """
        return self.facts(value).constant

    def axis_info(self, value: Value) -> tuple[analysis_runs.AxisFacts, ...]:
        """Return the contiguity, divisibility and constancy of each dimension of a tile; ``()`` for other
        values.
        """
        return self.facts(value).runs

    def pointer_origin(self, value: Value) -> PointerOrigin:
        """Return the memory that pointers or views point to, and the offset in it; `ANYWHERE` for other
        values.
        """
        return self.facts(value).place or ANYWHERE

    def alias(self, a: Value, b: Value) -> AliasResult:
        """Return whether accesses through two pointer tiles or views overlap, in one execution of the code.

        `SAME` for one value used twice, and for values of one type at the same constant address. Whether
        values of different iterations of a loop overlap is another question. Raises ValueError for values
        that do not lead to memory.
        """
        for value in (a, b):
            if not points(value.type):
                raise ValueError(f"{value.type} does not lead to memory")
        if a is b:
            return AliasResult(AccessOverlap.SAME, "it is one value")
        found, because = overlap(
            self.pointer_origin(a), self.pointer_origin(b), spanned_bytes(a.type), spanned_bytes(b.type)
        )
        if found is AccessOverlap.SAME and a.type is not b.type:
            return AliasResult(AccessOverlap.MAY, f"{because}, but of different types")
        return AliasResult(found, because)

    def tile_fits(self, view: Value, index: Sequence[Value], dimension: int) -> str | None:
        """Return the reason why the tile of `view` at ``index`` is inside the tensor along `dimension`, a
        dimension of the tile; None if the tile may exceed the tensor. If the view's tiles cover the dimension
        exactly, every index in the index space fits.
        """
        return tile_fits(view.type, self.facts(view), dimension, self.facts(index[dimension]))

    def why(self, value: Value) -> reasons.Reason:
        """Return the reason for the facts of a value, which leads back to parameters, constants and
        assumptions.
        """
        return reasons.reason(value, self.facts)


DEEPEST = 64
"""The maximum length of a chain of operations that is followed; beyond it nothing is known."""


class FactsOnDemand:
    """Facts about values, computed by following operands when they are first needed. The constructor's
    ``rule_of`` returns the rule of an operation without regions. Nothing is known about block arguments and
    results of operations with regions, so fewer facts are found than by `ValueFactsAnalysis`.
    """

    def __init__(self, rule_of: Callable[[Operation], FactRule]) -> None:
        self._rule_of = rule_of
        self._known: dict[Value, ValueFacts] = {}
        self._depth = 0

    def facts(self, value: Value) -> ValueFacts:
        """Return the facts about a value, computed once; only the facts of its type at the end of a chain of
        more than `DEEPEST` operations.
        """
        found = self._known.get(value)
        if found is None:
            self._depth += 1
            found = self._work_out(value) if self._depth <= DEEPEST else unknown(value.type)
            self._depth -= 1
            self._known[value] = found
        return found

    def replace(self, value: Value, facts: ValueFacts) -> None:
        """Set the facts about a value. Facts that were already computed from it stay as they are."""
        self._known[value] = facts

    def of_argument(self, block: Block, value: Value) -> ValueFacts:
        """Return the facts about a block argument: by default the facts of its type only. Subclasses override
        it.
        """
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
