"""`tilewright compile`: stages of a module."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.test_commands import Answer, tilewright  # noqa: F401  (the fixture)
from tests.house.tree import ROOT
from tilewright.driver.sources import load

KERNEL = str(ROOT / "tests" / "house" / "data" / "kernel.mlir")
Command = Callable[..., Answer]


def test_text_on_stdout(tilewright: Command) -> None:  # noqa: F811
    status, out, err = tilewright("compile", KERNEL)
    assert (status, err) == (0, "")
    assert out == str(load(Path(KERNEL))) + "\n"
    assert tilewright("compile", KERNEL, "--emit=tileir", "-o", "-").out == out


def test_bytecode_into_a_file(tilewright: Command, tmp_path: Path) -> None:  # noqa: F811
    path = tmp_path / "k.tileirbc"
    words = ("compile", KERNEL, "--emit", "bytecode", "--bytecode-version", "13.3", "-o", str(path))
    assert tilewright(*words) == (0, "", "")
    assert path.read_bytes()[8:10] == bytes([13, 3])


def test_several_stages(tilewright: Command, tmp_path: Path) -> None:  # noqa: F811
    assert tilewright("compile", KERNEL, "--emit=tileir,bytecode", "-o", str(tmp_path / "k")).status == 0
    assert {path.name for path in tmp_path.iterdir()} == {"k.mlir", "k.tileirbc"}
    status, _, err = tilewright("compile", KERNEL, "--emit=tileir,bytecode")
    assert (status, "-o" in err) == (2, True)


def test_passes_and_timings(tilewright: Command) -> None:  # noqa: F811
    status, out, err = tilewright("compile", KERNEL, "--pipeline", "canonicalize", "--timings")
    assert (status, "make_token" in out) == (0, False)
    assert [line.split()[-1] for line in err.splitlines()] == ["read", "pipeline", "tileir"]


def test_stdin(tilewright: Command, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"foo.a")))
    status, _, err = tilewright("compile", "-")
    assert status == 1
    assert err.startswith("<stdin>:1:1: error[TW0002]")


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (("--emit=ptx",), 2, "available stages: tileir, bytecode, tileaa"),
        (("--emit=llvm", "--cpu=abacus"), 1, "TW0930"),
        (("--emit=tilier",), 2, "did you mean 'tileir'?"),
        (("--emit=",), 2, "names no stage"),
        (("--target=gpu",), 2, "TW0501"),
        (("--pipeline=nothing",), 1, "nothing"),
        (("--bytecode-version=1.1",), 2, "supported versions"),
        (("-o", "/nowhere/at/all"), 2, "cannot write"),
    ],
)
def test_refusals(tilewright: Command, words: tuple[str, ...], status: int, said: str) -> None:  # noqa: F811
    answer = tilewright("compile", KERNEL, *words)
    assert (answer.status, answer.out) == (status, "")
    assert said in answer.err


def test_stages_of_the_processor(tilewright: Command, tmp_path: Path) -> None:  # noqa: F811
    pytest.importorskip("llvmlite")
    words = ("compile", KERNEL, "--emit=asm", "--cpu=x86-64-v3", "--save-temps", "-o", str(tmp_path / "k.s"))
    assert tilewright(*words) == (0, "", "")
    assert {path.name for path in tmp_path.iterdir()} == {"k.tileaa.mlir", "k.tileas.mlir", "k.ll", "k.s"}
    assert "vmulps" in (tmp_path / "k.s").read_text()
    lowered = tilewright("compile", str(tmp_path / "k.tileas.mlir"), "--emit=llvm", "--cpu=x86-64-v3")
    assert lowered.out == (tmp_path / "k.ll").read_text()


def test_looking_at_passes(tilewright: Command) -> None:  # noqa: F811
    words = ("compile", KERNEL, "--emit=tileaa", "--mlir-print-ir-after-all", "--mlir-timing")
    status, out, err = tilewright(*words)
    assert status == 0
    assert '"nv_tileaa.func"' in out
    assert "// -----// IR Dump After ConvertCudaTileToTileAA (convert-cuda-tile-to-tileaa) //----- //" in err
    assert "Execution time report" in err


def test_temporaries_need_a_place(tilewright: Command, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(Path(KERNEL).read_bytes())))
    status, _, err = tilewright("compile", "-", "--save-temps")
    assert (status, "name it with -o" in err) == (2, True)
