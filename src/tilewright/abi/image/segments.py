"""Address spaces: segments of bytes at fixed addresses, and the allocators that fill them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from typing import Protocol

from tilewright.abi import codes as abi_codes, layout
from tilewright.ir.diagnostic import DiagnosticError, failure

SEGMENT_GAP = 1 << 36
"""The distance in bytes between the segments of a new image, so that each can grow."""
FIRST_SEGMENT = 1 << 32
FUNCTION_SIZE = 16
"""The number of bytes of a function in an image. Only its address is used."""
STRING_LIMIT = 1 << 24
"""The maximum number of bytes of a string; a longer one is reported as damage."""


class ReadableMemory(Protocol):
    """Memory whose bytes can be read by address: an image, a core dump, or a running process. Its only method
    is `read`.
    """

    def read(self, address: int, size: int) -> bytes | memoryview:
        """Return exactly ``size`` bytes. Raises `DiagnosticError` if some of them are missing."""
        ...


def out_of_bounds(address: int, size: int, what: str = "") -> DiagnosticError:
    """Return the error that ``size`` bytes at an address are not in memory, to be raised. ``what`` names the
    thing that was being read, for the message; empty: the message does not say.
    """
    reading = f" while reading {what}" if what else ""
    return failure(abi_codes.BAD_ADDRESS, f"no {size} bytes at address {address:#x}{reading}")


class MemorySegment:
    """A named run of bytes that starts at address ``base``; ``allocate`` adds to its end. A segment over a
    `memoryview` does not grow.
    """

    __slots__ = ("base", "data", "name")

    def __init__(self, name: str, base: int, data: bytes | bytearray | memoryview = b"") -> None:
        self.name = name
        self.base = base
        self.data = data if isinstance(data, memoryview) else bytearray(data)

    @property
    def end(self) -> int:
        """The address after the last byte."""
        return self.base + len(self.data)

    def allocate(self, size: int, alignment: int = 8) -> int:
        """Append ``size`` zero bytes and return their address, whose distance from ``base`` is a multiple of
        ``alignment`` bytes; zeros fill the gap before. The segment must not be over a `memoryview`.
        """
        data = self.data
        assert isinstance(data, bytearray), "a segment over external memory does not grow"
        at = -(-len(data) // alignment) * alignment
        data.extend(bytes(at + size - len(data)))
        return self.base + at


class AbiImage:
    """An address space: segments that do not overlap, looked up by address."""

    def __init__(self, segments: Iterable[MemorySegment] = ()) -> None:
        self.segments = sorted(segments, key=lambda segment: segment.base)
        self._bases = [segment.base for segment in self.segments]

    def add_segment(self, name: str) -> MemorySegment:
        """Append an empty segment at addresses above all others, and return it."""
        base = self.segments[-1].base + SEGMENT_GAP if self.segments else FIRST_SEGMENT
        segment = MemorySegment(name, base)
        self.segments.append(segment)
        self._bases.append(base)
        return segment

    def segment(self, name: str) -> MemorySegment:
        """Return the segment called ``name``. Raises KeyError if there is none."""
        for segment in self.segments:
            if segment.name == name:
                return segment
        raise KeyError(name)

    def at(self, address: int) -> MemorySegment | None:
        """Return the segment that contains an address; None if there is none."""
        position = bisect_right(self._bases, address) - 1
        if position < 0:
            return None
        segment = self.segments[position]
        return segment if address < segment.base + len(segment.data) else None

    def read(self, address: int, size: int) -> memoryview:
        segment = self.at(address)
        start = address - segment.base if segment is not None else 0
        if segment is None or size < 0 or start + size > len(segment.data):
            raise out_of_bounds(address, size)
        return memoryview(segment.data)[start : start + size]

    def write(self, address: int, data: bytes) -> None:
        """Overwrite bytes that were allocated before. Raises `DiagnosticError` for bytes outside of them."""
        segment = self.at(address)
        if segment is None or address + len(data) > segment.end:
            raise out_of_bounds(address, len(data))
        start = address - segment.base
        segment.data[start : start + len(data)] = data

    @property
    def size(self) -> int:
        """The sum of the sizes of all segments, in bytes."""
        return sum(len(segment.data) for segment in self.segments)


class OtherProcessMemory:
    """The memory of the running process with the number ``process``, by default this process, read through
    the operating system (Linux only). Its file stays open until `close`. Construction raises `OSError` if
    there is no such process, or if its memory may not be read.
    """

    def __init__(self, process: int | None = None) -> None:
        self._file = open(f"/proc/{process or 'self'}/mem", "rb", buffering=0)  # noqa: SIM115 - held open

    def read(self, address: int, size: int) -> bytes:
        try:
            self._file.seek(address)
            data = self._file.read(size)
        except (OSError, ValueError, OverflowError):
            raise out_of_bounds(address, size) from None
        if len(data) != size:
            raise out_of_bounds(address, size)
        return data

    def close(self) -> None:
        """Close the file of the process's memory."""
        self._file.close()


def read_word(memory: ReadableMemory, address: int) -> int:
    """Return the unsigned 64-bit little-endian word at an address. Raises `DiagnosticError` if it is not in
    memory.
    """
    return int.from_bytes(memory.read(address, 8), "little")


def read_struct(memory: ReadableMemory, struct: layout.Struct, address: int) -> dict[str, object]:
    """Return the values of all fields of the struct at an address, views included, by field name. Raises
    `DiagnosticError` if the struct is not in memory.
    """
    return struct.decode(memory.read(address, struct.size))


def read_field(memory: ReadableMemory, struct: layout.Struct, address: int, name: str) -> int:
    """Return one integer or bit field of the struct at an address, as an unsigned number, reading only the
    bytes of the field.
    """
    offset, size, shift, mask = struct.places[name]
    return int.from_bytes(memory.read(address + offset, size), "little") >> shift & mask


def read_text(memory: ReadableMemory, address: int, length: int, what: str = "a string") -> str:
    """Return the UTF-8 string of ``length`` bytes at an address; invalid bytes become surrogate escapes. For
    length 0 nothing is read. Raises `DiagnosticError` if the string is longer than `STRING_LIMIT`, or not in
    memory; ``what`` describes the string in the message.
    """
    if not length:
        return ""
    if length > STRING_LIMIT:
        raise out_of_bounds(address, length, what)
    try:
        return bytes(memory.read(address, length)).decode("utf-8", "surrogateescape")
    except DiagnosticError:
        raise out_of_bounds(address, length, what) from None
