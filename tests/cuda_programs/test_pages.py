"""The pages about C++ programs say what is there, and the tutorial is executed."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.golden import compare
from tests.house.documents import blocks
from tests.house.tree import ROOT
from tilewright.cpp.toolchain import find
from tilewright.cuda_programs.interface import driver_provided, driver_sections, provided

GUIDES = ROOT / "docs" / "guides"


def test_the_page_of_calls_names_every_call() -> None:
    text = (GUIDES / "cpp-calls.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`(cuda\w+)`", text)) - {"cudaErrorNotSupported", "cudaHostRegisterMapped"}
    assert named == {name for name in provided() if name.startswith("cuda")}


HEAD = """# Calls of the CUDA driver

Generated from the C++ of the stand-in: `pytest tests/cuda_programs/test_pages.py --bless`.

These calls of the CUDA driver have a meaning in [programs in Python](python-kernels.md) and in
[C++ programs](cpp-programs.md) that run here. All others return `CUDA_ERROR_NOT_SUPPORTED`, and are
told with their name (TW1368). [Another page](cpp-calls.md) has those of the runtime.

| calls | here |
| --- | --- |
"""


def test_the_table_of_the_drivers_calls(bless: bool) -> None:
    rows = [f"| {', '.join(f'`{name}`' for name in names)} | {text} |\n" for names, text in driver_sections()]
    compare(GUIDES / "driver-calls.md", HEAD + "".join(rows), bless=bless)
    assert {name for names, _ in driver_sections() for name in names} == driver_provided()


@pytest.mark.skipif(find().nvrtc is None or sys.platform != "linux", reason="needs NVRTC and g++")
def test_the_page_of_kernels_in_python(tmp_path: Path) -> None:
    """Run the program as it is, and with the line that the page adds."""
    found = blocks((GUIDES / "python-kernels.md").read_text(encoding="utf-8"))
    program, line = (next(one.text for one in found if one.language == kind) for kind in ("python", "cpp"))
    shown = next(one.text for one in found if one.language == "console")
    (tmp_path / "shift.py").write_text(program, encoding="utf-8")
    command, expected = _commands(shown)[0]
    printed = " ".join(_run(command.replace("tilewright", _COMMAND, 1), tmp_path).split())
    for message in re.split(r"\n(?=\S)", expected.rstrip()):
        assert " ".join(message.split()) in printed
    mended = program.replace("    to[at]", f"{line}    to[at]")
    (tmp_path / "shift.py").write_text(mended, encoding="utf-8")
    assert _run(command.replace("tilewright", _COMMAND, 1), tmp_path).startswith("65.0\n")


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
