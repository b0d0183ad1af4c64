"""A native constraint may say why it refuses, and the reason is the pattern's."""

from __future__ import annotations

from typing import Any

import pytest

from tilewright.driver.startup import context
from tilewright.ir.builder import InsertionPoint
from tilewright.ir.operation import Operation
from tilewright.ir.text.parser import parse_module
from tilewright.pdl.patterns import add_pdl
from tilewright.rewrite.pattern import NoMatch
from tilewright.rewrite.pattern_set import FrozenRewritePatternSet, RewritePatternSet
from tilewright.rewrite.rewriter import Rewriter

PATTERN = """
pdl.pattern @remove : benefit(1) {
  %x = operand
  %type = type
  %op = operation "arith.negf"(%x : !pdl.value) -> (%type : !pdl.type)
  apply_native_constraint "first"(%op : !pdl.operation)
  apply_native_constraint "second"(%x : !pdl.value)
  rewrite %op {
    replace %op with (%x : !pdl.value)
  }
}
"""
PROGRAM = "func.func @f(%x: f32) {\n  %0 = arith.negf %x : f32\n  return\n}"


def refusal(first: object, second: object) -> str | None:
    """What the pattern answers for a negation, whose constraints answer as said."""
    known = context()
    native = {"first": lambda rewriter, op: first, "second": lambda rewriter, value: second}
    table = FrozenRewritePatternSet(
        add_pdl(RewritePatternSet(known), parse_module(known, PATTERN, implicit_module=True), native)
    )
    module = parse_module(known, PROGRAM, implicit_module=True)
    op: Operation = next(inner for inner in module.walk() if inner.name == "arith.negf")
    (pattern,) = table.of_kind(op.kind)
    tried: Any = pattern
    answer = tried.match_and_rewrite(op, Rewriter(InsertionPoint.before(op)))
    return answer.reason if isinstance(answer, NoMatch) else None


GENERIC = "native constraint '{}' says no, or something that is asked after it fails"


@pytest.mark.parametrize(
    ("first", "second", "reason"),
    [
        (True, True, None),
        (NoMatch("it is {}", ("odd",)), True, "it is odd"),
        (True, NoMatch("it is even"), "it is even"),
        (False, True, GENERIC.format("first")),
        (True, False, GENERIC.format("second")),
    ],
)
def test_reasons(first: object, second: object, reason: str | None) -> None:
    assert refusal(first, second) == reason
