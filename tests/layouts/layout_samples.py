"""Generated layouts for the tests of their algebra, and the expressions of the tests as values."""

from __future__ import annotations

from functools import reduce
from math import prod
from operator import xor
from random import Random

from hypothesis import strategies as st

from tilewright.layouts.layout import AnyLayout, Layout, parse_layout
from tilewright.layouts.linear import LinearLayout, log2

SEEDS = st.integers(0, 1 << 32).map(Random)
"""Sources of numbers: a layout or matrix is one example, and not hundreds of small ones."""
STEPS = (0, 1, 2, 3, 4, 6, 8, 12, 24)


def layouts(steps: tuple[int, ...] = STEPS) -> st.SearchStrategy[Layout]:
    """A layout of a few modes, with strides that often fit together."""
    return SEEDS.map(lambda seed: _layout(seed, steps, depth=2))


def _layout(seed: Random, steps: tuple[int, ...], depth: int) -> Layout:
    if not depth or seed.random() < 0.4:
        return Layout(seed.choice((1, 2, 2, 3, 4, 4, 6)), seed.choice(steps))
    count = seed.choice((1, 2, 2, 3)) if depth == 2 else 2
    return Layout.of([_layout(seed, steps, depth - 1) for _ in range(count)])


def layouts_of_one_shape() -> st.SearchStrategy[tuple[Layout, Layout]]:
    """Two layouts that differ in their strides."""
    return SEEDS.map(lambda seed: (first := _layout(seed, STEPS, depth=2), _restrided(seed, first)))


def _restrided(seed: Random, layout: Layout) -> Layout:
    if isinstance(layout.shape, tuple):
        return Layout.of([_restrided(seed, mode) for mode in layout.modes])
    return Layout(layout.shape, seed.choice(STEPS))


def plain(text: str) -> Layout:
    """The layout of a text that is not composed."""
    found: AnyLayout = parse_layout(text)
    assert isinstance(found, Layout)
    return found


def invertible_columns(bits: int) -> st.SearchStrategy[list[int]]:
    """The columns of a matrix with an inverse: unit vectors in some order, with earlier ones added."""
    return SEEDS.map(lambda seed: _invertible(seed, bits))


def _invertible(seed: Random, bits: int) -> list[int]:
    columns: list[int] = []
    for unit in seed.sample([1 << bit for bit in range(bits)], bits):
        added = seed.sample(columns, min(len(columns), seed.randrange(3)))
        columns.append(reduce(xor, added, unit))
    return columns


def spreads(shape: tuple[int, ...], lanes: int, warps: int) -> st.SearchStrategy[LinearLayout]:
    """A layout that holds all of a tile, with so many bits of lanes and warps, and some repetition."""
    return SEEDS.map(lambda seed: _spread(seed, shape, lanes, warps))


def _spread(seed: Random, shape: tuple[int, ...], lanes: int, warps: int) -> LinearLayout:
    size = prod(shape)
    columns = _invertible(seed, log2(size))
    more = max(lanes + warps - len(columns), seed.choice([0, 0, 0, 1, 2]))
    columns += [seed.choice([0, seed.randrange(size)]) for _ in range(more)]
    seed.shuffle(columns)
    ends = lanes, lanes + warps
    return LinearLayout(
        shape, tuple(columns[ends[1] :]), tuple(columns[: ends[0]]), tuple(columns[ends[0] : ends[1]])
    )


TILES = st.sampled_from([(4,), (2, 4), (4, 8), (2, 2, 2)])


@st.composite
def pairs_of_spreads(draw: st.DrawFn, lanes: int = 3, warps: int = 1) -> tuple[LinearLayout, LinearLayout]:
    """Two layouts of one tile, often with movements in common."""
    shape = draw(TILES)
    lanes, warps = draw(st.integers(0, lanes)), draw(st.integers(0, warps))
    first, second = (draw(spreads(shape, lanes, warps)) for _ in range(2))
    if draw(st.booleans()):
        second = LinearLayout(shape, second.register, second.lane, first.warp)
    if draw(st.booleans()):
        second = LinearLayout(shape, first.register, second.lane, second.warp)
    return first, second if second.is_onto else first
