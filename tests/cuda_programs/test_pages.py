"""The pages about C++ programs say what is there, and the tutorial is executed."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.documents import blocks
from tests.house.tree import ROOT
from tilewright.cpp.toolchain import find
from tilewright.cuda_programs.interface import provided

GUIDES = ROOT / "docs" / "guides"


def test_the_page_of_calls_names_every_call() -> None:
    text = (GUIDES / "cpp-calls.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`(cuda\w+)`", text)) - {"cudaErrorNotSupported", "cudaHostRegisterMapped"}
    assert named == {name for name in provided() if name.startswith("cuda")}


@pytest.mark.skipif(find().nvcc is None or sys.platform != "linux", reason="needs nvcc of CUDA 13.3, and g++")
def test_the_tutorial(tmp_path: Path) -> None:
    """Save the program, run each command, and make each change of a line that the page asks for."""
    found = blocks((GUIDES / "cpp-first-bug.md").read_text(encoding="utf-8"))
    lines: list[str] = []
    for block in found:
        if block.language == "cpp" and not lines:
            lines = block.text.splitlines()
        elif block.language == "cpp":
            _change(lines, block.text.rstrip("\n"))
        if block.language == "cpp":
            (tmp_path / "reverse.cu").write_text("\n".join(lines) + "\n", encoding="utf-8")
            _run(f"{_COMMAND} nvcc reverse.cu -o reverse", tmp_path)
        elif block.language == "console":
            for command, expected in _commands(block.text):
                assert expected in _run(command.replace("tilewright", _COMMAND, 1), tmp_path)


_COMMAND = f"{sys.executable} -m tilewright"


def _change(lines: list[str], text: str) -> None:
    """Replace the line that begins as `text` does, or insert `text` before the last line of the kernel."""
    at = next(
        (at for at, line in enumerate(lines) if line.startswith(text.split(",")[0]) and "," in text), None
    )
    if at is not None:
        lines[at] = text
    else:
        lines.insert(8, text)


def _commands(text: str) -> list[tuple[str, str]]:
    """Return the commands of a console, each with what it prints."""
    parts = re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]
    return [(part.partition("\n")[0], part.partition("\n")[2]) for part in parts]


def _run(command: str, folder: Path) -> str:
    done = subprocess.run(command, shell=True, cwd=folder, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr
