"""Kernels that move one tile of a view of any kind, and arrays with room around them.

Each kernel loads a tile of one array, which it stores as a whole, padding included, and into the tile of the same index of
another array.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.lowering.cuda_tile_to_tileaa.lowered import kernel

Array = NDArray[np.int32]
GUARD, ROOM = 1024, -7


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
    def blocks(self) -> tuple[int, int, int]:
        """The grid of a launch."""
        x, y, z = (*self.grid, 1, 1)[:3]
        return x, y, z

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


def arguments(view: View) -> tuple[list[Array], list[Any]]:
    """The memory of a launch, and what is passed to the kernel."""
    seen = np.zeros(prod(view.grid) * prod(view.tile), np.int32)
    made = [guarded(np.arange(1, view.size + 1, dtype=np.int32)), guarded(np.zeros(view.size, np.int32))]
    made.append(guarded(seen))
    scalars = sorted({*view.shape, *view.strides}) if view.dynamic else []
    return [memory for memory, _ in made], [*(array for _, array in made), *scalars]


def same_memory(wanted: list[Array], found: list[Array]) -> None:
    """Assert that two launches left the same, and that nobody wrote around the arrays."""
    for one, other in zip(wanted, found, strict=True):
        assert (one[:GUARD] == ROOM).all()
        assert (one[-GUARD:] == ROOM).all()
        np.testing.assert_array_equal(one, other)
