"""Why a PDL pattern does not match an operation, in words; asked for by people only, so it need not be fast."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, cast

from tilewright.ir.operation import Operation
from tilewright.pdl.compiler import positions as compiler_positions, reader
from tilewright.pdl.interpreter import handles
from tilewright.rewrite.pattern import NoMatch
from tilewright.rewrite.rewriter import Rewriter


class Matcher(Protocol):
    """The matcher whose decisions are explained: ``order``, the predicates in the order in which it tests
    them, and ``native``, its native functions by name.
    """

    @property
    def order(self) -> Sequence[compiler_positions.Predicate]:
        """The predicates, in the order in which they are tested."""
        ...

    @property
    def native(self) -> Mapping[str, Callable[..., Any]]:
        """The native functions by name."""
        ...


class Explanation:
    """The reason why the pattern of `plan` does not match with the root `op`. Its text is computed when it is
    printed; the IR must not have changed by then. `matcher` is the matcher that refused the pattern; its
    native constraints are called with `rewriter`.
    """

    __slots__ = ("matcher", "op", "plan", "rewriter")

    def __init__(self, plan: reader.PatternPlan, matcher: Matcher, op: Operation, rewriter: Rewriter) -> None:
        self.plan = plan
        self.matcher = matcher
        self.op = op
        self.rewriter = rewriter

    def __str__(self) -> str:
        for predicate in self.matcher.order:
            if predicate in self.plan.predicates:
                reason = self.failure(*predicate, self.plan.predicates[predicate])
                if reason is not None:
                    return reason
        return "nothing it asks for is missing now"

    def failure(
        self, position: compiler_positions.Position, question: compiler_positions.Question, answer: Any
    ) -> str | None:
        """Return in words why `question` about the object at `position` does not have the expected result
        ``answer``; None if it has this result. If only a run of the matcher can find the object, the words
        say so.
        """
        try:
            if isinstance(question.detail, compiler_positions.NativeConstraint):
                return self.refusal(question.detail)
            found = self.found(position)
            if isinstance(question.detail, compiler_positions.Position):
                other = self.found(question.detail)
                same = f"{described(position)} is not {described(question.detail)}"
                return None if found == other else same
        except _Unknown as unknown:
            return str(unknown)
        return WORDS[question.ask](
            described(position), found, answer if question.detail is None else question.detail
        )

    def refusal(self, constraint: compiler_positions.NativeConstraint) -> str | None:
        """Return in words why a native constraint does not hold; None if it holds. The constraint is called
        again, unless it has results: then the text says only that it, or a later question, fails.
        """
        if not constraint.result_types:
            values = [self.found(position) for position in constraint.arguments]
            answer = self.matcher.native[constraint.name](self.rewriter, *values)
            if isinstance(answer, NoMatch):
                return None if constraint.is_negated else answer.reason
            if bool(answer) is not constraint.is_negated:
                return None
        return f"native constraint '{constraint.name}' says no, or something that is asked after it fails"

    def found(self, position: compiler_positions.Position) -> Any:
        """Return the object at a position in the IR; None if there is none. Raises `_Unknown` for a position
        inside of a loop, and for results of native constraints.
        """
        path: list[compiler_positions.Position] = []
        current: compiler_positions.Position | None = position
        while current is not None:
            path.append(current)
            current = current.parent
        found: Any = self.op
        for step in reversed(path):
            if step.place is compiler_positions.PositionKind.CONSTRAINT_RESULT:
                raise _Unknown("the results of a native constraint do not fit")
            if step.place is compiler_positions.PositionKind.FOR_EACH:
                raise _Unknown(f"no operation among {described(step)} fits")
            if step.place in LITERALS:
                found = step.detail
            elif step.parent is not None:
                found = READ[step.place](found, step.detail) if found is not None else None
        return found


class _Unknown(Exception):
    """Raised for a position whose object cannot be found without running the matcher."""


READ: dict[compiler_positions.PositionKind, Callable[[Any, Any], Any]] = {
    compiler_positions.PositionKind.OPERATION: lambda value, _: handles.defining_op(value),
    compiler_positions.PositionKind.OPERAND: lambda op, index: (
        op.operands[index] if index < len(op.operands) else None
    ),
    compiler_positions.PositionKind.OPERAND_GROUP: lambda op, detail: _group(
        handles.operand_group(op, detail[0]), detail[1]
    ),
    compiler_positions.PositionKind.ATTRIBUTE: handles.attribute,
    compiler_positions.PositionKind.RESULT: lambda op, index: (
        op.results[index] if index < len(op.results) else None
    ),
    compiler_positions.PositionKind.RESULT_GROUP: lambda op, detail: _group(
        handles.result_group(op, detail[0]), detail[1]
    ),
    compiler_positions.PositionKind.TYPE: lambda held, _: handles.type_of(held),
    compiler_positions.PositionKind.USERS: lambda held, _: held,
}
"""For each kind of position, the function from the object at its parent, and its `detail`, to its object."""


LITERALS = (
    compiler_positions.PositionKind.ATTRIBUTE_LITERAL,
    compiler_positions.PositionKind.TYPE_LITERAL,
)
"""The kinds of positions that are no place in the IR: their `detail` is the attribute, type or tuple of types."""


def _group(values: tuple[Any, ...] | None, is_range: bool) -> Any:
    if values is None or is_range:
        return values
    return values[0] if len(values) == 1 else None


def described(position: compiler_positions.Position) -> str:
    """Return a description of a position in words, as a path to the root operation: "operand 0 of the
    operation".
    """
    words: list[str] = []
    current: compiler_positions.Position | None = position
    while current is not None:
        words.append(_step_words(current))
        current = current.parent
    return " ".join(word for word in words if word)


def _step_words(position: compiler_positions.Position) -> str:
    detail = position.detail
    match position.place:
        case compiler_positions.PositionKind.OPERATION if position.parent is None:
            return "the operation"
        case compiler_positions.PositionKind.OPERATION:
            return "" if position.parent is None else "what defines" if not _is_user(position) else "one of"
        case compiler_positions.PositionKind.OPERAND | compiler_positions.PositionKind.RESULT:
            return f"{position.place.name.lower()} {detail} of"
        case compiler_positions.PositionKind.OPERAND_GROUP | compiler_positions.PositionKind.RESULT_GROUP:
            word = position.place.name.lower().removesuffix("_group")
            return f"the {word}s of" if detail[0] is None else f"{word} group {detail[0]} of"
        case compiler_positions.PositionKind.ATTRIBUTE:
            return f"attribute '{detail}' of"
        case compiler_positions.PositionKind.TYPE:
            return "the type of"
        case compiler_positions.PositionKind.USERS:
            return "the users of"
        case _:
            return ""


def _is_user(position: compiler_positions.Position) -> bool:
    return position.parent is not None and position.parent.place is compiler_positions.PositionKind.FOR_EACH


def _count(word: str, wanted_exactly: bool) -> Callable[[str, Any, Any], str | None]:
    def words(place: str, found: Any, wanted: int) -> str | None:
        count = len(getattr(found, word)) if found is not None else 0
        holds = count == wanted if wanted_exactly else count >= wanted
        bound = "" if wanted_exactly else "at least "
        return None if holds and found is not None else f"{place} has {count} {word}, not {bound}{wanted}"

    return words


def _name(place: str, found: Any, wanted: str) -> str | None:
    name = found.name if found is not None else "nothing"
    return None if name == wanted else f"{place} is '{name}', not '{wanted}'"


def _value(place: str, found: Any, wanted: Any) -> str | None:
    return None if found == wanted else f"{place} is {_text(found)}, not {_text(wanted)}"


def _text(found: Any) -> str:
    if isinstance(found, tuple):
        return f"({', '.join(map(str, cast(tuple[Any, ...], found)))})"
    return str(found)


WORDS: dict[compiler_positions.QuestionKind, Callable[[str, Any, Any], str | None]] = {
    compiler_positions.QuestionKind.IS_NOT_NULL: lambda place, found, _: (
        None if found is not None else f"there is no such thing as {place}"
    ),
    compiler_positions.QuestionKind.OPERATION_NAME: _name,
    compiler_positions.QuestionKind.TYPE: _value,
    compiler_positions.QuestionKind.ATTRIBUTE: _value,
    compiler_positions.QuestionKind.OPERAND_COUNT_AT_LEAST: _count("operands", False),
    compiler_positions.QuestionKind.OPERAND_COUNT: _count("operands", True),
    compiler_positions.QuestionKind.RESULT_COUNT_AT_LEAST: _count("results", False),
    compiler_positions.QuestionKind.RESULT_COUNT: _count("results", True),
}
"""The messages for questions with an unexpected result; each returns None if the result is as expected."""
