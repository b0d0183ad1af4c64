"""Reasons for facts: the rule that derived them, and the values that it was applied to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from tilewright.dialects.cuda_tile.ops.control import AssumeOp, EntryOp
from tilewright.ir.attribute import Location
from tilewright.ir.location import UNKNOWN
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.optimizer.analysis.dataflow import rule_of
from tilewright.optimizer.analysis.facts import ValueFacts
from tilewright.optimizer.analysis.rules_control import FLOWS, sources

SHOWN_DEPTH = 4
"""The maximum depth of the chain of reasons in the text of a reason."""


@dataclass(frozen=True, slots=True)
class Reason:
    """The facts about a value, the reason, its source position, and the values that the facts were derived from.

    ``inputs`` pairs each of these values with its role; their own reasons are found on demand.
    """

    value: Value
    facts: ValueFacts
    because: str
    location: Location
    inputs: tuple[tuple[str, Value], ...]
    _lookup: Callable[[Value], ValueFacts]

    def input_reasons(self) -> Iterator[tuple[str, Reason]]:
        """Yield (role, reason) for each input."""
        for role, value in self.inputs:
            yield role, reason(value, self._lookup)

    def __str__(self) -> str:
        return "\n".join(self._lines(0, "", set()))

    def _lines(self, depth: int, role: str, shown: set[Value]) -> Iterator[str]:
        yield f"{'  ' * depth}{role}{self.facts}: {self.because}"
        if depth >= SHOWN_DEPTH or self.value in shown:
            return
        shown.add(self.value)
        for word, inner in self.input_reasons():
            yield from inner._lines(depth + 1, f"{word}: ", shown)


def reason(value: Value, lookup: Callable[[Value], ValueFacts]) -> Reason:
    """Return the reason for the facts about `value`. ``lookup`` returns the facts about a value, also about
    the inputs.
    """
    owner: Any = value.owner
    if isinstance(owner, Operation) and type(owner) not in FLOWS:
        because, inputs = _computed(owner)
        return Reason(value, lookup(value), because, owner.location, inputs, lookup)
    around = owner if isinstance(owner, Operation) else owner.parent_op
    location = around.location if around is not None else UNKNOWN
    return Reason(value, lookup(value), _flowing(owner, around), location, tuple(sources(value)), lookup)


def _computed(op: Operation) -> tuple[str, tuple[tuple[str, Value], ...]]:
    because = rule_of(op).because
    if isinstance(op, AssumeOp):
        because = f"{because}: {op.predicate}"
    names = [f"operand {position}" for position in range(len(op.operands))]
    return f"{op.name}: {because}", tuple(zip(names, op.operands, strict=True))


def _flowing(owner: Any, around: Operation | None) -> str:
    if isinstance(around, EntryOp):
        return f"a parameter of @{around.sym_name}"
    kind = "result" if isinstance(owner, Operation) else "argument"
    return f"{kind} of {around.name if around is not None else 'a block'}"
