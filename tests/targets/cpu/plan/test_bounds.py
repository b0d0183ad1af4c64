"""Nothing outside of an array is read or written: tiles past every edge, in every dimension, of every kind of view.

Arrays lie between guard elements.  Each kernel loads a tile of one array, which it stores as a whole, padding included,
and into the tile of the same index of another array.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.lowering.cuda_tile_to_tileaa.lowered import CONTEXT, kernel
from tilewright.driver.compile import compile
from tilewright.interp.launch import interpret
from tilewright.interp.options import InterpretOptions
from tilewright.ir.text.parser import parse_module

pytest.importorskip("llvmlite")

Array = NDArray[np.int32]
GUARD, ROOM = 1024, -7
MEMCHECK = InterpretOptions(memcheck=True, max_steps=1_000_000)


@dataclass(frozen=True)
class View:
    """A view of an array, of extents and steps that are written in the program or given to it."""

    kind: str
    shape: tuple[int, ...]
    tile: tuple[int, ...]
    dynamic: bool = False
    steps: tuple[int, ...] = ()
    order: tuple[int, ...] = ()
    gap: int = 0
    """So many elements behind each row belong to nobody."""
    sparse: int = 0

    @property
    def strides(self) -> tuple[int, ...]:
        found = [1]
        for extent in reversed(self.shape[1:]):
            found.insert(0, found[0] * extent + (self.gap if len(found) == 1 else 0))
        return tuple(found)

    @property
    def size(self) -> int:
        """The elements from the first to the last."""
        return 1 + sum((n - 1) * step for n, step in zip(self.shape, self.strides, strict=True))

    @property
    def grid(self) -> tuple[int, ...]:
        """Two tiles more than there are, along each dimension."""
        steps = {"partition": self.tile, "strided": self.steps}.get(self.kind, (1,) * len(self.tile))
        order = self.order or range(len(self.tile))
        counts = [-(-self.shape[at] // step) + 2 for at, step in zip(order, steps, strict=True)]
        return tuple(min(count, 7) for count in counts)

    @property
    def type(self) -> str:
        tile = "x".join(map(str, self.tile))
        extents = ["?" if self.dynamic else str(n) for n in self.shape]
        strides = ["?" if self.dynamic and n > 1 else str(n) for n in self.strides]
        text = f"tile=({tile}), "
        if self.kind == "strided":
            text += f"traversal_strides=[{','.join(map(str, self.steps))}], "
        text += f"padding_value = zero, tensor_view<{'x'.join(extents)}xi32, strides=[{','.join(strides)}]>"
        if self.order:
            text += f", dim_map=[{','.join(map(str, self.order))}]"
        if self.kind == "gather_scatter":
            text += f", sparse_dim={self.sparse}"
        return f"{self.kind}_view<{text}>"

    def make(self, name: str) -> str:
        """The text that makes the view of a pointer."""
        whole = "tensor_view<" + self.type.split("tensor_view<")[1].split(">")[0] + ">"
        numbers = {n: f"%n{n}" for n in {*self.shape, *self.strides}}
        shape = [numbers[n] if self.dynamic else str(n) for n in self.shape]
        strides = [numbers[n] if self.dynamic and n > 1 else str(n) for n in self.strides]
        of = ": tile<i32> -> " if self.dynamic else ": "
        return (
            f"%{name}_all = make_tensor_view %{name}, shape = [{', '.join(shape)}], "
            f"strides = [{', '.join(strides)}] {of}{whole}\n"
            f"%{name}_view = make_{self.kind}_view %{name}_all : {self.type}\n"
        )


def program(view: View) -> str:
    """A kernel that moves the tile of its place in the grid."""
    tile, rank, count = "x".join(map(str, view.tile)), len(view.tile), prod(view.tile)
    names = ["%gx", "%gy", "%gz"][:rank]
    dynamic = sorted({*view.shape, *view.strides}) if view.dynamic else []
    index, first = list(names), names[0]
    lines = "%gx, %gy, %gz = get_tile_block_id : tile<i32>\n%nx, %ny, %nz = get_num_tile_blocks : tile<i32>\n"
    if view.kind == "gather_scatter":
        extent = view.tile[view.sparse]
        first = names[view.sparse]
        lines += (
            f"%steps = iota : tile<{extent}xi32>\n%one = reshape {first} : tile<i32> -> tile<1xi32>\n"
            f"%wide = broadcast %one : tile<1xi32> -> tile<{extent}xi32>\n%three = constant <i32: 3> : tile<{extent}xi32>\n"
            f"%far = muli %steps, %three : tile<{extent}xi32>\n%rows = addi %far, %wide : tile<{extent}xi32>\n"
        )
        index[view.sparse] = "%rows"
    kinds = [f"tile<{view.tile[view.sparse]}xi32>" if name == "%rows" else "tile<i32>" for name in index]
    coordinates = f"{view.type}, {kinds[0]}" if len(set(kinds)) == 1 else f"{view.type}, {', '.join(kinds)}"
    lines += view.make("x") + view.make("y")
    lines += (
        f"%loaded, %t1 = load_view_tko weak %x_view[{', '.join(index)}] : {coordinates} -> tile<{tile}xi32>, token\n"
        f"%t2 = store_view_tko weak %loaded, %y_view[{', '.join(index)}] : tile<{tile}xi32>, {coordinates} -> token\n"
        "%zy = muli %gz, %ny : tile<i32>\n%yy = addi %zy, %gy : tile<i32>\n"
        "%yx = muli %yy, %nx : tile<i32>\n%number = addi %yx, %gx : tile<i32>\n"
        f"%seen_all = make_tensor_view %seen, shape = [1048576], strides = [1] : tensor_view<1048576xi32, strides=[1]>\n"
        f"%seen_view = make_partition_view %seen_all : partition_view<tile=({count}), tensor_view<1048576xi32, strides=[1]>>\n"
        f"%flat = reshape %loaded : tile<{tile}xi32> -> tile<{count}xi32>\n"
        f"%t3 = store_view_tko weak %flat, %seen_view[%number] : tile<{count}xi32>, "
        f"partition_view<tile=({count}), tensor_view<1048576xi32, strides=[1]>>, tile<i32> -> token\n"
    )
    parameters = ["%x: tile<ptr<i32>>", "%y: tile<ptr<i32>>", "%seen: tile<ptr<i32>>"]
    return kernel(lines, ", ".join(parameters + [f"%n{n}: tile<i32>" for n in dynamic]))


def guarded(values: Array) -> tuple[Array, Array]:
    """Memory with room around an array, and the array."""
    memory = np.full(values.size + 2 * GUARD, ROOM, np.int32)
    memory[GUARD:-GUARD] = values
    return memory, memory[GUARD:-GUARD]


def check(view: View) -> None:
    """The same memory after the interpreter and the machine code, guards included."""
    text, grid = program(view), (*view.grid, 1, 1)[:3]
    scalars = sorted({*view.shape, *view.strides}) if view.dynamic else []
    results: list[list[Array]] = []
    for run in (_interpret, _execute):
        seen = np.zeros(prod(grid) * prod(view.tile), np.int32)
        made = [guarded(np.arange(1, view.size + 1, dtype=np.int32)), guarded(np.zeros(view.size, np.int32))]
        made.append(guarded(seen))
        run(text, grid, [*(array for _, array in made), *scalars])
        results.append([memory for memory, _ in made])
    for wanted, found in zip(*results, strict=True):
        assert (wanted[:GUARD] == ROOM).all()
        assert (wanted[-GUARD:] == ROOM).all()
        np.testing.assert_array_equal(wanted, found)


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
