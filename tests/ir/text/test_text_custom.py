"""Custom syntax: hooks of operations, types and attributes, name hints, default dialects, depth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Self

import pytest

from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.block import Block, Region
from tilewright.ir.builtin_types import f32, i32, index
from tilewright.ir.context import Context
from tilewright.ir.declaration.attribute_kind import IntegerKind, SymbolNameKind
from tilewright.ir.declaration.constraint import ANY_TYPE
from tilewright.ir.declaration.fields import (
    attr_def,
    operand_def,
    region_def,
    result_def,
    variadic_operand_def,
)
from tilewright.ir.declaration.traits import ImplicitTerminator, IsolatedFromAbove, NoTerminator, Terminator
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ir.dialect import Dialect
from tilewright.ir.equality import difference
from tilewright.ir.operation import Operation
from tilewright.ir.text.hooks import CustomParse, RegionArgument, RegionRequest
from tilewright.ir.text.parser import AttributeParser, Parser, parse_attribute, parse_module, parse_type
from tilewright.ir.text.printer import Printer, PrintOptions, attribute_text, operation_text
from tilewright.ir.uniquer import InvalidParameters
from tilewright.ir.value import Value


class BoxType(Type):
    """``!toy.box<4x?xelement>``."""

    name: ClassVar[str] = "toy.box"
    shape: tuple[int, ...]
    element: Type

    def verify_parameters(self) -> None:
        if len(self.shape) > 2:
            raise InvalidParameters("a box has at most two dimensions")

    def print_parameters(self, printer: Printer) -> None:
        printer.write("<")
        printer.print_dimension_list(self.shape)
        printer.print_type_short(self.element, "toy")
        printer.write(">")

    @classmethod
    def parse_parameters(cls, parser: AttributeParser) -> Self:
        parser.expect("<")
        shape = parser.parse_dimension_list()
        element = parser.parse_type_short("toy")
        parser.expect(">")
        return cls(tuple(shape), element)


class TagAttr(Attribute):
    """``#toy.tag<"text", 3>``."""

    name: ClassVar[str] = "toy.tag"
    text: str
    number: int

    def print_parameters(self, printer: Printer) -> None:
        printer.write("<")
        printer.print_string(self.text)
        printer.write(f", {self.number}>")

    @classmethod
    def parse_parameters(cls, parser: AttributeParser) -> Self:
        parser.expect("<")
        text = parser.parse_string()
        parser.expect(",")
        number = parser.parse_integer()
        parser.expect(">")
        return cls(text, number)


class YieldOp(Operation, name="toy.yield"):
    """Ends a loop body."""

    values: tuple[Value, ...] = variadic_operand_def(ANY_TYPE, "Results.")
    traits = (Terminator(),)

    def print_custom(self, printer: Printer) -> None:
        if self.operands:
            printer.write(" ")
            printer.print_operands(self.operands)
            printer.write(" : ")
            printer.print_value_types(self.operands)

    @classmethod
    def parse_custom(cls, parser: Parser) -> Operation:
        uses = parser.parse_operands()
        types = []
        if uses:
            parser.expect(":")
            types = parser.parse_types()
        return Operation.from_parts(cls.op_kind, parser.resolve_all(uses, types))


class NumberOp(Operation, name="toy.number"):
    """A number."""

    value: int = attr_def(IntegerKind(i32), "The number.")
    result: Value = result_def(ANY_TYPE, "It.")

    def result_name_hints(self) -> Sequence[str | None]:
        return [f"n{self.value}"]

    def print_custom(self, printer: Printer) -> None:
        printer.write(f" {self.value}")
        printer.print_attribute_dictionary(self.attributes, elided=["value"])

    @classmethod
    def parse_custom(cls, parser: Parser) -> Operation:
        value = parser.parse_integer_attribute(i32)
        attributes = {"value": value, **parser.optional_attribute_dictionary()}
        return Operation.from_parts(cls.op_kind, result_types=[i32], attributes=attributes)


class LoopOp(Operation, name="toy.loop"):
    """``toy.loop %i = %count { ... }``."""

    count: Value = operand_def(ANY_TYPE, "How often.")
    body: Region = region_def("Done each time.")
    traits = (ImplicitTerminator("toy.yield"),)
    default_dialect: ClassVar[str] = "toy"

    def block_argument_name_hints(self, block: Block) -> Sequence[str | None]:
        return ["i"]

    def print_custom(self, printer: Printer) -> None:
        printer.write(" ")
        printer.print_value(self.body.block.arguments[0])
        printer.write(" = ")
        printer.print_value(self.count)
        printer.write(" ")
        printer.print_region(self.body, print_entry_arguments=False, print_empty_terminator=False)

    @classmethod
    def parse_custom(cls, parser: Parser) -> CustomParse:
        induction = parser.parse_operand()
        parser.expect("=")
        count = parser.resolve(parser.parse_operand(), i32)
        body = yield RegionRequest([RegionArgument(induction, index)], default_dialect="toy")
        return Operation.from_parts(cls.op_kind, [count], regions=[body])


class UnitOp(Operation, name="toy.unit"):
    """An isolated region with a name."""

    sym_name: str = attr_def(SymbolNameKind(), "Its name.")
    body: Region = region_def("What is in it.", single_block=False)
    traits = (IsolatedFromAbove(), NoTerminator())
    default_dialect: ClassVar[str] = "toy"

    def print_custom(self, printer: Printer) -> None:
        printer.write(" ")
        printer.print_symbol_name(self.sym_name)
        printer.write(" ")
        printer.print_region(self.body)

    @classmethod
    def parse_custom(cls, parser: Parser) -> CustomParse:
        name = parser.parse_symbol_name()
        body = yield RegionRequest(isolated=True, default_dialect="toy")
        op = Operation.from_parts(cls.op_kind, regions=[body])
        op.attributes["sym_name"] = SymbolNameKind().to_attribute(name)
        return op


def parse_letter(parser: AttributeParser, mnemonic: str) -> Attribute | None:
    return TagAttr(mnemonic, 0) if len(mnemonic) == 1 else None


TOY = Dialect(
    "toy",
    operations=[YieldOp, NumberOp, LoopOp, UnitOp],
    types=[BoxType],
    attributes=[TagAttr],
    parse_attribute=parse_letter,
)
CONTEXT = Context([TOY])

TEXT = """\
toy.unit @"a b" {
  %n3 = number 3
  %n3_0 = number 3 {tag = #toy.tag<"x", 1>}
  loop %i = %n3 {
    %n4 = number 4
    loop %i_1 = %n4 {
      yield %n3, %i : i32, index
    }
  }
  loop %i = %n3_0 {
  }
}"""


def test_custom_form_is_a_fixed_point():
    module = parse_module(CONTEXT, TEXT)
    assert operation_text(module) == TEXT
    loops = [op for op in module.walk() if isinstance(op, LoopOp)]
    assert [loop.body.block.terminator is not None for loop in loops] == [True, True, True]


def test_custom_and_generic_form_are_the_same_program():
    module = parse_module(CONTEXT, TEXT)
    generic = operation_text(module, PrintOptions(generic=True))
    assert '"toy.number"() <{value = 3 : i32}> {tag = #toy.tag<"x", 1>} : () -> i32' in generic
    assert '"toy.unit"() <{sym_name = "a b"}> ({\n' in generic
    assert difference(parse_module(CONTEXT, generic), module) is None


def test_locations_of_custom_operations():
    text = operation_text(parse_module(CONTEXT, TEXT, "t"), PrintOptions(debug_info=True))
    assert "%n3 = number 3 loc(#loc" in text
    places = [op.location.source for op in parse_module(CONTEXT, text, "other").walk()]
    assert places == [op.location.source for op in parse_module(CONTEXT, TEXT, "t").walk()]
    assert places[:3] == [("t", 1, 1), ("t", 2, 9), ("t", 3, 11)]


def test_isolated_regions_hide_outer_names():
    with pytest.raises(DiagnosticError, match="use of undeclared SSA value name '%a'"):
        parse_module(CONTEXT, "toy.unit @x { %a = number 1 unit @y { loop %i = %a {} } }")
    parse_module(CONTEXT, "toy.unit @x { %a = number 1 unit @y { %a = number 2 loop %i = %a {} } }")


def test_default_dialect_ends_with_the_region():
    with pytest.raises(DiagnosticError, match="custom op 'number' is unknown"):
        parse_module(CONTEXT, "number 3")


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("!toy.box<4x?xf32>", None),
        ("!toy.box<box<2xf32>>", None),
        ("!toy.box<4x!toy.box<index>>", "!toy.box<4xbox<index>>"),
        ("!toy<box<f32>>", "!toy.box<f32>"),
        ('#toy.tag<"a\\0A", -3>', None),
        ("#toy.k", '#toy.tag<"k", 0>'),
    ],
)
def test_types_and_attributes_of_dialects(text: str, canonical: str | None):
    parse: Any = parse_type if text.startswith("!") else parse_attribute
    assert attribute_text(parse(CONTEXT, text)) == (canonical or text)


def test_short_types_need_no_prefix_only_there():
    assert parse_type(CONTEXT, "!toy.box<box<f32>>") is BoxType((), BoxType((), f32))
    with pytest.raises(DiagnosticError, match="expected non-function type, got 'box'"):
        parse_type(CONTEXT, "vector<4xbox<f32>>")


def test_illegal_parameters_have_a_place():
    with pytest.raises(DiagnosticError) as raised:
        parse_type(CONTEXT, "tuple<f32, !toy.box<1x2x3xf32>>")
    (error,) = raised.value.diagnostics
    assert str(error.code) == "TW0201"
    assert error.message == "a box has at most two dimensions"
    assert error.location.source == ("<string>", 1, 12)


def test_errors_in_custom_forms_do_not_hide_others():
    text = "toy.unit @x {\n  %a = number x\n  loop %i = %a {\n    numbr 3\n  }\n  yield 3\n}\n"
    with pytest.raises(DiagnosticError) as raised:
        parse_module(CONTEXT, text)
    found = [(d.location.source, d.message) for d in raised.value.diagnostics]
    assert found == [
        (("<string>", 2, 15), "expected attribute value, got 'x'"),
        (("<string>", 4, 5), "custom op 'numbr' is unknown"),
        (("<string>", 6, 9), "expected an operation, got '3'"),
    ]
    assert raised.value.diagnostics[1].hints == ["did you mean 'toy.number'?"]


def _nested(depth: int) -> Operation:
    """Loops in loops, built from the inside."""
    count = NumberOp(value=1, result_types=[i32])
    inner = Block([index])
    inner.append(YieldOp(values=()))
    for _ in range(depth):
        loop = LoopOp(count, body=Region([inner]), result_types=[])
        inner = Block([index])
        inner.append(loop)
        inner.append(YieldOp(values=()))
    block = Block()
    block.append(count)
    loop = inner.first
    assert loop is not None
    block.append(loop.detach())
    return UnitOp(sym_name="deep", body=Region([block]), result_types=[])


def test_fifty_thousand_levels():
    depth = 50_000
    text = '"a"() ({\n' * depth + "}) : () -> ()\n" * depth
    module = parse_module(Context(allow_unregistered=True), text)
    printed = operation_text(module, PrintOptions(generic=True))
    assert "\n".join(line.strip() for line in printed.splitlines()) == text.strip()


@pytest.mark.parametrize("options", [PrintOptions(), PrintOptions(generic=True, debug_info=True)])
def test_many_levels_of_custom_syntax(options: PrintOptions):
    depth = 10_000
    again = parse_module(CONTEXT, operation_text(_nested(depth), options))
    assert sum(isinstance(op, LoopOp) for op in again.walk()) == depth


def test_names_of_deep_nests_are_short_lived():
    """A name hint may come again in a sibling region, but not inside the region that has it."""
    text = operation_text(_nested(2))
    assert [line.strip() for line in text.splitlines()][:4] == [
        "toy.unit @deep {",
        "%n1 = number 1",
        "loop %i = %n1 {",
        "loop %i_0 = %n1 {",
    ]
