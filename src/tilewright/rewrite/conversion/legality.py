"""Computes which patterns can lead to legal operations, from the operations that they declare to generate."""

from __future__ import annotations

from typing import Any

from tilewright.rewrite.conversion.target import ConversionTarget, Legality
from tilewright.rewrite.pattern import NoMatch, Pattern
from tilewright.rewrite.pattern_set import FrozenRewritePatternSet


class GenerationGraph:
    """Edges from patterns to the operations they generate.  A pattern that generates nothing in particular has none."""

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
        """Return the illegal operations that cannot be legalised: no pattern generates only operations that
        can (a greatest fixed point).
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
