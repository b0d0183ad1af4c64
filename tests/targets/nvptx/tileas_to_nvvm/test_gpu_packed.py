"""Elements of four bits on GPUs, two of which share a byte: the simulator does what the interpreter does."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tilewright
from tests.targets.nvptx.tileas_to_nvvm.gpu_programs import CHIPS, kernel, load, same, store, view

F4 = "f4E2M1FN"


def some_bytes(count: int, seed: int = 1) -> Any:
    return np.random.default_rng(seed).integers(0, 256, count, dtype=np.uint8)


def copied(rows: int, extent: int, tile: tuple[int, int]) -> str:
    """Copies tiles of a matrix, as far as it goes."""
    (x, cut), (y, _) = (view(name, (rows, extent), tile, F4) for name in "xy")
    type = f"tile<{tile[0]}x{tile[1]}x{F4}>"
    body = x + y + load("a", "x", cut, "%i, %j", type) + store("a", "y", cut, "%i, %j", type)
    return kernel(f"%x: tile<ptr<{F4}>>, %y: tile<ptr<{F4}>>", body)


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("columns", [2, 4, 16, 64])
def test_rows_of_whole_bytes(columns: int, chip: str) -> None:
    grid = (2, 64 // columns, 1)
    same(copied(6, 64, (4, columns)), grid, [some_bytes(192), some_bytes(192, 2)], chip)


def test_pointers_advance_by_pairs() -> None:
    """The address four elements further on is two bytes further on."""
    (moved, cut), (y, whole) = (view(name, (8,), (8,), F4) for name in ("m", "y"))
    body = f"%four = constant <i32: 4> : tile<i32>\n%m = offset %x, %four : tile<ptr<{F4}>>, tile<i32> -> tile<ptr<{F4}>>\n"
    body += (
        moved
        + y
        + load("a", "m", cut, "%zero", f"tile<8x{F4}>")
        + store("a", "y", whole, "%zero", f"tile<8x{F4}>")
    )
    text = kernel(f"%x: tile<ptr<{F4}>>, %y: tile<ptr<{F4}>>", body)
    same(text, (1,), [some_bytes(8), np.zeros(4, np.uint8)], "sm_90a")


@pytest.mark.parametrize("chip", CHIPS)
def test_packing_and_unpacking(chip: str) -> None:
    """Bytes of memory as elements of four bits, and back in the other order."""
    (x, cut), (y, whole) = (view(name, (64,), (64,), "i8") for name in "xy")
    body = x + y + load("a", "x", cut, "%zero", "tile<64xi8>")
    body += f"%b = unpack %a : tile<64xi8> -> tile<128x{F4}>\n"
    body += f"%c = reshape %b : tile<128x{F4}> -> tile<2x64x{F4}>\n"
    body += f"%d = permute %c [1, 0] : tile<2x64x{F4}> -> tile<64x2x{F4}>\n"
    body += f"%e = reshape %d : tile<64x2x{F4}> -> tile<128x{F4}>\n"
    body += f"%f = pack %e : tile<128x{F4}> -> tile<64xi8>\n" + store("f", "y", whole, "%zero", "tile<64xi8>")
    text = kernel("%x: tile<ptr<i8>>, %y: tile<ptr<i8>>", body)
    same(text, (1,), [some_bytes(64).view(np.int8), np.zeros(64, np.int8)], chip)


@pytest.mark.parametrize(("rows", "extent", "tile"), [(1, 5, (1, 8)), (3, 7, (4, 4))])
def test_rows_that_end_within_a_byte(rows: int, extent: int, tile: tuple[int, int]) -> None:
    """Arrays of an odd number of bytes: what lies behind them is not touched, and halves of others stay."""
    count = (rows * extent + 1) // 2
    same(copied(rows, extent, tile), (1, 2), [some_bytes(count), some_bytes(count, 2)], "sm_80")


def stored(order: str, extent: int, strides: str, parameters: str = "") -> str:
    """Stores eight elements of a row, in an order."""
    x, cut = view("x", (8,), (8,), F4)
    whole = f"tensor_view<{extent}xf4E2M1FN, strides=[{'?' if parameters else strides}]>"
    target = f"partition_view<tile=(8), {whole}>"
    type = "" if not parameters else ": tile<i32> -> "
    y = f"%y_a = make_tensor_view %y, shape = [{extent}], strides = [{strides}] {type or ': '}{whole}\n"
    y += f"%y_v = make_partition_view %y_a : {target}\n"
    body = x + y + load("a", "x", cut, "%zero", f"tile<8x{F4}>")
    body += f"%s = store_view_tko {order} %a, %y_v[%zero] : tile<8x{F4}>, {target}, tile<i32> -> token\n"
    return kernel(f"%x: tile<ptr<{F4}>>, %y: tile<ptr<{F4}>>{parameters}", body)


@pytest.mark.parametrize("order", ["relaxed device", "release sys", "relaxed tl_blk"])
def test_a_store_with_an_order_exchanges_each_byte_once(order: str) -> None:
    text = stored(order, 7, "3")
    word, scope = order.split()
    ptx = str(tilewright.compile(text, target="sm_90").asm["ptx"])
    assert f"atom.{word}.{ {'device': 'gpu', 'tl_blk': 'cta'}.get(scope, scope) }.global.cas.b16" in ptx
    same(text, (1,), [some_bytes(4), some_bytes(10, 2)], "sm_90")


def test_elements_that_share_a_place_leave_one_of_them_there() -> None:
    """A stride that is zero when the kernel runs."""
    text = stored("weak", 8, "%stride", ", %stride: tile<i32>")
    x, y = np.full(4, 0x55, np.uint8), np.full(1, 0xA0, np.uint8)
    after = same(text, (1,), [x, y, np.int32(0)], "sm_75")
    assert after[1].tolist() == [0xA5]


def test_scattered_elements() -> None:
    """Rows of three elements each, at places that are picked one by one."""
    whole = "tensor_view<5x3xf4E2M1FN, strides=[3,1]>"
    picked = f"gather_scatter_view<tile=(4x4), {whole}, sparse_dim=0>"
    (x, cut) = view("x", (4, 4), (4, 4), F4)
    body = x + load("a", "x", cut, "%zero, %zero", f"tile<4x4x{F4}>")
    body += f"""%y_a = make_tensor_view %y, shape = [5, 3], strides = [3, 1] : {whole}
    %v = make_gather_scatter_view %y_a : {picked}
    %rows = constant <i32: [4, 0, 3, 1]> : tile<4xi32>
    %s = store_view_tko weak %a, %v[%rows, %zero] : tile<4x4x{F4}>, {picked}, tile<4xi32>, tile<i32> -> token
    """
    text = kernel(f"%x: tile<ptr<{F4}>>, %y: tile<ptr<{F4}>>", body)
    same(text, (1,), [some_bytes(8), some_bytes(8, 2)], "sm_100a")
