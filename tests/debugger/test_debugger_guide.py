"""The session of the guide is what the debugger shows."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("cuda.tile")

from tests.cli.test_commands import Answer, tilewright as tilewright
from tests.house.documents import blocks
from tests.house.tree import ROOT
from tilewright.debugger.console import Console

GUIDE = ROOT / "docs/guides/debugger.md"


def test_the_session_of_the_guide(
    tilewright: Callable[..., Answer],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = blocks(GUIDE.read_text(encoding="utf-8"))
    (program,) = [one for one in found if one.file == "highest.py"]
    (session,) = [one for one in found if one.language == "console"]
    (tmp_path / "highest.py").write_text(program.text, encoding="utf-8")
    command, _, wanted = session.text.partition("\n")
    typed = [line.removeprefix(Console.prompt) for line in wanted.splitlines() if Console.prompt in line]

    def answer(prompt: str) -> str:
        print(f"{prompt}{typed[0]}")
        return typed.pop(0)

    monkeypatch.setattr("builtins.input", answer)
    monkeypatch.chdir(tmp_path)
    done = tilewright(*shlex.split(command.removeprefix("$ tilewright ")))
    assert done == (0, wanted, "")


def test_every_command_is_in_the_guide() -> None:
    text = GUIDE.read_text(encoding="utf-8")
    commands = {name.removeprefix("do_") for name in dir(Console) if name.startswith("do_")}
    long = {
        "break",
        "clear",
        "continue",
        "down",
        "help",
        "list",
        "next",
        "quit",
        "return",
        "step",
        "up",
        "where",
    }
    missing = [name for name in commands - long - {"EOF"} if f"`{name}" not in text]
    assert missing == []
