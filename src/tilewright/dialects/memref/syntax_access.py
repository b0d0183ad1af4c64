"""The custom syntax of accesses to buffers that assembly formats do not describe."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.builtin_attributes import IntegerAttr, boolean
from tilewright.ir.builtin_types import MemRefType, i32, index
from tilewright.ir.declaration import kind as declaration_kind, traits as ir_traits
from tilewright.ir.operation import Operation
from tilewright.ir.text.hooks import CustomParse, OperandUse, RegionRequest
from tilewright.ir.value import Value

if TYPE_CHECKING:
    from tilewright.dialects.memref.ops_access import DmaStartOp, GenericAtomicRMWOp, PrefetchOp
    from tilewright.ir.text.parser import Parser
    from tilewright.ir.text.printer import Printer

_FLAGS = {"isWrite": ("read", "write"), "isDataCache": ("instr", "data")}
"""Boolean attribute -> its keywords for false and true."""


def print_access(printer: Printer, buffer: Value, indices: Sequence[Value]) -> None:
    """Print an access to an element: ``%buffer[%i, %j]``."""
    printer.print_value(buffer)
    printer.write("[")
    printer.print_operands(indices)
    printer.write("]")


def parse_access(parser: Parser) -> tuple[OperandUse, list[OperandUse]]:
    """Parse an access to an element, ``%buffer[%i, %j]``; return the buffer and its subscripts. Raises
    `ParseError` for other text.
    """
    buffer = parser.parse_operand()
    parser.expect("[")
    indices = parser.parse_operands()
    parser.expect("]")
    return buffer, indices


def print_generic_atomic(op: GenericAtomicRMWOp, printer: Printer) -> None:
    """Print `` %buffer[%i] : type { ... }``."""
    printer.write(" ")
    print_access(printer, op.memref, op.indices)
    printer.write(" : ")
    printer.print_type(op.memref.type)
    printer.write(" ")
    printer.print_region(op.atomic_body)
    printer.print_attribute_dictionary(op.held_attributes)


def parse_generic_atomic(kind: declaration_kind.OperationKind, parser: Parser) -> CustomParse:
    """Parse ``%buffer[%i] : type { ... }`` and an attribute dictionary. Yields a request for the region and
    returns the operation of ``kind``. Raises `ParseError` unless the type is a ranked memref.
    """
    start = parser.position
    buffer, indices = parse_access(parser)
    parser.expect(":")
    type = _parse_memref(parser)
    operands = parser.resolve_all([buffer, *indices], [type, *[index] * len(indices)], start)
    body = yield RegionRequest()
    attributes = parser.optional_attribute_dictionary()
    return Operation.from_parts(kind, operands, [type.element_type], attributes, [body])


def _parse_memref(parser: Parser) -> MemRefType:
    start = parser.position
    type = parser.parse_type()
    if not isinstance(type, MemRefType):
        raise parser.error(f"expected a ranked memref type, got '{type}'", start)
    return type


def print_prefetch(op: PrefetchOp, printer: Printer) -> None:
    """Print `` %buffer[%i], read, locality<3>, data : type``."""
    printer.write(" ")
    print_access(printer, op.memref, op.indices)
    printer.write(f", {_FLAGS['isWrite'][op.isWrite]}, locality<{op.localityHint}>")
    printer.write(f", {_FLAGS['isDataCache'][op.isDataCache]}")
    printer.print_attribute_dictionary(op.held_attributes, elided=("localityHint", *_FLAGS))
    printer.write(" : ")
    printer.print_type(op.memref.type)


def parse_prefetch(kind: declaration_kind.OperationKind, parser: Parser) -> Operation:
    """Parse ``%buffer[%i], read, locality<3>, data : type``, and return the operation of ``kind``; the words
    may be ``write`` and ``instr``, too. Raises `ParseError` for other text.
    """
    start = parser.position
    buffer, indices = parse_access(parser)
    attributes = _parse_flag(parser, "isWrite") | _parse_locality(parser) | _parse_flag(parser, "isDataCache")
    attributes |= parser.optional_attribute_dictionary()
    type = parser.parse_colon_type()
    operands = parser.resolve_all([buffer, *indices], [type, *[index] * len(indices)], start)
    return Operation.from_parts(kind, operands, (), attributes)


def _parse_flag(parser: Parser, name: str) -> dict[str, Attribute]:
    parser.expect(",")
    start = parser.position
    word = parser.expect_keyword()
    if word not in _FLAGS[name]:
        no, yes = _FLAGS[name]
        raise parser.error(f"expected '{no}' or '{yes}', got '{word}'", start)
    return {name: boolean(word == _FLAGS[name][1])}


def _parse_locality(parser: Parser) -> dict[str, Attribute]:
    parser.expect(",")
    if not parser.accept_keyword("locality"):
        raise parser.unexpected("'locality'")
    parser.expect("<")
    hint = IntegerAttr(i32, parser.parse_integer())
    parser.expect(">")
    return {"localityHint": hint}


def print_dma_start(op: DmaStartOp, printer: Printer) -> None:
    """Print `` %source[%i], %target[%j], %count, %tag[%k], %stride, %chunk : type, type, type``, without the
    two numbers of the stride if there are none. The operands of an invalid operation are printed as a plain
    list.
    """
    try:
        parts = op.parts()
    except ir_traits.VerifyError:
        _print_flat(op, printer)
        return
    printer.write(" ")
    print_access(printer, parts.source, parts.source_indices)
    printer.write(", ")
    print_access(printer, parts.target, parts.target_indices)
    printer.write(", ")
    printer.print_value(parts.size)
    printer.write(", ")
    print_access(printer, parts.tag, parts.tag_indices)
    if parts.strides:
        printer.write(", ")
        printer.print_operands(parts.strides)
    printer.print_attribute_dictionary(op.attributes)
    printer.write(" : ")
    printer.print_value_types((parts.source, parts.target, parts.tag))


def _print_flat(op: Operation, printer: Printer) -> None:
    """Print the operands of an invalid operation as a plain list."""
    printer.write(" ")
    printer.print_operands(op.operands)
    printer.print_attribute_dictionary(op.attributes)
    printer.write(" : ")
    printer.print_types(op.operand_types)


def parse_dma_start(kind: declaration_kind.OperationKind, parser: Parser) -> Operation:
    """Parse ``%source[%i], %target[%j], %count, %tag[%k], %stride, %chunk : type, type, type``, and return
    the operation of ``kind``. The stride and the elements per stride may be missing, both or none. Raises
    `ParseError` for other text.
    """
    start = parser.position
    source, target = _parse_access_and_comma(parser), _parse_access_and_comma(parser)
    count = parser.parse_operand()
    parser.expect(",")
    tag = parse_access(parser)
    strides = _parse_strides(parser)
    attributes = parser.optional_attribute_dictionary()
    parser.expect(":")
    buffers = parser.parse_types()
    if len(buffers) != 3:
        raise parser.error(f"expected the types of source, target and tag, got {len(buffers)} types", start)
    uses: list[OperandUse] = []
    types: list[Type] = []
    for (buffer, indices), type in zip((source, target, tag), buffers, strict=True):
        if type is buffers[-1] and buffer is tag[0]:
            uses.append(count)
            types.append(index)
        uses.extend((buffer, *indices))
        types.extend((type, *[index] * len(indices)))
    operands = parser.resolve_all([*uses, *strides], [*types, *[index] * len(strides)], start)
    return Operation.from_parts(kind, operands, (), attributes)


def _parse_access_and_comma(parser: Parser) -> tuple[OperandUse, list[OperandUse]]:
    access = parse_access(parser)
    parser.expect(",")
    return access


def _parse_strides(parser: Parser) -> list[OperandUse]:
    """Parse ``, %stride, %elements_per_stride``; return these two operands, or none if there is no comma."""
    start = parser.position
    strides = parser.parse_operands() if parser.accept(",") else []
    if len(strides) not in (0, 2):
        raise parser.error("expected a stride and a number of elements per stride", start)
    return strides
