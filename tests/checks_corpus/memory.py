"""Accesses outside of arrays, misaligned ones, and elements that a load left undefined."""

from __future__ import annotations

import cuda.tile as ct
import numpy as np

from tests.checks_corpus.cases import Case

FAR = 1 << 27
"""So many elements further there is no other array."""


def floats(*shape: int) -> np.ndarray:
    return np.ones(shape, np.float32)


def places(*numbers: int) -> np.ndarray:
    return np.array(numbers, np.int32)


@ct.kernel
def unchecked_gather(x, indices, out):
    chosen = ct.load(indices, 0, shape=(4,))
    ct.store(out, 0, ct.gather(x, chosen, check_bounds=False))  # fault: an index beyond the end


@ct.kernel
def checked_gather(x, indices, out):
    chosen = ct.load(indices, 0, shape=(4,))
    ct.store(out, 0, ct.gather(x, chosen))


@ct.kernel
def unchecked_scatter(x, indices, out):
    chosen = ct.load(indices, 0, shape=(4,))
    ct.scatter(out, chosen, ct.load(x, 0, shape=(4,)), check_bounds=False)  # fault: a store beyond the end


@ct.kernel
def checked_scatter(x, indices, out):
    chosen = ct.load(indices, 0, shape=(4,))
    ct.scatter(out, chosen, ct.load(x, 0, shape=(4,)))


@ct.kernel
def tile_past_the_end(x, out):
    ct.store(out, 0, ct.load(x, ct.bid(0) + 2, shape=(4,)))  # fault: a tile past the end


@ct.kernel
def last_tile(x, out):
    ct.store(out, 0, ct.load(x, ct.bid(0) + 1, shape=(4,)))


@ct.kernel
def next_tile(x, out):
    ct.store(out, ct.bid(0) + 1, ct.load(x, ct.bid(0), shape=(4,)))  # fault: a tile that is not there


@ct.kernel
def own_tile(x, out):
    ct.store(out, ct.bid(0), ct.load(x, ct.bid(0), shape=(4,)))


@ct.kernel
def before_the_start(x, out):
    chosen = ct.arange(4, dtype=ct.int32) - (1 << 27)
    ct.store(out, 0, ct.gather(x, chosen, check_bounds=False))  # fault: in front of the array


@ct.kernel
def from_the_start(x, out):
    chosen = ct.arange(4, dtype=ct.int32)
    ct.store(out, 0, ct.gather(x, chosen, check_bounds=False))


@ct.kernel
def wrong_row(x, out):
    columns = ct.arange(4, dtype=ct.int32)
    ct.store(out, 0, ct.gather(x, (1 << 25, columns), check_bounds=False))  # fault: a row that is not there


@ct.kernel
def last_row(x, out):
    columns = ct.arange(4, dtype=ct.int32)
    ct.store(out, 0, ct.gather(x, (1, columns), check_bounds=False))


@ct.kernel
def atomic_outside(indices, out):
    chosen = ct.load(indices, 0, shape=(4,))
    ct.atomic_add(out, chosen, 1.0, check_bounds=False)  # fault: an atomic update beyond the end


@ct.kernel
def atomic_inside(indices, out):
    chosen = ct.load(indices, 0, shape=(4,))
    ct.atomic_add(out, chosen, 1.0)


@ct.kernel
def stored_edge(x, out):
    tile = ct.load(x, 0, shape=(4,))
    ct.store(out, 0, tile)  # fault: an edge without padding is stored


@ct.kernel
def padded_edge(x, out):
    tile = ct.load(x, 0, shape=(4,), padding_mode=ct.PaddingMode.ZERO)
    ct.store(out, 0, tile)


@ct.kernel
def summed_edge(x, out):
    tile = ct.load(x, 0, shape=(4,))
    ct.store(out, 0, ct.sum(tile, keepdims=True))  # fault: an edge without padding is summed


@ct.kernel
def summed_padding(x, out):
    tile = ct.load(x, 0, shape=(4,), padding_mode=ct.PaddingMode.ZERO)
    ct.store(out, 0, ct.sum(tile, keepdims=True))


@ct.kernel
def largest_of_edge(x, out):
    tile = ct.load(x, 0, shape=(4,))
    ct.store(out, 0, ct.max(tile, keepdims=True))  # fault: the maximum of an edge without padding


@ct.kernel
def largest_of_padded(x, out):
    tile = ct.load(x, 0, shape=(4,), padding_mode=ct.PaddingMode.NEG_INF)
    ct.store(out, 0, ct.max(tile, keepdims=True))


@ct.kernel
def undefined_indices(x, indices, out):
    chosen = ct.load(indices, 0, shape=(4,))
    ct.store(out, 0, ct.gather(x, chosen))  # fault: indices from behind an edge


@ct.kernel
def padded_indices(x, indices, out):
    chosen = ct.load(indices, 0, shape=(4,), padding_mode=ct.PaddingMode.ZERO)
    ct.store(out, 0, ct.gather(x, chosen))


@ct.kernel
def undefined_condition(x, out):
    total = ct.sum(ct.load(x, 0, shape=(4,)))
    if total > 0:  # fault: a branch on an edge without padding
        ct.store(out, 0, ct.full((4,), 1, ct.float32))


@ct.kernel
def padded_condition(x, out):
    total = ct.sum(ct.load(x, 0, shape=(4,), padding_mode=ct.PaddingMode.ZERO))
    if total > 0:
        ct.store(out, 0, ct.full((4,), 1, ct.float32))


@ct.kernel
def product_of_edges(x, y, out):
    left = ct.load(x, (0, 0), shape=(4, 4))
    right = ct.load(y, (0, 0), shape=(4, 4))
    total = ct.mma(left, right, ct.full((4, 4), 0.0, ct.float32))
    ct.store(out, (0, 0), total)  # fault: a product whose inner edge has no padding


@ct.kernel
def product_of_padded(x, y, out):
    left = ct.load(x, (0, 0), shape=(4, 4), padding_mode=ct.PaddingMode.ZERO)
    right = ct.load(y, (0, 0), shape=(4, 4), padding_mode=ct.PaddingMode.ZERO)
    total = ct.mma(left, right, ct.full((4, 4), 0.0, ct.float32))
    ct.store(out, (0, 0), total)


COPY = """
cuda_tile.module @m {
  entry @k(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>) {
    %value, %loaded = load_ptr_tko weak %x : tile<ptr<f32>> -> tile<f32>, token // fault: a misaligned array
    %stored = store_ptr_tko weak %y, %value : tile<ptr<f32>>, tile<f32> -> token
    return
  }
}
"""


def misaligned() -> np.ndarray:
    return np.zeros(9, np.uint8)[1:5].view(np.float32)


CASES = (
    Case(
        "memcheck",
        "an index beyond the end",
        unchecked_gather,
        checked_gather,
        lambda: [floats(100), places(0, FAR, 1, 2), floats(4)],
        f"load of x[{FAR}] by element [1] of the tile is outside of x, which has 100 elements",
        simulated="load of 4 bytes at global address",
    ),
    Case(
        "memcheck",
        "a store beyond the end",
        unchecked_scatter,
        checked_scatter,
        lambda: [floats(4), places(0, 1, FAR, 2), floats(100)],
        f"store of out[{FAR}] by element [2] of the tile is outside of out",
        simulated="store of 4 bytes at global address",
    ),
    Case(
        "memcheck",
        "a tile past the end",
        tile_past_the_end,
        last_tile,
        lambda: [floats(8), floats(4)],
        "tile index 2 of dimension 0 lies outside x, which has 2 tiles of 4 elements",
        simulated_code="TW0402",
    ),
    Case(
        "memcheck",
        "a tile that is not there",
        next_tile,
        own_tile,
        lambda: [floats(16), floats(16)],
        "tile index 4 of dimension 0 lies outside out, which has 4 tiles of 4 elements",
        grid=(4,),
        simulated_code="TW0402",
    ),
    Case(
        "memcheck",
        "in front of the array",
        before_the_start,
        from_the_start,
        lambda: [floats(8), floats(4)],
        "is outside of x, which has 8 elements; it lies",
        simulated="which is not allocated",
    ),
    Case(
        "memcheck",
        "a row that is not there",
        wrong_row,
        last_row,
        lambda: [floats(2, 4), floats(4)],
        "is outside of x, whose shape is (2, 4)",
        simulated="which is not allocated",
    ),
    Case(
        "memcheck",
        "an atomic update beyond the end",
        atomic_outside,
        atomic_inside,
        lambda: [places(0, 1, 2, FAR), floats(4)],
        f"atomic update of out[{FAR}] by",
        simulated="atomic operation of 4 bytes at global address",
    ),
    Case(
        "memcheck",
        "a misaligned array",
        COPY,
        COPY,
        lambda: [misaligned(), floats(1)],
        "is not aligned to 4 bytes",
        code="TW0403",
        right_arguments=lambda: [floats(1), floats(1)],
        simulated="load of 4 bytes at global address",
        simulated_code="TW1255",
    ),
    Case(
        "initcheck",
        "an edge without padding is stored",
        stored_edge,
        padded_edge,
        lambda: [floats(3), floats(4)],
        "the stored tile uses an unspecified value at element [3]",
        simulated="the stored tile uses an unspecified value",
    ),
    Case(
        "initcheck",
        "an edge without padding is summed",
        summed_edge,
        summed_padding,
        lambda: [floats(3), floats(1)],
        "an unspecified value",
    ),
    Case(
        "initcheck",
        "the maximum of an edge without padding",
        largest_of_edge,
        largest_of_padded,
        lambda: [floats(3), floats(1)],
        "an unspecified value",
    ),
    Case(
        "initcheck",
        "indices from behind an edge",
        undefined_indices,
        padded_indices,
        lambda: [floats(8), places(0, 1, 2), floats(4)],
        "an unspecified value",
    ),
    Case(
        "initcheck",
        "a branch on an edge without padding",
        undefined_condition,
        padded_condition,
        lambda: [floats(3), floats(4)],
        "the condition is an unspecified value",
    ),
    Case(
        "initcheck",
        "a product whose inner edge has no padding",
        product_of_edges,
        product_of_padded,
        lambda: [floats(4, 3), floats(3, 4), floats(4, 4)],
        "an unspecified value",
    ),
)
