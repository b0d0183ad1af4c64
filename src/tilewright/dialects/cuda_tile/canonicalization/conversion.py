"""Canonical forms of conversions: two in a row become one."""

from __future__ import annotations

from typing import Any

from tilewright.dialects.common.constant_folding import defined_by
from tilewright.dialects.cuda_tile.enums import Signedness
from tilewright.dialects.cuda_tile.folds.common import width_of
from tilewright.dialects.cuda_tile.ops.conversion import (
    BitcastOp,
    ExtIOp,
    IntToPtrOp,
    PtrToIntOp,
    PtrToPtrOp,
    TruncIOp,
)
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
        op_pattern(ExtIOp, op_pattern(ExtIOp, X, signedness=SIGNEDNESS), signedness=SIGNEDNESS),
        op_pattern(ExtIOp, X, signedness=SIGNEDNESS),
    ),
    rule(  # zeros in front make the sign positive
        "SignedExtIOfUnsignedExtI",
        op_pattern(ExtIOp, op_pattern(ExtIOp, X, signedness=ZEROS), signedness=Signedness.SIGNED),
        op_pattern(ExtIOp, X, signedness=ZEROS),
    ),
    rule(  # without the promises about bits in between
        "TruncIOfTruncI", op_pattern(TruncIOp, op_pattern(TruncIOp, X)), op_pattern(TruncIOp, X)
    ),
    rule("BitcastOfBitcast", op_pattern(BitcastOp, op_pattern(BitcastOp, X)), op_pattern(BitcastOp, X)),
    rule("PtrToPtrOfPtrToPtr", op_pattern(PtrToPtrOp, op_pattern(PtrToPtrOp, X)), op_pattern(PtrToPtrOp, X)),
    rule("PtrToIntOfPtrToPtr", op_pattern(PtrToIntOp, op_pattern(PtrToPtrOp, X)), op_pattern(PtrToIntOp, X)),
    rule("PtrToPtrOfIntToPtr", op_pattern(PtrToPtrOp, op_pattern(IntToPtrOp, X)), op_pattern(IntToPtrOp, X)),
)
"""Two conversions that are one.  The last four leave the bits as they are: types in between do not matter."""


@pattern(TruncIOp, name="TruncIOfExtI", defined_by=({0: ExtIOp},))
def truncate_extended(op: TruncIOp, rewriter: Rewriter) -> NoMatch | None:
    """Simplify a truncation of an extension: to a shorter extension, or to a truncation of the source."""
    inner = defined_by(op.from_, ExtIOp)
    if inner is None:
        return rewriter.no_match("the operand is not extended")
    before, after = width_of(inner.from_), width_of(op.to)
    if before == after:
        return rewriter.no_match("this is folded")
    if before < after:
        made = ExtIOp(inner.from_, inner.signedness, result_types=op.result_types, location=op.location)
    else:
        made = TruncIOp(inner.from_, result_types=op.result_types, location=op.location)
    rewriter.replace(op, rewriter.insert(made))
    return None


PATTERNS: tuple[AnyPattern, ...] = (*RULES, truncate_extended)
