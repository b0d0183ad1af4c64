"""The ``vector`` dialect: values of several dimensions in registers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tilewright.dialects.arith.dialect import materialize_constant
from tilewright.dialects.vector import (
    ops_arithmetic,
    ops_mask,
    ops_memory,
    ops_shape,
)
from tilewright.dialects.vector.enums import ATTRIBUTES
from tilewright.dialects.vector.ops_shape import BroadcastOp, FromElementsOp
from tilewright.ir.dialect import Dialect, FoldTable
from tilewright.ir.interfaces.control_flow import InlinerInterface
from tilewright.rewrite.pattern import NoMatch, RewritePattern, pattern
from tilewright.rewrite.rewriter import Rewriter

HAND_WRITTEN_SYNTAX: tuple[str, ...] = (
    "vector.contract",
    "vector.mask",
    "vector.outerproduct",
    "vector.transfer_read",
    "vector.transfer_write",
)
"""Operations whose custom syntax is written in Python instead of an assembly format."""

OPERATIONS = (
    *ops_arithmetic.OPERATIONS,
    *ops_shape.OPERATIONS,
    *ops_memory.OPERATIONS,
    *ops_mask.OPERATIONS,
)


def _folds() -> FoldTable:
    """Return the dialect's table of folds, which is imported when the first operation is to be folded."""
    from tilewright.dialects.vector.folds import FOLDS

    return FOLDS


def _patterns() -> Sequence[Any]:
    """Return the canonicalization patterns of the dialect; called when the first module is canonicalised."""

    return patterns()


VECTOR = Dialect(
    "vector",
    doc="The ``vector`` dialect: values of several dimensions in registers.",
    operations=OPERATIONS,
    attributes=ATTRIBUTES,
    folds=_folds,
    materialize_constant=materialize_constant,
    canonicalization_patterns=_patterns,
    interfaces=(InlinerInterface(),),
    depends_on=("arith",),
)


AnyPattern = RewritePattern[Any]


@pattern(FromElementsOp, name="FromElementsToBroadcast")
def repeated_element(op: FromElementsOp, rewriter: Rewriter) -> NoMatch | None:
    """Replace a `from_elements` whose operands are all the same value by a broadcast of this value."""
    if not op.operands or any(element is not op.operands[0] for element in op.operands):
        return rewriter.no_match("the elements differ")
    made = BroadcastOp(op.operands[0], result_types=op.result_types, location=op.location)
    rewriter.replace(op, rewriter.insert(made))
    return None


def patterns() -> Sequence[AnyPattern]:
    """Return the canonicalization patterns of the dialect."""
    return [repeated_element]
