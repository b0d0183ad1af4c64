"""A bounds-checked cursor over part of a file, and the exception that carries what went wrong."""

from __future__ import annotations

import struct
import sys
from collections.abc import Sequence
from typing import Self

from tilewright.bytecode.codes import HINTS, INVALID_TABLE, TRUNCATED
from tilewright.ir.attribute import Location
from tilewright.ir.diagnostic import Diagnostic, DiagnosticCode, Severity
from tilewright.ir.location import UNKNOWN
from tilewright.ir.support.record import NamedTuple

MAXIMUM_COUNT = 2**32 - 2
"""The maximum number of elements of a list; a larger one is an error."""
_MASK = 2**64 - 1
_MAXIMUM_VARINT_BYTES = 10
_SIGNED = {1: "b", 4: "i", 8: "q"}
"""The `struct` letters of signed integers by their size in bytes."""


class ErrorFrame(NamedTuple):
    """One line of an error: its text, the offset in the file at which reading stopped (None: unknown), and
    the offset ``origin`` at which the part that was being read starts.
    """

    message: str
    offset: int | None = None
    origin: int = 0


class ReadError(Exception):
    """Ends the reading of a file.

    ``frames`` lists the enclosing items, from the cause outwards; ``details`` describe the cause. It stays
    inside this package: entry points convert it to a `DiagnosticError`.
    """

    def __init__(
        self,
        code: DiagnosticCode,
        frame: ErrorFrame | None = None,
        *,
        offset: int | None = None,
        detail: str = "",
    ) -> None:
        super().__init__(frame.message if frame else detail)
        self.code = code
        self.frames = [frame] if frame else []
        self.offset = frame.offset if frame else offset
        self.location: Location = UNKNOWN
        """The location in the user's program of the operation that was being read, if the file has it."""
        self.details = [detail] if detail else []

    def within(self, message: str, cursor: Cursor | None = None) -> Self:
        """Add a line to the error: ``message``, which names the enclosing item, at the position of
        ``cursor``, or without a position if ``cursor`` is None. Return the error.
        """
        self.frames.append(cursor.frame(message) if cursor is not None else ErrorFrame(message))
        return self

    def diagnostic(self, location: Location = UNKNOWN) -> Diagnostic:
        """Return the error as a diagnostic: the cause, then notes from the inside outwards. ``location``
        stands for the file. If the operation that was being read has a location in the user's program, the
        diagnostic is there, and a note has ``location`` and the byte offset.
        """
        messages = [frame.message for frame in self.frames]
        headline, *context = messages or self.details
        made = Diagnostic(Severity.ERROR, headline, location, self.code, offset=self.offset)
        for message in (*(self.details if messages else ()), *context):
            made.note(message, UNKNOWN)
        if self.location.source is not None:
            made.notes.append(
                Diagnostic(Severity.NOTE, "the operation was being read here", location, offset=made.offset)
            )
            made.location, made.offset = self.location, None
        hint = HINTS.get(self.code)
        return made.hint(hint) if hint else made


class Cursor:
    """Reads items of ``data`` from ``start`` up to ``end``; positions are offsets in the whole file. Every
    method that reads an item raises `ReadError` when the item is not there or not as announced; nothing is
    ever read, or allocated, beyond ``end``.
    """

    __slots__ = ("data", "end", "position", "start")

    def __init__(self, data: bytes, start: int = 0, end: int | None = None) -> None:
        self.data = data
        self.start = self.position = start
        self.end = len(data) if end is None else end

    @property
    def remaining(self) -> int:
        """The number of bytes left."""
        return self.end - self.position

    def frame(self, message: str) -> ErrorFrame:
        """Return a line of an error at the current position."""
        return ErrorFrame(message, self.position, self.start)

    def error(self, code: DiagnosticCode, message: str) -> ReadError:
        """Return an error at the current position."""
        return ReadError(code, self.frame(message))

    def truncated(self, what: str) -> ReadError:
        """Return the error that the data ends inside the item ``what``."""
        return ReadError(
            TRUNCATED, offset=self.position, detail=f"the data ends at offset {self.end}, inside {what}"
        )

    def sub(self, length: int) -> Cursor:
        """Step over ``length`` bytes and return a cursor over them. The caller has checked that they do not
        exceed ``remaining``.
        """
        start = self.position
        self.position = start + length
        return Cursor(self.data, start, start + length)

    def rest(self) -> Cursor:
        """Return a cursor over all bytes from the current position to the end. The position does not change."""
        return Cursor(self.data, self.position, self.end)

    def varint(self) -> int:
        """Read an unsigned LEB128 integer of at most ten bytes; bits above 63 are dropped. Raises `ReadError`
        for a longer one.
        """
        position = self.position
        if position < self.end:
            byte = self.data[position]
            if byte < 0x80:
                self.position = position + 1
                return byte
            if position + 1 < self.end and (second := self.data[position + 1]) < 0x80:
                self.position = position + 2
                return byte & 0x7F | second << 7
        return self._long_varint()

    def _long_varint(self) -> int:
        value = 0
        for shift in range(0, 7 * _MAXIMUM_VARINT_BYTES, 7):
            if self.position >= self.end:
                raise self.truncated("a variable-length integer")
            byte = self.data[self.position]
            self.position += 1
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value & _MASK
        raise ReadError(
            INVALID_TABLE, offset=self.position, detail="a variable-length integer exceeds ten bytes"
        )

    def signed_varint(self) -> int:
        """Read a varint, and return it as a signed 64-bit integer, which is zig-zag encoded. Raises
        `ReadError` for a varint of more than ten bytes.
        """
        value = self.varint()
        return (value >> 1) ^ -(value & 1)

    def count(self) -> int:
        """Read the number of items of a list, a varint. Raises `ReadError` if it exceeds `MAXIMUM_COUNT`."""
        value = self.varint()
        if value > MAXIMUM_COUNT:
            raise self.error(
                INVALID_TABLE,
                "varint value exceeds maximum supported capacity. "
                f"(expected value less than {MAXIMUM_COUNT}, got {value}).",
            )
        return value

    def byte(self) -> int:
        """Read one byte as a number from 0 to 255. Raises `ReadError` at the end of the data."""
        if self.position >= self.end:
            raise self.truncated("a byte")
        self.position += 1
        return self.data[self.position - 1]

    def little_endian(self, width: int) -> int:
        """Read an unsigned little-endian integer of ``width`` bytes. Raises `ReadError` at the end of the
        data.
        """
        return int.from_bytes(self.take(width, "a fixed-width integer"), "little")

    def integers(self, width: int) -> tuple[int, ...]:
        """Read a list of signed integers: their number, then ``width`` bytes (1, 4 or 8) each. Raises
        `ReadError` if there are too many, or not all of them are there.
        """
        count = self.varint()
        if count > MAXIMUM_COUNT:
            raise self.error(
                INVALID_TABLE, f"array size in bytecode ({count}) exceeds maximum supported capacity"
            )
        available = self.remaining // width
        if count > available:
            self.position += available * width
            raise self.truncated(f"a list of {count} integers")
        start = self.position
        self.position = start + count * width
        return struct.unpack_from(f"<{count}{_SIGNED[width]}", self.data, start)

    def take(self, length: int, what: str = "a run of bytes") -> bytes:
        """Return the next ``length`` bytes. Raises `ReadError` if there are fewer."""
        if length > self.remaining:
            raise self.truncated(what)
        self.position += length
        return self.data[self.position - length : self.position]

    def skip_padding(self, alignment: int, *, from_file_start: bool = False) -> None:
        """Move to the next multiple of ``alignment`` bytes, counted from the start of this cursor or of the
        file. Raises `ReadError` if it is beyond the end, or if no bytes are left. An alignment below 2 moves
        nothing and raises nothing.
        """
        if alignment < 2:
            return
        distance = self.position - (0 if from_file_start else self.start)
        padding = -distance % alignment
        if not self.remaining or padding > self.remaining:
            raise self.truncated("padding")
        self.position += padding


class reading:
    """A context manager that adds the line ``message`` to every `ReadError` raised inside, with the position
    that ``cursor`` has then, or without a position if it is None: ``with reading("failed to read the thing",
    cursor):``.
    """

    __slots__ = ("cursor", "message")

    def __init__(self, message: str, cursor: Cursor | None = None) -> None:
        self.message = message
        self.cursor = cursor

    def __enter__(self) -> None:
        """Do nothing: the block needs no preparation."""

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, ReadError):
            error.within(self.message, self.cursor)


def fixed_width_numbers(data: bytes, start: int, count: int, width: int) -> Sequence[int]:
    """Return ``count`` consecutive unsigned little-endian numbers of ``width`` bytes (4 or 8), from offset
    ``start`` of ``data``, which must have them all. On a little-endian machine the result is a view of
    ``data``.
    """
    held = memoryview(data)[start : start + count * width]
    letter = "I" if width == 4 else "Q"
    return held.cast(letter) if sys.byteorder == "little" else struct.unpack(f"<{count}{letter}", held)


class ByteRange(NamedTuple):
    """A range of bytes of the file: its start and its end, exclusive."""

    start: int
    end: int


class OffsetTable:
    """The start offsets of a table's entries, decoded one by one on demand.

    An entry ends where the next one starts, the last one where the section ends.
    """

    __slots__ = ("_starts", "base", "count", "cursor", "limit")

    def __init__(self, cursor: Cursor, count: int, width: int) -> None:
        """Read ``count`` offsets of ``width`` bytes (4 or 8) at ``cursor``, and step over them; the entries
        are the rest of its bytes. Raises `ReadError` if offsets are missing.
        """
        self.count = count
        self.cursor = Cursor(cursor.data, cursor.position, cursor.position + count * width)
        self.base = cursor.position + count * width
        self.limit = cursor.end
        if self.base > cursor.end:
            raise cursor.truncated("a table of start offsets")
        self._starts = fixed_width_numbers(cursor.data, cursor.position, count, width)
        cursor.position = self.base

    @property
    def size(self) -> int:
        """The number of bytes of all entries."""
        return self.limit - self.base

    def bounds(self, index: int) -> tuple[int, int]:
        """Return the start and end of an entry as the file has them, unchecked, in bytes from the first
        entry.
        """
        starts = self._starts
        return starts[index], starts[index + 1] if index + 1 < self.count else self.size

    def span(self, index: int) -> ByteRange | None:
        """Return the range of an entry in the file; None if its offsets are not in order or exceed the
        table.
        """
        start, end = self.bounds(index)
        return ByteRange(self.base + start, self.base + end) if start <= end <= self.size else None
