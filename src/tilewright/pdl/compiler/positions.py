"""Positions: where in the matched IR something is found, as steps from the root operation; and questions about them.

Positions are made once each by `PositionPool`, so that patterns which look at the same place share it.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any, NamedTuple

from tilewright.ir.attribute import Type


class PositionKind(IntEnum):
    """The kinds of positions. Of two positions at the same depth, the position of the smaller kind is tested
    first.
    """

    OPERATION = 0
    OPERAND = 1
    OPERAND_GROUP = 2
    ATTRIBUTE = 3
    CONSTRAINT_RESULT = 4
    RESULT = 5
    RESULT_GROUP = 6
    TYPE = 7
    ATTRIBUTE_LITERAL = 8
    TYPE_LITERAL = 9
    USERS = 10
    FOR_EACH = 11


class QuestionKind(IntEnum):
    """The kinds of questions. Of two questions about the same position, the smaller one is tested first."""

    IS_NOT_NULL = 0
    OPERATION_NAME = 1
    TYPE = 2
    ATTRIBUTE = 3
    OPERAND_COUNT_AT_LEAST = 4
    OPERAND_COUNT = 5
    RESULT_COUNT_AT_LEAST = 6
    RESULT_COUNT = 7
    EQUAL_TO = 8
    CONSTRAINT = 9


class Position:
    """A place in the matched IR, as a path from the root operation. ``place`` is the kind of the last step,
    which starts from the position ``parent``; the root, literals and results of constraints have no parent.

    ``detail`` is the argument of the step: an index, ``(index or None, whether it is a range)`` for groups, a
    name, a literal, the number of a loop, or ``(constraint, index of the result)``. ``depth`` counts the
    operations between the root and the position; ``number`` counts the positions that were made before.
    """

    __slots__ = ("depth", "detail", "number", "parent", "place")

    def __init__(
        self, place: PositionKind, parent: Position | None, detail: Any, depth: int, number: int
    ) -> None:
        self.place = place
        self.parent = parent
        self.detail = detail
        self.depth = depth
        self.number = number

    @property
    def is_range(self) -> bool:
        """Return whether the position may hold several values."""
        match self.place:
            case PositionKind.OPERAND_GROUP | PositionKind.RESULT_GROUP:
                return bool(self.detail[1])
            case PositionKind.TYPE:
                return self.parent is not None and self.parent.is_range
            case PositionKind.TYPE_LITERAL:
                return isinstance(self.detail, tuple)
            case _:
                return False

    def __repr__(self) -> str:
        return f"<{self.place.name} {self.detail} at depth {self.depth}>"


class NativeConstraint(NamedTuple):
    """A call of a native constraint: its name, the positions of its arguments, and the types of its results.
    If it is negated, the pattern matches where the constraint fails.
    """

    name: str
    arguments: tuple[Position, ...]
    result_types: tuple[Type, ...]
    is_negated: bool


class Question(NamedTuple):
    """A question about a position: its kind `ask` and, depending on the kind, as `detail` a number, another
    position, a constraint, or `None`.
    """

    ask: QuestionKind
    detail: int | Position | NativeConstraint | None = None


NOT_NULL = Question(QuestionKind.IS_NOT_NULL)
Predicate = tuple[Position, Question]
"""A question about a position. The expected value is kept apart, so that patterns can share the question."""


class PositionPool:
    """Creates positions; equal positions are one object."""

    def __init__(self) -> None:
        self._known: dict[tuple[PositionKind, Position | None, Any], Position] = {}
        self.root = self._at(PositionKind.OPERATION, None, None, 0)

    def _at(self, place: PositionKind, parent: Position | None, detail: Any, depth: int) -> Position:
        key = place, parent, detail
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = Position(place, parent, detail, depth, len(self._known))
        return found

    def _below(self, place: PositionKind, parent: Position, detail: Any = None) -> Position:
        return self._at(place, parent, detail, parent.depth)

    def defining_op(self, value: Position) -> Position:
        """Return the position of the operation that defines a value (or the first of several values)."""
        return self._at(PositionKind.OPERATION, value, None, value.depth + 1)

    def operand(self, op: Position, index: int) -> Position:
        """Return the position of operand number `index`, from 0, of the operation at `op`."""
        return self._below(PositionKind.OPERAND, op, index)

    def operand_group(self, op: Position, index: int | None, is_range: bool) -> Position:
        """Return the position of a group of operands: number `index` among the groups of the operation, or
        all operands if ``index`` is None. Unless `is_range`, the group is a single operand.
        """
        return self._below(PositionKind.OPERAND_GROUP, op, (index, is_range))

    def attribute(self, op: Position, name: str) -> Position:
        """Return the position of the attribute ``name`` of an operation."""
        return self._below(PositionKind.ATTRIBUTE, op, name)

    def result(self, op: Position, index: int) -> Position:
        """Return the position of result number `index`, from 0, of the operation at `op`."""
        return self._below(PositionKind.RESULT, op, index)

    def result_group(self, op: Position, index: int | None, is_range: bool) -> Position:
        """Return the position of a group of results: number `index` among the groups of the operation, or all
        results if ``index`` is None. Unless `is_range`, the group is a single result.
        """
        return self._below(PositionKind.RESULT_GROUP, op, (index, is_range))

    def type_of(self, position: Position) -> Position:
        """Return the position of the type of a value or attribute, or of the types of several values."""
        return self._below(PositionKind.TYPE, position)

    def user(self, value: Position, loop: int) -> Position:
        """Return the position of an operation that uses a value (or the first of several values); the matcher
        tries all users. ``loop`` distinguishes several such positions for one value.
        """
        users = self._below(PositionKind.USERS, value)
        each = self._at(PositionKind.FOR_EACH, users, loop, value.depth + 1)
        return self._at(PositionKind.OPERATION, each, None, each.depth)

    def literal(self, place: PositionKind, value: Any) -> Position:
        """Return the position of an attribute, a type, or a tuple of types that the pattern itself spells
        out; it is not in the matched IR. ``place`` is one of the two kinds of literals.
        """
        return self._at(place, None, value, 0)

    def constraint_result(self, constraint: NativeConstraint, index: int) -> Position:
        """Return the position of result number `index` of a native constraint, as deep as the deepest
        argument of the constraint.
        """
        depth = max(argument.depth for argument in constraint.arguments)
        return self._at(PositionKind.CONSTRAINT_RESULT, None, (constraint, index), depth)
