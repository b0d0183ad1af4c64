"""Loops without products whose loads run ahead: rows that are streamed through a ring, and where it does not pay."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.targets.nvptx.test_gpu_pipelines import aligned, remarks
from tests.targets.nvptx.tileas_to_nvvm.gpu_programs import (
    FLOAT,
    HALF,
    integers,
    kernel,
    load,
    ptx_of,
    same,
    store,
    view,
)
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
    (found,) = remarks(rows(block=4096))
    assert found.startswith("1 load of the loop runs 1 iteration ahead")
    assert remarks(rows(block=8192)) == [f"no load of the loop runs ahead: {NO_ROOM}"]


def test_copies_end_where_a_row_ends() -> None:
    """The limits of rows are no multiples of a copy: the last copy of a row reads fewer bytes."""
    x, left = (
        "tensor_view<?x?xf16, strides=[72, 1]>",
        "partition_view<tile=(32x16), padding_value = zero, {}>",
    )
    y, right = (
        "tensor_view<?x?xf16, strides=[40, 1]>",
        "partition_view<tile=(16x32), padding_value = zero, {}>",
    )
    z, whole = view("z", (32, 32), (32, 32), "f32")
    types = "tile<32x16xf16>", "tile<16x32xf16>", "tile<32x32xf32>"
    body = aligned("f16") + z + f"%begin = constant <f32: 0.0> : {types[2]}\n"
    for name, shape, cut, whole_type in (("x", "%m, %n", left, x), ("y", "%n, %m", right, y)):
        strides = whole_type[-8:-1]
        body += f"%{name}_a = make_tensor_view %{name}, shape = [{shape}], strides = {strides} : tile<i32> -> {whole_type}\n"
        body += f"%{name}_v = make_partition_view %{name}_a : {cut.format(whole_type)}\n"
    body += f"%sum = for %c in (%zero to %s, step %one) : tile<i32> iter_values(%acc = %begin) -> ({types[2]}) {{\n"
    body += load("p", "x", left.format(x), "%zero, %c", types[0])
    body += load("q", "y", right.format(y), "%c, %zero", types[1])
    body += f"%d = mmaf %p, %q, %acc : {', '.join(types)}\ncontinue %d : {types[2]}\n}}\n"
    body += store("sum", "z", whole, "%zero, %zero", types[2])
    names = "%x0: tile<ptr<f16>>, %y0: tile<ptr<f16>>, %z: tile<ptr<f32>>"
    text = kernel(f"{names}, %m: tile<i32>, %n: tile<i32>, %s: tile<i32>", body)
    assert remarks(text) == ["the loads of the loop run 3 iterations ahead"]
    assert "ld.global" not in ptx_of(text)
    for rows, columns in ((29, 67), (32, 72), (1, 1), (17, 48)):
        given = [integers((32, 72), HALF), integers((72, 40), HALF), np.zeros((32, 32), FLOAT)]
        same(text, (1,), [*given, rows, columns, 5], "sm_80")


def test_loads_in_branches_run_ahead() -> None:
    """Even parts come from one array, and odd parts from another: a copy has the condition of its branch in its mask."""
    tile, body = "tile<128xf32>", "%two = constant <i32: 2> : tile<i32>\n"
    cuts = {}
    for name in "xyz":
        made, cuts[name] = view(name, (1024,), (128,), "f32")
        body += ("" if name == "z" else f"%{name} = assume div_by<16>, %{name}0 : tile<ptr<f32>>\n") + made
    body += f"%begin = constant <f32: 0.5> : {tile}\n"
    body += f"%sum = for %c in (%zero to %n, step %one) : tile<i32> iter_values(%s = %begin) -> ({tile}) {{\n"
    body += "%rest = remi %c, %two signed : tile<i32>\n%even = cmpi equal %rest, %zero, signed : tile<i32> -> tile<i1>\n"
    body += (
        f"%v = if %even -> ({tile}) {{\n"
        + load("p", "x", cuts["x"], "%c", tile)
        + f"yield %p : {tile}\n}} else {{\n"
    )
    body += load("q", "y", cuts["y"], "%c", tile) + f"yield %q : {tile}\n}}\n"
    body += f"%a = addf %s, %v : {tile}\ncontinue %a : {tile}\n}}\n" + store(
        "sum", "z", cuts["z"], "%one", tile
    )
    text = kernel(PARAMETERS, body)
    assert remarks(text) == ["the loads of the loop run 1 iteration ahead"]
    assert "ld.global" not in ptx_of(text)
    for count in (1, 8):
        same(text, (1,), [integers((1024,)), integers((1024,)) * 3, np.zeros(1024, FLOAT), count], "sm_80")
