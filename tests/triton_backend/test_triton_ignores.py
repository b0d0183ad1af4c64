"""Comments in kernels of Triton that keep findings from being told."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import pytest

pytest.importorskip("triton.language")
pytest.importorskip("torch")
if not entry_points(group="triton.backends", name="tilewright"):
    pytest.skip("Triton does not know the back end", allow_module_level=True)

TARGETS = ("cpu", "interp", "sim:sm_80")
PROGRAM = """
import numpy as np, torch, triton, triton.language as tl

@triton.jit
def last_one_wins(out):
    tl.store(out, tl.program_id(0))  # tilewright: ignore[TW0406,TW1265]

@triton.jit
def inverse(x, out):
    at = tl.arange(0, 4)
    tl.store(out + at, 1.0 / tl.load(x + at))  # tilewright: ignore[TW0411]

@triton.jit
def copy(x, out):
    at = tl.arange(0, 4)
    tl.store(out + at, tl.load(x + at) * 2.0)  # tilewright: ignore[TW0411]

@triton.jit
def never_launched(x):
    tl.store(x, 1.0)  # tilewright: ignore[TW0411]

def test_launches():
    launches()

def launches():
    last_one_wins[(4,)](torch.zeros(1, dtype=torch.int32, device="cuda"))
    inverse[(1,)](torch.zeros(4, device="cuda"), torch.zeros(4, device="cuda"))
    copy[(1,)](torch.zeros(4, device="cuda"), torch.zeros(4, device="cuda"))

if __name__ == "__main__":
    launches()
"""


@pytest.mark.parametrize("target", TARGETS)
def test_kernels_of_triton_ignore_findings(target: str, tmp_path: Path) -> None:
    file = tmp_path / "program.py"
    file.write_text(PROGRAM, encoding="utf-8")
    words = ["run", "--target", target, "--check", "racecheck,fpcheck", str(file)]
    ended = subprocess.run(
        [sys.executable, "-m", "tilewright", *words],
        capture_output=True,
        text=True,
        env={**os.environ, "TRITON_CACHE_DIR": str(tmp_path)},
    )
    assert ended.returncode == 0, ended.stderr
    assert f"{file}:16:48: warning[TW0962]: nothing was found here that is ignored as TW0411" in ended.stderr
    assert ended.stderr.count("TW0962") == 1


def test_unused_ignores_are_told_by_the_plugin(tmp_path: Path) -> None:
    file = tmp_path / "test_program.py"
    file.write_text(PROGRAM, encoding="utf-8")
    plugin = ["-p", "tilewright.pytest_plugin", "-p", "no:cacheprovider", f"--rootdir={tmp_path}"]
    words = ["--tilewright", "--tilewright-target=interp", "--tilewright-check=racecheck,fpcheck"]
    ended = subprocess.run(
        [sys.executable, "-m", "pytest", *plugin, *words, str(file)],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "TRITON_CACHE_DIR": str(tmp_path)},
    )
    assert ended.returncode == 0, ended.stdout
    assert f"{file}:16:48: warning[TW0962]: nothing was found here that is ignored as TW0411" in ended.stdout
    assert ended.stdout.count("TW0962") == 1
