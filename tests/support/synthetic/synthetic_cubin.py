"""A hand-built cubin: two kernels with metadata, embedded texts, and line tables with relocations."""

from __future__ import annotations

import struct

from tests.support.synthetic.elf_writer import Block, ElfOptions, write_elf

CUDA, ABI_8 = 190, 8
PTX = ".version 8.0\n.target sm_90\n.visible .entry first()\n{\nmov.u32 %r1, 1;\nret;\n}\n"
TILE_IR = "entry @first() {\n  %0 = constant <i32: 1> : tile<i32>\n  return\n}\n"
HASH = "00112233445566778899aabbccddeeff"


def attribute(number: int, value: bytes) -> bytes:
    return struct.pack("<BBH", 4, number, len(value)) + value


def half(number: int, value: int) -> bytes:
    return struct.pack("<BBH", 3, number, value)


def note(kind: int, description: bytes) -> bytes:
    owner = b"NVIDIA Corp\0"
    return struct.pack("<III", len(owner), len(description), kind) + owner + description


def parameter(ordinal: int, offset: int, size: int) -> bytes:
    return attribute(0x17, struct.pack("<IHHI", 0, ordinal, offset, size << 18 | 0x1F000))


def line_program(rows: list[tuple[int, int]], size: int, files: tuple[str, ...] = ()) -> tuple[bytes, int]:
    """(advance of the address, advance of the line) pairs; answers the bytes and where the start address is."""
    names = b"".join(name.encode() + b"\0\0\0\0" for name in files) + b"\0"
    prologue = bytes((1, 1, 0xFB, 14, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1)) + b"\0" + names
    body = bytearray(b"\x00\x09\x02") + bytes(8)
    if files:
        body += bytes((4, len(files)))
    for address, line in rows:
        body += bytes((2, address)) + b"\x03" + bytes((line & 0x7F,)) + b"\x01"
    body += bytes((2, size - sum(address for address, _ in rows))) + b"\x00\x01\x01"
    head = struct.pack("<HI", 3, len(prologue)) + prologue
    data = struct.pack("<I", len(head) + len(body)) + head + bytes(body)
    return data, 4 + len(head) + 3


def symbols() -> tuple[bytes, bytes]:
    names = b"\0first\0second\0"
    rows = [(0, 0, 0, 0), (1, 0x12, 1, 64), (7, 0x12, 2, 96)]
    table = b"".join(
        struct.pack("<IBBHQQ", name, info, 0x10, index, 0, size) for name, info, index, size in rows
    )
    return table, names


def relocation(at: int, symbol: int) -> bytes:
    return struct.pack("<QQq", at, symbol << 32 | 2, 0)


def cubin() -> bytes:
    """The file."""
    table, names = symbols()
    ptx_rows, ptx_at = line_program([(0, 4), (16, 1)], 64)
    tile_rows, tile_at = line_program([(0, 1), (32, 1)], 64, (f".nv.tileir.debug_txt.{HASH}",))
    source_rows, source_at = line_program([(0, 9)], 64, ("kernel.py",))
    common = b"".join(
        attribute(number, struct.pack("<II", symbol, value))
        for symbol, registers in ((1, 24), (2, 40))
        for number, value in ((0x2F, registers), (0x11, 8 * symbol), (0x12, 16 * symbol))
    )
    first = b"".join((attribute(0x66, struct.pack("<I", 7)), attribute(0x37, struct.pack("<I", 135))))
    first += parameter(1, 8, 4) + parameter(0, 0, 8) + half(0x19, 12) + half(0x1B, 255)
    first += attribute(0x10, struct.pack("<III", 128, 1, 1)) + attribute(0x3D, struct.pack("<III", 2, 1, 1))
    first += attribute(0x0A, struct.pack("<IHH", 3, 0x210, 12)) + struct.pack("<BBBB", 2, 0x4C, 3, 0)
    second = attribute(0x66, struct.pack("<I", 3)) + attribute(0x05, struct.pack("<III", 256, 1, 1))
    tool = bytes(24) + b"\0ptxas\0release 13.5\0-O 3\0"
    sections = [
        Block(".text.first", 0, bytes(64), 5),
        Block(".text.second", 0, bytes(96), 5),
        Block(".strtab", 0, names, 0, kind=3),
        Block(".symtab", 0, table, 0, kind=2),
        Block(".nv.info", 0, common, 0, kind=0x70000000),
        Block(".nv.info.first", 0, first, 0, kind=0x70000000),
        Block(".nv.info.second", 0, second, 0, kind=0x70000000),
        Block(".nv.shared.second", 0, b"", 3, size=512, kind=8),
        Block(".nv.constant0.first", 0, bytes(540), 0),
        Block(".nv_debug_ptx_txt", 0, PTX.replace("\n", "\0").encode(), 0),
        Block(f".nv.tileir.debug_txt.{HASH}", 0, TILE_IR.encode(), 0),
        Block(".nv_debug_line_sass", 0, ptx_rows, 0),
        Block(".nv.tileir.debug_line", 0, tile_rows, 0),
        Block(".debug_line", 0, source_rows, 0),
        Block(".rela.nv_debug_line_sass", 0, relocation(ptx_at, 1), 0, kind=4),
        Block(".rela.nv.tileir.debug_line", 0, relocation(tile_at, 1), 0, kind=4),
        Block(".rela.debug_line", 0, relocation(source_at, 1), 0, kind=4),
        Block(".note.nv.tkinfo", 0, note(2000, tool), 0, kind=7),
        Block(".note.nv.cuinfo", 0, note(1000, struct.pack("<HHHH", 2, 90, 135, 0)), 0, kind=7),
    ]
    data = bytearray(write_elf([], ElfOptions(2, True, CUDA, flags=0x5A04, extra=sections)))
    data[8] = ABI_8
    return bytes(data)
