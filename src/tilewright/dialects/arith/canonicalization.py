"""Canonical forms of ``arith``: selections here, the rest in the modules named ``canonicalization_*``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tilewright.dialects.arith import canonicalization_conversion, canonicalization_integer
from tilewright.dialects.arith.folds_integer import constant_of
from tilewright.dialects.arith.ops_conversion import ExtUIOp
from tilewright.dialects.arith.ops_integer import ConstantOp, SelectOp, XOrIOp
from tilewright.dialects.common.constant_folding import (
    bit_width,
    defined_by,
    is_one,
    is_zero,
)
from tilewright.dialects.common.constraints import i1_of_same_shape, value_element_type
from tilewright.ir.builtin_types import IntegerType
from tilewright.ir.value import Value
from tilewright.rewrite.pattern import NoMatch, RewritePattern, pattern
from tilewright.rewrite.rewriter import Rewriter
from tilewright.rewrite.rules import constant, op_pattern, ordered, rule, variables

AnyPattern = RewritePattern[Any]


X, Y, CONDITION = variables("x y condition")

SELECT_NEGATED = rule(
    "SelectNotCond",
    op_pattern(SelectOp, ordered(op_pattern(XOrIOp, CONDITION, constant(-1))), X, Y),
    op_pattern(SelectOp, CONDITION, Y, X),
)
"""Replace ``not c ? x : y`` with ``c ? y : x``."""


@pattern(SelectOp, name="RedundantSelect", defined_by=({1: SelectOp}, {2: SelectOp}))
def select_again(op: SelectOp, rewriter: Rewriter) -> NoMatch | None:
    """Replace ``c ? (c ? a : b) : d`` with ``c ? a : d``, and ``c ? a : (c ? b : d)`` with ``c ? a : d``."""
    first, second = defined_by(op.true_value, SelectOp), defined_by(op.false_value, SelectOp)
    values = [
        first.true_value if first is not None and first.condition is op.condition else op.true_value,
        second.false_value if second is not None and second.condition is op.condition else op.false_value,
    ]
    if values == [op.true_value, op.false_value]:
        return rewriter.no_match("no value is chosen by the same condition")
    rewriter.replace(op, rewriter.insert(SelectOp(op.condition, *values, location=op.location)))
    return None


@pattern(SelectOp, name="SelectI1ToNot", defined_by=({1: ConstantOp, 2: ConstantOp},))
def select_negation(op: SelectOp, rewriter: Rewriter) -> NoMatch | None:
    """Replace ``c ? false : true`` with ``not c``. The values must be constants of the type of c, i1 or a
    vector or tensor of i1.
    """
    if bit_width(op.result.type) != 1 or op.condition.type is not op.result.type:
        return rewriter.no_match("the result is not of the type of the condition")
    if not is_zero(constant_of(op.true_value)) or not is_one(constant_of(op.false_value)):
        return rewriter.no_match("the values are not false and true")
    rewriter.replace(op, rewriter.insert(XOrIOp(op.condition, op.false_value, location=op.location)))
    return None


@pattern(SelectOp, name="SelectToExtUI", defined_by=({1: ConstantOp, 2: ConstantOp},))
def select_to_extension(op: SelectOp, rewriter: Rewriter) -> NoMatch | None:
    """Replace ``c ? 1 : 0`` with ``extui(c)``, and ``c ? 0 : 1`` with ``extui(not c)``, for integers wider
    than one bit. The condition must have the shape of the result.
    """
    type = op.result.type
    if bit_width(type) == 1 or not isinstance(value_element_type(type), IntegerType):
        return rewriter.no_match("the result is no wide integer")
    if op.condition.type is not i1_of_same_shape(type):
        return rewriter.no_match("one condition for all elements")
    first, second = constant_of(op.true_value), constant_of(op.false_value)
    condition: Value | None = None
    if is_one(first) and is_zero(second):
        condition = op.condition
    elif is_zero(first) and is_one(second):
        true = canonicalization_integer.insert_splat(rewriter, op, op.condition.type, 1)
        if true is not None:
            condition = rewriter.insert(XOrIOp(op.condition, true, location=op.location)).result
    if condition is None:
        return rewriter.no_match("the values are not 0 and 1")
    rewriter.replace(op, rewriter.insert(ExtUIOp(condition, result_types=[type], location=op.location)))
    return None


def patterns() -> Sequence[AnyPattern]:
    """Return all patterns of the dialect."""
    return [
        select_again,
        select_to_extension,
        select_negation,
        SELECT_NEGATED,
        *canonicalization_integer.patterns(),
        *canonicalization_conversion.patterns(),
    ]
