"""Native functions, loops, matches and rewriters of ``pdl_interp``, and modules that are refused."""

from __future__ import annotations

from typing import Any

import pytest

from tests.pdl.pdl_patterns import KNOWN, parse
from tests.pdl.test_pdl_interp import IR, interpreter, module_text, operations, taken
from tilewright.driver.startup import context
from tilewright.ir.builder import InsertionPoint
from tilewright.ir.builtin_attributes import integer32
from tilewright.ir.builtin_types import i32
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ir.operation import Operation
from tilewright.pdl.interpreter.interpreter import Interpreter
from tilewright.rewrite.rewriter import Rewriter

CONSTRAINT = 'pdl_interp.apply_constraint "ask"(%o : !pdl.operation) {} -> ^yes, ^no'


@pytest.mark.parametrize("negated", [False, True])
@pytest.mark.parametrize("answer", [False, True, None])
def test_constraints(answer: bool | None, negated: bool) -> None:
    body = CONSTRAINT.format("{isNegated = true}" if negated else "")
    native = {"ask": lambda rewriter, op: answer}
    assert taken(body, operations()[0], native) is (bool(answer) is not negated)


def test_results_of_constraints() -> None:
    call = 'pdl_interp.apply_constraint "ask"(%o : !pdl.operation) : !pdl.attribute, !pdl.range<type>'
    text = module_text(f"%n:2 = {call} -> ^yes, ^no").replace(
        "@r :", "@r(%n#0, %n#1 : !pdl.attribute, !pdl.range<type>) :"
    )
    text = text.replace("@r()", "@r(%arg0: !pdl.attribute, %arg1: !pdl.range<type>)")
    op = operations()[0]
    given: list[Any] = []

    def ask(rewriter: Rewriter, *values: Any) -> Any:
        given.append((isinstance(rewriter, Rewriter), values))
        return (integer32(7), [i32])

    (match,) = interpreter(text, {"ask": ask}).match(op, Rewriter(InsertionPoint.before(op)))
    assert match.inputs == (integer32(7), (i32,))
    assert given == [(True, (op,))]


@pytest.mark.parametrize("answer", [True, 7, [], [integer32(7)], (i32, i32), [integer32(7), [i32], None]])
def test_constraints_with_results_must_return_them(answer: Any) -> None:
    call = 'pdl_interp.apply_constraint "ask"(%o : !pdl.operation) : !pdl.attribute, !pdl.range<type>'
    run = interpreter(module_text(f"%n:2 = {call} -> ^yes, ^no"), {"ask": lambda rewriter, op: answer})
    op = operations()[0]
    with pytest.raises(DiagnosticError, match=r"has to return \(!pdl.attribute, !pdl.range<type>\), got"):
        run.match(op, Rewriter(InsertionPoint.before(op)))


# --- loops, matches


def test_loops_run_for_every_element_and_nest() -> None:
    text = """
    pdl_interp.func @matcher(%o: !pdl.operation) {
      %v = pdl_interp.get_result 0 of %o
      %users = pdl_interp.get_users of %v : !pdl.value
      pdl_interp.foreach %x : !pdl.operation in %users {
        %vs = pdl_interp.get_operands of %x : !pdl.range<value>
        pdl_interp.foreach %y : !pdl.value in %vs {
          pdl_interp.record_match @rewriters::@r(%x, %y : !pdl.operation, !pdl.value) : benefit(1), loc([%x]) -> ^next
        ^next:
          pdl_interp.continue
        } -> ^next
      ^next:
        pdl_interp.continue
      } -> ^end
    ^end:
      pdl_interp.record_match @rewriters::@s : benefit(9), loc([%o]) -> ^last
    ^last:
      pdl_interp.finalize
    }
    module @rewriters {
      pdl_interp.func @r(%x: !pdl.operation, %y: !pdl.value) { pdl_interp.finalize }
      pdl_interp.func @s() { pdl_interp.finalize }
    }"""
    two, _, user, last = operations()
    best, *rest = interpreter(text).match(two, Rewriter(InsertionPoint.before(two)))
    assert (best.rewriter, best.operations) == ("s", (two,))
    expected = [(op, operand) for op in (user, last) for operand in op.operands]
    assert [match.inputs for match in rest] == expected


def test_finalize_ends_the_function_from_inside_of_a_loop() -> None:
    text = module_text("""
      %v = pdl_interp.get_result 0 of %o
      %users = pdl_interp.get_users of %v : !pdl.value
      pdl_interp.foreach %x : !pdl.operation in %users {
        pdl_interp.finalize
      } -> ^yes""")
    two, *_, last = operations()
    run = interpreter(text)
    assert run.match(two, Rewriter(InsertionPoint.before(two))) == []
    assert len(run.match(last, Rewriter(InsertionPoint.before(last)))) == 1


def test_a_deep_nest_of_loops_needs_no_stack() -> None:
    depth = 400
    opening = "".join(
        f"%v{n} = pdl_interp.get_operands of %x{n} : !pdl.range<value>\n"
        f"%u{n} = pdl_interp.get_users of %v{n} : !pdl.range<value>\n"
        f"pdl_interp.foreach %x{n + 1} : !pdl.operation in %u{n} {{\n"
        for n in range(depth)
    ).replace("%x0 ", "%o ")
    closing = (
        "pdl_interp.continue\n" + "} -> ^next\n^next:\npdl_interp.continue\n" * (depth - 1) + "} -> ^yes\n"
    )
    op = parse('%0 = "test.a"() : () -> i32\n%1 = "test.b"(%0) : (i32) -> i32').regions[0].blocks[0].ops[1]
    assert taken(opening + closing, op)


# --- rewriters


def rewritten(
    rewriter: str, position: int, recorded: str = "%o", native: dict[str, Any] | None = None
) -> str:
    """`IR` after one of its operations was rewritten."""
    module = parse(IR)
    op = module.regions[0].blocks[0].ops[position]
    run = interpreter(module_text("pdl_interp.branch ^yes", recorded, rewriter), native)
    (match,) = run.match(op, Rewriter(InsertionPoint.before(op)))
    run.rewrite(match, op, Rewriter(InsertionPoint.before(op)))
    return "\n".join(str(op).strip() for op in module.regions[0].blocks[0].ops)


def test_erase() -> None:
    assert '"test.none"' not in rewritten("pdl_interp.erase %arg0", 1)


def test_create_and_replace() -> None:
    text = rewritten(
        """%vs = pdl_interp.get_operands of %arg0 : !pdl.range<value>
        %v = pdl_interp.get_operand 1 of %arg0
        %a = pdl_interp.create_attribute 3 : i32
        %t = pdl_interp.create_type i32
        %absent = pdl_interp.get_attribute "absent" of %arg0
        %n = pdl_interp.create_operation "test.new"(%v, %vs : !pdl.value, !pdl.range<value>) {"k" = %a, "l" = %absent} -> (%t : !pdl.type)
        %r = pdl_interp.get_result 0 of %n
        pdl_interp.replace %arg0 with (%r : !pdl.value)""",
        2,
    )
    assert '"test.new"(' in text
    assert "{k = 3 : i32} : (i64, i32, i64, i32) -> i32" in text
    assert '"test.user"' not in text


def test_inferred_types_and_defaults() -> None:
    text = rewritten(
        """%v = pdl_interp.get_operand 0 of %arg0
        %n = pdl_interp.create_operation "arith.addi"(%v, %v : !pdl.value, !pdl.value) -> <inferred>
        %rs = pdl_interp.get_results of %n : !pdl.range<value>
        pdl_interp.replace %arg0 with (%rs : !pdl.range<value>)""",
        2,
    )
    assert "arith.addi" in text


def test_native_rewrites() -> None:
    def pick(rewriter: Rewriter, op: Operation) -> tuple[Any, Any]:
        return op.operands[0], [op.operands[2]]

    def one(rewriter: Rewriter, value: Any, values: Any) -> Any:
        assert values == (value,)
        return value

    text = rewritten(
        """%n:2 = pdl_interp.apply_rewrite "pick"(%arg0 : !pdl.operation) : !pdl.value, !pdl.range<value>
        %v = pdl_interp.apply_rewrite "one"(%n#0, %n#1 : !pdl.value, !pdl.range<value>) : !pdl.value
        pdl_interp.apply_rewrite "nothing"
        pdl_interp.replace %arg0 with (%v : !pdl.value)""",
        2,
        native={"pick": pick, "one": one, "nothing": lambda rewriter: "ignored"},
    )
    assert '"test.user"' not in text


IMPOSSIBLE = [
    ("pdl_interp.erase %arg0", 0, "'test.two' still has uses and cannot be erased"),
    ("pdl_interp.replace %arg0 with ()", 0, "it replaces 2 results of 'test.two' by 0 values"),
    (
        "%v = pdl_interp.get_operand 9 of %arg0\npdl_interp.replace %arg0 with (%v : !pdl.value)",
        2,
        "it uses something that is not there (null)",
    ),
    (
        '%n = pdl_interp.create_operation "arith.addi" -> <inferred>',
        2,
        "the result types of 'arith.addi' cannot be inferred",
    ),
    (
        '%v = pdl_interp.apply_rewrite "wrong"(%arg0 : !pdl.operation) : !pdl.value',
        2,
        "native function 'wrong' has to return (!pdl.value), got (<UnregisteredOp 'test.user'>,)",
    ),
]


@pytest.mark.parametrize(("rewriter", "position", "cause"), IMPOSSIBLE)
def test_what_a_rewriter_cannot_do(rewriter: str, position: int, cause: str) -> None:
    with pytest.raises(DiagnosticError) as error:
        rewritten(rewriter, position, native={"wrong": lambda rewriter, op: op})
    (diagnostic,) = error.value.diagnostics
    assert str(diagnostic.code) == "TW0705"
    assert diagnostic.message.startswith("PDL function '@r' cannot go on at 'test.")
    assert cause in diagnostic.message
    assert diagnostic.notes[0].message == "this step failed"
    assert diagnostic.hints


# --- modules that are refused

GOOD = module_text("pdl_interp.branch ^yes", "%o")
REFUSED = [
    (GOOD.replace("@matcher", "@other"), "the module has no '@matcher' and '@rewriters'"),
    (GOOD.replace("@rewriters::@r", "@rewriters::@s"), "'@s' is no rewriter of 1 arguments"),
    (GOOD.replace("@rewriters::@r", "@r"), "'@r' does not name a function inside of a module"),
    (
        module_text("pdl_interp.branch ^again\n^again:\npdl_interp.branch ^again"),
        "'@matcher' runs in a circle",
    ),
    (
        module_text("%c = arith.constant 1 : i32\npdl_interp.branch ^yes"),
        "'arith.constant' cannot be interpreted",
    ),
    (module_text(CONSTRAINT.format("")), "native constraint 'ask' is not declared"),
    (
        module_text("pdl_interp.branch ^yes", "%o", 'pdl_interp.apply_rewrite "go"'),
        "native rewrite 'go' is not declared",
    ),
]


@pytest.mark.parametrize(("text", "cause"), REFUSED)
def test_modules_that_are_refused(text: str, cause: str) -> None:
    with pytest.raises(DiagnosticError) as error:
        Interpreter(parse(text), KNOWN)
    (diagnostic,) = error.value.diagnostics
    assert diagnostic.message == "failed to lower PDL pattern module to the PDL Interpreter"
    assert cause in diagnostic.notes[0].message
    assert diagnostic.hints


@pytest.mark.parametrize(
    "body",
    [
        'pdl_interp.check_operation_name of %o is "nobody.knows" -> ^yes, ^no',
        'pdl_interp.switch_operation_name of %o to ["nobody.knows"](^yes) -> ^no',
    ],
)
def test_names_must_be_registered(body: str) -> None:
    with pytest.raises(DiagnosticError) as error:
        Interpreter(parse(module_text(body)), context())
    assert error.value.diagnostics[0].notes[0].message == "operation 'nobody.knows' is not registered"
