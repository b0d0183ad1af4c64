"""Decoders of operations: for every op and version one function, put together once from the op's layout."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from tilewright.bytecode import codecs as bytecode_codecs, codes
from tilewright.bytecode.cursor import Cursor, ReadError, reading
from tilewright.bytecode.reader.attributes import AttributeReader
from tilewright.bytecode.wire import WireLayout, WireOperand, layout, opcodes, preview_opcodes
from tilewright.dialects.cuda_tile.version import LATEST, Version
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.builtin_attributes import UNIT
from tilewright.ir.declaration import fields, kind as declaration_kind
from tilewright.ir.support.record import Record
from tilewright.ir.value import Value

_UINT32_MASK = 2**32 - 1
_MAXIMUM_SEGMENT = 2**31 - 1


class DecodingScope:
    """The state while the operations of a function are decoded: the cursor, the reader of attributes with the
    tables of types and of attributes decoded before, and the visible values by value number.
    """

    __slots__ = (
        "attributes",
        "cursor",
        "data",
        "known_attributes",
        "known_short",
        "known_types",
        "types",
        "values",
    )

    def __init__(self, cursor: Cursor, attributes: AttributeReader) -> None:
        self.cursor = cursor
        self.data = cursor.data
        self.attributes = attributes
        self.known_attributes = attributes.known
        self.known_short = attributes.known_short
        self.types = attributes.types
        self.known_types = attributes.types.known
        self.values: list[Value] = []


ReadResults = Callable[[DecodingScope], list[Type]]
ReadAttributes = Callable[[DecodingScope, list[Type]], tuple[dict[str, Attribute], int]]
ReadOperands = Callable[[DecodingScope, dict[str, Attribute], int], list[Value]]


class Decoder(Record, frozen=True):
    """The functions that read the parts of an operation, in the order of the file. ``attributes`` is None if
    there are neither flags nor attributes. ``implied_results`` are the types of the results that the version
    does not store: they follow the stored results, and get no value number. ``regions`` is the number of
    regions, which follow the other parts.
    """

    kind: declaration_kind.OperationKind
    results: ReadResults
    attributes: ReadAttributes | None
    operands: ReadOperands
    implied_results: tuple[Type, ...]
    regions: int
    layout: WireLayout


@cache
def find_decoder(version: Version, opcode: int) -> Decoder | None:
    """Return the decoder of an opcode below 2**32; None if the version has no such operation. It is made at
    the first call for the opcode.
    """
    op_class = opcodes(version).get(opcode)
    return None if op_class is None else _decoder(layout(op_class, version))


@cache
def find_preview_decoder(opcode: int) -> Decoder | None:
    """Return the decoder of an opcode of the preview range, made at the first call; None if there is no
    operation with this opcode.
    """
    op_class = preview_opcodes().get(opcode)
    return None if op_class is None else _decoder(layout(op_class, LATEST))


def decoders(version: Version) -> dict[int, Decoder]:
    """Return the decoders of a version by opcode; opcodes without a decoder are left out."""
    found = {opcode: find_decoder(version, opcode) for opcode in opcodes(version)}
    return {opcode: made for opcode, made in found.items() if made is not None}


def _decoder(layout: WireLayout) -> Decoder:
    has_attributes = layout.has_flags or layout.attributes or layout.defaults
    return Decoder(
        layout.kind,
        _counted_results(layout) if layout.counted_results else _fixed_results(layout),
        _attributes(layout) if has_attributes else None,
        _operands(layout),
        layout.implied_results,
        layout.regions,
        layout,
    )


def _fixed_results(layout: WireLayout) -> ReadResults:
    """Return a reader of the types of the results, whose number is fixed and not stored."""
    count, op_name = layout.results, layout.kind.op_class.__name__

    def read(scope: DecodingScope) -> list[Type]:
        return [_result_type(scope, number, op_name) for number in range(count)]

    def read_one(scope: DecodingScope) -> list[Type]:
        try:
            return [scope.types.read(scope.cursor)]
        except ReadError as error:
            raise error.within(f"failed to get result type 0 for {op_name}", scope.cursor) from None

    return read_one if count == 1 else read


def _counted_results(layout: WireLayout) -> ReadResults:
    """Return a reader of the number of results and their types. If the version fixes the number, it raises
    `ReadError` for another one; else the verifier checks it.
    """
    op_name = layout.kind.op_class.__name__
    wanted = layout.results if layout.exact_results else None

    def read(scope: DecodingScope) -> list[Type]:
        cursor = scope.cursor
        try:
            count = cursor.count()
        except ReadError as error:
            raise error.within(f"failed to read number of result types for {op_name}", cursor) from None
        if wanted is not None and count != wanted:
            return _read_mismatched_results(scope, count, wanted, op_name)
        return [_result_type(scope, number, op_name) for number in range(count)]

    return read


def _read_mismatched_results(scope: DecodingScope, count: int, wanted: int, op_name: str) -> list[Type]:
    for number in range(wanted):
        _result_type(scope, number, op_name)
    raise scope.cursor.error(
        codes.INVALID_OPERATION,
        f"result count mismatch for {op_name}: expected {wanted} compatible results but got {count}",
    )


def _result_type(scope: DecodingScope, number: int, op_name: str) -> Type:
    try:
        return scope.types.read(scope.cursor)
    except ReadError as error:
        raise error.within(f"failed to get result type {number} for {op_name}", scope.cursor) from None


def _attributes(layout: WireLayout) -> ReadAttributes:
    """Return a reader of the flags and attributes. An attribute that the version cannot represent gets its
    default.
    """
    has_flags, defaults = layout.has_flags, dict(layout.defaults)
    units = [(unit.name, 1 << unit.bit) for unit in layout.flags]
    steps = [
        (
            attribute.name,
            0 if attribute.flag is None else 1 << attribute.flag,
            bytecode_codecs.codec(attribute.kind, layout.version),
        )
        for attribute in layout.attributes
    ]

    def read(scope: DecodingScope, results: list[Type]) -> tuple[dict[str, Attribute], int]:
        flags = _flags(scope.cursor) if has_flags else 0
        attributes = defaults.copy()
        for name, mask, encoding in steps:
            if mask and not flags & mask:
                continue
            try:
                attributes[name] = encoding.decode(
                    scope.cursor, scope.attributes, results[0] if results else None
                )
            except ReadError as error:
                optional = "optional " if mask else ""
                raise error.within(f"failed to parse {optional}attribute '{name}'", scope.cursor) from None
        for name, mask in units:
            if flags & mask:
                attributes[name] = UNIT
        return attributes, flags

    return read


def _flags(cursor: Cursor) -> int:
    """Read the flags of an operation. Unknown bits are ignored, as in the public tools."""
    try:
        return cursor.varint()
    except ReadError as error:
        raise error.within("failed to read flags field", cursor) from None


def _operands(layout: WireLayout) -> ReadOperands:
    if layout.segmented:
        return _segmented_operands(layout)
    return _counted_operands if layout.counted_operands else _fixed_operands(layout.operand_count)


def _fixed_operands(count: int) -> ReadOperands:
    def read(scope: DecodingScope, attributes: dict[str, Attribute], flags: int) -> list[Value]:
        return _read_operands(scope, count)

    return read


def _counted_operands(scope: DecodingScope, attributes: dict[str, Attribute], flags: int) -> list[Value]:
    with reading("failed to read operand count", scope.cursor):
        count = scope.cursor.count()
    return _read_operands(scope, count)


def _read_operands(scope: DecodingScope, count: int) -> list[Value]:
    """Read ``count`` operands by value number. A fast loop reads them; if it fails, they are read again with
    all checks.
    """
    cursor, values = scope.cursor, scope.values
    data = cursor.data
    start = position = cursor.position
    operands: list[Value] = []
    try:
        for _ in range(count):
            index = data[position]
            position += 1
            if index > 0x7F:
                cursor.position = position - 1
                index = cursor.varint()
                position = cursor.position
            operands.append(values[index])
    except (IndexError, ReadError):
        position = cursor.end + 1
    if position > cursor.end:
        cursor.position = start
        return _checked_operands(scope, count)
    cursor.position = position
    return operands


def _checked_operands(scope: DecodingScope, count: int) -> list[Value]:
    cursor, values = scope.cursor, scope.values
    operands: list[Value] = []
    for number in range(count):
        with reading(f"failed to read operand index {number}", cursor):
            index = cursor.varint()
        if index >= len(values):
            message = f"operand index {index} out of bounds (size={len(values)}) for operand {number}"
            raise cursor.error(codes.INVALID_INDEX, message)
        operands.append(values[index])
    return operands


def _segmented_operands(layout: WireLayout) -> ReadOperands:
    """Return a reader of groups of operands, each with its own count or flag. It also sets the attribute with
    the sizes of the groups.
    """
    groups = layout.operands
    op_name = layout.kind.name

    def read(scope: DecodingScope, attributes: dict[str, Attribute], flags: int) -> list[Value]:
        operands: list[Value] = []
        sizes: list[int] = []
        for group in groups:
            size = _segment_size(scope.cursor, group, flags, op_name)
            sizes.append(size)
            for number in range(size):
                operands.append(_segment_operand(scope, group.name, number))
        attributes[declaration_kind.OPERAND_SEGMENTS] = declaration_kind.segments(sizes)
        return operands

    return read


def _segment_size(cursor: Cursor, group: WireOperand, flags: int, op_name: str) -> int:
    if group.arity is fields.Arity.ONE:
        return 1
    if group.arity is fields.Arity.OPTIONAL:
        return flags >> (group.flag or 0) & 1 if group.available else 0
    with reading(
        f"failed to read actual size for variadic ODS segment '{group.name}' of op '{op_name}'", cursor
    ):
        size = cursor.varint() & _UINT32_MASK
    if size > _MAXIMUM_SEGMENT:
        message = f"failed to read operands for {group.name} segment, exceeds maximum supported capacity"
        raise cursor.error(codes.INVALID_OPERATION, message)
    return size


def _segment_operand(scope: DecodingScope, group: str, number: int) -> Value:
    cursor, values = scope.cursor, scope.values
    try:
        index = cursor.varint()
    except ReadError as error:
        message = f"failed to read operand index for {group} segment, element {number}"
        raise error.within(message, cursor) from None
    if index >= len(values):
        message = (
            f"operand index {index} out of bounds (size={len(values)}) for {group} segment, element {number}"
        )
        raise cursor.error(codes.INVALID_INDEX, message)
    return values[index]
