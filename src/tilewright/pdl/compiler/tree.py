"""The decision tree: all patterns of a module share it, and no question is asked twice on one path.

Questions that many patterns ask come first, then questions about positions near the root.  A question about a
position comes after the questions that establish that the position exists.
"""

from __future__ import annotations

import heapq
from collections.abc import Container, Iterator, Sequence
from typing import Any

from tilewright.pdl.compiler import positions as compiler_positions
from tilewright.pdl.compiler.reader import PatternPlan


class TreeSlot:
    """A place in the tree that has a node or, at first, none."""

    __slots__ = ("node",)

    def __init__(self) -> None:
        self.node: TreeBranch | Success | None = None


class TreeBranch:
    """A node that tests a question. ``children`` are the subtrees by expected value; ``after`` is the node to
    try next, whether a subtree matched or not.
    """

    __slots__ = ("after", "children", "position", "question")

    def __init__(self, position: compiler_positions.Position, question: compiler_positions.Question) -> None:
        self.position = position
        self.question = question
        self.children: dict[Any, TreeSlot] = {}
        self.after = TreeSlot()


class Success:
    """A leaf at which a pattern matches; further patterns are tried after it."""

    __slots__ = ("after", "plan")

    def __init__(self, plan: PatternPlan) -> None:
        self.plan = plan
        self.after = TreeSlot()


def decision_tree(plans: Sequence[PatternPlan], order: Sequence[compiler_positions.Predicate]) -> TreeSlot:
    """Return the decision tree of all patterns, which tests the predicates of each pattern in the order of
    ``order``. It is empty without patterns.
    """
    root = TreeSlot()
    for plan in plans:
        slot = root
        for predicate in order:
            if predicate in plan.predicates:
                slot = _step(slot, predicate).children.setdefault(plan.predicates[predicate], TreeSlot())
        while slot.node is not None:
            slot = slot.node.after
        slot.node = Success(plan)
    return root


def _step(slot: TreeSlot, predicate: compiler_positions.Predicate) -> TreeBranch:
    """Return the node that tests a predicate among the alternatives of a slot (its node, and the nodes after
    it); append one if there is none.
    """
    position, question = predicate
    while (node := slot.node) is not None:
        if isinstance(node, TreeBranch) and node.position is position and node.question == question:
            return node
        slot = node.after
    slot.node = branch = TreeBranch(position, question)
    return branch


def ordered_predicates(plans: Sequence[PatternPlan]) -> list[compiler_positions.Predicate]:
    """Return all predicates of all patterns, each once, in the order in which the matcher tests them:
    predicates of many patterns first, then predicates nearer to the root, but each after the predicates that
    it depends on.
    """
    ranked = sorted(_ranks(plans).items(), key=lambda entry: entry[1])
    return _after_needs([predicate for predicate, _ in ranked])


def _ranks(plans: Sequence[PatternPlan]) -> dict[compiler_positions.Predicate, tuple[int, ...]]:
    """Return the sort key of each predicate: predicates of many patterns first, then predicates whose
    patterns have other common predicates, then by depth, kinds, and first occurrence.
    """
    frequency: dict[compiler_positions.Predicate, int] = {}
    for plan in plans:
        for predicate in plan.predicates:
            frequency[predicate] = frequency.get(predicate, 0) + 1
    weight = dict.fromkeys(frequency, 0)
    for plan in plans:
        total = sum(frequency[predicate] ** 2 for predicate in plan.predicates)
        for predicate in plan.predicates:
            weight[predicate] += total
    return {
        (position, question): (
            -count,
            -weight[position, question],
            position.depth,
            int(position.place),
            int(question.ask),
            number,
        )
        for number, ((position, question), count) in enumerate(frequency.items())
    }


def _after_needs(ranked: Sequence[compiler_positions.Predicate]) -> list[compiler_positions.Predicate]:
    """Return the predicates, each after the predicates that it depends on; otherwise in the given order."""
    number = {predicate: rank for rank, predicate in enumerate(ranked)}
    users: dict[compiler_positions.Predicate, list[compiler_positions.Predicate]] = {}
    missing: dict[compiler_positions.Predicate, int] = {}
    for predicate in ranked:
        needs = dict.fromkeys(_needs(predicate, number))
        missing[predicate] = len(needs)
        for need in needs:
            users.setdefault(need, []).append(predicate)
    ready = [rank for rank, predicate in enumerate(ranked) if not missing[predicate]]
    order: list[compiler_positions.Predicate] = []
    while ready:
        predicate = ranked[heapq.heappop(ready)]
        order.append(predicate)
        for user in users.get(predicate, ()):
            missing[user] -= 1
            if not missing[user]:
                heapq.heappush(ready, number[user])
    return order


def _needs(
    predicate: compiler_positions.Predicate, asked: Container[compiler_positions.Predicate]
) -> Iterator[compiler_positions.Predicate]:
    """Yield the predicates that must hold before `predicate` can be tested: those that prove the existence of
    the positions it reads. Only predicates in `asked` count.
    """
    position, question = predicate
    start = position.parent if question == compiler_positions.NOT_NULL else position
    yield from _needs_of_place(start, asked)
    if isinstance(question.detail, compiler_positions.Position):
        yield from _needs_of_place(question.detail, asked)
    elif isinstance(question.detail, compiler_positions.NativeConstraint):
        for argument in question.detail.arguments:
            yield from _needs_of_place(argument, asked)
    if start is not position:
        yield from _origin(position)


def _needs_of_place(
    place: compiler_positions.Position | None, asked: Container[compiler_positions.Predicate]
) -> Iterator[compiler_positions.Predicate]:
    """Yield the predicates of `asked` that prove that the object at a position exists: the nearest one on the
    way to the root, and the native constraints whose results are on the way.
    """
    while place is not None:
        if (place, compiler_positions.NOT_NULL) in asked:
            yield place, compiler_positions.NOT_NULL
            return
        yield from _origin(place)
        place = place.parent


def _origin(place: compiler_positions.Position) -> Iterator[compiler_positions.Predicate]:
    """Yield the predicate of the native constraint whose result `place` is; nothing for other positions."""
    if place.place is compiler_positions.PositionKind.CONSTRAINT_RESULT:
        constraint: compiler_positions.NativeConstraint = place.detail[0]
        deepest = max(constraint.arguments, key=lambda at: (at.depth, at.place, at.number))
        yield deepest, compiler_positions.Question(compiler_positions.QuestionKind.CONSTRAINT, constraint)
