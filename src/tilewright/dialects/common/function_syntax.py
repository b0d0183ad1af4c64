"""The custom syntax of operations that are functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from tilewright.ir import block as ir_block, builtin_types
from tilewright.ir.attribute import Attribute, Location, Type
from tilewright.ir.builtin_attributes import ArrayAttr, DictionaryAttr, StringAttr, TypeAttr
from tilewright.ir.operation import Operation
from tilewright.ir.text.hooks import CustomParse, RegionArgument, RegionRequest

if TYPE_CHECKING:
    from tilewright.ir.text import parser as text_parser, printer as text_printer

VISIBILITIES = ("public", "private", "nested")
SPELT = ("sym_name", "function_type", "sym_visibility", "arg_attrs", "res_attrs")
Named = Mapping[str, Attribute]


class PrintedFunction(Protocol):
    """A function that has custom syntax: its symbol name (``sym_name``), its ``function_type``, its ``body``
    (without blocks for a declaration), and all of its attributes (``held_attributes``).
    """

    body: ir_block.Region
    function_type: builtin_types.FunctionType
    sym_name: str

    @property
    def held_attributes(self) -> Mapping[str, Attribute]:
        """The inherent and discardable attributes of the function."""
        ...


def print_function(op: PrintedFunction, printer: text_printer.Printer) -> None:
    """Print a function: `` private @name(%x: i32 {a = 1 : i32}) -> (i32 {b}) attributes {c} { ... }``."""
    printer.write(" ")
    visibility: Any = op.held_attributes.get("sym_visibility")
    if visibility is not None:
        printer.write(f"{visibility.value} ")
    printer.print_symbol_name(op.sym_name)
    _print_arguments(op, printer)
    _print_results(op, printer)
    printer.print_attribute_dictionary(op.held_attributes, elided=SPELT, keyword=True)
    if op.body.blocks:
        printer.write(" ")
        printer.print_region(op.body, print_entry_arguments=False)


def _dictionaries(attribute: Any, count: int) -> Sequence[Named]:
    if attribute is None:
        nothing: Named = {}
        return [nothing] * count
    return [dict(dictionary.entries) for dictionary in attribute.elements]


def _print_arguments(op: PrintedFunction, printer: text_printer.Printer) -> None:
    types = op.function_type.inputs
    block = op.body.blocks[0] if op.body.blocks else None
    dictionaries = _dictionaries(op.held_attributes.get("arg_attrs"), len(types))
    printer.write("(")
    for number, (type, dictionary) in enumerate(zip(types, dictionaries, strict=True)):
        printer.write(", " if number else "")
        if block is not None:
            printer.print_value(block.arguments[number])
            printer.write(": ")
        printer.print_type(type)
        printer.print_attribute_dictionary(dictionary)
        if block is not None:
            printer.print_location(block.argument_location(number), alias=False)
    printer.write(")")


def _print_results(op: PrintedFunction, printer: text_printer.Printer) -> None:
    types = op.function_type.results
    dictionaries = _dictionaries(op.held_attributes.get("res_attrs"), len(types))
    if not types:
        return
    bare = len(types) == 1 and not dictionaries[0] and not isinstance(types[0], builtin_types.FunctionType)
    printer.write(" -> " if bare else " -> (")
    for number, (type, dictionary) in enumerate(zip(types, dictionaries, strict=True)):
        printer.write(", " if number else "")
        printer.print_type(type)
        printer.print_attribute_dictionary(dictionary)
    printer.write("" if bare else ")")


def parse_function(op_class: type[Operation], parser: text_parser.Parser) -> CustomParse:
    """Parse a function of the class ``op_class`` from its visibility on, such as `` private @name(%x: i32 {a
    = 1 : i32}) -> (i32 {b}) attributes {c} { ... }``. The generator yields the request for the body, which
    may be absent, is sent the region, and returns the operation.
    """
    attributes: dict[str, Attribute] = {}
    word = parser.peek_keyword()
    if word in VISIBILITIES:
        attributes["sym_visibility"] = StringAttr(parser.expect_keyword())
    attributes["sym_name"] = StringAttr(parser.parse_symbol_name())
    arguments, inputs, input_attributes = _parse_arguments(parser)
    results, result_attributes = _parse_results(parser)
    attributes["function_type"] = TypeAttr(builtin_types.FunctionType(tuple(inputs), tuple(results)))
    _store(attributes, "arg_attrs", input_attributes)
    _store(attributes, "res_attrs", result_attributes)
    if parser.accept_keyword("attributes"):
        attributes.update(parser.parse_attribute_dictionary())
    dialect = getattr(op_class, "default_dialect", "")
    body = yield RegionRequest(arguments, isolated=True, optional=True, default_dialect=dialect)
    return Operation.from_parts(op_class.op_kind, (), (), attributes, [body])


def _store(attributes: dict[str, Attribute], name: str, dictionaries: Sequence[Named]) -> None:
    if any(dictionaries):
        attributes[name] = ArrayAttr(tuple(DictionaryAttr.of(dictionary) for dictionary in dictionaries))


def _parse_arguments(parser: text_parser.Parser) -> tuple[list[RegionArgument], list[Type], list[Named]]:
    arguments: list[RegionArgument] = []
    types: list[Type] = []
    dictionaries: list[Named] = []
    parser.expect("(")
    while not parser.accept(")"):
        if types:
            parser.expect(",")
        use = parser.optional_operand()
        if use is not None:
            parser.expect(":")
        types.append(parser.parse_type())
        dictionaries.append(parser.optional_attribute_dictionary())
        location: Location | None = parser.optional_location()
        if use is not None:
            arguments.append(RegionArgument(use, types[-1], location))
    return arguments, types, dictionaries


def _parse_results(parser: text_parser.Parser) -> tuple[list[Type], list[Named]]:
    types: list[Type] = []
    dictionaries: list[Named] = []
    if not parser.accept("->"):
        return types, dictionaries
    if not parser.accept("("):
        return [parser.parse_type()], [{}]
    while not parser.accept(")"):
        if types:
            parser.expect(",")
        types.append(parser.parse_type())
        dictionaries.append(parser.optional_attribute_dictionary())
    return types, dictionaries
