"""Fat binaries, as `nvcc` embeds them in executables."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from tests.house.tree import ROOT
from tilewright import DiagnosticError
from tilewright.cuda_programs.fat_binary import ELF, MAGIC, PTX, TILE_IR, images

BYTECODE = sorted((ROOT / "tests" / "bytecode" / "fixtures").rglob("*.tileirbc"))


def entry(kind: int, architecture: int, data: bytes, compressed: int = 0) -> bytes:
    padded = data + bytes(-len(data) % 8)
    head = struct.pack("<HHIQIIII", kind, 0x101, 64, len(padded), compressed, 0, 0, architecture)
    return head.ljust(64, b"\0") + padded


def fat(*entries: bytes) -> bytes:
    body = b"".join(entries)
    return struct.pack("<IHHQ", MAGIC, 1, 16, len(body)) + body


def test_the_newest_code_comes_first() -> None:
    found = images(
        fat(entry(PTX, 80, b".version 8.0"), entry(ELF, 90, b"code"), entry(PTX, 90, b".version 8.1"))
    )
    assert [(one.architecture, one.data.rstrip(b"\0")) for one in found] == [
        (90, b".version 8.1"),
        (80, b".version 8.0"),
    ]


@pytest.mark.parametrize("path", BYTECODE[:8], ids=lambda path: Path(path).stem)
def test_bytecode_has_its_size_back(path: Path) -> None:
    data = path.read_bytes()
    (found,) = images(fat(entry(TILE_IR, 100, data)))
    assert found.data == data


def test_machine_code_alone_cannot_be_run() -> None:
    with pytest.raises(DiagnosticError, match=r"TW1369.*only machine code for GPUs\n.*tilewright nvcc"):
        images(fat(entry(ELF, 90, b"code")))


def test_a_fat_binary_without_entries_is_refused() -> None:
    with pytest.raises(DiagnosticError, match=r"TW1369.*has no code for GPUs\n.*tilewright nvcc"):
        images(fat())


def test_compressed_code_says_how_to_build() -> None:
    with pytest.raises(DiagnosticError, match=r"TW1369.*compressed\n.*-no-compress"):
        images(fat(entry(PTX, 90, b"....", compressed=4)))


def test_other_data_is_refused() -> None:
    with pytest.raises(DiagnosticError, match="TW1369"):
        images(bytes(32))
