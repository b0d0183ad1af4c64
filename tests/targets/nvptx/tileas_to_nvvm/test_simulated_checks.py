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

import tilewright
from tests.house.tree import ROOT
from tilewright import cutile
from tilewright.driver.options import CHECKS
from tilewright.interp import codes
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.targets.nvptx.simulation_reports import CostWarning

TARGET = "sim:sm_80"
FIXTURES = ROOT / "tests" / "bytecode" / "fixtures"


@ct.kernel
def last_one_wins(x, out):
    tile = ct.load(x, ct.bid(0), shape=(16,))
    ct.store(out, 0, tile)


@ct.kernel
def look_up(x, indices, out):
    chosen = ct.load(indices, 0, shape=(16,))
    ct.store(out, 0, ct.gather(x, chosen, check_bounds=False))


@ct.kernel
def every_eighth(x, out):
    places = ct.arange(128, dtype=ct.int32) * 8
    ct.store(out, 0, ct.gather(x, places, check_bounds=False))


@ct.kernel
def turn(x, out):
    tile = ct.load(x, (0, 0), shape=(32, 32))
    ct.store(out, (0, 0), ct.transpose(tile))


@ct.kernel
def turn_and_add(x, out):
    tile = ct.load(x, (0, ct.bid(0)), shape=(32, 32))
    ct.store(out, (ct.bid(0), 0), ct.transpose(tile) + 1)


@ct.kernel
def doubled(x, out):
    tile = ct.load(x, (0, 0), shape=(32, 32), padding_mode=ct.PaddingMode.ZERO)
    ct.store(out, (0, 0), tile + tile)


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


SCATTERED = "ct.store(out, 0, ct.gather(x, places, check_bounds=False))"


def test_scattered_accesses_are_told_where_checks_are_asked_for() -> None:
    x, out = floats(1024), np.zeros(128, np.float32)
    for check in CHECKS:
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always", CostWarning)
            cutile.launch(1, every_eighth, (x, out), target=TARGET, check=check)
        assert (out == x[::8]).all()
        (one,) = told
        assert Path(one.filename).name == Path(__file__).name
        assert line_of((one.filename, one.lineno)) == SCATTERED
        assert "not coalesced" in str(one.message)


@pytest.mark.parametrize("kernel", [turn, doubled, copy])
def test_neighbouring_threads_take_neighbours_where_accesses_move_single_elements(kernel: Any) -> None:
    """Addresses are not aligned, and elements may be missing: no access may move two of them."""
    x = floats(1000) if kernel is copy else floats(899).reshape(31, 29)
    wanted = {turn: x.T, copy: x}.get(kernel, x + x)
    out = np.zeros(wanted.shape, np.float32)
    with warnings.catch_warnings():
        warnings.simplefilter("error", CostWarning)
        cutile.launch(8 if kernel is copy else 1, kernel, (x, out), target=TARGET, check="all")
    assert (out == wanted).all()


@pytest.mark.parametrize(("kernel", "check"), [(every_eighth, ""), (copy, "all")])
def test_nothing_is_told_unasked_or_of_accesses_side_by_side(kernel: Any, check: str) -> None:
    x, out = floats(1024), np.zeros(1024, np.float32)
    with warnings.catch_warnings():
        warnings.simplefilter("error", CostWarning)
        cutile.launch(1 if kernel is every_eighth else 8, kernel, (x, out), target=TARGET, check=check)


@ct.kernel
def logarithms(x, out):
    ct.store(out, 0, ct.log(ct.load(x, 0, shape=(16,))))


@ct.kernel
def quotients(x, out):
    tile = ct.load(x, 0, shape=(16,))
    ct.store(out, 0, tile // tile)


@pytest.mark.parametrize("check", ["fpcheck", "all"])
def test_a_nan_stands_at_the_line_that_makes_it(check: str) -> None:
    found = finding(logarithms, (floats(16) - 3, floats(16)), check=check)
    assert found.code is codes.NON_FINITE
    assert line_of(found.location.source[:2]).startswith("ct.store(out, 0, ct.log(")
    assert "kernel 'logarithms' in tile block (0, 0, 0)" in found.message


def test_a_broken_promise_stands_at_the_line_that_relies_on_it() -> None:
    arguments = np.arange(16, dtype=np.int32), np.zeros(16, np.int32)
    found = finding(quotients, arguments, check="promises")
    assert found.code is codes.BROKEN_PROMISE
    assert line_of(found.location.source[:2]) == "ct.store(out, 0, tile // tile)"


def test_checks_of_values_that_hold_change_nothing() -> None:
    x, out = floats(16) + 1, np.zeros(16, np.float32)
    cutile.launch(1, logarithms, (x, out), target=TARGET, check="fpcheck,promises,initcheck")
    checked = out.copy()
    cutile.launch(1, logarithms, (x, out), target=TARGET)
    assert checked.tobytes() == out.tobytes()


def test_checks_that_only_the_simulator_makes_are_refused_for_a_gpu() -> None:
    text = FIXTURES / "kernel.vector_add@13.2.tileirbc"
    options = tilewright.CompileOptions(checks="memcheck")
    with pytest.raises(
        DiagnosticError, match=r"to be checked \(memcheck\), which code for GPUs does not support"
    ):
        tilewright.compile(text, target="sm_80", options=options).asm["ptx"]
    values = tilewright.CompileOptions(checks="promises,fpcheck,initcheck")
    assert "__assertfail" in str(tilewright.compile(text, target="sm_80", options=values).asm["ptx"])


def test_a_turned_tile_is_right_under_all_checks() -> None:
    """Checks look at ranges in layouts that conversions before made, and that were erased since: they are made again."""
    x, out = np.arange(32 * 64, dtype=np.float32).reshape(32, 64), np.zeros((64, 32), np.float32)
    cutile.launch(2, turn_and_add, (x, out), target=TARGET, check="all")
    np.testing.assert_array_equal(out, x.T + 1)
