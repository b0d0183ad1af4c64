"""Nothing outside of an array is read or written: tiles past every edge, in every dimension, of every kind of view.

Arrays lie between guard elements.  Each kernel loads a tile of one array, which it stores as a whole, padding included,
and into the tile of the same index of another array.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod
from typing import Any

import numpy as np
import pytest

from tests.lowering.cuda_tile_to_tileaa.lowered import CONTEXT, kernel
from tests.targets.view_programs import GUARD, ROOM, Array, View, arguments, guarded, program, same_memory
from tilewright.driver.compile import compile
from tilewright.interp.launch import interpret
from tilewright.interp.values import InterpretOptions
from tilewright.ir.text.parser import parse_module

pytest.importorskip("llvmlite")

MEMCHECK = InterpretOptions(max_steps=1_000_000)


def check(view: View) -> None:
    """The same memory after the interpreter and the machine code, guards included."""
    text = program(view)
    results: list[list[Array]] = []
    for run in (_interpret, _execute):
        memory, given = arguments(view)
        run(text, view.blocks, given)
        results.append(memory)
    same_memory(*results)


def _interpret(text: str, grid: tuple[int, int, int], arguments: Sequence[Any]) -> None:
    interpret(parse_module(CONTEXT, text), "k", grid, arguments, MEMCHECK)


def _execute(text: str, grid: tuple[int, int, int], arguments: Sequence[Any]) -> None:
    compile(text, target="cpu").launch(grid, list(arguments))


SHAPES: dict[tuple[int, ...], list[tuple[int, ...]]] = {
    (16,): [(1,), (16,), (17,), (48,)],
    (4, 16): [(10, 64), (12, 60), (12, 64), (3, 5)],
    (1, 16): [(3, 64), (3, 50)],
    (8, 1): [(20, 3), (16, 3)],
    (2, 4, 8): [(5, 8, 16), (4, 7, 16), (4, 8, 13)],
}
"""Extents of arrays by those of tiles; some are covered exactly in some dimensions, some in all, some in none."""
CASES = [(tile, shape) for tile, shapes in SHAPES.items() for shape in shapes]


@pytest.mark.parametrize("dynamic", [False, True], ids=["static", "dynamic"])
@pytest.mark.parametrize(("tile", "shape"), CASES, ids=str)
def test_partition_views(tile: tuple[int, ...], shape: tuple[int, ...], dynamic: bool) -> None:
    check(View("partition", shape, tile, dynamic, gap=3))


@pytest.mark.parametrize("dynamic", [False, True], ids=["static", "dynamic"])
@pytest.mark.parametrize("order", [(1, 0), (0, 2, 1), (2, 0, 1)], ids=str)
def test_dimensions_in_another_order(order: tuple[int, ...], dynamic: bool) -> None:
    tile = (4, 8, 2)[: len(order)]
    check(View("partition", (16, 9, 8)[: len(order)], tile, dynamic, order=order))


STEPS = [(tile, shape) for tile, shape in CASES if shape[-1] in (64, 60, 48, 17, 16, 5)]


@pytest.mark.parametrize("dynamic", [False, True], ids=["static", "dynamic"])
@pytest.mark.parametrize("far", [0, -1, 5], ids=["adjacent", "overlapping", "apart"])
@pytest.mark.parametrize(("tile", "shape"), STEPS, ids=str)
def test_strided_views(tile: tuple[int, ...], shape: tuple[int, ...], far: int, dynamic: bool) -> None:
    """Tiles that overlap are written by several tile blocks, which here write the same."""
    check(View("strided", shape, tile, dynamic, steps=tuple(max(1, extent + far) for extent in tile)))


ROWS = [(tile, shape) for tile, shape in CASES if len(tile) == 2] + [((2, 4, 8), (3, 5, 16))]


@pytest.mark.parametrize("dynamic", [False, True], ids=["static", "dynamic"])
@pytest.mark.parametrize(("tile", "shape"), ROWS, ids=str)
def test_gathered_and_scattered_rows(tile: tuple[int, ...], shape: tuple[int, ...], dynamic: bool) -> None:
    for sparse in range(len(tile)):
        check(View("gather_scatter", shape, tile, dynamic, sparse=sparse))


FAR = [
    0,
    1,
    3,
    4,
    1 << 31,
    1 << 32,
    1 << 59,
    1 << 60,
    1 << 61,
    1 << 62,
    (1 << 62) + 1,
    1 << 63,
    (1 << 64) - 1,
]
INDEXED = {
    "partition": "partition_view<tile=(16), padding_value = zero, tensor_view<?xi32, strides=[1]>>",
    "strided": "strided_view<tile=(16), traversal_strides=[8], padding_value = zero, tensor_view<?xi32, strides=[1]>>",
    "gather_scatter": (
        "gather_scatter_view<tile=(2x16), padding_value = zero, tensor_view<3x?xi32, strides=[64,1]>, sparse_dim=0>"
    ),
}


@pytest.mark.parametrize("kind", INDEXED)
def test_an_index_that_wraps_around_names_nothing(kind: str) -> None:
    view = INDEXED[kind]
    shape, strides, rank = ("[%n]", "[1]", 1) if "3x?" not in view else ("[3, %n]", "[64, 1]", 2)
    tensor = "tensor_view<" + view.split("tensor_view<")[1].split(">")[0] + ">"
    index = "%rows, %i" if rank == 2 else "%i"
    types = f"{view}, tile<2xi64>, tile<i64>" if rank == 2 else f"{view}, tile<i64>"
    tile = "tile<2x16xi32>" if rank == 2 else "tile<16xi32>"
    body = f"""
      %rows = iota : tile<2xi64>
      %x_all = make_tensor_view %x, shape = {shape}, strides = {strides} : tile<i64> -> {tensor}
      %view = make_{kind}_view %x_all : {view}
      %one = constant <i32: 1> : {tile}
      %t, %k = load_view_tko weak %view[{index}] : {types} -> {tile}, token
      %u = addi %t, %one : {tile}
      %d = store_view_tko weak %u, %view[{index}] token = %k : {tile}, {types} -> token
    """
    text = kernel(body, "%x: tile<ptr<i32>>, %n: tile<i64>, %i: tile<i64>")
    made = compile(text, target="cpu")
    for index, extent in product(FAR, (40, 48)):
        number = index - (1 << 64 if index >> 63 else 0)
        wanted, found = (guarded(np.arange(3 * 64, dtype=np.int32)) for _ in range(2))
        interpret(parse_module(CONTEXT, text), "k", (1, 1, 1), [wanted[1], extent, number], MEMCHECK)
        made.launch((1, 1, 1), [found[1], extent, number])
        np.testing.assert_array_equal(wanted[0], found[0], err_msg=f"index {index}")


def test_a_promise_that_does_not_hold_writes_nothing_outside() -> None:
    view = View("partition", (10, 60), (4, 16))
    promise = "%gx, %gy] inbounds = [true, false] : "
    text = program(view).replace("%gx, %gy] : ", promise)
    assert text.count(promise) == 2
    memory, array = guarded(np.zeros(view.size, np.int32))
    other = np.zeros(view.size, np.int32)
    seen = np.zeros(prod(view.grid) * 64, np.int32)
    _execute(text, (*view.grid, 1)[:3], [other, array, seen])
    assert (memory[:GUARD] == ROOM).all()
    assert (memory[-GUARD:] == ROOM).all()
