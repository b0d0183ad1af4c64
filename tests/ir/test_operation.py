"""Operations, blocks, values: links, use lists, moving, erasing, cloning, symbols."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from tests.support.sample_dialect import (
    BranchOp,
    NestOp,
    ValueOp,
    branch,
    deep_nest,
    function,
    nest,
    region,
    value,
)
from tilewright.ir.block import Block, Region
from tilewright.ir.builder import Builder, InsertionPoint
from tilewright.ir.builtin_attributes import StringAttr
from tilewright.ir.builtin_types import f32, i32
from tilewright.ir.equality import structurally_equal
from tilewright.ir.location import UNKNOWN, FileLineColLocation
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value, defining_op


def check_uses(root: Operation) -> None:
    """Use lists are exactly what the operands say."""
    counted: dict[Value, dict[Operation, int]] = {}
    for op in root.walk():
        for operand in op.operands:
            users = counted.setdefault(operand, {})
            users[op] = users.get(op, 0) + 1
    for made in values_in(root):
        assert made.uses == counted.get(made, {})


def values_in(root: Operation) -> Iterator[Value]:
    for op in root.walk():
        yield from op.results
        for inner in op.regions:
            for block in inner.blocks:
                yield from block.arguments


def check_links(block: Block) -> None:
    """The list is linked both ways and every operation knows its block."""
    forwards = block.ops
    backwards: list[Operation] = []
    op = block.last
    while op is not None:
        backwards.append(op)
        op = op.previous
    assert forwards == backwards[::-1]
    assert all(op.parent is block for op in forwards)


class TestUses:
    def test_each_operand_counts(self) -> None:
        a, b = value(), value()
        user = value(a.results[0], b.results[0], a.results[0])
        assert a.results[0].uses == {user: 2}
        assert list(a.results[0].operand_uses()) == [(user, 0), (user, 2)]
        assert b.results[0].has_one_use
        assert not a.results[0].has_one_use
        assert a.has_uses
        assert not user.has_uses

    def test_set_operands(self) -> None:
        a, b, c = value(), value(), value()
        user = value(a.results[0], b.results[0])
        user.set_operands([c.results[0], c.results[0], a.results[0]])
        assert [op.results[0].uses for op in (a, b, c)] == [{user: 1}, {}, {user: 2}]
        user.set_operand(1, b.results[0])
        assert user.operands == (c.results[0], b.results[0], a.results[0])
        assert c.results[0].has_one_use

    def test_replace_uses_of_in_one_operation(self) -> None:
        a, b = value(), value()
        first, second = value(a.results[0], a.results[0]), value(a.results[0])
        first.replace_uses_of(a.results[0], b.results[0])
        assert a.results[0].uses == {second: 1}
        assert b.results[0].uses == {first: 2}

    def test_replace_all_uses(self) -> None:
        a, b = value(results=2), value(results=2)
        users = [value(*a.results), value(a.results[0], b.results[0])]
        a.replace_all_uses_with(b.results)
        assert not a.has_uses
        assert [user.operands for user in users] == [b.results, (b.results[0], b.results[0])]
        assert b.results[0].uses == {users[0]: 1, users[1]: 2}

    @pytest.mark.parametrize("count", [1, 2, 3])
    def test_only_the_operands_that_are_the_value_are_replaced(self, count: int) -> None:
        for places in itertools.product((False, True), repeat=count):
            (a,), (b,), (c,) = value().results, value().results, value().results
            user, others = value(*[a if here else b for here in places]), value(a, b)
            a.replace_all_uses_with(c)
            assert user.operands == tuple(c if here else b for here in places)
            assert others.operands == (c, b)
            assert not a.has_uses
            assert c.uses == ({user: sum(places)} if any(places) else {}) | {others: 1}

    def test_replacing_a_value_by_itself_changes_nothing(self) -> None:
        a = value()
        user = value(a.results[0])
        a.results[0].replace_all_uses_with(a.results[0])
        assert a.results[0].uses == {user: 1}

    def test_an_operation_may_use_itself(self) -> None:
        op = value()
        op.set_operands(op.results)
        assert op.results[0].uses == {op: 1}
        with pytest.raises(ValueError, match="still has uses"):
            op.erase()
        op.drop_all_references()
        op.erase()

    def test_defining_op(self) -> None:
        block = Block([i32])
        op = value(block.arguments[0])
        assert defining_op(op.results[0]) is op
        assert defining_op(block.arguments[0]) is None


class TestPlace:
    def test_appending_and_inserting(self) -> None:
        block = Block()
        a, b, c, d = value(), value(), value(), value()
        block.append(b)
        block.prepend(a)
        block.insert_after(b, d)
        block.insert_before(d, c)
        assert block.ops == [a, b, c, d]
        check_links(block)

    def test_operations_of_other_blocks_are_refused(self) -> None:
        block, other = Block(), Block()
        here, there = block.append(value()), other.append(value())
        with pytest.raises(ValueError, match="the anchor is not in this block"):
            block.insert_after(there, value())
        with pytest.raises(ValueError, match="is not in this block"):
            block.remove(there)
        assert (block.ops, other.ops) == ([here], [there])

    def test_moving(self) -> None:
        first, second = Block(), Block()
        a, b, c = (first.append(value()) for _ in range(3))
        d = second.append(value())
        a.move_after(c)
        assert first.ops == [b, c, a]
        c.move_before(d)
        assert (first.ops, second.ops) == ([b, a], [c, d])
        check_links(first)
        check_links(second)

    def test_what_cannot_be_placed(self) -> None:
        block = Block()
        op, stray = block.append(value()), value()
        with pytest.raises(ValueError, match="already in a block"):
            block.append(op)
        with pytest.raises(ValueError, match="not in this block"):
            Block().insert_before(op, stray)
        with pytest.raises(ValueError, match="not in a block"):
            op.move_before(stray)

    def test_iteration_survives_erasing_the_current_operation(self) -> None:
        block = Block()
        for _ in range(4):
            block.append(value())
        seen = 0
        for op in block:
            seen += 1
            op.erase()
        assert (seen, block.first, block.last) == (4, None, None)

    @settings(max_examples=60)
    @given(st.data())
    def test_order_numbers_are_the_order(self, data: st.DataObject) -> None:
        """Random insertions, removals and moves; every pair compares as in the list."""
        block = Block()
        model: list[Operation] = []
        for _ in range(data.draw(st.integers(1, 30))):
            step = data.draw(st.sampled_from(["insert", "append", "remove", "move", "front"]))
            at = data.draw(st.integers(0, max(len(model) - 1, 0)))
            if not model or step == "append":
                model.append(block.append(value()))
            elif step in ("insert", "front"):
                at = 0 if step == "front" else at
                model.insert(at, block.insert_before(model[at], value()))
            elif step == "remove":
                model.pop(at).erase()
            elif len(model) > 1:
                moved = model.pop(at)
                anchor = model[at % len(model)]
                moved.move_before(anchor)
                model.insert(model.index(anchor), moved)
            if data.draw(st.booleans()) and len(model) > 1:
                model[0].is_before_in_block(model[-1])
        assert block.ops == model
        check_links(block)
        for i, a in enumerate(model):
            for j, b in enumerate(model):
                assert a.is_before_in_block(b) == (i < j)

    def test_order_survives_many_insertions_at_one_place(self) -> None:
        block = Block()
        first, last = block.append(value()), block.append(value())
        made = [block.insert_before(last, value()) for _ in range(50)]
        chain = [first, *made, last]
        assert all(a.is_before_in_block(b) for a, b in itertools.pairwise(chain))

    def test_split_before(self) -> None:
        block = Block()
        outer = Region([block, Block()])
        a, b, c = (block.append(value()) for _ in range(3))
        rest = block.split_before(b)
        assert (block.ops, rest.ops) == ([a], [b, c])
        assert outer.blocks[1] is rest
        check_links(rest)
        assert b.is_before_in_block(c)

    def test_ancestors(self) -> None:
        inner = value()
        middle = nest([inner])
        outer = nest([middle])
        assert list(inner.ancestors()) == [middle, outer]
        assert outer.is_proper_ancestor_of(inner)
        assert not inner.is_proper_ancestor_of(inner)
        assert outer.regions[0].is_ancestor_of(middle.regions[0])
        assert not middle.regions[0].is_ancestor_of(outer.regions[0])

    def test_builder(self) -> None:
        block = Block()
        builder = Builder(block)
        a = builder.insert(value())
        builder.point = InsertionPoint.before(a)
        b, c = builder.insert(value()), builder.insert(value())
        builder.point = InsertionPoint.after(a)
        d = builder.insert(value())
        assert block.ops == [b, c, a, d]
        owner = nest([])
        made = builder.create_block(owner.regions[0], [i32], FileLineColLocation("f", 1, 2))
        assert made.argument_location(0).source == ("f", 1, 2)
        assert builder.insert(value()).parent is made


class TestErasing:
    def test_uses_keep_an_operation_alive(self) -> None:
        a = value()
        user = value(a.results[0])
        with pytest.raises(ValueError, match=r"'sample.value' still has uses"):
            a.erase()
        user.erase()
        a.erase()

    def test_everything_inside_goes_too(self) -> None:
        a = value()
        outer = nest([nest([value(a.results[0])])])
        outer.erase()
        assert a.results[0].uses == {}

    def test_a_block_with_predecessors_stays(self) -> None:
        first, second = Block(), Block()
        Region([first, second])
        jump = first.append(branch(second))
        assert second.predecessors == [first]
        assert first.successors == (second,)
        with pytest.raises(ValueError, match="predecessors"):
            second.erase()
        jump.erase()
        second.erase()
        assert second.parent is None

    def test_a_block_whose_operations_use_each_other(self) -> None:
        block = Block([i32])
        a = block.append(value(block.arguments[0]))
        block.append(value(a.results[0]))
        block.drop_operations()
        assert block.ops == []
        assert block.arguments[0].uses == {}

    def test_set_successors(self) -> None:
        blocks = [Block() for _ in range(3)]
        Region(blocks)
        jump = blocks[0].append(branch(blocks[1], blocks[1]))
        assert blocks[1].predecessor_uses == {jump: 2}
        jump.set_successors([blocks[2]])
        assert blocks[1].predecessors == []
        assert blocks[2].predecessors == [blocks[0]]


class TestArguments:
    def test_inserting_and_erasing(self) -> None:
        block = Block([i32, f32])
        place = FileLineColLocation("f", 1, 1)
        middle = block.insert_argument(1, i32, place)
        assert [argument.index for argument in block.arguments] == [0, 1, 2]
        assert [block.argument_location(i) for i in range(3)] == [UNKNOWN, place, UNKNOWN]
        user = value(middle)
        with pytest.raises(ValueError, match="still has uses"):
            block.erase_argument(1)
        user.erase()
        block.erase_argument(1)
        assert [(argument.type, argument.index) for argument in block.arguments] == [(i32, 0), (f32, 1)]
        assert block.argument_locations == [UNKNOWN, UNKNOWN]

    def test_taking_blocks(self) -> None:
        source, target = Region([Block(), Block()]), Region([Block()])
        moved = list(source.blocks)
        target.take_blocks(source, 0)
        assert target.blocks[:2] == moved
        assert source.blocks == []
        assert all(block.parent is target for block in moved)


class TestConstruction:
    def test_positional_and_named(self) -> None:
        a = value()
        assert ValueOp((a.results[0],), result_types=[]).inputs == a.results
        assert ValueOp(inputs=[a], result_types=[]).operands == a.results

    @pytest.mark.parametrize(
        ("make", "message"),
        [
            (lambda: ValueOp((), (), result_types=[]), "positional argument"),
            (lambda: ValueOp((), inputs=(), result_types=[]), "multiple values for argument 'inputs'"),
            (lambda: ValueOp(other=1, result_types=[]), "unexpected keyword argument 'other'"),
            (lambda: ValueOp(()), "cannot infer its result types"),
        ],
    )
    def test_wrong_calls(self, make: Any, message: str) -> None:
        with pytest.raises((TypeError, ValueError), match=message):
            make()

    def test_an_operation_stands_for_its_only_result(self) -> None:
        a, two = value(), value(results=2)
        assert ValueOp([a], result_types=[]).operands == a.results
        with pytest.raises(ValueError, match="has 2 results"):
            ValueOp([two], result_types=[])


@st.composite
def programs(draw: st.DrawFn) -> Operation:
    """Random IR: nested regions, several blocks, branches, values used across levels."""
    visible: list[Value] = []

    def block_of(depth: int) -> Block:
        block = Block([i32] * draw(st.integers(0, 2)))
        visible.extend(block.arguments)
        for _ in range(draw(st.integers(0, 3))):
            inputs = draw(st.lists(st.sampled_from(visible), max_size=2)) if visible else []
            regions = draw(st.integers(0, 2)) if depth else 0
            if regions:
                bodies = [region_of(depth - 1) for _ in range(regions)]
                block.append(NestOp(inputs, bodies=bodies, result_types=[]))
            else:
                made = block.append(value(*inputs, results=draw(st.integers(0, 2))))
                visible.extend(made.results)
        return block

    def region_of(depth: int) -> Region:
        made = Region([block_of(depth) for _ in range(draw(st.integers(1, 3)))])
        for block in made.blocks:
            targets = draw(st.lists(st.sampled_from(made.blocks), max_size=2))
            if targets:
                block.append(BranchOp((), targets=targets, result_types=[]))
        return made

    return NestOp((), bodies=[region_of(2)], result_types=[])


class TestCloning:
    @settings(max_examples=40, deadline=None)
    @given(programs())
    def test_a_copy_is_equal_and_independent(self, original: Operation) -> None:
        before = [(op, op.operands, op.successors, dict(op.attributes)) for op in original.walk()]
        mapping: dict[Value, Value] = {}
        copy = original.clone(mapping)
        assert structurally_equal(original, copy)
        check_uses(copy)
        assert not set(original.walk()) & set(copy.walk())
        assert set(mapping) == set(values_in(original))
        assert list(mapping.values()) == [mapping[v] for v in mapping]
        for op in list(copy.walk()):
            op.attributes["changed"] = StringAttr("yes")
        copy.drop_all_references()
        assert before == [(op, op.operands, op.successors, dict(op.attributes)) for op in original.walk()]
        check_uses(original)

    def test_outside_values_stay_unless_mapped(self) -> None:
        a, b = value(), value()
        op = value(a.results[0])
        assert op.clone().operands == a.results
        assert op.clone({a.results[0]: b.results[0]}).operands == b.results

    def test_mapped_values_are_not_mapped_twice(self) -> None:
        a, b = value().results[0], value().results[0]
        copy = value(a, b).clone({a: b, b: a})
        assert copy.operands == (b, a)
        inside = nest([value(a, b)]).clone({a: b, b: a}).regions[0].block.ops[0]
        assert inside.operands == (b, a)

    def test_a_use_before_its_definition(self) -> None:
        user = value()
        definition = value()
        original = nest([user, definition])
        user.set_operands(definition.results)
        first, second = original.clone().regions[0].block.ops
        assert first.operands == second.results

    def test_branches_out_of_the_copy_stay(self) -> None:
        target = Block()
        jump = branch(target)
        assert jump.clone().successors == (target,)

    def test_deep_nests(self) -> None:
        op, size = deep_nest()
        assert sum(1 for _ in op.clone().walk()) == size

    def test_locations_and_names_are_kept(self) -> None:
        original = function("f", [value()])
        original.location = FileLineColLocation("f", 1, 2)
        copy = original.clone()
        assert copy.location is original.location
        assert copy.sym_name == "f"


def test_walking() -> None:
    a, b, c = value(), value(), value()
    root = nest([a, nest([b])], [c])
    forwards = list(root.walk())
    assert forwards == [root, a, b.parent_op, b, c]
    assert list(root.walk(reverse=True)) == [root, c, b.parent_op, b, a]


def test_short_texts() -> None:
    op = value()
    assert repr(op) == "<ValueOp 'sample.value'>"
    assert repr(op.results[0]) == "<OpResult 0 : i32>"
    assert "sample.value" in str(op)
    assert region([op]).entry is op.parent
