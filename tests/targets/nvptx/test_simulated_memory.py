"""Addresses of a launch in the simulator: which array each is in, to the byte at either end."""

from __future__ import annotations

import numpy as np
import pytest

import tilewright
from tilewright import DiagnosticError
from tilewright.interp.memory.allocation import Allocation
from tilewright.targets.nvptx.simulated import SimulatedMemory

PLACES = {"a": (64, 32), "b": (128, 16), "empty": (200, 0)}
"""First bytes and sizes of arrays in a buffer."""


@pytest.fixture
def buffer() -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
    return np.arange(256, dtype=np.uint8)


@pytest.mark.parametrize("at", [0, 63, 64, 65, 95, 96, 127, 128, 143, 144, 199, 200, 201, 255])
def test_pointers_into_arrays(buffer: np.ndarray[tuple[int], np.dtype[np.uint8]], at: int) -> None:
    base = buffer.ctypes.data
    arrays = [Allocation(base + first, size, name, owner=buffer) for name, (first, size) in PLACES.items()]
    found = SimulatedMemory(arrays, ()).pointer(base + at)
    around = next(((first, size) for first, size in PLACES.values() if first <= at < first + size), None)
    if around is not None:
        assert found is not None
        assert found.offset == at - around[0]
        assert found.region.data.tolist() == list(range(around[0], sum(around)))
    else:
        assert (found is not None) == (at == PLACES["empty"][0])


TABLE = """
cuda_tile.module @m {
  entry @k(%table: tile<ptr<i64>>, %out: tile<ptr<i32>>) {
    %n = iota : tile<4xi32>
    %t1 = reshape %table : tile<ptr<i64>> -> tile<1xptr<i64>>
    %t4 = broadcast %t1 : tile<1xptr<i64>> -> tile<4xptr<i64>>
    %ts = offset %t4, %n : tile<4xptr<i64>>, tile<4xi32> -> tile<4xptr<i64>>
    %addresses, %a = load_ptr_tko weak %ts : tile<4xptr<i64>> -> tile<4xi64>, token
    %bases = int_to_ptr %addresses : tile<4xi64> -> tile<4xptr<i32>>
    %v, %b = load_ptr_tko weak %bases : tile<4xptr<i32>> -> tile<4xi32>, token
    %seven = constant <i32: 7> : tile<4xi32>
    %w = muli %v, %seven : tile<4xi32>
    %c = store_ptr_tko weak %bases, %w token=%b : tile<4xptr<i32>>, tile<4xi32> -> token
    %o1 = reshape %out : tile<ptr<i32>> -> tile<1xptr<i32>>
    %o4 = broadcast %o1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %os = offset %o4, %n : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %d = store_ptr_tko weak %os, %v : tile<4xptr<i32>>, tile<4xi32> -> token
    return
  }
}
"""


def test_tables_of_addresses() -> None:
    """Elements that are the addresses of named arrays lead to them; others keep their value, and lead nowhere."""
    first, second, third = np.array([11, 1]), np.array([22, 2]), np.array([33, 3, 4])
    arrays = [one.astype(np.int32) for one in (first, second, third)]
    whole, out = np.full(8, 99, np.int64), np.zeros(4, np.int32)
    table = whole[2:6]
    table[:] = [
        arrays[1].ctypes.data,
        arrays[0].ctypes.data,
        arrays[2].ctypes.data,
        arrays[2][:1].ctypes.data,
    ]
    before = whole.tolist()
    tilewright.launch(
        TABLE, "k", 1, [table[:4], out], memory=[arrays[0], arrays[1], arrays[2]], target="sim:sm_80"
    )
    assert out.tolist() == [22, 11, 33, 33]
    assert [one.tolist() for one in arrays] == [[77, 1], [154, 2], [231, 3, 4]]
    assert whole.tolist() == before, "addresses are those of the process again"


def test_addresses_in_tables_that_are_not_named() -> None:
    x, out = np.arange(4, dtype=np.int32), np.zeros(4, np.int32)
    table = np.full(4, x.ctypes.data, np.int64)
    with pytest.raises(DiagnosticError, match="TW1254"):
        tilewright.launch(TABLE, "k", 1, [table, out], target="sim:sm_80")
    table[2] += 4
    with pytest.raises(DiagnosticError, match="TW1254"):
        tilewright.launch(TABLE, "k", 1, [table, out], memory=[x], target="sim:sm_80")
    assert out.tolist() == [0] * 4


TIMES_SEVEN = """
cuda_tile.module @m {
  entry @k(%x: tile<ptr<i32>>) {
    %seven = constant <i32: 7> : tile<i32>
    %v, %a = load_ptr_tko weak %x : tile<ptr<i32>> -> tile<i32>, token
    %w = muli %v, %seven : tile<i32>
    %b = store_ptr_tko weak %x, %w token=%a : tile<ptr<i32>>, tile<i32> -> token
    return
  }
}
"""


@pytest.mark.parametrize("target", ["sim:sm_80", "cpu"])
def test_prepared_launches_repeat(target: str) -> None:
    x = np.array([2, 5], np.int32)
    again = tilewright.compile(TIMES_SEVEN, target=target).prepare((1, 1, 1), [x])
    assert x.tolist() == [2, 5]
    again()
    again()
    assert x.tolist() == [98, 5]
