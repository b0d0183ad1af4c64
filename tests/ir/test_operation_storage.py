"""What operations store compactly or work out late shows the same as if it were stored plainly."""

from __future__ import annotations

import itertools

import pytest

from tests.support.sample_dialect import value
from tilewright.dialects.arith.ops_integer import AddIOp, CmpIOp, ConstantOp
from tilewright.dialects.builtin.dialect import BUILTIN
from tilewright.ir.block import Block
from tilewright.ir.builtin_attributes import IntegerAttr
from tilewright.ir.builtin_types import i32
from tilewright.ir.context import Context
from tilewright.ir.location import FileLineColLocation
from tilewright.ir.text.parser import parse_module


def test_a_use_list_grows_and_shrinks_through_all_its_forms() -> None:
    used, users = value(), []
    assert not used.results[0].has_uses
    for count in range(1, 4):
        users.append(value(used, used) if count == 2 else value(used))
        assert used.results[0].uses == {user: len(user.operands) for user in users}
        assert used.results[0].has_one_use is (count == 1)
    for user in list(users):
        user.set_operands(())
        users.remove(user)
        assert used.results[0].uses == {user: len(user.operands) for user in users}
    assert used.results[0].compact_uses is None


def test_order_numbers_come_on_demand_and_hold_after_every_change() -> None:
    block = Block()
    ops = [block.append(value()) for _ in range(3)]
    for _ in range(30):
        ops.insert(1, block.insert_before(ops[1], value()))
        ops.append(block.append(value()))
        assert ops[0].is_before_in_block(ops[-1])
    for first, second in itertools.pairwise(ops):
        assert first.is_before_in_block(second)
        assert not second.is_before_in_block(first)


def test_inserting_before_an_operation_without_a_number_keeps_the_order() -> None:
    block = Block()
    last = block.append(value())
    first = block.insert_before(last, value())
    assert first.is_before_in_block(last)


def test_locations_of_parsed_operations_are_worked_out_on_request() -> None:
    module = parse_module(Context([BUILTIN]), '\n  "builtin.module"() ({\n  }) : () -> ()\n', "place.mlir")
    copy = module.clone()
    assert module.location is FileLineColLocation("place.mlir", 2, 3)
    assert copy.location is module.location


def test_constructors_bind_positional_arguments_and_defaults() -> None:
    one = ConstantOp(IntegerAttr(i32, 1))
    total = AddIOp(one.results[0], one)
    assert total.operands == (one.results[0], one.results[0])
    assert total.attributes == AddIOp(lhs=one.results[0], rhs=one.results[0]).attributes
    with pytest.raises(TypeError, match="misses"):
        AddIOp(one.results[0])
    with pytest.raises(TypeError, match="misses"):
        CmpIOp(one.results[0], one.results[0])


def test_walking_backwards_visits_the_same_operations() -> None:
    module = parse_module(
        Context([BUILTIN]), '"builtin.module"() ({\n"builtin.module"() ({}) : () -> ()\n}) : () -> ()'
    )
    assert next(module.walk()) is next(module.walk(reverse=True)) is module
    assert set(module.walk()) == set(module.walk(reverse=True))
