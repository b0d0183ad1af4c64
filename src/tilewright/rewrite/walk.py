"""The one-shot driver: every operation is visited once and at most one pattern is applied to it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from tilewright.ir.builder import InsertionPoint
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.rewrite.observer import current_observer
from tilewright.rewrite.pattern_set import FrozenRewritePatternSet, RewritePatternSet, frozen
from tilewright.rewrite.rewriter import Listener, Rewriter


def walk_and_apply_patterns(
    root: Operation,
    patterns: RewritePatternSet | FrozenRewritePatternSet,
    listener: Listener | None = None,
) -> int:
    """Visit everything inside ``root`` in post-order and apply the first pattern that matches; return the
    number of matches. New operations are not visited, nothing is folded, and dead operations are not erased.
    `listener`, if it is not None, and the current observer are notified of all changes. A pattern may erase or
    replace the matched operation and operations before or inside it.
    """
    table = frozen(patterns)
    known = table.by_kind
    observer = current_observer()
    erased = _Erased(*(one for one in (listener, observer) if one is not None))
    applied = 0
    for op in _post_order(root):
        candidates = known.get(op.kind)
        if candidates is None:
            candidates = table.of_kind(op.kind)
        if not candidates or op in erased.operations:
            continue
        rewriter = Rewriter(InsertionPoint.before(op), erased)
        for pattern in candidates:
            match: Any = pattern
            if observer is None:
                refused = match.match_and_rewrite(op, rewriter)
            else:
                refused = observer.observe(pattern, op, partial(match.match_and_rewrite, op, rewriter))
            if refused is None:
                applied += 1
                break
    return applied


class _Erased(Listener):
    """Records erased operations, and passes all notifications on to the listeners `following`."""

    def __init__(self, *following: Listener) -> None:
        self.operations: set[Operation] = set()
        self.following = following

    def inserted(self, op: Operation) -> None:
        for one in self.following:
            one.inserted(op)

    def modified(self, op: Operation) -> None:
        for one in self.following:
            one.modified(op)

    def replaced(self, op: Operation, values: Sequence[Value]) -> None:
        for one in self.following:
            one.replaced(op, values)

    def erased(self, op: Operation) -> None:
        self.operations.add(op)
        for one in self.following:
            one.erased(op)


def _post_order(root: Operation) -> list[Operation]:
    """Return the operations inside ``root``, each after its nested operations."""
    found: list[Operation] = []
    pending: list[tuple[Operation, bool]] = [(root, False)]
    while pending:
        op, entered = pending.pop()
        if entered or (not op.regions and op is not root):
            found.append(op)
            continue
        if op is not root:
            pending.append((op, True))
        inside = [inner for region in op.regions for block in region.blocks for inner in block]
        pending.extend((inner, False) for inner in reversed(inside))
    return found
