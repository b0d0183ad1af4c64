"""Reading files as memory: headers, relocations, raw images, strings."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

pytest.importorskip("numpy")
pytest.importorskip("elftools")

import numpy as np
from hypothesis import given, strategies as st

from tests.support.synthetic.elf_writer import CORE, EXECUTABLE, SHARED, Block, ElfOptions, write_elf
from tilewright.inspect.arrays import find_bytes, octets, signed32, unsigned64
from tilewright.inspect.binary.image import MemoryRegion, ProgramImage
from tilewright.inspect.binary.loader import file_bytes, load, raw_image
from tilewright.inspect.names.type_names import starts_of, strings_ending
from tilewright.ir.diagnostic import DiagnosticError

CODE = Block(".text", 0x1000, b"\xc3" * 64, 5)
DATA = Block(".data", 0x3000, bytes(range(64)), 6)
ZERO = Block(".bss", 0x5000, b"", 6, size=0x100, kind=8)


def image(
    type: int = EXECUTABLE, *, sections: bool = True, blocks: tuple[Block, ...] = (CODE, DATA, ZERO)
) -> ProgramImage:
    return load(octets(write_elf(list(blocks), ElfOptions(type, sections, entry=0x1000))), "x")


def test_regions_of_sections() -> None:
    found = image()
    rows = [(r.name, r.address, r.size, len(r.data), r.rights) for r in found.regions]
    assert rows == [
        (".text", 0x1000, 64, 64, "r-x"),
        (".data", 0x3000, 64, 64, "rw-"),
        (".bss", 0x5000, 0x100, 0, "rw-"),
    ]
    assert found.header["entry"] == 0x1000
    assert [section.name for section in found.sections] == ["", ".text", ".data", ".bss", ".shstrtab"]


@pytest.mark.parametrize("type", [EXECUTABLE, CORE])
def test_regions_of_segments(type: int) -> None:
    found = image(type, sections=False)
    rows = [(r.name, r.address, r.size, r.rights) for r in found.regions]
    assert rows == [
        ("segment 0", 0x1000, 64, "r-x"),
        ("segment 1", 0x3000, 64, "rw-"),
        ("segment 2", 0x5000, 0x100, "rw-"),
    ]


def test_reading() -> None:
    found = image()
    assert found.read(0x3004, 4) == bytes((4, 5, 6, 7))
    assert found.read(0x303E, 8) == bytes((62, 63))
    assert found.read(0x5000, 4) == b""
    assert found.read(0x4000, 4) == b""
    assert found.word(0x3008) == int.from_bytes(bytes(range(8, 16)), "little")
    assert found.word(0x303C) is None
    assert found.place(0x3004) == ".data"
    assert found.region_at(1 << 63) is None


def test_addresses_are_told_apart() -> None:
    found = image()
    words = np.array([0xFFF, 0x1000, 0x103F, 0x1040, 0x3000, 0x50FF, 0x5100, (1 << 64) - 1], np.uint64)
    assert found.is_code(words).tolist() == [False, True, True, False, False, False, False, False]
    assert found.is_data(words).tolist() == [False, False, False, False, True, True, False, False]


def library(words: list[int], relocations: list[tuple[int, int, int, int]]) -> ProgramImage:
    """A library with relocations (offset, kind, symbol, addend) and the symbols: none, defined, undefined."""
    symbols = (
        bytes(24)
        + struct.pack("<IBBHQQ", 1, 0x12, 0, 1, 0x1010, 4)
        + struct.pack("<IBBHQQ", 9, 0x12, 0, 0, 0, 0)
    )
    names = b"\0defined\0missing\0"
    table = b"".join(
        struct.pack("<QIIq", offset, kind, symbol, addend) for offset, kind, symbol, addend in relocations
    )
    entries = ((5, 0x7000), (6, 0x6000), (10, len(names)), (7, 0x8000), (8, len(table)), (0, 0))
    blocks = (
        CODE,
        Block(".data", 0x3000, b"".join(word.to_bytes(8, "little") for word in words), 6),
        Block(".dynsym", 0x6000, symbols, 4, kind=11),
        Block(".dynstr", 0x7000, names, 4, kind=3),
        Block(".rela.dyn", 0x8000, table, 4, kind=4),
        Block(".dynamic", 0x9000, b"".join(struct.pack("<QQ", *entry) for entry in entries), 6, kind=6),
    )
    return image(SHARED, blocks=blocks)


def test_relocations_are_applied() -> None:
    found = library([1, 2, 3, 4], [(0x3000, 8, 0, 0x1020), (0x3008, 1, 1, 4), (0x3010, 6, 2, 0)])
    assert found.word(0x3000) == 0x1020
    assert found.word(0x3008) == 0x1014
    missing = found.word(0x3010)
    assert missing is not None
    assert found.imports == {missing: "missing"}
    assert found.is_code(np.array([missing], np.uint64)).all()
    assert found.word(0x3018) == 4
    assert not found.notes


def test_relocations_of_other_kinds_and_places_are_left_alone() -> None:
    found = library(
        [1, 2], [(0x3000, 37, 0, 0x1020), (0x3009, 8, 0, 5), (0x300C, 8, 0, 5), (0xF000, 8, 0, 5)]
    )
    assert found.word(0x3000) == 1
    assert found.read(0x3008, 8) == bytes((2, 0, 0, 0, 0, 0, 0, 0))


@given(st.lists(st.tuples(st.integers(0, 7), st.integers(0, (1 << 63) - 1)), max_size=20))
def test_relative_relocations_write_their_addends(writes: list[tuple[int, int]]) -> None:
    found = library([0] * 8, [(0x3000 + 8 * at, 8, 0, value) for at, value in writes])
    expected = dict(writes)
    assert [found.word(0x3000 + 8 * at) for at in range(8)] == [expected.get(at, 0) for at in range(8)]


def test_a_relocation_table_that_is_cut_short_is_noted() -> None:
    found = library([1], [(0x3000, 8, 0, 0x1020)])
    data = bytearray(write_elf([CODE, DATA], ElfOptions()))
    assert not found.notes
    struct.pack_into("<H", data, 60, 60000)
    (note,) = load(octets(bytes(data)), "x").notes
    assert str(note.code) == "TW1052"
    assert "section headers" in note.message


def test_overlapping_regions_are_looked_at_once() -> None:
    found = image(blocks=(CODE, DATA, Block(".again", 0x3010, bytes(64), 6)))
    assert [region.name for region in found.scanned] == [".text", ".data"]
    assert any("overlap" in note.message for note in found.notes)


def test_files_that_are_no_elf(tmp_path: Path) -> None:
    plain, empty = tmp_path / "plain", tmp_path / "empty"
    plain.write_bytes(b"hello, world")
    empty.write_bytes(b"")
    with pytest.raises(DiagnosticError, match="TW1051"):
        load(file_bytes(plain), "plain")
    with pytest.raises(DiagnosticError, match="it is empty"):
        file_bytes(empty)
    with pytest.raises(DiagnosticError, match="TW1050"):
        file_bytes(tmp_path / "missing")


def test_raw_images() -> None:
    found = raw_image(octets(bytes(range(100))), "raw", 0x1000, ((0x1010, 0x1020),))
    rows = [(r.address, r.size, r.rights) for r in found.regions]
    assert rows == [(0x1000, 16, "rw-"), (0x1010, 16, "r-x"), (0x1020, 68, "rw-")]
    assert found.read(0x1012, 2) == bytes((18, 19))
    for wrong in ((0x1010, 0x2000), (0x800, 0x1010), (0x1020, 0x1010)):
        with pytest.raises(DiagnosticError, match="TW1055"):
            raw_image(octets(bytes(100)), "raw", 0x1000, (wrong,))


@given(st.binary(min_size=8, max_size=64), st.data())
def test_numbers_are_read_as_struct_does(data: bytes, draw: st.DataObject) -> None:
    at = draw.draw(st.integers(0, len(data) - 8))
    place = np.array([at], np.int64)
    assert signed32(octets(data), place)[0] == struct.unpack_from("<i", data, at)[0]
    assert unsigned64(octets(data), place)[0] == struct.unpack_from("<Q", data, at)[0]


@given(st.binary(max_size=80), st.binary(min_size=1, max_size=3))
def test_bytes_are_found_as_by_find(data: bytes, pattern: bytes) -> None:
    expected = [at for at in range(len(data)) if data.startswith(pattern, at)]
    assert find_bytes(octets(data), pattern).tolist() == expected


@given(st.lists(st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E), max_size=20), max_size=8))
def test_strings_with_an_end(texts: list[str]) -> None:
    data = b"\x80" + b"\0".join(text.encode() for text in texts) + b"\0"
    found = ProgramImage("x", "raw image", "x86-64", (MemoryRegion("data", 0x100, len(data), octets(data)),))
    expected = [text for text in texts if text.endswith("]")]
    assert [text.value for text in strings_ending(found, b"]")] == expected


def test_the_start_of_a_string_at_the_start_of_memory() -> None:
    assert starts_of(octets(b"abc]\0"), np.array([4], np.int64)).tolist() == [0]
