"""Folds of `select` operations."""

from __future__ import annotations

from tilewright.dialects.common.constant_folding import defined_by
from tilewright.dialects.cuda_tile.enums import ComparisonPredicate
from tilewright.dialects.cuda_tile.folds.common import (
    Constants,
    Folded,
    compute,
    is_all_ones,
    is_zero,
    same_value,
    splat_pattern,
    width_of,
)
from tilewright.dialects.cuda_tile.ops.integer import CmpIOp
from tilewright.dialects.cuda_tile.ops.tile import SelectOp
from tilewright.ir.dialect import FoldTable
from tilewright.ir.value import Value


def fold_select(op: SelectOp, constants: Constants) -> Folded:
    """Fold a select by the rules below, in this order, and constants element by element."""
    condition = splat_pattern(constants[0])
    if condition is not None:
        return op.val_if_true if condition else op.val_if_false
    if same_value(op.val_if_true, op.val_if_false):
        return op.val_if_true
    if width_of(op.result) == 1 and is_all_ones(constants[1]) and is_zero(constants[2]):
        return op.cond
    return _by_comparison(op) or compute(op, constants, lambda c, a, b: a if c else b)


def _by_comparison(op: SelectOp) -> Value | None:
    """Return the arm that equals the result in both cases, if the condition compares the arms for equality;
    else None.
    """
    compared = defined_by(op.cond, CmpIOp)
    if compared is None:
        return None
    arms = (op.val_if_true, op.val_if_false)
    if arms not in ((compared.lhs, compared.rhs), (compared.rhs, compared.lhs)):
        return None
    when_equal = {ComparisonPredicate.EQUAL: arms[1], ComparisonPredicate.NOT_EQUAL: arms[0]}
    return when_equal.get(compared.comparison_predicate)


FOLDS: FoldTable = {
    SelectOp: fold_select,
}
"""By the class of an operation, how it folds."""
