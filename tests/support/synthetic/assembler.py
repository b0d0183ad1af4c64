"""A raw assembler for Tile IR bytecode that checks nothing, for tests that need broken files.

A ``Module`` is a plain value: sections are tables of bytes, and every count, length, offset and alignment that
``assemble`` would derive can be overridden. Written for tests only; the project's own writer is elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import Any

MAGIC = b"\x7fTileIR\x00"
FILLER = b"\xcb"
STRING, FUNCTION, DEBUG, CONSTANT, TYPE, GLOBAL, PRODUCER = range(1, 8)
ALIGNMENTS: Mapping[int, int] = {
    STRING: 4,
    FUNCTION: 8,
    DEBUG: 8,
    CONSTANT: 8,
    TYPE: 4,
    GLOBAL: 1,
    PRODUCER: 1,
}
ORDER = (GLOBAL, FUNCTION, CONSTANT, DEBUG, TYPE, PRODUCER, STRING)


def varint(value: int) -> bytes:
    """Unsigned LEB128."""
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


def varints(*values: int) -> bytes:
    """Several varints back to back."""
    return b"".join(varint(v) for v in values)


def zigzag(value: int) -> bytes:
    """Signed varint."""
    return varint(value << 1 if value >= 0 else ~(value << 1))


def integers(values: Sequence[int], width: int) -> bytes:
    """A list: count, then little-endian integers of ``width`` bytes."""
    return varint(len(values)) + b"".join(v.to_bytes(width, "little", signed=True) for v in values)


def pad(data: bytes, alignment: int) -> bytes:
    """``data`` filled up to a multiple of ``alignment``."""
    return data + FILLER * (-len(data) % alignment)


def offsets(entries: Sequence[bytes]) -> list[int]:
    """Where each of the entries starts when they stand back to back."""
    return list(accumulate(map(len, entries[:-1]), initial=0)) if entries else []


def table(
    entries: Sequence[bytes], width: int, count: int | None = None, starts: Sequence[int] | None = None
) -> bytes:
    """A table section: count, padding, start offsets of ``width`` bytes, data."""
    starts = offsets(entries) if starts is None else starts
    head = pad(varint(len(entries) if count is None else count), width)
    return head + b"".join(s.to_bytes(width, "little") for s in starts) + b"".join(entries)


def operation(opcode: int, *parts: bytes | int) -> bytes:
    """An op: its opcode, then bytes as they are and integers as varints."""
    return varint(opcode) + b"".join(p if isinstance(p, bytes) else varint(p) for p in parts)


RETURN = operation(0x5C, 0, 0)


@dataclass(frozen=True)
class Function:
    """One function table entry; None means what a valid file would have."""

    body: bytes = RETURN
    name: int = 0
    signature: int = 0
    flags: int = 2
    location: int = 0
    hints: bytes | None = None
    arguments: bytes | None = None
    body_length: int | None = None

    def encode(self, version: tuple[int, int]) -> bytes:
        """The entry's bytes in a file of ``version``."""
        new = version >= (13, 5)
        hints = self.hints if self.hints is not None else b"\x0b\x00" if new and self.flags & 2 else b""
        arguments = self.arguments if self.arguments is not None else b"\x06\x00" if new else b""
        length = len(self.body) if self.body_length is None else self.body_length
        head = varints(self.name, self.signature) + bytes([self.flags]) + varint(self.location)
        return head + hints + arguments + varint(length) + self.body


@dataclass(frozen=True)
class Module:
    """A file; ``payloads`` replaces whole section payloads (None drops the section)."""

    version: tuple[int, int] = (13, 4)
    tag: int = 0
    magic: bytes = MAGIC
    strings: Sequence[bytes] = (b"k",)
    types: Sequence[bytes] = (b"\x10\x00\x00",)
    constants: Sequence[bytes] = ()
    functions: Sequence[Function] = (Function(),)
    payloads: Mapping[int, bytes | None] = field(default_factory=dict[int, "bytes | None"])
    alignments: Mapping[int, int | None] = field(default_factory=dict[int, "int | None"])
    lengths: Mapping[int, int] = field(default_factory=dict[int, int])
    order: Sequence[int] = ORDER
    end: bytes = b"\x00"

    def with_(self, **changes: Any) -> Module:
        """A copy with some fields replaced."""
        return replace(self, **changes)

    def payload(self, section: int) -> bytes | None:
        """The bytes of one section, or None when it is left out."""
        if section in self.payloads:
            return self.payloads[section]
        functions = varint(len(self.functions)) + b"".join(f.encode(self.version) for f in self.functions)
        made = {
            STRING: table(self.strings, 4),
            FUNCTION: pad(functions, 8),
            CONSTANT: table([varint(len(c)) + c for c in self.constants], 8) if self.constants else None,
            TYPE: table(self.types, 4),
        }
        return made.get(section)

    def assemble(self) -> bytes:
        """The file's bytes."""
        out = self.magic + bytes(self.version) + self.tag.to_bytes(2, "little")
        for section in self.order:
            payload = self.payload(section)
            if payload is not None:
                out = self._append(out, section, payload)
        return out + self.end

    def _append(self, out: bytes, section: int, payload: bytes) -> bytes:
        alignment = self.alignments.get(section, ALIGNMENTS.get(section, 1))
        length = varint(self.lengths.get(section, len(payload)))
        if alignment is None or alignment == 1:
            return out + bytes([section]) + length + payload
        head = out + bytes([section | 0x80]) + length + varint(alignment)
        return pad(head, max(alignment, 1)) + payload
