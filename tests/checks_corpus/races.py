"""Races between tile blocks, inside of a tile, and between operations that no token orders."""

from __future__ import annotations

import cuda.tile as ct
import numpy as np

from tests.checks_corpus.cases import SIMULATED, Case


def ints(*shape: int) -> np.ndarray:
    return np.zeros(shape, np.int32)


@ct.kernel
def one_place(out):
    ct.store(out, 0, ct.full((1,), ct.bid(0), ct.int32))  # fault: one place


@ct.kernel
def own_places(out):
    ct.store(out, ct.bid(0), ct.full((1,), ct.bid(0), ct.int32))


@ct.kernel
def plain_counter(counter):
    count = ct.load(counter, 0, shape=(1,))  # fault: plain counter
    ct.store(counter, 0, count + 1)


@ct.kernel
def atomic_counter(counter):
    ct.atomic_add(counter, 0, 1)


@ct.kernel
def overlapping_tiles(out):
    places = ct.bid(0) * 3 + ct.arange(4, dtype=ct.int32)
    ct.scatter(out, places, 1)  # fault: overlapping tiles


@ct.kernel
def tiles_side_by_side(out):
    places = ct.bid(0) * 4 + ct.arange(4, dtype=ct.int32)
    ct.scatter(out, places, 1)


@ct.kernel
def shift_in_place(x, out):
    places = ct.bid(0) * 4 + ct.arange(4, dtype=ct.int32)
    ct.scatter(x, places, ct.gather(x, places + 1))  # fault: shift in place


@ct.kernel
def shift_into_another(x, out):
    places = ct.bid(0) * 4 + ct.arange(4, dtype=ct.int32)
    ct.scatter(out, places, ct.gather(x, places + 1))


@ct.kernel
def transpose_in_place(x, out):
    tile = ct.load(x, (ct.bid(1), ct.bid(0)), shape=(2, 2))
    ct.store(x, (ct.bid(0), ct.bid(1)), ct.transpose(tile))  # fault: transpose in place


@ct.kernel
def transpose_into_another(x, out):
    tile = ct.load(x, (ct.bid(1), ct.bid(0)), shape=(2, 2))
    ct.store(out, (ct.bid(0), ct.bid(1)), ct.transpose(tile))


@ct.kernel
def partial_sums_in_one(x, out):
    tile = ct.load(x, ct.bid(0), shape=(4,))
    ct.store(out, 0, ct.sum(tile, keepdims=True))  # fault: partial sums


@ct.kernel
def partial_sums_apart(x, out):
    tile = ct.load(x, ct.bid(0), shape=(4,))
    ct.store(out, ct.bid(0), ct.sum(tile, keepdims=True))


@ct.kernel
def scatter_twice(out):
    places = ct.arange(4, dtype=ct.int32) // 2
    ct.scatter(out, places, ct.arange(4, dtype=ct.int32))  # fault: one store, one address twice


@ct.kernel
def scatter_once(out):
    places = ct.arange(4, dtype=ct.int32)
    ct.scatter(out, places, ct.arange(4, dtype=ct.int32))


@ct.kernel
def relaxed_flag(data, flag, out):
    if ct.bid(0) == 0:
        ct.store(data, 0, ct.full((1,), 7, ct.int32))
        ct.atomic_xchg(flag, 0, 1, memory_order=ct.MemoryOrder.RELAXED)
    else:
        seen = ct.atomic_add(flag, 0, 0, memory_order=ct.MemoryOrder.RELAXED)
        while seen == 0:
            seen = ct.atomic_add(flag, 0, 0, memory_order=ct.MemoryOrder.RELAXED)
        ct.store(out, 0, ct.load(data, 0, shape=(1,)))  # fault: a flag without order


@ct.kernel
def released_flag(data, flag, out):
    if ct.bid(0) == 0:
        ct.store(data, 0, ct.full((1,), 7, ct.int32))
        ct.atomic_xchg(flag, 0, 1, memory_order=ct.MemoryOrder.RELEASE)
    else:
        seen = ct.atomic_add(flag, 0, 0, memory_order=ct.MemoryOrder.ACQUIRE)
        while seen == 0:
            seen = ct.atomic_add(flag, 0, 0, memory_order=ct.MemoryOrder.ACQUIRE)
        ct.store(out, 0, ct.load(data, 0, shape=(1,)))


TOKENS = """
cuda_tile.module @m {
  entry @k(%%x: tile<ptr<i32>>) {
    %%one = constant <i32: 1> : tile<i32>
    %%first = store_ptr_tko weak %%x, %%one : tile<ptr<i32>>, tile<i32> -> token
    %%value, %%second = load_ptr_tko weak %%x%s : tile<ptr<i32>> -> tile<i32>, token // fault: a missing token
    print_tko "%%i\\0A", %%value : tile<i32> -> token
    return
  }
}
"""

CASES = (
    Case(
        "racecheck",
        "one place",
        one_place,
        own_places,
        lambda: [ints(4)],
        "store of out[0]",
        grid=(4,),
        simulated="of global memory is written by thread",
    ),
    Case(
        "racecheck",
        "plain counter",
        plain_counter,
        atomic_counter,
        lambda: [ints(1)],
        "of counter[0]",
        grid=(3,),
        simulated="of global memory is read by thread",
    ),
    Case(
        "racecheck",
        "overlapping tiles",
        overlapping_tiles,
        tiles_side_by_side,
        lambda: [ints(8)],
        "store of out[3]",
        grid=(2,),
        simulated="of global memory is written by thread",
    ),
    Case(
        "racecheck",
        "shift in place",
        shift_in_place,
        shift_into_another,
        lambda: [ints(8), ints(8)],
        "of x[4]",
        grid=(2,),
        simulated="of global memory is written by thread",
    ),
    Case(
        "racecheck",
        "transpose in place",
        transpose_in_place,
        transpose_into_another,
        lambda: [ints(4, 4), ints(4, 4)],
        "of x[",
        grid=(2, 2),
        simulated="of global memory is",
    ),
    Case(
        "racecheck",
        "partial sums",
        partial_sums_in_one,
        partial_sums_apart,
        lambda: [ints(8), ints(2)],
        "store of out[0]",
        grid=(2,),
        simulated="of global memory is written by thread",
    ),
    Case(
        "racecheck",
        "one store, one address twice",
        scatter_twice,
        scatter_once,
        lambda: [ints(4)],
        "out[0] races with itself",
        simulated="threads 0 and 1 store different values of 4 bytes",
        simulated_code="TW1268",
    ),
    Case(
        "racecheck",
        "a flag without order",
        relaxed_flag,
        released_flag,
        lambda: [ints(1), ints(1), ints(1)],
        "load of data[0]",
        grid=(2,),
        simulated="of global memory is read by thread",
    ),
    Case(
        "racecheck",
        "a missing token",
        TOKENS % "",
        TOKENS % " token=%first",
        lambda: [ints(1)],
        "element [0] of argument 0",
        targets=("interp", *SIMULATED),
        simulated="of global memory is read by thread 1, and no synchronisation orders this after thread 0",
    ),
)
