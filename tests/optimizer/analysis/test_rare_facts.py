"""Facts of values that few kernels have, and where they come from."""

from __future__ import annotations

import pytest

from tests.optimizer.analysis.test_value_facts import POINTERS, analysed, last, results
from tilewright.optimizer.analysis import rules_tile
from tilewright.optimizer.analysis.intervals import Interval
from tilewright.optimizer.analysis.pointer_origins import AccessOverlap


def test_one_address_of_two_types() -> None:
    body = "%w = ptr_to_ptr %p : tile<ptr<f32>> -> tile<ptr<i32>>\n"
    module, facts = analysed(body)
    other = last(module, "ptr_to_ptr")
    answer = facts.alias(other.owner.operands[0], other)
    assert answer.overlap is AccessOverlap.MAY
    assert answer.because.endswith(", but of different types")
    same = facts.alias(other, other)
    assert (same.overlap, same.because) == (AccessOverlap.SAME, "it is one value")
    with pytest.raises(ValueError, match=r"tile<i32> does not lead to memory"):
        facts.alias(other, module.regions[0].blocks[0].ops[0].regions[0].blocks[0].arguments[2])


BRANCH = """
  %one = constant <i32: 1> : tile<i32>
  %two = constant <i32: 2> : tile<i32>
  %c = cmpi less_than %n, %one, signed : tile<i32> -> tile<i1>
  %r = if %c -> (tile<i32>) {
    yield %one : tile<i32>
  } else {
    yield %two : tile<i32>
  }
"""
LOOP = """
  %one = constant <i32: 1> : tile<i32>
  %eight = constant <i32: 8> : tile<i32>
  %r = loop iter_values(%v = %one) : tile<i32> -> tile<i32> {
    %c = cmpi less_than %v, %n, signed : tile<i32> -> tile<i1>
    if %c {
      break %eight : tile<i32>
    }
    %w = addi %eight, %one : tile<i32>
    continue %w : tile<i32>
  }
"""
COUNT = """
  %one = constant <i32: 1> : tile<i32>
  %eight = constant <i32: 8> : tile<i32>
  %r = for %i in (%one to %n, step %one) : tile<i32> iter_values(%v = %one) -> (tile<i32>) {
    continue %eight : tile<i32>
  }
"""


@pytest.mark.parametrize(
    ("body", "name", "bounds", "words"),
    [
        (BRANCH, "if", Interval(1, 2), ["if true", "if false"]),
        (LOOP, "loop", Interval(8, 8), ["at the end"]),
        (COUNT, "for", Interval(1, 8), ["without an iteration", "after the last iteration"]),
    ],
)
def test_results_of_control_flow_have_their_sources(
    body: str, name: str, bounds: Interval, words: list[str]
) -> None:
    module, facts = analysed(body, POINTERS)
    (result,) = results(module, name)[:1]
    assert facts.bounds(result) == bounds
    assert [role for role, _ in facts.why(result).input_reasons()] == words


def test_a_large_constant_has_the_bounds_of_its_elements(monkeypatch: pytest.MonkeyPatch) -> None:
    body = "%c = constant <i32: [5, -3, 9, 9]> : tile<4xi32>\n%f = constant <f32: [5.0, 5.0, 9.0, 9.0]> : tile<4xf32>\n"
    module, facts = analysed(body)
    integers, floats = results(module, "constant")
    exact = facts.axis_info(floats)
    assert facts.bounds(integers) == Interval(-3, 9)
    assert exact[0].constancy == 2
    monkeypatch.setattr(rules_tile, "MAXIMUM_ELEMENTS", 3)
    module, facts = analysed(body)
    integers, floats = results(module, "constant")
    assert facts.bounds(integers) == Interval(-3, 9)
    assert facts.axis_info(integers)[0].constancy == 1
    assert facts.axis_info(floats)[0].constancy == 1
