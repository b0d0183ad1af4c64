"""Results of reductions stay where they come back over the rows; what a view shows is where the view is."""

from __future__ import annotations

import re
from math import prod
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given

import tilewright
from tests.layouts.layout_samples import SEEDS
from tests.targets.nvptx.tileas_to_nvvm.gpu_programs import compiled, kernel, load, ptx_of, same, store, view
from tests.targets.nvptx.tileas_to_nvvm.test_gpu_conversions import spread
from tilewright.dialects.nv_tileaa.constraints import shape_of
from tilewright.dialects.nv_tileas.attributes import LinearLayoutAttr, row_major
from tilewright.dialects.nv_tileas.ops_tile import ViewOp
from tilewright.layouts.layout import Layout
from tilewright.lowering.tileas.assign_layouts import _keeps_order
from tilewright.lowering.tileas.conversions.movements import kept_registers, moves_of, seen_from
from tilewright.lowering.tileas.distribution import Distribution
from tilewright.lowering.tileas.layout_rules import is_tile


def differences_from_the_largest(rows: int, columns: int, *, keep: bool = False) -> str:
    """Of each row what its elements are less than the largest one; if asked for, the largest ones are stored, too."""
    shape, element = (rows, columns), "f32"
    x, cut = view("x", shape, shape, element)
    y, _ = view("y", shape, shape, element)
    z, column = view("z", (rows,), (rows,), element)
    tile, reduced, narrow = (
        f"tile<{one}x{element}>" for one in (f"{rows}x{columns}", f"{rows}", f"{rows}x1")
    )
    body = x + y + z + load("a", "x", cut, "%zero, %zero", tile)
    body += f"""%m = reduce %a dim=1 identities=[-1.0e30 : f32] : {tile} -> {reduced}
    (%p: tile<f32>, %q: tile<f32>) {{
      %r = maxf %p, %q : tile<f32>
      yield %r : tile<f32>
    }}
    %half = constant <f32: 0.5> : {reduced}
    %h = mulf %m, %half : {reduced}
    %n = reshape %h : {reduced} -> {narrow}
    %w = broadcast %n : {narrow} -> {tile}
    %d = subf %a, %w : {tile}
    """
    body += store("d", "y", cut, "%zero, %zero", tile)
    body += store("m", "z", column, "%zero", reduced) if keep else ""
    return kernel("%x: tile<ptr<f32>>, %y: tile<ptr<f32>>, %z: tile<ptr<f32>>", body)


def arrays(rows: int, columns: int) -> list[Any]:
    given = (np.arange(rows * columns) * 37 % 101).reshape(rows, columns).astype(np.float32)
    return [given, np.zeros_like(given), np.zeros(rows, np.float32)]


@pytest.mark.parametrize("keep", [False, True])
@pytest.mark.parametrize("shape", [(16, 128), (8, 256), (64, 32), (128, 4)])
def test_results_come_back_over_their_rows(shape: tuple[int, int], keep: bool) -> None:
    same(differences_from_the_largest(*shape, keep=keep), (1,), arrays(*shape), "sm_80")


def test_rows_of_one_warp_need_no_shared_memory() -> None:
    text = differences_from_the_largest(16, 128)
    assert "convert_layout" not in str(compiled(text, "sim:sm_80").asm["layouts"])
    assert "bar.sync" not in ptx_of(text)
    assert "shared" not in ptx_of(text)


def test_rows_of_several_warps_meet_once() -> None:
    """Parts of rows go through shared memory within the reduction; the result is with all threads of its row then."""
    text = differences_from_the_largest(2, 2048)
    assert "convert_layout" not in str(compiled(text, "sim:sm_80").asm["layouts"])
    assert len(re.findall(r"bar\.sync", ptx_of(text))) == 1


@given(SEEDS)
def test_a_view_of_a_tile_that_is_where_it_is_seen_moves_nothing(seed: Random) -> None:
    """Dimensions in another order, some of them repeated."""
    extents = [1 << seed.randrange(3) for _ in range(3)]
    order = seed.sample(range(3), 3)
    repeated = seed.randrange(4)
    steps = row_major(extents)
    shape = [extents[at] for at in order]
    strides = [steps[at] for at in order]
    if repeated < 3:
        tile = [1 if at == order[repeated] else extent for at, extent in enumerate(extents)]
        strides = [0 if at == repeated else row_major(tile)[order[at]] for at in range(3)]
        extents = tile
    wanted = spread(seed, prod(shape).bit_length() - 1, seed.randrange(3))
    side = Distribution.of(wanted)
    assert side is not None
    moves = moves_of(shape, strides)
    found = seen_from(tuple(extents), moves, LinearLayoutAttr.of(side.over(shape)))
    assert found is not None
    held = Distribution.of(found.layout)
    assert held is not None
    assert kept_registers(held, side, moves) is not None


def test_a_part_of_a_tile_says_nothing_about_the_whole() -> None:
    wanted = LinearLayoutAttr.of(Distribution(Layout(32, 1), Layout(2, 32)).over((64,)))
    assert seen_from((128,), moves_of((64,), (1,)), wanted) is None


@pytest.mark.parametrize("chip", ["sm_80", "sm_90a"])
@pytest.mark.parametrize("rows", [4, 8])
def test_a_warp_has_whole_rows_where_there_are_as_many(rows: int, chip: str) -> None:
    text = differences_from_the_largest(rows, 256)
    same(text, (1,), arrays(rows, 256), chip)
    ptx = ptx_of(text, chip)
    assert "bar.sync" not in ptx
    assert ptx.count("shfl.sync.bfly") <= 5 * rows // 4 + rows // 4


def test_warps_share_a_row_if_there_are_fewer() -> None:
    text = differences_from_the_largest(2, 256)
    same(text, (1,), arrays(2, 256), "sm_80")
    assert "bar.sync" in ptx_of(text)


def test_views_that_keep_the_row_major_order() -> None:
    whole, turned, row, parted = (f"tile<{shape}xf32>" for shape in ("4x8", "8x4", "1x8", "4x1x8"))
    x, cut = view("x", (4, 8), (4, 8), "f32")
    text = x + load("a", "x", cut, "%zero, %zero", whole)
    text += f"""
    %first = extract %a[%zero, %zero] : {whole} -> {row}
    %b = permute %a [1, 0] : {whole} -> {turned}
    %c = reshape %a : {whole} -> {turned}
    %d = reshape %a : {whole} -> {parted}
    %e = broadcast %first : {row} -> {whole}
    """
    for name, form in zip("bcde", (turned, turned, parted, whole), strict=True):
        text += f'%p{name} = print_tko "%f", %{name} : {form} -> token\n'
    module = tilewright.compile(kernel("%x: tile<ptr<f32>>", text)).module("tileas")
    views = [op for op in module.walk() if isinstance(op, ViewOp) and is_tile(op.source)]
    found = [(shape_of(op.source.type), shape_of(op.result.type), _keeps_order(op)) for op in views]
    assert found == [
        ((4, 8), (8, 4), False),
        ((4, 8), (8, 4), True),
        ((4, 8), (4, 1, 8), True),
        ((1, 8), (4, 8), False),
    ]
