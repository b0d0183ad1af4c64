"""`fuse-fma`: a product that is used once, in a sum or difference, is rounded together with it.

`mulf` and `addf` round twice, `fma` once: results change in the last place, mostly for the better.  So this is never
done unless it is asked for.

The patterns are PDL: `PATTERNS` holds them, and native functions do what PDL cannot express.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar

from tilewright.dialects.cuda_tile.dialect import CUDA_TILE
from tilewright.dialects.cuda_tile.ops.float import FmaOp, MulFOp, RoundedBinaryFloatOp
from tilewright.ir.context import Context
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.passes.pass_ import Pass, PassState
from tilewright.rewrite.pattern import NoMatch
from tilewright.rewrite.pattern_set import FrozenRewritePatternSet, RewritePatternSet
from tilewright.rewrite.rewriter import Rewriter
from tilewright.rewrite.walk import walk_and_apply_patterns

PATTERNS = """
module {
  // a * b + c = fma(a, b, c); of two products the left-hand one is taken
  pdl.pattern @FuseMulAdd : benefit(2) {
    %tile = type
    %a = operand
    %b = operand
    %c = operand
    %product = operation "cuda_tile.mulf"(%a, %b : !pdl.value, !pdl.value) -> (%tile : !pdl.type)
    %value = result 0 of %product
    %sum = operation "cuda_tile.addf"(%value, %c : !pdl.value, !pdl.value) -> (%tile : !pdl.type)
    apply_native_constraint "may_fuse"(%product, %sum : !pdl.operation, !pdl.operation)
    rewrite %sum {
      %fused = apply_native_rewrite "fused"(%sum, %a, %b, %c : !pdl.operation, !pdl.value, !pdl.value, !pdl.value) : !pdl.operation
      replace %sum with %fused
      erase %product
    }
  }
  // c + a * b = fma(a, b, c)
  pdl.pattern @FuseAddMul : benefit(1) {
    %tile = type
    %a = operand
    %b = operand
    %c = operand
    %product = operation "cuda_tile.mulf"(%a, %b : !pdl.value, !pdl.value) -> (%tile : !pdl.type)
    %value = result 0 of %product
    %sum = operation "cuda_tile.addf"(%c, %value : !pdl.value, !pdl.value) -> (%tile : !pdl.type)
    apply_native_constraint "may_fuse"(%product, %sum : !pdl.operation, !pdl.operation)
    rewrite %sum {
      %fused = apply_native_rewrite "fused"(%sum, %a, %b, %c : !pdl.operation, !pdl.value, !pdl.value, !pdl.value) : !pdl.operation
      replace %sum with %fused
      erase %product
    }
  }
  // a * b - c = fma(a, b, -c): negation is exact
  pdl.pattern @FuseMulSub : benefit(1) {
    %tile = type
    %a = operand
    %b = operand
    %c = operand
    %product = operation "cuda_tile.mulf"(%a, %b : !pdl.value, !pdl.value) -> (%tile : !pdl.type)
    %value = result 0 of %product
    %difference = operation "cuda_tile.subf"(%value, %c : !pdl.value, !pdl.value) -> (%tile : !pdl.type)
    apply_native_constraint "may_fuse"(%product, %difference : !pdl.operation, !pdl.operation)
    rewrite %difference {
      %negation = operation "cuda_tile.negf"(%c : !pdl.value) -> (%tile : !pdl.type)
      %minus = result 0 of %negation
      %fused = apply_native_rewrite "fused"(%difference, %a, %b, %minus : !pdl.operation, !pdl.value, !pdl.value, !pdl.value) : !pdl.operation
      replace %difference with %fused
      erase %product
    }
  }
}
"""


def may_fuse(rewriter: Rewriter, product: MulFOp, user: RoundedBinaryFloatOp) -> bool | NoMatch:
    """Return whether a product may be rounded by its user instead of on its own, or the reason why not."""
    if not product.result.has_one_use:
        return rewriter.no_match("the product is used elsewhere, too")
    if product.rounding_mode is not user.rounding_mode:
        modes = (op.rounding_mode.name.lower() for op in (product, user))
        return rewriter.no_match("the product is rounded to {}, the sum to {}", *modes)
    if product.flush_to_zero != user.flush_to_zero:
        return rewriter.no_match("only one of the two flushes subnormals to zero")
    return True


def fused(rewriter: Rewriter, user: RoundedBinaryFloatOp, lhs: Value, rhs: Value, addend: Value) -> Operation:
    """``lhs * rhs + addend``, rounded as the user of the product rounds."""
    mode, flush = user.rounding_mode, user.flush_to_zero
    made = FmaOp(lhs, rhs, addend, mode, flush_to_zero=flush, location=user.location)
    return rewriter.insert(made)


NATIVE: Mapping[str, Callable[..., Any]] = {"may_fuse": may_fuse, "fused": fused}
"""The functions that the patterns call."""


@cache
def patterns() -> FrozenRewritePatternSet:
    """Return the compiled patterns.  They make operations of Tile IR only, so that all contexts may share them."""
    # Every compilation imports this module; few fuse, and PDL takes long to import.
    from tilewright.dialects.builtin.dialect import BUILTIN
    from tilewright.ir.text.parser import parse_module
    from tilewright.pdl.dialects.pdl.dialect import PDL
    from tilewright.pdl.patterns import add_pdl

    context = Context([BUILTIN, CUDA_TILE, PDL])
    module = parse_module(context, PATTERNS, "fuse_fma.py")
    return FrozenRewritePatternSet(add_pdl(RewritePatternSet(context), module, NATIVE))


def fuse_multiply_add(root: Operation) -> int:
    """Fuse all sums of products inside an operation; return the number of operations that became `fma`."""
    return walk_and_apply_patterns(root, patterns())


@dataclass(frozen=True)
class FuseFMA(Pass):
    """Makes `fma` of products that are used once, in a sum or difference.

    Both must round in the same way and agree on flushing subnormals.  Results change: they are rounded once instead of
    twice.  Differences `a * b - c` get a `negf` for the addend; `c - a * b` stays.
    """

    name: ClassVar[str] = "fuse-fma"

    def run(self, op: Operation, state: PassState) -> None:
        state.report("num-fused", fuse_multiply_add(op))
