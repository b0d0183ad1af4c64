"""Patterns made of PDL: what they do in a driver, in which order, with native functions, and how they fail."""

from __future__ import annotations

from typing import Any

import pytest

from tests.pdl.pdl_patterns import KNOWN, parse
from tilewright.ir.builder import InsertionPoint
from tilewright.ir.context import Context
from tilewright.ir.location import UNKNOWN
from tilewright.ir.operation import Operation
from tilewright.ir.text.parser import parse_module
from tilewright.ir.verifier import verify
from tilewright.pdl.patterns import add_pdl
from tilewright.rewrite.greedy import GreedyConfig, apply_patterns_greedily
from tilewright.rewrite.pattern import NoMatch, PatternRole
from tilewright.rewrite.pattern_set import FrozenRewritePatternSet, RewritePatternSet
from tilewright.rewrite.rewriter import Listener, Rewriter

Natives = dict[str, Any]


def frozen(text: str, native: Natives | None = None, known: Context = KNOWN) -> FrozenRewritePatternSet:
    module = parse_module(known, text, implicit_module=True)
    return FrozenRewritePatternSet(add_pdl(RewritePatternSet(known), module, native))


def after(text: str, patterns: str, native: Natives | None = None) -> str:
    """The operations of a module after the patterns were applied."""
    module = parse(text)
    apply_patterns_greedily(module, frozen(patterns, native), KNOWN, GreedyConfig(fold=False))
    assert verify(module) == []
    return module.print()


ADD_ZERO = """
pdl.pattern @add_zero : benefit(3) {
  %type = type
  %x = operand : %type
  %zero = attribute = 0 : i32
  %constant = operation "arith.constant" {"value" = %zero} -> (%type : !pdl.type)
  %right = result 0 of %constant
  %root = operation "arith.addi"(%x, %right : !pdl.value, !pdl.value) -> (%type : !pdl.type)
  rewrite %root {
    replace %root with (%x : !pdl.value)
  }
}
"""


def test_a_rewrite() -> None:
    text = """
    %0 = "test.value"() : () -> i32
    %c = arith.constant 0 : i32
    %1 = arith.addi %0, %c : i32
    %2 = arith.addi %1, %c : i32
    "test.use"(%2) : (i32) -> ()"""
    assert [line.strip() for line in after(text, ADD_ZERO).splitlines()] == [
        "module {",
        '%0 = "test.value"() : () -> i32',
        '"test.use"(%0) : (i32) -> ()',
        "}",
    ]


def test_what_a_pattern_says_of_itself() -> None:
    text = f"""{ADD_ZERO}
    pdl.pattern : benefit(1) {{
      %root = operation
      rewrite %root {{
        %a = operation "test.a"
        %b = operation "test.b"
        %c = operation "test.a"
        erase %root
      }}
    }}"""
    named, other = frozen(text).patterns
    assert (named.debug_name, named.root_name, named.benefit) == ("add_zero", "arith.addi", 3)
    assert (other.root, other.generated_ops, other.role) == (None, ("test.a", "test.b"), PatternRole.REWRITE)
    assert named.generated_ops == ()


def reason(text: str, ir: str, native: Natives | None = None) -> str:
    """Why the pattern of a text declines the last operation of a module."""
    pattern: Any = frozen(text, native).patterns[0]
    op = parse(ir).regions[0].blocks[0].ops[-1]
    answer = pattern.match_and_rewrite(op, Rewriter(InsertionPoint.before(op)))
    assert isinstance(answer, NoMatch)
    return answer.reason


ODD = """
pdl.pattern : benefit(1) {{
  %v = operand
  %vs = operands
  {0}
  {1}
  rewrite %root {{ erase %root }}
}}"""
TAKES = '%root = operation "test.root"(%v, %vs : !pdl.value, !pdl.range<value>)'

REASONS = [
    (ADD_ZERO, '%0 = "test.other"() : () -> i32', "the operation is 'test.other', not 'arith.addi'"),
    (
        ADD_ZERO,
        '%0 = "test.other"() : () -> i32\n%1 = arith.addi %0, %0 : i32',
        "what defines operand 1 of the operation is 'test.other', not 'arith.constant'",
    ),
    (
        ADD_ZERO,
        "%0 = arith.constant 1 : i32\n%1 = arith.addi %0, %0 : i32",
        "attribute 'value' of what defines operand 1 of the operation is 1 : i32, not 0 : i32",
    ),
    (ODD.format("", TAKES), '"test.root"() : () -> ()', "the operation has 0 operands, not at least 1"),
    (
        ODD.format("%t = types : [i32]", f"{TAKES} -> (%t : !pdl.range<type>)"),
        '%0 = "test.value"() : () -> i64\n"test.root"(%0) : (i64) -> ()',
        "the type of the results of the operation is (), not (i32)",
    ),
    (
        ODD.format("%a = attribute", TAKES.replace(">)", '>) {"k" = %a}')),
        '%0 = "test.value"() : () -> i64\n"test.root"(%0) : (i64) -> ()',
        "there is no such thing as attribute 'k' of the operation",
    ),
    (
        ODD.format("", TAKES.replace("%v, %vs : !pdl.value", "%v, %v, %vs : !pdl.value, !pdl.value")),
        '%0:2 = "test.value"() : () -> (i64, i64)\n"test.root"(%0#0, %0#1) : (i64, i64) -> ()',
        "operand 1 of the operation is not operand 0 of the operation",
    ),
    (
        ODD.format("", f'{TAKES}\napply_native_constraint "no"(%v : !pdl.value)'),
        '%0 = "test.value"() : () -> i64\n"test.root"(%0) : (i64) -> ()',
        "native constraint 'no' says no, or something that is asked after it fails",
    ),
    (
        ODD.format(
            '%other = operation "test.other"(%v : !pdl.value)',
            f'{TAKES}\napply_native_constraint "no"(%other : !pdl.operation)',
        ),
        '%0 = "test.value"() : () -> i64\n"test.root"(%0) : (i64) -> ()',
        "no operation among the users of operand 0 of the operation fits",
    ),
]


@pytest.mark.parametrize(("text", "ir", "expected"), REASONS)
def test_a_pattern_that_declines_says_why(text: str, ir: str, expected: str) -> None:
    assert reason(text, ir, {"no": lambda rewriter, value: False}) == expected


EVERYTHING = """
pdl.pattern @everything : benefit(1) {
  %i32 = type : i32
  %any = types
  %a = attribute : %i32
  %x = operand : %i32
  %others = operands : %any
  %inner = operation "test.inner" {"k" = %a} -> (%i32, %any : !pdl.type, !pdl.range<type>)
  %first = result 0 of %inner
  %rest = results 1 of %inner -> !pdl.range<value>
  %root = operation "test.root"(%x, %first, %others : !pdl.value, !pdl.value, !pdl.range<value>) -> (%i32 : !pdl.type)
  %next = apply_native_constraint "next"(%a : !pdl.attribute) : !pdl.attribute
  apply_native_constraint "too_large"(%next : !pdl.attribute) {isNegated = true}
  rewrite %root {
    %two = attribute = 2 : i32
    %all = range %x, %rest : !pdl.value, !pdl.range<value>
    %made = operation "test.made"(%all : !pdl.range<value>) {"k" = %next, "l" = %two} -> (%i32 : !pdl.type)
    %value = result 0 of %made
    %same = apply_native_rewrite "same"(%value : !pdl.value) : !pdl.value
    %last = operation "test.last"(%same, %others : !pdl.value, !pdl.range<value>)
    replace %root with %last
  }
}"""


def test_every_operation_of_pdl_in_one_pattern() -> None:
    native: Natives = {
        "next": lambda rewriter, value: [value.replace(value=value.value + 1)],
        "too_large": lambda rewriter, value: value.value > 5,
        "same": lambda rewriter, value: value,
    }
    ir = """
    %x, %y = "test.values"() : () -> (i32, {1})
    %0:2 = "test.inner"() {{k = {0} : i32}} : () -> (i32, i64)
    %1 = "test.root"(%x, %0#0, %y) : (i32, i32, {1}) -> i32
    "test.use"(%1) : (i32) -> ()"""
    assert [line.strip() for line in after(ir.format(3, "i64"), EVERYTHING, native).splitlines()[1:-1]] == [
        '%0:2 = "test.values"() : () -> (i32, i64)',
        '%1:2 = "test.inner"() {k = 3 : i32} : () -> (i32, i64)',
        '%2 = "test.made"(%0#0, %1#1) {k = 4 : i32, l = 2 : i32} : (i32, i64) -> i32',
        '%3 = "test.last"(%2, %0#1) : (i32, i64) -> i32',
        '"test.use"(%3) : (i32) -> ()',
    ]
    assert '"test.root"' in after(ir.format(5, "i64"), EVERYTHING, native)
    assert '"test.root"' in after(ir.format(3, "f32"), EVERYTHING, native)


def replacing(name: str, benefit: int, attribute: str = "") -> str:
    """A pattern that replaces ``test.old`` by another operation."""
    wanted = f"%k = attribute = {attribute}\n" if attribute else ""
    held = ' {"k" = %k}' if attribute else ""
    return f"""
    pdl.pattern @{name} : benefit({benefit}) {{
      {wanted}%root = operation "test.old"{held}
      rewrite %root {{
        %new = operation "test.{name}"
        erase %root
      }}
    }}"""


def test_the_best_benefit_first_then_the_order() -> None:
    old = '"test.old"() {k = 1 : i32} : () -> ()'
    assert '"test.high"' in after(old, replacing("low", 1) + replacing("high", 2))
    assert '"test.first"' in after(old, replacing("first", 1) + replacing("second", 1))
    assert '"test.low"' in after(old, replacing("low", 1) + replacing("high", 2, "2 : i32"))


def test_python_patterns_and_pdl_take_turns_by_benefit() -> None:
    from tilewright.rewrite.pattern import pattern

    @pattern("test.old", benefit=2)
    def python(op: Any, rewriter: Rewriter) -> None:
        rewriter.set_attribute(op, "seen", op.location)
        op.kind = KNOWN.unregistered_kind("test.python")

    for benefit, expected in ((1, ["python", "low"]), (3, ["low", "python"])):
        patterns = add_pdl(RewritePatternSet(KNOWN, [python]), parse(replacing("low", benefit)))
        assert [p.debug_name for p in FrozenRewritePatternSet(patterns)] == expected


@pytest.mark.parametrize(
    ("literal", "kind", "expected"),
    [("attribute = 3 : i32", "attribute", "3 : i32"), ("type : i8", "type", "i8")],
)
def test_a_constraint_that_is_asked_why_gets_its_literals(literal: str, kind: str, expected: str) -> None:
    text = ODD.format(f"%known = {literal}", f'{TAKES}\napply_native_constraint "no"(%known : !pdl.{kind})')
    given: list[str] = []

    def no(rewriter: Rewriter, value: object) -> bool:
        given.append(str(value))
        return False

    reason(text, '%0 = "test.value"() : () -> i64\n"test.root"(%0) : (i64) -> ()', {"no": no})
    assert given == [expected] * 2


def test_several_modules_share_the_native_functions() -> None:
    calls: list[str] = []
    text = """
    pdl.pattern @{0} : benefit(1) {{
      %root = operation "test.{0}"
      apply_native_constraint "may"(%root : !pdl.operation)
      rewrite %root with "{0}"
    }}"""

    def rewrite(name: str) -> Any:
        return lambda rewriter, op: (calls.append(name), rewriter.erase(op))[0]

    patterns = RewritePatternSet(KNOWN)
    add_pdl(patterns, parse(text.format("a")), {"may": lambda rewriter, op: True, "a": rewrite("a")})
    add_pdl(patterns, parse(text.format("b")), {"b": rewrite("b")})
    module = parse('"test.a"() : () -> ()\n"test.b"() : () -> ()')
    apply_patterns_greedily(module, patterns, KNOWN)
    assert sorted(calls) == ["a", "b"]


def test_constraints_get_the_rewriter_and_their_results_reach_the_rewrite() -> None:
    text = """
    pdl.pattern : benefit(1) {
      %a = attribute
      %root = operation "test.old" {"k" = %a}
      %more = apply_native_constraint "next"(%a : !pdl.attribute) : !pdl.attribute
      rewrite %root {
        %new = operation "test.new" {"k" = %more}
        erase %root
      }
    }"""

    def following(rewriter: Rewriter, attribute: Any) -> Any:
        assert isinstance(rewriter, Rewriter)
        return [attribute.replace(value=attribute.value + 1)] if attribute.value < 5 else None

    assert "{k = 4 : i32}" in after('"test.old"() {k = 3 : i32} : () -> ()', text, {"next": following})
    assert '"test.old"' in after('"test.old"() {k = 5 : i32} : () -> ()', text, {"next": following})


def test_siblings_are_matched_through_users() -> None:
    text = """
    pdl.pattern @fuse : benefit(1) {
      %x = operand
      %t = type
      %left = operation "test.left"(%x : !pdl.value) -> (%t : !pdl.type)
      %right = operation "test.right"(%x : !pdl.value) -> (%t : !pdl.type)
      rewrite %left {
        %both = operation "test.both"(%x : !pdl.value) -> (%t, %t : !pdl.type, !pdl.type)
        %first = result 0 of %both
        %second = result 1 of %both
        replace %left with (%first : !pdl.value)
        replace %right with (%second : !pdl.value)
      }
    }"""
    module = parse("""
    %0 = "test.value"() : () -> i32
    %1 = "test.left"(%0) : (i32) -> i32
    %2 = "test.right"(%0) : (i32) -> i32
    "test.use"(%1, %2) : (i32, i32) -> ()""")
    result = apply_patterns_greedily(module, frozen(text), KNOWN)
    assert result.rewrites == 1
    _, both, use = module.regions[0].blocks[0].ops
    assert both.name == "test.both"
    assert use.operands == both.results


def test_new_operations_have_the_place_of_the_root() -> None:
    module = parse('"test.old"() : () -> ()')
    op = module.regions[0].blocks[0].ops[0]
    place = op.location
    apply_patterns_greedily(module, frozen(replacing("new", 1)), KNOWN)
    (new,) = module.regions[0].blocks[0].ops
    assert (new.name, new.location) == ("test.new", place)
    assert place is not UNKNOWN


def test_drivers_hear_of_every_change() -> None:
    heard: list[str] = []

    class Ears(Listener):
        def inserted(self, op: Operation) -> None:
            heard.append(f"inserted {op.name}")

        def erased(self, op: Operation) -> None:
            heard.append(f"erased {op.name}")

    (pattern,) = frozen(replacing("new", 1)).patterns
    module = parse('"test.old"() : () -> ()')
    op = module.regions[0].blocks[0].ops[0]
    run: Any = pattern
    assert run.match_and_rewrite(op, Rewriter(InsertionPoint.before(op), Ears())) is None
    assert heard == ["inserted test.new", "erased test.old"]
