"""C++ programs that run as a whole: right ones, and ones with a fault whose line is told. Needs nvcc and g++.

A line of a program with ``// TW1363: NAME`` is where the program NAME has a finding of this code; one with
``// launched: NAME`` is where the program launches the kernel that has a finding.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tilewright.cpp.toolchain import find
from tilewright.cuda_programs.nvcc import run_nvcc

pytestmark = pytest.mark.skipif(
    find().nvcc is None or sys.platform != "linux", reason="needs nvcc of CUDA 13.3 or later, and g++"
)
FOLDER = Path(__file__).parent / "programs"
UNITS = ("memory", "simt", "streams", "tiles")
WARNINGS = frozenset({"TW1365"})
_MARK = re.compile(r"// (launched|TW\d+): ([a-z-]+)$")
_ROW = re.compile(r'^        \{"([a-z-]+)", \w+\},$', re.MULTILINE)


def text_of(unit: str) -> str:
    return (FOLDER / f"{unit}.cu").read_text(encoding="utf-8")


def marks(unit: str) -> dict[str, tuple[int, str]]:
    """Return the line and the code of each program with a fault."""
    lines = enumerate(text_of(unit).splitlines(), 1)
    return {mark[2]: (line, mark[1]) for line, text in lines if (mark := _MARK.search(text))}


def programs(*, right: bool) -> Iterator[tuple[str, str]]:
    for unit in UNITS:
        for name in _ROW.findall(text_of(unit)):
            if right == (name not in marks(unit)):
                yield unit, name


@pytest.fixture(scope="session")
def executable(tmp_path_factory: pytest.TempPathFactory):
    """Return a function that compiles a unit, once."""
    folder = tmp_path_factory.mktemp("programs")

    @cache
    def compiled(unit: str) -> Path:
        made = folder / unit
        assert run_nvcc([str(FOLDER / f"{unit}.cu"), "-o", str(made)]) == 0
        return made

    return compiled


def ran(program: Path, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, **variables}
    return subprocess.run(
        [str(program), *words], capture_output=True, text=True, env=environment, timeout=300, check=False
    )


def test_the_corpus() -> None:
    assert len(list(programs(right=True))) >= 18
    assert len(list(programs(right=False))) >= 20


@pytest.mark.parametrize(("unit", "name"), list(programs(right=True)))
def test_a_right_program(unit: str, name: str, executable) -> None:
    found = ran(executable(unit), name, TILEWRIGHT_CHECK="all")
    assert (found.returncode, found.stderr) == (0, "")
    assert found.stdout.splitlines()[-1] == "done"


@pytest.mark.parametrize(("unit", "name"), list(programs(right=False)))
def test_a_fault_is_told_at_its_line(unit: str, name: str, executable) -> None:
    line, code = marks(unit)[name]
    found = ran(executable(unit), name, TILEWRIGHT_CHECK="all")
    place = rf"{unit}\.cu:{line}:\d+: "
    if code == "launched":
        assert re.search(rf"{place}(note: the kernel is launched here|error\[TW\d+\])", found.stderr), (
            found.stderr
        )
    else:
        assert re.search(rf"{place}\w+\[{code}\]", found.stderr), found.stderr
    assert (found.returncode == 0) == (code in WARNINGS)


@pytest.mark.parametrize("target", ["interp", "sim:sm_90"])
def test_tile_kernels_run_on_the_target_of_the_environment(target: str, executable) -> None:
    found = ran(executable("tiles"), "mixed", TILEWRIGHT=target)
    assert (found.returncode, found.stdout, found.stderr) == (0, "done\n", "")


def test_errors_come_back_without_checks(executable) -> None:
    found = ran(executable("memory"), "double-free", TILEWRIGHT_CHECK="")
    assert (found.returncode, found.stderr) == (0, "")
    found = ran(executable("memory"), "host-pointer", TILEWRIGHT_CHECK="")
    assert found.returncode == 2
    assert found.stdout.startswith("cudaErrorIllegalAddress: ")
    assert "TW1254" in found.stderr


def test_kernels_print_in_the_order_of_the_program(executable) -> None:
    assert ran(executable("simt"), "printing").stdout == "before\nthread 1: 2.50 text\ndone\n"


def test_a_project_of_cmake(tmp_path: Path) -> None:
    """CMake finds the compiler by its name, links by itself, and ctest runs the program."""
    compiler = Path(sys.executable).parent / "tilewright-nvcc"
    steps = (
        ["cmake", "-S", str(FOLDER / "units"), "-B", str(tmp_path), f"-DCMAKE_CUDA_COMPILER={compiler}"],
        ["cmake", "--build", str(tmp_path)],
        ["ctest", "--test-dir", str(tmp_path), "--output-on-failure"],
    )
    for step in steps:
        try:
            done = subprocess.run(step, capture_output=True, text=True, check=False)
        except FileNotFoundError:
            pytest.skip("needs CMake")
        assert done.returncode == 0, done.stdout + done.stderr
