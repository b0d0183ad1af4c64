"""Comments that keep findings of a line from being told: at every door, on every target, and told if nothing needs them."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("cuda.tile")

import cuda.tile as ct

from tests.gpu_programs.test_scripts import run, script
from tilewright import DiagnosticError, cutile
from tilewright.runtime.findings.record import NOT_IGNORED, recording

TARGETS = ("cpu", "interp", "sim:sm_80")


@ct.kernel
def last_one_wins(out):
    ct.store(out, 0, ct.full((1,), ct.bid(0), ct.int32))  # tilewright: ignore[TW0406, TW1265] on purpose


@ct.kernel
def quotient(x, out):
    tile = ct.load(x, 0, shape=(4,))
    ct.store(out, 0, tile / ct.sum(tile))  # tilewright: ignore[TW0411]


@ct.kernel
def edge(x, out):
    tile = ct.load(x, 0, shape=(4,))
    ct.store(out, 0, ct.sum(tile, keepdims=True))  # tilewright: ignore[TW0405]


@ct.kernel
def shifted(x, out):
    ct.store(out, ct.bid(0) + 1, ct.load(x, ct.bid(0), shape=(4,)))  # tilewright: ignore[TW0402]


@ct.kernel
def promised(x, out):
    ct.store(out, 0, ct.load(x, 0, shape=(4,), check_bounds=False))  # tilewright: ignore[TW0408,TW0405]


@ct.kernel
def other_code(x, out):
    tile = ct.load(x, 0, shape=(4,))
    ct.store(out, 0, tile / ct.sum(tile))  # tilewright: ignore[TW0406]


@ct.kernel
def two_mistakes(x, out):
    first = ct.load(x, 0, shape=(4,)) * 3.0e38  # tilewright: ignore[TW0411]
    ct.store(out, 0, first)
    ct.store(out, 1, ct.load(x, 0, shape=(4,)) * -3.0e38)


def floats(count: int, value: float = 0.0) -> np.ndarray:
    return np.full(count, value, np.float32)


CASES: tuple[tuple[Any, str, Callable[[], list[Any]], Sequence[float]], ...] = (
    (quotient, "fpcheck", lambda: [floats(4), floats(4)], [float("nan")] * 4),
    (edge, "initcheck", lambda: [floats(3, 1), floats(1)], [3.0]),
    (shifted, "memcheck", lambda: [floats(16, 1), floats(16)], [0.0] * 4 + [1.0] * 12),
)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case[1])
def test_a_launch_goes_on_behind_what_is_ignored(case: Any, target: str) -> None:
    kernel, check, make, wanted = case
    given = make()
    grid = (4,) if kernel is shifted else (1,)
    cutile.launch(grid, kernel, given, target=target, check=check)
    np.testing.assert_array_equal(given[-1][: len(wanted)], np.array(wanted, np.float32))


@pytest.mark.parametrize("target", ["cpu", "interp"])
def test_broken_promises_are_ignored(target: str) -> None:
    """In the simulator the load touches memory that is not there, which nothing can go on behind."""
    out = floats(4)
    cutile.launch((1,), promised, (floats(16, 1)[:3], out), target=target, check="promises,initcheck")
    assert list(out[:3]) == [1.0] * 3


@pytest.mark.parametrize("target", TARGETS)
def test_races_are_ignored(target: str) -> None:
    out = np.full(1, -1, np.int32)
    cutile.launch((8,), last_one_wins, (out,), target=target, check="all")
    assert 0 <= out[0] < 8


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(("kernel", "line"), [(other_code, -1), (two_mistakes, 0)])
def test_other_findings_are_told(kernel: Any, line: int, target: str) -> None:
    given = [floats(4, 1 + line), floats(8)]
    given[0] *= 1e5 if kernel is two_mistakes else 1
    with pytest.raises(DiagnosticError) as caught:
        cutile.launch((1,), kernel, given, target=target, check="fpcheck")
    assert [str(one.code) for one in caught.value.diagnostics] == ["TW0411"]
    if kernel is two_mistakes:
        assert "-3.0e38" in str(caught.value)
        assert np.isposinf(given[1][:4]).all()


@ct.kernel
def far(x, out):
    chosen = ct.arange(4, dtype=ct.int64) - (1 << 46)
    ct.store(out, 0, ct.gather(x, chosen, check_bounds=False))  # tilewright: ignore[TW0402, TW1254]


@pytest.mark.parametrize("target", ["interp", "sim:sm_80"])
def test_what_nothing_can_go_on_behind_is_told(target: str) -> None:
    with recording() as record, pytest.raises(DiagnosticError, match="error"):
        cutile.launch(
            (1,), far, (np.zeros(4, np.int8), np.zeros(4, np.int8)), target=target, check="memcheck"
        )
    (found,) = record.take()
    assert NOT_IGNORED in found.hints


PROGRAM = """
import cuda.tile as ct, numpy as np

@ct.kernel
def last_one_wins(out):
    ct.store(out, 0, ct.full((1,), ct.bid(0), ct.int32))  # tilewright: ignore[TW0406,TW1265]

@ct.kernel
def right(x, out):
    tile = ct.load(x, 0, shape=(4,)) + 1.0  # tilewright: ignore[TW0411] is not needed
    ct.store(out, 0, tile)  # tilewright: ignore[TW9998]

@ct.kernel
def never_launched(x):
    ct.store(x, 0, ct.load(x, 0, shape=(4,)) + 1.0)  # tilewright: ignore[TW0411]

ct.launch(0, (4,), last_one_wins, (np.zeros(1, np.int32),))
ct.launch(0, (1,), right, (np.zeros(4, np.float32), np.zeros(4, np.float32)))
"""


@pytest.mark.parametrize("target", TARGETS)
def test_ignored_findings_do_not_decide_the_status_and_unused_ignores_are_told(
    target: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = script(tmp_path, PROGRAM)
    assert run("run", "--target", target, "--check", "all", file) == 0
    err = capfd.readouterr().err
    assert f"{file}:10:45: warning[TW0962]: nothing was found here that is ignored as TW0411" in err
    assert f"{file}:11:29: warning[TW0962]: the ignore names 'TW9998', which is no code" in err
    assert err.count("TW0962") == 2
    assert "0 findings" in err


def test_unused_ignores_are_told_if_their_check_ran(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = script(tmp_path, PROGRAM.replace("TW9998", "TW0411"))
    assert run("run", "--target", "interp", "--check", "racecheck", file) == 0
    assert "TW0962" not in capfd.readouterr().err


def test_json_has_the_warnings(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run("run", "--target", "interp", "--check", "all", "--json", script(tmp_path, PROGRAM)) == 0
    found = json.loads(capfd.readouterr().out)["findings"]
    assert [(one["severity"], one["code"], one["line"]) for one in found] == [
        ("warning", "TW0962", 10),
        ("warning", "TW0962", 11),
    ]


FORKING = PROGRAM.split("ct.launch(")[0] + (
    "import os\n"
    "if os.fork() == 0:\n"
    "    ct.launch(0, (4,), last_one_wins, (np.zeros(1, np.int32),))\n"
    "    os._exit(0)\n"
    "os.wait()\n"
    "ct.launch(0, (1,), last_one_wins, (np.zeros(1, np.int32),))\n"
)


def test_other_processes_use_ignores_too(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run("run", "--target", "interp", "--check", "racecheck", script(tmp_path, FORKING)) == 0
    assert "TW0962" not in capfd.readouterr().err
