"""The operations that a conversion may leave behind."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Any, NamedTuple

from tilewright.ir.declaration.kind import OperationKind
from tilewright.ir.operation import Operation
from tilewright.rewrite.pattern import NoMatch, Pattern
from tilewright.rewrite.pattern_set import FrozenRewritePatternSet

Predicate = Callable[[Operation], "bool | None"]
"""A function that returns whether an operation is legal; None leaves the decision to the rule of its
dialect.
"""
OperationName = str | type[Operation]


class Legality(Enum):
    """Whether a conversion may leave an operation in place. The operations inside a recursively legal
    operation are legal, too. An unknown operation has no rule.
    """

    LEGAL = "legal"
    RECURSIVELY_LEGAL = "recursively legal"
    ILLEGAL = "illegal"
    UNKNOWN = "unknown"


class _LegalityRule(NamedTuple):
    """The declared legality of an operation or of a dialect; with a ``predicate`` it is decided for each
    operation.
    """

    legality: Legality
    predicate: Predicate | None = None


_UNKNOWN = _LegalityRule(Legality.UNKNOWN)


class ConversionTarget:
    """Declares operations and dialects as legal, illegal, dynamically legal or recursively legal. The rule of
    an operation precedes the rule of its dialect, which precedes the rule of unknown operations. A later rule
    for the same name replaces the earlier one. Methods that add a rule return the target itself.
    """

    def __init__(self) -> None:
        self._operations: dict[str, _LegalityRule] = {}
        self._dialects: dict[str, _LegalityRule] = {}
        self._unknown = _UNKNOWN
        self._recursive: dict[str, Predicate | None] = {}
        self._rules: dict[OperationKind, tuple[_LegalityRule, ...]] = {}
        self._of_kind: dict[OperationKind, Legality | None] = {}

    # --- saying

    def add_legal(self, *operations: OperationName) -> ConversionTarget:
        """Mark operations as legal: they may stay."""
        return self._say(self._operations, operations, _LegalityRule(Legality.LEGAL))

    def add_illegal(self, *operations: OperationName) -> ConversionTarget:
        """Mark operations as illegal: they must be converted."""
        return self._say(self._operations, operations, _LegalityRule(Legality.ILLEGAL))

    def add_dynamically_legal(self, predicate: Predicate, *operations: OperationName) -> ConversionTarget:
        """Mark operations as legal if ``predicate`` returns True for them, and illegal if it returns False.
        If it returns None, the rule of the dialect applies.
        """
        return self._say(self._operations, operations, _LegalityRule(Legality.LEGAL, predicate))

    def add_legal_dialect(self, *dialects: str) -> ConversionTarget:
        """Mark the operations of dialects as legal."""
        return self._say(self._dialects, dialects, _LegalityRule(Legality.LEGAL))

    def add_illegal_dialect(self, *dialects: str) -> ConversionTarget:
        """Mark the operations of dialects as illegal."""
        return self._say(self._dialects, dialects, _LegalityRule(Legality.ILLEGAL))

    def add_dynamically_legal_dialect(self, predicate: Predicate, *dialects: str) -> ConversionTarget:
        """Mark the operations of dialects as legal if ``predicate`` returns True for them, and illegal if it
        returns False. If it returns None, the rule of unknown operations applies.
        """
        return self._say(self._dialects, dialects, _LegalityRule(Legality.LEGAL, predicate))

    def mark_unknown_dynamically_legal(self, predicate: Predicate) -> ConversionTarget:
        """Declare that operations without a rule are legal if ``predicate`` returns True for them, and
        illegal if it returns False. If it returns None, they stay unknown.
        """
        self._unknown = _LegalityRule(Legality.LEGAL, predicate)
        return self._forget()

    def mark_recursively_legal(
        self, *operations: OperationName, when: Predicate | None = None
    ) -> ConversionTarget:
        """Mark everything inside these operations as legal, if the operations themselves are legal and,
        unless it is None, ``when`` returns true for them.
        """
        for operation in operations:
            self._recursive[_name(operation)] = when
        return self._forget()

    def _say(
        self, table: dict[str, _LegalityRule], names: tuple[OperationName, ...], rule: _LegalityRule
    ) -> ConversionTarget:
        for name in names:
            table[_name(name)] = rule
        return self._forget()

    def _forget(self) -> ConversionTarget:
        """Drop cached legalities after a new rule."""
        self._rules.clear()
        self._of_kind.clear()
        return self

    # --- asking

    def legality(self, op: Operation) -> Legality:
        """Return the legality of an operation in its current form; `Legality.UNKNOWN` if no rule decides it."""
        return self.legality_of_kind(op.kind) or self._dynamic_legality(op)

    def legality_of_kind(self, kind: OperationKind) -> Legality | None:
        """Return the legality of all operations of a kind; None if it depends on the operation."""
        if kind not in self._of_kind:
            self._of_kind[kind] = self._static_legality(kind)
        return self._of_kind[kind]

    def _static_legality(self, kind: OperationKind) -> Legality | None:
        legality, predicate = self._rules_of(kind)[0]
        if predicate is not None:
            return None
        if legality is Legality.LEGAL and kind.name in self._recursive:
            return Legality.RECURSIVELY_LEGAL if self._recursive[kind.name] is None else None
        return legality

    def _dynamic_legality(self, op: Operation) -> Legality:
        kind = op.kind
        rules = self._rules.get(kind)
        if rules is None:
            rules = self._rules[kind] = self._rules_of(kind)
        for legality, predicate in rules:
            if predicate is not None:
                allowed = predicate(op)
                if allowed is None:
                    continue
                legality = Legality.LEGAL if allowed else Legality.ILLEGAL
            if legality is Legality.LEGAL and kind.name in self._recursive:
                return self._inside(op)
            return legality
        return Legality.UNKNOWN

    def _rules_of(self, kind: OperationKind) -> tuple[_LegalityRule, ...]:
        found = self._operations.get(kind.name), self._dialects.get(kind.dialect)
        return (*(rule for rule in found if rule is not None), self._unknown)

    def _inside(self, op: Operation) -> Legality:
        when = self._recursive[op.kind.name]
        return Legality.RECURSIVELY_LEGAL if when is None or when(op) else Legality.LEGAL

    def is_legal(self, op: Operation) -> bool:
        """Return whether a rule declares an operation legal as it is, recursively or not. False for illegal
        operations, and for operations that no rule decides.
        """
        return self.legality(op) in (Legality.LEGAL, Legality.RECURSIVELY_LEGAL)

    def static_legality(self, name: str) -> Legality | None:
        """Return the legality that is declared for operations called ``name``, recursive legality aside. None
        if a predicate decides it; unknown if there is no rule.
        """
        for rule in (self._operations.get(name), self._dialects.get(name.partition(".")[0])):
            if rule is not None:
                return None if rule.predicate is not None else rule.legality
        return None if self._unknown.predicate is not None else Legality.UNKNOWN


def _name(operation: OperationName) -> str:
    return operation if isinstance(operation, str) else operation.op_kind.name


class GenerationGraph:
    """Finds patterns that cannot succeed, from the operations that patterns declare to generate. A pattern
    without ``generated_ops`` is never refused.
    """

    def __init__(self, target: ConversionTarget, patterns: FrozenRewritePatternSet) -> None:
        self._target = target
        self._patterns = patterns
        self._hopeless: set[str] | None = None

    def refuses(self, pattern: Pattern[Any]) -> NoMatch | None:
        """Return why a pattern cannot succeed: it generates an illegal operation that no pattern converts.

        None if it may succeed.
        """
        if self._hopeless is None:
            self._hopeless = self._find_hopeless()
        for name in pattern.generated_ops:
            if name in self._hopeless:
                return NoMatch("it generates '{}', which is illegal and which no pattern legalizes", (name,))
        return None

    def _find_hopeless(self) -> set[str]:
        """Return the names of the illegal generated operations that cannot be legalised: each pattern for one
        of them generates an operation that cannot be legalised either. Empty if a pattern applies to any
        operation.
        """
        named = {name for pattern in self._patterns for name in pattern.generated_ops}
        illegal = {name for name in named if self._target.static_legality(name) is Legality.ILLEGAL}
        if not illegal:
            return illegal
        by_root: dict[str, list[Pattern[Any]]] = {}
        for pattern in self._patterns:
            root = pattern.root_name
            if root is None:  # a pattern for any operation may legalise everything
                return set()
            by_root.setdefault(root, []).append(pattern)
        hopeful: set[str] = set()
        changed = True
        while changed:
            found = {
                name
                for name in illegal - hopeful
                if any(
                    all(made in hopeful or made not in illegal for made in pattern.generated_ops)
                    for pattern in by_root.get(name, ())
                )
            }
            changed = bool(found)
            hopeful |= found
        return illegal - hopeful
