"""Every operation of ``pdl_interp`` does what it says when the interpreter runs it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.pdl.pdl_patterns import KNOWN, parse
from tilewright.ir.builder import InsertionPoint
from tilewright.ir.builtin_attributes import integer32
from tilewright.ir.builtin_types import i32, i64
from tilewright.ir.operation import Operation
from tilewright.ir.verifier import verify
from tilewright.pdl.dialects.pdl_interp.dialect import PDL_INTERP
from tilewright.pdl.interpreter.code import Match
from tilewright.pdl.interpreter.ends import ENDS
from tilewright.pdl.interpreter.interpreter import Interpreter
from tilewright.pdl.interpreter.steps import STEPS
from tilewright.rewrite.rewriter import Rewriter

IR = """
%0:2 = "test.two"() {x = 1 : i32, s = "word", u} : () -> (i32, i64)
"test.none"() : () -> ()
%1 = "test.user"(%0#0, %0#1, %0#0) {x = 2 : i32} : (i32, i64, i32) -> i32
%2 = "test.last"(%1, %0#0) : (i32, i32) -> i32
"""
REWRITER = "pdl_interp.record_match @rewriters::@r{arguments} : benefit(1), loc([{ops}]) -> ^no"
TYPES = {
    "o": "!pdl.operation",
    "a": "!pdl.attribute",
    "t": "!pdl.type",
    "v": "!pdl.value",
    "O": "!pdl.range<operation>",
    "T": "!pdl.range<type>",
    "V": "!pdl.range<value>",
}
"""Handles are called after the letter of their type, with a number."""


def operations() -> tuple[Operation, ...]:
    """The operations of `IR`: two, none, user, last."""
    return tuple(parse(IR).regions[0].blocks[0].ops)


def module_text(body: str, recorded: str = "", rewriter: str = "") -> str:
    """A matcher with a body that goes to ``^yes`` or ``^no``, and a rewriter of what is recorded."""
    names = recorded.split()
    types = [TYPES[name.lstrip("%")[0]] for name in names]
    arguments = f"({', '.join(names)} : {', '.join(types)})" if names else ""
    declared = ", ".join(f"%arg{number}: {type}" for number, type in enumerate(types))
    record = REWRITER.format(arguments=arguments, ops="%o")
    return f"""
    pdl_interp.func @matcher(%o: !pdl.operation) {{
      {body}
    ^yes:
      {record}
    ^no:
      pdl_interp.finalize
    }}
    module @rewriters {{
      pdl_interp.func @r({declared}) {{
        {rewriter}
        pdl_interp.finalize
      }}
    }}"""


def interpreter(text: str, native: dict[str, Any] | None = None) -> Interpreter:
    module = parse(text)
    assert verify(module) == []
    return Interpreter(module, KNOWN, native)


def matches(
    body: str, op: Operation, recorded: str = "", native: dict[str, Any] | None = None
) -> list[Match]:
    rewriter = Rewriter(InsertionPoint.before(op))
    return interpreter(module_text(body, recorded), native).match(op, rewriter)


def taken(body: str, op: Operation, native: dict[str, Any] | None = None) -> bool:
    """Whether a body goes to ``^yes``."""
    return bool(matches(body, op, native=native))


def found(step: str, op: Operation, recorded: str) -> Any:
    """What a step finds."""
    (match,) = matches(f"{step}\npdl_interp.branch ^yes", op, recorded)
    (value,) = match.inputs
    return value


def test_every_operation_can_be_interpreted() -> None:
    declared = {op.op_kind.name for op in PDL_INTERP.operations}
    assert STEPS.keys() | ENDS.keys() | {"pdl_interp.func"} == declared


# --- steps

OPERANDS = "%V0 = pdl_interp.get_operands of %o : !pdl.range<value>"


def test_attributes() -> None:
    two, none, *_ = operations()
    attribute = '%a0 = pdl_interp.get_attribute "x" of %o'
    assert found(attribute, two, "%a0") is integer32(1)
    assert found(attribute, none, "%a0") is None
    of_type = f"{attribute}\n%t0 = pdl_interp.get_attribute_type of %a0"
    assert found(of_type, two, "%t0") is i32
    assert found(of_type, none, "%t0") is None
    assert str(found(of_type.replace('"x"', '"s"'), two, "%t0")) == "none"
    assert found(of_type.replace('"x"', '"u"'), two, "%t0") is None


def test_the_default_of_an_attribute_counts() -> None:
    text = "%0 = arith.constant 1 : i32\n%1 = arith.addi %0, %0 : i32"
    op = parse(text).regions[0].blocks[0].ops[1]
    op.attributes.pop("overflowFlags", None)
    assert found('%a0 = pdl_interp.get_attribute "overflowFlags" of %o', op, "%a0") is not None


def test_operands_and_results() -> None:
    two, none, user, _ = operations()
    assert found("%v0 = pdl_interp.get_operand 1 of %o", user, "%v0") is two.results[1]
    assert found("%v0 = pdl_interp.get_operand 3 of %o", user, "%v0") is None
    assert found("%v0 = pdl_interp.get_result 1 of %o", two, "%v0") is two.results[1]
    assert found("%v0 = pdl_interp.get_result 0 of %o", none, "%v0") is None
    assert found("%V0 = pdl_interp.get_results of %o : !pdl.range<value>", two, "%V0") == two.results
    assert found(OPERANDS, user, "%V0") == user.operands


@pytest.mark.parametrize(("index", "expected"), [(0, 3), (1, 2), (3, 0), (4, None)])
def test_groups_without_segments_have_what_is_left(index: int, expected: int | None) -> None:
    user = operations()[2]
    group = found(f"%V0 = pdl_interp.get_operands {index} of %o : !pdl.range<value>", user, "%V0")
    assert (None if group is None else len(group)) == expected


def test_a_single_value_of_a_group() -> None:
    user = operations()[2]
    single = "%v0 = pdl_interp.get_operands {} of %o : !pdl.value"
    assert found(single.format(2), user, "%v0") is user.operands[2]
    assert found(single.format(1), user, "%v0") is None
    assert found("%v0 = pdl_interp.get_results 0 of %o : !pdl.value", user, "%v0") is user.results[0]


def test_groups_by_segments() -> None:
    text = """
    func.func @f(%m: memref<4xi32>, %i: index, %j: index) {
      %0 = memref.subview %m[%i][%j][1] : memref<4xi32> to memref<?xi32, strided<[1], offset: ?>>
      return
    }"""
    op = parse(text).regions[0].blocks[0].ops[0].regions[0].blocks[0].ops[0]
    for index, expected in enumerate([op.operands[:1], op.operands[1:2], op.operands[2:], ()]):
        step = f"%V0 = pdl_interp.get_operands {index} of %o : !pdl.range<value>"
        assert found(step, op, "%V0") == expected
    assert found("%V0 = pdl_interp.get_operands 4 of %o : !pdl.range<value>", op, "%V0") is None


def test_definitions_and_users() -> None:
    two, none, user, last = operations()
    value = "%v0 = pdl_interp.get_operand 0 of %o\n"
    assert found(f"{value}%o0 = pdl_interp.get_defining_op of %v0 : !pdl.value", user, "%o0") is two
    assert found(f"{value}%o0 = pdl_interp.get_defining_op of %v0 : !pdl.value", none, "%o0") is None
    several = f"{OPERANDS}\n%o0 = pdl_interp.get_defining_op of %V0 : !pdl.range<value>"
    assert found(several, last, "%o0") is user
    assert found(several, none, "%o0") is None
    assert found(f"{value}%O0 = pdl_interp.get_users of %v0 : !pdl.value", user, "%O0") == (user, last)
    assert found(f"{value}%O0 = pdl_interp.get_users of %v0 : !pdl.value", none, "%O0") == ()
    of_all = f"{OPERANDS}\n%O0 = pdl_interp.get_users of %V0 : !pdl.range<value>"
    assert found(of_all, user, "%O0") == (user, last)


def test_types_and_elements() -> None:
    two, none, user, _ = operations()
    one = "%v0 = pdl_interp.get_operand 1 of %o\n%t0 = pdl_interp.get_value_type of %v0 : !pdl.type"
    assert found(one, user, "%t0") is i64
    assert found(one, none, "%t0") is None
    all_of = f"{OPERANDS}\n%T0 = pdl_interp.get_value_type of %V0 : !pdl.range<type>"
    assert found(all_of, user, "%T0") == (i32, i64, i32)
    assert found(f"{OPERANDS}\n%v0 = pdl_interp.extract 1 of %V0 : !pdl.value", user, "%v0") is two.results[1]
    assert found(f"{OPERANDS}\n%v0 = pdl_interp.extract 0 of %V0 : !pdl.value", none, "%v0") is None


def test_literals_and_ranges() -> None:
    user = operations()[2]
    assert found("%a0 = pdl_interp.create_attribute 1 : i32", user, "%a0") is integer32(1)
    assert found("%t0 = pdl_interp.create_type i64", user, "%t0") is i64
    assert found("%T0 = pdl_interp.create_types [i32, i64]", user, "%T0") == (i32, i64)
    put_together = f"""{OPERANDS}
      %v0 = pdl_interp.get_operand 1 of %o
      %V1 = pdl_interp.create_range %v0, %V0, %v0 : !pdl.value, !pdl.range<value>, !pdl.value"""
    middle = user.operands[1]
    assert found(put_together, user, "%V1") == (middle, *user.operands, middle)
    assert found("%T0 = pdl_interp.create_range : !pdl.range<type>", user, "%T0") == ()


# --- questions

QUESTIONS = [
    ("pdl_interp.branch ^yes", "tnul"),
    ('pdl_interp.check_operation_name of %o is "test.user" -> ^yes, ^no', "u"),
    ("pdl_interp.check_operand_count of %o is 2 -> ^yes, ^no", "l"),
    ("pdl_interp.check_operand_count of %o is at_least 2 -> ^yes, ^no", "ul"),
    ("pdl_interp.check_result_count of %o is 1 -> ^yes, ^no", "ul"),
    ("pdl_interp.check_result_count of %o is at_least 1 -> ^yes, ^no", "tul"),
    (
        '%a = pdl_interp.get_attribute "x" of %o\npdl_interp.check_attribute %a is 1 : i32 -> ^yes, ^no',
        "t",
    ),
    (
        '%a = pdl_interp.get_attribute "x" of %o\npdl_interp.is_not_null %a : !pdl.attribute -> ^yes, ^no',
        "tu",
    ),
    (
        "%v = pdl_interp.get_result 0 of %o\n%t = pdl_interp.get_value_type of %v : !pdl.type\n"
        "pdl_interp.check_type %t is i32 -> ^yes, ^no",
        "tul",
    ),
    (
        "%v = pdl_interp.get_results of %o : !pdl.range<value>\n"
        "%t = pdl_interp.get_value_type of %v : !pdl.range<type>\n"
        "pdl_interp.check_types %t are [i32, i64] -> ^yes, ^no",
        "t",
    ),
    (
        "%v = pdl_interp.get_operand 0 of %o\n%w = pdl_interp.get_operand 2 of %o\n"
        "pdl_interp.are_equal %v, %w : !pdl.value -> ^yes, ^no",
        "tnu",  # of the first two both are null
    ),
    (
        '%a = pdl_interp.get_attribute "x" of %o\n'
        "pdl_interp.switch_attribute %a to [3 : i32, 2 : i32](^no, ^yes) -> ^no",
        "u",
    ),
    ("pdl_interp.switch_operand_count of %o to dense<[2, 0]> : vector<2xi32>(^yes, ^no) -> ^no", "l"),
    ("pdl_interp.switch_result_count of %o to dense<[2, 0]> : vector<2xi32>(^no, ^no) -> ^yes", "ul"),
    ('pdl_interp.switch_operation_name of %o to ["test.two", "test.none"](^no, ^yes) -> ^no', "n"),
    (
        "%v = pdl_interp.get_result 0 of %o\n%t = pdl_interp.get_value_type of %v : !pdl.type\n"
        "pdl_interp.switch_type %t to [i64, i32](^no, ^yes) -> ^no",
        "tul",
    ),
    (
        "%v = pdl_interp.get_results of %o : !pdl.range<value>\n"
        "%t = pdl_interp.get_value_type of %v : !pdl.range<type>\n"
        "pdl_interp.switch_types %t to [[i32], [], [i32, i64]](^no, ^yes, ^yes) -> ^no",
        "tn",
    ),
]


@pytest.mark.parametrize(("body", "expected"), QUESTIONS, ids=lambda text: str(text).split()[0][-24:])
def test_questions(body: str, expected: str) -> None:
    """``expected`` has the first letters of the operations for which the answer is yes."""
    assert "".join(op.name[5] for op in operations() if taken(body, op)) == expected


NULL = """%v = pdl_interp.get_operand 9 of %o
      %d = pdl_interp.get_defining_op of %v : !pdl.value
      """


@pytest.mark.parametrize(
    "question",
    [
        'check_operation_name of %d is "test.user"',
        "check_operand_count of %d is 0",
        "check_operand_count of %d is at_least 0",
        "check_result_count of %d is 0",
        "check_result_count of %d is at_least 0",
        "is_not_null %d : !pdl.operation",
    ],
)
def test_questions_about_null_are_answered_no(question: str) -> None:
    assert not any(taken(f"{NULL}pdl_interp.{question} -> ^yes, ^no", op) for op in operations())


def test_switches_on_null_take_the_default() -> None:
    body = f"{NULL}pdl_interp.switch_operand_count of %d to dense<[0]> : vector<1xi32>(^no) -> ^yes"
    assert all(taken(body, op) for op in operations())


def test_parts_of_null_are_null() -> None:
    step = f'{NULL}%a0 = pdl_interp.get_attribute "x" of %d\n%V0 = pdl_interp.get_results of %d : !pdl.range<value>'
    user = operations()[2]
    assert found(step, user, "%a0") is None
    assert found(step, user, "%V0") is None
