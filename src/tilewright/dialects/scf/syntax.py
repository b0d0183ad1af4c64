"""The custom syntax of sequential control flow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tilewright.dialects.common.operand_lists import parse_assignments
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.block import Block
from tilewright.ir.builtin_attributes import UNIT
from tilewright.ir.builtin_types import i1, index
from tilewright.ir.declaration.kind import OperationKind
from tilewright.ir.operation import Operation
from tilewright.ir.text.hooks import CustomParse, OperandUse, RegionArgument, RegionRequest
from tilewright.ir.value import Value

if TYPE_CHECKING:
    from tilewright.dialects.scf.ops_loop import ExecuteRegionOp, ForOp, IfOp, WhileOp
    from tilewright.ir.text.parser import Parser
    from tilewright.ir.text.printer import Printer


def print_initial(printer: Printer, arguments: Sequence[Value], values: Sequence[Value]) -> None:
    """Print the iteration arguments of a loop with their initial values: ``(%argument = %value, ...)``."""
    printer.write("(")
    for number, (argument, value) in enumerate(zip(arguments, values, strict=True)):
        printer.write(", " if number else "")
        printer.print_value(argument)
        printer.write(" = ")
        printer.print_value(value)
    printer.write(")")


def region_arguments(
    parser: Parser, uses: Sequence[OperandUse], types: Sequence[Type]
) -> list[RegionArgument]:
    """Return the arguments of a region, from their names `uses` and their `types`, which the text has
    elsewhere. Raises `ParseError` if the two differ in number.
    """
    if len(uses) != len(types):
        raise parser.error(f"expected {len(uses)} types for the arguments of the region, got {len(types)}")
    return [RegionArgument(use, type) for use, type in zip(uses, types, strict=True)]


def print_for(op: ForOp, printer: Printer) -> None:
    """Print the text of a `scf.for` after its name: `` %k = %a to %b step %s iter_args(%x = %y) -> (type) :
    type { ... }``, with ``unsigned`` in front if `unsignedCmp`. ``iter_args`` and its types are omitted if no
    values are carried, the type of the counter if it is ``index``.
    """
    arguments = op.region.blocks[0].arguments
    printer.write(" unsigned " if op.unsignedCmp else " ")
    for word, value in zip(("", " = ", " to ", " step "), (arguments[0], *op.operands[:3]), strict=True):
        printer.write(word)
        printer.print_value(value)
    if op.initArgs:
        printer.write(" iter_args")
        print_initial(printer, arguments[1:], op.initArgs)
        printer.write(" -> (")
        printer.print_value_types(op.initArgs)
        printer.write(")")
    printer.write(" ")
    if arguments[0].type is not index:
        printer.write(" : ")
        printer.print_type(arguments[0].type)
        printer.write(" ")
    printer.print_region(op.region, print_entry_arguments=False, print_empty_terminator=bool(op.initArgs))
    printer.print_attribute_dictionary(op.attributes, elided=("unsignedCmp",))


def parse_for(kind: OperationKind, parser: Parser) -> CustomParse:
    """Parse the text of a `scf.for` after its name: ``%k = %a to %b step %s iter_args(%x = %y) -> (type) :
    type { ... }``, with ``unsigned`` in front for an unsigned comparison. ``iter_args`` may be missing, as
    may the type of the counter, which is ``index`` then. Raises `ParseError` for other text.
    """
    start = parser.position
    attributes: dict[str, Attribute] = {}
    if parser.accept_keyword("unsigned"):
        attributes["unsignedCmp"] = UNIT
    counter, bounds = _parse_range(parser)
    names: list[OperandUse] = []
    values: list[OperandUse] = []
    types: list[Type] = []
    if parser.accept_keyword("iter_args"):
        names, values = parse_assignments(parser)
        parser.expect("->")
        types = parser.parse_result_types()
    type = parser.parse_type() if parser.accept(":") else index
    operands = parser.resolve_all([*bounds, *values], [type, type, type, *types], start)
    body = yield RegionRequest(region_arguments(parser, [counter, *names], [type, *types]))
    attributes.update(parser.optional_attribute_dictionary())
    return Operation.from_parts(kind, operands, types, attributes, [body])


def _parse_range(parser: Parser) -> tuple[OperandUse, list[OperandUse]]:
    """Parse ``%k = %a to %b step %s``; return the counter, and the bounds and the step."""
    counter = parser.parse_operand()
    parser.expect("=")
    bounds = [parser.parse_operand()]
    for word in ("to", "step"):
        if not parser.accept_keyword(word):
            raise parser.unexpected(f"'{word}'")
        bounds.append(parser.parse_operand())
    return counter, bounds


def print_if(op: IfOp, printer: Printer) -> None:
    """Print the text of a `scf.if` after its name: `` %c -> (type) { ... } else { ... }``, without the types
    if there are no results, and without ``else`` if the second region is empty.
    """
    printer.write(" ")
    printer.print_value(op.condition)
    if op.results:
        printer.write(" -> (")
        printer.print_types(op.result_types)
        printer.write(")")
    printer.write(" ")
    _print_branch(op, op.thenRegion, printer)
    if op.elseRegion.blocks:
        printer.write(" else ")
        _print_branch(op, op.elseRegion, printer)
    printer.print_attribute_dictionary(op.attributes)


def _print_branch(op: Operation, region: Any, printer: Printer) -> None:
    printer.print_region(region, print_entry_arguments=False, print_empty_terminator=bool(op.results))


def parse_if(kind: OperationKind, parser: Parser) -> CustomParse:
    """Parse the text of a `scf.if` after its name: ``%c -> (type) { ... } else { ... }``, where the types and
    ``else`` with its region may be missing. Raises `ParseError` for other text.
    """
    condition = parser.resolve(parser.parse_operand(), i1)
    types = parser.parse_result_types() if parser.accept("->") else []
    then = yield RegionRequest()
    request = RegionRequest()
    otherwise = request.region
    if parser.accept_keyword("else"):
        otherwise = yield request
        if not otherwise.blocks:
            otherwise.append(Block())
    attributes = parser.optional_attribute_dictionary()
    return Operation.from_parts(kind, [condition], types, attributes, [then, otherwise])


def print_while(op: WhileOp, printer: Printer) -> None:
    """Print the text of a `scf.while` after its name: `` (%x = %y) : (type) -> type { ... } do { ... }``,
    followed by ``attributes {...}`` if there are any.
    """
    if op.inits:
        printer.write(" ")
        print_initial(printer, op.before.blocks[0].arguments, op.inits)
    printer.write(" : ")
    printer.print_functional_type(op.operand_types, op.result_types)
    printer.write(" ")
    printer.print_region(op.before, print_entry_arguments=False)
    printer.write(" do ")
    printer.print_region(op.after)
    printer.print_attribute_dictionary(op.attributes, keyword=True)


def parse_while(kind: OperationKind, parser: Parser) -> CustomParse:
    """Parse the text of a `scf.while` after its name: ``(%x = %y) : (type) -> type { ... } do { ... }
    attributes {...}``, where the assignments and the attributes may be missing. Raises `ParseError` for other
    text.
    """
    start = parser.position
    names, values = parse_assignments(parser) if parser.at("(") else ([], [])
    parser.expect(":")
    inputs, results = parser.parse_functional_type()
    operands = parser.resolve_all(values, inputs, start)
    before = yield RegionRequest(region_arguments(parser, names, inputs))
    if not parser.accept_keyword("do"):
        raise parser.unexpected("'do'")
    after = yield RegionRequest()
    attributes: dict[str, Attribute] = {}
    if parser.accept_keyword("attributes"):
        attributes.update(parser.parse_attribute_dictionary())
    return Operation.from_parts(kind, operands, results, attributes, [before, after])


def print_execute_region(op: ExecuteRegionOp, printer: Printer) -> None:
    """Print the text of a `scf.execute_region` after its name: `` -> type no_inline { ... }``, without the
    types if there are no results.
    """
    if op.results:
        types = op.result_types
        printer.write(" -> " if len(types) == 1 else " -> (")
        printer.print_types(types)
        printer.write("" if len(types) == 1 else ")")
    printer.write(" no_inline " if op.no_inline else " ")
    printer.print_region(op.region)
    printer.print_attribute_dictionary(op.attributes, elided=("no_inline",))


def parse_execute_region(kind: OperationKind, parser: Parser) -> CustomParse:
    """Parse the text of a `scf.execute_region` after its name: ``-> type no_inline { ... } {...}``, where
    result types, ``no_inline`` and the attributes may be missing. Raises `ParseError` for other text.
    """
    types = parser.parse_result_types() if parser.accept("->") else []
    attributes: dict[str, Attribute] = {"no_inline": UNIT} if parser.accept_keyword("no_inline") else {}
    body = yield RegionRequest()
    attributes.update(parser.optional_attribute_dictionary())
    return Operation.from_parts(kind, (), types, attributes, [body])
