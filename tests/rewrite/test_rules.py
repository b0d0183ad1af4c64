"""Declarative rules: what they match and build, why they decline, and that their PDL form does the same."""

from __future__ import annotations

from typing import Any

import pytest

from tilewright.dialects.arith.attributes import CmpIPredicate
from tilewright.dialects.arith.ops_float import AddFOp
from tilewright.dialects.arith.ops_integer import AddIOp, CmpIOp, MulIOp, SelectOp, SubIOp
from tilewright.driver.startup import context
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.builder import InsertionPoint
from tilewright.ir.builtin_attributes import IntegerAttr, dense, float_attribute, integer32, splat
from tilewright.ir.builtin_types import RankedTensorType, VectorType, f32, i1, i8, i32, i64, index
from tilewright.ir.operation import Operation
from tilewright.ir.text.parser import parse_module
from tilewright.ir.verifier import verify
from tilewright.rewrite.greedy import GreedyConfig, apply_patterns_greedily
from tilewright.rewrite.pattern import NoMatch
from tilewright.rewrite.pattern_set import RewritePatternSet
from tilewright.rewrite.rewriter import Rewriter
from tilewright.rewrite.rule_matcher import matcher_source
from tilewright.rewrite.rules import (
    Bindings,
    IdentityRule,
    attribute,
    computed,
    constant,
    consumed,
    is_number,
    number_attribute,
    op_pattern,
    ordered,
    rule,
    variables,
)

KNOWN = context(allow_unregistered=True)
X, Y, Z = variables("x y z")
ZERO = constant(0)


def function(body: str, type: str = "i32") -> Operation:
    text = f"func.func @f(%a: {type}, %b: {type}, %c: i1) {{\n{body}\nreturn\n}}"
    return parse_module(KNOWN, text, implicit_module=True)


def after(body: str, *rules: IdentityRule, type: str = "i32") -> list[str]:
    """The lines of a function's body after the rules were applied."""
    module = function(body, type)
    config = GreedyConfig(fold=False)
    apply_patterns_greedily(module, RewritePatternSet(KNOWN, rules), KNOWN, config)
    assert verify(module) == []
    return [line.strip() for line in module.print().splitlines()[2:-3]]


def declined(body: str, tried: IdentityRule, position: int = -2) -> str:
    """Why a rule declines an operation of a function (the last one)."""
    op = function(body).regions[0].blocks[0].ops[0].regions[0].blocks[0].ops[position]
    RewritePatternSet(KNOWN, [tried])
    answer = tried.match_and_rewrite(op, Rewriter(InsertionPoint.before(op)))
    assert isinstance(answer, NoMatch)
    return answer.reason


ADD_ZERO = rule("x + 0 == x", op_pattern(AddIOp, X, ZERO), X)
SUB_SELF = rule("x - x == 0", op_pattern(SubIOp, X, X), constant(0))
DOUBLE = rule("x + x == 2 * x", op_pattern(AddIOp, X, X), op_pattern(MulIOp, X, constant(2)))
NESTED = rule("(x + y) - y == x", op_pattern(SubIOp, op_pattern(AddIOp, X, Y), Y), X, benefit=2)
INNER = rule(
    "x * y + x * z == x * (y + z)",
    op_pattern(AddIOp, op_pattern(MulIOp, X, Y), op_pattern(MulIOp, X, Z)),
    op_pattern(MulIOp, X, op_pattern(AddIOp, Y, Z)),
)
PREDICATE = attribute("predicate")
SELECT_SAME = rule("c ? x : x == x", op_pattern(SelectOp, Z, X, X), X)
COMPARE_SELF = rule(
    "x == x", op_pattern(CmpIOp, X, X, predicate=CmpIPredicate.EQ), constant(IntegerAttr(i1, 1))
)
ONCE = rule(
    "x * y - z == x * (y - z), if it is the only use",
    op_pattern(SubIOp, consumed("product", op_pattern(MulIOp, X, Y)), Z),
    op_pattern(MulIOp, X, op_pattern(SubIOp, Y, Z)),
)
RULES = (ADD_ZERO, SUB_SELF, DOUBLE, NESTED, INNER, SELECT_SAME, COMPARE_SELF, ONCE)


def use(*names: str, type: str = "i32") -> str:
    return f'"test.use"({", ".join(names)}) : ({", ".join([type] * len(names))}) -> ()'


ZERO_LEFT = "%z = arith.constant 0 : i32\n%r = arith.addi %z, %a : i32\n" + use("%r")
ZERO_RIGHT = "%z = arith.constant 0 : i32\n%r = arith.addi %a, %z : i32\n" + use("%r")


def test_both_orders_of_a_commutative_operation() -> None:
    for body in (ZERO_LEFT, ZERO_RIGHT):
        assert after(body, ADD_ZERO) == [use("%arg0")]


def test_one_order_if_it_is_asked_for() -> None:
    only = rule("x + 0", ordered(op_pattern(AddIOp, X, ZERO)), X)
    assert after(ZERO_RIGHT, only) == [use("%arg0")]
    assert len(after(ZERO_LEFT, only)) == 3


def test_results_are_built() -> None:
    assert after("%r = arith.subi %a, %a : i32\n" + use("%r"), SUB_SELF) == [
        "%c0_i32 = arith.constant 0 : i32",
        use("%c0_i32"),
    ]
    assert after("%r = arith.addi %a, %a : i32\n" + use("%r"), DOUBLE) == [
        "%c2_i32 = arith.constant 2 : i32",
        "%0 = arith.muli %arg0, %c2_i32 : i32",
        use("%0"),
    ]


def test_nested_patterns_and_results() -> None:
    body = "%p = arith.muli %b, %a : i32\n%q = arith.muli %a, %a : i32\n%r = arith.addi %p, %q : i32\n"
    assert after(body + use("%r"), INNER) == [
        "%0 = arith.addi %arg0, %arg1 : i32",
        "%1 = arith.muli %arg0, %0 : i32",
        use("%1"),
    ]


def test_numbers_are_of_any_type() -> None:
    body = "%z = arith.constant dense<0> : vector<4xi32>\n%r = arith.addi %z, %a : vector<4xi32>\n"
    assert after(body + use("%r", type="vector<4xi32>"), ADD_ZERO, type="vector<4xi32>")[-1].endswith(
        use("%arg0", type="vector<4xi32>")
    )
    floats = rule("x + -0.0", op_pattern(AddFOp, X, constant(-0.0)), X)
    for number, left in (("-0.0", 1), ("0.0", 3)):
        body = f"%z = arith.constant {number} : f32\n%r = arith.addf %a, %z : f32\n"
        assert len(after(body + use("%r", type="f32"), floats, type="f32")) == left


def test_attributes() -> None:
    swapped = rule(
        "swap",
        op_pattern(CmpIOp, X, ZERO, predicate=PREDICATE),
        op_pattern(CmpIOp, X, X, predicate=PREDICATE),
    )
    body = "%z = arith.constant 0 : i32\n%r = arith.cmpi slt, %a, %z : i32\n" + use("%r", type="i1")
    assert after(body, swapped)[0] == "%0 = arith.cmpi slt, %arg0, %arg0 : i32"
    assert len(after("%r = arith.cmpi eq, %a, %a : i32\n" + use("%r", type="i1"), COMPARE_SELF)) == 2
    assert "arith.cmpi" in after("%r = arith.cmpi ne, %a, %a : i32\n" + use("%r", type="i1"), COMPARE_SELF)[0]


def test_attributes_of_results_are_computed_from_matched_ones() -> None:
    opposite = {CmpIPredicate.EQ: CmpIPredicate.NE, CmpIPredicate.NE: CmpIPredicate.EQ}
    swapped = rule(
        "swap",
        op_pattern(CmpIOp, X, ZERO, predicate=PREDICATE),
        op_pattern(CmpIOp, X, X, predicate=computed(opposite.__getitem__, PREDICATE)),
    )
    body = "%z = arith.constant 0 : i32\n%r = arith.cmpi ne, %a, %z : i32\n" + use("%r", type="i1")
    assert after(body, swapped)[0] == "%0 = arith.cmpi eq, %arg0, %arg0 : i32"


def test_python_functions() -> None:
    def is_power_of_two(value: Attribute) -> bool:
        return isinstance(value, IntegerAttr) and value.value > 0 and value.value.bit_count() == 1

    factor = constant(is_power_of_two)
    seen: list[Any] = []

    def fold(rewriter: Rewriter, op: Operation, bound: Any) -> Attribute | NoMatch:
        seen.append(bound)
        return integer32(7) if bound["is_power_of_two"] is integer32(4) else NoMatch("not four")

    tried = rule("x * 2**n", op_pattern(MulIOp, X, factor), fold)
    body = "%z = arith.constant {} : i32\n%r = arith.muli %a, %z : i32\n" + use("%r")
    assert after(body.format(4), tried) == ["%c7_i32 = arith.constant 7 : i32", use("%c7_i32")]
    assert seen[0].keys() == {"x", "is_power_of_two"}
    assert declined(body.format(8), tried, 1) == "not four"
    assert declined(body.format(5), tried, 1) == "operand 1 of 'arith.muli' is not a constant is_power_of_two"


def test_a_function_may_answer_a_value_or_an_operation() -> None:
    def make(rewriter: Rewriter, op: Operation, bound: Any) -> Operation:
        return rewriter.insert(MulIOp(bound["x"], bound["x"]))

    body = "%r = arith.addi %a, %a : i32\n" + use("%r")
    double = op_pattern(AddIOp, X, X)
    assert after(body, rule("square", double, make))[0] == "%0 = arith.muli %arg0, %arg0 : i32"
    assert after(body, rule("itself", double, lambda rewriter, op, bound: bound["x"])) == [use("%arg0")]


REASONS = [
    ("%r = arith.muli %a, %a : i32", ADD_ZERO, "the operation is not 'arith.addi'"),
    ("%r = arith.addi %a, %a : i32", ADD_ZERO, "operand 1 of 'arith.addi' is not the constant 0"),
    (
        "%z = arith.constant 1 : i32\n%r = arith.addi %z, %a : i32",
        ADD_ZERO,
        "operand 0 of 'arith.addi' is not the constant 0",
    ),
    ("%r = arith.subi %a, %b : i32", SUB_SELF, "operand 1 of 'arith.subi' is not 'x', which occurs twice"),
    ("%r = arith.subi %a, %b : i32", NESTED, "operand 0 of 'arith.subi' is not 'arith.addi'"),
    (
        "%r = arith.cmpi ne, %a, %a : i32",
        COMPARE_SELF,
        "attribute 'predicate' of 'arith.cmpi' is not 0 : i64",
    ),
    (
        "%r = arith.cmpi eq, %a, %b : i32",
        COMPARE_SELF,
        "operand 1 of 'arith.cmpi' is not 'x', which occurs twice",
    ),
]


@pytest.mark.parametrize(("body", "tried", "reason"), REASONS)
def test_why_rules_decline(body: str, tried: IdentityRule, reason: str) -> None:
    assert declined(body, tried) == reason


def test_a_result_of_another_type_is_declined() -> None:
    wrong = rule("wrong", op_pattern(CmpIOp, X, Y, predicate=attribute("p")), X)
    assert declined("%r = arith.cmpi ne, %a, %b : i32", wrong) == "the result would be of type i32, not i1"
    huge = rule("huge", op_pattern(CmpIOp, X, Y, predicate=attribute("p")), constant(0.5))
    assert (
        declined("%r = arith.cmpi ne, %a, %b : i32", huge)
        == "'arith' cannot make the constant 0.5 of type i1"
    )


def test_nothing_is_left_behind_by_a_rule_that_declines() -> None:
    inner = op_pattern(MulIOp, X, X)
    wrong = rule("wrong", op_pattern(SubIOp, X, X), op_pattern(AddIOp, inner, constant(0.5)))
    module = function("%r = arith.subi %a, %a : i32")
    block = module.regions[0].blocks[0].ops[0].regions[0].blocks[0]
    RewritePatternSet(KNOWN, [wrong])
    op = block.ops[0]
    assert isinstance(wrong.match_and_rewrite(op, Rewriter(InsertionPoint.before(op))), NoMatch)
    assert len(block.ops) == 2
    assert list(block.arguments[0].uses) == [op]


def test_the_order_of_checks_is_cheapest_first() -> None:
    source = matcher_source(rule("x + y * 0", op_pattern(AddIOp, X, op_pattern(MulIOp, Y, ZERO)), X))
    assert source.index("KIND") < source.index("ConstantLike") < source.index("REWRITE")
    assert source.count("REWRITE") == 4


PRODUCT = "%p = arith.muli %a, %b : i32\n"


def test_consumed_operations_are_erased() -> None:
    assert after(f"{PRODUCT}%r = arith.subi %p, %a : i32\n{use('%r')}", ONCE) == [
        "%0 = arith.subi %arg1, %arg0 : i32",
        "%1 = arith.muli %arg0, %0 : i32",
        '"test.use"(%1) : (i32) -> ()',
    ]


def test_consumed_operations_have_one_use() -> None:
    reason = "operand 0 of 'arith.subi' is used elsewhere, too"
    assert declined(f"{PRODUCT}%r = arith.subi %p, %a : i32\n{use('%p')}", ONCE, position=1) == reason
    assert declined(f"{PRODUCT}%r = arith.subi %p, %p : i32", ONCE) == reason


def test_functions_find_consumed_operations() -> None:
    found: list[Any] = []

    def forwarded(rewriter: Rewriter, op: Operation, names: Bindings) -> Any:
        found.append(names["product"].kind.name)
        return names["x"]

    product = consumed("product", op_pattern(MulIOp, X, Y))
    lines = after(
        f"{PRODUCT}%r = arith.subi %p, %a : i32\n{use('%r')}",
        rule("f", op_pattern(SubIOp, product, Z), forwarded),
    )
    assert (found, lines) == (["arith.muli"], ['"test.use"(%arg0) : (i32) -> ()'])


UNTENABLE = [
    (
        lambda: rule("r", consumed("x", op_pattern(AddIOp, X, Y)), Y),
        "the root of rule 'r' is replaced anyway",
    ),
    (
        lambda: rule("r", op_pattern(AddIOp, X, consumed("x", op_pattern(AddIOp, X, Y))), Y),
        "rule 'r' has two things of the name 'x'",
    ),
    (lambda: rule("r", op_pattern(AddIOp, X, X), Y), "the result of rule 'r' uses 'y', which is not matched"),
    (
        lambda: rule("r", op_pattern(AddIOp, X, X), constant()),
        "the result of rule 'r' makes a constant of unknown value",
    ),
    (lambda: rule("r", op_pattern(AddIOp, *variables("x x")), X), "rule 'r' has two things of the name 'x'"),
    (
        lambda: op_pattern(CmpIOp, X, Y, predicat=1),
        "'arith.cmpi' has no attribute 'predicat'; did you mean 'predicate'?",
    ),
    (lambda: op_pattern(AddIOp, X, Y, zzzz=1), "'arith.addi' has no attribute 'zzzz'"),
    (
        lambda: rule("r", op_pattern(CmpIOp, X, Y, predicate=computed(abs, PREDICATE)), X),
        "the pattern of rule 'r' has an attribute that is computed",
    ),
]


@pytest.mark.parametrize(("make", "message"), UNTENABLE)
def test_rules_that_make_no_sense(make: Any, message: str) -> None:
    with pytest.raises(ValueError, match=r"\'") as error:
        make()
    assert str(error.value) == message


def test_too_many_orders() -> None:
    term: Any = X
    for variable in variables("a b c d e"):
        term = op_pattern(AddIOp, variable, term)
    with pytest.raises(ValueError, match=r"has 32 orders of operands to try, at most 16 are supported"):
        rule("long", term, X)


# --- numbers

NUMBERS = [
    (-1, i8, IntegerAttr(i8, -1)),
    (255, i8, IntegerAttr(i8, -1)),
    (1, i1, IntegerAttr(i1, 1)),
    (2.0, index, IntegerAttr(index, 2)),
    (0.5, i32, None),
    (float("inf"), i32, None),
    (2, f32, float_attribute(2.0, f32)),
    (3, VectorType((2,), i64), splat(VectorType((2,), i64), 3)),
    (0.5, VectorType((2,), i64), None),
    (3, RankedTensorType((-1,), i64), None),
]


@pytest.mark.parametrize(("number", "type", "expected"), NUMBERS)
def test_numbers_as_attributes(number: float, type: Type, expected: Attribute | None) -> None:
    assert number_attribute(number, type) is expected
    if expected is not None:
        assert is_number(expected, number)
        assert not is_number(expected, number + 1)


def test_dense_data_that_is_no_splat_may_have_one_number() -> None:
    type = VectorType((2,), i32)
    assert is_number(dense(type, [3, 3]), 3)
    assert not is_number(dense(type, [3, 4]), 3)
    assert not is_number(None, 0)
