"""How patterns are applied, one test for each thing that is promised: population, freezing, the drivers, tear-down.

Where accounts of the system differ: the greedy driver is a driver of its own and not the inner loop of a conversion;
a conversion visits every operation once, in order.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.rewrite.toy import AddOp, MiddleOp, NewOp, UseOp, read, text_of, toy_context, widening
from tilewright.ir.block import Block, Region
from tilewright.ir.context import Context
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ir.operation import Operation
from tilewright.ir.text.parser import parse_module
from tilewright.pdl.dialects.pdl.dialect import PDL
from tilewright.pdl.patterns import add_pdl
from tilewright.rewrite.conversion.driver import (
    apply_full_conversion,
    apply_partial_conversion,
)
from tilewright.rewrite.conversion.pattern import ConversionPattern
from tilewright.rewrite.conversion.rewriter import ConversionRewriter
from tilewright.rewrite.conversion.target import ConversionTarget
from tilewright.rewrite.greedy import GreedyConfig, Strictness, apply_patterns_greedily
from tilewright.rewrite.observer import RewriteObserver
from tilewright.rewrite.pattern import NoMatch, RewritePattern, pattern
from tilewright.rewrite.pattern_set import FrozenRewritePatternSet, RewritePatternSet
from tilewright.rewrite.rewriter import Rewriter

USE = '"old.use"() : () -> ()'


class Log(RewriteObserver):
    """Which patterns were tried."""

    def __init__(self) -> None:
        self.tried: list[str] = []

    def attempt(self, pattern: Any, op: Operation) -> None:
        self.tried.append(pattern.debug_name)


def looking(name: str, **named: Any) -> Any:
    """A pattern that only looks."""

    @pattern(named.pop("root", UseOp), name=name, **named)
    def look(op: Any, rewriter: Rewriter) -> NoMatch | None:
        return rewriter.no_match("only looking")

    return look


def tried(context: Context, *patterns: Any) -> list[str]:
    log = Log()
    table = FrozenRewritePatternSet(RewritePatternSet(context, patterns))
    apply_patterns_greedily(read(context, USE), table, config=GreedyConfig(observer=log))
    return log.tried


class Convert(ConversionPattern[UseOp]):
    def match_and_rewrite(self, op: UseOp, adaptor: Any, rewriter: ConversionRewriter) -> NoMatch | None:
        rewriter.replace(
            op, rewriter.insert(Operation.from_parts(NewOp.op_kind, adaptor.operands, op.result_types))
        )
        return None


def test_a_mutable_list_is_populated_then_frozen_into_an_immutable_table() -> None:
    context = toy_context()
    patterns = RewritePatternSet(context).populate(
        lambda s: s.add(looking("a")), lambda s: s.add(looking("b"))
    )
    table = FrozenRewritePatternSet(patterns)
    patterns.add(looking("late"))
    assert [p.debug_name for p in patterns] == ["a", "b", "late"]
    assert [p.debug_name for p in table] == ["a", "b"]


UNKNOWN_OPERATION = """pdl.pattern @drop : benefit(1) {
  %root = operation "nobody.knows"
  rewrite %root {
    erase %root
  }
}"""


def test_pdl_modules_are_compiled_when_the_set_is_frozen_and_not_before() -> None:
    context = toy_context()
    context.load(PDL)
    patterns = add_pdl(
        RewritePatternSet(context), parse_module(context, UNKNOWN_OPERATION, implicit_module=True)
    )
    assert len(patterns) == 0
    with pytest.raises(DiagnosticError) as caught:
        FrozenRewritePatternSet(patterns)
    message = caught.value.diagnostics[0].message
    assert message == "failed to lower PDL pattern module to the PDL Interpreter"


def test_the_frozen_set_is_sorted_by_benefit_descending_then_kind() -> None:
    any_op, weak, strong = looking("any", root=None), looking("weak"), looking("strong", benefit=5)
    table = FrozenRewritePatternSet(RewritePatternSet(toy_context(), [any_op, weak, strong]))
    assert [p.debug_name for p in table] == ["strong", "weak", "any"]


def test_look_up_is_keyed_by_the_identity_of_the_kind() -> None:
    table = FrozenRewritePatternSet(
        RewritePatternSet(toy_context(), [looking("use"), looking("add", root=AddOp)])
    )
    found = table.of_kind(UseOp.op_kind)
    assert list(table.by_kind) == [UseOp.op_kind]
    assert table.of_kind(UseOp.op_kind) is found


def test_the_greedy_driver_dispatches_the_highest_benefit_match_first() -> None:
    assert tried(toy_context(), looking("low"), looking("high", benefit=9)) == ["high", "low"]


def test_of_equal_benefit_the_first_in_registration_order_is_picked_without_a_warning() -> None:
    context = toy_context()
    with context.diagnostics.collect() as emitted:
        assert tried(context, looking("first"), looking("second")) == ["first", "second"]
    assert emitted == []


def test_the_driver_reruns_until_the_fixed_point() -> None:
    context = toy_context()
    module = read(context, f'{USE}\n{USE}\n%0 = "old.use"() : () -> i32\n"old.use"(%0) : (i32) -> ()')

    @pattern(UseOp)
    def drop_last(op: Any, rewriter: Rewriter) -> NoMatch | None:
        if op.next is not None or op.has_uses:
            return rewriter.no_match("is not the last, or is used")
        rewriter.erase(op)
        return None

    result = apply_patterns_greedily(module, RewritePatternSet(context, [drop_last]))
    assert result.converged
    assert len(list(module.walk())) == 1


def test_exceeding_the_cap_emits_a_remark_rather_than_aborting() -> None:
    context = toy_context()

    @pattern(UseOp)
    def toggle(op: Any, rewriter: Rewriter) -> NoMatch | None:
        rewriter.insert(Operation.from_parts(UseOp.op_kind))
        rewriter.erase(op)
        return None

    module = read(context, USE)
    with context.diagnostics.collect() as emitted:
        result = apply_patterns_greedily(
            module, RewritePatternSet(context, [toggle]), config=GreedyConfig(max_rewrites=20)
        )
    assert not result.converged
    assert [(d.severity.name, d.message) for d in emitted] == [("REMARK", "fixed-point not reached")]
    assert GreedyConfig().max_iterations == 10


@pytest.mark.parametrize("apply", [apply_partial_conversion, apply_full_conversion])
def test_conversion_drivers_work_from_the_same_frozen_set(apply: Any) -> None:
    context = toy_context()
    table = FrozenRewritePatternSet(RewritePatternSet(context, [Convert()]))
    target = ConversionTarget().add_legal_dialect("new", "builtin").add_illegal_dialect("old")
    for _ in range(2):
        module = read(context, USE)
        assert apply(module, target, table)
        assert [op.name for op in module.walk()] == ["builtin.module", "new.op"]


def test_a_failed_conversion_walks_back_every_partial_change() -> None:
    context = toy_context()
    converter = widening(context)
    module = read(context, f'{USE}\n%0 = "old.use"() : () -> i32\n"middle.op"(%0) : (i32) -> ()')
    before = text_of(module)
    target = ConversionTarget().add_legal_dialect("new", "builtin").add_illegal_dialect("old", "middle")
    with context.diagnostics.collect():
        assert not apply_partial_conversion(module, target, RewritePatternSet(context, [Convert(converter)]))
    assert text_of(module) == before


def test_tear_down_frees_the_table_then_the_patterns_in_order() -> None:
    log: list[str] = []

    class Closing(RewritePattern[UseOp]):
        def match(self, op: UseOp) -> NoMatch | None:
            return NoMatch("never")

        def close(self) -> None:
            log.append(f"{self.debug_name} after {len(table.by_kind)} entries")

    patterns = RewritePatternSet(toy_context(), [Closing(debug_name="a"), Closing(debug_name="b")])
    table = FrozenRewritePatternSet(patterns)
    table.of_kind(UseOp.op_kind)
    table.tear_down()
    assert log == ["a after 0 entries", "b after 0 entries"]


def test_the_benefit_is_a_plain_field() -> None:
    assert vars(looking("a", benefit=3))["benefit"] == 3


def test_a_pattern_may_pay_for_an_expensive_test_once() -> None:
    """Most patterns join match and rewrite; one that separates them is asked once and then only rewrites."""
    calls: list[str] = []

    class Separate(RewritePattern[UseOp]):
        def match(self, op: UseOp) -> NoMatch | None:
            calls.append("match")
            return None

        def rewrite(self, op: UseOp, rewriter: Rewriter) -> None:
            calls.append("rewrite")
            rewriter.erase(op)

    context = toy_context()
    apply_patterns_greedily(read(context, USE), RewritePatternSet(context, [Separate()]))
    assert calls == ["match", "rewrite"]


def test_a_pattern_that_lists_nothing_has_no_further_dependence() -> None:
    context = toy_context()
    module = read(context, USE)
    target = ConversionTarget().add_legal_dialect("new", "builtin").add_illegal_dialect("old")
    assert Convert.generated_ops == ()
    assert apply_partial_conversion(module, target, RewritePatternSet(context, [Convert()]))


class Nesting(RewritePattern[UseOp]):
    """Makes an operation that holds another one, which the rewriter is not told about."""

    def match_and_rewrite(self, op: UseOp, rewriter: Rewriter) -> NoMatch | None:
        block = Block()
        block.append(Operation.from_parts(MiddleOp.op_kind))
        rewriter.replace(
            op, rewriter.insert(Operation.from_parts(MiddleOp.op_kind, regions=[Region([block])]))
        )
        return None


@pytest.mark.parametrize("strictness", Strictness)
@pytest.mark.parametrize("listed", [True, False])
def test_operations_that_a_pattern_lists_seed_the_worklist(listed: bool, strictness: Strictness) -> None:
    """The page about patterns lets the list seed a worklist, and an empty one have no further dependence.

    MLIR's drivers do not read the list there: they see each operation that is inserted, nested ones included. The choice
    in the greedy driver: what is inserted is seen at once, nested operations if the pattern lists them, and others when
    the worklist is filled again. Conversions legalize all of them, listed or not.
    """
    seen: list[Operation] = []

    @pattern(MiddleOp)
    def look(op: Any, rewriter: Rewriter) -> NoMatch | None:
        seen.append(op)
        return rewriter.no_match("only looking")

    context = toy_context()
    module = read(context, USE)
    (use,) = [op for op in module.walk() if op.name == "old.use"]
    nesting = Nesting(generated_ops=("middle.op",) if listed else ())
    patterns = RewritePatternSet(context, [nesting, look])
    config = GreedyConfig(strictness=strictness)
    assert apply_patterns_greedily([use], patterns, config=config).converged
    outer, inner = [op for op in module.walk() if op.name == "middle.op"]
    if strictness is Strictness.EXISTING:
        assert seen == []
    else:
        assert set(seen) == ({outer, inner} if listed else {outer})
