"""Declarative rules as PDL: the text, what is declined, and that both forms do the same."""

from __future__ import annotations

import random

from hypothesis import given, settings, strategies as st

from tests.rewrite.test_rules import KNOWN, NESTED, RULES, SUB_SELF, X
from tests.support.mlir_tools import custom_forms
from tilewright.dialects.arith.attributes import CmpIPredicate
from tilewright.dialects.arith.ops_integer import AddIOp, CmpIOp, ConstantOp, MulIOp, SelectOp, SubIOp
from tilewright.ir.block import Block, Region
from tilewright.ir.builtin_attributes import integer32
from tilewright.ir.builtin_types import i1, i32
from tilewright.ir.operation import Operation
from tilewright.ir.text.hooks import PrintOptions
from tilewright.ir.text.parser import parse_module
from tilewright.ir.value import Value
from tilewright.ir.verifier import verify
from tilewright.pdl.export import export_to_pdl, native_functions
from tilewright.pdl.patterns import add_pdl
from tilewright.rewrite.greedy import GreedyConfig, apply_patterns_greedily
from tilewright.rewrite.pattern import NoMatch
from tilewright.rewrite.pattern_set import RewritePatternSet
from tilewright.rewrite.rules import (
    IdentityRule,
    attribute,
    computed,
    constant,
    op_pattern,
    rule,
)

P = attribute("p")
EXPORTED = """
module {
  pdl.pattern @"x - x == 0" : benefit(1) {
    %0 = type
    %1 = operand
    %2 = operation "arith.subi"(%1, %1 : !pdl.value, !pdl.value)  -> (%0 : !pdl.type)
    %3 = attribute = 0 : i64
    apply_native_constraint "tilewright.can_make_number"(%2, %3 : !pdl.operation, !pdl.attribute)
    rewrite %2 {
      %4 = attribute = 0 : i64
      %5 = apply_native_rewrite "tilewright.make_number"(%2, %4 : !pdl.operation, !pdl.attribute) : !pdl.value
      replace %2 with(%5 : !pdl.value)
    }
  }
  pdl.pattern @"(x + y) - y == x" : benefit(2) {
    %0 = type
    %1 = type
    %2 = operand : %0
    %3 = operand
    %4 = operation "arith.addi"(%2, %3 : !pdl.value, !pdl.value)  -> (%1 : !pdl.type)
    %5 = result 0 of %4
    %6 = operation "arith.subi"(%5, %3 : !pdl.value, !pdl.value)  -> (%0 : !pdl.type)
    rewrite %6 {
      replace %6 with(%2 : !pdl.value)
    }
  }
"""


def test_the_text_of_exported_rules() -> None:
    exported = export_to_pdl([SUB_SELF, NESTED], KNOWN)
    assert verify(exported.module) == []
    assert exported.module.print().startswith(EXPORTED.strip())
    assert exported.native.keys() == native_functions(KNOWN).keys()
    custom_forms((exported.module.print(),))


def test_rules_that_cannot_be_exported() -> None:
    inner = op_pattern(ConstantOp)
    tried = {
        "the result is a Python function": rule("a", op_pattern(AddIOp, X, X), lambda *_: NoMatch("no")),
        "the constant 'odd' is tested by a Python function": rule(
            "b", op_pattern(AddIOp, X, constant(lambda value: True, "odd")), X
        ),
        f"the number {1 << 63} does not fit in 64 bits": rule(
            "c", op_pattern(AddIOp, X, constant(1 << 63)), X
        ),
        "an attribute of the result is computed by a Python function": rule(
            "d",
            op_pattern(CmpIOp, X, X, predicate=P),
            op_pattern(CmpIOp, X, X, predicate=computed(lambda predicate: predicate, P)),
        ),
    }
    assert inner.name == "arith.constant"
    exported = export_to_pdl([*tried.values(), NESTED], KNOWN)
    assert {reason: rule for rule, reason in exported.declined} == tried
    assert len(exported.module.regions[0].blocks[0].ops) == 2


def random_function(draw: random.Random) -> Operation:
    """Integer arithmetic on few values, so that the rules have something to do."""
    block = Block([i32, i32, i1])
    values: list[Value] = list(block.arguments[:2])
    flags: list[Value] = [block.arguments[2]]
    for _ in range(draw.randint(1, 12)):
        left, right = draw.choice(values[-4:]), draw.choice(values[-4:])
        match draw.randint(0, 6):
            case 0:
                made: Operation = ConstantOp(integer32(draw.choice((0, 0, 1, 2))))
            case 1 | 2:
                made = AddIOp(left, right)
            case 3:
                made = SubIOp(left, right)
            case 4:
                made = MulIOp(left, right)
            case 5:
                made = SelectOp(draw.choice(flags), left, right)
            case _:
                made = CmpIOp(draw.choice((CmpIPredicate.EQ, CmpIPredicate.SLT)), left, right)
                flags.append(block.append(made).results[0])
                continue
        values.append(block.append(made).results[0])
    use = KNOWN.unregistered_kind("test.use")
    block.append(Operation.from_parts(use, [*values[-3:], flags[-1]]))
    holder = Operation.from_parts(KNOWN.unregistered_kind("test.holder"), regions=[Region([block])])
    assert verify(holder) == []
    return holder


def outcome(program: Operation, patterns: RewritePatternSet) -> tuple[str, int]:
    """The text after the patterns were applied, and how many rewrites it took."""
    copy = program.clone()
    result = apply_patterns_greedily(copy, patterns, KNOWN, GreedyConfig(fold=False))
    assert verify(copy) == []
    return copy.print(PrintOptions(generic=True)), result.rewrites


@settings(max_examples=150)
@given(st.randoms(use_true_random=False), st.sets(st.sampled_from(RULES), min_size=1))
def test_a_rule_and_its_pdl_form_do_the_same(draw: random.Random, chosen: set[IdentityRule]) -> None:
    program = random_function(draw)
    rules = [rule for rule in RULES if rule in chosen]
    exported = export_to_pdl(rules, KNOWN)
    assert exported.declined == ()
    as_pdl = add_pdl(RewritePatternSet(KNOWN), exported.module, exported.native)
    assert outcome(program, RewritePatternSet(KNOWN, rules)) == outcome(program, as_pdl)


def test_the_text_of_exported_rules_can_be_read_and_run() -> None:
    exported = export_to_pdl(RULES, KNOWN)
    again = parse_module(KNOWN, exported.module.print())
    program = random_function(random.Random(3))
    read = add_pdl(RewritePatternSet(KNOWN), again, native_functions(KNOWN))
    assert outcome(program, read) == outcome(program, RewritePatternSet(KNOWN, RULES))


def test_the_differential_test_sees_rewrites() -> None:
    counts = [
        outcome(random_function(random.Random(seed)), RewritePatternSet(KNOWN, RULES))[1]
        for seed in range(40)
    ]
    assert sum(count > 0 for count in counts) > 20
