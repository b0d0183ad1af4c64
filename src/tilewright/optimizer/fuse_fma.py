"""`fuse-fma`: a product that is used once, in a sum or difference, is rounded together with it.

`mulf` and `addf` round twice, `fma` once: results change in the last place, mostly for the better.  So this is never
done unless it is asked for.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import ClassVar

from tilewright.dialects.cuda_tile.dialect import CUDA_TILE
from tilewright.dialects.cuda_tile.ops import float as float_ops
from tilewright.ir.context import Context
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.passes.pass_ import Pass, PassState
from tilewright.rewrite.pattern import NoMatch
from tilewright.rewrite.pattern_set import FrozenRewritePatternSet, RewritePatternSet
from tilewright.rewrite.rewriter import Rewriter
from tilewright.rewrite.rules import Bindings, consumed, op_pattern, rule, variables
from tilewright.rewrite.walk import walk_and_apply_patterns

A, B, C = variables("A B C")
PRODUCT = consumed("product", op_pattern(float_ops.MulFOp, A, B))


def fused(rewriter: Rewriter, user: float_ops.RoundedBinaryFloatOp, found: Bindings) -> Operation | NoMatch:
    """Insert and return ``fma(A, B, C)``, with which the pattern replaces the sum ``user`` of the product
    ``found["product"]`` and `C`. Return `NoMatch` if product and sum differ in rounding mode or in flushing
    of subnormals. The pattern has checked that the product has no other use.
    """
    return _reason(rewriter, found["product"], user) or _fma(rewriter, user, found, found["C"])


def fused_difference(
    rewriter: Rewriter, user: float_ops.RoundedBinaryFloatOp, found: Bindings
) -> Operation | NoMatch:
    """Insert and return ``fma(A, B, -C)``, with which the pattern replaces the difference ``user`` of the
    product ``found["product"]`` and `C`; the negation is exact. Return `NoMatch` if product and difference
    differ in rounding mode or in flushing of subnormals.
    """
    reason = _reason(rewriter, found["product"], user)
    if reason is not None:
        return reason
    negated = rewriter.insert(float_ops.NegFOp(found["C"], location=user.location))
    return _fma(rewriter, user, found, negated.result)


def _reason(
    rewriter: Rewriter, product: float_ops.MulFOp, user: float_ops.RoundedBinaryFloatOp
) -> NoMatch | None:
    """Return `NoMatch` if the rounding modes of `product` and ``user`` differ, or if only one of the two
    flushes subnormals; None if they may be fused.
    """
    if product.rounding_mode is not user.rounding_mode:
        modes = (op.rounding_mode.name.lower() for op in (product, user))
        return rewriter.no_match("the product is rounded to {}, the sum to {}", *modes)
    if product.flush_to_zero != user.flush_to_zero:
        return rewriter.no_match("only one of the two flushes subnormals to zero")
    return None


def _fma(
    rewriter: Rewriter, user: float_ops.RoundedBinaryFloatOp, found: Bindings, addend: Value
) -> Operation:
    mode, flush = user.rounding_mode, user.flush_to_zero
    made = float_ops.FmaOp(found["A"], found["B"], addend, mode, flush_to_zero=flush, location=user.location)
    return rewriter.insert(made)


RULES = (
    # a * b + c = fma(a, b, c); of two products the left-hand one is taken
    rule("FuseMulAdd", op_pattern(float_ops.AddFOp, PRODUCT, C), fused, benefit=2),
    # c + a * b = fma(a, b, c)
    rule("FuseAddMul", op_pattern(float_ops.AddFOp, C, PRODUCT), fused),
    # a * b - c = fma(a, b, -c): negation is exact
    rule("FuseMulSub", op_pattern(float_ops.SubFOp, PRODUCT, C), fused_difference),
)


@cache
def patterns() -> FrozenRewritePatternSet:
    """Return the patterns of `RULES`, created once. They make operations of Tile IR only, so that all
    contexts may share them.
    """
    return FrozenRewritePatternSet(RewritePatternSet(Context([CUDA_TILE]), RULES))


def fuse_multiply_add(root: Operation) -> int:
    """Fuse products with sums and differences inside an operation; return the number of operations that
    became `fma`.
    """
    return walk_and_apply_patterns(root, patterns())


@dataclass(frozen=True)
class FuseFMA(Pass):
    """Replaces products with a single use, in a sum or difference, by `fma`.

    Both must round in the same way and agree on flushing subnormals. Results change: they are rounded once
    instead of twice. A difference `a * b - c` becomes an `fma` with the negated addend; `c - a * b` is not
    changed.
    """

    name: ClassVar[str] = "fuse-fma"

    def run(self, op: Operation, state: PassState) -> None:
        state.report("num-fused", fuse_multiply_add(op))
