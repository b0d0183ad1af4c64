"""Kernels of `benchmarks.gpu_cases` that `benchmarks.cpu_kernels` has not."""

from __future__ import annotations

import math

import cuda.tile as ct

ZERO = ct.PaddingMode.ZERO


@ct.kernel
def product_of_bytes(a, b, c, tm: ct.Constant[int], tn: ct.Constant[int], tk: ct.Constant[int]):
    i, j = ct.bid(1), ct.bid(0)
    total = ct.full((tm, tn), 0, ct.int32)
    for k in range(ct.num_tiles(a, axis=1, shape=(tm, tk))):
        left, right = ct.load(a, (i, k), shape=(tm, tk)), ct.load(b, (k, j), shape=(tk, tn))
        total = ct.mma(left, right, total)
    ct.store(c, (i, j), total)


@ct.kernel
def product_of_tf32(a, b, c, tm: ct.Constant[int], tn: ct.Constant[int], tk: ct.Constant[int]):
    i, j = ct.bid(1), ct.bid(0)
    total = ct.full((tm, tn), 0, ct.float32)
    for k in range(ct.num_tiles(a, axis=1, shape=(tm, tk))):
        left = ct.load(a, (i, k), shape=(tm, tk), padding_mode=ZERO).astype(ct.tfloat32)
        right = ct.load(b, (k, j), shape=(tk, tn), padding_mode=ZERO).astype(ct.tfloat32)
        total = ct.mma(left, right, total)
    ct.store(c, (i, j), total)


@ct.kernel
def product_with_transposed(a, b, c, tm: ct.Constant[int], tn: ct.Constant[int], tk: ct.Constant[int]):
    i, j = ct.bid(1), ct.bid(0)
    total = ct.full((tm, tn), 0, ct.float32)
    for k in range(ct.num_tiles(a, axis=1, shape=(tm, tk))):
        left = ct.load(a, (i, k), shape=(tm, tk), padding_mode=ZERO)
        right = ct.load(b, (j, k), shape=(tn, tk), padding_mode=ZERO)
        total = ct.mma(left, ct.transpose(right), total)
    ct.store(c, (i, j), total.astype(c.dtype))


@ct.kernel
def persistent_product(a, b, c, tm: ct.Constant[int], tn: ct.Constant[int], tk: ct.Constant[int]):
    across = ct.num_tiles(c, axis=1, shape=(tm, tn))
    tiles = ct.num_tiles(c, axis=0, shape=(tm, tn)) * across
    for tile in range(ct.bid(0), tiles, ct.num_blocks(0)):
        i, j = tile // across, tile % across
        total = ct.full((tm, tn), 0, ct.float32)
        for k in range(ct.num_tiles(a, axis=1, shape=(tm, tk))):
            left = ct.load(a, (i, k), shape=(tm, tk), padding_mode=ZERO)
            right = ct.load(b, (k, j), shape=(tk, tn), padding_mode=ZERO)
            total = ct.mma(left, right, total)
        ct.store(c, (i, j), total.astype(c.dtype))


@ct.kernel
def split_product(a, b, c, tm: ct.Constant[int], tn: ct.Constant[int], tk: ct.Constant[int]):
    i, j, part = ct.bid(1), ct.bid(0), ct.bid(2)
    total = ct.full((tm, tn), 0, ct.float32)
    for k in range(part, ct.num_tiles(a, axis=1, shape=(tm, tk)), ct.num_blocks(2)):
        left = ct.load(a, (i, k), shape=(tm, tk), padding_mode=ZERO)
        right = ct.load(b, (k, j), shape=(tk, tn), padding_mode=ZERO)
        total = ct.mma(left, right, total)
    rows = i * tm + ct.arange(tm, dtype=ct.int32)
    columns = j * tn + ct.arange(tn, dtype=ct.int32)
    ct.atomic_add(c, (rows[:, None], columns[None, :]), total, memory_order=ct.MemoryOrder.RELAXED)


@ct.kernel
def biased_silu(a, b, bias, c, tm: ct.Constant[int], tn: ct.Constant[int], tk: ct.Constant[int]):
    i, j = ct.bid(1), ct.bid(0)
    total = ct.full((tm, tn), 0, ct.float32)
    for k in range(ct.num_tiles(a, axis=1, shape=(tm, tk))):
        left = ct.load(a, (i, k), shape=(tm, tk), padding_mode=ZERO)
        right = ct.load(b, (k, j), shape=(tk, tn), padding_mode=ZERO)
        total = ct.mma(left, right, total)
    total = total + ct.load(bias, j, shape=(tn,), padding_mode=ZERO)[None, :]
    ct.store(c, (i, j), (total / (1.0 + ct.exp(-total))).astype(c.dtype))


@ct.kernel
def gated_product(a, b, gate, c, tm: ct.Constant[int], tn: ct.Constant[int], tk: ct.Constant[int]):
    i, j = ct.bid(1), ct.bid(0)
    plain = ct.full((tm, tn), 0, ct.float32)
    gated = ct.full((tm, tn), 0, ct.float32)
    for k in range(ct.num_tiles(a, axis=1, shape=(tm, tk))):
        left = ct.load(a, (i, k), shape=(tm, tk), padding_mode=ZERO)
        plain = ct.mma(left, ct.load(b, (k, j), shape=(tk, tn), padding_mode=ZERO), plain)
        gated = ct.mma(left, ct.load(gate, (k, j), shape=(tk, tn), padding_mode=ZERO), gated)
    ct.store(c, (i, j), (plain * gated / (1.0 + ct.exp(-gated))).astype(c.dtype))


@ct.kernel
def attention(
    q,
    k,
    v,
    out,
    scale: float,
    dim: ct.Constant[int],
    tm: ct.Constant[int],
    tn: ct.Constant[int],
    causal: ct.Constant[bool],
):
    block, head = ct.bid(0), ct.bid(1)
    queries = ct.load(q, (head, block, 0), shape=(1, tm, dim)).reshape((tm, dim))
    row = block * tm + ct.arange(tm, dtype=ct.int32)[:, None]
    largest = ct.full((tm, 1), -math.inf, ct.float32)
    total = ct.full((tm, 1), 0, ct.float32)
    result = ct.full((tm, dim), 0, ct.float32)
    for j in range(ct.cdiv((block + 1) * tm, tn) if causal else ct.num_tiles(k, axis=1, shape=(1, tn, dim))):
        keys = ct.load(k, (head, j, 0), shape=(1, tn, dim)).reshape((tn, dim))
        scores = ct.mma(queries, ct.transpose(keys), ct.full((tm, tn), 0, ct.float32)) * scale
        if causal:
            column = j * tn + ct.arange(tn, dtype=ct.int32)[None, :]
            scores = ct.where(column <= row, scores, -math.inf)
        now = ct.maximum(largest, ct.max(scores, axis=1, keepdims=True))
        weights = ct.exp2(scores - now)
        correction = ct.exp2(largest - now)
        total = total * correction + ct.sum(weights, axis=1, keepdims=True)
        values = ct.load(v, (head, j, 0), shape=(1, tn, dim)).reshape((tn, dim))
        result = ct.mma(weights.astype(values.dtype), values, result * correction)
        largest = now
    ct.store(out, (head, block, 0), ct.astype(result / total, out.dtype).reshape((1, tm, dim)))


@ct.kernel
def gathered_product(x, rows, w, c, tm: ct.Constant[int], tn: ct.Constant[int], tk: ct.Constant[int]):
    """The rows of a token list times the weights of an expert."""
    i, j = ct.bid(1), ct.bid(0)
    places = ct.load(rows, i, shape=(tm,))
    total = ct.full((tm, tn), 0, ct.float32)
    for k in range(ct.num_tiles(w, axis=0, shape=(tk, tn))):
        columns = k * tk + ct.arange(tk, dtype=ct.int32)
        left = ct.gather(x, (places[:, None], columns[None, :]))
        right = ct.load(w, (k, j), shape=(tk, tn), padding_mode=ZERO)
        total = ct.mma(left, right, total)
    ct.store(c, (i, j), total.astype(c.dtype))


@ct.kernel
def convolution(
    x,
    w,
    c,
    width: ct.Constant[int],
    channels: ct.Constant[int],
    tm: ct.Constant[int],
    tn: ct.Constant[int],
    tk: ct.Constant[int],
):
    """3 x 3, of an image whose pixels are rows of channels, as a product."""
    i, j = ct.bid(1), ct.bid(0)
    pixel = i * tm + ct.arange(tm, dtype=ct.int32)
    total = ct.full((tm, tn), 0, ct.float32)
    for tap in range(9):
        row = pixel // width + tap // 3 - 1
        column = pixel % width + tap % 3 - 1
        inside = (row >= 0) & (column >= 0) & (column < width)
        place = ct.where(inside, row * width + column, -1)
        for part in range(channels // tk):
            deep = part * tk + ct.arange(tk, dtype=ct.int32)
            left = ct.gather(x, (place[:, None], deep[None, :]))
            right = ct.load(w, (tap * (channels // tk) + part, j), shape=(tk, tn))
            total = ct.mma(left, right, total)
    ct.store(c, (i, j), total.astype(c.dtype))


@ct.kernel
def softmax_in_parts(x, out, block: ct.Constant[int]):
    i = ct.bid(0)
    parts = ct.num_tiles(x, axis=1, shape=(1, block))
    largest = ct.full((1, block), -math.inf, ct.float32)
    total = ct.full((1, block), 0, ct.float32)
    for j in range(parts):
        tile = ct.load(x, (i, j), shape=(1, block), padding_mode=ct.PaddingMode.NEG_INF).astype(ct.float32)
        now = ct.maximum(largest, tile)
        total = total * ct.exp(largest - now) + ct.exp(tile - now)
        largest = now
    most = ct.max(largest, axis=1, keepdims=True)
    sums = ct.sum(total * ct.exp(largest - most), axis=1, keepdims=True)
    for j in range(parts):
        tile = ct.load(x, (i, j), shape=(1, block), padding_mode=ct.PaddingMode.NEG_INF).astype(ct.float32)
        ct.store(out, (i, j), ct.astype(ct.exp(tile - most) / sums, out.dtype))


@ct.kernel
def layer_norm_in_parts(x, weight, bias, out, columns: ct.Constant[int], block: ct.Constant[int]):
    i = ct.bid(0)
    parts = ct.num_tiles(x, axis=1, shape=(1, block))
    total = ct.full((1, block), 0, ct.float32)
    square = ct.full((1, block), 0, ct.float32)
    for j in range(parts):
        tile = ct.load(x, (i, j), shape=(1, block), padding_mode=ZERO).astype(ct.float32)
        total, square = total + tile, square + tile * tile
    mean = ct.sum(total, axis=1, keepdims=True) / columns
    scale = ct.rsqrt(ct.sum(square, axis=1, keepdims=True) / columns - mean * mean + 1e-5)
    for j in range(parts):
        tile = ct.load(x, (i, j), shape=(1, block), padding_mode=ZERO).astype(ct.float32)
        w = ct.load(weight, j, shape=(block,), padding_mode=ZERO).astype(ct.float32)
        b = ct.load(bias, j, shape=(block,), padding_mode=ZERO).astype(ct.float32)
        ct.store(out, (i, j), ((tile - mean) * scale * w[None, :] + b[None, :]).astype(out.dtype))


@ct.kernel
def silu_times(x, y, out, block: ct.Constant[int]):
    i = ct.bid(0)
    gate = ct.load(x, i, shape=(block,)).astype(ct.float32)
    other = ct.load(y, i, shape=(block,)).astype(ct.float32)
    ct.store(out, i, (gate / (1.0 + ct.exp(-gate)) * other).astype(out.dtype))


@ct.kernel
def largest_places(x, out, rows: ct.Constant[int], columns: ct.Constant[int]):
    i = ct.bid(0)
    tile = ct.load(x, (i, 0), shape=(rows, columns), padding_mode=ct.PaddingMode.NEG_INF)
    ct.store(out, i, ct.argmax(tile, axis=1))


@ct.kernel
def rotated(x, cosine, sine, out, rows: ct.Constant[int], half: ct.Constant[int]):
    """Rotary embedding of rows of two halves."""
    i = ct.bid(0)
    left = ct.load(x, (i, 0), shape=(rows, half)).astype(ct.float32)
    right = ct.load(x, (i, 1), shape=(rows, half)).astype(ct.float32)
    c, s = ct.load(cosine, (i, 0), shape=(rows, half)), ct.load(sine, (i, 0), shape=(rows, half))
    ct.store(out, (i, 0), (left * c - right * s).astype(out.dtype))
    ct.store(out, (i, 1), (right * c + left * s).astype(out.dtype))


@ct.kernel
def rows_by_index(table, indices, out, rows: ct.Constant[int], columns: ct.Constant[int]):
    i = ct.bid(0)
    places = ct.load(indices, i, shape=(rows,))
    across = ct.arange(columns, dtype=ct.int32)
    ct.store(out, (i, 0), ct.gather(table, (places[:, None], across[None, :])))


@ct.kernel
def running_sum(x, out, block: ct.Constant[int]):
    i = ct.bid(0)
    ct.store(out, i, ct.cumsum(ct.load(x, i, shape=(block,)), axis=0))


@ct.kernel
def histogram(x, counts, block: ct.Constant[int]):
    ct.atomic_add(counts, ct.load(x, ct.bid(0), shape=(block,)), 1)


@ct.kernel
def relaxed_histogram(x, counts, block: ct.Constant[int]):
    places = ct.load(x, ct.bid(0), shape=(block,))
    ct.atomic_add(counts, places, 1, memory_order=ct.MemoryOrder.RELAXED)
