"""Hints of Tile IR in the stages below: carried as they are, or said to be of no effect."""

from __future__ import annotations

from typing import Any

import pytest

import tilewright
from tilewright.ir.diagnostic import Severity

pytest.importorskip("llvmlite")

COPY = """
cuda_tile.module @m {
  entry @k(%a: tile<ptr<f32>>, %out: tile<ptr<f32>>) optimization_hints=<ENTRY> {
    %w = make_tensor_view %a, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %p = make_partition_view %w : partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>
    %z = constant <i32: 0> : tile<i32>
    %v, %t0 = load_view_tko weak %p[%z, %z] optimization_hints = <ACCESS>
      : partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> tile<64x64xf32>, token
    %wo = make_tensor_view %out, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %po = make_partition_view %wo : partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>
    %t = store_view_tko weak %v, %po[%z, %z] optimization_hints = <ACCESS>
      : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
    return
  }
}
"""


def compiled(target: str, *, entry: str = "", access: str = "") -> Any:
    text = COPY.replace("ENTRY", entry).replace("ACCESS", access)
    text = text.replace(" optimization_hints=<>", "").replace(" optimization_hints = <>", "")
    return tilewright.compile(text, target=target)


def warnings(made: Any) -> list[Any]:
    return [one for one in made.diagnostics if one.severity is Severity.WARNING]


@pytest.mark.parametrize("value", ["true", "false"])
@pytest.mark.parametrize("stage", ["tileaa", "tileas"])
def test_the_copy_engine_is_allowed_or_not(stage: str, value: str) -> None:
    made = compiled("sm_90a", access=f"default = {{allow_tma = {value}}}")
    assert str(made.asm[stage]).count(f"allow_tma = {value}") == 2
    again = tilewright.compile(made.asm[stage], target="sm_90a")
    assert str(again.asm["tileas"]).count(f"allow_tma = {value}") == 2
    (access,) = (op for op in made.module(stage).walk() if op.name.endswith("tiled_load"))
    assert access.allow_tma is (value == "true")


def test_without_the_hint_nothing_is_said_of_the_copy_engine() -> None:
    assert "allow_tma" not in str(compiled("sm_90a").asm["tileas"])


@pytest.mark.parametrize("target", ["sm_80", "sm_90a", "sim:sm_90a"])
def test_blocks_that_are_to_share_a_tile_block_are_warned_of_once(target: str) -> None:
    made = compiled(target, entry="default = {num_cta_in_cga = 2}")
    text = str(made.asm["ptx"])
    (found,) = warnings(made)
    assert (str(found.code), found.location.source[1:]) == ("TW0832", (3, 3))
    assert found.message == (
        "kernel 'k' asks by 'num_cta_in_cga' for 2 blocks to each tile block, and gets one: "
        "no tile block is spread over the blocks of a cluster"
    )
    assert found.hints == ["leave 'num_cta_in_cga' out, or set it to 1; results do not depend on it"]
    assert "numCtas" not in str(made.asm["tileas"])
    assert "cluster" not in text
    assert text == compiled(target).asm["ptx"]


@pytest.mark.parametrize(
    ("target", "entry"),
    [
        ("cpu", "default = {num_cta_in_cga = 2}"),
        ("sm_90a", "default = {num_cta_in_cga = 1}"),
        ("sm_80", "sm_90 = {num_cta_in_cga = 2}"),
    ],
)
def test_hints_without_a_meaning_there_are_quiet(target: str, entry: str) -> None:
    made = compiled(target, entry=entry)
    assert "numCtas" not in str(made.asm["tileas"])
    assert not warnings(made)
