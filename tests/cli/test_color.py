"""``--color`` and ``NO_COLOR``: what is coloured, and when."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from tilewright.cli.color import is_wanted, painted, take_option
from tilewright.cli.errors import UsageError
from tilewright.cli.main import main

RED, GREEN, CYAN, END = "\033[1;31m", "\033[1;32m", "\033[1;36m", "\033[0m"


class Terminal(io.StringIO):
    """A stream that says that it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("error: no", f"{RED}error{END}: no"),
        ("a b.mlir:1:2: error[TW0001]: no", f"a b.mlir:1:2: {RED}error[TW0001]{END}: no"),
        ("x: error[TW0301] at offset 7: no", f"x: {RED}error[TW0301]{END} at offset 7: no"),
        ("f.py:1:2: note: called from here\nhint: go", f"f.py:1:2: {CYAN}note{END}: called from here\n{GREEN}hint{END}: go"),
        ("  1 | x ^ y\n    |   ^", f"  1 | x ^ y\n    |   {GREEN}^{END}"),
        ("the error: is not at the head of a line? no place has words", "the error: is not at the head of a line? no place has words"),
    ],
)  # fmt: skip
def test_what_is_painted(text: str, expected: str) -> None:
    assert painted(text) == expected


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["verify", "x"], (["verify", "x"], "auto")),
        (["verify", "--color=always", "x"], (["verify", "x"], "always")),
        (["--color", "never", "verify"], (["verify"], "never")),
        (["run", "--", "--color=x"], (["run", "--", "--color=x"], "auto")),
    ],
)
def test_the_option_stands_anywhere(words: list[str], expected: tuple[list[str], str]) -> None:
    assert take_option(words) == expected


def test_a_wrong_value() -> None:
    with pytest.raises(UsageError, match="--color is auto, always or never, not 'maybe'"):
        take_option(["--color=maybe"])
    with pytest.raises(UsageError, match="not ''"):
        take_option(["--color"])


def test_when(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert is_wanted("auto", Terminal())
    assert not is_wanted("auto", io.StringIO())
    assert is_wanted("always", io.StringIO())
    assert not is_wanted("never", Terminal())
    monkeypatch.setenv("NO_COLOR", "1")
    assert not is_wanted("auto", Terminal())
    assert is_wanted("always", Terminal())


@pytest.mark.parametrize(
    "command", ["verify", "translate", "opt", "disasm", "compile", "diff", "run", "inspect"]
)
def test_every_command_that_reports(command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "broken.mlir"
    path.write_text('"cuda_tile.madule"() ({}) : () -> ()\n')
    words = [command, str(path), *([str(path)] if command == "diff" else [])]
    before = sys.stderr
    with pytest.raises(SystemExit):
        main([*words, "--color=always"])
    colored = capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(words)
    plain = capsys.readouterr().err
    assert sys.stderr is before
    assert f"{RED}error" in colored
    assert "\033" not in plain
