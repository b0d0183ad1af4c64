"""Canonicalization patterns of `select`."""

from __future__ import annotations

from typing import Any

from tilewright.dialects.common.constant_folding import defined_by
from tilewright.dialects.cuda_tile.canonicalization.if_op import opposite
from tilewright.dialects.cuda_tile.enums import Signedness
from tilewright.dialects.cuda_tile.folds import common as common_folds
from tilewright.dialects.cuda_tile.ops.conversion import ExtIOp
from tilewright.dialects.cuda_tile.ops.integer import XOrIOp
from tilewright.dialects.cuda_tile.ops.tile import ConstantOp, SelectOp
from tilewright.ir.builtin_types import IntegerType
from tilewright.rewrite.pattern import NoMatch, RewritePattern, pattern
from tilewright.rewrite.rewriter import Rewriter

AnyPattern = RewritePattern[Any]


@pattern(SelectOp, name="SelectOfSelect", defined_by=({1: SelectOp}, {2: SelectOp}))
def select_once(op: SelectOp, rewriter: Rewriter) -> NoMatch | None:
    """Replace the true arm, if it is a select on the same condition, by the true arm of this inner select,
    and the false arm likewise by the inner false arm.
    """
    first = defined_by(op.val_if_true, SelectOp)
    second = defined_by(op.val_if_false, SelectOp)
    arms = [op.val_if_true, op.val_if_false]
    if first is not None and first.cond is op.cond:
        arms[0] = first.val_if_true
    if second is not None and second.cond is op.cond:
        arms[1] = second.val_if_false
    if arms == [op.val_if_true, op.val_if_false]:
        return rewriter.no_match("no arm is selected by the same condition")
    rewriter.set_operands(op, [op.cond, *arms])
    return None


@pattern(SelectOp, name="SelectOfNegated", defined_by=({0: XOrIOp},))
def swap_arms(op: SelectOp, rewriter: Rewriter) -> NoMatch | None:
    """Swap the arms of a select with a negated condition; its new condition is the value that was negated."""
    condition = common_folds.negated(op.cond)
    if condition is None:
        return rewriter.no_match("the condition is not negated")
    rewriter.set_operands(op, [condition, op.val_if_false, op.val_if_true])
    return None


@pattern(SelectOp, name="SelectToNot", defined_by=({1: ConstantOp, 2: ConstantOp},))
def to_negation(op: SelectOp, rewriter: Rewriter) -> NoMatch | None:
    """Replace a select of false where the condition is true, and true where it is false, by the negated
    condition.
    """
    first, second = common_folds.constant_of(op.val_if_true), common_folds.constant_of(op.val_if_false)
    if common_folds.width_of(op.result) != 1 or not (
        common_folds.is_zero(first) and common_folds.is_all_ones(second)
    ):
        return rewriter.no_match("the arms are not false and true")
    rewriter.replace(op, rewriter.insert(XOrIOp(op.cond, op.val_if_false, location=op.location)))
    return None


@pattern(SelectOp, name="SelectToExtension", defined_by=({1: ConstantOp, 2: ConstantOp},))
def to_extension(op: SelectOp, rewriter: Rewriter) -> NoMatch | None:
    """Replace a select of the integers 1 and 0, of more than one bit, by the condition extended to them with
    zeros; a select of 0 and 1 by the negated condition extended.
    """
    first, second = common_folds.constant_of(op.val_if_true), common_folds.constant_of(op.val_if_false)
    if (
        not isinstance(common_folds.element_type(op.result), IntegerType)
        or common_folds.width_of(op.result) == 1
    ):
        return rewriter.no_match("the arms are no integers of several bits")
    if common_folds.is_integer_one(first) and common_folds.is_zero(second):
        condition = op.cond
    elif common_folds.is_zero(first) and common_folds.is_integer_one(second):
        condition = opposite(op.cond, op, rewriter)
    else:
        return rewriter.no_match("the arms are not 0 and 1")
    made = ExtIOp(condition, Signedness.UNSIGNED, result_types=[op.result.type], location=op.location)
    rewriter.replace(op, rewriter.insert(made))
    return None


PATTERNS: tuple[AnyPattern, ...] = (select_once, swap_arms, to_negation, to_extension)
