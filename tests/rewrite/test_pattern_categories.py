"""The four categories of patterns of a lowering stage, and the bridges between them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rewrite.test_conversion import ToNew, body, convert, new_only
from tests.rewrite.toy import (
    AddOp,
    ConstantOp,
    MiddleOp,
    NewOp,
    UseOp,
    operand_values,
    read,
    text_of,
    toy_context,
    widening,
)
from tilewright.ir.builtin_types import NoneType, i32, i64
from tilewright.ir.context import Context
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ir.operation import Operation
from tilewright.rewrite.conversion.bridges import CAST, reconcile_casts, require_no_casts
from tilewright.rewrite.conversion.driver import apply_partial_conversion
from tilewright.rewrite.conversion.pattern import ConversionPattern
from tilewright.rewrite.conversion.rewriter import ConversionRewriter
from tilewright.rewrite.conversion.type_converter import REFUSED, TypeConverter
from tilewright.rewrite.greedy import apply_patterns_greedily
from tilewright.rewrite.observer import StatisticsObserver
from tilewright.rewrite.pattern import NoMatch, pattern
from tilewright.rewrite.pattern_set import RewritePatternSet
from tilewright.rewrite.rewriter import Rewriter


class Dedicated(ConversionPattern[AddOp], benefit=2):
    """Emits more than one operation."""

    def match_and_rewrite(self, op: AddOp, adaptor: Any, rewriter: ConversionRewriter) -> NoMatch | None:
        first = rewriter.insert(Operation.from_parts(NewOp.op_kind, adaptor.operands, [i64]))
        rewriter.replace(op, rewriter.insert(Operation.from_parts(NewOp.op_kind, first.results, [i64])))
        return None


class OneToN(ConversionPattern[UseOp]):
    """Takes operands that stand for several values each."""

    one_to_n = True

    def match_and_rewrite(self, op: UseOp, adaptor: Any, rewriter: ConversionRewriter) -> NoMatch | None:
        assert self.type_converter is not None
        types = self.type_converter.convert_types(op.result_types) or ()
        values = operand_values(adaptor.operands)
        rewriter.replace(op, rewriter.insert(Operation.from_parts(NewOp.op_kind, values, types)))
        return None


@pattern(MiddleOp)
def clean_up(op: Any, rewriter: Rewriter) -> NoMatch | None:
    """Runs after, or as a plain pattern in, a conversion."""
    rewriter.erase(op)
    return None


TEXT = """%0 = "old.constant"() <{value = 1 : i32}> : () -> i32
%1 = "old.use"(%0) : (i32) -> i32
%2 = "old.add"(%1, %0) : (i32, i32) -> i32
"middle.op"() : () -> ()
"old.use"(%2) : (i32) -> ()"""


def all_categories(context: Context) -> RewritePatternSet:
    converter = widening(context)
    return RewritePatternSet(
        context, [ToNew(converter, root=ConstantOp), Dedicated(converter), OneToN(converter), clean_up]
    )


def test_the_engine_treats_all_categories_identically() -> None:
    context = toy_context()
    statistics = StatisticsObserver()
    module, result, _ = convert(context, TEXT, all_categories(context), observer=statistics)
    assert result
    assert [op.name for op in module.walk()][1:] == ["new.op"] * 5
    assert {name: entry.matches for name, entry in statistics.patterns.items()} == {
        "ToNew": 1,
        "Dedicated": 1,
        "OneToN": 2,
        "clean_up": 1,
    }


def test_a_generic_pattern_is_the_fallback_that_specialists_pre_empt() -> None:
    context = toy_context()
    converter = widening(context)
    patterns = RewritePatternSet(context, [ToNew(converter, root=AddOp), Dedicated(converter)])
    patterns.add(ToNew(converter, root=UseOp))
    module, _, _ = convert(
        context, '%0 = "old.use"() : () -> i32\n%1 = "old.add"(%0, %0) : (i32, i32) -> i32', patterns
    )
    assert len(body(module)) == 3


def test_a_failed_type_conversion_is_a_refusal_and_not_a_partial_replacement() -> None:
    context = toy_context()
    text = '%0 = "keep.use"() : () -> none\n"old.use"(%0) : (none) -> ()'
    picky = TypeConverter()
    picky.add_conversion(NoneType, lambda type: REFUSED)
    module, result, emitted = convert(context, text, RewritePatternSet(context, [ToNew(picky, root=UseOp)]))
    assert not result
    assert body(module)[1].startswith('"old.use"')
    assert "type none of an operand cannot be converted" in emitted[0].notes[0].message


@pytest.mark.parametrize(
    ("text", "types"),
    [
        ('%0 = "keep.use"() : () -> i32\n"old.use"(%0) : (i32) -> ()', (i32, i64)),
        ('%0 = "old.use"() : () -> i32\n"keep.use"(%0) : (i32) -> ()', (i64, i32)),
    ],
    ids=["target", "source"],
)
def test_both_materializations_make_unrealized_casts(text: str, types: tuple[Any, Any]) -> None:
    context = toy_context()
    module, _, _ = convert(context, text, RewritePatternSet(context, [ToNew(widening(context), root=UseOp)]))
    (cast,) = [op for op in module.walk() if op.name == CAST]
    assert (cast.operands[0].type, cast.results[0].type) == types


def test_reconciliation_erases_the_casts_once_every_operation_has_converted() -> None:
    context = toy_context()
    text = '%0 = "old.use"() : () -> i32\n"middle.op"(%0) : (i32) -> ()'
    converter = widening(context)
    target = new_only().add_legal_dialect("middle")
    module, _, _ = convert(context, text, RewritePatternSet(context, [ToNew(converter, root=UseOp)]), target)
    assert any(op.name == CAST for op in module.walk())
    with context.diagnostics.collect():
        patterns = RewritePatternSet(context, [ToNew(widening(context), root=MiddleOp)])
        assert apply_partial_conversion(module, new_only(), patterns)
    assert reconcile_casts(module) == []
    assert [op.name for op in module.walk()][1:] == ["new.op", "new.op"]


def test_a_cast_that_survives_clean_up_fails_the_module() -> None:
    context = toy_context()
    module = read(
        context,
        '%0 = "keep.use"() : () -> i32\n%1 = "builtin.unrealized_conversion_cast"(%0) : (i32) -> i64\n'
        '"keep.use"(%1) : (i64) -> ()',
    )
    before = text_of(module)
    with pytest.raises(DiagnosticError, match="failed to legalize unresolved materialization from"):
        require_no_casts(module)
    assert text_of(module) == before


def test_clean_up_patterns_leave_operations_with_effects_alone() -> None:
    context = toy_context()
    text = '%0 = "old.use"() : () -> i32\n%1 = "old.add"(%0, %0) : (i32, i32) -> i32'
    module = read(context, text)
    apply_patterns_greedily(module, RewritePatternSet(context))
    assert [op.name for op in module.walk()][1:] == ["old.use"]
