"""The custom syntax of views of buffers that is not written in their declarations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilewright.ir.arithmetic.affine import AffineMapAttr
from tilewright.ir.attribute import Attribute
from tilewright.ir.declaration.kind import OperationKind
from tilewright.ir.operation import Operation
from tilewright.ir.text.affine_parser import parse_map_body

if TYPE_CHECKING:
    from tilewright.dialects.memref.ops_view import TransposeOp
    from tilewright.ir.text.parser import Parser
    from tilewright.ir.text.printer import Printer


def print_transpose(op: TransposeOp, printer: Printer) -> None:
    """`` %buffer (d0, d1) -> (d1, d0) : type to type``."""
    printer.write(" ")
    printer.print_value(op.in_)
    printer.write(f" {op.permutation.map}")
    printer.print_attribute_dictionary(op.held_attributes, elided=("permutation",))
    printer.write(" : ")
    printer.print_type(op.in_.type)
    printer.write(" to ")
    printer.print_type(op.result.type)


def parse_transpose(kind: OperationKind, parser: Parser) -> Operation:
    """Parse the text that `print_transpose` prints."""
    use = parser.parse_operand()
    attributes: dict[str, Attribute] = {"permutation": AffineMapAttr(parse_map_body(parser))}
    attributes |= parser.optional_attribute_dictionary()
    operand = parser.resolve(use, parser.parse_colon_type())
    if not parser.accept_keyword("to"):
        raise parser.unexpected("'to'")
    return Operation.from_parts(kind, [operand], [parser.parse_type()], attributes)
