"""Kernels in text with and without an error of one: indices, masks, loops and grids, by pointers and by views."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from tilewright.dialects.cuda_tile.ops.control import EntryOp
from tilewright.driver.sources import read_any
from tilewright.ir.location import FileLineColLocation
from tilewright.prover.kernels import KernelProver
from tilewright.prover.symbols import ObservedLaunch

F32 = np.float32


@dataclass(frozen=True)
class SeededKernel:
    """A kernel in text, a launch of it, and whether an access of it is wrong."""

    name: str
    text: str
    grid: tuple[int, int, int]
    arguments: tuple[Any, ...]
    is_wrong: bool

    def prover(self) -> KernelProver:
        """A prover of its statements; each operation is at a line of its own."""
        module: Any = read_any(self.text.encode(), self.name)
        return prover_of(module, [ObservedLaunch(self.grid, self.arguments)])


def prover_of(module: Any, launches: list[ObservedLaunch], number: int = 0) -> KernelProver:
    """A prover for a kernel of a module, whose operations get lines of their own."""
    for line, op in enumerate(module.walk(), 1):
        op.location = FileLineColLocation.at("seeded.mlir", line, 1)
    entries = [op for op in module.walk() if isinstance(op, EntryOp)]
    return KernelProver(module, entries[number], launches)


def kernel(parameters: str, body: str) -> str:
    return f"cuda_tile.module @m {{\n  entry @k({parameters}) {{\n{body}    return\n  }}\n}}\n"


def array(extents: tuple[int, ...]) -> tuple[Any, ...]:
    """An array as cuTile passes it: its address, its extents, its strides."""
    made = np.ones(extents, F32)
    return made, *made.shape, *(stride // 4 for stride in made.strides)


VECTOR = "%p: tile<ptr<f32>>, %n: tile<i32>, %s: tile<i32>"
MATRIX = "%p: tile<ptr<f32>>, %m: tile<i32>, %n: tile<i32>, %r: tile<i32>, %s: tile<i32>"


def spread(name: str, tile: int, type: str) -> str:
    """A scalar in all elements of a tile, as `%name_all`."""
    return (
        f"    %{name}_1 = reshape %{name} : tile<{type}> -> tile<1x{type}>\n"
        f"    %{name}_all = broadcast %{name}_1 : tile<1x{type}> -> tile<{tile}x{type}>\n"
    )


def masked_vector(tile: int, shift: int, relation: str, *, store: bool) -> str:
    """`p[bid * tile + lane + shift]` under the mask `bid * tile + lane < n`."""
    access = (
        f"    %t = store_ptr_tko weak %at, %zeros, %mask : tile<{tile}xptr<f32>>, tile<{tile}xf32>, tile<{tile}xi1> -> token\n"
        if store
        else f"    %v, %t = load_ptr_tko weak %at, %mask : tile<{tile}xptr<f32>>, tile<{tile}xi1> -> tile<{tile}xf32>, token\n"
    )
    body = (
        f"    %x, %y, %z = get_tile_block_id : tile<i32>\n    %c = constant <i32: {tile}> : tile<i32>\n"
        f"    %first = muli %x, %c : tile<i32>\n    %lane = iota : tile<{tile}xi32>\n"
        f"    %zeros = constant <f32: 0.0> : tile<{tile}xf32>\n"
        + spread("first", tile, "i32")
        + spread("n", tile, "i32")
        + f"    %i = addi %first_all, %lane : tile<{tile}xi32>\n"
        f"    %mask = cmpi {relation} %i, %n_all, signed : tile<{tile}xi32> -> tile<{tile}xi1>\n"
        f"    %by = constant <i32: {shift}> : tile<{tile}xi32>\n    %place = addi %i, %by : tile<{tile}xi32>\n"
        + spread("p", tile, "ptr<f32>")
        + f"    %at = offset %p_all, %place : tile<{tile}xptr<f32>>, tile<{tile}xi32> -> tile<{tile}xptr<f32>>\n"
        + access
    )
    return kernel(VECTOR, body)


def viewed_vector(tile: int, shift: int, *, store: bool) -> str:
    """The tile `bid + shift` of a vector."""
    view = f"partition_view<tile=({tile}), tensor_view<?xf32, strides=[1]>>"
    access = (
        f"    %t = store_view_tko weak %zeros, %view[%i] : tile<{tile}xf32>, {view}, tile<i32> -> token\n"
        if store
        else f"    %v, %t = load_view_tko weak %view[%i] : {view}, tile<i32> -> tile<{tile}xf32>, token\n"
    )
    body = (
        f"    %x, %y, %z = get_tile_block_id : tile<i32>\n    %by = constant <i32: {shift}> : tile<i32>\n"
        f"    %i = addi %x, %by : tile<i32>\n    %zeros = constant <f32: 0.0> : tile<{tile}xf32>\n"
        "    %tensor = make_tensor_view %p, shape = [%n], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>\n"
        f"    %view = make_partition_view %tensor : {view}\n" + access
    )
    return kernel(VECTOR, body)


def looped_rows(tile: int, more: int, first: int) -> str:
    """The tiles `(bid, k)` of a matrix, for k from `first` to the number of tiles in a row and `more`."""
    view = f"partition_view<tile=(1x{tile}), tensor_view<?x?xf32, strides=[?,1]>>"
    body = (
        f"    %x, %y, %z = get_tile_block_id : tile<i32>\n    %c = constant <i32: {tile}> : tile<i32>\n"
        f"    %tiles = divi %n, %c signed rounding<positive_inf> : tile<i32>\n    %by = constant <i32: {more}> : tile<i32>\n"
        f"    %end = addi %tiles, %by : tile<i32>\n    %low = constant <i32: {first}> : tile<i32>\n"
        "    %one = constant <i32: 1> : tile<i32>\n"
        "    %tensor = make_tensor_view %p, shape = [%m, %n], strides = [%r, 1] : tile<i32> -> "
        "tensor_view<?x?xf32, strides=[?,1]>\n"
        f"    %view = make_partition_view %tensor : {view}\n    %zeros = constant <f32: 0.0> : tile<1x{tile}xf32>\n"
        "    for %k in (%low to %end, step %one) : tile<i32> {\n"
        f"      %t = store_view_tko weak %zeros, %view[%x, %k] : tile<1x{tile}xf32>, {view}, tile<i32> -> token\n"
        "      continue\n    }\n"
    )
    return kernel(MATRIX, body)


def strided_rows(tile: int, rows: str, columns: str) -> str:
    """`p[bid * r + lane * s]` under the masks `bid < m` and `lane < n`, with relations of their own."""
    body = (
        "    %x, %y, %z = get_tile_block_id : tile<i32>\n"
        f"    %lane = iota : tile<{tile}xi32>\n    %start = muli %x, %r : tile<i32>\n"
        + "".join(spread(name, tile, "i32") for name in ("x", "m", "n", "s", "start"))
        + f"    %row = cmpi {rows} %x_all, %m_all, signed : tile<{tile}xi32> -> tile<{tile}xi1>\n"
        f"    %column = cmpi {columns} %lane, %n_all, signed : tile<{tile}xi32> -> tile<{tile}xi1>\n"
        f"    %mask = andi %row, %column : tile<{tile}xi1>\n    %step = muli %lane, %s_all : tile<{tile}xi32>\n"
        f"    %place = addi %start_all, %step : tile<{tile}xi32>\n"
        + spread("p", tile, "ptr<f32>")
        + f"    %at = offset %p_all, %place : tile<{tile}xptr<f32>>, tile<{tile}xi32> -> tile<{tile}xptr<f32>>\n"
        f"    %v, %t = load_ptr_tko weak %at, %mask : tile<{tile}xptr<f32>>, tile<{tile}xi1> -> tile<{tile}xf32>, token\n"
    )
    return kernel(MATRIX, body)


def advanced_pointers(tile: int, more: int, step: int) -> str:
    """Pointers that a loop advances by a tile, `cdiv(n, tile) + more` times, under a mask of the rest."""
    tiles = f"tile<{tile}xptr<f32>>"
    body = (
        f"    %lane = iota : tile<{tile}xi32>\n    %c = constant <i32: {tile}> : tile<i32>\n"
        f"    %by = constant <i32: {more}> : tile<i32>\n    %zero = constant <i32: 0> : tile<i32>\n"
        "    %one = constant <i32: 1> : tile<i32>\n"
        "    %tiles = divi %n, %c signed rounding<positive_inf> : tile<i32>\n    %end = addi %tiles, %by : tile<i32>\n"
        f"    %far = constant <i32: {step}> : tile<{tile}xi32>\n"
        + spread("p", tile, "ptr<f32>")
        + spread("n", tile, "i32")
        + f"    %at = offset %p_all, %lane : {tiles}, tile<{tile}xi32> -> {tiles}\n"
        f"    %done = for %k in (%zero to %end, step %one) : tile<i32> iter_values(%q = %at) -> ({tiles}) {{\n"
        "      %gone = muli %k, %c : tile<i32>\n"
        + spread("gone", tile, "i32")
        + f"      %i = addi %gone_all, %lane : tile<{tile}xi32>\n"
        f"      %mask = cmpi less_than %i, %n_all, signed : tile<{tile}xi32> -> tile<{tile}xi1>\n"
        f"      %v, %t = load_ptr_tko weak %q, %mask : {tiles}, tile<{tile}xi1> -> tile<{tile}xf32>, token\n"
        f"      %next = offset %q, %far : {tiles}, tile<{tile}xi32> -> {tiles}\n      continue %next : {tiles}\n    }}\n"
    )
    return kernel(VECTOR, body)


def seeded() -> Iterator[SeededKernel]:
    """Right kernels, and 50 with an error of one."""
    for tile in (4, 16, 64):
        count = 3 * tile + 1
        grid, vector = (4, 1, 1), array((count,))
        for store in (False, True):
            word = f"{tile} {'store' if store else 'load'}"
            for shift, relation in (
                (0, "less_than"),
                (1, "less_than"),
                (-1, "less_than"),
                (0, "less_than_or_equal"),
            ):
                text = masked_vector(tile, shift, relation, store=store)
                wrong = bool(shift) or relation != "less_than"
                yield SeededKernel(f"masked {word} {shift} {relation}", text, grid, vector, wrong)
            for shift in (0, 1, -1):
                text = viewed_vector(tile, shift, store=store)
                yield SeededKernel(f"viewed {word} {shift}", text, grid, vector, bool(shift))
            text = viewed_vector(tile, 0, store=store)
            yield SeededKernel(f"viewed {word} grid", text, (5, 1, 1), vector, True)
        matrix = array((5, count))
        for more, first in ((0, 0), (1, 0), (0, -1)):
            text = looped_rows(tile, more, first)
            yield SeededKernel(f"looped {tile} {more} {first}", text, (5, 1, 1), matrix, bool(more or first))
        rows = array((5, tile - 1))
        for a, b in (
            ("less_than",) * 2,
            ("less_than", "less_than_or_equal"),
            ("less_than_or_equal", "less_than"),
        ):
            text = strided_rows(tile, a, b)
            is_wrong = "less_than_or_equal" in (a, b)
            yield SeededKernel(f"strided {tile} {a} {b}", text, (6, 1, 1), rows, is_wrong)
        for more, step in ((0, tile), (0, tile + 1), (0, tile - 1)):
            text = advanced_pointers(tile, more, step)
            yield SeededKernel(f"advanced {tile} {more} {step}", text, (1, 1, 1), vector, step > tile)
