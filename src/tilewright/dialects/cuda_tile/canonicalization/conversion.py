"""Canonicalization patterns of conversions: they merge two consecutive conversions."""

from __future__ import annotations

from typing import Any

from tilewright.dialects.common.constant_folding import defined_by
from tilewright.dialects.cuda_tile.enums import Signedness
from tilewright.dialects.cuda_tile.folds.common import width_of
from tilewright.dialects.cuda_tile.ops import conversion as conversion_ops
from tilewright.rewrite.pattern import NoMatch, RewritePattern, pattern
from tilewright.rewrite.rewriter import Rewriter
from tilewright.rewrite.rules import IdentityRule, attribute, op_pattern, rule, variables

AnyPattern = RewritePattern[Any]
(X,) = variables("x")
SIGNEDNESS = attribute("signedness")
ZEROS = Signedness.UNSIGNED

RULES: tuple[IdentityRule, ...] = (
    rule(
        "ExtIOfExtI",
        op_pattern(
            conversion_ops.ExtIOp,
            op_pattern(conversion_ops.ExtIOp, X, signedness=SIGNEDNESS),
            signedness=SIGNEDNESS,
        ),
        op_pattern(conversion_ops.ExtIOp, X, signedness=SIGNEDNESS),
    ),
    rule(  # zeros in front make the sign positive
        "SignedExtIOfUnsignedExtI",
        op_pattern(
            conversion_ops.ExtIOp,
            op_pattern(conversion_ops.ExtIOp, X, signedness=ZEROS),
            signedness=Signedness.SIGNED,
        ),
        op_pattern(conversion_ops.ExtIOp, X, signedness=ZEROS),
    ),
    rule(  # without the promises about bits in between
        "TruncIOfTruncI",
        op_pattern(conversion_ops.TruncIOp, op_pattern(conversion_ops.TruncIOp, X)),
        op_pattern(conversion_ops.TruncIOp, X),
    ),
    rule(
        "BitcastOfBitcast",
        op_pattern(conversion_ops.BitcastOp, op_pattern(conversion_ops.BitcastOp, X)),
        op_pattern(conversion_ops.BitcastOp, X),
    ),
    rule(
        "PtrToPtrOfPtrToPtr",
        op_pattern(conversion_ops.PtrToPtrOp, op_pattern(conversion_ops.PtrToPtrOp, X)),
        op_pattern(conversion_ops.PtrToPtrOp, X),
    ),
    rule(
        "PtrToIntOfPtrToPtr",
        op_pattern(conversion_ops.PtrToIntOp, op_pattern(conversion_ops.PtrToPtrOp, X)),
        op_pattern(conversion_ops.PtrToIntOp, X),
    ),
    rule(
        "PtrToPtrOfIntToPtr",
        op_pattern(conversion_ops.PtrToPtrOp, op_pattern(conversion_ops.IntToPtrOp, X)),
        op_pattern(conversion_ops.IntToPtrOp, X),
    ),
)
"""Two conversions that are one.  The last four leave the bits as they are: types in between do not matter."""


@pattern(conversion_ops.TruncIOp, name="TruncIOfExtI", defined_by=({0: conversion_ops.ExtIOp},))
def truncate_extended(op: conversion_ops.TruncIOp, rewriter: Rewriter) -> NoMatch | None:
    """Replace a truncation of an extension to a type of another width than the source: by a shorter
    extension, or by a truncation of the source.
    """
    inner = defined_by(op.from_, conversion_ops.ExtIOp)
    if inner is None:
        return rewriter.no_match("the operand is not extended")
    before, after = width_of(inner.from_), width_of(op.to)
    if before == after:
        return rewriter.no_match("this is folded")
    if before < after:
        made = conversion_ops.ExtIOp(
            inner.from_, inner.signedness, result_types=op.result_types, location=op.location
        )
    else:
        made = conversion_ops.TruncIOp(inner.from_, result_types=op.result_types, location=op.location)
    rewriter.replace(op, rewriter.insert(made))
    return None


PATTERNS: tuple[AnyPattern, ...] = (*RULES, truncate_extended)
