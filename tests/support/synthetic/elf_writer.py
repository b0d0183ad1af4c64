"""Writes ELF files around memory: executables, shared libraries with relocations, core dumps; with sections or without."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field

PAGE = 0x1000
READ, WRITE, EXECUTE = 4, 2, 1
EXECUTABLE, SHARED, CORE = 2, 3, 4
MACHINE = 62


@dataclass
class Block:
    """Memory with a name: what a section or a segment holds.  ``size`` beyond the data is zero memory."""

    name: str
    address: int
    data: bytes
    rights: int
    size: int = 0
    kind: int = 1
    link: int = 0
    entry_size: int = 0

    @property
    def memory_size(self) -> int:
        return max(self.size, len(self.data))


@dataclass
class ElfOptions:
    """What kind of file."""

    type: int = EXECUTABLE
    sections: bool = True
    machine: int = MACHINE
    entry: int = 0
    flags: int = 0
    extra: list[Block] = field(default_factory=list[Block])
    """Sections that take no memory."""


def write_elf(blocks: list[Block], options: ElfOptions) -> bytes:
    """An ELF file: one segment for each block that has an address, headers of sections on request."""
    loaded = [block for block in blocks if block.memory_size]
    dynamic = [block for block in loaded if block.kind == 6]
    count = len(loaded) + len(dynamic)
    at = 64 + 56 * count
    body = bytearray()
    places: dict[int, int] = {}
    for block in [*loaded, *options.extra]:
        if block.kind != 8:
            pad = -(at + len(body)) % 16 if options.type != CORE else -(at + len(body)) % PAGE
            body += bytes(pad)
        places[id(block)] = at + len(body)
        body += b"" if block.kind == 8 else block.data
    segments = b"".join(_segment(block, places[id(block)], 1) for block in loaded)
    segments += b"".join(_segment(block, places[id(block)], 2) for block in dynamic)
    tail, offset, number = b"", 0, 0
    if options.sections:
        tail, offset, number = _sections([*loaded, *options.extra], places, at + len(body))
    header = struct.pack(
        "<16sHHIQQQIHHHHHH",
        b"\x7fELF\x02\x01\x01".ljust(16, b"\0"),
        options.type,
        options.machine,
        1,
        options.entry,
        64 if count else 0,
        offset,
        options.flags,
        64,
        56,
        count,
        64,
        number,
        max(number - 1, 0),
    )
    return header + segments + bytes(body) + tail


def _segment(block: Block, offset: int, kind: int) -> bytes:
    file_size = 0 if block.kind == 8 else len(block.data)
    fields = (kind, block.rights, offset, block.address, block.address, file_size, block.memory_size, PAGE)
    return struct.pack("<IIQQQQQQ", *fields)


def _sections(blocks: list[Block], places: dict[int, int], at: int) -> tuple[bytes, int, int]:
    names = b"\0"
    rows = [bytes(64)]
    for block in [*blocks, Block(".shstrtab", 0, b"", 0, kind=3)]:
        name_at = len(names)
        names += block.name.encode() + b"\0"
        flags = (
            (2 if block.address else 0)
            | (1 if block.rights & WRITE else 0)
            | (4 if block.rights & EXECUTE else 0)
        )
        size = block.memory_size
        rows.append(
            struct.pack(
                "<IIQQQQIIQQ",
                name_at,
                block.kind,
                flags,
                block.address,
                places.get(id(block), at),
                size,
                block.link,
                0,
                8,
                block.entry_size,
            )
        )
    last = list(struct.unpack("<IIQQQQIIQQ", rows[-1]))
    last[5] = len(names)
    rows[-1] = struct.pack("<IIQQQQIIQQ", *last)
    pad = -(at + len(names)) % 8
    return names + bytes(pad) + b"".join(rows), at + len(names) + pad, len(rows)
