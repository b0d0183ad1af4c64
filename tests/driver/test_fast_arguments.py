"""Arguments of usual launches are packed without the interpreter's rules, which take a hundred times as long."""

from __future__ import annotations

import ctypes
from typing import Any

import pytest

import tilewright
from tilewright.runtime.arguments import ArgumentPacker

np = pytest.importorskip("numpy")
pytest.importorskip("llvmlite")

KERNEL = """
cuda_tile.module @fast {
  entry @k(%x: tile<ptr<f32>>, %n: tile<i32>, %f: tile<f32>) {
    %i = itof %n signed : tile<i32> -> tile<f32>
    %s = addf %i, %f : tile<f32>
    %t = store_ptr_tko weak %x, %s : tile<ptr<f32>>, tile<f32> -> token
    return
  }
}
"""


@pytest.fixture
def slow_values_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(packer: ArgumentPacker, arguments: Any) -> list[int]:
        raise AssertionError(f"{arguments} were packed the slow way")

    monkeypatch.setattr(ArgumentPacker, "slow_values", refuse)


@pytest.mark.parametrize("how", ["array", "address", "number"])
def test_the_fast_way_is_taken(how: str, slow_values_refused: None) -> None:
    array = np.zeros(1, np.float32)
    address = array.ctypes.data
    given = {"array": array, "address": ctypes.c_void_p(address), "number": address}[how]
    for _ in range(2):
        tilewright.launch(KERNEL, "k", 1, [given, 3, 0.5])
    assert array[0] == 3.5


def test_other_arguments_take_the_slow_way(slow_values_refused: None) -> None:
    with pytest.raises(AssertionError, match="the slow way"):
        tilewright.launch(KERNEL, "k", 1, [np.zeros(1, np.float32), np.int32(3), np.float32(0.5)])
