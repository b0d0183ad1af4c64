"""The custom syntax of buffers that assembly formats do not describe."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tilewright.ir import builtin_attributes, builtin_types
from tilewright.ir.attribute import Attribute
from tilewright.ir.declaration.kind import OperationKind
from tilewright.ir.operation import Operation
from tilewright.ir.text import hooks

if TYPE_CHECKING:
    from tilewright.dialects.memref.ops_buffer import AllocaScopeOp
    from tilewright.ir.text import parser as text_parser, printer as text_printer


class GlobalInitialValue:
    """The format directive for ``memref<2xf32> = dense<0.0>``, ``= uninitialized``, or the type alone for an
    external buffer.
    """

    def at(self, parser: Any) -> bool:
        """Return whether the next token is ``memref``, with which the text of the directive begins."""
        return parser.peek_keyword() == "memref"

    def print(self, printing: Any, type: Any, initial_value: Any) -> None:
        """Print the type of the buffer, then ``=`` and the initial value without its type. A unit attribute
        is printed as ``uninitialized``. An external buffer has no initial value: only its type is printed.
        """
        printer, op = printing.printer, printing.op
        printer.print_type(op.type)
        if op.initial_value is None:
            return
        printer.write(" = ")
        if isinstance(op.initial_value, builtin_attributes.UnitAttr):
            printer.write("uninitialized")
        else:
            printer.print_attribute_without_type(op.initial_value)

    def parse(self, parsing: Any, type: Any, initial_value: Any) -> None:
        """Parse the type, and after ``=`` the value: ``uninitialized``, or ``dense<...>``, a tensor of the
        shape of the buffer. Without ``=`` the buffer has no initial value. Raises `ParseError` unless the
        type is a memref of static shape.
        """
        parser: text_parser.Parser = parsing.parser
        start = parser.position
        memref = parser.parse_type()
        if not isinstance(memref, builtin_types.MemRefType) or not memref.has_static_shape:
            raise parser.error(f"type should be static shaped memref, but got '{memref}'", start)
        parsing.attributes[type.name] = builtin_attributes.TypeAttr(memref)
        if parser.accept("="):
            parsing.attributes[initial_value.name] = _parse_initial_value(parser, memref)


def _parse_initial_value(parser: text_parser.Parser, memref: builtin_types.MemRefType) -> Attribute:
    if parser.accept_keyword("uninitialized"):
        return builtin_attributes.UNIT
    if parser.peek_keyword() != "dense":
        raise parser.unexpected("'uninitialized' or 'dense<...>'")
    parser.expect_keyword()
    parser.expect("<")
    literal = parser.parse_dense_literal()
    parser.expect(">")
    return literal.to_attribute(parser, builtin_types.RankedTensorType(memref.shape, memref.element_type))


GLOBALS = {"GlobalMemrefOpTypeAndInitialValue": GlobalInitialValue()}
"""Name of a directive in assembly formats -> directive."""


def print_scope(op: AllocaScopeOp, printer: text_printer.Printer) -> None:
    """Print ``  -> (type) { ... }``; the types of the results are left out if there are none."""
    printer.write(" ")
    if op.results:
        printer.write(" -> (")
        printer.print_types([value.type for value in op.results])
        printer.write(")")
    printer.write(" ")
    printer.print_region(op.bodyRegion, print_entry_arguments=False, print_empty_terminator=bool(op.results))
    printer.print_attribute_dictionary(op.held_attributes)


def parse_scope(kind: OperationKind, parser: text_parser.Parser) -> hooks.CustomParse:
    """Parse ``-> (type) { ... }`` and an attribute dictionary; the types of the results may be missing.
    Yields a request for the region and returns the operation of ``kind``.
    """
    types = parser.parse_result_types() if parser.accept("->") else []
    body = yield hooks.RegionRequest()
    return Operation.from_parts(kind, (), types, parser.optional_attribute_dictionary(), [body])
