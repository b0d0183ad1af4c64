"""The kernels of the CPU benchmark in cuTile Python, with tile sizes for a processor's caches and registers.

A tile of a product is as large as its operands fit into the second-level cache; a tile of a row kernel is a row.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import cuda.tile as ct
import numpy as np

from benchmarks.cpu_cases import EPSILON, Array, Made, Shape

ZERO = ct.PaddingMode.ZERO


@ct.kernel
def matmul(
    a, b, c, tm: ct.Constant[int], tn: ct.Constant[int], tk: ct.Constant[int], traffic: ct.Constant[int]
):
    i, j = ct.bid(1), ct.bid(0)
    total = ct.full((tm, tn), 0, ct.float32)
    for k in range(ct.num_tiles(a, axis=1, shape=(tm, tk))):
        left = ct.load(a, (i, k), shape=(tm, tk), padding_mode=ZERO)
        right = ct.load(b, (k, j), shape=(tk, tn), padding_mode=ZERO)
        total = ct.mma(left, right, total)
    ct.store(c, (i, j), total.astype(c.dtype), latency=traffic)


@ct.kernel
def batched_matmul(
    a, b, c, tm: ct.Constant[int], tn: ct.Constant[int], tk: ct.Constant[int], traffic: ct.Constant[int]
):
    batch, i, j = ct.bid(2), ct.bid(1), ct.bid(0)
    total = ct.full((tm, tn), 0, ct.float32)
    for k in range(ct.num_tiles(a, axis=2, shape=(1, tm, tk))):
        left = ct.load(a, (batch, i, k), shape=(1, tm, tk), padding_mode=ZERO).reshape((tm, tk))
        right = ct.load(b, (batch, k, j), shape=(1, tk, tn), padding_mode=ZERO).reshape((tk, tn))
        total = ct.mma(left, right, total)
    ct.store(c, (batch, i, j), total.astype(c.dtype).reshape((1, tm, tn)), latency=traffic)


@ct.kernel
def softmax(x, out, rows: ct.Constant[int], columns: ct.Constant[int], traffic: ct.Constant[int]):
    i = ct.bid(0)
    tile = ct.load(x, (i, 0), shape=(rows, columns), padding_mode=ct.PaddingMode.NEG_INF)
    shifted = ct.exp(tile - ct.max(tile, axis=1, keepdims=True))
    total = ct.sum(shifted, axis=1, keepdims=True)
    ct.store(out, (i, 0), shifted * (1.0 / total), latency=traffic)


@ct.kernel
def layernorm(
    x, weight, bias, out, rows: ct.Constant[int], columns: ct.Constant[int], traffic: ct.Constant[int]
):
    i = ct.bid(0)
    tile = ct.load(x, (i, 0), shape=(rows, columns), padding_mode=ZERO)
    mean = ct.sum(tile, axis=1, keepdims=True) * (1.0 / columns)
    square = ct.sum(tile * tile, axis=1, keepdims=True) * (1.0 / columns)
    scale = ct.rsqrt(square - mean * mean + EPSILON)
    w = ct.load(weight, 0, shape=(columns,), padding_mode=ZERO)
    b = ct.load(bias, 0, shape=(columns,), padding_mode=ZERO)
    ct.store(out, (i, 0), (tile - mean) * scale * w + b, latency=traffic)


@ct.kernel
def rmsnorm(x, weight, out, rows: ct.Constant[int], columns: ct.Constant[int], traffic: ct.Constant[int]):
    i = ct.bid(0)
    tile = ct.load(x, (i, 0), shape=(rows, columns), padding_mode=ZERO)
    scale = ct.rsqrt(ct.sum(tile * tile, axis=1, keepdims=True) * (1.0 / columns) + EPSILON)
    w = ct.load(weight, 0, shape=(columns,), padding_mode=ZERO)
    ct.store(out, (i, 0), tile * scale * w, latency=traffic)


@ct.kernel
def gelu(x, out, block: ct.Constant[int], traffic: ct.Constant[int]):
    i = ct.bid(0)
    tile = ct.load(x, i, shape=(block,), padding_mode=ZERO)
    inner = 0.7978845608028654 * (tile + 0.044715 * tile * tile * tile)
    ct.store(out, i, 0.5 * tile * (1.0 + ct.tanh(inner)), latency=traffic)


@ct.kernel
def attention(q, k, v, out, scale: float, dim: ct.Constant[int], tm: ct.Constant[int], tn: ct.Constant[int]):
    """Causal; ``scale`` holds a factor log2(e) since exp2 is used.  Only tiles on the diagonal are masked."""
    block, head = ct.bid(0), ct.bid(1)
    queries = ct.load(q, (head, block, 0), shape=(1, tm, dim)).reshape((tm, dim))
    row = block * tm + ct.arange(tm, dtype=ct.int32)[:, None]

    largest = ct.full((tm, 1), -math.inf, ct.float32)
    total = ct.full((tm, 1), 0, ct.float32)
    result = ct.full((tm, dim), 0, ct.float32)
    for j in range(ct.cdiv((block + 1) * tm, tn)):
        keys = ct.load(k, (head, 0, j), shape=(1, dim, tn), order=(0, 2, 1)).reshape((dim, tn))
        scores = ct.mma(queries, keys, ct.full((tm, tn), 0, ct.float32)) * scale
        column = j * tn + ct.arange(tn, dtype=ct.int32)[None, :]
        scores = ct.where(column <= row, scores, -math.inf)
        now = ct.maximum(largest, ct.max(scores, axis=1, keepdims=True))
        weights = ct.exp2(scores - now)
        correction = ct.exp2(largest - now)
        total = total * correction + ct.sum(weights, axis=1, keepdims=True)
        values = ct.load(v, (head, j, 0), shape=(1, tn, dim)).reshape((tn, dim))
        result = ct.mma(weights.astype(values.dtype), values, result * correction)
        largest = now
    ct.store(out, (head, block, 0), (result / total).astype(out.dtype).reshape((1, tm, dim)))


@ct.kernel
def add(x, y, out, block: ct.Constant[int], traffic: ct.Constant[int]):
    i = ct.bid(0)
    ct.store(out, i, ct.load(x, i, shape=(block,)) + ct.load(y, i, shape=(block,)), latency=traffic)


@ct.kernel
def transpose(x, out, tm: ct.Constant[int], tn: ct.Constant[int], traffic: ct.Constant[int]):
    i, j = ct.bid(0), ct.bid(1)
    ct.store(out, (j, i), ct.transpose(ct.load(x, (i, j), shape=(tm, tn))), latency=traffic)


@ct.kernel
def cumsum(x, out, rows: ct.Constant[int], columns: ct.Constant[int], traffic: ct.Constant[int]):
    i = ct.bid(0)
    tile = ct.load(x, (i, 0), shape=(rows, columns), padding_mode=ZERO)
    ct.store(out, (i, 0), ct.cumsum(tile, axis=1), latency=traffic)


@ct.kernel
def rowsum(x, out, rows: ct.Constant[int], columns: ct.Constant[int]):
    i = ct.bid(0)
    ct.store(out, i, ct.sum(ct.load(x, (i, 0), shape=(rows, columns), padding_mode=ZERO), axis=1))


@ct.kernel
def gather(table, indices, out, rows: ct.Constant[int], columns: ct.Constant[int], traffic: ct.Constant[int]):
    first = ct.bid(0) * rows
    for at in range(rows):
        index = ct.load(indices, first + at, shape=())
        ct.store(out, (first + at, 0), ct.load(table, (index, 0), shape=(1, columns)), latency=traffic)


def _multiply(a, b):
    """The matrix product of two complex tiles, each a (real, imaginary) pair."""
    real = ct.matmul(a[0], b[0]) - ct.matmul(a[1], b[1])
    return real, ct.matmul(a[0], b[1]) + ct.matmul(a[1], b[0])


@ct.kernel
def fft(x, out, first, twiddle, second, n1: ct.Constant[int], n2: ct.Constant[int]):
    """One row: two small matrix products around a twiddle factor; arguments are (real, imaginary) pairs."""
    row = ct.bid(0)
    n = n1 * n2
    signal = (
        ct.load(x[0], (row, 0), shape=(1, n)).reshape((n1, n2)),
        ct.load(x[1], (row, 0), shape=(1, n)).reshape((n1, n2)),
    )
    left = ct.load(first[0], (0, 0), shape=(n1, n1)), ct.load(first[1], (0, 0), shape=(n1, n1))
    right = ct.load(second[0], (0, 0), shape=(n2, n2)), ct.load(second[1], (0, 0), shape=(n2, n2))
    turn = ct.load(twiddle[0], (0, 0), shape=(n1, n2)), ct.load(twiddle[1], (0, 0), shape=(n1, n2))
    half = _multiply(left, signal)
    turned = half[0] * turn[0] - half[1] * turn[1], half[0] * turn[1] + half[1] * turn[0]
    whole = _multiply(turned, right)
    ct.store(out[0], (row, 0), ct.transpose(whole[0]).reshape((1, n)))
    ct.store(out[1], (row, 0), ct.transpose(whole[1]).reshape((1, n)))


# --- launches


@dataclass(frozen=True)
class Launch:
    """A grid, a kernel and its arguments."""

    grid: tuple[int, ...]
    kernel: Any
    arguments: tuple[Any, ...]


MATMUL_TILE = {"f32": (256, 256, 256), "bf16": (256, 256, 256), "f16": (256, 256, 256)}
"""Rows, columns and depth of the tiles of a product, by element type."""
ATTENTION_TILE = (128, 128)
"""Queries and keys of a tile."""
TRANSPOSE_TILE = (32, 1024)
"""Long rows of the source, so that each page of it is read at once."""
BLOCK = 1 << 14
"""Elements of a tile of an elementwise kernel."""
ROWS = 4
"""Rows of a tile of a kernel that works on rows."""
GATHERED_ROWS = 64
LARGE = 1 << 22
"""Bytes of a result that the caches of a processor do not keep."""


def _traffic(out: Array) -> int:
    """The hint ``latency`` of a store, 1 to 10: whether the result goes to memory or stays in a cache."""
    return 10 if out.nbytes >= LARGE else 1


def launch_of(made: Made, out: Array) -> Launch:
    """How this project computes a case into ``out``."""
    return _LAUNCHES[made.case.operation](made, out)


def _matmul(made: Made, out: Array) -> Launch:
    *batch, m, n, k = made.shape
    tile = tuple(map(min, MATMUL_TILE[made.case.dtype], (m, n, k)))
    grid = (ct.cdiv(n, tile[1]), ct.cdiv(m, tile[0]), *batch)
    return Launch(grid, batched_matmul if batch else matmul, (*made.inputs, out, *tile, _traffic(out)))


def _by_rows(kernel: Any, rows: int = ROWS) -> Callable[[Made, Array], Launch]:
    def make(made: Made, out: Array) -> Launch:
        count, width = made.shape
        sizes = rows, _power_of_two(width)
        hint = () if kernel is rowsum else (_traffic(out),)
        return Launch((ct.cdiv(count, rows),), kernel, (*made.inputs, out, *sizes, *hint))

    return make


def _power_of_two(extent: int) -> int:
    return 1 << (extent - 1).bit_length()


def _by_blocks(kernel: Any) -> Callable[[Made, Array], Launch]:
    def make(made: Made, out: Array) -> Launch:
        block = min(BLOCK, made.shape[0])
        return Launch((ct.cdiv(made.shape[0], block),), kernel, (*made.inputs, out, block, _traffic(out)))

    return make


def _attention(made: Made, out: Array) -> Launch:
    heads, length, width = made.shape
    rows, columns = ATTENTION_TILE
    scale = math.log2(math.e) / math.sqrt(width)
    return Launch((ct.cdiv(length, rows), heads), attention, (*made.inputs, out, scale, width, rows, columns))


def _transpose(made: Made, out: Array) -> Launch:
    tile = tuple(map(min, TRANSPOSE_TILE, made.shape))
    grid = tuple(map(ct.cdiv, made.shape, tile))
    return Launch(grid, transpose, (*made.inputs, out, *tile, _traffic(out)))


def _gather(made: Made, out: Array) -> Launch:
    count, width = made.shape
    sizes = GATHERED_ROWS, width
    return Launch((ct.cdiv(count, GATHERED_ROWS),), gather, (*made.inputs, out, *sizes, _traffic(out)))


def _fft(made: Made, out: Array) -> Launch:
    count, length = made.shape
    n1 = 1 << (length.bit_length() - 1) // 2
    n2 = length // n1
    tables = _roots(n1, n1, n1), _roots(n1, n2, length), _roots(n2, n2, n2)
    x = made.inputs[0]
    return Launch((count,), fft, ((x.real, x.imag), (out.real, out.imag), *tables, n1, n2))


def _roots(rows: int, columns: int, order: int) -> tuple[Array, Array]:
    """exp(-2 pi i a b / order) as a pair of float32 arrays."""
    angles = -2 * np.pi * np.outer(np.arange(rows), np.arange(columns)) / order
    return np.cos(angles).astype(np.float32), np.sin(angles).astype(np.float32)


_LAUNCHES: dict[str, Callable[[Made, Array], Launch]] = {
    "matmul": _matmul,
    "softmax": _by_rows(softmax),
    "layernorm": _by_rows(layernorm),
    "rmsnorm": _by_rows(rmsnorm),
    "gelu": _by_blocks(gelu),
    "attention": _attention,
    "add": _by_blocks(add),
    "transpose": _transpose,
    "cumsum": _by_rows(cumsum),
    "rowsum": _by_rows(rowsum),
    "gather": _gather,
    "fft": _fft,
}

__all__ = ["Launch", "Shape", "launch_of"]
