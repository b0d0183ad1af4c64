"""Constraints on the types of operands, results and block arguments.

A constraint has the test `matches` and a description, which diagnostics show
(``operand #0 must be tile of f16 values, but got ...``) and reference pages, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from tilewright.ir.attribute import Type


class Constraint:
    """A predicate on types, `matches`, with a description for diagnostics. ``a | b`` is a type that matches
    either.
    """

    description: str

    def __init__(self, description: str) -> None:
        self.description = description

    def matches(self, type: Type) -> bool:
        """Return whether a type satisfies the constraint."""
        raise NotImplementedError

    def __or__(self, other: Constraint) -> Constraint:
        return Either(self, other)


class AnyTypeConstraint(Constraint):
    """A constraint that every type fulfils."""

    def matches(self, type: Type) -> bool:
        return True


class OneOf(Constraint):
    """One of a fixed set of types; ``description`` is for diagnostics."""

    def __init__(self, types: Iterable[Type], description: str) -> None:
        super().__init__(description)
        self.types = tuple(types)

    def matches(self, type: Type) -> bool:
        return type in self.types


class IsClass(Constraint):
    """Any instance of the given type classes; ``description`` is for diagnostics."""

    def __init__(self, classes: type[Type] | tuple[type[Type], ...], description: str) -> None:
        super().__init__(description)
        self.classes = classes

    def matches(self, type: Type) -> bool:
        return isinstance(type, self.classes)


class Satisfies(Constraint):
    """Types that the function ``predicate`` accepts; ``description`` is for diagnostics."""

    def __init__(self, predicate: Callable[[Type], bool], description: str) -> None:
        super().__init__(description)
        self.predicate = predicate

    def matches(self, type: Type) -> bool:
        return self.predicate(type)


class Either(Constraint):
    """Types that satisfy at least one of several constraints."""

    def __init__(self, *choices: Constraint) -> None:
        super().__init__(" or ".join(choice.description for choice in choices))
        self.choices = choices

    def matches(self, type: Type) -> bool:
        return any(choice.matches(type) for choice in self.choices)


class TypeVariable(Constraint):
    """A constraint shared by several operands and results of one operation: each type must satisfy ``bound``,
    and all must be the same. `matches` tests ``bound`` only; the verifier compares the types.

    A builder infers the type of a result that shares its type variable with an operand.
    """

    def __init__(self, name: str, bound: Constraint) -> None:
        super().__init__(bound.description)
        self.name = name
        self.bound = bound

    def matches(self, type: Type) -> bool:
        return self.bound.matches(type)


ANY_TYPE = AnyTypeConstraint("any type")
