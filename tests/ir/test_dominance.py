"""Dominance against a brute-force oracle: a dominates b iff b cannot be reached once a is taken away."""

from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st

from tests.support.sample_dialect import FunctionOp, branch, function, nest, value
from tilewright.ir.block import Block, Region
from tilewright.ir.dominance import Dominance, reverse_post_order
from tilewright.ir.operation import Operation

Edges = list[list[int]]


@st.composite
def graphs(draw: st.DrawFn) -> Edges:
    """Successor lists of up to nine blocks; block 0 is the entry."""
    count = draw(st.integers(1, 9))
    return [draw(st.lists(st.integers(0, count - 1), max_size=3)) for _ in range(count)]


def blocks_of(edges: Edges) -> list[Block]:
    blocks = [Block() for _ in edges]
    FunctionOp("f", body=Region(blocks), result_types=[])
    for block, targets in zip(blocks, edges, strict=True):
        block.append(branch(*[blocks[target] for target in targets]))
    return blocks


def reachable(edges: Edges, without: int | None = None) -> set[int]:
    seen: set[int] = set()
    pending = [] if without == 0 else [0]
    while pending:
        node = pending.pop()
        if node not in seen:
            seen.add(node)
            pending.extend(target for target in edges[node] if target != without)
    return seen


@settings(max_examples=150, deadline=None)
@given(graphs())
def test_blocks(edges: Edges) -> None:
    blocks = blocks_of(edges)
    dominance = Dominance()
    live = reachable(edges)
    for a, first in enumerate(blocks):
        rest = reachable(edges, without=a)
        for b, second in enumerate(blocks):
            expected = a == b or b not in live or b not in rest
            assert dominance.block_dominates(first, second) == expected, (a, b)


@settings(max_examples=100, deadline=None)
@given(graphs())
def test_immediate_dominators(edges: Edges) -> None:
    blocks = blocks_of(edges)
    dominance = Dominance()
    region = blocks[0].parent
    assert region is not None
    found = dominance.immediate_dominators(region)
    assert set(found) == {blocks[i] for i in reachable(edges)}
    for block, above in found.items():
        strict = [other for other in found if other is not block and dominance.block_dominates(other, block)]
        assert (above in strict) if strict else above is None
        assert above is None or all(dominance.block_dominates(other, above) for other in strict)


@settings(max_examples=100, deadline=None)
@given(graphs())
def test_reverse_post_order(edges: Edges) -> None:
    blocks = blocks_of(edges)
    region = blocks[0].parent
    assert region is not None
    order = reverse_post_order(region)
    assert order[0] is blocks[0]
    assert {blocks.index(block) for block in order} == reachable(edges)
    acyclic = all(target > source for source, targets in enumerate(edges) for target in targets)
    if acyclic:
        place = {block: position for position, block in enumerate(order)}
        assert all(place[block] < place[s] for block in order for s in block.successors)


def test_a_region_without_blocks() -> None:
    assert reverse_post_order(Region()) == []


class TestValues:
    def test_order_inside_a_block(self) -> None:
        a, b = value(), value()
        function("f", [a, b])
        dominance = Dominance()
        assert dominance.value_reaches(a.results[0], b)
        assert not dominance.value_reaches(b.results[0], a)
        assert not dominance.value_reaches(a.results[0], a)

    def test_into_nested_regions_but_not_out(self) -> None:
        a, inner, after = value(), value(), value()
        holder = nest([inner])
        function("f", [a, holder, after])
        dominance = Dominance()
        assert dominance.value_reaches(a.results[0], inner)
        assert not dominance.value_reaches(after.results[0], inner)
        assert not dominance.value_reaches(inner.results[0], after)

    def test_an_operation_does_not_reach_its_own_regions(self) -> None:
        inner = value()
        holder = value()
        outer = nest([inner])
        function("f", [holder, outer])
        assert not Dominance().value_reaches(inner.results[0], outer)

    def test_isolation_is_a_wall(self) -> None:
        a, inner = value(), value()
        walled = function("g", [inner])
        function("f", [a, walled])
        assert not Dominance().value_reaches(a.results[0], inner)

    def test_across_blocks(self) -> None:
        blocks = blocks_of([[1, 2], [3], [3], []])
        ops: list[Operation] = [block.prepend(value()) for block in blocks]
        dominance = Dominance()
        reaches = [[dominance.value_reaches(d.results[0], u) for u in ops] for d in ops]
        assert reaches == [
            [False, True, True, True],
            [False, False, False, False],
            [False, False, False, False],
            [False, False, False, False],
        ]

    def test_block_arguments(self) -> None:
        op = value()
        holder = function("f", [op])
        argument = holder.body.blocks[0].add_argument(op.results[0].type)
        assert Dominance().value_reaches(argument, op)

    @pytest.mark.parametrize("reversed_", [False, True])
    def test_a_detached_definition_reaches_nothing(self, reversed_: bool) -> None:
        a, b = value(), value()
        function("f", [b if reversed_ else a])
        pair = (a, b) if reversed_ else (b, a)
        assert not Dominance().value_reaches(pair[0].results[0], pair[1])
