"""Faulty text: every error has its place, code and reason, and one error does not hide the next."""

from __future__ import annotations

import pickle

import pytest

from tilewright.ir import codes
from tilewright.ir.builtin_types import i32
from tilewright.ir.context import Context
from tilewright.ir.declaration.traits import NoTerminator
from tilewright.ir.diagnostic import DiagnosticCode, DiagnosticError
from tilewright.ir.dialect import Dialect
from tilewright.ir.operation import Operation
from tilewright.ir.text.parser import parse_attribute, parse_module, parse_type

CONTEXT = Context(allow_unregistered=True)


def errors(text: str, context: Context = CONTEXT) -> list[tuple[int, int, str]]:
    """Line, column and message of every error."""
    with pytest.raises(DiagnosticError) as raised:
        parse_module(context, text)
    places = [(diagnostic.location.source, diagnostic.message) for diagnostic in raised.value.diagnostics]
    return [(place[1], place[2], message) for place, message in places if place is not None]


S, N, V, P = codes.SYNTAX, codes.UNKNOWN_NAME, codes.UNDEFINED_VALUE, codes.INVALID_PARAMETERS


@pytest.mark.parametrize(
    ("text", "column", "code", "message"),
    [
        (
            '"t"() {a = 1 : f32} : () -> ()',
            12,
            S,
            "unexpected decimal integer literal for a floating point value",
        ),
        ('"t"(%0) : () -> ()', 11, S, "expected 1 operand type but had 0"),
        ('%0 = "t"() : () -> (i32, i32)', 1, S, "operation defines 2 results but was provided 1 to bind"),
        ('%0:2 = "t"() : () -> i32', 1, S, "operation defines 1 result but was provided 2 to bind"),
        ('"t"()[^bb4] : () -> ()', 7, V, "reference to an undefined block '^bb4'"),
        ('%0 = "t"() : () -> i32 %0 = "t"() : () -> i32', 24, V, "redefinition of SSA value '%0'"),
        (
            '%0 = "t"() : () -> i32 "u"(%0) : (i64) -> ()',
            28,
            V,
            "use of value '%0' expects different type than prior uses: 'i64' vs 'i32'",
        ),
        ('"u"(%0#3) : (i64) -> ()', 5, V, "use of undeclared SSA value name '%0#3'"),
        ('%0:2 = "t"() : () -> (i1, i1) "u"(%0#2) : (i1) -> ()', 35, V, "reference to invalid result number"),
        ('"t"() {a = 300 : i8} : () -> ()', 12, S, "integer constant out of range for attribute"),
        ('"t"() {a = -129 : i8} : () -> ()', 12, S, "integer constant out of range for attribute"),
        (
            '"t"() {a = -1 : ui8} : () -> ()',
            12,
            S,
            "negative integer literal not valid for unsigned integer type",
        ),
        (
            '"t"() {a = dense<[1,2,[3]]> : tensor<3xi32>} : () -> ()',
            24,
            S,
            "tensor literal is invalid; ranks are not consistent between elements",
        ),
        (
            '"t"() {a = dense<[1,2]> : tensor<3xi32>} : () -> ()',
            12,
            S,
            "inferred shape of elements literal ([2]) does not match type ([3])",
        ),
        ('"t"() {a, a} : () -> ()', 11, S, "duplicate key 'a' in dictionary attribute"),
        ('"t"() {a = #foo} : () -> ()', 12, N, "undefined symbol alias id 'foo'"),
        ('"t"() {a = "abc} : () -> ()', 12, S, "expected '\"' in string literal"),
        ('"t"() {a = vector<0xi32>} : () -> ()', 12, P, "vector types must have positive constant sizes"),
        ('"t"() {a = !d.t<[)>} : () -> ()', 16, S, "brackets do not balance in the body of this name"),
        ('"t"() {a = array<i1: 1>} : () -> ()', 22, S, "expected 'true' or 'false' values for i1 type"),
        ('"t"() ({ ^a: ^a: }) : () -> ()', 14, V, "redefinition of block '^a'"),
        ('"t"() ({ : () -> ()', 10, S, "expected an operation, got ':'"),
        ('"t"() : () -> () }', 18, S, "unexpected '}'"),
        ("t.op %0", 1, N, "custom op 't.op' is unknown"),
        (
            '"t"() {a = affine_set<(i) : (i == 0)>} : () -> ()',
            12,
            S,
            "'affine_set' attributes are not supported",
        ),
    ],
)
def test_each_error(text: str, column: int, code: DiagnosticCode, message: str):
    with pytest.raises(DiagnosticError) as raised:
        parse_module(CONTEXT, text, "in.mlir")
    first = raised.value.diagnostics[0]
    assert (first.message, first.code, first.location.source) == (message, code, ("in.mlir", 1, column))


def test_several_errors_in_one_text():
    text = """\
"m"() ({
  %0 = "a"(%x : () -> i32
  %1 = "b"(%0) : (i32) -> i32
  "c"() ({
    "d"() {x = } : () -> ()
    "e"(%1) : (i32) -> ()
  }) : () -> f33
  %1 = "g"() : () -> i32
}) : () -> ()
"h"() {v = 999 : i8} : () -> ()
"""
    assert errors(text) == [
        (2, 15, "expected ')', got ':'"),
        (5, 16, "expected attribute value, got '}'"),
        (7, 14, "expected non-function type, got 'f33'"),
        (8, 3, "redefinition of SSA value '%1'"),
        (10, 12, "integer constant out of range for attribute"),
    ]


def test_names_that_a_faulty_line_should_define_are_not_reported():
    text = '"m"() ({\n^a(%x: nonsense):\n  %y = "o"( : () -> i32\n  "p"(%x, %y)[^a] : (i32, i32) -> ()\n}) : () -> ()\n'
    assert [line for line, _, _ in errors(text)] == [2, 3]


def test_every_undefined_name_is_reported():
    text = '"m"(%a, %b) ({\n  "n"(%c)[^x] : (i1) -> ()\n}) : (i1, i1) -> ()'
    assert sorted(errors(text)) == [
        (1, 5, "use of undeclared SSA value name '%a'"),
        (1, 9, "use of undeclared SSA value name '%b'"),
        (2, 7, "use of undeclared SSA value name '%c'"),
        (2, 11, "reference to an undefined block '^x'"),
    ]


def test_the_frame_shows_the_text_that_was_given():
    with pytest.raises(DiagnosticError) as raised:
        parse_module(CONTEXT, '\n\t"t"() {a = ?} : () -> ()', "nowhere.mlir")
    expected = (
        "nowhere.mlir:2:13: error[TW0001]: expected attribute value, got '?'\n"
        '  2 | \t"t"() {a = ?} : () -> ()\n'
        "    | \t           ^"
    )
    assert str(raised.value) == expected
    assert str(pickle.loads(pickle.dumps(raised.value))) == expected


def test_a_value_of_another_type_points_to_its_definition():
    with pytest.raises(DiagnosticError) as raised:
        parse_module(CONTEXT, '"u"(%v) : (i64) -> ()\n%v = "t"() : () -> i32\n')
    (error,) = raised.value.diagnostics
    assert error.code is codes.UNDEFINED_VALUE
    assert error.location.source == ("<string>", 1, 5)
    assert [note.location.source for note in error.notes] == [("<string>", 2, 6)]


class KnownOp(Operation, name="known.operation"):
    """Known."""

    traits = (NoTerminator(),)


def test_unregistered_names_need_permission():
    context = Context([Dialect("known", operations=[KnownOp])])
    with pytest.raises(DiagnosticError) as raised:
        parse_module(context, '"known.operatoin"() : () -> ()\n"x"() {a = !no.such} : () -> ()\n')
    first, second = raised.value.diagnostics
    assert (first.code, first.hints) == (codes.UNKNOWN_NAME, ["did you mean 'known.operation'?"])
    assert second.message == "operation 'x' is not registered"
    with pytest.raises(DiagnosticError, match=r"dialect 'no' of type '!no\.such' is not loaded"):
        parse_type(context, "!no.such")
    with pytest.raises(DiagnosticError, match=r"unknown type 'known.tipe'"):
        parse_type(context, "!known.tipe")


def test_one_operation_at_the_top_unless_the_builtin_dialect_wraps_them():
    with pytest.raises(DiagnosticError, match="expected a single operation at the top, got 2"):
        parse_module(CONTEXT, '"a"() : () -> ()\n"b"() : () -> ()')


@pytest.mark.parametrize("opening", ["[", "{a = ", "tuple<", "(", "loc(callsite(", "vector<2x", "dense<["])
def test_deep_nesting_is_refused_not_a_crash(opening: str):
    with pytest.raises(DiagnosticError):
        parse_attribute(CONTEXT, opening * 100_000)


def test_deep_lists_of_data_are_no_recursion():
    depth = 3000
    text = f"dense<{'[' * depth}1{']' * depth}> : tensor<{'1x' * depth}i32>"
    assert getattr(parse_attribute(CONTEXT, text), "element_type") is i32  # noqa: B009


@pytest.mark.parametrize(
    "text", ['"', "%", '%0 = "', '"a"(', "^", "#", "#a = #a", "!a = !a", '"a"() ({', "\\", "\0"]
)
def test_fragments_are_refused(text: str):
    with pytest.raises(DiagnosticError):
        parse_module(CONTEXT, text)


def test_no_more_than_so_many_errors():
    assert len(errors('"a"(\n' * 1000)) == 101


def test_unclosed_regions_of_any_depth_are_one_error():
    assert len(errors('"a"() ({\n' * 20_000)) == 1
