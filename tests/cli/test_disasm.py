"""`tilewright disasm`: what ``tileirdisasm`` prints, on stdout."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.test_commands import Answer, tilewright  # noqa: F401  (the fixture)
from tests.house.tree import ROOT
from tests.support.real.real_tools import disassemble
from tests.support.real.real_writer import op_cases

KERNEL = str(ROOT / "tests" / "house" / "data" / "kernel.mlir")
Command = Callable[..., Answer]


def test_text_is_taken_too(tilewright: Command) -> None:  # noqa: F811
    status, out, err = tilewright("disasm", KERNEL)
    assert (status, err) == (0, "")
    assert out.startswith("entry @")
    assert out.endswith("}\n")
    assert "cuda_tile." not in out


def test_locations(tilewright: Command) -> None:  # noqa: F811
    out = tilewright("disasm", "-g", KERNEL).out
    assert "loc(#loc" in out
    assert tilewright("disasm", "--print-debug-info", KERNEL).out == out


def test_into_a_file(tilewright: Command, tmp_path: Path) -> None:  # noqa: F811
    target = tmp_path / "kernel.txt"
    assert tilewright("disasm", KERNEL, "-o", str(target)) == (0, "", "")
    assert target.read_text() == tilewright("disasm", KERNEL).out


@pytest.mark.parametrize("flags", [(), ("-g",)])
def test_bytecode_as_the_tool_prints_it(tilewright: Command, tmp_path: Path, flags: tuple[str, ...]) -> None:  # noqa: F811
    path = tmp_path / "kernel.tileirbc"
    for case in op_cases()[::400]:
        path.write_bytes(case.bytecode)
        _, expected, _ = disassemble(case.bytecode, bool(flags))
        assert tilewright("disasm", *flags, str(path)) == (0, expected, "")


def test_its_own_text_is_taken(tilewright: Command, tmp_path: Path) -> None:  # noqa: F811
    path = tmp_path / "kernel.txt"
    for flags in ((), ("-g",)):
        printed = tilewright("disasm", *flags, KERNEL).out
        path.write_text(printed)
        assert tilewright("disasm", *flags, str(path)) == (0, printed, "")


def test_wrong_command_lines(tilewright: Command) -> None:  # noqa: F811
    assert tilewright("disasm").status == 2
    assert tilewright("disasm", KERNEL, KERNEL).status == 2
    assert "--print-debug-info" in tilewright("disasm", "--print-debug-inf", KERNEL).err
    assert "Usage: tilewright disasm" in tilewright("disasm", "-h").out


def test_broken_bytecode(tilewright: Command, tmp_path: Path) -> None:  # noqa: F811
    path = tmp_path / "broken.tileirbc"
    path.write_bytes(b"\x7fTileIR\x00\x0d")
    status, out, err = tilewright("disasm", str(path))
    assert (status, out) == (1, "")
    assert "error[" in err
    assert tilewright("disasm", str(tmp_path / "missing")).status == 2


class _Stdin:
    def __init__(self, data: bytes) -> None:
        self.buffer = io.BytesIO(data)


def test_what_is_no_tile_ir(tilewright: Command, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    monkeypatch.setattr(sys, "stdin", _Stdin(b"module {\n}\n"))
    status, out, err = tilewright("disasm", "-")
    assert (status, out) == (2, "")
    assert err == (
        "error: '-' holds 'builtin.module', not a 'cuda_tile.module'\nhint: print it with 'tilewright opt'\n"
    )


def test_unknown_preview_features(tilewright: Command) -> None:  # noqa: F811
    status, out, err = tilewright("disasm", "--preview=simd", KERNEL)
    assert (status, out) == (2, "")
    assert "unknown preview feature 'simd'" in err
    assert "known features: simt" in err
