"""Dialect conversion: targets, modes, operands, bridges, 1:N, signatures, failure."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.rewrite.toy import (
    AddOp,
    BranchOp,
    ConstantOp,
    LoopOp,
    MiddleOp,
    NewConstantOp,
    NewOp,
    UseOp,
    operand_values,
    read,
    text_of,
    toy_context,
    widening,
)
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import i1, i32, i64
from tilewright.ir.context import Context
from tilewright.ir.diagnostic import Diagnostic, DiagnosticError
from tilewright.ir.operation import Operation
from tilewright.rewrite.conversion.bridges import require_no_casts
from tilewright.rewrite.conversion.driver import (
    ConversionConfig,
    ConversionResult,
    FoldingMode,
    apply_analysis_conversion,
    apply_full_conversion,
    apply_partial_conversion,
)
from tilewright.rewrite.conversion.pattern import ClosurePattern, ConversionPattern
from tilewright.rewrite.conversion.rewriter import ConversionRewriter
from tilewright.rewrite.conversion.target import ConversionTarget, Legality
from tilewright.rewrite.conversion.type_converter import TypeConverter, claim, one_converter
from tilewright.rewrite.observer import StatisticsObserver
from tilewright.rewrite.pattern import NoMatch, pattern
from tilewright.rewrite.pattern_set import RewritePatternSet


def new_only() -> ConversionTarget:
    return ConversionTarget().add_legal_dialect("new", "builtin", "keep").add_illegal_dialect("old", "middle")


class ToNew(ConversionPattern[Operation]):
    """Anything old becomes ``new.op`` with converted results."""

    def match_and_rewrite(self, op: Operation, adaptor: Any, rewriter: ConversionRewriter) -> NoMatch | None:
        types = self.type_converter.convert_types(op.result_types) if self.type_converter else op.result_types
        if types is None:
            return rewriter.no_match("a result type cannot be converted")
        made = Operation.from_parts(NewOp.op_kind, operand_values(adaptor.operands), types)
        rewriter.replace(op, rewriter.insert(made))
        return None


def old_to_new(context: Context, converter: TypeConverter | None) -> RewritePatternSet:
    roots = (AddOp, UseOp, ConstantOp, BranchOp)
    return RewritePatternSet(context, [ToNew(converter, root=root) for root in roots])


def convert(
    context: Context,
    text: str,
    patterns: RewritePatternSet,
    target: ConversionTarget | None = None,
    **named: Any,
) -> tuple[Operation, ConversionResult, list[Diagnostic]]:
    module = read(context, text)
    with context.diagnostics.collect() as emitted:
        result = apply_partial_conversion(module, target or new_only(), patterns, ConversionConfig(**named))
    return module, result, emitted


def body(module: Operation) -> list[str]:
    return [line.strip() for line in text_of(module).splitlines()[1:-1]]


# --- targets


def test_an_operation_comes_before_its_dialect() -> None:
    target = ConversionTarget().add_illegal_dialect("old").add_legal("old.add")
    module = read(toy_context(), '%0 = "old.use"() : () -> i32\n%1 = "old.add"(%0, %0) : (i32, i32) -> i32')
    use, add = list(module.walk())[1:]
    assert (target.legality(use), target.legality(add)) == (Legality.ILLEGAL, Legality.LEGAL)
    assert target.legality(module) is Legality.UNKNOWN


def test_dynamic_legality_may_pass_the_question_on() -> None:
    target = ConversionTarget().add_legal_dialect("old")
    target.add_dynamically_legal(lambda op: None if op.operands else False, "old.use")
    module = read(toy_context(), '%0 = "old.use"() : () -> i32\n"old.use"(%0) : (i32) -> ()')
    first, second = list(module.walk())[1:]
    assert [target.is_legal(first), target.is_legal(second)] == [False, True]


def test_unknown_operations_may_be_decided_by_a_predicate() -> None:
    target = ConversionTarget().mark_unknown_dynamically_legal(lambda op: bool(op.results))
    module = read(toy_context(), '%0 = "old.use"() : () -> i32')
    assert [target.legality(op) for op in module.walk()] == [Legality.ILLEGAL, Legality.LEGAL]


def test_recursively_legal_operations_are_not_looked_into() -> None:
    context = toy_context()
    target = new_only().add_legal("old.loop").mark_recursively_legal("old.loop")
    text = '"old.loop"() ({\n"old.use"() : () -> ()\n}) : () -> ()\n"old.use"() : () -> ()'
    module, result, _ = convert(context, text, old_to_new(context, None), target)
    assert result
    assert [op.name for op in module.walk()] == ["builtin.module", "old.loop", "old.use", "new.op"]


# --- the drivers


def test_everything_old_becomes_new() -> None:
    context = toy_context()
    text = '%0 = "old.use"() : () -> i32\n%1 = "old.add"(%0, %0) : (i32, i32) -> i32\n"old.use"(%1) : (i32) -> ()'
    module, result, _ = convert(context, text, old_to_new(context, widening(context)))
    assert result.succeeded
    assert body(module) == [
        '%0 = "new.op"() : () -> i64',
        '%1 = "new.op"(%0, %0) : (i64, i64) -> i64',
        '"new.op"(%1) : (i64) -> ()',
    ]


def test_partial_conversion_leaves_what_is_unknown() -> None:
    context = toy_context()
    target = ConversionTarget().add_illegal("old.use").add_legal_dialect("new")
    text = '%0 = "old.use"() : () -> i32\n%1 = "old.add"(%0, %0) : (i32, i32) -> i32'
    patterns = RewritePatternSet(context, [ToNew(root=UseOp)])
    module, result, _ = convert(context, text, patterns, target, folding=FoldingMode.NEVER)
    assert result
    assert [op.name for op in result.unlegalized] == ["builtin.module", "old.add"]
    assert body(module) == ['%0 = "new.op"() : () -> i32', '%1 = "old.add"(%0, %0) : (i32, i32) -> i32']


def test_full_conversion_refuses_what_is_unknown() -> None:
    context = toy_context()
    module = read(context, '"old.use"() : () -> ()')
    before = text_of(module)
    with context.diagnostics.collect() as emitted:
        target = ConversionTarget().add_legal("builtin.module")
        result = apply_full_conversion(module, target, RewritePatternSet(context))
    assert not result
    assert text_of(module) == before
    assert [d.message for d in emitted] == ["failed to legalize operation 'old.use'"]


def test_failure_names_the_operation_and_every_refusal() -> None:
    context = toy_context()

    class Picky(ConversionPattern[UseOp]):
        def match(self, op: UseOp) -> NoMatch | None:
            return NoMatch("it has {} operands", (len(op.operands),))

    _, result, emitted = convert(context, '"old.use"() : () -> ()', RewritePatternSet(context, [Picky()]))
    assert not result
    assert emitted[0].message == "failed to legalize operation 'old.use' that was explicitly marked illegal"
    assert [note.message for note in emitted[0].notes] == ["pattern 'Picky' declined: it has 0 operands"]
    assert str(emitted[0].code) == "TW0702"


def test_the_message_of_the_pass_comes_first() -> None:
    context = toy_context()
    _, _, emitted = convert(
        context, '"old.use"() : () -> ()', RewritePatternSet(context), failure_message="expect lower UseOp"
    )
    assert next(d.message for d in emitted) == "expect lower UseOp"


def test_analysis_changes_nothing_and_tells_what_could_be_converted() -> None:
    context = toy_context()
    text = '%0 = "old.use"() : () -> i32\n"middle.op"(%0) : (i32) -> ()'
    module = read(context, text)
    before = text_of(module)
    result = apply_analysis_conversion(module, new_only(), old_to_new(context, widening(context)))
    assert text_of(module) == before
    assert [op.name for op in result.legalizable] == ["builtin.module", "old.use"]


def test_what_a_pattern_makes_is_legalized_in_turn() -> None:
    context = toy_context()

    class ToMiddle(ConversionPattern[UseOp]):
        generated_ops = ("middle.op",)

        def match_and_rewrite(self, op: UseOp, adaptor: Any, rewriter: ConversionRewriter) -> NoMatch | None:
            rewriter.replace(
                op, rewriter.insert(Operation.from_parts(MiddleOp.op_kind, adaptor.operands, op.result_types))
            )
            return None

    patterns = RewritePatternSet(context, [ToMiddle(), ToNew(root=MiddleOp)])
    module, result, _ = convert(context, '"old.use"() : () -> ()', patterns)
    assert result
    assert body(module) == ['"new.op"() : () -> ()']
    statistics = StatisticsObserver()
    hopeless = RewritePatternSet(context, [ToMiddle()])
    _, result, emitted = convert(context, '"old.use"() : () -> ()', hopeless, observer=statistics)
    assert not result
    assert "generates 'middle.op', which is illegal" in emitted[0].notes[0].message
    assert statistics.patterns == {}, "a pattern that cannot lead to legal operations is not even tried"


def test_a_pattern_whose_product_cannot_be_legalized_is_undone_and_the_next_is_tried() -> None:
    context = toy_context()

    class Tempting(ConversionPattern[UseOp], benefit=10):
        def match_and_rewrite(self, op: UseOp, adaptor: Any, rewriter: ConversionRewriter) -> NoMatch | None:
            rewriter.insert(Operation.from_parts(MiddleOp.op_kind))
            rewriter.erase(op)
            return None

    patterns = RewritePatternSet(context, [Tempting(), ToNew(root=UseOp)])
    module, result, _ = convert(context, '"old.use"() : () -> ()', patterns)
    assert result
    assert body(module) == ['"new.op"() : () -> ()']


def test_a_pattern_is_not_applied_to_what_it_made() -> None:
    context = toy_context()

    class Again(ConversionPattern[UseOp]):
        def match_and_rewrite(self, op: UseOp, adaptor: Any, rewriter: ConversionRewriter) -> NoMatch | None:
            rewriter.replace(
                op, rewriter.insert(Operation.from_parts(UseOp.op_kind, op.operands, op.result_types))
            )
            return None

    _, result, emitted = convert(context, '"old.use"() : () -> ()', RewritePatternSet(context, [Again()]))
    assert not result
    assert (
        emitted[0].notes[0].message
        == "pattern 'Again' declined: failed to legalize generated operation 'old.use'"
    )


def test_changing_in_place_counts_when_the_operation_is_legal_then() -> None:
    context = toy_context()
    target = new_only().add_dynamically_legal(lambda op: op.results[0].type is i64, UseOp)

    class Retype(ConversionPattern[UseOp]):
        def match_and_rewrite(self, op: UseOp, adaptor: Any, rewriter: ConversionRewriter) -> NoMatch | None:
            rewriter.set_result_types(op, [i64])
            return None

    module, result, _ = convert(
        context, '%0 = "old.use"() : () -> i32', RewritePatternSet(context, [Retype()]), target
    )
    assert result
    assert body(module) == ['%0 = "old.use"() : () -> i64']


def test_illegal_operations_are_folded_first() -> None:
    context = toy_context()
    target = new_only().add_legal(ConstantOp)
    text = (
        '%0 = "old.constant"() <{value = 2 : i32}> : () -> i32\n%1 = "old.add"(%0, %0) : (i32, i32) -> i32\n'
        '"keep.use"(%1) : (i32) -> ()'
    )
    module, result, _ = convert(context, text, RewritePatternSet(context), target)
    assert result
    assert "value = 4 : i32" in text_of(module)
    assert "old.add" not in text_of(module)


# --- types and bridges


def test_operands_come_in_converted_types() -> None:
    context = toy_context()
    text = '%0 = "keep.use"() : () -> i32\n"old.use"(%0) : (i32) -> ()'
    module, result, _ = convert(context, text, old_to_new(context, widening(context)))
    assert result
    assert body(module) == [
        '%0 = "keep.use"() : () -> i32',
        '%1 = "builtin.unrealized_conversion_cast"(%0) : (i32) -> i64',
        '"new.op"(%1) : (i64) -> ()',
    ]


def test_users_that_stay_get_the_old_type_back() -> None:
    context = toy_context()
    text = '%0 = "old.use"() : () -> i32\n"keep.use"(%0) : (i32) -> ()'
    module, result, _ = convert(context, text, old_to_new(context, widening(context)))
    assert result
    assert body(module) == [
        '%0 = "new.op"() : () -> i64',
        '%1 = "builtin.unrealized_conversion_cast"(%0) : (i64) -> i32',
        '"keep.use"(%1) : (i32) -> ()',
    ]


@pytest.mark.parametrize(
    "text",
    [
        '%0 = "keep.use"() : () -> i32\n"old.use"(%0) : (i32) -> ()',
        '%0 = "old.use"() : () -> i32\n"keep.use"(%0) : (i32) -> ()',
    ],
)
def test_a_bridge_that_nobody_can_build_fails_the_conversion_and_changes_nothing(text: str) -> None:
    context = toy_context()
    before = text_of(read(context, text))
    module, result, emitted = convert(context, text, old_to_new(context, widening(context, bridges=False)))
    assert not result
    assert text_of(module) == before
    assert emitted[0].message.startswith("failed to legalize unresolved materialization from (")


def test_a_bridge_left_at_the_end_fails_the_module() -> None:
    context = toy_context()
    text = '%0 = "keep.use"() : () -> i32\n"old.use"(%0) : (i32) -> ()'
    module, _, _ = convert(context, text, old_to_new(context, widening(context)))
    with pytest.raises(DiagnosticError) as caught:
        require_no_casts(module)
    assert str(caught.value.diagnostics[0].code) == "TW0703"


@pytest.mark.parametrize(
    ("companions", "left"),
    [
        ((), ["i32 to i64", "i16 to i1"]),
        (("old",), ["i16 to i1"]),
        (("middle",), ["i32 to i64"]),
        (("new",), ["i32 to i64", "i16 to i1"]),
        (("middle", "old"), []),
    ],
)
def test_bridges_at_companions_alone_may_stay(companions: tuple[str, ...], left: list[str]) -> None:
    """The first bridge leads to an operation of `old`, the second from an operation of `middle`."""
    text = (
        '%0 = "keep.use"() : () -> i32\n%1 = "builtin.unrealized_conversion_cast"(%0) : (i32) -> i64\n'
        '"old.use"(%1) : (i64) -> ()\n%2 = "middle.op"() : () -> i16\n'
        '%3 = "builtin.unrealized_conversion_cast"(%2) : (i16) -> i1\n"keep.use"(%3) : (i1) -> ()'
    )
    module = read(toy_context(), text)
    found: list[str] = []
    try:
        require_no_casts(module, companions)
    except DiagnosticError as error:
        for one in error.diagnostics:
            words = re.search(r"from \((.*)\) to \((.*)\)", one.message)
            assert words is not None
            found.append(f"{words[1]} to {words[2]}")
    assert found == left


def test_bridges_there_and_back_are_reconciled() -> None:
    context = toy_context()
    text = (
        '%0 = "keep.use"() : () -> i32\n%1 = "builtin.unrealized_conversion_cast"(%0) : (i32) -> i64\n'
        '%2 = "builtin.unrealized_conversion_cast"(%1) : (i64) -> i32\n"keep.use"(%2) : (i32) -> ()'
    )
    module = read(context, text)
    require_no_casts(module)
    assert body(module) == ['%0 = "keep.use"() : () -> i32', '"keep.use"(%0) : (i32) -> ()']


def test_the_first_rule_that_knows_a_type_decides() -> None:
    converter = TypeConverter()
    converter.add_conversion(Type, lambda type: i1 if type is i32 else None)
    converter.add_conversion(Type, lambda type: i64)
    assert (converter.convert_type(i32), converter.convert_type(i1)) == (i1, i64)


def test_rules_for_values_see_the_value() -> None:
    context = toy_context()
    converter = TypeConverter()
    converter.add_conversion(
        Type, lambda value: i64 if value.owner.name == "keep.use" else None, of_values=True
    )
    converter.add_conversion(Type, lambda type: type)
    module = read(context, '%0 = "keep.use"() : () -> i32\n%1 = "old.use"() : () -> i32')
    kept, old = [op.results[0] for op in list(module.walk())[1:]]
    assert (converter.convert_value(kept), converter.convert_value(old)) == ((i64,), (i32,))


class Split(ToNew):
    one_to_n = True


def splitting(context: Context) -> TypeConverter:
    converter = widening(context)
    split = TypeConverter()
    split.add_conversion(Type, lambda type: (i32, i1) if type is i64 else type)
    for way in converter._source:  # pyright: ignore[reportPrivateUsage]
        split.add_source_materialization(way)
    return split


def test_one_value_may_become_several() -> None:
    context = toy_context()

    class Make(ConversionPattern[UseOp]):
        def match_and_rewrite(self, op: UseOp, adaptor: Any, rewriter: ConversionRewriter) -> NoMatch | None:
            if not op.results:
                return rewriter.no_match("makes nothing")
            made = rewriter.insert(Operation.from_parts(NewOp.op_kind, (), (i32, i1)))
            rewriter.replace(op, [made.results])
            return None

    converter = splitting(context)
    patterns = RewritePatternSet(context, [Make(converter), Split(converter, root=UseOp)])
    text = '%0 = "old.use"() : () -> i64\n"old.use"(%0) : (i64) -> ()\n"keep.use"(%0) : (i64) -> ()'
    module = read(context, text)
    assert apply_partial_conversion(module, new_only(), patterns)
    assert body(module) == [
        '%0:2 = "new.op"() : () -> (i32, i1)',
        '%1 = "builtin.unrealized_conversion_cast"(%0#0, %0#1) : (i32, i1) -> i64',
        '"new.op"(%0#0, %0#1) : (i32, i1) -> ()',
        '"keep.use"(%1) : (i64) -> ()',
    ]


def test_two_converters_in_one_conversion_are_an_error() -> None:
    context = toy_context()
    patterns = RewritePatternSet(
        context, [ToNew(widening(context), root=UseOp), ToNew(widening(context), root=AddOp)]
    )
    with pytest.raises(DiagnosticError, match="2 type converters in one conversion") as caught:
        convert(context, "", patterns)
    assert str(caught.value.diagnostics[0].code) == "TW0706"


def test_two_converters_in_one_pass_are_an_error() -> None:
    with one_converter():
        claim(TypeConverter())
        with pytest.raises(DiagnosticError, match="2 type converters"):
            claim(TypeConverter())
    claim(TypeConverter())  # outside of passes nothing is counted


# --- regions


class ConvertLoop(ConversionPattern[LoopOp]):
    """Converts block arguments and the branches between the blocks in one step."""

    def match_and_rewrite(self, op: LoopOp, adaptor: Any, rewriter: ConversionRewriter) -> NoMatch | None:
        assert self.type_converter is not None
        if not rewriter.convert_region_types(op.body, self.type_converter):
            return rewriter.no_match("a block argument cannot be converted")
        rewriter.set_operands(op, adaptor.operands)
        return None


LOOP = """%0 = "old.use"() : () -> i32
"old.loop"(%0) ({
^bb0(%a: i32):
  "old.branch"(%a)[^bb1] : (i32) -> ()
^bb1(%b: i32):
  "old.use"(%b) : (i32) -> ()
}) : (i32) -> ()"""


class ConvertBranch(ConversionPattern[BranchOp]):
    def match_and_rewrite(self, op: BranchOp, adaptor: Any, rewriter: ConversionRewriter) -> NoMatch | None:
        rewriter.set_operands(op, adaptor.operands)
        return None


def loop_conversion(context: Context) -> tuple[RewritePatternSet, ConversionTarget]:
    converter = widening(context)
    target = new_only().add_dynamically_legal(
        lambda op: all(a.type is i64 for block in op.regions[0].blocks for a in block.arguments), LoopOp
    )
    target.add_dynamically_legal(converter.is_legal, BranchOp)
    patterns = RewritePatternSet(
        context, [ConvertLoop(converter), ConvertBranch(converter), ToNew(converter, root=UseOp)]
    )
    return patterns, target


def test_block_arguments_are_converted_with_the_branches() -> None:
    context = toy_context()
    patterns, target = loop_conversion(context)
    module, result, _ = convert(context, LOOP, patterns, target)
    assert result
    assert body(module) == [
        '%0 = "new.op"() : () -> i64',
        '"old.loop"(%0) ({',
        "^bb0(%arg0: i64):",
        '"old.branch"(%arg0)[^bb1] : (i64) -> ()',
        "^bb1(%1: i64):  // pred: ^bb0",
        '"new.op"(%1) : (i64) -> ()',
        "}) : (i64) -> ()",
    ]


def test_block_arguments_come_back_when_the_conversion_fails() -> None:
    context = toy_context()
    patterns, target = loop_conversion(context)
    text = LOOP + '\n"middle.op"() : () -> ()'
    before = text_of(read(context, text))
    module, result, _ = convert(context, text, patterns, target)
    assert not result
    assert text_of(module) == before


# --- closures


class Wide(ClosurePattern[ConstantOp]):
    """Converts constants whose value the predicate likes."""

    def subject(self, op: ConstantOp) -> int | None:
        return op.value

    def rewrite(self, op: ConstantOp, adaptor: Any, rewriter: ConversionRewriter) -> None:
        attributes = dict(op.held_attributes)
        rewriter.replace(
            op, rewriter.insert(Operation.from_parts(NewConstantOp.op_kind, (), op.result_types, attributes))
        )


@pytest.mark.parametrize(("value", "converted"), [(8, True), (7, False)])
def test_the_predicate_is_asked_in_match(value: int, converted: bool) -> None:
    asked: list[int] = []

    def is_even(number: int) -> bool:
        asked.append(number)
        return number % 2 == 0

    context = toy_context()
    text = f'%0 = "old.constant"() <{{value = {value} : i32}}> : () -> i32'
    closure = Wide(is_even)
    _, result, _ = convert(context, text, RewritePatternSet(context, [closure]))
    assert asked == [value]
    assert result.succeeded is converted


# --- plain patterns take part


def test_plain_patterns_take_part_in_conversions() -> None:
    context = toy_context()

    @pattern(UseOp)
    def erase(op: Any, rewriter: Any) -> NoMatch | None:
        if op.results:
            return rewriter.no_match("makes something")
        rewriter.erase(op)
        return None

    module, result, _ = convert(context, '"old.use"() : () -> ()', RewritePatternSet(context, [erase]))
    assert result
    assert [op.name for op in module.walk()] == ["builtin.module"]


def test_a_kept_user_of_an_erased_value_is_found_before_anything_is_final() -> None:
    context = toy_context()

    class Erase(ConversionPattern[UseOp]):
        def match_and_rewrite(self, op: UseOp, adaptor: Any, rewriter: ConversionRewriter) -> NoMatch | None:
            rewriter.erase(op)
            return None

    text = '%0 = "old.use"() : () -> i32\n"keep.use"(%0) : (i32) -> ()'
    before = text_of(read(context, text))
    module, result, emitted = convert(context, text, RewritePatternSet(context, [Erase()]))
    assert not result
    assert text_of(module) == before
    assert "materialization from () to (i32)" in emitted[0].message
