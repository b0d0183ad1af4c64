"""Ten kernels; the comment of each assignment is the type of the tile as cuTile's rules of shapes give it."""

from __future__ import annotations

import math

import cuda.tile as ct
import numpy as np


@ct.kernel
def scale(x, out, factor: float):
    i = ct.bid(0)  # tile<i32>
    tile = ct.load(x, (i,), shape=(128,))  # tile<128xf32>
    scaled = tile * factor  # tile<128xf32>
    ct.store(out, (i,), scaled)


@ct.kernel
def product(a, b, out):
    total = ct.full((32, 16), 0, ct.float32)  # tile<32x16xf32>
    for k in range(ct.num_tiles(a, axis=1, shape=(32, 32))):
        left = ct.load(a, (ct.bid(0), k), shape=(32, 32))  # tile<32x32xf16>
        right = ct.load(b, (k, ct.bid(1)), shape=(32, 16))  # tile<32x16xf16>
        total = ct.mma(left, right, total)  # tile<32x16xf32>
    halved = total.astype(ct.float16)  # tile<32x16xf16>
    ct.store(out, (ct.bid(0), ct.bid(1)), halved)


@ct.kernel
def softmax(x, out):
    rows = ct.load(x, (ct.bid(0), 0), shape=(4, 64))  # tile<4x64xf32>
    largest = ct.max(rows, axis=1, keepdims=True)  # tile<4x1xf32>
    powers = ct.exp(rows - largest)  # tile<4x64xf32>
    total = ct.sum(powers, axis=1, keepdims=True)  # tile<4x1xf32>
    ct.store(out, (ct.bid(0), 0), powers / total)


@ct.kernel
def transpose(x, out):
    block, tile = ct.bid(0), ct.load(x, (ct.bid(0), 0), shape=(8, 32))  # tile<i32> tile<8x32xf32>
    turned = ct.transpose(tile)  # tile<32x8xf32>
    ct.store(out, (0, block), turned)


@ct.kernel
def gather(x, numbers, out):
    at = ct.load(numbers, (0,), shape=(16,))  # tile<16xi32>
    values = ct.gather(x, at)  # tile<16xf32>
    inside = at < 8  # tile<16xi1>
    kept = ct.where(inside, values, 0.0)  # tile<16xf32>
    ct.store(out, (0,), kept)


def normalised(tile):
    mean = ct.sum(tile, axis=0, keepdims=True) / 16  # tile<1xf32>
    centred = tile - mean  # tile<16xf32>
    return centred


@ct.kernel
def calls(x, out):
    tile = ct.load(x, (0,), shape=(16,))  # tile<16xf32>
    result = normalised(tile)  # tile<16xf32>
    ct.store(out, (0,), result)


@ct.kernel
def branches(x, out):
    tile = ct.load(x, (0, 0), shape=(2, 8))  # tile<2x8xf32>
    if ct.bid(0) == 0:  # noqa: SIM108
        tile = tile + 1  # tile<2x8xf32>
    else:
        tile = tile * 2  # tile<2x8xf32>
    ct.store(out, (0, 0), tile)


@ct.kernel
def attention(q, k, out):
    queries = ct.load(q, (ct.bid(0), 0), shape=(16, 32))  # tile<16x32xf16>
    largest = ct.full((16, 1), -math.inf, ct.float32)  # tile<16x1xf32>
    for j in range(2):
        keys = ct.load(k, (0, j), shape=(32, 16), order=(1, 0))  # tile<32x16xf16>
        scores = ct.mma(queries, keys, ct.full((16, 16), 0, ct.float32))  # tile<16x16xf32>
        largest = ct.maximum(largest, ct.max(scores, axis=1, keepdims=True))  # tile<16x1xf32>
    ct.store(out, (ct.bid(0), 0), largest)


@ct.kernel
def numbers(x, out):
    count = ct.num_blocks(0)  # tile<i32>
    at = ct.arange(32, dtype=ct.int32) + count  # tile<32xi32>
    odd = at % 2  # tile<32xi32>
    wide = ct.load(x, (0,), shape=(32,)).astype(ct.float64)  # tile<32xf64>
    ct.store(out, (0,), wide * odd)


@ct.kernel
def shapes(x, out):
    tile = ct.load(x, (0, 0, 0), shape=(2, 4, 8))  # tile<2x4x8xbf16>
    flat = ct.reshape(tile, (8, 8))  # tile<8x8xbf16>
    column = ct.extract(flat, (0, 0), shape=(8, 1))  # tile<8x1xbf16>
    wide = ct.broadcast_to(column, (8, 16))  # tile<8x16xbf16>
    ct.store(out, (0, 0), wide)


def arrays(*shapes_and_types):
    """Empty arrays."""
    return tuple(np.zeros(shape, type) for shape, type in shapes_and_types)


def launches():
    """Each kernel with arguments."""
    from ml_dtypes import bfloat16

    half, single, double = np.float16, np.float32, np.float64
    return [
        (scale, (*arrays((256, single), (256, single)), 2.0)),
        (product, arrays(((64, 64), half), ((64, 64), half), ((64, 64), half))),
        (softmax, arrays(((8, 64), single), ((8, 64), single))),
        (transpose, arrays(((16, 32), single), ((32, 16), single))),
        (gather, arrays((64, single), (16, np.int32), (16, single))),
        (calls, arrays((16, single), (16, single))),
        (branches, arrays(((2, 8), single), ((2, 8), single))),
        (attention, arrays(((32, 32), half), ((32, 32), half), ((32, 1), single))),
        (numbers, arrays((32, single), (32, double))),
        (shapes, arrays(((2, 4, 8), bfloat16), ((8, 16), bfloat16))),
    ]
