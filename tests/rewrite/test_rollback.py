"""A conversion that fails leaves the IR as it was, whatever its patterns did before, in every process the same."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

from hypothesis import given, strategies as st

from tests.rewrite.toy import (
    BranchOp,
    LoopOp,
    MiddleOp,
    NewOp,
    UseOp,
    operand_values,
    read,
    text_of,
    toy_context,
    widening,
)
from tilewright.ir.attribute import Type
from tilewright.ir.block import Block, Region
from tilewright.ir.builder import InsertionPoint
from tilewright.ir.builtin_attributes import UnitAttr
from tilewright.ir.builtin_types import i32
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.rewrite.conversion.driver import (
    apply_analysis_conversion,
    apply_full_conversion,
    apply_partial_conversion,
)
from tilewright.rewrite.conversion.pattern import ConversionPattern
from tilewright.rewrite.conversion.rewriter import ConversionRewriter
from tilewright.rewrite.conversion.target import ConversionTarget
from tilewright.rewrite.conversion.type_converter import TypeConverter
from tilewright.rewrite.pattern import NoMatch
from tilewright.rewrite.pattern_set import RewritePatternSet

PROGRAM = """%0 = "old.use"() : () -> i32
%1 = "old.use"(%0) : (i32) -> i32
"old.loop"(%0, %1) ({
^bb0(%a: i32, %b: i32):
  %2 = "old.use"(%a, %1) : (i32, i32) -> i32
  "old.loop"(%2) ({
  ^bb0(%c: i32):
    %3 = "keep.use"(%c, %b) : (i32, i32) -> i32
    "old.use"(%3) : (i32) -> ()
    "old.branch"(%3)[^bb1] : (i32) -> ()
  ^bb1(%d: i32):
    "old.use"(%d) : (i32) -> ()
  }) : (i32) -> ()
  "old.use"(%2) : (i32) -> ()
}) : (i32, i32) -> ()
"old.use"(%1) : (i32) -> ()
"keep.use"(%1) : (i32) -> ()"""


class Random(ConversionPattern[Operation]):
    """Does what a list says, one entry a call, and fails at the calls that another list names."""

    def __init__(
        self, script: list[str], failures: set[int], converter: Any, root: Any, benefit: int
    ) -> None:
        super().__init__(converter, root=root, benefit=benefit, debug_name=f"Random{benefit}")
        self.script = script
        self.failures = failures
        self.calls = 0

    def match_and_rewrite(self, op: Operation, adaptor: Any, rewriter: ConversionRewriter) -> NoMatch | None:
        number, self.calls = self.calls, self.calls + 1
        for action in (
            self.script[number % len(self.script)],
            self.script[(number * 7 + 3) % len(self.script)],
        ):
            if not rewriter.is_gone(op):
                perform(action, op, adaptor, rewriter, self)
        return rewriter.no_match("told to fail") if number in self.failures else None


Action = Callable[[Operation, list[Value], list[Type], ConversionRewriter, TypeConverter], object]


def replace(
    op: Operation, values: list[Value], types: list[Type], rewriter: ConversionRewriter, _: Any
) -> None:
    rewriter.replace(op, rewriter.insert(Operation.from_parts(NewOp.op_kind, values, types)))


def middle(
    op: Operation, values: list[Value], types: list[Type], rewriter: ConversionRewriter, _: Any
) -> None:
    rewriter.replace(op, rewriter.insert(Operation.from_parts(MiddleOp.op_kind, values, types)))


def take_region(op: Operation, values: list[Value], _: Any, rewriter: ConversionRewriter, __: Any) -> None:
    if op.regions:
        region = Region()
        rewriter.take_region(op.regions[0], region)
        rewriter.insert(Operation.from_parts(LoopOp.op_kind, values, (), regions=[region]))


def inline(op: Operation, values: list[Value], _: Any, rewriter: ConversionRewriter, __: Any) -> None:
    if op.regions and len(op.regions[0].blocks) == 1:
        block = op.regions[0].blocks[0]
        if len(block.arguments) == len(values):
            rewriter.inline_block(block, op, values)


ACTIONS: dict[str, Action] = {
    "replace": replace,
    "middle": middle,
    "take region": take_region,
    "inline": inline,
    "erase": lambda op, values, types, rewriter, _: rewriter.erase(op),
    "modify": lambda op, values, types, rewriter, _: rewriter.set_operands(op, values[::-1]),
    "retype": lambda op, values, types, rewriter, _: rewriter.set_result_types(op, [i32 for _ in op.results]),
    "attribute": lambda op, values, types, rewriter, _: rewriter.set_attribute(op, "mark", UnitAttr()),
    "move": lambda op, values, types, rewriter, _: op.previous and rewriter.move_before(op, op.previous),
    "split": lambda op, values, types, rewriter, _: rewriter.split_block(op),
    "convert region": lambda op, values, types, rewriter, converter: (
        op.regions and rewriter.convert_region_types(op.regions[0], converter)
    ),
    "create block": lambda op, values, types, rewriter, _: (
        op.regions and rewriter.create_block(op.regions[0], [i32])
    ),
}


def perform(action: str, op: Operation, adaptor: Any, rewriter: ConversionRewriter, pattern: Any) -> None:
    converter: TypeConverter = pattern.type_converter
    types: list[Type] = converter.convert_types(op.result_types) or []
    rewriter.point = InsertionPoint.before(op)
    ACTIONS[action](op, operand_values(adaptor.operands), types, rewriter, converter)


class Fallback(ConversionPattern[Operation], benefit=0):
    """Always succeeds, so that the conversion gets as far as the operation that cannot be converted."""

    def match_and_rewrite(self, op: Operation, adaptor: Any, rewriter: ConversionRewriter) -> NoMatch | None:
        assert self.type_converter is not None
        if op.regions:
            rewriter.convert_region_types(op.regions[0], self.type_converter)
            rewriter.set_attribute(op, "done", UnitAttr())
        elif op.successors:
            rewriter.set_attribute(op, "done", UnitAttr())
        else:
            perform("replace", op, adaptor, rewriter, self)
        return None


scripts = st.lists(st.sampled_from(sorted(ACTIONS)), min_size=1, max_size=8)


@given(
    scripts,
    scripts,
    st.sets(st.integers(0, 12)),
    st.sets(st.integers(0, 12)),
    st.sampled_from([apply_partial_conversion, apply_full_conversion, apply_analysis_conversion]),
    st.booleans(),
    st.booleans(),
)
def test_a_failed_conversion_leaves_the_text_identical(
    first: list[str],
    second: list[str],
    fail: set[int],
    fail_too: set[int],
    apply: Any,
    bridges: bool,
    impossible: bool,
) -> None:
    context = toy_context()
    converter = widening(context, bridges=bridges)
    patterns = RewritePatternSet(context)
    for root in (UseOp, LoopOp):
        patterns.add(
            Random(first, fail, converter, root, 2),
            Random(second, fail_too, converter, root, 1),
        )
    patterns.add(*(Fallback(converter, root=root) for root in (UseOp, LoopOp, BranchOp)))
    target = (
        ConversionTarget().add_legal_dialect("new", "keep", "builtin").add_illegal_dialect("old", "middle")
    )
    target.add_dynamically_legal(lambda op: "done" in op.held_attributes, LoopOp, BranchOp)
    module = read(context, PROGRAM + '\n"middle.op"() : () -> ()' * impossible)
    before, uses = text_of(module), use_counts(module)
    with context.diagnostics.collect():
        result = apply(module, target, patterns)
    if not result or apply is apply_analysis_conversion:
        assert text_of(module) == before
        assert use_counts(module) == uses


def use_counts(module: Operation) -> list[int]:
    """How often each result and block argument is used, and each block is branched to."""
    counts: list[int] = []
    for op in module.walk():
        counts += [sum(result.uses.values()) for result in op.results]
        for region in op.regions:
            for block in region.blocks:
                counts += [sum(argument.uses.values()) for argument in block.arguments]
                counts.append(sum(block.predecessor_uses.values()))
    return counts


class IntoLoop(ConversionPattern[UseOp]):
    """Wraps an operation into a loop of its own, whose body has to be legalised as well."""

    def match_and_rewrite(self, op: UseOp, adaptor: Any, rewriter: ConversionRewriter) -> NoMatch | None:
        body = Block()
        body.append(Operation.from_parts(MiddleOp.op_kind))
        loop = Operation.from_parts(LoopOp.op_kind, op.operands, (), {"done": UnitAttr()}, [Region([body])])
        rewriter.insert(loop)
        rewriter.replace(op, rewriter.insert(Operation.from_parts(NewOp.op_kind, (), op.result_types)))
        return None


@given(st.integers(1, 40), st.booleans())
def test_many_operations_with_regions_are_legalised_or_undone(count: int, impossible: bool) -> None:
    context = toy_context()
    module = read(context, '"old.use"() : () -> ()\n' * count + '"old.branch"() : () -> ()' * impossible)
    before = text_of(module)
    target = ConversionTarget().add_legal_dialect("new", "builtin").add_illegal_dialect("old", "middle")
    target.add_dynamically_legal(lambda op: "done" in op.held_attributes, LoopOp)
    patterns = RewritePatternSet(context, [IntoLoop(), Fallback(widening(context), root=MiddleOp)])
    with context.diagnostics.collect():
        result = apply_partial_conversion(module, target, patterns)
    assert result.succeeded is not impossible
    if impossible:
        assert text_of(module) == before
    else:
        assert [op.name for op in module.walk()][1:] == ["old.loop", "new.op", "new.op"] * count


def test_an_exception_in_a_pattern_leaves_the_text_identical() -> None:
    class Broken(ConversionPattern[UseOp]):
        def match_and_rewrite(self, op: UseOp, adaptor: Any, rewriter: ConversionRewriter) -> NoMatch | None:
            if op.results:
                rewriter.replace(
                    op, rewriter.insert(Operation.from_parts(NewOp.op_kind, (), op.result_types))
                )
                return None
            raise KeyError("a bug in a pattern")

    context = toy_context()
    module = read(context, PROGRAM)
    before = text_of(module)
    target = ConversionTarget().add_legal_dialect("new").add_illegal("old.use")
    try:
        apply_partial_conversion(module, target, RewritePatternSet(context, [Broken()]))
    except KeyError:
        assert text_of(module) == before
    else:
        raise AssertionError("the exception must reach the caller")


SCRIPT = """
from tests.rewrite.toy import *
from tests.rewrite.test_conversion import old_to_new, new_only
from tilewright.rewrite.conversion.driver import apply_partial_conversion
from tilewright.rewrite.greedy import apply_patterns_greedily
from tilewright.rewrite.pattern_set import RewritePatternSet
from tests.rewrite.test_greedy import chain
context = toy_context()
module = read(context, chain(20))
apply_patterns_greedily(module, RewritePatternSet(context))
print(text_of(module))
module = read(context, chain(20))
apply_partial_conversion(module, new_only(), old_to_new(context, widening(context)))
print(text_of(module))
"""


def test_drivers_do_the_same_in_every_process() -> None:
    def output(seed: str) -> str:
        environment = {"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join([".", *sys.path])}
        command = [sys.executable, "-c", SCRIPT]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout

    assert output("1") == output("2") != ""
