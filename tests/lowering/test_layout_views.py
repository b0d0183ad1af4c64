"""Views of tiles with layouts on the CPU: any shape and strides that stay inside, against NumPy's strided views."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

from tests.lowering.tile_execution import compiled, tileas
from tests.lowering.tile_programs import POINTER, START, kernel, load, store, tensor, view
from tilewright.dialects.nv_tileas.attributes import row_major, view_layout

SOURCES = ((64,), (8, 8), (4, 1, 16), (2, 4, 8))
NAMED = {
    "columns": ((8, 8), (8, 8), (1, 8)),
    "reversed dimensions": ((2, 4, 8), (8, 4, 2), (1, 8, 32)),
    "one row for all": ((8, 8), (8, 8), (0, 1)),
    "one element for all": ((8, 8), (8, 8), (0, 0)),
    "a window that moves": ((64,), (16, 16), (1, 1)),
    "the diagonal": ((8, 8), (8,), (9,)),
    "every other element": ((64,), (32,), (2,)),
    "the upper left corner": ((8, 8), (4, 4), (8, 1)),
    "flat": ((2, 4, 8), (64,), (1,)),
    "more dimensions": ((64,), (2, 4, 8), (32, 8, 1)),
    "extents of 1": ((4, 1, 16), (1, 4, 1, 16, 1), (0, 16, 0, 1, 0)),
}


def program(source: tuple[int, ...], shape: tuple[int, ...], strides: tuple[int, ...]) -> str:
    """Loads a tile, shows it by a layout, and stores it twice: as it is, and after it was added to itself."""
    layout = view_layout(shape, strides)
    outer, inner = numbers("s", source), numbers("r", shape)
    body = (
        START + view("va", "%a", *outer[:1], source, outer[1]) + view("vc", "%c", *inner[:1], shape, inner[1])
    )
    body += view("vd", "%d", *inner[:1], shape, inner[1]) + load("x", "%va", source, ["%z"] * len(source))
    body += f'%v = "nv_tileas.view"(%x#0) <{{nv_tileas.layout = {layout}}}> : ({tensor(source)}) -> {tensor(shape)}\n'
    body += f"%w = nv_tileas.addf %v, %v : {tensor(shape)}\n"
    body += store("%vc", "%v", shape, ["%z"] * len(shape)) + store("%vd", "%w", shape, ["%z"] * len(shape))
    pointers = "; ".join(f"%{name}: {POINTER}" for name in "acd")
    scalars = "; ".join(f"{name}: i32" for names in (*outer, *inner) for name in names)
    return kernel("k", f"{pointers}; {scalars}", body)


def numbers(prefix: str, shape: tuple[int, ...]) -> tuple[list[str], list[str]]:
    """The names of the extents of a memory object, and of all strides but the last."""
    rank = len(shape)
    return [f"%{prefix}{at}" for at in range(rank)], [f"%{prefix}s{at}" for at in range(rank - 1)]


def shown(x: Any, shape: tuple[int, ...], strides: tuple[int, ...]) -> Any:
    """The view as NumPy has it."""
    steps = [stride * x.itemsize for stride in strides]
    return np.lib.stride_tricks.as_strided(x.reshape(-1), shape, steps)


def check(source: tuple[int, ...], shape: tuple[int, ...], strides: tuple[int, ...]) -> None:
    """Run a view and compare."""
    x = np.arange(1, np.prod(source) + 1, dtype=np.float32).reshape(source)
    extents = (*source, *row_major(source)[:-1], *shape, *row_major(shape)[:-1])
    plain, twice = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
    module = tileas(program(source, shape, strides))
    compiled(module).launch((1,), [x, plain, twice, *extents])
    np.testing.assert_array_equal(plain, shown(x, shape, strides))
    np.testing.assert_array_equal(twice, 2 * shown(x, shape, strides))


@pytest.mark.parametrize("name", NAMED)
def test_named_views(name: str) -> None:
    check(*NAMED[name])


def random_view(random: Random) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """A source, and a shape and strides that stay inside of it."""
    source = random.choice(SOURCES)
    steps = sorted({0, 1, 2, 3, *row_major(source)})
    while True:
        shape = tuple(random.choice((1, 2, 4, 8)) for _ in range(random.randint(1, 4)))
        strides = tuple(random.choice(steps) for _ in shape)
        reached = sum((extent - 1) * step for extent, step in zip(shape, strides, strict=True))
        if reached < np.prod(source):
            return source, shape, strides


@pytest.mark.parametrize("seed", range(24))
def test_random_views(seed: int) -> None:
    check(*random_view(Random(seed)))
