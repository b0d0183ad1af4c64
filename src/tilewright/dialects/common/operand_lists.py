"""Parses and prints lists of operands in custom syntax: numbers mixed with operands, assignments, operands of
a branch.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from tilewright.ir import block as ir_block, builtin_attributes, builtin_types
from tilewright.ir.attribute import Type
from tilewright.ir.support.record import NamedTuple
from tilewright.ir.text.hooks import OperandUse
from tilewright.ir.value import Value

if TYPE_CHECKING:
    from tilewright.ir.text import parser as text_parser, printer as text_printer


MISSING_OPERAND = "<<missing operand>>"
"""The text of a missing operand of an invalid operation."""


class IndexList(NamedTuple):
    """A parsed list of numbers and operands: the operands, and all numbers, in which `DYNAMIC` stands for
    each operand.
    """

    dynamic: list[OperandUse]
    static: list[int]

    @property
    def attribute(self) -> builtin_attributes.DenseArrayAttr:
        """Return the numbers, with `DYNAMIC` for each operand, as an array attribute of i64."""
        return builtin_attributes.DenseArrayAttr(builtin_types.i64, tuple(self.static))


def print_index_list(
    printer: text_printer.Printer, dynamic: Iterable[Value], static: Sequence[int], brackets: str = "[]"
) -> None:
    """Print the numbers of a list between ``brackets``, with the next operand of ``dynamic`` in place of each
    number `DYNAMIC`, or `MISSING_OPERAND` if there are too few.
    """
    operands = iter(dynamic)
    printer.write(brackets[0])
    for position, number in enumerate(static):
        printer.write(", " if position else "")
        if number == builtin_types.DYNAMIC:
            operand = next(operands, None)
            printer.write(MISSING_OPERAND) if operand is None else printer.print_value(operand)
        else:
            printer.write(str(number))
    printer.write(brackets[1])


def parse_index_list(parser: text_parser.Parser, brackets: str = "[]") -> IndexList:
    """Parse a list of numbers and operands between ``brackets``, such as ``[4, %n, 8]``; an operand is
    recorded as the number `DYNAMIC`.
    """
    found = IndexList([], [])
    parser.expect(brackets[0])
    while not parser.accept(brackets[1]):
        if found.static:
            parser.expect(",")
        if parser.at("%"):
            found.dynamic.append(parser.parse_operand())
            found.static.append(builtin_types.DYNAMIC)
        else:
            found.static.append(parser.parse_integer())
    return found


class DynamicIndexList:
    """The directive ``custom<DynamicIndexList>($operands, $numbers)`` of assembly formats: it prints and
    parses ``[4, %n, 8]``, where each operand stands for a `DYNAMIC` in the attribute ``numbers``.
    """

    def at(self, parser: Any) -> bool:
        """Return whether the text of the directive begins here: a bracket."""
        return parser.at("[")

    def print(self, printing: Any, dynamic: Any, static: Any) -> None:
        """Print the list of numbers and operands."""
        attribute = printing.op.attributes.get(printing.format.field(static.name).ir_name)
        numbers = attribute.values if isinstance(attribute, builtin_attributes.DenseArrayAttr) else ()
        print_index_list(printing.printer, printing.values(dynamic.name), numbers)

    def parse(self, parsing: Any, dynamic: Any, static: Any) -> None:
        """Parse a list such as ``[4, %n, 8]``, and store its operands as the operands ``dynamic`` and its
        numbers, with `DYNAMIC` for each operand, as the attribute ``static`` of the operation that is being
        parsed.
        """
        found = parse_index_list(parsing.parser)
        parsing.uses[dynamic.name] = found.dynamic
        parsing.attributes[parsing.format.field(static.name).ir_name] = found.attribute


INDEX_LISTS = {"DynamicIndexList": DynamicIndexList()}
"""The directives of this module, by their names in assembly formats."""


def parse_assignments(parser: text_parser.Parser) -> tuple[list[OperandUse], list[OperandUse]]:
    """Parse ``(%x = %y, ...)``; return the left sides and the right sides."""
    arguments: list[OperandUse] = []
    values: list[OperandUse] = []
    parser.expect("(")
    while not parser.accept(")"):
        if arguments:
            parser.expect(",")
        arguments.append(parser.parse_operand())
        parser.expect("=")
        values.append(parser.parse_operand())
    return arguments, values


def print_target(printer: text_printer.Printer, block: ir_block.Block, operands: Sequence[Value]) -> None:
    """Print a successor block with the operands passed to it: ``^block(%x : f32)``."""
    printer.print_successor(block)
    if operands:
        printer.write("(")
        printer.print_operands(operands)
        printer.write(" : ")
        printer.print_value_types(operands)
        printer.write(")")


def parse_target(parser: text_parser.Parser) -> tuple[ir_block.Block, list[OperandUse], list[Type]]:
    """Parse a successor block with the operands passed to it, ``^block(%x : f32)`` or ``^block``. Return the
    block, the operands, and their types.
    """
    block = parser.parse_successor()
    uses: list[OperandUse] = []
    types: list[Type] = []
    if parser.accept("("):
        uses = parser.parse_operands()
        parser.expect(":")
        types = parser.parse_types()
        parser.expect(")")
    return block, uses, types
