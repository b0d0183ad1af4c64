"""Canonical forms of operations on the shape of vectors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tilewright.dialects.vector.ops_shape import BroadcastOp, FromElementsOp
from tilewright.rewrite.pattern import NoMatch, RewritePattern, pattern
from tilewright.rewrite.rewriter import Rewriter

AnyPattern = RewritePattern[Any]


@pattern(FromElementsOp, name="FromElementsToBroadcast")
def repeated_element(op: FromElementsOp, rewriter: Rewriter) -> NoMatch | None:
    """Replace a vector of equal elements by a broadcast."""
    if not op.operands or any(element is not op.operands[0] for element in op.operands):
        return rewriter.no_match("the elements differ")
    made = BroadcastOp(op.operands[0], result_types=op.result_types, location=op.location)
    rewriter.replace(op, rewriter.insert(made))
    return None


def patterns() -> Sequence[AnyPattern]:
    """Return all patterns of the dialect."""
    return [repeated_element]
