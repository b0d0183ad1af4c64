"""Kernels of Triton that never come to their end are stopped, as those of cuTile are."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.house.tree import ROOT, imported_from
from tests.triton_backend.test_triton_doors import chosen

SOON, LATE = 0.1, 2.0
"""Seconds until the interrupt, and those that nobody has to wait after it, however busy the machine is."""
pytestmark = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timer that interrupts")


@pytest.fixture(params=["cpu", "interp", "sim:sm_80"])
def copies(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Any]:
    """A kernel that ends; Triton has chosen our back end with a target."""
    pytest.importorskip("triton.language")
    with pytest.MonkeyPatch.context() as monkeypatch:
        yield from chosen(request.param, monkeypatch, tmp_path)


@pytest.fixture
def interrupts() -> Iterator[None]:
    """A timer that does what Ctrl-C does."""
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


@pytest.mark.usefixtures("interrupts")
def test_an_interrupt_ends_the_kernel_and_the_next_one_runs(copies: Any) -> None:
    endless = import_module("tests.triton_backend.jitted").endless_kernel
    endless.device_caches.clear()
    out = np.ones(1, np.int32)
    endless[(1,)](out, -4)  # compiles
    assert out.tolist() == [0]
    start = time.monotonic()
    signal.setitimer(signal.ITIMER_REAL, SOON)
    with pytest.raises(KeyboardInterrupt):
        endless[(1,)](out, 5)
    assert time.monotonic() - start < SOON + LATE
    copies[(1,)](np.full(1, 7, np.int32), out)
    assert out.tolist() == [7]
    endless.device_caches.clear()


SUITE = """
import numpy as np
from kernels import endless_kernel

endless_kernel[(1,)](np.zeros(1, np.int32), -4)  # compiles, which no limit is for

def test_long():
    endless_kernel[(1,)](np.zeros(1, np.int32), 5)

def test_next():
    endless_kernel[(1,)](np.zeros(1, np.int32), -4)
"""


def test_a_time_limit_ends_the_kernel(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("triton.language")
    if not entry_points(group="triton.backends", name="tilewright"):
        pytest.skip("the installed tilewright has no entry point yet")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([imported_from(), os.environ.get("PYTHONPATH", "")]))
    monkeypatch.setenv("TRITON_CACHE_DIR", str(pytester.path))
    pytester.makepyfile(
        test_suite=SUITE, kernels=(ROOT / "tests/triton_backend/jitted.py").read_text("utf-8")
    )
    plugins = ("-p", "no:cacheprovider", "--tilewright", "--tilewright-timeout=1")
    result = pytester.runpytest_subprocess(*plugins)
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*it ended kernel 'endless_kernel' in tile block (0, 0, 0)*"])
