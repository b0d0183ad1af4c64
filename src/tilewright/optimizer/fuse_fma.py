"""`fuse-fma`: a product that is used once, in a sum or difference, is rounded together with it.

`mulf` and `addf` round twice, `fma` once: results change in the last place, mostly for the better.  So this is never
done unless it is asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from tilewright.dialects.common.constant_folding import defined_by
from tilewright.dialects.cuda_tile.ops_float import (
    AddFOp,
    FmaOp,
    MulFOp,
    NegFOp,
    RoundedBinaryFloatOp,
    SubFOp,
)
from tilewright.ir.context import Context
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.passes.pass_ import Pass, PassState
from tilewright.rewrite.pattern import NoMatch, pattern
from tilewright.rewrite.pattern_set import RewritePatternSet
from tilewright.rewrite.rewriter import Rewriter
from tilewright.rewrite.walk import walk_and_apply_patterns


def fuse_multiply_add(root: Operation, context: Context) -> int:
    """Fuse everything inside an operation; how many operations became `fma`."""
    return walk_and_apply_patterns(root, RewritePatternSet(context, [fuse_addition, fuse_subtraction]))


@pattern(AddFOp, name="FuseMulAdd")
def fuse_addition(op: AddFOp, rewriter: Rewriter) -> NoMatch | None:
    """``a * b + c`` and ``c + a * b`` become ``fma(a, b, c)``; of two products the left-hand one is taken."""
    refused: list[NoMatch] = []
    for side, other in ((op.lhs, op.rhs), (op.rhs, op.lhs)):
        product = _fusible(side, op, rewriter)
        if isinstance(product, MulFOp):
            _fuse(op, product, other, rewriter)
            return None
        refused.append(product)
    return _most_telling(refused)


@pattern(SubFOp, name="FuseMulSub")
def fuse_subtraction(op: SubFOp, rewriter: Rewriter) -> NoMatch | None:
    """``a * b - c`` becomes ``fma(a, b, -c)``: negation is exact."""
    product = _fusible(op.lhs, op, rewriter)
    if not isinstance(product, MulFOp):
        return product
    _fuse(op, product, rewriter.insert(NegFOp(op.rhs, location=op.location)).result, rewriter)
    return None


_NO_PRODUCT = "no operand is a product"


def _fusible(value: Value, user: RoundedBinaryFloatOp, rewriter: Rewriter) -> MulFOp | NoMatch:
    """The product that a value is, if it may be rounded by its user instead of by itself."""
    product: MulFOp | None = defined_by(value, MulFOp.op_kind.name)
    if product is None:
        return rewriter.no_match(_NO_PRODUCT)
    if not value.has_one_use:
        return rewriter.no_match("the product is used elsewhere, too")
    if product.rounding_mode is not user.rounding_mode:
        modes = (op.rounding_mode.name.lower() for op in (product, user))
        return rewriter.no_match("the product is rounded to {}, the sum to {}", *modes)
    if product.flush_to_zero != user.flush_to_zero:
        return rewriter.no_match("only one of the two flushes subnormals to zero")
    return product


def _most_telling(refused: Sequence[NoMatch]) -> NoMatch:
    """Why a product was not taken, rather than that there is none on one side."""
    return next((reason for reason in refused if reason.template != _NO_PRODUCT), refused[0])


def _fuse(op: RoundedBinaryFloatOp, product: MulFOp, addend: Value, rewriter: Rewriter) -> None:
    fused = FmaOp(
        product.lhs,
        product.rhs,
        addend,
        op.rounding_mode,
        flush_to_zero=op.flush_to_zero,
        location=op.location,
    )
    rewriter.replace(op, rewriter.insert(fused))
    rewriter.erase(product)


@dataclass(frozen=True)
class FuseFMA(Pass):
    """Makes `fma` of products that are used once, in a sum or difference.

    Both must round in the same way and agree on flushing subnormals.  Results change: they are rounded once instead of
    twice.  Differences `a * b - c` get a `negf` for the addend; `c - a * b` stays.
    """

    name: ClassVar[str] = "fuse-fma"

    def run(self, op: Operation, state: PassState) -> None:
        state.report("num-fused", fuse_multiply_add(op, state.context))
