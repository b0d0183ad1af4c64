"""The walker against a recursive oracle, and its control words."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings, strategies as st

from tests.support.sample_dialect import NestOp, ValueOp, deep_nest, nest, value
from tilewright.ir.operation import Operation
from tilewright.ir.walker import Visitor, WalkOrder, WalkResult, walk, walk_with

CONTINUE, SKIP, INTERRUPT, REVISIT = WalkResult
Event = tuple[str, Operation]
Choose = Callable[[Operation], int | None]


class Stop(Exception):
    """What INTERRUPT is in the oracle."""


def oracle(
    op: Operation, enter: Choose, per_op: Choose, kinds: set[object] | None, events: list[Event]
) -> None:
    """The meaning of a walk, recursively; INTERRUPT wins over SKIP, SKIP over REVISIT."""
    wanted = kinds is None or op.kind in kinds
    words: list[int | None] = []
    for hook, name, runs in ((enter, "enter", True), (per_op, "per_op", wanted)):
        if runs:
            events.append((name, op))
            words.append(hook(op))
            if words[-1] == INTERRUPT:
                raise Stop
    if SKIP not in words:
        for region in op.regions:
            for block in region.blocks:
                for inner in block.ops:
                    oracle(inner, enter, per_op, kinds, events)
        if REVISIT in words and wanted:
            events.append(("per_op", op))
            if per_op(op) == INTERRUPT:
                raise Stop
    events.append(("leave", op))


nests = st.deferred(lambda: trees)
trees: st.SearchStrategy[object] = st.lists(st.lists(st.lists(nests, max_size=3), max_size=2), max_size=2)


def build(tree: object) -> Operation:
    """A nest from lists of regions of blocks of operations; an empty list is a leaf."""
    assert isinstance(tree, list)
    if not tree:
        return value()
    owner = nest(*[[] for _ in tree])
    for region, blocks in zip(owner.regions, tree, strict=True):
        region.remove(region.blocks[0])
        for operations in blocks:
            made = nest([build(inner) for inner in operations])
            region.append(made.regions[0].remove(made.regions[0].blocks[0]))
    return owner


def run(
    root: Operation, enter: Choose, per_op: Choose, kinds: set[object] | None, walker: bool
) -> tuple[list[Event], bool]:
    events: list[Event] = []
    if not walker:
        try:
            oracle(root, enter, per_op, kinds, events)
        except Stop:
            return events, True
        return events, False

    def log(name: str, hook: Choose) -> Choose:
        def logged(op: Operation) -> int | None:
            events.append((name, op))
            return hook(op)

        return logged

    visitor = Visitor(
        log("per_op", per_op),
        enter=log("enter", enter),
        leave=lambda op: events.append(("leave", op)),
        kinds=kinds,  # pyright: ignore[reportArgumentType]
    )
    return events, walk_with(root, visitor) is INTERRUPT


words = st.sampled_from([None, None, None, CONTINUE, SKIP, REVISIT, INTERRUPT])


@settings(max_examples=150, deadline=None)
@given(trees, st.data())
def test_any_walk_is_what_the_oracle_says(tree: object, data: st.DataObject) -> None:
    root = build(tree)
    ops = list(root.walk())
    entering = {op: data.draw(words) for op in ops}
    visiting = {op: data.draw(words) for op in ops}
    kinds = data.draw(st.sampled_from([None, {ValueOp.op_kind}, {NestOp.op_kind}]))
    expected = run(root, entering.get, visiting.get, kinds, walker=False)
    assert run(root, entering.get, visiting.get, kinds, walker=True) == expected


@settings(max_examples=100, deadline=None)
@given(trees, st.sampled_from(WalkOrder), st.sampled_from([None, {ValueOp.op_kind}, {NestOp.op_kind}]))
def test_plain_callbacks(tree: object, order: WalkOrder, kinds: set[object] | None) -> None:
    root = build(tree)
    events, _ = run(root, lambda op: None, lambda op: None, None, walker=False)
    name = "enter" if order is WalkOrder.PRE_ORDER else "leave"
    expected = [op for event, op in events if event == name and (kinds is None or op.kind in kinds)]
    seen: list[Operation] = []
    result = walk(root, seen.append, order, kinds=kinds)  # pyright: ignore[reportArgumentType]
    assert (seen, result) == (expected, CONTINUE)


@settings(max_examples=100, deadline=None)
@given(trees, st.data())
def test_bare_callbacks_take_the_control_words(tree: object, data: st.DataObject) -> None:
    """The driver for a callback alone has a shortcut for leaves; it must mean the same."""
    root = build(tree)
    answers = {op: data.draw(words) for op in root.walk()}
    events, stopped = run(root, lambda op: None, answers.get, None, walker=False)
    seen: list[Operation] = []

    def callback(op: Operation) -> int | None:
        seen.append(op)
        return answers[op]

    result = walk(root, callback)
    assert seen == [op for name, op in events if name == "per_op"]
    assert (result is INTERRUPT) == stopped


def test_post_order_can_be_interrupted() -> None:
    a, b = value(), value()
    root = nest([nest([a]), b])
    seen: list[Operation] = []

    def callback(op: Operation) -> int:
        seen.append(op)
        return INTERRUPT if op is a.parent_op else CONTINUE

    assert walk(root, callback, WalkOrder.POST_ORDER) is INTERRUPT
    assert seen == [a, a.parent_op]


@pytest.mark.parametrize("order", WalkOrder)
def test_the_current_operation_may_be_erased(order: WalkOrder) -> None:
    root = nest([value(), nest([value(), value()]), value()])
    block = root.regions[0].block
    seen = 0

    def callback(op: Operation) -> int | None:
        nonlocal seen
        seen += 1
        if op is not root:
            op.erase()
            return SKIP
        return CONTINUE

    walk(root, callback, order)
    assert block.ops == []
    assert seen == (4 if order is WalkOrder.PRE_ORDER else 6)


def test_what_is_inserted_before_the_current_operation_is_not_visited() -> None:
    root = nest([value(), value()])
    seen = 0

    def callback(op: Operation) -> None:
        nonlocal seen
        seen += 1
        if op is not root and op.parent is not None:
            op.parent.insert_before(op, value())

    walk(root, callback)
    assert (seen, len(root.regions[0].block.ops)) == (3, 4)


def test_a_revisit_sees_what_the_children_became() -> None:
    root = nest([value(), value()])
    counts: list[int] = []

    def callback(op: Operation) -> int:
        if op is root:
            counts.append(len(root.regions[0].block.ops))
            return REVISIT
        op.erase()
        return SKIP

    walk(root, callback)
    assert counts == [2, 0]


@pytest.mark.parametrize("order", WalkOrder)
def test_deep_nests(order: WalkOrder) -> None:
    op, size = deep_nest()
    count = 0

    def callback(_: Operation) -> None:
        nonlocal count
        count += 1

    walk(op, callback, order)
    assert count == size


@settings(max_examples=60, deadline=None)
@given(trees, st.data())
def test_a_scan_goes_along_blocks_by_itself_and_any_hook_may_interrupt(
    tree: object, data: st.DataObject
) -> None:
    """A visitor with ``scan`` sees what one without sees, and ``scan`` and ``leave`` end the walk at any event."""
    root = build(tree)
    everything: list[Event] = []
    oracle(root, lambda op: None, lambda op: None, None, everything)
    expected = [
        event for event in everything if event[0] != "per_op" and (event[0] == "enter" or event[1].regions)
    ]
    limit = data.draw(st.integers(1, len(expected) + 1))
    events: list[Event] = []

    def note(name: str, op: Operation) -> WalkResult:
        events.append((name, op))
        return INTERRUPT if len(events) >= limit else CONTINUE

    def scan(first: Operation) -> Operation | WalkResult | None:
        op: Operation | None = first
        while op is not None:
            if note("enter", op) is INTERRUPT:
                return INTERRUPT
            if op.regions:
                return op
            op = op.next
        return None

    visitor = Visitor(
        enter=lambda op: note("enter", op),
        scan=scan,
        leave=lambda op: note("leave", op) if op.regions else None,
    )
    word = walk_with(root, visitor)
    assert events == expected[:limit]
    assert word is (INTERRUPT if limit <= len(expected) else CONTINUE)
