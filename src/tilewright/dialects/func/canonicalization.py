"""Canonical forms of calls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tilewright.dialects.common.constant_folding import defined_by
from tilewright.dialects.func.ops import CallIndirectOp, CallOp, ConstantOp
from tilewright.rewrite.pattern import NoMatch, RewritePattern, pattern
from tilewright.rewrite.rewriter import Rewriter

AnyPattern = RewritePattern[Any]


@pattern(CallIndirectOp, name="SimplifyIndirectCallWithKnownCallee", defined_by=({0: ConstantOp},))
def call_by_name(op: CallIndirectOp, rewriter: Rewriter) -> NoMatch | None:
    """Replace an indirect call of a known function by a call by name."""
    function = defined_by(op.callee, ConstantOp)
    if function is None:
        return rewriter.no_match("the function is not known")
    call = CallOp(
        function.value,
        op.callee_operands,
        arg_attrs=op.arg_attrs,
        res_attrs=op.res_attrs,
        no_inline=False,
        result_types=op.result_types,
        location=op.location,
    )
    rewriter.replace(op, rewriter.insert(call))
    return None


def patterns() -> Sequence[AnyPattern]:
    """Return all patterns of the dialect."""
    return [call_by_name]
