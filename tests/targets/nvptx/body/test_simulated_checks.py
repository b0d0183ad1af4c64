"""Checks of `sim:` targets: findings of the simulator stand at the line of the program, and name its arrays."""

from __future__ import annotations

import linecache
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("cuda.tile")

import cuda.tile as ct

from tilewright import cutile
from tilewright.driver.checks import CHECKS
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.targets.nvptx.simulation_words import CostWarning

TARGET = "sim:sm_80"


@ct.kernel
def last_one_wins(x, out):
    tile = ct.load(x, ct.bid(0), shape=(16,))
    ct.store(out, 0, tile)


@ct.kernel
def look_up(x, indices, out):
    chosen = ct.load(indices, 0, shape=(16,))
    ct.store(out, 0, ct.gather(x, chosen, check_bounds=False))


@ct.kernel
def turn(x, out):
    tile = ct.load(x, (0, 0), shape=(32, 32))
    ct.store(out, (0, 0), ct.transpose(tile))


@ct.kernel
def copy(x, out):
    ct.store(out, ct.bid(0), ct.load(x, ct.bid(0), shape=(128,)))


def line_of(place: tuple[str, int]) -> str:
    return linecache.getline(*place).strip()


def finding(kernel: Any, arguments: tuple[Any, ...], grid: int = 1, check: Any = "all") -> Any:
    with pytest.raises(DiagnosticError) as caught:
        cutile.launch(grid, kernel, arguments, target=TARGET, check=check)
    (diagnostic,) = caught.value.diagnostics
    return diagnostic


def floats(count: int) -> Any:
    return np.arange(count, dtype=np.float32)


@pytest.mark.parametrize("check", ["all", ""])
def test_a_race_stands_at_the_line_of_the_store(check: str) -> None:
    found = finding(last_one_wins, (floats(32), floats(16)), 2, check)
    assert str(found.code) == "TW1265"
    assert line_of(found.location.source[:2]) == "ct.store(out, 0, tile)"
    assert "kernel 'last_one_wins' in tile block (1, 0, 0)" in found.message
    assert ("out[0]" if check else "argument 3") in found.message


def test_an_access_outside_names_the_array_next_to_it() -> None:
    indices = np.arange(16, dtype=np.int32) * 5
    found = finding(look_up, (floats(16), indices, floats(16)))
    assert str(found.code) == "TW1254"
    assert "ct.gather(x, chosen" in line_of(found.location.source[:2])
    assert "past the end of x (64 bytes)" in found.message


COSTS = ("conflicts of banks", "not coalesced")
LOAD, STORE = "tile = ct.load(x, (0, 0), shape=(32, 32))", "ct.store(out, (0, 0), ct.transpose(tile))"


def test_scattered_accesses_are_told_where_checks_are_asked_for() -> None:
    x, out = floats(1024).reshape(32, 32), np.zeros((32, 32), np.float32)
    for check in CHECKS:
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always", CostWarning)
            cutile.launch(1, turn, (x, out), target=TARGET, check=check)
        assert (out == x.T).all()
        assert {Path(one.filename).name for one in told} == {Path(__file__).name}
        lines = {
            text: {line_of((one.filename, one.lineno)) for one in told if text in str(one.message)}
            for text in COSTS
        }
        assert lines["conflicts of banks"] == set()  # elements are swizzled where they are exchanged
        assert STORE in lines["not coalesced"] <= {STORE, LOAD}


@pytest.mark.parametrize(("kernel", "check"), [(turn, ""), (copy, "all")])
def test_nothing_is_told_unasked_or_of_accesses_side_by_side(kernel: Any, check: str) -> None:
    shape = (32, 32) if kernel is turn else (1024,)
    x, out = floats(1024).reshape(shape), np.zeros(shape, np.float32)
    with warnings.catch_warnings():
        warnings.simplefilter("error", CostWarning)
        cutile.launch(1 if kernel is turn else 8, kernel, (x, out), target=TARGET, check=check)
