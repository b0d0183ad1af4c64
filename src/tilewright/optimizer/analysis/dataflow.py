"""The fixpoint: facts start from "never happens" and weaken until they agree with every operation.

Sparse: an operation is visited again when the facts of an operand change. Branches with a known condition are entered
only where they run. Loop-carried values are widened after a few changes, and become unknown if they still change; so
the analysis terminates.
"""

from __future__ import annotations

from collections import deque

from tilewright.dialects.cuda_tile.ops.control import EntryOp
from tilewright.ir.block import Block
from tilewright.ir.declaration.traits import Elementwise
from tilewright.ir.operation import Operation
from tilewright.ir.value import BlockArgument, Value
from tilewright.optimizer.analysis import rules_control, rules_integer, rules_memory, rules_tile
from tilewright.optimizer.analysis.facts import ValueFacts, join, refined, unknown, widened
from tilewright.optimizer.analysis.rules import ELEMENTWISE, UNKNOWN, FactRule

RULES: dict[type[Operation], FactRule] = {
    **rules_integer.RULES.rules,
    **rules_tile.RULES.rules,
    **rules_memory.RULES.rules,
}
"""The rules of operations that have a better one than that for elementwise operations."""


def rule_of(op: Operation) -> FactRule:
    """Return the rule of an operation without regions: its own, else the rule of elementwise operations, else
    `UNKNOWN`, which gives only the facts of the results' types.
    """
    return RULES.get(type(op)) or (ELEMENTWISE if op.has_trait(Elementwise) else UNKNOWN)


PRECISE_JOINS = 4
"""The number of changes after which facts of block arguments are widened."""
MAXIMUM_JOINS = 40
"""The number of changes after which facts of block arguments become unknown."""


class Dataflow:
    """Runs the analysis over the kernels in an operation. `values` then maps each value that may be computed
    to its facts; values in code that never runs are missing. `reached` has the blocks that may be entered.
    """

    def __init__(self, root: Operation) -> None:
        self.values: dict[Value, ValueFacts] = {}
        self.reached: set[Block] = set()
        self._changes: dict[Value, int] = {}
        self._pending: deque[Operation] = deque()
        self._queued: set[Operation] = set()
        for op in root.walk():
            if isinstance(op, EntryOp):
                rules_control.FLOWS[EntryOp](self, op)
        self._run()

    def _run(self) -> None:
        while self._pending:
            op = self._pending.popleft()
            self._queued.discard(op)
            if op.parent in self.reached and all(operand in self.values for operand in op.operands):
                self._visit(op)

    def _visit(self, op: Operation) -> None:
        flow = rules_control.FLOWS.get(type(op))
        if flow is not None:
            flow(self, op)
            return
        found = rule_of(op).results(op, [self.values[operand] for operand in op.operands])
        for result, facts in zip(op.results, found, strict=True):
            self.join(result, facts)

    def reach(self, block: Block) -> None:
        """Mark a block as reachable, and queue its operations for a visit."""
        if block not in self.reached:
            self.reached.add(block)
            for op in block:
                self._queue(op)

    def _queue(self, op: Operation) -> None:
        if op not in self._queued:
            self._queued.add(op)
            self._pending.append(op)

    def join(self, value: Value, facts: ValueFacts) -> None:
        """Weaken the facts of a value so that they also hold for every value with the facts `facts`. If its
        facts changed, its users are visited again. Facts that have changed many times are widened, and in the
        end become unknown.
        """
        held = self.values.get(value)
        weaker = facts if held is None else join(held, facts, value.type)
        if weaker == held:
            return
        if held is not None:
            weaker = self._kept_short(value, held, weaker)
        weaker = refined(weaker, value.type)
        if weaker == held:
            return
        self.values[value] = weaker
        for user in value.uses:
            self._queue(user)

    def _kept_short(self, value: Value, held: ValueFacts, weaker: ValueFacts) -> ValueFacts:
        changes = self._changes[value] = self._changes.get(value, 0) + 1
        if changes > MAXIMUM_JOINS:
            return unknown(value.type)
        if changes > PRECISE_JOINS and isinstance(value, BlockArgument):
            return widened(held, weaker, value.type)
        return weaker
