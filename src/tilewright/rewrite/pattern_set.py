"""Sets of patterns: gathered in a list, then frozen into a table that finds the patterns of an operation at once.

Order of trial: benefit descending, then kind of root, then order of registration.  A frozen set does not change and
may be shared by threads.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from tilewright.ir.declaration.kind import OperationKind
from tilewright.rewrite.pattern import Pattern, PatternRootKind, name_of_root, rank_of_root

if TYPE_CHECKING:
    from tilewright.ir.context import Context

AnyPattern = Pattern[Any]
Populator = Callable[["RewritePatternSet"], Any]


class PatternSource(Protocol):
    """A source of patterns, which its method `compiled` makes, and perhaps compiles, when the set that has
    the source is frozen.
    """

    def compiled(self) -> Sequence[AnyPattern]:
        """Return the patterns, in order. Raises `DiagnosticError` if one cannot be made."""
        ...


class RewritePatternSet:
    """Patterns in order of registration, and sources of patterns that are compiled when the set is frozen."""

    def __init__(self, context: Context, patterns: Iterable[AnyPattern] = ()) -> None:
        self.context = context
        self.patterns: list[AnyPattern] = []
        self.sources: list[PatternSource] = []
        self.add(*patterns)

    def add(self, *patterns: AnyPattern) -> RewritePatternSet:
        """Append patterns, and return the set. A pattern without a context gets the context of the set."""
        for pattern in patterns:
            pattern.context = pattern.context or self.context
            self.patterns.append(pattern)
        return self

    def populate(self, *populators: Populator) -> RewritePatternSet:
        """Run functions that add patterns to this set, in order; return the set."""
        for populator in populators:
            populator(self)
        return self

    def add_source(self, source: PatternSource) -> RewritePatternSet:
        """Append a source, whose patterns follow all patterns that were added directly; return the set."""
        self.sources.append(source)
        return self

    def __len__(self) -> int:
        return len(self.patterns)

    def __iter__(self) -> Iterator[AnyPattern]:
        return iter(self.patterns)


class FrozenRewritePatternSet:
    """An immutable set: sorted once, sources compiled once, looked up by the identity of an operation's kind.
    ``disabled`` and ``enabled`` are debug names or labels, as in MLIR's ``disable-patterns`` and
    ``enable-patterns``. Disabled patterns are left out; if ``enabled`` is not empty, patterns that it does
    not name are left out, too.
    """

    __slots__ = ("_generic", "_of_kind", "_of_name", "_torn_down", "context", "patterns")

    context: Context
    patterns: tuple[AnyPattern, ...]
    """All patterns in the order of trial."""
    _of_name: dict[str, list[int]]
    _generic: tuple[int, ...]
    _of_kind: dict[OperationKind, tuple[AnyPattern, ...]]
    _torn_down: list[bool]

    def __init__(
        self,
        patterns: RewritePatternSet,
        *,
        disabled: Collection[str] = (),
        enabled: Collection[str] = (),
    ) -> None:
        compiled = [pattern for source in patterns.sources for pattern in source.compiled()]
        chosen = [*patterns.patterns, *compiled]
        if disabled or enabled:
            chosen = [pattern for pattern in chosen if _is_chosen(pattern, disabled, enabled)]
        order = sorted(chosen, key=_trial_rank)  # stable: registration order
        fill: Any = object.__setattr__
        fill(self, "context", patterns.context)
        fill(self, "patterns", tuple(order))
        by_name: dict[str, list[int]] = {}
        generic: list[int] = []
        for position, pattern in enumerate(order):
            name = name_of_root(pattern.root)
            (generic if name is None else by_name.setdefault(name, [])).append(position)
        fill(self, "_of_name", by_name)
        fill(self, "_generic", tuple(generic))
        fill(self, "_of_kind", {})
        fill(self, "_torn_down", [])

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError("a frozen pattern set does not change; freeze a new RewritePatternSet")

    @property
    def by_kind(self) -> dict[OperationKind, tuple[AnyPattern, ...]]:
        """The patterns found so far, by kind. Drivers read it directly and call `of_kind` when a kind is missing."""
        return self._of_kind

    def of_kind(self, kind: OperationKind) -> tuple[AnyPattern, ...]:
        """Return the patterns to try on operations of a kind, in order."""
        found = self._of_kind.get(kind)
        if found is None:  # two threads may both compute it, and agree
            positions = [at for at in self._generic if self.patterns[at].applies_to(kind)]
            positions += self._of_name.get(kind.name, ())
            found = self._of_kind[kind] = tuple([self.patterns[at] for at in sorted(positions)])
        return found

    def ties(self) -> list[tuple[AnyPattern, ...]]:
        """Return groups of two or more patterns that differ only in their order of registration: root and
        benefit are the same. Patterns for any operation are left out.
        """
        return ties([pattern for pattern in self.patterns if pattern.kind is not PatternRootKind.ANY])

    def tear_down(self) -> None:
        """Clear the table, then close every pattern in order. A second call does nothing."""
        if self._torn_down:
            return
        self._torn_down.append(True)
        self._of_kind.clear()
        self._of_name.clear()
        for pattern in self.patterns:
            pattern.close()

    def __len__(self) -> int:
        return len(self.patterns)

    def __iter__(self) -> Iterator[AnyPattern]:
        return iter(self.patterns)


_ROOT_KINDS = len(PatternRootKind)


def _trial_rank(pattern: AnyPattern) -> int:
    """Return the rank of a pattern in the order of trial: the greater benefit first, then the more specific
    root.
    """
    return rank_of_root(pattern.root) - _ROOT_KINDS * pattern.benefit


def _is_chosen(pattern: AnyPattern, disabled: Collection[str], enabled: Collection[str]) -> bool:
    names = {pattern.debug_name, *pattern.labels}
    return names.isdisjoint(disabled) and (not enabled or not names.isdisjoint(enabled))


def frozen(patterns: RewritePatternSet | FrozenRewritePatternSet) -> FrozenRewritePatternSet:
    """Return a frozen set: `patterns` itself, or a set frozen from it."""
    return patterns if isinstance(patterns, FrozenRewritePatternSet) else FrozenRewritePatternSet(patterns)


def ties(patterns: Sequence[AnyPattern]) -> list[tuple[AnyPattern, ...]]:
    """Return groups of two or more patterns with the same root and benefit."""
    groups: dict[tuple[Any, ...], list[AnyPattern]] = {}
    for pattern in patterns:
        key = pattern.root_name or pattern.root, pattern.benefit, pattern.kind
        groups.setdefault(key, []).append(pattern)
    return [tuple(group) for group in groups.values() if len(group) > 1]
