"""Attention with an online softmax: the scores of a query tile are never stored as a whole."""

from __future__ import annotations

import math
from collections.abc import Iterator

import cuda.tile as ct
import numpy as np

from checking import Launch, Result, compare, main


@ct.kernel
def attention(
    q,
    k,
    v,
    out,
    scale: float,
    heads: int,
    causal: ct.Constant[bool],
    dim: ct.Constant[int],
    tm: ct.Constant[int],
    tn: ct.Constant[int],
):
    """softmax(q k^T * scale) v per (batch, head); ``scale`` holds a factor log2(e) since exp2 is used."""
    block = ct.bid(0)
    batch, head = ct.bid(1) // heads, ct.bid(1) % heads
    keys = k.shape[2]
    zero = ct.PaddingMode.ZERO
    queries = ct.load(q, (batch, head, block, 0), shape=(1, 1, tm, dim), padding_mode=zero).reshape((tm, dim))
    row = block * tm + ct.arange(tm, dtype=ct.int32)[:, None]

    largest = ct.full((tm, 1), -math.inf, ct.float32)
    total = ct.full((tm, 1), 0, ct.float32)
    result = ct.full((tm, dim), 0, ct.float32)
    last = ct.cdiv(min((block + 1) * tm, keys), tn) if causal else ct.cdiv(keys, tn)
    for j in range(last):
        transposed = ct.load(
            k, (batch, head, 0, j), shape=(1, 1, dim, tn), order=(0, 1, 3, 2), padding_mode=zero
        ).reshape((dim, tn))
        scores = ct.mma(queries, transposed, ct.full((tm, tn), 0, ct.float32)) * scale
        column = j * tn + ct.arange(tn, dtype=ct.int32)[None, :]
        inside = column < keys
        if causal:
            inside = inside & (column <= row)
        scores = ct.where(inside, scores, -math.inf)

        now = ct.maximum(largest, ct.max(scores, axis=1, keepdims=True))
        weights = ct.exp2(scores - now)
        correction = ct.exp2(largest - now)
        total = total * correction + ct.sum(weights, axis=1, keepdims=True)
        values = ct.load(v, (batch, head, j, 0), shape=(1, 1, tn, dim), padding_mode=zero).reshape((tn, dim))
        result = ct.mma(weights.astype(values.dtype), values, result * correction)
        largest = now

    tile = (result / total).astype(out.dtype).reshape((1, 1, tm, dim))
    ct.store(out, (batch, head, block, 0), tile)


def reference(q: np.ndarray, k: np.ndarray, v: np.ndarray, causal: bool) -> np.ndarray:
    q, k, v = (array.astype(np.float64) for array in (q, k, v))
    scores = q @ np.swapaxes(k, -1, -2) / math.sqrt(q.shape[-1])
    if causal:
        scores = np.where(np.tri(*scores.shape[-2:], dtype=bool), scores, -np.inf)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True) @ v


def run(launch: Launch) -> Iterator[Result]:
    random = np.random.default_rng(5)
    batches, heads, length, dim, tm, tn = 2, 2, 40, 16, 16, 16
    scale = math.log2(math.e) / math.sqrt(dim)
    for dtype, tolerance in ((np.float32, 1e-5), (np.float16, 3e-3)):
        q, k, v = (random.standard_normal((batches, heads, length, dim)).astype(dtype) for _ in range(3))
        for causal in (False, True):
            out = np.zeros_like(q)
            grid = (ct.cdiv(length, tm), batches * heads)
            launch(grid, attention, (q, k, v, out, scale, heads, causal, dim, tm, tn))
            name = f"attention{' causal' if causal else ''} {q.dtype}"
            shape = f"{batches}x{heads}x{length}x{dim}"
            yield compare(name, shape, out, reference(q, k, v, causal), tolerance)


if __name__ == "__main__":
    raise SystemExit(main(run))
