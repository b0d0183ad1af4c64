"""Changes that few patterns make, and the ways back from them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.rewrite.test_conversion import ToNew, body, convert, new_only
from tests.rewrite.toy import (
    AddOp,
    BranchOp,
    ConstantOp,
    Countable,
    LoopOp,
    MiddleOp,
    NewOp,
    UseOp,
    fold_add,
    read,
    text_of,
    toy_context,
    widening,
)
from tilewright.dialects.arith.ops_integer import AddIOp
from tilewright.dialects.builtin.dialect import BUILTIN
from tilewright.dialects.memref.ops_buffer import AllocOp
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.block import Block, Region
from tilewright.ir.builtin_attributes import IntegerAttr, StringAttr
from tilewright.ir.builtin_types import DYNAMIC, MemRefType, f32, i1, i32, i64, index
from tilewright.ir.context import Context
from tilewright.ir.declaration.traits import Pure
from tilewright.ir.dialect import Dialect
from tilewright.ir.location import UNKNOWN
from tilewright.ir.operation import Operation
from tilewright.rewrite import folding, greedy
from tilewright.rewrite.conversion.pattern import ConversionPattern
from tilewright.rewrite.conversion.rewriter import ConversionRewriter
from tilewright.rewrite.conversion.target import Legality
from tilewright.rewrite.conversion.type_converter import REFUSED, TypeConverter
from tilewright.rewrite.greedy import GreedyConfig, apply_patterns_greedily
from tilewright.rewrite.observer import ObserverGroup, RewriteObserver
from tilewright.rewrite.pattern import NoMatch, RewritePattern, pattern
from tilewright.rewrite.pattern_set import RewritePatternSet
from tilewright.rewrite.rewriter import Rewriter, create_operation

Change = Callable[[Any, Any, ConversionRewriter], None]


def patterns_of(context: Context, root: Any, change: Change) -> RewritePatternSet:
    """A pattern for operations of a class, by a function that changes them."""

    class Changed(ConversionPattern[Operation]):
        def match_and_rewrite(
            self, op: Operation, adaptor: Any, rewriter: ConversionRewriter
        ) -> NoMatch | None:
            change(op, adaptor, rewriter)
            return None

    return RewritePatternSet(context, [Changed(root=root)])


# --- what has to be legalized


def test_operations_that_are_changed_on_the_way_have_to_become_legal() -> None:
    context = toy_context()

    def change(op: Operation, adaptor: Any, rewriter: ConversionRewriter) -> None:
        assert op.parent is not None
        (middle,) = [other for other in op.parent if other.name == "middle.op"]
        rewriter.set_attribute(middle, "seen", StringAttr("yes"))
        rewriter.replace(op, rewriter.insert(Operation.from_parts(NewOp.op_kind)))

    text = '"middle.op"() : () -> ()\n"old.use"() : () -> ()'
    before = text_of(read(context, text))
    target = new_only().add_dynamically_legal(lambda op: not op.held_attributes, MiddleOp)
    module, result, emitted = convert(context, text, patterns_of(context, UseOp, change), target)
    assert not result
    assert text_of(module) == before
    assert [note.message for note in emitted[0].notes] == [
        "pattern 'Changed' declined: 'middle.op', changed in place, cannot be legalized"
    ]


def with_inside(inside: str) -> Change:
    """Replace an operation by a loop with an operation in it."""

    def change(op: Operation, adaptor: Any, rewriter: ConversionRewriter) -> None:
        kind = {"middle.op": MiddleOp, "old.use": UseOp, "new.op": NewOp}[inside].op_kind
        block = Block()
        block.append(Operation.from_parts(kind))
        rewriter.insert(Operation.from_parts(LoopOp.op_kind, (), (), {}, [Region([block])]))
        rewriter.erase(op)

    return change


@pytest.mark.parametrize(
    ("inside", "refused"),
    [
        ("new.op", None),
        ("middle.op", "failed to legalize generated operation 'middle.op'"),
    ],
)
def test_operations_inside_of_new_ones_are_legalized(inside: str, refused: str | None) -> None:
    context = toy_context()
    target = new_only().add_legal(LoopOp)
    patterns = patterns_of(context, UseOp, with_inside(inside))
    module, result, emitted = convert(context, '"old.use"() : () -> ()', patterns, target)
    assert bool(result) == (refused is None)
    assert [op.name for op in module.walk()] == (
        ["builtin.module", "old.use"] if refused else ["builtin.module", "old.loop", inside]
    )
    if refused:
        assert [note.message for note in emitted[0].notes] == [f"pattern 'Changed' declined: {refused}"]


def test_operations_inside_of_new_ones_that_are_legal_with_all_in_them_stay() -> None:
    context = toy_context()
    target = new_only().add_legal(LoopOp).mark_recursively_legal(LoopOp)
    patterns = patterns_of(context, UseOp, with_inside("middle.op"))
    module, result, _ = convert(context, '"old.use"() : () -> ()', patterns, target)
    assert result
    assert [op.name for op in module.walk()] == ["builtin.module", "old.loop", "middle.op"]


@pytest.mark.parametrize("dynamic", [False, True])
def test_legality_of_all_inside_may_depend_on_the_operation(dynamic: bool) -> None:
    target = new_only()
    target = target.add_dynamically_legal(lambda op: True, LoopOp) if dynamic else target.add_legal(LoopOp)
    target.mark_recursively_legal(LoopOp, when=lambda op: "whole" in op.held_attributes)
    module = read(toy_context(), '"old.loop"() ({\n}) {whole} : () -> ()\n"old.loop"() ({\n}) : () -> ()')
    whole, other = list(module.walk())[1:]
    assert (target.legality(whole), target.legality(other)) == (Legality.RECURSIVELY_LEGAL, Legality.LEGAL)
    assert target.is_legal(whole)
    assert target.static_legality("old.loop") is (None if dynamic else Legality.LEGAL)
    target.mark_recursively_legal(LoopOp)
    assert target.legality(other) is Legality.RECURSIVELY_LEGAL


# --- values and their replacements


def test_replacements_are_followed_to_the_newest() -> None:
    context = toy_context()
    seen: list[str] = []

    def change(op: Any, adaptor: Any, rewriter: ConversionRewriter) -> None:
        (old,) = op.results
        made = [
            rewriter.insert(Operation.from_parts(NewOp.op_kind, (), (type,))).results[0]
            for type in (i64, i32, i64)
        ]
        for before, after in zip([old, *made], made, strict=False):
            rewriter.map_value(before, after)
        assert rewriter.lookup(old) is made[2]
        assert rewriter.lookup_typed(old, i64) is made[2]
        assert rewriter.lookup_typed(old, i32) is made[1]
        assert rewriter.lookup_typed(made[0], i32) is made[1]
        assert rewriter.lookup_typed(made[2], i32) is None
        assert rewriter.lookup_typed(old, f32) is None
        (last,) = rewriter.insert(Operation.from_parts(NewOp.op_kind, (), (i32,))).results
        rewriter.map_value(made[2], (last,))
        assert rewriter.lookup(old) is last
        assert rewriter.remapped(old) is last
        rewriter.map_value(last, ())
        with pytest.raises(ValueError, match="the value was converted to 0 values"):
            rewriter.remapped(old)
        del rewriter.mapping[last]
        rewriter.erase(op)
        seen.append(op.name)

    patterns = patterns_of(context, UseOp, change)
    _, result, _ = convert(context, '%0 = "old.use"() : () -> i32', patterns)
    assert result
    assert seen == ["old.use"]


def test_all_uses_of_a_value_become_those_of_another() -> None:
    context = toy_context()

    def change(op: Any, adaptor: Any, rewriter: ConversionRewriter) -> None:
        made = rewriter.insert(Operation.from_parts(NewOp.op_kind, (), op.result_types))
        rewriter.replace_all_uses(op.results[0], made.results[0])
        rewriter.erase(op)

    text = '%0 = "old.use"() : () -> i32\n"keep.use"(%0, %0) : (i32, i32) -> ()'
    module, result, _ = convert(context, text, patterns_of(context, UseOp, change))
    assert result
    assert body(module) == ['%0 = "new.op"() : () -> i32', '"keep.use"(%0, %0) : (i32, i32) -> ()']


# --- blocks, attributes and successors, there and back

TWO = """"old.loop"() ({
^bb0(%a: i32):
  "old.branch"(%a)[^bb1] {wanted = "no"} : (i32) -> ()
^bb1(%b: i32):
  "keep.use"(%b) : (i32) -> ()
  "keep.use"() : () -> ()
}) : () -> ()"""


def cut(op: Any, adaptor: Any, rewriter: ConversionRewriter) -> None:
    """Take a branch's attribute and its target."""
    (target,) = op.successors
    with rewriter.modify(op):
        op.set_successors([])
    rewriter.set_attribute(op, "wanted", None)
    rewriter.set_attribute(op, "cut", StringAttr("yes"))
    rewriter.set_operands(op, [])
    first, last = target.ops
    rewriter.move_before(last, first)
    rewriter.erase_block(target)


@pytest.mark.parametrize("impossible", [False, True])
def test_blocks_attributes_and_targets_come_back(impossible: bool) -> None:
    context = toy_context()
    target = new_only().add_legal(LoopOp)
    target.add_dynamically_legal(lambda op: "cut" in op.held_attributes and not op.successors, BranchOp)
    text = TWO + ('\n"middle.op"() : () -> ()' if impossible else "")
    before = text_of(read(context, text))
    module, result, _ = convert(context, text, patterns_of(context, BranchOp, cut), target)
    assert bool(result) != impossible
    if impossible:
        assert text_of(module) == before
    else:
        assert body(module) == [
            '"old.loop"() ({',
            "^bb0(%arg0: i32):",
            '"old.branch"() {cut = "yes"} : () -> ()',
            "}) : () -> ()",
        ]


@pytest.mark.parametrize("known", [True, False])
def test_the_entry_of_a_region_may_get_arguments_of_its_own(known: bool) -> None:
    """Nothing changes if an argument of another block has no type."""
    context = toy_context()
    converter = TypeConverter()
    converter.add_conversion(Type, lambda type: REFUSED if type is f32 else i64 if type is i32 else type)
    answers: list[bool] = []

    class Own(ConversionPattern[LoopOp]):
        def match_and_rewrite(self, op: LoopOp, adaptor: Any, rewriter: ConversionRewriter) -> NoMatch | None:
            assert self.type_converter is not None
            entry = self.type_converter.convert_signature([i32, i1])
            assert entry is not None
            answers.append(rewriter.convert_region_types(op.body, self.type_converter, entry))
            rewriter.set_attribute(op, "done", StringAttr("yes"))
            return None if known else rewriter.no_match("no")

    target = new_only().add_dynamically_legal(lambda op: "done" in op.held_attributes, LoopOp)
    text = f""""old.loop"() ({{
^bb0(%a: i32, %c: i1):
  "keep.use"() : () -> ()
^bb1(%b: {"i32" if known else "f32"}):
  "keep.use"() : () -> ()
}}) : () -> ()"""
    module, result, _ = convert(context, text, RewritePatternSet(context, [Own(converter)]), target)
    assert answers == [known]
    assert bool(result) == known
    assert re.findall(r"\^bb\d\((.*)\):", text_of(module)) == (
        ["%arg0: i64, %arg1: i1", "%0: i64"] if known else ["%arg0: i32, %arg1: i1", "%0: f32"]
    )


def test_values_of_a_new_type_are_cast_for_users_that_stay() -> None:
    context = toy_context()
    patterns = RewritePatternSet(context, [ToNew(widening(context), root=UseOp)])
    text = '%0 = "old.use"() : () -> i32\n"keep.use"(%0) : (i32) -> ()\n%1 = "old.use"(%0) : (i32) -> i32'
    module, result, _ = convert(context, text, patterns)
    assert result
    assert [op.name for op in module.walk()][1:] == [
        "new.op",
        "builtin.unrealized_conversion_cast",
        "keep.use",
        "new.op",
    ]


# --- folding


def test_a_fold_whose_constant_cannot_be_made_changes_nothing() -> None:
    asked: list[Attribute] = []

    def none(value: Attribute, type: Any, location: Any) -> None:
        asked.append(value)

    old = Dialect(
        "old",
        operations=(ConstantOp, AddOp, UseOp, LoopOp, BranchOp),
        materialize_constant=none,
        folds={AddOp: fold_add},
    )
    context = Context([BUILTIN, old])
    text = """%0 = "old.constant"() {value = 3 : i32} : () -> i32
%1 = "old.constant"() {value = 4 : i32} : () -> i32
%2 = "old.add"(%0, %1) : (i32, i32) -> i32
"old.use"(%2) : (i32) -> ()"""
    module = read(context, text)
    result = apply_patterns_greedily(module, RewritePatternSet(context))
    assert asked == [IntegerAttr(i32, 7)]
    assert not result.changed
    assert [op.name for op in module.walk()].count("old.add") == 1


def test_the_same_is_done_with_few_plans_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    text = """%0 = "old.constant"() {value = 3 : i32} : () -> i32
%1 = "old.use"() : () -> i32
%2 = "old.add"(%0, %0) : (i32, i32) -> i32
%3 = "old.add"(%1, %0) : (i32, i32) -> i32
%4 = "old.add"(%1, %1) : (i32, i32) -> i32
%5 = "old.add"(%2, %2) : (i32, i32) -> i32
"old.use"(%2, %3, %4, %5) : (i32, i32, i32, i32) -> ()"""
    texts: list[str] = []
    for most in (folding.MAXIMUM_PLANS, 1):
        for module in (folding, greedy):
            monkeypatch.setattr(module, "MAXIMUM_PLANS", most)
        context = toy_context()
        read_module = read(context, text)
        apply_patterns_greedily(read_module, RewritePatternSet(context))
        texts.append(text_of(read_module))
        plans = folding.FoldPlans(fold_add)
        use, constant = UseOp.op_kind, ConstantOp.op_kind
        for definers in ((use, constant), (constant, use), (use, constant)):
            assert plans[definers] == folding.fold_plan(fold_add, definers)
            assert len(plans) <= most
    assert texts[0] == texts[1]
    assert texts[0].count("old.add") == 2


# --- parts of a module


def test_constants_of_listed_operations_are_unified() -> None:
    context = toy_context()
    text = """%0 = "old.constant"() {value = 3 : i32} : () -> i32
"old.use"(%0) : (i32) -> ()
%1 = "old.constant"() {value = 3 : i32} : () -> i32
"old.use"(%1) : (i32) -> ()
%2 = "old.constant"() {value = 3 : i32} : () -> i32
"old.use"(%2) : (i32) -> ()"""
    module = read(context, text)
    constants = [op for op in module.walk() if op.name == "old.constant"]
    apply_patterns_greedily(constants[:2], RewritePatternSet(context))
    left = [op for op in module.walk() if op.name == "old.constant"]
    assert left == [constants[0], constants[2]]
    users = [op.operands[0] for op in module.walk() if op.name == "old.use"]
    assert users == [left[0].results[0], left[0].results[0], left[1].results[0]]


def test_one_region_of_an_operation() -> None:
    context = toy_context()
    inside = '  %0 = "old.constant"() {value = 3 : i32} : () -> i32\n'
    module = read(
        context, f'"old.loop"() ({{\n{inside}}}) : () -> ()\n"old.loop"() ({{\n{inside}}}) : () -> ()'
    )
    first, second = module.regions[0].blocks[0]
    apply_patterns_greedily(first.regions[0], RewritePatternSet(context))
    assert [len(list(loop.walk())) for loop in (first, second)] == [1, 2]


def test_a_new_operation_that_is_erased_at_once_is_not_legalized() -> None:
    @pattern(UseOp)
    def insert_and_erase(op: Any, rewriter: Rewriter) -> NoMatch | None:
        block = Block()
        block.append(Operation.from_parts(MiddleOp.op_kind))
        loop = rewriter.insert(Operation.from_parts(LoopOp.op_kind, (), (), {}, [Region([block])]))
        rewriter.erase(loop)
        rewriter.erase(op)
        return None

    context = toy_context()
    module = read(context, '"old.use"() : () -> ()')
    apply_patterns_greedily(module, RewritePatternSet(context, [insert_and_erase]))
    assert [op.name for op in module.walk()] == ["builtin.module"]


def test_an_operation_that_moves_is_looked_at_again() -> None:
    moved: list[str] = []

    @pattern(UseOp)
    def to_the_front(op: Any, rewriter: Rewriter) -> NoMatch | None:
        assert op.parent is not None
        first = op.parent.first
        if first is op or not op.results:
            return rewriter.no_match("it is there")
        rewriter.move_before(op, first)
        moved.append(op.name)
        return None

    context = toy_context()
    module = read(context, '"middle.op"() : () -> ()\n%0 = "old.use"() : () -> i32')
    result = apply_patterns_greedily(module, RewritePatternSet(context, [to_the_front]))
    assert result.changed
    assert moved == ["old.use"]
    assert [op.name for op in module.walk()] == ["builtin.module", "old.use", "middle.op"]


def test_what_a_pattern_applies_to() -> None:
    @pattern(UseOp)
    def of_uses(op: Any, rewriter: Rewriter) -> NoMatch | None:
        return None

    class OfCountable(RewritePattern[Operation]):
        pass

    class OfPure(RewritePattern[Operation]):
        pass

    kinds = (UseOp.op_kind, AddOp.op_kind)
    assert [of_uses.applies_to(kind) for kind in kinds] == [True, False]
    assert [OfPure(root=Pure).applies_to(kind) for kind in kinds] == [False, True]
    assert [OfCountable(root=Countable).applies_to(kind) for kind in kinds] == [False, False]
    assert [OfCountable().applies_to(kind) for kind in kinds] == [True, True]


def test_sizes_of_groups_of_operands_are_stored() -> None:
    number = Block().add_argument(index)
    type = MemRefType((DYNAMIC,), f32)
    made = create_operation(AllocOp.op_kind, [[number], []], {}, [type], UNKNOWN)
    assert isinstance(made, AllocOp)
    assert (list(made.dynamicSizes), list(made.symbolOperands)) == ([number], [])
    plain = create_operation(AddIOp.op_kind, [[number], [number]], {}, None, UNKNOWN)
    assert plain.result_types == (index,)


class Noting(RewriteObserver):
    """Notes what it hears."""

    def __init__(self) -> None:
        self.calls: list[tuple[Any, ...]] = []

    def visit(self, op: Operation) -> None:
        self.calls.append(("visit", op.name))

    def leave(self, op: Operation, outcome: str) -> None:
        self.calls.append(("leave", op.name, outcome))

    def attempt(self, pattern: Any, op: Operation) -> None:
        self.calls.append(("attempt", pattern.debug_name, op.name))

    def result(self, pattern: Any, refused: NoMatch | None, seconds: float) -> None:
        self.calls.append(("result", pattern.debug_name, refused and refused.reason, seconds >= 0))

    def inserted(self, op: Operation) -> None:
        self.calls.append(("inserted", op.name))

    def modified(self, op: Operation) -> None:
        self.calls.append(("modified", op.name))

    def erased(self, op: Operation) -> None:
        self.calls.append(("erased", op.name))

    def tie(self, patterns: tuple[Any, ...]) -> None:
        self.calls.append(("tie", *(one.debug_name for one in patterns)))


def test_a_group_of_observers_hears_what_one_hears() -> None:
    @pattern(UseOp)
    def to_new(op: Any, rewriter: Rewriter) -> NoMatch | None:
        if op.operands:
            return rewriter.no_match("it uses something")
        made = rewriter.insert(Operation.from_parts(NewOp.op_kind, (), op.result_types))
        rewriter.replace(op, made)
        return None

    @pattern(UseOp)
    def never(op: Any, rewriter: Rewriter) -> NoMatch | None:
        return rewriter.no_match("it never does")

    heard: list[list[tuple[Any, ...]]] = []
    for grouped in (False, True):
        context = toy_context()
        module = read(context, '%0 = "old.use"() : () -> i32\n"old.use"(%0) : (i32) -> ()')
        members = [Noting(), Noting()]
        observer = ObserverGroup(*members) if grouped else members[0]
        config = GreedyConfig(observer=observer)
        apply_patterns_greedily(module, RewritePatternSet(context, [to_new, never]), config=config)
        heard += [one.calls for one in members if one.calls]
    assert heard[0] == heard[1] == heard[2]
    kinds = {"visit", "attempt", "result", "inserted", "modified", "erased", "leave", "tie"}
    assert {call[0] for call in heard[0]} == kinds
    assert ("result", "never", "it never does", True) in heard[0]


def test_observers_of_conversions_hear_of_what_patterns_make() -> None:
    """A new operation that has to go is visited like the others."""
    context = toy_context()

    class ToMiddle(ConversionPattern[UseOp]):
        def match_and_rewrite(self, op: UseOp, adaptor: Any, rewriter: ConversionRewriter) -> NoMatch | None:
            rewriter.replace(op, rewriter.insert(Operation.from_parts(MiddleOp.op_kind)))
            return None

    patterns = RewritePatternSet(context, [ToMiddle(), ToNew(None, root=MiddleOp)])
    observer = Noting()
    _, result, _ = convert(context, '"old.use"() : () -> ()', patterns, observer=observer)
    assert result
    assert [call[:3] for call in observer.calls if call[0] in ("visit", "attempt", "leave")] == [
        ("visit", "old.use"),
        ("attempt", "ToMiddle", "old.use"),
        ("visit", "middle.op"),
        ("attempt", "ToNew", "middle.op"),
        ("leave", "middle.op", "legalized"),
        ("leave", "old.use", "legalized"),
    ]
