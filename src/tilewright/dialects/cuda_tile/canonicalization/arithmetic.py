"""Canonicalization patterns of arithmetic: the order of operands, and merging constants."""

from __future__ import annotations

from typing import Any

from tilewright.dialects.common.constant_folding import defined_by
from tilewright.dialects.cuda_tile.enums import ComparisonPredicate, IntegerOverflow
from tilewright.dialects.cuda_tile.folds.common import constant_of
from tilewright.dialects.cuda_tile.ops import float as float_ops, integer, tile as tile_ops
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.rewrite.pattern import NoMatch, RewritePattern, pattern
from tilewright.rewrite.rewriter import Rewriter

AnyPattern = RewritePattern[Any]


@pattern(float_ops.AddFOp, name="AddFProductFirst", defined_by=({1: float_ops.MulFOp},))
def product_first(op: float_ops.AddFOp, rewriter: Rewriter) -> NoMatch | None:
    """Replace ``c + a * b`` by ``a * b + c``, unless c is a product, too: in a sum that may be fused the
    product is the left operand.
    """
    if defined_by(op.rhs, float_ops.MulFOp) is None or defined_by(op.lhs, float_ops.MulFOp) is not None:
        return rewriter.no_match("there is no product on the right, or one on the left as well")
    rewriter.set_operands(op, [op.rhs, op.lhs])
    return None


MIRRORED = {
    ComparisonPredicate.EQUAL: ComparisonPredicate.EQUAL,
    ComparisonPredicate.NOT_EQUAL: ComparisonPredicate.NOT_EQUAL,
    ComparisonPredicate.LESS_THAN: ComparisonPredicate.GREATER_THAN,
    ComparisonPredicate.LESS_THAN_OR_EQUAL: ComparisonPredicate.GREATER_THAN_OR_EQUAL,
    ComparisonPredicate.GREATER_THAN: ComparisonPredicate.LESS_THAN,
    ComparisonPredicate.GREATER_THAN_OR_EQUAL: ComparisonPredicate.LESS_THAN_OR_EQUAL,
}
"""For each predicate, the predicate for swapped operands: ``a < b`` is ``b > a``."""


@pattern(integer.CmpIOp, name="CmpIConstantRight", defined_by=({0: tile_ops.ConstantOp},))
def constant_right(op: integer.CmpIOp, rewriter: Rewriter) -> NoMatch | None:
    """Replace ``c < x`` by ``x > c``: a constant becomes the right operand."""
    if constant_of(op.lhs) is None or constant_of(op.rhs) is not None:
        return rewriter.no_match("the left-hand operand is not the only constant")
    predicate = MIRRORED[op.comparison_predicate]
    made = integer.CmpIOp(predicate, op.rhs, op.lhs, op.signedness, location=op.location)
    rewriter.replace(op, rewriter.insert(made))
    return None


def _without_promise(op: Operation, operands: list[Value], rewriter: Rewriter) -> Value:
    """Return a copy of the operation on other operands, without overflow assumptions: they do not hold for these."""
    attributes = dict(op.attributes)
    if "overflow" in attributes:
        attributes["overflow"] = integer.IntegerOverflowAttr(IntegerOverflow.NONE)
    types = [op.results[0].type]
    made = Operation.from_parts(op.kind, operands, types, attributes, location=op.lazy_location)
    return rewriter.insert(made).results[0]


def _gather_constants(op: Operation, rewriter: Rewriter) -> NoMatch | None:
    inner = defined_by(op.operands[0], type(op))
    if inner is None or any(constant_of(each.operands[1]) is None for each in (op, inner)):
        return rewriter.no_match("there are no two constants")
    if op.attributes.get("signedness") != inner.attributes.get("signedness"):
        return rewriter.no_match("one operation is signed, the other is not")
    constant = _without_promise(op, [inner.operands[1], op.operands[1]], rewriter)
    rewriter.replace(op, _without_promise(op, [inner.operands[0], constant], rewriter))
    return None


GATHERING = tuple(
    pattern(
        root,
        name=f"{root.__name__.removesuffix('Op')}Constants",
        defined_by=({0: root, 1: tile_ops.ConstantOp},),
    )(_gather_constants)
    for root in (
        integer.AddIOp,
        integer.MulIOp,
        integer.AndIOp,
        integer.OrIOp,
        integer.XOrIOp,
        integer.MaxIOp,
        integer.MinIOp,
    )
)
"""For each associative operation, the pattern that replaces ``(x + c) + d`` by ``x + (c + d)`` for constants
c and d.
"""

PATTERNS: tuple[AnyPattern, ...] = (product_first, constant_right, *GATHERING)
