"""Bodies of reductions and scans that are more than one operation."""

from __future__ import annotations

import numpy as np
import pytest

import tilewright
from tilewright.driver.stages import CompileOptions
from tilewright.ir.diagnostic import DiagnosticError

KERNEL = """
cuda_tile.module @m {{
  entry @k(%x: tile<ptr<i32>>, %y: tile<ptr<i32>>, %limit: tile<i32>) {{
    %numbered = constant <i32: 7> : tile<i32>
    %numbers = iota : tile<256xi32>
    %shape = reshape %numbers : tile<256xi32> -> tile<{shape}xi32>
    %one = reshape %x : tile<ptr<i32>> -> tile<1x1xptr<i32>>
    %many = broadcast %one : tile<1x1xptr<i32>> -> tile<{shape}xptr<i32>>
    %places = offset %many, %shape : tile<{shape}xptr<i32>>, tile<{shape}xi32> -> tile<{shape}xptr<i32>>
    %tile, %t = load_ptr_tko weak %places : tile<{shape}xptr<i32>> -> tile<{shape}xi32>, token
    %made = scan %tile dim={dim} reverse=false identities=[0 : i32] : tile<{shape}xi32> -> tile<{shape}xi32>
        (%e: tile<i32>, %acc: tile<i32>) {{
{body}
    }}
    %first = reshape %y : tile<ptr<i32>> -> tile<1x1xptr<i32>>
    %all = broadcast %first : tile<1x1xptr<i32>> -> tile<{shape}xptr<i32>>
    %there = offset %all, %shape : tile<{shape}xptr<i32>>, tile<{shape}xi32> -> tile<{shape}xptr<i32>>
    store_ptr_tko weak %there, %made : tile<{shape}xptr<i32>>, tile<{shape}xi32> -> token
    return
  }}
}}
"""
BRANCHES = """
      %c = cmpi greater_than %e, %acc, signed : tile<i32> -> tile<i1>
      %larger = if %c -> (tile<i32>) {
        %d = cmpi greater_than %limit, %numbered, signed : tile<i32> -> tile<i1>
        %held = if %d -> (tile<i32>) {
          yield %e : tile<i32>
        } else {
          yield %numbered : tile<i32>
        }
        yield %held : tile<i32>
      } else {
        yield %acc : tile<i32>
      }
      yield %larger : tile<i32>
"""
UNUSED = """
      %t1 = constant <i32: [3, 1, 4, 1]> : tile<4xi32>
      %sum = addi %e, %acc : tile<i32>
      yield %sum : tile<i32>
"""
TILES = """
      %four = constant <i32: [3, 1, 4, 1]> : tile<4xi32>
      %zero = constant <i32: 0> : tile<i32>
      %part = extract %four[%zero] : tile<4xi32> -> tile<1xi32>
      %number = reshape %part : tile<1xi32> -> tile<i32>
      %sum = addi %number, %acc : tile<i32>
      yield %sum : tile<i32>
"""


def run(shape: str, dim: int, body: str, target: str) -> np.ndarray:
    text = KERNEL.format(shape=shape, dim=dim, body=body)
    x = np.random.default_rng(1).integers(-100, 100, 256, dtype=np.int32)
    y = np.zeros(256, np.int32)
    made = tilewright.compile(text, target=target, options=CompileOptions(opt_level=0))
    made.launch((1, 1, 1), [x, y, 60])
    return y


@pytest.mark.parametrize("body", [BRANCHES, UNUSED], ids=["branches", "unused"])
@pytest.mark.parametrize("dim", [0, 1])
@pytest.mark.parametrize("shape", ["1x256", "64x4", "16x16"])
def test_bodies(shape, dim, body):
    assert (run(shape, dim, body, "cpu") == run(shape, dim, body, "interp")).all()


def test_tiles_in_bodies_are_refused():
    with pytest.raises(DiagnosticError, match=r"has no form on the CPU inside 'nv_tileas\.scan'"):
        run("16x16", 0, TILES, "cpu")
