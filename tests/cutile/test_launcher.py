"""``launch``: what reaches the launcher beneath, and grids."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import pytest

from tests.cutile.recorder import Recorder
from tilewright import cutile
from tilewright.cutile import LaunchError, launcher
from tilewright.cutile.launcher import grid_extents
from tilewright.dialects.common.grid import MAXIMUM_GRID_EXTENT

kernels: Any = pytest.importorskip("tests.cutile.kernels", exc_type=ImportError)


@pytest.fixture
def recorder(monkeypatch: pytest.MonkeyPatch) -> Recorder:
    made = Recorder()
    monkeypatch.setattr(launcher, "usual_launch", lambda: made)
    return made


def test_what_reaches_the_launcher_beneath(recorder: Recorder) -> None:
    x, out = np.zeros(32, np.float32), np.zeros(32, np.float32)
    assert cutile.launch((2,), kernels.scale, (x, out, 2.5, 16), check=["memcheck"], stream=0) is None
    ((bytecode, entry, grid, arguments, options),) = recorder.calls
    made = cutile.compile_to_bytecode(kernels.scale, (x, out, 2.5, 16))
    assert bytecode is made.bytecode
    assert (entry, grid) == (made.symbol, (2, 1, 1))
    assert (options["target"], options["check"]) == ("cpu", ("memcheck",))
    assert [named.name for named in options["memory"]] == ["x", "out"]
    assert [named.array is given for named, given in zip(options["memory"], (x, out), strict=True)] == [
        True,
        True,
    ]
    assert arguments[0] is x
    assert arguments[3] is out
    assert (type(arguments[-1]), arguments[-1].value) == (ctypes.c_float, 2.5)


@pytest.mark.parametrize("grid", [5, (5,), (5, 1), [5, 1, 1], np.array([5]), (np.int64(5),)])
def test_grids(grid: Any) -> None:
    assert grid_extents(grid) == (5, 1, 1)


def test_a_grid_without_extents_is_one_tile_block() -> None:
    """As for the launcher of the package, which fills up what is missing."""
    assert grid_extents(()) == (1, 1, 1)


@pytest.mark.parametrize(
    ("grid", "message"),
    [
        ((0,), r"Grid\[0\] is 0"),
        ((1, -1), r"Grid\[1\] is -1"),
        ((1, 1, MAXIMUM_GRID_EXTENT + 1), r"Grid\[2\] exceeds 24-bit limit: max=16777215, got=16777216"),
        ((1, 1, 1, 1), "one to three extents, got 4"),
        ((1.5,), "a grid is one to three integers"),
        (None, "a grid is one to three integers"),
        ("ab", "a grid is one to three integers"),
    ],
)
def test_bad_grids(grid: Any, message: str) -> None:
    with pytest.raises(LaunchError, match=message):
        grid_extents(grid)


def test_checks_may_be_one_text(recorder: Recorder) -> None:
    cutile.launch(1, kernels.one, (np.zeros(2),), check="memcheck,racecheck")
    assert recorder.calls[0][4]["check"] == ("memcheck", "racecheck")


def test_a_bad_argument_launches_nothing(recorder: Recorder) -> None:
    with pytest.raises(LaunchError, match="argument 'x'"):
        cutile.launch((1,), kernels.one, ("text",))
    assert not recorder.calls
