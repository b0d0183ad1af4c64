"""Broken files give diagnostics and findings, never another exception.

``TILEWRIGHT_ELF_MUTATIONS`` sets how many are tried (200 unless told).
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

pytest.importorskip("numpy")
pytest.importorskip("elftools")
pytest.importorskip("capstone")

from tests.inspect.mutate import mutations
from tests.support.synthetic.elf_writer import EXECUTABLE, Block, ElfOptions, write_elf
from tests.support.synthetic.synthetic_cubin import cubin
from tests.support.synthetic.synthetic_program import SMALL, Program
from tilewright.inspect.analysis import inspect_image
from tilewright.inspect.arrays import octets
from tilewright.inspect.binary.elf import ElfFile
from tilewright.inspect.binary.loader import from_elf
from tilewright.inspect.cubin import reports
from tilewright.inspect.cubin.view import is_cubin, read_cubin
from tilewright.inspect.reports import html as report_html, json as report_json, table as report_table
from tilewright.ir.diagnostic import Diagnostic, DiagnosticError

COUNT = int(os.environ.get("TILEWRIGHT_ELF_MUTATIONS", "200"))
SHARDS = 8


def files() -> list[bytes]:
    program = Program(figures=SMALL)
    made = [program.executable(), program.executable(sections=False), program.library(), program.core()]
    return [*made, cubin(), cubin(), cubin()]


def look(data: bytes) -> tuple[Diagnostic, ...]:
    """Everything that the command does with a file; answers the problems."""
    try:
        elf = ElfFile(octets(data), "mutated")
        if is_cubin(elf):
            found = read_cubin(elf)
            assert reports.to_table(found, everything=True)
            assert reports.to_json(found)
            assert reports.to_html(found)
            return found.notes
        inspection = inspect_image(from_elf(elf))
    except DiagnosticError as error:
        return tuple(error.diagnostics)
    assert report_table.to_table(inspection)
    assert report_json.to_json(inspection)
    assert report_html.to_html(inspection)
    return inspection.notes


def shard(number: int) -> Iterator[bytes]:
    return mutations(files(), COUNT // SHARDS, seed=number)


@pytest.mark.parametrize("number", range(SHARDS))
def test_mutated_files(number: int) -> None:
    problems = [look(data) for data in shard(number)]
    assert any(problems)
    assert all(note.code is not None for notes in problems for note in notes)


@pytest.mark.parametrize("length", [0, 1, 4, 15, 16, 40, 63])
def test_files_that_end_in_the_header(length: int) -> None:
    assert look(Program(figures=SMALL).executable()[:length])


def test_big_endian_and_32_bit_headers_are_shown() -> None:
    data = bytearray(Program(figures=SMALL).executable())
    data[5] = 2
    assert look(bytes(data))
    data[4], data[5] = 1, 1
    assert look(bytes(data))


@pytest.mark.parametrize("kind", [0, 1, 0xFE00])
def test_other_kinds_of_files_say_why_they_are_not_analysed(kind: int) -> None:
    data = bytearray(Program(figures=SMALL).executable())
    data[16:18] = kind.to_bytes(2, "little")
    (note,) = look(bytes(data))
    assert str(note.code) == "TW1053"


def test_other_machines_are_searched_for_data_only() -> None:
    data = bytearray(Program(figures=SMALL).executable())
    data[18:20] = (183).to_bytes(2, "little")
    inspection = inspect_image(from_elf(ElfFile(octets(bytes(data)), "arm")))
    assert [str(note.code) for note in inspection.notes] == ["TW1054"]
    assert inspection.of_kind("string pool")
    assert inspection.of_kind("pattern")
    assert not inspection.of_kind("mask site")


HIGH = [1 << 62, (1 << 63) - 8, 1 << 63, (1 << 63) + 8, (1 << 64) - 8, (1 << 64) - 1]
BELOW_ZERO = b"\xe9\x00\x00\xf0\xff"
"""A jump 1 MiB back, which leads below address 0 from any place before."""


def constructors(entries: list[int], *, text: int = 0x1000, table: int = 0x3000) -> bytes:
    """A program with a table of constructors and code that jumps back."""
    words = b"".join(entry.to_bytes(8, "little") for entry in entries)
    code = Block(".text", text, BELOW_ZERO + b"\xc3" * 59, 5)
    blocks = [code, Block(".init_array", table, words, 6)]
    return write_elf(blocks, ElfOptions(EXECUTABLE, entry=0x1000))


@pytest.mark.parametrize("word", HIGH)
def test_high_words_among_constructors(word: int) -> None:
    elf = ElfFile(octets(constructors([0x1000, word, 0x1008])), "high")
    (table,) = inspect_image(from_elf(elf)).of_kind("constructor table")
    assert table.details["entries"] == 3
    assert table.details["referenced"] == 0


@pytest.mark.parametrize("address", HIGH)
def test_sections_at_high_addresses(address: int) -> None:
    for data in (constructors([0x1000], text=address), constructors([0x1000], table=address)):
        look(data)


@pytest.mark.parametrize("entries", [[0x1000, 0x1005], [0x1005, 0x1000]])
def test_code_that_jumps_below_address_0(entries: list[int]) -> None:
    look(constructors(entries))
