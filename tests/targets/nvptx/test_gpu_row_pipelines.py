"""Loops without products whose loads run ahead: rows that are streamed through a ring, and where it does not pay."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.targets.nvptx.test_gpu_pipelines import remarks
from tests.targets.nvptx.tileas_to_nvvm.gpu_programs import FLOAT, integers, kernel, ptx_of, same
from tilewright.targets.nvptx.pipelines.stages import NO_ROOM

LENGTH = 1000
"""The length of rows: the last tile is not full."""
PARAMETERS = "%x0: tile<ptr<f32>>, %y0: tile<ptr<f32>>, %z: tile<ptr<f32>>, %n: tile<i32>"
AHEAD = "the loads of the loop run 3 iterations ahead"


def rows(padding: str = "", block: int = 128, inside: str = "", length: int = LENGTH) -> str:
    """The sums of the products of two rows, and the largest element of one, by parts of `block` elements."""
    whole = f"tensor_view<{length}xf32, strides=[1]>"
    cut = f"partition_view<tile=({block}), {f'padding_value = {padding}, ' if padding else ''}{whole}>"
    tile, body = f"tile<{block}xf32>", ""
    for name in "xy":
        body += f"%{name} = assume div_by<16>, %{name}0 : tile<ptr<f32>>\n"
        body += f"%{name}_a = make_tensor_view %{name}, shape = [{length}], strides = [1] : {whole}\n"
        body += f"%{name}_v = make_partition_view %{name}_a : {cut}\n"
    body += f"%z_a = make_tensor_view %z, shape = [{2 * block}], strides = [1] : tensor_view<{2 * block}xf32, strides=[1]>\n"
    out = f"partition_view<tile=({block}), tensor_view<{2 * block}xf32, strides=[1]>>"
    body += f"%z_v = make_partition_view %z_a : {out}\n%begin = constant <f32: -8.0> : {tile}\n"
    body += "%sums, %most = for %c in (%zero to %n, step %one) : tile<i32>"
    body += f" iter_values(%s = %begin, %m = %begin) -> ({tile}, {tile}) {{\n"
    for name, value in zip("xy", "pq", strict=True):
        body += (
            f"%{value}, %{value}_t = load_view_tko weak %{name}_v[%c] : {cut}, tile<i32> -> {tile}, token\n"
        )
    body += f"{inside}%a = mulf %p, %q : {tile}\n%b = addf %s, %a : {tile}\n%d = maxf %m, %p : {tile}\n"
    body += f"continue %b, %d : {tile}, {tile}\n}}\n"
    for value, at in (("sums", "%zero"), ("most", "%one")):
        body += f"%{value}_s = store_view_tko weak %{value}, %z_v[{at}] : {tile}, {out}, tile<i32> -> token\n"
    return kernel(PARAMETERS, body)


def arrays(count: int, block: int = 128) -> list[Any]:
    return [integers((LENGTH,)) - 9, integers((LENGTH,)), np.full(2 * block, 7, FLOAT), count]


@pytest.mark.parametrize("padding", ["zero", "neg_inf"])
def test_rows_are_streamed_through_a_ring(padding: str) -> None:
    """Copies make zeros of what is left out; other padding is chosen where the tile is read."""
    text = rows(padding)
    assert remarks(text) == [AHEAD]
    assert "ld.global" not in ptx_of(text)
    for count in range(9):
        same(text, (1,), arrays(count), "sm_80")


def test_rings_leave_room_for_other_blocks() -> None:
    """Two stages of these tiles would fit beside no other block."""
    assert remarks(rows(block=2048)) == ["the loads of the loop run 1 iteration ahead"]
    assert remarks(rows(block=4096)) == [f"no load of the loop runs ahead: {NO_ROOM}"]
