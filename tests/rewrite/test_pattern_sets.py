"""Patterns and sets of them: roots, order, look-up, immutability, tear-down."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from tests.rewrite.toy import AddOp, ConstantOp, Countable, UseOp, read, toy_context
from tilewright.ir.declaration.traits import Commutative, Pure
from tilewright.ir.operation import Operation
from tilewright.rewrite.conversion.pattern import ClosurePattern, ConversionPattern
from tilewright.rewrite.conversion.type_converter import TypeConverter
from tilewright.rewrite.pattern import NoMatch, PatternRole, PatternRootKind, RewritePattern, pattern
from tilewright.rewrite.pattern_set import FrozenRewritePatternSet, RewritePatternSet


class Nothing(RewritePattern[Operation]):
    def match(self, op: Operation) -> NoMatch | None:
        return NoMatch("never")


def named(name: str, **named: Any) -> Nothing:
    return Nothing(debug_name=name, **named)


def order(*patterns: Any, kind: Any = AddOp) -> list[str]:
    table = FrozenRewritePatternSet(RewritePatternSet(toy_context(), patterns))
    return [p.debug_name for p in table.of_kind(kind.op_kind)]


def test_the_root_is_the_type_argument() -> None:
    class Fuse(RewritePattern[AddOp], benefit=7):
        pass

    assert (Fuse.root, Fuse().benefit, Fuse().kind) == (AddOp, 7, PatternRootKind.OPERATION)
    assert (Nothing().root, Nothing().kind) == (None, PatternRootKind.ANY)


def test_what_a_pattern_may_be_rooted_at() -> None:
    kinds = [Nothing(root=root).kind for root in ("old.add", AddOp, Countable, Pure, None)]
    assert kinds == [
        PatternRootKind.OPERATION,
        PatternRootKind.OPERATION,
        PatternRootKind.INTERFACE,
        PatternRootKind.TRAIT,
        PatternRootKind.ANY,
    ]


def test_the_four_roles() -> None:
    converter = TypeConverter()
    found = [
        Nothing().role,
        ConversionPattern[AddOp]().role,
        ConversionPattern[AddOp](converter).role,
        ClosurePattern[AddOp](lambda number: True, converter).role,
    ]
    assert found == [
        PatternRole.REWRITE,
        PatternRole.CONVERSION,
        PatternRole.TYPE_CONVERSION,
        PatternRole.CLOSURE,
    ]


def test_type_names_close_with_a_bracket() -> None:
    assert Nothing().type_name.endswith("::Nothing]")


def test_benefits_are_16_bits_wide() -> None:
    with pytest.raises(ValueError, match=r"0\.\.65535"):
        Nothing(benefit=65536)


def test_benefit_comes_before_kind_and_kind_before_registration() -> None:
    patterns = [
        named("any", root=None),
        named("trait", root=Commutative),
        named("late", root=AddOp),
        named("strong", root=None, benefit=2),
        named("first", root="old.add"),
    ]
    assert order(*patterns) == ["strong", "late", "first", "trait", "any"]


def test_of_equal_benefit_the_first_registered_is_tried_first() -> None:
    assert order(named("a", root=AddOp), named("b", root=AddOp)) == ["a", "b"]


def test_an_operation_sees_only_its_patterns() -> None:
    patterns = [named("add", root=AddOp), named("use", root=UseOp), named("pure", root=Pure)]
    assert order(*patterns) == ["add", "pure"]
    assert order(*patterns, kind=UseOp) == ["use"]


def test_ties_are_found() -> None:
    same = [named("a", root=AddOp), named("b", root=AddOp), named("c", root=AddOp, benefit=3)]
    table = FrozenRewritePatternSet(RewritePatternSet(toy_context(), same))
    assert [[p.debug_name for p in group] for group in table.ties()] == [["a", "b"]]


def test_patterns_may_be_disabled_by_name_or_label() -> None:
    labelled = named("b", root=AddOp)
    labelled.labels = ("slow",)
    patterns = RewritePatternSet(toy_context(), [named("a", root=AddOp), labelled])
    assert [p.debug_name for p in FrozenRewritePatternSet(patterns, disabled=["slow"])] == ["a"]
    assert [p.debug_name for p in FrozenRewritePatternSet(patterns, enabled=["slow"])] == ["b"]


def test_a_frozen_set_does_not_change() -> None:
    table = FrozenRewritePatternSet(RewritePatternSet(toy_context()))
    with pytest.raises(AttributeError, match="does not change"):
        table.patterns = ()


def test_a_frozen_set_is_shared_by_threads() -> None:
    table = FrozenRewritePatternSet(RewritePatternSet(toy_context(), [named("a", root=AddOp)]))
    found: list[Any] = []
    threads = [threading.Thread(target=lambda: found.append(table.of_kind(AddOp.op_kind))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    assert len({tuple(map(id, patterns)) for patterns in found}) == 1


def test_tear_down_forgets_the_table_and_closes_patterns_in_order() -> None:
    closed: list[str] = []

    class Closing(Nothing):
        def close(self) -> None:
            closed.append(self.debug_name)

    patterns = [Closing(debug_name="weak"), Closing(debug_name="strong", benefit=2)]
    table = FrozenRewritePatternSet(RewritePatternSet(toy_context(), patterns))
    table.of_kind(AddOp.op_kind)
    table.tear_down()
    table.tear_down()
    assert closed == ["strong", "weak"]
    assert table.by_kind == {}


def test_tear_down_frees_the_closure() -> None:
    closure = ClosurePattern[AddOp](lambda number: True)
    FrozenRewritePatternSet(RewritePatternSet(toy_context(), [closure])).tear_down()
    assert closure.predicate is None


def test_functions_are_patterns() -> None:
    @pattern(ConstantOp, benefit=3)
    def drop(op: Any, rewriter: Any) -> NoMatch | None:
        return rewriter.no_match("the value is {}", op.value)

    assert (drop.debug_name, drop.benefit, drop.root) == ("drop", 3, ConstantOp)


def test_a_refusal_is_worded_when_it_is_read() -> None:
    assert NoMatch("width {} is not {}", (8, 16)).reason == "width 8 is not 16"
    assert NoMatch("braces {} stay").reason == "braces {} stay"


def test_look_up_does_not_depend_on_the_number_of_patterns() -> None:
    """What is tried on an operation is the same few patterns, however many others there are."""
    others = [named(f"other{number}", root=f"other.op{number}") for number in range(947)]
    assert order(*others, named("mine", root=AddOp)) == ["mine"]
    module = read(toy_context(), '"old.use"() : () -> ()')
    assert module.name == "builtin.module"
