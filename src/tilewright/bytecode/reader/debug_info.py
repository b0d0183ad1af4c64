"""The debug section: the locations of functions and operations.

Each function has a run of rows: its own location first, then the location of every operation in pre-order.  A row names a
debug attribute, counted from 1; 0 is the unknown location.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tilewright.bytecode.codes import INVALID_DEBUG_INFO, INVALID_INDEX, INVALID_TABLE
from tilewright.bytecode.cursor import Cursor, OffsetTable, ReadError, fixed_width_numbers, reading
from tilewright.bytecode.limits import Budget, Nesting
from tilewright.bytecode.reader.strings import StringTable, check_count
from tilewright.dialects.cuda_tile.attributes import (
    DICompileUnitAttr,
    DIFileAttr,
    DILexicalBlockAttr,
    DILocation,
    DISubprogramAttr,
)
from tilewright.dialects.cuda_tile.version import V13_5, Version
from tilewright.ir.attribute import Attribute, Location
from tilewright.ir.location import UNKNOWN, CallSiteLocation, FileLineColLocation

RUN_BYTES = 4
ROW_BYTES = 8
OFFSET_BYTES = 4
MAXIMUM_DEPTH = 100
"""The maximum nesting depth of scopes, and of call sites in callees; a chain of callers is bounded by its
weight alone.
"""
MAXIMUM_WEIGHT = 1 << 15
"""The maximum number of debug attributes in one, shared ones counted each time (some 5000 calls in a
chain).
"""
POSITION = 4
"""The tag of a source position."""
CALL_SITE = 6
"""The tag of a call site."""
DECLARATION = 1
"""The only flag of a subprogram: it is a declaration."""
_UINT32_MASK = 2**32 - 1
_CALL_NUMBERS = 3
"""The number of varints in a call site: tag, callee, caller."""
_SHORT = 16
"""The maximum number of bytes of an entry that the fast path decodes; most positions and call sites are
shorter.
"""
_SCOPES = (DISubprogramAttr, DILexicalBlockAttr)
_POSITION = (
    ("scope attribute", "DILocAttr"),
    ("file name attribute", "FileLineColLoc"),
    ("line number", "FileLineColLoc"),
    ("column number", "FileLineColLoc"),
)
"""The parts of a source position after the tag, each with the name of the attribute that contains it, for
diagnostics.
"""


class DebugInfo:
    """The debug section of a file: its debug attributes, and the rows of each function. A row is the number
    of the debug attribute that is the location of the function or of an operation in it. Without a section
    (``cursor`` is None) there are no rows.
    """

    def __init__(self, cursor: Cursor | None, strings: StringTable, version: Version) -> None:
        self._strings = strings
        self._version = version
        self._runs: OffsetTable | None = None
        self._row_start = 0
        self.numbers: Sequence[int] = ()
        """The rows of all functions: each is the number of a debug attribute."""
        self._attributes: OffsetTable | None = None
        if cursor is not None:
            with reading("failed to parse debug section"):
                self._read_tables(cursor)
        self._data = cursor.data if cursor is not None else b""
        self._decoded: dict[int, Attribute] = {}
        self.known: dict[int, Location] = {}
        """The locations decoded so far, by number."""
        self._nesting = Nesting("debug attribute", MAXIMUM_DEPTH, MAXIMUM_WEIGHT)
        self._budget = Budget(self._attributes.size if self._attributes else 0, "debug attributes")

    def _read_tables(self, cursor: Cursor) -> None:
        message = "failed to read total number of operations with debug info"
        pointer = "failed to read debug info index offset pointer."
        self._runs = _table(cursor, message, RUN_BYTES, "operations with debug info", "index offset", pointer)
        message = "failed to read total number of debug info indices"
        pointer = "failed to read debug info indices pointer"
        rows = _table(cursor, message, ROW_BYTES, "debug info indices", "indices", pointer)
        self._row_start = rows.cursor.start
        self.numbers = fixed_width_numbers(cursor.data, self._row_start, rows.count, ROW_BYTES)
        with reading("failed to read total number of debug info attributes", cursor):
            count = cursor.varint()
        check_count(cursor, count, OFFSET_BYTES, "debug info attributes")
        with reading("failed to skip padding for debug info offset pointer", cursor):
            cursor.skip_padding(OFFSET_BYTES)
        if not cursor.remaining:
            raise cursor.error(INVALID_TABLE, "failed to read debug info offset pointer")
        self._attributes = OffsetTable(cursor, count, OFFSET_BYTES)

    def rows(self, function_row: int, offset: int) -> LocationRows | None:
        """Return the locations of the function with the number ``function_row`` in the debug section, from 1;
        None for 0, which means that it has none. The number was read near ``offset``. Raises `ReadError` for
        a number out of bounds.
        """
        if function_row == 0:
            return None
        runs = self._runs
        if runs is None or function_row > runs.count:
            detail = f"function row {function_row} out of bounds (size={runs.count if runs else 0})"
            raise ReadError(INVALID_INDEX, offset=offset, detail=detail)
        return LocationRows(self, runs.bounds(function_row - 1)[0])

    def location(self, row: int) -> Location:
        """Return the location in row number ``row``, from 0, of the rows of all functions. Raises `ReadError`
        for a row out of bounds, and for a debug attribute that is malformed or is no location.
        """
        if row >= len(self.numbers):
            offset = self._row_start + len(self.numbers) * ROW_BYTES
            detail = f"debug row {row} out of bounds (size={len(self.numbers)})"
            raise ReadError(INVALID_INDEX, offset=offset, detail=detail)
        number = self.numbers[row]
        found = self.known.get(number) or self._usual(number)
        if found is None:
            found = self._get(number, Location, self._row_start + row * ROW_BYTES)
        self.known[number] = found
        return found

    def _usual(self, number: int, *, calls: bool = True) -> Location | None:
        """Decode a valid position whose scope is decoded already, or a call between such positions; without
        ``calls`` only a position. Return None for any other entry, and for an entry that is decoded already:
        `_get` decodes the others and reports errors.
        """
        table = self._attributes
        if number in self._decoded or table is None or not 0 < number < table.count:
            return None
        start, end = table.bounds(number - 1)
        if not start < end <= table.size or end - start > _SHORT or self._budget.left < 4 * _SHORT:
            return None
        parts = _numbers(self._data[table.base + start : table.base + end])
        if parts and parts[0] == POSITION:
            found, size = self._usual_position(parts)
        elif calls and parts and parts[0] == CALL_SITE:
            found, size = self._usual_call(parts)
        else:
            return None
        if found is not None and self._nesting.allows(*size):
            self._budget.spend(end - start, table.base + start)
            self._nesting.sizes[number] = size
            self._decoded[number] = found
            return found
        return None

    def _usual_position(self, parts: Sequence[int]) -> tuple[Location | None, tuple[int, int]]:
        """Return the position with the varints ``parts``, and its depth and weight. The position is None if
        its scope is not decoded, or if it is malformed.
        """
        if len(parts) != 1 + len(_POSITION):
            return None, (0, 0)
        _, scope_number, name, line, column = parts
        scope = self._decoded.get(scope_number)
        if not isinstance(scope, _SCOPES) or name >= len(self._strings):
            return None, (0, 0)
        file = self._strings.get(name)
        depth, weight = self._nesting.sizes[scope_number]
        place = FileLineColLocation(file, line & _UINT32_MASK, column & _UINT32_MASK)
        return DILocation(place, scope), (depth + 1, weight + 1)

    def _usual_call(self, parts: Sequence[int]) -> tuple[Location | None, tuple[int, int]]:
        """Return the call site with the varints ``parts``, and its depth and weight. It is None if a location
        in it cannot be decoded by `_usual`, or if it is malformed.
        """
        if len(parts) != _CALL_NUMBERS:
            return None, (0, 0)
        caller, callee = self._usual_part(parts[2]), self._usual_part(parts[1])
        if caller is None or callee is None:
            return None, (0, 0)
        (depth, weight), (above, more) = (self._nesting.sizes[number] for number in parts[1:])
        return CallSiteLocation(callee, caller), (max(depth + 1, above), 1 + weight + more)

    def _usual_part(self, number: int) -> Location | None:
        found = self._decoded.get(number)
        if found is None:
            return self._usual(number, calls=False)
        return found if isinstance(found, Location) else None

    def _get(
        self, number: int, wanted: type[Any] | tuple[type[Any], ...], offset: int, *, deeper: bool = True
    ) -> Any:
        """Return the debug attribute ``number``, counted from 1; 0 is the unknown location. Raises
        `ReadError` if it is malformed, or not of a class in ``wanted``; ``offset`` is the position of the
        reference in the file. ``deeper`` says that it is nested in the attribute that is being decoded, and
        not a caller next to it.
        """
        found: Attribute | None = UNKNOWN
        if number:
            found = self._decoded.get(number)
            if found is None:
                for next_number in self._undecoded_callers(number):
                    self._decoded[next_number] = self._decode(next_number, offset)
                found = self._decoded[number]
            self._nesting.use(number, offset, deeper=deeper)
        if not isinstance(found, wanted):
            detail = f"debug attribute {number} is a {type(found).__name__}, which cannot stand here"
            raise ReadError(INVALID_DEBUG_INFO, offset=offset, detail=detail)
        return found

    def _undecoded_callers(self, number: int) -> list[int]:
        """Return the attribute and its callers that are not decoded yet, the outermost first.

        Decoded in this order, a chain of a thousand calls needs no deeper recursion than a single one.
        """
        caller = self._caller_of(number)
        if not caller or caller in self._decoded:
            return [number]
        chain: dict[int, None] = {}
        while number and number not in self._decoded and number not in chain:
            chain[number] = None
            number = self._caller_of(number)
        return list(reversed(chain))

    def _caller_of(self, number: int) -> int:
        """Return the number of the caller in entry ``number``. Returns 0 if the entry is not a call site, or
        is malformed.
        """
        table = self._attributes
        if table is None or number > table.count:
            return 0
        start, end = table.bounds(number - 1)
        if not start < end <= table.size or 0 < self._data[table.base + start] < CALL_SITE:
            return 0
        cursor = Cursor(self._data, table.base + start, table.base + end)
        try:
            if cursor.varint() & 0xFF != CALL_SITE:
                return 0
            cursor.varint()
            return cursor.varint()
        except ReadError:
            return 0

    def _decode(self, number: int, offset: int) -> Attribute:
        table = self._attributes
        if table is None or number > table.count:
            detail = f"debug attribute {number} out of bounds (size={table.count if table else 0})"
            raise ReadError(INVALID_INDEX, offset=offset, detail=detail)
        start, end = table.bounds(number - 1)
        if not start <= end <= table.size:
            detail = f"the start offsets of debug attribute {number} make no sense"
            raise ReadError(INVALID_TABLE, offset=offset, detail=detail)
        self._nesting.enter(number, offset)
        done = False
        try:
            self._budget.spend(end - start, table.base + start)
            decoded = self._decode_entry(Cursor(self._data, table.base + start, table.base + end))
            done = True
            return decoded
        finally:
            self._nesting.leave(number, done=done)

    def _decode_entry(self, cursor: Cursor) -> Attribute:
        """Decode a debug attribute.

        An unknown tag is an unknown location; only the low eight bits of a tag count, as in the public tools.
        """
        decode = _DECODERS.get(cursor.varint() & 0xFF)
        cursor.start = cursor.position
        return decode(self, cursor) if decode is not None else UNKNOWN

    def compile_unit(self, cursor: Cursor) -> Attribute:
        """Read a compile unit: the number of its file."""
        return DICompileUnitAttr(self._file(cursor, "DICompileUnitAttr"))

    def file(self, cursor: Cursor) -> Attribute:
        """Read a file: the string indices of its name and its directory."""
        name = self._string(cursor, "file name attribute", "DIFileAttr")
        return DIFileAttr(name, self._string(cursor, "directory attribute", "DIFileAttr"))

    def lexical_block(self, cursor: Cursor) -> Attribute:
        """Read a lexical block: scope, file, line, column."""
        owner = "DILexicalBlockAttr"
        scope = self._reference(cursor, _SCOPES, "scope attribute", owner)
        file = self._file(cursor, owner)
        line = _number(cursor, "line number", owner)
        return DILexicalBlockAttr(scope, file, line, _number(cursor, "column number", owner))

    def position(self, cursor: Cursor) -> Attribute:
        """Read a source position: scope, file name, line, column. Raises `ReadError` for an invalid part."""
        part = 0
        try:
            scope = self._get(cursor.varint(), _SCOPES, cursor.position)
            part = 1
            name = self._strings.read(cursor)
            part = 2
            line = cursor.varint() & _UINT32_MASK
            part = 3
            column = cursor.varint() & _UINT32_MASK
        except ReadError as error:
            what, owner = _POSITION[part]
            raise _unreadable(error, what, owner, cursor) from None
        return DILocation(FileLineColLocation(name, line, column), scope)

    def subprogram(self, cursor: Cursor) -> Attribute:
        """Read a subprogram: file, line, name, linkage name, compile unit, scope line [flags from 13.5]."""
        owner = "DISubprogramAttr"
        file = self._file(cursor, owner)
        line = _number(cursor, "line number", owner)
        name = self._string(cursor, "name attribute", owner)
        linkage_name = self._string(cursor, "linkage name attribute", owner)
        unit = self._reference(cursor, DICompileUnitAttr, "compile unit attribute", owner)
        scope_line = _number(cursor, "scope line number", owner)
        flags = self._subprogram_flags(cursor)
        return DISubprogramAttr(file, line, name, linkage_name, unit, scope_line, flags or None)

    def _subprogram_flags(self, cursor: Cursor) -> int:
        if self._version < V13_5:
            return 0
        flags = _number(cursor, "flags", "DISubprogramAttr")
        if flags & ~DECLARATION:
            message = f"unrecognized flag bits (0x{flags:X}) when parsing DISubprogramAttr"
            raise cursor.error(INVALID_DEBUG_INFO, message)
        return flags

    def call_site(self, cursor: Cursor) -> Attribute:
        """Read a call site: the numbers of the callee's and the caller's locations."""
        owner = "CallSiteLoc"
        callee = self._reference(cursor, Location, "callee attribute", owner)
        caller = self._reference(cursor, Location, "caller attribute", owner, deeper=False)
        return CallSiteLocation(callee, caller)

    def _file(self, cursor: Cursor, owner: str) -> DIFileAttr:
        return self._reference(cursor, DIFileAttr, "file attribute", owner)

    def _reference(self, cursor: Cursor, wanted: Any, what: str, owner: str, *, deeper: bool = True) -> Any:
        try:
            return self._get(cursor.varint(), wanted, cursor.position, deeper=deeper)
        except ReadError as error:
            raise _unreadable(error, what, owner, cursor) from None

    def _string(self, cursor: Cursor, what: str, owner: str) -> str:
        try:
            return self._strings.read(cursor)
        except ReadError as error:
            raise _unreadable(error, what, owner, cursor) from None


class LocationRows:
    """The locations of one function, returned one after the other by `next`, from row ``first_row`` of the
    rows of all functions in ``info``.
    """

    __slots__ = ("_info", "known", "numbers", "row")

    def __init__(self, info: DebugInfo, first_row: int) -> None:
        self._info = info
        self.row = first_row
        """The index of the next row."""
        self.known = info.known
        """The locations decoded so far, by number."""
        self.numbers = info.numbers
        """The rows of all functions; an index beyond them raises IndexError."""

    def next(self) -> Location:
        """Return the next location: first the location of the function, then of each operation in pre-order."""
        location = self.at(self.row)
        self.row += 1
        return location

    def at(self, row: int) -> Location:
        """Return the location in row number ``row``, from 0, of the rows of all functions; the position of
        `next` does not change. Raises `ReadError` for a row out of bounds.
        """
        return self._info.location(row)


def _table(cursor: Cursor, message: str, width: int, what: str, padding: str, pointer: str) -> OffsetTable:
    """Read a table of offsets of ``width`` bytes: their number, padding, the offsets. Raises `ReadError`,
    with the texts given, if nothing follows the padding.
    """
    with reading(message, cursor):
        count = cursor.varint()
    with reading(f"failed to skip padding for debug info {padding} pointer", cursor):
        cursor.skip_padding(width)
    if not cursor.remaining:
        raise cursor.error(INVALID_TABLE, pointer)
    check_count(cursor, count, width, what)
    return OffsetTable(cursor, count, width)


def _numbers(entry: bytes) -> Sequence[int]:
    """Return the varints in an entry; an empty sequence if the last one is incomplete."""
    if entry.isascii():
        return entry
    numbers: list[int] = []
    value = shift = 0
    for byte in entry:
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            numbers.append(value)
            value = shift = 0
    return [] if shift else numbers


def _number(cursor: Cursor, what: str, owner: str) -> int:
    try:
        return cursor.varint() & _UINT32_MASK
    except ReadError as error:
        raise _unreadable(error, what, owner, cursor) from None


def _unreadable(error: ReadError, what: str, owner: str, cursor: Cursor) -> ReadError:
    """Add to ``error`` that ``what``, a part of an ``owner``, could not be read; return the error."""
    return error.within(f"failed to read {what} when parsing {owner}", cursor)


_DECODERS: Mapping[int, Callable[[DebugInfo, Cursor], Attribute]] = {
    1: DebugInfo.compile_unit,
    2: DebugInfo.file,
    3: DebugInfo.lexical_block,
    POSITION: DebugInfo.position,
    5: DebugInfo.subprogram,
    CALL_SITE: DebugInfo.call_site,
}
