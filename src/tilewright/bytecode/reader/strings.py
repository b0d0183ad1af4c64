"""The reader of the string table."""

from __future__ import annotations

from tilewright.bytecode import codes, limits
from tilewright.bytecode.cursor import Cursor, ErrorFrame, OffsetTable, ReadError

OFFSET_BYTES = 4


def read_table_head(cursor: Cursor, what: str) -> OffsetTable | None:
    """Read the number, padding and start offsets of a string or type table; return None for an empty table.
    Raises `ReadError` for more entries than the remaining bytes can have, and if the offsets are missing;
    ``what`` names the entries in the message.
    """
    count = cursor.varint()
    if count == 0:
        return None
    check_count(cursor, count, OFFSET_BYTES, what)
    cursor.skip_padding(OFFSET_BYTES)
    if not cursor.remaining:
        raise cursor.truncated("a table of start offsets")
    return OffsetTable(cursor, count, OFFSET_BYTES)


def check_count(cursor: Cursor, count: int, size: int, what: str) -> None:
    """Raise `ReadError` if ``count`` items of at least ``size`` bytes each exceed the remaining bytes;
    ``what`` names the items in the message.
    """
    most = cursor.remaining // size
    if count > most:
        raise cursor.error(
            codes.INVALID_TABLE,
            f"number of {what} ({count}) exceeds the maximum of {most} that can fit in the remaining payload "
            f"of {cursor.remaining} bytes.",
        )


class StringTable:
    """Strings by index, decoded on first use.

    Bytes that are not UTF-8 survive as surrogate escapes. Start offsets out of order or out of range are read
    as by the public tools: the text is cut at the end of the table, and extends to it if the end precedes the
    start.
    """

    def __init__(self, cursor: Cursor) -> None:
        self._data = cursor.data
        self._offsets = read_table_head(cursor, "strings")
        self.known: dict[int, str] = {}
        """The strings decoded so far, by index."""
        self._budget = limits.Budget(cursor.end - cursor.start, "strings")

    def __len__(self) -> int:
        return self._offsets.count if self._offsets else 0

    def get(self, index: int, offset: int | None = None) -> str:
        """Return the string at ``index``, which was read from the file just before ``offset`` (None:
        unknown). Raises `ReadError` at this offset for an index out of bounds, and if too many strings share
        the same bytes.
        """
        found = self.known.get(index)
        if found is not None:
            return found
        offsets = self._offsets
        if offsets is None or index >= offsets.count:
            raise ReadError(codes.INVALID_INDEX, ErrorFrame(f"string index {index} out of bounds", offset))
        start, end = offsets.bounds(index)
        end = min(end, offsets.size) if end >= start else offsets.size
        start = min(start, offsets.size)
        self._budget.spend(end - start, offsets.base + start)
        text = self._data[offsets.base + start : offsets.base + end].decode("utf-8", "surrogateescape")
        self.known[index] = text
        return text

    def read(self, cursor: Cursor) -> str:
        """Read an index at ``cursor``, and return the string that has it. Raises `ReadError` for an index out
        of bounds.
        """
        index = cursor.varint()
        return self.get(index, cursor.position)
