"""Transfer rules: the facts about an operation's results from the facts about its operands.

A rule is data: the function, and a sentence with its reason. The tables are keyed by operation class.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from tilewright.ir.attribute import Type
from tilewright.ir.operation import Operation
from tilewright.optimizer.analysis.facts import ValueFacts, refined, shape_of, unknown
from tilewright.optimizer.analysis.runs import AxisFacts

Compute = Callable[..., ValueFacts | Sequence[ValueFacts]]
"""``compute(op, *operands)``: facts of the only result, or of each result."""
_Compute = TypeVar("_Compute", bound=Compute)


@dataclass(frozen=True, slots=True)
class FactRule:
    """The rule by which the facts of an operation's results follow from the facts of its operands. The
    function ``compute`` is called with the operation and the facts of each operand, and returns the facts of
    the only result, or of each result; ``because`` is its reason in words.
    """

    compute: Compute
    because: str

    def results(self, op: Operation, operands: Sequence[ValueFacts]) -> list[ValueFacts]:
        """Return the facts of each result of `op`, computed from the facts of its operands and refined (see
        `refined`).
        """
        found = self.compute(op, *operands)
        listed = [found] if isinstance(found, ValueFacts) else list(found)
        return [refined(facts, result.type) for facts, result in zip(listed, op.results, strict=True)]


class FactRuleTable:
    """A table of rules, which the decorator `rule` fills: `rules` maps operation classes to their rules."""

    def __init__(self) -> None:
        self.rules: dict[type[Operation], FactRule] = {}

    def rule(self, *op_classes: type[Operation], because: str) -> Callable[[_Compute], _Compute]:
        """Return a decorator that enters a function as the rule of operation classes; ``because`` is the
        reason in words.
        """

        def enter(compute: _Compute) -> _Compute:
            self.rules.update(dict.fromkeys(op_classes, FactRule(compute, because)))
            return compute

        return enter


def steady(type: Type, operands: Sequence[ValueFacts]) -> tuple[AxisFacts, ...]:
    """Return the runs of an elementwise result of `type`: along each dimension it is constant where all
    operands are. Operands with another number of dimensions are ignored; contiguity and divisibility are 1.
    """
    rank = len(shape_of(type))
    same = [facts.runs for facts in operands if len(facts.runs) == rank]
    axes = range(rank)
    return tuple(
        [AxisFacts(constancy=min([runs[axis].constancy for runs in same], default=1)) for axis in axes]
    )


def elementwise(op: Operation, *operands: ValueFacts) -> list[ValueFacts]:
    """Return the facts about the results of any elementwise operation: the facts of their types, and the
    constancy that all operands share.
    """
    return [unknown(result.type).changed(runs=steady(result.type, operands)) for result in op.results]


def nothing(op: Operation, *operands: ValueFacts) -> list[ValueFacts]:
    """Return the facts of the results' types only, for operations without a rule."""
    return [unknown(result.type) for result in op.results]


def result_type(op: Operation) -> Type:
    """Return the type of the first result."""
    return op.results[0].type


ELEMENTWISE = FactRule(elementwise, "equal operands give equal results, element by element")
UNKNOWN = FactRule(nothing, "nothing is known of what this operation gives")
