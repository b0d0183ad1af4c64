"""The rules of `fuse-fma` in the form of PDL: patterns that arrive as data do what rules do."""

from __future__ import annotations

from itertools import product

from tests.optimizer.test_fuse_fma import scalar
from tilewright.dialects.cuda_tile.ops.float import FmaOp, MulFOp, RoundedBinaryFloatOp
from tilewright.driver.startup import context
from tilewright.ir.operation import Operation
from tilewright.ir.text.parser import parse_module
from tilewright.ir.value import Value
from tilewright.optimizer.fuse_fma import fuse_multiply_add
from tilewright.pdl.patterns import add_pdl
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
    """Whether a product may be rounded by its user instead of by itself."""
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


MODES = ("", " rounding<zero>", " flush_to_zero")
SUMS = ("addf %p, %q", "addf %q, %p", "subf %p, %c", "subf %c, %p", "addf %p, %p")
BODIES = [
    f"%p = mulf %a, %b{first} : tile<f32>\n%q = {other} %c, %d : tile<f32>\n%r = {total}{second} : tile<f32>"
    for first, second, other, total in product(MODES, MODES, ("mulf", "subf"), SUMS)
]


def patterns() -> FrozenRewritePatternSet:
    known = context()
    module = parse_module(known, PATTERNS, "fuse_fma.pdl")
    native = {"may_fuse": may_fuse, "fused": fused}
    return FrozenRewritePatternSet(add_pdl(RewritePatternSet(known), module, native))


def test_the_forms_agree() -> None:
    table = patterns()
    counts: set[int] = set()
    for body in BODIES:
        by_rules, by_pdl = scalar(body), scalar(body)
        counts.add(fuse_multiply_add(by_rules))
        walk_and_apply_patterns(by_pdl, table)
        assert str(by_pdl) == str(by_rules), body
    assert counts == {0, 1}
