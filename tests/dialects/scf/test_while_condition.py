"""`scf.while` takes its results from `scf.condition`, the terminator of its first region, and from no other one."""

from __future__ import annotations

import pytest

from tilewright.dialects.scf.ops_loop import ConditionOp, WhileOp, YieldOp
from tilewright.driver.startup import startup
from tilewright.ir.block import Block, Region
from tilewright.ir.builtin_types import f32, i1, i32, i64
from tilewright.ir.declaration.traits import VerifyError
from tilewright.ir.text.parser import parse_module
from tilewright.ir.verifier import check_operation
from tilewright.passes.pipeline import parse_pipeline


def loop(ends_in_condition: bool = True) -> WhileOp:
    """A loop that carries an i64 and hands on an f32 and an i32; its result types are left to the declaration."""
    outside = Block([i64])
    before, after = Block([i64, i1, f32, i32]), Block([f32, i32])
    _, flag, *passed = before.arguments
    before.append(ConditionOp(flag, tuple(passed)) if ends_in_condition else YieldOp((flag, *passed)))
    after.append(YieldOp(()))
    return WhileOp(tuple(outside.arguments), before=Region([before]), after=Region([after]))


def test_results_have_the_types_that_the_condition_hands_on() -> None:
    assert list(loop().result_types) == [f32, i32]


def test_another_terminator_hands_on_nothing_and_is_refused() -> None:
    wrong = loop(ends_in_condition=False)
    assert list(wrong.result_types) == []
    with pytest.raises(VerifyError, match=r"expects the 'before' region to terminate with 'scf\.condition'"):
        check_operation(wrong)


PROGRAM = """
func.func @f(%x: i32, %c: i1) -> i32 {{
  %known = arith.constant {known}
  %r = scf.while (%v = %x) : (i32) -> i32 {{
    scf.condition(%known) %v : i32
  }} do {{
  ^bb0(%w: i32):
    %n = arith.addi %w, %x : i32
    scf.yield %n : i32
  }}
  return %r : i32
}}
"""


@pytest.mark.parametrize(("known", "stays"), [("false", False), ("true", True)])
def test_a_loop_whose_condition_is_false_runs_its_first_region_once(known: str, stays: bool) -> None:
    context = startup().context()
    module = parse_module(context, PROGRAM.format(known=known), implicit_module=True)
    parse_pipeline("builtin.module(canonicalize)", context, startup().passes).run(module)
    assert any(isinstance(op, WhileOp) for op in module.walk()) is stays
