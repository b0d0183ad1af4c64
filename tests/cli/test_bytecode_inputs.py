"""Every command that takes a module takes it as bytecode and as text."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from tilewright.bytecode import write_bytecode
from tilewright.cli.commands.opt import run_opt
from tilewright.cli.group import cli
from tilewright.driver.reading import parse_text

TEXT = """cuda_tile.module @kernels {
  entry @k() {
    %0 = constant <i32: 1> : tile<i32>
    %1 = addi %0, %0 : tile<i32>
    return
  }
}
"""
CODE = write_bytecode(parse_text(TEXT, "<test>"))
COMMANDS = {
    "opt": ("opt", "--canonicalize", "FILE"),
    "opt -": ("opt", "--no-implicit-module", "-"),
    "verify": ("verify", "FILE"),
    "verify -": ("verify", "-"),
    "diff": ("diff", "FILE", "FILE"),
    "compile": ("compile", "FILE"),
    "compile -": ("compile", "-"),
    "run": ("run", "FILE", "--grid", "1", "--target", "interp"),
    "translate": ("translate", "FILE"),
    "translate -": ("translate", "-"),
    "disasm": ("disasm", "FILE"),
    "disasm -": ("disasm", "-"),
    "abi image": ("abi", "image", "FILE", "-o", "OUT"),
}


@pytest.mark.parametrize("words", COMMANDS.values(), ids=COMMANDS)
def test_bytecode_gives_what_text_gives(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers: list[tuple[int, str]] = []
    for name, data in (("k.mlir", TEXT.encode()), ("k.tileirbc", CODE)):
        file = tmp_path / name
        file.write_bytes(data)
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        places = {"FILE": str(file), "OUT": str(tmp_path / "out")}
        result = CliRunner().invoke(cli, [places.get(word, word) for word in words], input=data)
        answers.append((result.exit_code, result.stdout))
    assert answers[0] == answers[1]
    assert answers[0][0] == 0


def test_opt_wraps_bytecode_as_it_wraps_text(tmp_path: Path) -> None:
    (tmp_path / "k.tileirbc").write_bytes(CODE)
    out, err = io.StringIO(), io.StringIO()
    pipeline = "--pass-pipeline=builtin.module(cuda_tile.module(canonicalize))"
    status = run_opt([pipeline, str(tmp_path / "k.tileirbc")], io.StringIO(), out, err)
    assert (status, err.getvalue()) == (0, "")
    assert "addi" not in out.getvalue()


def test_opt_says_where_bytecode_is_damaged(tmp_path: Path) -> None:
    (tmp_path / "k.tileirbc").write_bytes(CODE[:-9])
    err = io.StringIO()
    assert run_opt([str(tmp_path / "k.tileirbc")], io.StringIO(), io.StringIO(), err) == 1
    assert "k.tileirbc" in err.getvalue()
    assert "error[TW0" in err.getvalue()


def test_opt_refuses_what_is_neither(tmp_path: Path) -> None:
    (tmp_path / "k").write_bytes(b"\xff\xfe")
    err = io.StringIO()
    assert run_opt([str(tmp_path / "k")], io.StringIO(), io.StringIO(), err) == 1
    assert "is neither Tile IR bytecode nor text" in err.getvalue()
