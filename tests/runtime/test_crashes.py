"""A kernel that crashes: the process ends as it would have, after words about where it was."""

from __future__ import annotations

import os
import platform
import signal
import subprocess
import sys

import pytest

from tests.house.tree import ROOT, imported_from

pytest.importorskip("numpy")
pytest.importorskip("llvmlite")

HAS_REPORTS = sys.platform == "linux" and platform.machine() in ("x86_64", "aarch64")
pytestmark = pytest.mark.skipif(not HAS_REPORTS, reason="crashes are reported on Linux only")

KERNEL = """
cuda_tile.module @m {
  entry @wild(%x: tile<ptr<i32>>, %bad: tile<i32>) {
    %i, %j, %k = get_tile_block_id : tile<i32>
    %n, %m, %o = get_num_tile_blocks : tile<i32>
    %rows = muli %n, %j : tile<i32>
    %number = addi %rows, %i : tile<i32>
    %is_bad = cmpi equal %number, %bad, signed : tile<i32> -> tile<i1>
    %far = constant <i64: 0x0000400000000000> : tile<i64>
    %near = constant <i64: 0> : tile<i64>
    %distance = select %is_bad, %far, %near : tile<i1>, tile<i64>
    %p = offset %x, %distance : tile<ptr<i32>>, tile<i64> -> tile<ptr<i32>>
    %t = store_ptr_tko weak %p, %number : tile<ptr<i32>>, tile<i32> -> token
    return
  }
}
"""
PROGRAM = """
import sys
import numpy as np
import tilewright
{before}
launch = lambda bad, **named: tilewright.launch(
    tilewright.Module.parse(sys.argv[1]), "wild", (3, 2, 1), [np.zeros(1, np.int32), bad], target="cpu", **named
)
launch(-1)
{last}
"""
WORDS = """\
error: kernel 'wild' in tile block (1, 1, 0): segmentation fault: an access to memory that is not there
hint: launch with check="memcheck", which names the access
"""


def crashed(last: str, before: str = "", **environment: str) -> str:
    """What a process that ends by a segmentation fault writes to its standard error."""
    paths = {"PYTHONPATH": f"{imported_from()}{os.pathsep}{ROOT}"}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(before=before, last=last), KERNEL],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env={**os.environ, **paths, **environment},
    )
    assert done.returncode == -signal.SIGSEGV, done.stderr
    return done.stderr


@pytest.mark.parametrize("threads", [1, 2])
def test_a_crash_names_kernel_and_tile_block(threads: int) -> None:
    assert crashed(f"launch(4, threads={threads})") == WORDS


def test_python_goes_on_to_name_its_own_place() -> None:
    enable = "import faulthandler; faulthandler.enable()"
    earlier = crashed("launch(4)", before=enable)
    assert earlier.startswith(f"{WORDS}Fatal Python error: Segmentation fault")
    assert "error: kernel" not in earlier.removeprefix(WORDS)
    later = crashed(f"{enable}\nlaunch(4)")
    assert later.startswith("Fatal Python error: Segmentation fault")


def test_crashes_outside_of_kernels_are_left_alone() -> None:
    assert crashed("import ctypes; ctypes.memset(8, 0, 1)") == ""
    assert crashed("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)") == ""


def test_reports_can_be_switched_off() -> None:
    assert crashed("launch(4)", TILEWRIGHT_CRASH_REPORT="0") == ""


def test_handlers_of_others_stay() -> None:
    before = "import signal; signal.signal(signal.SIGBUS, signal.SIG_IGN)"
    assert crashed("launch(4)", before=before) == ""
