"""The removal of early exits: the same steps in the same order, and nothing left that leaves from the middle."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.lowering.cuda_tile_to_tileaa.exit_programs import program
from tests.lowering.cuda_tile_to_tileaa.lowered import CONTEXT, check, kernel, lowered, parsed
from tests.lowering.cuda_tile_to_tileaa.scf_rules import RULES
from tests.support.samples import samples
from tilewright.dialects.cuda_tile.ops import control
from tilewright.dialects.scf.ops_loop import WhileOp
from tilewright.interp.launch import interpret
from tilewright.interp.rules.rule_set import ALL_RULES
from tilewright.interp.values import InterpretOptions
from tilewright.ir.operation import Operation
from tilewright.ir.text.parser import parse_module
from tilewright.ir.verifier import verify
from tilewright.lowering.cuda_tile_to_tileaa import early_exits
from tilewright.lowering.cuda_tile_to_tileaa.early_exits import has_exits, remove_early_exits
from tilewright.testing import enclosing_module, sample_operations
from tilewright.testing.execution import Launchpad, entries, observe

PROGRAMS = range(samples(30, of=80))
LEAVING = (control.BreakOp, control.ContinueOp, control.ReturnOp)


@pytest.fixture(autouse=True)
def while_loops(monkeypatch: pytest.MonkeyPatch) -> None:
    """The interpreter runs `scf.while`."""
    for op_class, rule in RULES.rules.items():
        monkeypatch.setitem(ALL_RULES.rules, op_class, rule)
    for op_class, steer in RULES.control_rules.items():
        monkeypatch.setitem(ALL_RULES.control_rules, op_class, steer)


def hash_of(module: Operation) -> int:
    memory = np.array([7], np.int32)
    interpret(module, "k", (1, 1, 1), [memory], InterpretOptions(max_steps=1_000_000))
    return int(memory[0])


def without_exits(module: Operation) -> Operation:
    for entry in entries(module):
        remove_early_exits(entry)
    # conditions are still scalars of Tile IR
    assert [e for e in verify(module, all_errors=True) if "scf.condition" not in e.message] == []
    return module


def left_over(module: Operation) -> list[str]:
    return [
        op.name
        for op in module.walk()
        if isinstance(op, control.LoopOp | control.BreakOp)
        or (isinstance(op, LEAVING) and isinstance(op.parent_op, control.IfOp | WhileOp))
    ]


def test_the_same_steps_in_the_same_order() -> None:
    for seed in PROGRAMS:
        module = parse_module(CONTEXT, program(seed, depth=2 + seed % 2))
        wanted = hash_of(module)
        found = without_exits(module)
        assert left_over(found) == []
        assert hash_of(found) == wanted, seed


def test_a_forgotten_flag_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The programs above tell a wrong removal from a right one."""
    right = early_exits.boolean
    monkeypatch.setattr(early_exits, "boolean", lambda block, value: right(block, False))
    found = 0
    for seed in range(40):
        module = parse_module(CONTEXT, program(seed))
        wanted = hash_of(module)
        found += hash_of(without_exits(module)) != wanted
    assert found > 5


@pytest.mark.parametrize(
    "op_class",
    [control.LoopOp, control.IfOp, control.ForOp, control.BreakOp, control.ContinueOp, control.ReturnOp],
)
def test_generated_operations(op_class: Any) -> None:
    for number, op in enumerate(sample_operations(op_class, 12, seed="exits")):
        module = enclosing_module(op)
        for inner in list(module.walk()):
            if inner.results:
                observe(inner)
        (entry,) = entries(module)
        pad = Launchpad(entry, str(number))
        wanted = pad.run(module)
        assert pad.run(without_exits(module)) == wanted


def test_straight_kernels_are_left_alone() -> None:
    module = parsed(kernel("%a = addi %x, %x : tile<i32>", "%x: tile<i32>"))
    assert not any(has_exits(op) for op in module.walk() if isinstance(op, control.EntryOp))


WHILE = """
  %one = constant <i32: 1> : tile<i32>
  %tile = constant <f32: 1.0> : tile<64x64xf32>
  %r = loop iter_values(%i = %n) : tile<i32> -> tile<i32> {
    %again = cmpi greater_than %i, %one, signed : tile<i32> -> tile<i1>
    %ones = constant <i32: 2> : tile<i32>
    if %again {
    } else {
      break %i : tile<i32>
    }
    %next = subi %i, %ones : tile<i32>
    continue %next : tile<i32>
  }
"""


def test_a_loop_that_people_write_as_while_is_one() -> None:
    """The condition in the first region, the rest in the second, and constants are made again, not carried."""
    text = check(lowered(kernel(WHILE, "%n: tile<i32>")))
    before, _, after = text.partition("do {")
    assert "scf.while (%arg1 = %arg0) : (i32) -> i32" in before
    assert "arith.cmpi sgt" in before
    assert "ub.poison" not in text
    assert "arith.subi" in after
    assert "arith.constant 2" in after
    assert "scf.if" not in text


def test_views_are_made_again_in_the_second_region() -> None:
    body = """
      %r = loop iter_values(%i = %n) : tile<i32> -> tile<i32> {
        %one = constant <i32: 1> : tile<i32>
        %t = make_tensor_view %p, shape = [%n], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
        %v = make_partition_view %t : partition_view<tile=(8), tensor_view<?xf32, strides=[1]>>
        %done = cmpi less_than %i, %one, signed : tile<i32> -> tile<i1>
        if %done {
          break %i : tile<i32>
        }
        %x, %k = load_view_tko weak %v[%i] : partition_view<tile=(8), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<8xf32>, token
        %next = subi %i, %one : tile<i32>
        continue %next : tile<i32>
      }
    """
    text = check(lowered(kernel(body, "%p: tile<ptr<f32>>, %n: tile<i32>")))
    _, _, after = text.partition("do {")
    assert "make_memref" in after
    assert "block_tile" in after
    conditions = [line for line in text.splitlines() if "scf.condition" in line]
    assert [line.partition(" : ")[2] for line in conditions] == ["i32"]  # the carried number, and no view
