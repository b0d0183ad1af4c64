"""The greedy driver: fixed point, folding, constants, order, caps, strictness."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

import pytest

from tests.rewrite.toy import AddOp, MiddleOp, UseOp, read, text_of, toy_context
from tilewright.ir.attribute import Attribute
from tilewright.ir.builtin_attributes import IntegerAttr
from tilewright.ir.builtin_types import i64
from tilewright.ir.context import Context
from tilewright.ir.declaration.traits import ConstantLike
from tilewright.ir.dialect import folds_of
from tilewright.ir.operation import Operation
from tilewright.rewrite.greedy import GreedyConfig, Strictness, apply_patterns_greedily
from tilewright.rewrite.observer import StatisticsObserver, TreeObserver
from tilewright.rewrite.pattern import NoMatch, pattern
from tilewright.rewrite.pattern_set import RewritePatternSet
from tilewright.rewrite.rewriter import Rewriter

CONSTANT = '"old.constant"() <{{value = {} : i32}}> : () -> i32'


def run(context: Context, module: Operation, *patterns: Any, **config: Any) -> Any:
    return apply_patterns_greedily(
        module, RewritePatternSet(context, patterns), config=GreedyConfig(**config)
    )


def chain(length: int) -> str:
    lines = [f"%0 = {CONSTANT.format(1)}"]
    for number in range(1, length):
        lines.append(f"%c{number} = {CONSTANT.format(number)}")
        lines.append(f'%{number} = "old.add"(%{number - 1}, %c{number}) : (i32, i32) -> i32')
    return "\n".join([*lines, f'"old.use"(%{length - 1}) : (i32) -> ()'])


def names(module: Operation) -> list[str]:
    return [op.name for op in module.walk()][1:]


def test_a_chain_folds_to_one_constant() -> None:
    context = toy_context()
    module = read(context, chain(50))
    result = run(context, module)
    assert result.changed
    assert result.converged
    assert names(module) == ["old.constant", "old.use"]
    assert "value = 226 : i32" in text_of(module)  # 1 + (1 + ... + 49), modulo 1000


def test_nothing_to_do_changes_nothing() -> None:
    context = toy_context()
    module = read(context, '%0 = "old.use"() : () -> i32\n"old.use"(%0) : (i32) -> ()')
    before = text_of(module)
    result = run(context, module)
    assert not result.changed
    assert result.converged
    assert text_of(module) == before


def test_equal_constants_become_one_at_the_start_of_the_region() -> None:
    context = toy_context()
    lines = ['"old.use"() : () -> ()', f"%0 = {CONSTANT.format(5)}", f"%1 = {CONSTANT.format(5)}"]
    module = read(context, "\n".join([*lines, '"old.use"(%0, %1) : (i32, i32) -> ()']))
    run(context, module)
    assert names(module) == ["old.constant", "old.use", "old.use"]


def test_folding_may_be_switched_off() -> None:
    context = toy_context()
    module = read(context, chain(3))
    run(context, module, fold=False)
    assert names(module).count("old.add") == 2


def test_dead_operations_go() -> None:
    context = toy_context()
    module = read(context, '%0 = "old.use"() : () -> i32\n%1 = "old.add"(%0, %0) : (i32, i32) -> i32')
    run(context, module)
    assert names(module) == ["old.use"]


def test_the_best_benefit_wins() -> None:
    fired: list[str] = []

    def make(name: str, benefit: int) -> Any:
        @pattern(UseOp, benefit=benefit, name=name)
        def erase(op: Any, rewriter: Rewriter) -> NoMatch | None:
            fired.append(name)
            rewriter.erase(op)
            return None

        return erase

    context = toy_context()
    run(context, read(context, '"old.use"() : () -> ()'), make("weak", 1), make("strong", 2))
    assert fired == ["strong"]


def test_equal_benefit_goes_by_registration() -> None:
    fired: list[str] = []

    def make(name: str) -> Any:
        @pattern(UseOp, name=name)
        def note(op: Any, rewriter: Rewriter) -> NoMatch | None:
            fired.append(name)
            return rewriter.no_match("only looking")

        return note

    context = toy_context()
    run(context, read(context, '"old.use"() : () -> ()'), make("first"), make("second"))
    assert fired == ["first", "second"]


@pattern(UseOp)
def grow(op: Any, rewriter: Rewriter) -> NoMatch | None:
    """Replaces an operation by an equal one, for ever."""
    rewriter.replace(op, rewriter.insert(Operation.from_parts(UseOp.op_kind, op.operands, op.result_types)))
    return None


def test_exceeding_the_cap_is_a_remark_and_no_failure() -> None:
    context = toy_context()
    module = read(context, '"old.use"() : () -> ()')
    with context.diagnostics.collect() as emitted:
        result = run(context, module, grow, max_iterations=None, max_rewrites=100)
    assert not result.converged
    assert result.rewrites == 100
    assert [(d.severity.name, d.message) for d in emitted] == [("REMARK", "fixed-point not reached")]


@pytest.mark.parametrize(("steps", "converges"), [(40, True), (63, True), (65, False)])
def test_without_a_limit_each_operation_has_its_share_of_rewrites(steps: int, converges: bool) -> None:
    @pattern(UseOp)
    def step(op: Any, rewriter: Rewriter) -> NoMatch | None:
        taken = op.attributes.get("taken")
        number = 0 if taken is None else taken.value
        if number == steps:
            return rewriter.no_match("done")
        rewriter.set_attribute(op, "taken", IntegerAttr(i64, number + 1))
        return None

    context = toy_context()
    module = read(context, '"old.use"() : () -> ()\n' * 300)
    with context.diagnostics.collect():
        result = run(context, module, step, max_iterations=None)
    assert result.converged == converges
    assert result.rewrites == min(steps, 64) * 300


def test_patterns_that_undo_each_other_end_without_a_limit() -> None:
    context = toy_context()
    with context.diagnostics.collect() as emitted:
        result = run(context, read(context, '"old.use"() : () -> ()'), grow)
    assert not result.converged
    assert result.rewrites == 10
    assert [d.message for d in emitted] == ["fixed-point not reached"]


@pattern(UseOp)
def mark(op: Any, rewriter: Rewriter) -> NoMatch | None:
    """Changes an operation in place, for ever."""
    rewriter.set_operands(op, list(op.operands))
    return None


def double(op: Any, rewriter: Rewriter) -> NoMatch | None:
    """Two operations instead of one, for ever."""
    for _ in range(2):
        rewriter.insert(Operation.from_parts(UseOp.op_kind))
    rewriter.erase(op)
    return None


@pytest.mark.parametrize(("pattern_", "rewrites"), [(grow, 10), (mark, 10), (pattern(UseOp)(double), 1023)])
def test_a_pattern_that_always_changes_something_stops_after_ten_rounds(pattern_: Any, rewrites: int) -> None:
    """The page about pattern drivers caps how often the driver runs again, MLIR how often the list is filled anew.

    A list that a pattern refills for ever is never filled anew. The choice: both are counted, an iteration takes the
    operations that stand on the list when it begins, and ten iterations are the cap in either sense.
    """
    context = toy_context()
    with context.diagnostics.collect() as emitted:
        result = run(context, read(context, '"old.use"() : () -> ()'), pattern_)
    assert (result.converged, result.rewrites) == (False, rewrites)
    assert [d.message for d in emitted] == ["fixed-point not reached"]


@pytest.mark.parametrize("top_down", [True, False])
def test_cascades_of_folds_and_dead_operations_are_one_round(top_down: bool) -> None:
    context = toy_context()
    dead = ['%d0 = "old.use"() : () -> i32']
    dead += [f'%d{at} = "old.add"(%d{at - 1}, %d{at - 1}) : (i32, i32) -> i32' for at in range(1, 200)]
    module = read(context, chain(200) + "\n" + "\n".join(dead))
    result = run(context, module, top_down=top_down, max_iterations=2)
    assert result.converged
    assert names(module) == ["old.constant", "old.use", "old.use"]


def test_users_that_stand_on_the_worklist_are_rewritten_in_the_same_round() -> None:
    @pattern(AddOp)
    def renew(op: Any, rewriter: Rewriter) -> NoMatch | None:
        if op.operands[0].owner.name == "old.add":
            return rewriter.no_match("comes later")
        made = Operation.from_parts(UseOp.op_kind, op.operands, op.result_types)
        rewriter.replace(op, rewriter.insert(made))
        return None

    context = toy_context()
    lines = ['%0 = "old.use"() : () -> i32']
    lines += [f'%{at} = "old.add"(%{at - 1}, %{at - 1}) : (i32, i32) -> i32' for at in range(1, 100)]
    module = read(context, "\n".join([*lines, '"old.use"(%99) : (i32) -> ()']))
    assert run(context, module, renew, max_iterations=2).converged
    assert "old.add" not in names(module)


def test_the_iteration_cap_is_ten() -> None:
    assert GreedyConfig().max_iterations == 10


def test_a_round_that_changes_something_is_followed_by_another_up_to_the_cap() -> None:
    iterations: list[int] = []

    @pattern("builtin.module")
    def count(op: Any, rewriter: Rewriter) -> NoMatch | None:
        return rewriter.no_match("not reached: the root itself is not rewritten")

    @pattern(UseOp)
    def touch(op: Any, rewriter: Rewriter) -> NoMatch | None:
        if op.attributes.get("seen") is not None:
            return rewriter.no_match("seen")
        iterations.append(1)
        rewriter.set_attribute(op, "seen", op.parent_op.attributes.get("mark"))
        return None

    context = toy_context()
    module = read(context, '"old.use"() : () -> ()')
    with context.diagnostics.collect() as emitted:
        result = run(context, module, count, touch, max_iterations=3, max_rewrites=7)
    assert not result.converged
    assert len(iterations) == 3
    assert emitted[0].message == "fixed-point not reached"


def test_a_pattern_that_lies_is_named_and_does_not_hang() -> None:
    @pattern(UseOp)
    def liar(op: Any, rewriter: Rewriter) -> NoMatch | None:
        return None

    context = toy_context()
    with context.diagnostics.collect() as emitted:
        result = run(context, read(context, '"old.use"() : () -> ()'), liar)
    assert result.converged
    assert not result.changed
    assert emitted[0].message == "pattern 'liar' claims a rewrite and changed nothing"
    assert str(emitted[0].code) == "TW0708"


def test_a_pattern_that_declines_after_a_change_is_named() -> None:
    @pattern(UseOp)
    def sneaky(op: Any, rewriter: Rewriter) -> NoMatch | None:
        rewriter.erase(op)
        return rewriter.no_match("oh")

    context = toy_context()
    with context.diagnostics.collect() as emitted:
        run(context, read(context, '"old.use"() : () -> ()'), sneaky)
    assert emitted[0].message == "pattern 'sneaky' declines ('oh') after it changed something"


TWO_SUMS = f"""
%c = {CONSTANT.format(1)}
%0 = "old.use"() : () -> i32
%1 = "old.add"(%0, %0) : (i32, i32) -> i32
%2 = "old.add"(%1, %c) : (i32, i32) -> i32
"old.use"(%2) : (i32) -> ()
"""


def test_a_pattern_is_tried_only_where_its_operands_are_defined_as_it_says() -> None:
    seen: list[str] = []

    def watch(name: str, *ways: Any) -> Any:
        @pattern(AddOp, name=name, defined_by=ways)
        def look(op: Any, rewriter: Rewriter) -> NoMatch | None:
            seen.append(name)
            return rewriter.no_match("just looking")

        return look

    context = toy_context()
    patterns = [watch("any"), watch("add", {0: AddOp}), watch("sum", {0: AddOp, 1: ConstantLike})]
    patterns += [watch("both", {0: AddOp, 1: AddOp}), watch("either", {0: ConstantLike}, {1: ConstantLike})]
    patterns += [watch("beyond", {7: AddOp})]
    run(context, read(context, TWO_SUMS), *patterns)
    assert seen == ["any", "any", "add", "sum", "either"]
    run(context, read(context, TWO_SUMS), *patterns, observer=(statistics := StatisticsObserver()))
    assert [tries for _, tries, *_ in statistics.rows()] == [2] * 6  # an observer hears of all refusals


def test_a_pattern_that_matches_what_it_excludes_is_named() -> None:
    @pattern(AddOp, defined_by=({0: AddOp, 1: AddOp},))
    def modest(op: Any, rewriter: Rewriter) -> NoMatch | None:
        rewriter.replace(op, op.operands[0])
        return None

    context = toy_context()
    module = read(context, TWO_SUMS)
    before = text_of(module)
    run(context, module, modest)
    assert text_of(module) == before
    with context.diagnostics.collect() as emitted:
        run(context, module, modest, observer=StatisticsObserver())
    assert emitted[0].message == "pattern 'modest' matches operands that its 'defined_by' excludes"


def test_a_fold_is_asked_only_where_it_may_know_something(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Sequence[Attribute | None]] = []

    def ask(op: Operation, constants: Sequence[Attribute | None]) -> None:
        asked.append(constants)

    context = toy_context()
    toy = context.dialects["old"]
    monkeypatch.setitem(toy.__dict__, "folds", {AddOp: folds_of(ask)})
    run(context, read(context, TWO_SUMS))
    assert [len([c for c in constants if c is not None]) for constants in asked] == [1]
    monkeypatch.setitem(toy.__dict__, "folds", {AddOp: folds_of(ask, UseOp)})
    run(context, read(context, TWO_SUMS))
    assert len(asked) == 3


@pytest.mark.parametrize(
    ("strictness", "left"),
    [(Strictness.EXISTING, ["middle.op", "old.add"]), (Strictness.EXISTING_AND_NEW, ["old.add"])],
)
def test_strictness(strictness: Strictness, left: list[str]) -> None:
    @pattern(UseOp)
    def replace(op: Any, rewriter: Rewriter) -> NoMatch | None:
        rewriter.insert(Operation.from_parts(MiddleOp.op_kind))
        rewriter.erase(op)
        return None

    @pattern("middle.op")
    def drop(op: Any, rewriter: Rewriter) -> NoMatch | None:
        rewriter.erase(op)
        return None

    context = toy_context()
    text = '%0 = "old.use"() : () -> i32\n%1 = "old.add"(%0, %0) : (i32, i32) -> i32\n"old.use"() : () -> ()'
    module = read(context, text)
    use = [op for op in module.walk() if op.name == "old.use"][1]
    apply_patterns_greedily(
        [use], RewritePatternSet(context, [replace, drop]), config=GreedyConfig(strictness=strictness)
    )
    assert sorted(name for name in names(module) if name != "old.use") == left


def test_erasing_the_last_user_brings_the_definition_back() -> None:
    @pattern(AddOp)
    def never(op: Any, rewriter: Rewriter) -> NoMatch | None:
        return rewriter.no_match("kept")

    @pattern(UseOp)
    def drop_uses(op: Any, rewriter: Rewriter) -> NoMatch | None:
        if not op.operands:
            return rewriter.no_match("uses nothing")
        rewriter.set_operands(op, [])
        return None

    context = toy_context()
    text = '%0 = "old.use"() : () -> i32\n%1 = "old.add"(%0, %0) : (i32, i32) -> i32\n"old.use"(%1) : (i32) -> ()'
    module = read(context, text)
    run(context, module, never, drop_uses)
    assert names(module) == ["old.use", "old.use"]


def test_statistics_and_tree(capsys: pytest.CaptureFixture[str]) -> None:
    context = toy_context()
    stream = io.StringIO()
    statistics = StatisticsObserver()

    @pattern(UseOp, name="look")
    def look(op: Any, rewriter: Rewriter) -> NoMatch | None:
        return rewriter.no_match("nothing to see")

    module = read(context, '"old.use"() : () -> ()')
    run(context, module, look, look, observer=statistics)
    run(context, module, look, look, observer=TreeObserver(stream))
    ((name, tries, matches, _, reason),) = statistics.rows()
    assert (name, tries, matches, reason) == ("look", 2, 0, "nothing to see")
    assert stream.getvalue().splitlines() == [
        "tie on 'old.use': look, look (first one wins)",
        "'old.use' at loc(\"<string>\":2:1) {",
        "  look (benefit 1) {",
        "  } declined: nothing to see",
        "  look (benefit 1) {",
        "  } declined: nothing to see",
        "} unchanged",
    ]


def test_the_tree_shows_each_change() -> None:
    context = toy_context()
    stream = io.StringIO()

    @pattern(UseOp, name="go")
    def go(op: Any, rewriter: Rewriter) -> NoMatch | None:
        rewriter.modified(op)
        rewriter.erase(op)
        return None

    run(context, read(context, '"old.use"() : () -> ()'), go, observer=TreeObserver(stream))
    assert stream.getvalue().splitlines() == [
        "'old.use' at loc(\"<string>\":2:1) {",
        "  go (benefit 1) {",
        "    ~ modified 'old.use'",
        "    - erased 'old.use'",
        "  } matched",
        "} rewritten",
    ]
