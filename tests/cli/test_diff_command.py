"""`tilewright diff`: formats and exit status."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.test_commands import Answer, tilewright  # noqa: F401  (the fixture)
from tests.house.tree import ROOT

KERNEL = ROOT / "tests" / "house" / "data" / "kernel.mlir"
Command = Callable[..., Answer]


@pytest.fixture
def changed(tmp_path: Path) -> str:
    path = tmp_path / "changed.mlir"
    text = KERNEL.read_text()
    path.write_text(text.replace('"cuda_tile.mulf"(%doubled, %f4)', '"cuda_tile.mulf"(%doubled, %doubled)'))
    return str(path)


def test_the_same(tilewright: Command, tmp_path: Path) -> None:  # noqa: F811
    binary = str(tmp_path / "kernel.tileirbc")
    tilewright("translate", "--mlir-to-cudatilebc", str(KERNEL), "-o", binary)
    assert tilewright("diff", str(KERNEL), binary) == (0, "", "")
    assert tilewright("diff", binary, str(KERNEL)) == (0, "", "")


def test_different(tilewright: Command, changed: str) -> None:  # noqa: F811
    status, out, err = tilewright("diff", str(KERNEL), changed)
    assert status == 1
    assert out.splitlines()[:3] == [
        f"--- {KERNEL}",
        f"+++ {changed}",
        "@@ cuda_tile.module @sample > cuda_tile.entry @scale @@",
    ]
    assert "! 'cuda_tile.mulf' operand #1: %bcast_1 -> %3" in out.splitlines()
    assert err == f"'{KERNEL}' and '{changed}' differ: 1 changed\n"


def test_context(tilewright: Command, changed: str) -> None:  # noqa: F811
    out = tilewright("diff", "-U", "0", str(KERNEL), changed).out
    assert [line[0] for line in out.splitlines()] == ["-", "+", "@", "-", "+", "!"]


def test_brief(tilewright: Command, changed: str) -> None:  # noqa: F811
    status, out, err = tilewright("diff", "--brief", str(KERNEL), changed)
    assert (status, out, bool(err)) == (1, "", True)


def test_json(tilewright: Command, changed: str) -> None:  # noqa: F811
    status, out, _ = tilewright("diff", "--output-format", "json", str(KERNEL), changed)
    assert (status, json.loads(out)["counts"]["changed"]) == (1, 1)
    status, out, err = tilewright("diff", "--output-format", "json", str(KERNEL), str(KERNEL))
    assert (status, json.loads(out)["changes"], err) == (0, [], "")


def test_stdin(tilewright: Command, changed: str, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(KERNEL.read_bytes())))
    assert tilewright("diff", "-", changed).status == 1


def test_any_dialect(tilewright: Command, tmp_path: Path) -> None:  # noqa: F811
    path = tmp_path / "a.mlir"
    path.write_text('"some.op"() {x = 1 : i32} : () -> ()')
    assert tilewright("diff", "--allow-unregistered-dialect", str(path), str(path)) == (0, "", "")
    assert tilewright("diff", str(path), str(path)).status == 2


@pytest.mark.parametrize("words", [("missing", str(KERNEL)), ("-", "-"), (str(KERNEL),)], ids=" ".join)
def test_trouble(tilewright: Command, words: tuple[str, ...]) -> None:  # noqa: F811
    status, out, err = tilewright("diff", *words)
    assert (status, out, bool(err)) == (2, "", True)


def test_what_is_not_valid(tilewright: Command, tmp_path: Path) -> None:  # noqa: F811
    path = tmp_path / "broken.mlir"
    path.write_text("foo.a")
    status, _, err = tilewright("diff", str(KERNEL), str(path))
    assert status == 2
    assert "error[TW0002]" in err
