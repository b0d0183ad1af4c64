"""Structural equality names the first difference and where it is."""

from __future__ import annotations

import pytest
from hypothesis import given

from tilewright.dialects.cuda_tile.dialect import CUDA_TILE
from tilewright.ir.block import Block, Region
from tilewright.ir.context import Context
from tilewright.ir.equality import difference, operation_path, structurally_equal
from tilewright.ir.operation import Operation
from tilewright.ir.text.parser import parse_module
from tilewright.testing import modules

CONTEXT = Context([CUDA_TILE], allow_unregistered=True)


def parse(text: str) -> Operation:
    return parse_module(CONTEXT, text)


BASE = """
"t.m"() ({
  "t.f"() <{}> ({
  ^bb0(%a: i32, %b: i32):
    %0 = "t.add"(%a, %b) {k = 1 : i32} : (i32, i32) -> i32
    "t.br"()[^bb1] : () -> ()
  ^bb1:
    "t.end"(%0) : (i32) -> ()
  }) {sym_name = "f"} : () -> ()
}) : () -> ()
"""

CHANGES = [
    ("t.add", "t.sub", 'at t.m > [0] t.f @f > [0.0] t.add: operation \'t.add\' against \'t.sub\''),
    ("(%a, %b)", "(%b, %a)", "at t.m > [0] t.f @f > [0.0] t.add: operand #0 is another value"),
    ("(%a, %b)", "(%a, %a)", "at t.m > [0] t.f @f > [0.0] t.add: operand #1 is another value"),
    ("k = 1", "k = 2", "[0.0] t.add: attribute 'k' is 1 : i32 against 2 : i32"),
    ("{k = 1 : i32}", "{}", "[0.0] t.add: attribute 'k' is 1 : i32 against nothing"),
    ("[^bb1]", "[^bb0]", "[0.1] t.br: successor #0 is another block"),
    ("[^bb1]", "", "[0.1] t.br: 1 successors against 0"),
    ('"t.end"(%0) : (i32) -> ()', '"t.end"() : () -> ()', "[1.0] t.end: 1 operands against 0"),
    ('    "t.end"', '    "t.x"() : () -> ()\n    "t.end"', "block #1: 1 operations against 2; the first that"),
    (
        "^bb1:\n",
        "^bb1:\n    \"t.br\"()[^bb2] : () -> ()\n  ^bb2:\n",
        "[0] t.f @f: region #0: 2 blocks against 3",
    ),
    ('"t.br"()[^bb1] : () -> ()', '%u = "t.br"()[^bb1] : () -> i1', "[0.1] t.br: 0 result types against 1"),
    ("%a: i32, %b: i32", "%a: i32, %b: i32, %c: i1", "block #0: 2 argument types against 3"),
]  # fmt: skip


def test_a_copy_is_equal() -> None:
    first = parse(BASE)
    assert structurally_equal(first, parse(BASE))
    assert structurally_equal(first, first.clone())


@pytest.mark.parametrize(("old", "new", "expected"), CHANGES, ids=[c[1][:20] for c in CHANGES])
def test_differences(old: str, new: str, expected: str) -> None:
    assert old in BASE
    changed = parse(BASE.replace(old, new))
    found = difference(parse(BASE), changed)
    assert found is not None
    assert expected in found
    assert not structurally_equal(parse(BASE), changed)


def test_locations_count_on_request_only() -> None:
    first = parse('"t.a"() : () -> () loc("x.py":1:1)')
    second = parse('"t.a"() : () -> () loc("x.py":2:1)')
    assert structurally_equal(first, second)
    assert "location" in (difference(first, second, locations=True) or "")


def test_values_from_outside_correspond_to_themselves() -> None:
    block = parse(BASE).regions[0].block
    function = block.first
    assert function is not None
    add = function.regions[0].blocks[0].first
    assert add is not None
    assert structurally_equal(add, add.clone())
    assert operation_path(add) == "t.m > [0] t.f @f > [0.0] t.add"


def test_depth_is_not_limited() -> None:
    def nest(depth: int) -> Operation:
        op = Operation.from_parts(CONTEXT.unregistered_kind("t.leaf"))
        for _ in range(depth):
            block = Block()
            block.append(op)
            op = Operation.from_parts(CONTEXT.unregistered_kind("t.nest"), regions=[Region([block])])
        return op

    first, second = nest(20_000), nest(20_000)
    assert structurally_equal(first, second)
    for op in (first, second):
        op.drop_all_references()


@given(module=modules())
def test_modules_equal_their_clones(module: Operation) -> None:
    assert difference(module, module.clone(), locations=True) is None
