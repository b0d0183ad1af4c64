"""Sizes past every limit: grids and memory of tile blocks are right, or refused with a diagnostic."""

from __future__ import annotations

from typing import Any

import pytest

from tilewright import cutile
from tilewright.cutile.launcher import grid_extents
from tilewright.dialects.common.grid import MAXIMUM_GRID_EXTENT, MAXIMUM_LOCAL_BYTES
from tilewright.driver.launch import launch, normalise_grid
from tilewright.ir.diagnostic import DiagnosticError

np = pytest.importorskip("numpy")
pytest.importorskip("llvmlite")

NOTHING = """
cuda_tile.module @m {
  entry @k() {
    return
  }
}
"""
LOCAL = """
cuda_tile.module @m {{
  entry @k(%out: tile<ptr<i32>>) {{
    %p = alloca num_elem = {count}, alignment = {alignment} : tile<ptr<i32>>
    %one = constant <i32: 1> : tile<i32>
    %t0 = store_ptr_tko weak %p, %one : tile<ptr<i32>>, tile<i32> -> token
    %v, %t1 = load_ptr_tko weak %p token=%t0 : tile<ptr<i32>> -> tile<i32>, token
    %t2 = store_ptr_tko weak %out, %v token=%t1 : tile<ptr<i32>>, tile<i32> -> token
    return
  }}
}}
"""
TARGETS = ("cpu", "interp")
GRIDS: tuple[Any, ...] = (
    *(2**power + off for power in (24, 31, 32, 62, 63, 64) for off in (-1, 0, 1) if 2**power + off >= 2**24),
    *((1, 2**power) for power in (24, 31, 32, 63, 64)),
    *((1, 1, 2**power) for power in (24, 31, 32, 63, 64)),
    (2**22, 2**21, 2**21),
    (2**21, 2**21, 2**21),
    (2**23, 2**23, 2**17),
    (2**20, 2**21, 2**22),
    (MAXIMUM_GRID_EXTENT,) * 3,
    (),
    (0,),
    (-(2**63),),
)


def codes_of(call: Any) -> set[str]:
    with pytest.raises(DiagnosticError) as raised:
        call()
    return {str(found.code) for found in raised.value.diagnostics}


@pytest.mark.parametrize("grid", GRIDS, ids=str)
def test_grids_that_are_too_large_or_empty(grid: Any) -> None:
    for target in TARGETS:
        assert codes_of(lambda target=target: launch(NOTHING, None, grid, [], target=target)) == {"TW0505"}
    if grid != ():  # cuTile lets all extents be left out
        with pytest.raises(cutile.LaunchError):
            grid_extents(grid)


@pytest.mark.parametrize("threads", [1, 2])
def test_no_grid_wraps_around(threads: int) -> None:
    assert codes_of(lambda: launch(NOTHING, None, (2**22, 2**21, 2**21), [], threads=threads)) == {"TW0505"}


def test_the_largest_grids_are_grids() -> None:
    assert normalise_grid((2**21, 2**21, 2**20)) == (2**21, 2**21, 2**20)
    assert grid_extents((MAXIMUM_GRID_EXTENT,) * 2) == (*(MAXIMUM_GRID_EXTENT,) * 2, 1)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("count", [MAXIMUM_LOCAL_BYTES // 4 + 1, 2**40, 2**61, 2**62, 2**62 + 1, 2**63 - 1])
def test_memory_of_a_tile_block_that_is_too_large(count: int, target: str) -> None:
    text = LOCAL.format(count=count, alignment=4)
    with pytest.raises(DiagnosticError, match=f"at most {MAXIMUM_LOCAL_BYTES} bytes"):
        launch(text, None, 1, [np.zeros(1, np.int32)], target=target)


@pytest.mark.parametrize("target", TARGETS)
def test_an_alignment_that_is_too_large(target: str) -> None:
    text = LOCAL.format(count=1, alignment=2**62)
    with pytest.raises(DiagnosticError, match=f"at most {MAXIMUM_LOCAL_BYTES} bytes"):
        launch(text, None, 1, [np.zeros(1, np.int32)], target=target)


@pytest.mark.parametrize("target", TARGETS)
def test_memory_of_a_tile_block_that_fits(target: str) -> None:
    out = np.zeros(1, np.int32)
    launch(LOCAL.format(count=1 << 20, alignment=4), None, 1, [out], target=target)
    assert out[0] == 1
