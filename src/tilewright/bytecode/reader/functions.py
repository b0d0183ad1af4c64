"""The function table: kernels and their bodies."""

from __future__ import annotations

from collections.abc import Iterator

from tilewright.bytecode.codes import (
    INVALID_FUNCTION,
    INVALID_INDEX,
    INVALID_TABLE,
    PREVIEW,
)
from tilewright.bytecode.cursor import ByteRange, Cursor, ErrorFrame, ReadError, reading
from tilewright.bytecode.preview import NO_PREVIEW, Preview
from tilewright.bytecode.reader.attributes import AttributeReader
from tilewright.bytecode.reader.debug_info import DebugInfo, LocationRows
from tilewright.bytecode.reader.operations import BodyReader
from tilewright.dialects.cuda_tile.attributes import OptimizationHintsAttr
from tilewright.dialects.cuda_tile.ops.control import EntryOp
from tilewright.dialects.cuda_tile.version import V13_4, V13_5, Version
from tilewright.ir import block as ir_block, builtin_types, diagnostic, location as ir_location
from tilewright.ir.attribute import Attribute, Location
from tilewright.ir.builtin_attributes import ArrayAttr, DictionaryAttr, StringAttr, TypeAttr
from tilewright.ir.operation import Operation
from tilewright.ir.support.record import Record

PRIVATE = 1
KERNEL = 2
HAS_HINTS = 4
"""The flag that a function has hints, in versions up to 13.4."""
EXTERN = 4
"""The flag of the implementation of an extern function, from 13.5 on (preview)."""
TESTING = 8
"""The flag of a form that only test builds of the public tools accept, from 13.5 on."""
NO_ATTRIBUTES = DictionaryAttr()
PREVIEW_MESSAGE = "uses preview feature 'simt', which is not enabled"
EXTERN_MESSAGE = (
    "function entry is an extern implementation, which is not read: only calls of extern functions are"
)
INNER_MESSAGE = "'cuda_tile.preview$func' op must be extern when serialized to bytecode"


class FunctionEntry(Record, frozen=True):
    """An entry of the function table: its ``offset`` in the file, the indices of its ``name`` and
    ``signature`` in the string and type tables, its flags, its number in the debug section (``location``; 0:
    none), and the byte range of its body. ``hints`` is None if the entry has none, ``arguments`` (attributes
    of arguments) before 13.5.
    """

    offset: int
    name: int
    signature: int
    flags: int
    location: int
    hints: Attribute | None
    arguments: Attribute | None
    body: ByteRange


def read_function_table(cursor: Cursor, reader: AttributeReader) -> list[FunctionEntry]:
    """Read all entries of the function section; their bodies are skipped. Raises `ReadError` for a malformed
    entry.
    """
    with reading("failed to parse function section"):
        count = cursor.varint()
        size = cursor.end - cursor.start
        if count > size:
            raise cursor.error(INVALID_TABLE, f"number of functions ({count}) exceeds payload size ({size})")
        return [_read_entry(cursor, reader) for _ in range(count)]


def _read_entry(cursor: Cursor, reader: AttributeReader) -> FunctionEntry:
    offset = cursor.position
    name, signature, flags, location = cursor.varint(), cursor.varint(), cursor.byte(), cursor.varint()
    _check_flags(cursor, flags, reader)
    hints = reader.tagged(cursor) if _has_hints(flags, reader.version) else None
    arguments = reader.tagged(cursor) if reader.version >= V13_5 else None
    length = cursor.varint()
    if length > cursor.remaining:
        message = f"function body length {length} exceeds remaining bytecode data ({cursor.remaining} bytes)"
        raise cursor.error(INVALID_TABLE, message)
    body = cursor.sub(length)
    return FunctionEntry(
        offset, name, signature, flags, location, hints, arguments, ByteRange(body.start, body.end)
    )


def _check_flags(cursor: Cursor, flags: int, reader: AttributeReader) -> None:
    """Raise `ReadError` for the flags of a function that cannot be read. Before 13.4 any bit may be set, as
    in the public tools; from 13.4 on, unknown bits are refused. From 13.5 on, the flags for test builds and
    for extern implementations are refused as well, also if the preview is enabled.
    """
    version = reader.version
    known = PRIVATE | KERNEL | (EXTERN | TESTING if version >= V13_5 else HAS_HINTS)
    if version >= V13_4 and (unknown := flags & ~known):
        message = f"function entry has unrecognized flag bits (0x{unknown:X});"
        raise cursor.error(INVALID_FUNCTION, message)
    if version < V13_5:
        return
    if flags & TESTING:
        raise cursor.error(INVALID_FUNCTION, "function entry has testing form in non-test build")
    if flags & EXTERN:
        if flags & KERNEL:
            raise cursor.error(INVALID_FUNCTION, "function entry cannot be both kernel and extern impl")
        raise cursor.error(PREVIEW, EXTERN_MESSAGE if reader.preview.enabled else PREVIEW_MESSAGE)


def _has_hints(flags: int, version: Version) -> bool:
    return bool(flags & KERNEL) and (version >= V13_5 or bool(flags & HAS_HINTS))


class FunctionReader:
    """Makes operations from the entries of the function table."""

    def __init__(self, data: bytes, reader: AttributeReader, debug_info: DebugInfo) -> None:
        self._data = data
        self._reader = reader
        self._debug_info = debug_info

    def make(self, entry: FunctionEntry) -> Operation:
        """Return the `cuda_tile.entry` of an entry, with its body, also if its flags do not say that it is a
        kernel (`refusals` refuses these). Raises `ReadError` for a name, signature, location, hints or body
        that are not valid.
        """
        with reading("failed to create function from bytecode"):
            name = self._name(entry)
            signature = self._signature(entry, name)
            rows, location = self._location(entry, name)
            hints = self._hints(entry, name)
            block = ir_block.Block(signature.inputs, [location] * len(signature.inputs) if rows else None)
            with reading(f"failed to parse function body for function '{name}'"):
                BodyReader(Cursor(self._data, *entry.body), block, self._reader, rows).read()
        return _entry_op(entry, name, signature, hints, block, location)

    def _name(self, entry: FunctionEntry) -> str:
        with reading(f"failed to get function name string at index {entry.name}"):
            name = self._reader.strings.get(entry.name, entry.offset)
        if not name:
            raise _error(entry, INVALID_FUNCTION, f"function name at index {entry.name} is empty")
        return name

    def _signature(self, entry: FunctionEntry, name: str) -> builtin_types.FunctionType:
        types = self._reader.types
        if entry.signature >= len(types):
            message = f"function signature index {entry.signature} out of bounds for function '{name}'"
            raise _error(entry, INVALID_INDEX, message)
        with reading(f"failed to parse type at index {entry.signature} for function '{name}"):
            found = types.get(entry.signature, entry.offset)
        if not isinstance(found, builtin_types.FunctionType):
            message = (
                f"function signature index {entry.signature} does not refer to a function type for function "
                f"'{name}', got type: '{found}'"
            )
            raise _error(entry, INVALID_FUNCTION, message)
        return found

    def _location(self, entry: FunctionEntry, name: str) -> tuple[LocationRows | None, Location]:
        with reading(f"failed to read function location for '{name}'"):
            rows = self._debug_info.rows(entry.location, entry.offset)
            return rows, ir_location.UNKNOWN if rows is None else rows.next()

    def _hints(self, entry: FunctionEntry, name: str) -> OptimizationHintsAttr | None:
        """Return the hints of a function; None if there are none, or if they are empty. Raises `ReadError`
        for an attribute of another class; ``name`` is the function's name in the message.
        """
        if entry.hints is None:
            return None
        if not isinstance(entry.hints, OptimizationHintsAttr):
            message = f"invalid optimization hints attribute for function '{name}'"
            raise _error(entry, INVALID_FUNCTION, message)
        return entry.hints if len(entry.hints.hints) else None


def _entry_op(
    entry: FunctionEntry,
    name: str,
    signature: builtin_types.FunctionType,
    hints: OptimizationHintsAttr | None,
    block: ir_block.Block,
    location: Location,
) -> Operation:
    attributes: dict[str, Attribute] = {"sym_name": StringAttr(name), "function_type": TypeAttr(signature)}
    arguments = entry.arguments
    if arguments is not None and not _is_empty(arguments):
        attributes["arg_attrs"] = arguments
    if hints is not None:
        attributes["optimization_hints"] = hints
    return Operation.from_parts(EntryOp.op_kind, (), (), attributes, [ir_block.Region([block])], (), location)


def _is_empty(arguments: Attribute) -> bool:
    """True if the attributes of arguments or results are empty: an array of empty dictionaries, or an empty
    dictionary in its place, which the public tools accept.
    """
    if isinstance(arguments, DictionaryAttr):
        return len(arguments) == 0
    return isinstance(arguments, ArrayAttr) and all(element is NO_ATTRIBUTES for element in arguments)


def _error(entry: FunctionEntry, code: diagnostic.DiagnosticCode, message: str) -> ReadError:
    return ReadError(code, ErrorFrame(message, entry.offset))


def refusals(entries: list[FunctionEntry], preview: Preview = NO_PREVIEW) -> Iterator[ReadError]:
    """Yield, in order, an error for each function of the table that is not supported: one that is not a
    kernel, or a private kernel.
    """
    for entry in entries:
        if not entry.flags & KERNEL:
            yield _error(entry, PREVIEW, INNER_MESSAGE if preview.enabled else PREVIEW_MESSAGE)
        elif entry.flags & PRIVATE:
            message = "'cuda_tile.entry' op entry op must have public symbol visibility"
            yield _error(entry, INVALID_FUNCTION, message)
