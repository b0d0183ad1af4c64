"""Suites of Triton kernels with ``pytest --tilewright``: a process, as users start it."""

from __future__ import annotations

from importlib.metadata import entry_points

import pytest

from tests.house.tree import imported_from

pytest.importorskip("triton.language")
if not entry_points(group="triton.backends", name="tilewright"):
    pytest.skip("the installed tilewright has no entry point yet", allow_module_level=True)

SUITE = """
import numpy as np, pytest, triton
import triton.language as tl

@triton.jit
def total(x, out, BLOCK: tl.constexpr):
    values = tl.load(x + tl.arange(0, BLOCK))
    tl.store(out, tl.sum(values))

@triton.jit
def last_one_wins(out):
    tl.store(out, tl.program_id(0))

@triton.autotune(configs=[triton.Config({"BLOCK": size}) for size in (4, 8)], key=["n"])
@triton.jit
def tuned(x, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x + offsets, offsets, offsets < n)

def test_tuned():
    x = np.zeros(6, np.int32)
    tuned[lambda named: (-(-6 // named["BLOCK"]),)](x, 6)
    assert x.tolist() == [0, 1, 2, 3, 4, 5]

def race(programs):
    last_one_wins[(programs,)](np.zeros(1, np.int32))

def test_clean():
    out = np.zeros(1, np.float32)
    total[(1,)](np.ones(8, np.float32), out, BLOCK=8)
    assert out[0] == 8

def test_past_the_end():
    total[(1,)](np.ones(5, np.float32), np.zeros(1, np.float32), BLOCK=8)

@pytest.mark.tilewright_finds("TW0406")
def test_marked():
    race(4)

@pytest.mark.tilewright_finds("TW0406")
def test_marked_in_vain():
    race(1)

def test_fixture(tilewright_findings):
    with tilewright_findings.expected("TW0406") as found:
        race(4)
    assert [str(one.code) for one in found] == ["TW0406"]
"""


def test_kernels_of_triton_are_checked_as_those_of_cutile_are(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", imported_from())
    monkeypatch.setenv("TRITON_CACHE_DIR", str(pytester.path))
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    pytester.makepyfile(test_suite=SUITE)
    words = ("--tilewright", "--tilewright-check=memcheck,racecheck", "-p", "no:cacheprovider")
    result = pytester.runpytest_subprocess("-p", "tilewright.pytest_plugin", *words)
    result.assert_outcomes(passed=4, failed=2)
    shown = result.stdout.str()
    assert f"{pytester.path / 'test_suite.py'}:6: TW0402" in shown
    assert "FAILED test_suite.py::test_past_the_end - TW0402: kernel 'total'" in shown
    assert "tilewright found nothing of TW0406" in shown
    assert "JITFunction" not in shown
    tries = 2 * 8 + 1  # one, five and two more of each configuration, and the launch itself
    assert f"3 kernels, {3 + tries} launches, 1 finding" in shown, "accepted findings are no launches"
