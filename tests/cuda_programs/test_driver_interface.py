"""The driver's interface of the stand-in, by programs in Python; those with packages skip where these are missing."""

from __future__ import annotations

import importlib.util
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.house.tree import ROOT
from tilewright.cpp.toolchain import find, host_compiler
from tilewright.cuda_programs.interface import HEADERS
from tilewright.cuda_programs.linking import SEPARATOR, joined
from tilewright.targets.nvptx.tools import header_folders

FOLDER = Path(__file__).parent / "python"
PACKAGES = {
    "driver_calls": (),
    "bindings_programs": ("cuda.bindings",),
    "core_programs": ("cuda.core",),
    "numba_programs": ("numba_cuda",),
    "torch_programs": ("torch",),
}
"""The files of programs, and the packages that each needs."""
_PROGRAM = re.compile(r"^def (program_\w+)\(", re.MULTILINE)
pytestmark = pytest.mark.skipif(
    host_compiler() is None or not all(map(header_folders, HEADERS[:3])) or sys.platform != "linux",
    reason="needs g++, and the headers of the CUDA runtime and driver",
)


def programs() -> Iterator[tuple[str, str]]:
    for file in PACKAGES:
        for name in _PROGRAM.findall((FOLDER / f"{file}.py").read_text(encoding="utf-8")):
            yield file, name


def is_installed(package: str) -> bool:
    try:
        return importlib.util.find_spec(package) is not None
    except ModuleNotFoundError:
        return False


@cache
def outcomes(file: str) -> dict[str, str]:
    """Run all programs of a file in one process."""
    command = [sys.executable, "-m", "tests.cuda_programs.python.in_device", str(FOLDER / f"{file}.py")]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=300, check=False)
    assert done.stdout, done.stderr
    return dict(json.loads(done.stdout.splitlines()[-1]))


@pytest.mark.parametrize(("file", "name"), list(programs()))
def test_a_program(file: str, name: str) -> None:
    for package in PACKAGES[file]:
        if not is_installed(package) or find().nvrtc is None:
            pytest.skip(f"needs {package} and NVRTC")
    assert outcomes(file)[name] == ""


def test_linked_modules_keep_their_files() -> None:
    """Numbers of files of the second module differ from the first's, and its declarations are resolved."""
    first = (
        ".version 8.0\n.target sm_90\n.address_size 64\n"
        ".extern .func (.param .b32 r) twice\n(\n  .param .b32 a\n)\n;\n"
        '.visible .entry run() {\n  .loc 1 3 4\n  ret;\n}\n.file 1 "a.cu"\n'
    )
    second = (
        ".version 8.0\n.target sm_90\n.address_size 64\n"
        ".visible .func (.param .b32 r) twice(\n  .param .b32 a\n)\n{\n  .loc 1 5 6, function_name $L__info_string0,"
        ' inlined_at 1 7 8\n  ret;\n}\n.file 1 "b.cu"\n'
    )
    found = joined(first + SEPARATOR + second)
    assert found.count(".version") == found.count("twice") == 1
    assert ".loc 1 3 4" in found
    assert ".loc 1001 5 6, function_name $L__info_string0_1, inlined_at 1001 7 8" in found
    assert '.file 1001 "b.cu"' in found
    assert joined(first) == first


def test_what_no_module_defines_stays_declared() -> None:
    text = ".version 8.0\n.target sm_90\n.extern .func other();\n"
    assert ".extern .func other();" in joined(text + SEPARATOR + ".visible .func more() { ret; }\n")
