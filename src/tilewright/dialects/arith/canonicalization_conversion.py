"""Canonical forms of conversions and of floating-point arithmetic."""

from __future__ import annotations

from typing import Any

from tilewright.dialects.arith.attributes import FastMathFlags
from tilewright.dialects.arith.folds_integer import constant_of
from tilewright.dialects.arith.ops_conversion import (
    BitcastOp,
    ExtFOp,
    ExtSIOp,
    ExtUIOp,
    IndexCastOp,
    IndexCastUIOp,
    SIToFPOp,
    TruncFOp,
    TruncIOp,
    UIToFPOp,
)
from tilewright.dialects.arith.ops_float import DivFOp, MulFOp, NegFOp
from tilewright.dialects.arith.ops_integer import ShRSIOp, ShRUIOp
from tilewright.dialects.common.constant_folding import bit_width, defined_by, float_format, splat_pattern
from tilewright.rewrite.pattern import NoMatch, RewritePattern, pattern
from tilewright.rewrite.rewriter import Rewriter
from tilewright.rewrite.rules import IdentityRule, op_pattern, rule, variables

AnyPattern = RewritePattern[Any]


(X,) = variables("x")

MERGED: tuple[IdentityRule, ...] = tuple(
    rule(name, op_pattern(outer, op_pattern(inner, X)), op_pattern(result, X))
    for name, outer, inner, result in (
        ("ExtUIOfExtUI", ExtUIOp, ExtUIOp, ExtUIOp),
        ("ExtSIOfExtSI", ExtSIOp, ExtSIOp, ExtSIOp),
        ("ExtSIOfExtUI", ExtSIOp, ExtUIOp, ExtUIOp),  # the sign of what extui makes is zero
        ("TruncIOfTruncI", TruncIOp, TruncIOp, TruncIOp),
        ("IndexCastOfExtSI", IndexCastOp, ExtSIOp, IndexCastOp),
        ("IndexCastUIOfExtUI", IndexCastUIOp, ExtUIOp, IndexCastUIOp),
        ("BitcastOfBitcast", BitcastOp, BitcastOp, BitcastOp),
    )
)
"""``outer(inner(x)) = result(x)``: MLIR's name of the rule, the outer cast, the inner cast, the equivalent cast."""


@pattern(TruncIOp, name="TruncIOfExt", defined_by=({0: ExtSIOp}, {0: ExtUIOp}))
def truncate_extension(op: TruncIOp, rewriter: Rewriter) -> NoMatch | None:
    """``trunc(ext(x))``: x truncated, or extended, to the type of the result."""
    for extension in (ExtSIOp, ExtUIOp):
        inner = defined_by(op.in_, extension)
        if inner is not None:
            break
    else:
        return rewriter.no_match("the operand is not extended")
    source, target = bit_width(inner.in_.type), bit_width(op.out.type)
    if source == target:
        return rewriter.no_match("folding takes the operand itself")
    made: Any = extension if source < target else TruncIOp
    rewriter.replace(op, rewriter.insert(made(inner.in_, result_types=op.result_types, location=op.location)))
    return None


@pattern(TruncFOp, name="TruncFOfIntToFP", defined_by=({0: SIToFPOp}, {0: UIToFPOp}))
def truncate_converted(op: TruncFOp, rewriter: Rewriter) -> NoMatch | None:
    """``truncf(itof(n)) = itof(n)`` where the wide float represents every integer of the type exactly.

    MLIR has no such condition, and so rounds once where the program rounds twice.
    """
    if op.roundingmode is not None:
        return rewriter.no_match("a conversion from integers has no rounding mode")
    for conversion in (SIToFPOp, UIToFPOp):
        inner = defined_by(op.in_, conversion)
        if inner is not None:
            break
    else:
        return rewriter.no_match("the operand does not come from an integer")
    format = float_format(op.in_.type)
    if format is None or bit_width(inner.in_.type) > format.mantissa_bits + 1:
        return rewriter.no_match("the wide float does not hold every integer of the type")
    made = conversion(inner.in_, result_types=op.result_types, location=op.location)
    rewriter.replace(op, rewriter.insert(made))
    return None


@pattern(TruncIOp, name="TruncIShrSIToTrunciShrUI", defined_by=({0: ShRSIOp},))
def shift_without_sign(op: TruncIOp, rewriter: Rewriter) -> NoMatch | None:
    """``trunc(x >> c)``: bits that come from the sign are dropped, so zeros do as well."""
    inner = defined_by(op.in_, ShRSIOp)
    amount = splat_pattern(constant_of(inner.rhs)) if inner is not None else None
    if inner is None or amount is None:
        return rewriter.no_match("the operand is not shifted by a constant")
    if amount + bit_width(op.out.type) > bit_width(op.in_.type):
        return rewriter.no_match("bits of the sign are kept")
    shifted = rewriter.insert(ShRUIOp(inner.lhs, inner.rhs, isExact=inner.isExact, location=op.location))
    made = TruncIOp(shifted.result, result_types=op.result_types, location=op.location)
    rewriter.replace(op, rewriter.insert(made))
    return None


@pattern(ExtFOp, name="ExtFOfTruncF", defined_by=({0: TruncFOp},))
def extend_truncation(op: ExtFOp, rewriter: Rewriter) -> NoMatch | None:
    """``extf(truncf(x)) = x`` if both may be contracted."""
    inner = defined_by(op.in_, TruncFOp)
    if inner is None or inner.in_.type is not op.out.type:
        return rewriter.no_match("not extended to the truncated type")
    contract = [cast.fastmath is not None and FastMathFlags.CONTRACT in cast.fastmath for cast in (op, inner)]
    if not all(contract):
        return rewriter.no_match("the rounding counts: the flag `contract` is missing")
    rewriter.replace(op, inner.in_)
    return None


def _without_signs(root: Any, name: str) -> AnyPattern:
    """``(-x) * (-y) = x * y``, and the same for division."""

    @pattern(root, name=name, defined_by=({0: NegFOp, 1: NegFOp},))
    def rule(op: DivFOp | MulFOp, rewriter: Rewriter) -> NoMatch | None:
        left, right = defined_by(op.lhs, NegFOp), defined_by(op.rhs, NegFOp)
        if left is None or right is None:
            return rewriter.no_match("not both operands are negated")
        made = root(left.operand, right.operand, fastmath=op.fastmath, location=op.location)
        rewriter.replace(op, rewriter.insert(made))
        return None

    return rule


def patterns() -> list[AnyPattern]:
    """Return all patterns of this module."""
    return [
        *MERGED,
        truncate_extension,
        truncate_converted,
        shift_without_sign,
        extend_truncation,
        _without_signs(MulFOp, "MulFOfNegF"),
        _without_signs(DivFOp, "DivFOfNegF"),
    ]
