"""Canonical forms of conversions and of floating-point arithmetic."""

from __future__ import annotations

from typing import Any

from tilewright.dialects.arith import folds_integer, ops_conversion as arith_conversion
from tilewright.dialects.arith.attributes import FastMathFlags
from tilewright.dialects.arith.ops_float import DivFOp, MulFOp, NegFOp
from tilewright.dialects.arith.ops_integer import ShRSIOp, ShRUIOp
from tilewright.dialects.common import constant_folding
from tilewright.rewrite.pattern import NoMatch, RewritePattern, pattern
from tilewright.rewrite.rewriter import Rewriter
from tilewright.rewrite.rules import IdentityRule, op_pattern, rule, variables

AnyPattern = RewritePattern[Any]


(X,) = variables("x")

MERGED: tuple[IdentityRule, ...] = tuple(
    rule(name, op_pattern(outer, op_pattern(inner, X)), op_pattern(result, X))
    for name, outer, inner, result in (
        ("ExtUIOfExtUI", arith_conversion.ExtUIOp, arith_conversion.ExtUIOp, arith_conversion.ExtUIOp),
        ("ExtSIOfExtSI", arith_conversion.ExtSIOp, arith_conversion.ExtSIOp, arith_conversion.ExtSIOp),
        (
            "ExtSIOfExtUI",
            arith_conversion.ExtSIOp,
            arith_conversion.ExtUIOp,
            arith_conversion.ExtUIOp,
        ),  # the sign of what extui makes is zero
        ("TruncIOfTruncI", arith_conversion.TruncIOp, arith_conversion.TruncIOp, arith_conversion.TruncIOp),
        (
            "IndexCastOfExtSI",
            arith_conversion.IndexCastOp,
            arith_conversion.ExtSIOp,
            arith_conversion.IndexCastOp,
        ),
        (
            "IndexCastUIOfExtUI",
            arith_conversion.IndexCastUIOp,
            arith_conversion.ExtUIOp,
            arith_conversion.IndexCastUIOp,
        ),
        (
            "BitcastOfBitcast",
            arith_conversion.BitcastOp,
            arith_conversion.BitcastOp,
            arith_conversion.BitcastOp,
        ),
    )
)
"""Replace ``outer(inner(x))`` with ``result(x)``. A row has MLIR's name of the rule, the outer cast, the
inner cast and the resulting cast.
"""


@pattern(
    arith_conversion.TruncIOp,
    name="TruncIOfExt",
    defined_by=({0: arith_conversion.ExtSIOp}, {0: arith_conversion.ExtUIOp}),
)
def truncate_extension(op: arith_conversion.TruncIOp, rewriter: Rewriter) -> NoMatch | None:
    """Replace ``trunc(ext(x))`` with x truncated, or extended in the same way, to the width of the result. If
    x has this width already, nothing is done: folding takes x itself.
    """
    for extension in (arith_conversion.ExtSIOp, arith_conversion.ExtUIOp):
        inner = constant_folding.defined_by(op.in_, extension)
        if inner is not None:
            break
    else:
        return rewriter.no_match("the operand is not extended")
    source, target = constant_folding.bit_width(inner.in_.type), constant_folding.bit_width(op.out.type)
    if source == target:
        return rewriter.no_match("folding takes the operand itself")
    made: Any = extension if source < target else arith_conversion.TruncIOp
    rewriter.replace(op, rewriter.insert(made(inner.in_, result_types=op.result_types, location=op.location)))
    return None


@pattern(
    arith_conversion.TruncFOp,
    name="TruncFOfIntToFP",
    defined_by=({0: arith_conversion.SIToFPOp}, {0: arith_conversion.UIToFPOp}),
)
def truncate_converted(op: arith_conversion.TruncFOp, rewriter: Rewriter) -> NoMatch | None:
    """Replace ``truncf(itof(n))`` with ``itof(n)`` if the wide float type represents every integer of n's
    type exactly.

    MLIR has no such condition, and so rounds once where the program rounds twice.
    """
    if op.roundingmode is not None:
        return rewriter.no_match("a conversion from integers has no rounding mode")
    for conversion in (arith_conversion.SIToFPOp, arith_conversion.UIToFPOp):
        inner = constant_folding.defined_by(op.in_, conversion)
        if inner is not None:
            break
    else:
        return rewriter.no_match("the operand does not come from an integer")
    format = constant_folding.float_format(op.in_.type)
    if format is None or constant_folding.bit_width(inner.in_.type) > format.mantissa_bits + 1:
        return rewriter.no_match("the wide float does not hold every integer of the type")
    made = conversion(inner.in_, result_types=op.result_types, location=op.location)
    rewriter.replace(op, rewriter.insert(made))
    return None


@pattern(arith_conversion.TruncIOp, name="TruncIShrSIToTrunciShrUI", defined_by=({0: ShRSIOp},))
def shift_without_sign(op: arith_conversion.TruncIOp, rewriter: Rewriter) -> NoMatch | None:
    """Replace the signed shift in ``trunc(x >> c)``, where c is constant, with an unsigned one if the
    truncation drops all bits that are copies of the sign.
    """
    inner = constant_folding.defined_by(op.in_, ShRSIOp)
    amount = (
        constant_folding.splat_pattern(folds_integer.constant_of(inner.rhs)) if inner is not None else None
    )
    if inner is None or amount is None:
        return rewriter.no_match("the operand is not shifted by a constant")
    if amount + constant_folding.bit_width(op.out.type) > constant_folding.bit_width(op.in_.type):
        return rewriter.no_match("bits of the sign are kept")
    shifted = rewriter.insert(ShRUIOp(inner.lhs, inner.rhs, isExact=inner.isExact, location=op.location))
    made = arith_conversion.TruncIOp(shifted.result, result_types=op.result_types, location=op.location)
    rewriter.replace(op, rewriter.insert(made))
    return None


@pattern(arith_conversion.ExtFOp, name="ExtFOfTruncF", defined_by=({0: arith_conversion.TruncFOp},))
def extend_truncation(op: arith_conversion.ExtFOp, rewriter: Rewriter) -> NoMatch | None:
    """Replace ``extf(truncf(x))`` with x if the result has the type of x, and both casts have the `contract`
    flag.
    """
    inner = constant_folding.defined_by(op.in_, arith_conversion.TruncFOp)
    if inner is None or inner.in_.type is not op.out.type:
        return rewriter.no_match("not extended to the truncated type")
    contract = [cast.fastmath is not None and FastMathFlags.CONTRACT in cast.fastmath for cast in (op, inner)]
    if not all(contract):
        return rewriter.no_match("the rounding counts: the flag `contract` is missing")
    rewriter.replace(op, inner.in_)
    return None


def _without_signs(root: Any, name: str) -> AnyPattern:
    """Return the pattern that replaces ``(-x) * (-y)`` with ``x * y``, or the same for division (``root``)."""

    @pattern(root, name=name, defined_by=({0: NegFOp, 1: NegFOp},))
    def rule(op: DivFOp | MulFOp, rewriter: Rewriter) -> NoMatch | None:
        left, right = constant_folding.defined_by(op.lhs, NegFOp), constant_folding.defined_by(op.rhs, NegFOp)
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
