"""The one-shot driver: each operation once, insides first, at most one pattern each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.rewrite.toy import AddOp, LoopOp, NewOp, UseOp, read, toy_context
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.rewrite.observer import ObserverGroup, RewriteObserver, StatisticsObserver, observe
from tilewright.rewrite.pattern import NoMatch, pattern
from tilewright.rewrite.pattern_set import RewritePatternSet
from tilewright.rewrite.rewriter import Listener, Rewriter
from tilewright.rewrite.walk import walk_and_apply_patterns

NEST = """"old.loop"() ({
  "old.use"() : () -> ()
  "old.loop"() ({
    "old.use"() : () -> ()
  }) : () -> ()
}) : () -> ()
"old.use"() : () -> ()"""


@pattern(UseOp)
def renew(op: Any, rewriter: Rewriter) -> NoMatch | None:
    rewriter.replace(op, rewriter.insert(Operation.from_parts(NewOp.op_kind, op.operands, op.result_types)))
    return None


def test_operations_are_visited_in_post_order() -> None:
    seen: list[str] = []

    @pattern(None)
    def note(op: Any, rewriter: Rewriter) -> NoMatch | None:
        seen.append(op.name)
        return rewriter.no_match("only looking")

    context = toy_context()
    assert walk_and_apply_patterns(read(context, NEST), RewritePatternSet(context, [note])) == 0
    assert seen == ["old.use", "old.use", "old.loop", "old.loop", "old.use"]


def test_new_operations_are_not_visited() -> None:
    @pattern(NewOp)
    def again(op: Any, rewriter: Rewriter) -> NoMatch | None:
        raise AssertionError("was made by the walk itself")

    context = toy_context()
    module = read(context, NEST)
    assert walk_and_apply_patterns(module, RewritePatternSet(context, [renew, again])) == 3
    assert [op.name for op in module.walk()].count("new.op") == 3


def test_at_most_one_pattern_is_applied_and_the_best_is_tried_first() -> None:
    fired: list[str] = []

    def make(name: str, benefit: int) -> Any:
        @pattern(UseOp, benefit=benefit, name=name)
        def mark(op: Any, rewriter: Rewriter) -> NoMatch | None:
            fired.append(name)
            return None

        return mark

    context = toy_context()
    patterns = RewritePatternSet(context, [make("weak", 1), make("strong", 2)])
    walk_and_apply_patterns(read(context, '"old.use"() : () -> ()'), patterns)
    assert fired == ["strong"]


def test_what_a_pattern_erases_is_not_visited() -> None:
    @pattern(LoopOp)
    def erase(op: Any, rewriter: Rewriter) -> NoMatch | None:
        following = op.next
        if following is not None:
            rewriter.erase(following)
        return None

    context = toy_context()
    module = read(context, NEST)
    walk_and_apply_patterns(module, RewritePatternSet(context, [erase, renew]))
    assert [op.name for op in module.walk()][1:] == ["old.loop", "new.op", "old.loop", "new.op"]


def test_nothing_is_folded_and_nothing_dead_goes() -> None:
    context = toy_context()
    text = '%0 = "old.use"() : () -> i32\n%1 = "old.add"(%0, %0) : (i32, i32) -> i32'
    module = read(context, text)
    walk_and_apply_patterns(module, RewritePatternSet(context, [renew]))
    assert [op.name for op in module.walk()][1:] == ["new.op", AddOp.op_kind.name]


class Changes(RewriteObserver):
    """An observer that keeps what it hears of changes, but for those in place."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def inserted(self, op: Operation) -> None:
        self.names.append(f"inserted {op.name}")

    def replaced(self, op: Operation, values: Sequence[Value]) -> None:
        self.names.append(f"replaced {op.name}")

    def erased(self, op: Operation) -> None:
        self.names.append(f"erased {op.name}")


def test_listeners_and_observers_hear_of_it() -> None:
    class Log(Listener):
        def __init__(self) -> None:
            self.inserted_names: list[str] = []

        def inserted(self, op: Operation) -> None:
            self.inserted_names.append(op.name)

    context = toy_context()
    log, statistics, changes = Log(), StatisticsObserver(), Changes()
    with observe(ObserverGroup(statistics, changes)):
        walk_and_apply_patterns(read(context, NEST), RewritePatternSet(context, [renew]), log)
    assert log.inserted_names == ["new.op"] * 3
    assert statistics.patterns["renew"].matches == 3
    assert statistics.patterns["renew"].seconds > 0
    assert changes.names == ["inserted new.op", "replaced old.use", "erased old.use"] * 3
