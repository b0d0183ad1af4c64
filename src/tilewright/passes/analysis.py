"""Analyses: facts computed once about an operation and kept until a pass invalidates them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from tilewright.ir.operation import Operation

_A = TypeVar("_A")


class PreservedAnalyses:
    """The set of analyses that stay valid after a pass."""

    def __init__(self) -> None:
        self._all = False
        self._kept: set[type[Any]] = set()

    def preserve(self, *analysis_classes: type[Any]) -> None:
        """Mark these analyses as still valid."""
        self._kept.update(analysis_classes)

    def preserve_all(self) -> None:
        """Preserve all analyses: the pass changed nothing."""
        self._all = True

    def keeps(self, analysis_class: type[Any]) -> bool:
        """Return whether an analysis stays valid after the pass."""
        return self._all or analysis_class in self._kept


class AnalysisManager:
    """The analyses of one operation; nested operations have managers of their own.

    An analysis is an object of a class that is constructed with the operation. It may define
    ``is_invalidated(preserved)``, which returns whether it is dropped after a pass. ``observer`` is called
    with "before" or "after" and the name of the analysis; by default it is the observer of ``parent``.
    """

    def __init__(
        self,
        op: Operation,
        parent: AnalysisManager | None = None,
        observer: Callable[[str, str], None] | None = None,
    ) -> None:
        self.op = op
        self.parent = parent
        self._observer = observer if observer is not None or parent is None else parent._observer
        self._cached: dict[type[Any], Any] = {}
        self._nested: dict[Operation, AnalysisManager] = {}

    def get(self, analysis_class: type[_A]) -> _A:
        """Return the analysis of this class. It is computed at the first call, and again after a pass has
        invalidated it.
        """
        found = self._cached.get(analysis_class)
        if found is None:
            self._notify("before", analysis_class)
            make: Any = analysis_class
            found = self._cached[analysis_class] = make(self.op)
            self._notify("after", analysis_class)
        return found

    def cached(self, analysis_class: type[_A]) -> _A | None:
        """Return the analysis if it was computed and is still valid, else None."""
        return self._cached.get(analysis_class)

    def nest(self, op: Operation) -> AnalysisManager:
        """Return the manager of `op`, an operation nested in the operation of this manager; create it at the
        first call.
        """
        found = self._nested.get(op)
        if found is None:
            found = self._nested[op] = AnalysisManager(op, self)
        return found

    def invalidate(self, preserved: PreservedAnalyses) -> None:
        """Drop the stale analyses of this operation, of nested operations, and of all enclosing operations.
        One is stale if its method `is_invalidated` says so or, without the method, if `preserved` does not
        keep it.
        """
        self._invalidate_below(preserved)
        around = self.parent
        while around is not None:
            around._drop_stale(preserved)
            around = around.parent

    def _invalidate_below(self, preserved: PreservedAnalyses) -> None:
        self._drop_stale(preserved)
        for nested in self._nested.values():
            nested._invalidate_below(preserved)

    def _drop_stale(self, preserved: PreservedAnalyses) -> None:
        for analysis_class, value in list(self._cached.items()):
            decide = getattr(value, "is_invalidated", None)
            stale = decide(preserved) if decide is not None else not preserved.keeps(analysis_class)
            if stale:
                del self._cached[analysis_class]

    def clear(self) -> None:
        """Drop all analyses of this operation, and the managers of nested operations."""
        self._cached.clear()
        self._nested.clear()

    def _notify(self, moment: str, analysis_class: type[Any]) -> None:
        if self._observer is not None:
            self._observer(moment, analysis_class.__name__)
