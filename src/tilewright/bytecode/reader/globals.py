"""The reader of the global table."""

from __future__ import annotations

from tilewright.bytecode.codes import INVALID_GLOBAL, INVALID_INDEX
from tilewright.bytecode.cursor import ByteRange, Cursor, ErrorFrame, ReadError, reading
from tilewright.bytecode.reader.attributes import AttributeReader
from tilewright.bytecode.reader.strings import check_count
from tilewright.dialects.cuda_tile import enums as cuda_tile_enums, version as cuda_tile_version
from tilewright.dialects.cuda_tile.ops.control import GlobalOp
from tilewright.ir import builtin_attributes, diagnostic
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.operation import Operation
from tilewright.ir.support.record import Record

_UINT32_MASK = 2**32 - 1
_FIELDS = (
    "symbol name string.",
    "value type",
    "value constant index",
    "alignment",
    "symbol visibility",
    "constant flag",
)
"""The fields of an entry, as diagnostics call them; the last two exist since 13.3."""
_OLD_FIELDS = 4


class GlobalEntry(Record, frozen=True):
    """An entry of the global table: its byte range in the file, the indices of its name, type and value
    (``constant``) in the tables of strings, types and constants, and its other numbers as the file has them.
    """

    span: ByteRange
    name: int
    type: int
    constant: int
    alignment: int
    visibility: int = 0
    is_constant: int = 0


def read_global_table(cursor: Cursor | None, reader: AttributeReader) -> list[GlobalEntry]:
    """Return every entry of the global section; none if the file has no such section. Raises `ReadError` for
    a malformed section.
    """
    if cursor is None:
        return []
    fields = len(_FIELDS) if reader.version >= cuda_tile_version.V13_3 else _OLD_FIELDS
    with reading("failed to parse global section"):
        with reading("failed to read number of global.", cursor):
            count = cursor.varint()
        check_count(cursor, count, fields, "globals")
        return [_read_entry(cursor, fields) for _ in range(count)]


def _read_entry(cursor: Cursor, fields: int) -> GlobalEntry:
    start = cursor.position
    values: list[int] = []
    for what in _FIELDS[:fields]:
        with reading(f"failed to read global {what}", cursor):
            values.append(cursor.varint())
    return GlobalEntry(ByteRange(start, cursor.position), *values)


def make_global(entry: GlobalEntry, reader: AttributeReader) -> Operation:
    """Return the `cuda_tile.global` of an entry. Raises `ReadError` for an index out of bounds, an empty
    name, a type or a value that is not valid, or an unknown visibility.
    """
    with reading("failed to create global from bytecode"):
        if entry.constant >= len(reader.constants):
            raise _error(entry, INVALID_INDEX, "global value constant index out of bounds")
        name = _name(entry, reader)
        value = reader.constants.get(entry.constant, _type(entry, reader))
        attributes: dict[str, Attribute] = {
            "sym_name": builtin_attributes.StringAttr(name),
            "value": value,
            "alignment": builtin_attributes.integer64(entry.alignment),
        }
        if entry.is_constant:
            attributes["constant"] = builtin_attributes.UNIT
        attributes["symbol_visibility"] = _visibility(entry)
    return Operation.from_parts(GlobalOp.op_kind, attributes=attributes)


def _name(entry: GlobalEntry, reader: AttributeReader) -> str:
    with reading(f"failed to get global symbol name string for index {entry.name}"):
        name = reader.strings.get(entry.name, entry.span.start)
    if not name:
        raise _error(entry, INVALID_GLOBAL, f"global symbol name at index {entry.name} is empty")
    return name


def _type(entry: GlobalEntry, reader: AttributeReader) -> Type:
    with reading("provided type is null"):
        return reader.types.get(entry.type, entry.span.start)


def _visibility(entry: GlobalEntry) -> Attribute:
    """Return the visibility of a global. As in the public tools, only the low 32 bits are used. Raises
    `ReadError` for an unknown value.
    """
    value = entry.visibility & _UINT32_MASK
    try:
        return cuda_tile_enums.SymbolVisibilityAttr(cuda_tile_enums.SymbolVisibility(value))
    except ValueError:
        message = f"invalid symbol visibility value: {entry.visibility}"
        raise _error(entry, INVALID_GLOBAL, message) from None


def _error(entry: GlobalEntry, code: diagnostic.DiagnosticCode, message: str) -> ReadError:
    return ReadError(code, ErrorFrame(message, entry.span.start))
