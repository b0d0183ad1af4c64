"""Elements of four bits on GPUs, two of which share a byte: the simulator does what the interpreter does."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.targets.nvptx.body.gpu_programs import CHIPS, kernel, load, same, store, view

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
