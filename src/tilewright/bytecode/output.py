"""Bytes under construction, and the exception that says why something cannot be written."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.bytecode.codes import NOT_REPRESENTABLE, TOO_OLD, WRITE_HINTS
from tilewright.dialects.cuda_tile.version import Version
from tilewright.ir.attribute import Location
from tilewright.ir.diagnostic import Diagnostic, DiagnosticCode, DiagnosticError, Severity
from tilewright.ir.operation import Operation

FILLER = b"\xcb"
"""The byte between an item and the next aligned one."""
MAXIMUM_SHOWN = 100
"""The maximum number of problems reported for a module."""
_UINT64_LIMIT = 1 << 64


class WriteError(Exception):
    """Something that bytecode cannot represent; ``since`` is the first version that can, None if there is
    none. It stays inside this package: the writer converts it to a diagnostic at the operation.
    """

    def __init__(self, message: str, since: Version | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.since = since

    @property
    def code(self) -> DiagnosticCode:
        """The diagnostic code of the error: `TOO_OLD` if a newer version can represent the thing, else
        `NOT_REPRESENTABLE`.
        """
        return NOT_REPRESENTABLE if self.since is None else TOO_OLD

    def diagnostic(self, location: Location) -> Diagnostic:
        """Return the error as a diagnostic at ``location``, with the hint of its code."""
        made = Diagnostic(Severity.ERROR, self.message, location, self.code)
        return made.hint(WRITE_HINTS[self.code].format(version=self.since))


class WritingProblems:
    """The problems found so far in a module that is being written."""

    def __init__(self) -> None:
        self._found: list[tuple[WriteError, Operation]] = []

    def __len__(self) -> int:
        return len(self._found)

    def add(self, error: WriteError, op: Operation) -> None:
        """Record an error of an operation."""
        self._found.append((error.with_traceback(None), op))

    @property
    def oldest_sufficient_version(self) -> Version | None:
        """The oldest version that can represent everything that could not be written; None if there is none,
        or if there are no problems.
        """
        needed = [error.since for error, _ in self._found if error.since is not None]
        return max(needed) if needed and len(needed) == len(self._found) else None

    def error(self) -> DiagnosticError:
        """Return the problems as an exception: at most `MAXIMUM_SHOWN` of them, and the number of the others
        in a note of the last. There must be at least one problem.
        """
        shown = [error.diagnostic(op.location) for error, op in self._found[:MAXIMUM_SHOWN]]
        hidden = len(self._found) - len(shown)
        if hidden:
            shown[-1].note(f"{hidden} more problems like these are not shown")
        return DiagnosticError(shown)


class Output:
    """Appends items to ``data``; padding counts from its start."""

    __slots__ = ("data",)

    def __init__(self) -> None:
        self.data = bytearray()

    def byte(self, value: int) -> None:
        """Append one byte, from 0 to 255."""
        self.data.append(value)

    def varint(self, value: int) -> None:
        """Write an unsigned LEB128 integer of at most 64 bits. Raises `WriteError` for any other number."""
        if not 0 <= value < _UINT64_LIMIT:
            raise WriteError(f"{value} is no unsigned 64-bit integer")
        data = self.data
        while value > 0x7F:
            data.append(value & 0x7F | 0x80)
            value >>= 7
        data.append(value)

    def signed_varint(self, value: int) -> None:
        """Write a zig-zag encoded 64-bit integer. Raises `WriteError` for any other number."""
        if not -_UINT64_LIMIT // 2 <= value < _UINT64_LIMIT // 2:
            raise WriteError(f"{value} is no signed 64-bit integer")
        self.varint(value << 1 if value >= 0 else ~(value << 1))

    def integers(self, values: Sequence[int], width: int) -> None:
        """Write a list of signed integers: their number, then ``width`` bytes each. Raises `WriteError` for
        an integer that does not fit.
        """
        self.varint(len(values))
        for value in values:
            self._integer(value, width)

    def _integer(self, value: int, width: int) -> None:
        try:
            self.data += value.to_bytes(width, "little", signed=True)
        except OverflowError:
            raise WriteError(f"{value} is no signed {8 * width}-bit integer") from None

    def pad(self, alignment: int) -> None:
        """Append `FILLER` bytes until the length of ``data`` is a multiple of ``alignment`` bytes."""
        self.data += FILLER * (-len(self.data) % alignment)


def encoded_varint(value: int) -> bytes:
    """Return the LEB128 bytes of an unsigned integer of at most 64 bits. Raises `WriteError` for any other
    number.
    """
    output = Output()
    output.varint(value)
    return bytes(output.data)
