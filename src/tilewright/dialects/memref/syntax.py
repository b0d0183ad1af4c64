"""The custom syntax of memref operations that is not written in their declarations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from tilewright.dialects.common.index_list import DynamicIndexList
from tilewright.ir.affine import AffineMapAttr
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.block import Region
from tilewright.ir.builtin_attributes import UNIT, IntegerAttr, TypeAttr, UnitAttr, boolean
from tilewright.ir.builtin_types import MemRefType, RankedTensorType, i32, index
from tilewright.ir.kind import OperationKind
from tilewright.ir.operation import Operation
from tilewright.ir.text.affine_parser import parse_map_body
from tilewright.ir.text.hooks import CustomParse, OperandUse, RegionRequest
from tilewright.ir.traits import VerifyError
from tilewright.ir.value import OpResult, Value

if TYPE_CHECKING:
    from tilewright.ir.text.parser import Parser
    from tilewright.ir.text.printer import Printer

_FLAGS = {"isWrite": ("read", "write"), "isDataCache": ("instr", "data")}
"""The words for false and true."""


class AllocaScope(Protocol):
    """The fields of `AllocaScopeOp` that the functions here read."""

    held_attributes: Mapping[str, Attribute]
    bodyRegion: Region
    results: tuple[OpResult, ...]


class GenericAtomicRMW(Protocol):
    """The fields of `GenericAtomicRMWOp` that the functions here read."""

    atomic_body: Region
    held_attributes: Mapping[str, Attribute]
    indices: tuple[Value, ...]
    memref: Value


class Prefetch(Protocol):
    """The fields of `PrefetchOp` that the functions here read."""

    held_attributes: Mapping[str, Attribute]
    indices: tuple[Value, ...]
    isDataCache: bool
    isWrite: bool
    localityHint: int
    memref: Value


class Transpose(Protocol):
    """The fields of `TransposeOp` that the functions here read."""

    held_attributes: Mapping[str, Attribute]
    in_: Value
    permutation: AffineMapAttr
    result: Value


class GlobalInitialValue:
    """``memref<2xf32> = dense<0.0>``, ``= uninitialized``, or the type alone for what is defined elsewhere."""

    def at(self, parser: Any) -> bool:
        """Whether there is a type."""
        return parser.peek_keyword() == "memref"

    def print(self, printing: Any, type: Any, initial_value: Any) -> None:
        """Print the type, then the value without its type."""
        printer, op = printing.printer, printing.op
        printer.print_type(op.type)
        if op.initial_value is None:
            return
        printer.write(" = ")
        if isinstance(op.initial_value, UnitAttr):
            printer.write("uninitialized")
        else:
            printer.print_attribute_without_type(op.initial_value)

    def parse(self, parsing: Any, type: Any, initial_value: Any) -> None:
        """Parse what `print` printed; the value is a tensor of the shape of the buffer."""
        parser: Parser = parsing.parser
        start = parser.position
        memref = parser.parse_type()
        if not isinstance(memref, MemRefType) or not memref.has_static_shape:
            raise parser.error(f"type should be static shaped memref, but got '{memref}'", start)
        parsing.attributes[type.name] = TypeAttr(memref)
        if parser.accept("="):
            parsing.attributes[initial_value.name] = _parse_initial_value(parser, memref)


def _parse_initial_value(parser: Parser, memref: MemRefType) -> Attribute:
    if parser.accept_keyword("uninitialized"):
        return UNIT
    if parser.peek_keyword() != "dense":
        raise parser.unexpected("'uninitialized' or 'dense<...>'")
    parser.expect_keyword()
    parser.expect("<")
    literal = parser.parse_dense_literal()
    parser.expect(">")
    return literal.to_attribute(parser, RankedTensorType(memref.shape, memref.element_type))


INDEX_LISTS = {"DynamicIndexList": DynamicIndexList()}
GLOBALS = {"GlobalMemrefOpTypeAndInitialValue": GlobalInitialValue()}
"""Directives by the names that the assembly formats have for them."""


def print_access(printer: Printer, buffer: Value, indices: Sequence[Value]) -> None:
    """``%buffer[%i, %j]``."""
    printer.print_value(buffer)
    printer.write("[")
    printer.print_operands(indices)
    printer.write("]")


def parse_access(parser: Parser) -> tuple[OperandUse, list[OperandUse]]:
    """Parse what `print_access` printed."""
    buffer = parser.parse_operand()
    parser.expect("[")
    indices = parser.parse_operands()
    parser.expect("]")
    return buffer, indices


def print_scope(op: AllocaScope, printer: Printer) -> None:
    """``  -> (type) { ... }``."""
    printer.write(" ")
    if op.results:
        printer.write(" -> (")
        printer.print_types([value.type for value in op.results])
        printer.write(")")
    printer.write(" ")
    printer.print_region(op.bodyRegion, print_entry_arguments=False, print_empty_terminator=bool(op.results))
    printer.print_attribute_dictionary(op.held_attributes)


def parse_scope(kind: OperationKind, parser: Parser) -> CustomParse:
    """Parse what `print_scope` printed."""
    types = parser.parse_result_types() if parser.accept("->") else []
    body = yield RegionRequest()
    return Operation.from_parts(kind, (), types, parser.optional_attribute_dictionary(), [body])


def print_generic_atomic(op: GenericAtomicRMW, printer: Printer) -> None:
    """`` %buffer[%i] : type { ... }``."""
    printer.write(" ")
    print_access(printer, op.memref, op.indices)
    printer.write(" : ")
    printer.print_type(op.memref.type)
    printer.write(" ")
    printer.print_region(op.atomic_body)
    printer.print_attribute_dictionary(op.held_attributes)


def parse_generic_atomic(kind: OperationKind, parser: Parser) -> CustomParse:
    """Parse what `print_generic_atomic` printed."""
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


def print_prefetch(op: Prefetch, printer: Printer) -> None:
    """`` %buffer[%i], read, locality<3>, data : type``."""
    printer.write(" ")
    print_access(printer, op.memref, op.indices)
    printer.write(f", {_FLAGS['isWrite'][op.isWrite]}, locality<{op.localityHint}>")
    printer.write(f", {_FLAGS['isDataCache'][op.isDataCache]}")
    printer.print_attribute_dictionary(op.held_attributes, elided=("localityHint", *_FLAGS))
    printer.write(" : ")
    printer.print_type(op.memref.type)


def parse_prefetch(kind: OperationKind, parser: Parser) -> Operation:
    """Parse what `print_prefetch` printed."""
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


def print_transpose(op: Transpose, printer: Printer) -> None:
    """`` %buffer (d0, d1) -> (d1, d0) : type to type``."""
    printer.write(" ")
    printer.print_value(op.in_)
    printer.write(f" {op.permutation.text}")
    printer.print_attribute_dictionary(op.held_attributes, elided=("permutation",))
    printer.write(" : ")
    printer.print_type(op.in_.type)
    printer.write(" to ")
    printer.print_type(op.result.type)


def parse_transpose(kind: OperationKind, parser: Parser) -> Operation:
    """Parse what `print_transpose` printed."""
    use = parser.parse_operand()
    attributes: dict[str, Attribute] = {"permutation": AffineMapAttr(parse_map_body(parser))}
    attributes |= parser.optional_attribute_dictionary()
    operand = parser.resolve(use, parser.parse_colon_type())
    if not parser.accept_keyword("to"):
        raise parser.unexpected("'to'")
    return Operation.from_parts(kind, [operand], [parser.parse_type()], attributes)


def print_dma_start(op: Any, printer: Printer) -> None:
    """`` %source[%i], %target[%j], %count, %tag[%k], %stride, %chunk : type, type, type``."""
    try:
        parts = op.parts()
    except VerifyError:
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
    """Operands of which a broken rule hides the meaning."""
    printer.write(" ")
    printer.print_operands(op.operands)
    printer.print_attribute_dictionary(op.attributes)
    printer.write(" : ")
    printer.print_types(op.operand_types)


def parse_dma_start(kind: OperationKind, parser: Parser) -> Operation:
    """Parse what `print_dma_start` printed."""
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
    """``, %stride, %elements_per_stride``, or nothing."""
    start = parser.position
    strides = parser.parse_operands() if parser.accept(",") else []
    if len(strides) not in (0, 2):
        raise parser.error("expected a stride and a number of elements per stride", start)
    return strides
