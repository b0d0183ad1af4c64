"""Attention in Triton: the scores of a block of queries are never stored as a whole.

``attention.mlir`` beside it is the kernel as Triton hands it to a compiler (TTIR), for machines without Triton's wheel.
"""

from __future__ import annotations

import numpy as np
import triton
import triton.language as tl


@triton.jit
def attention(q, k, v, out, scale, keys, DIM: tl.constexpr, QUERIES: tl.constexpr, KEYS: tl.constexpr):
    """softmax(q k^T * scale) v; ``scale`` holds a factor log2(e) since exp2 is used."""
    rows = tl.program_id(0) * QUERIES + tl.arange(0, QUERIES)
    lanes = tl.arange(0, DIM)
    queries = tl.load(q + rows[:, None] * DIM + lanes[None, :])
    largest = tl.full((QUERIES,), -float("inf"), tl.float32)
    total = tl.zeros((QUERIES,), tl.float32)
    result = tl.zeros((QUERIES, DIM), tl.float32)
    for start in range(0, keys, KEYS):
        columns = start + tl.arange(0, KEYS)
        transposed = tl.load(k + columns[None, :] * DIM + lanes[:, None])
        scores = tl.dot(queries, transposed) * scale
        now = tl.maximum(largest, tl.max(scores, 1))
        weights = tl.exp2(scores - now[:, None])
        correction = tl.exp2(largest - now)
        total = total * correction + tl.sum(weights, 1)
        values = tl.load(v + columns[:, None] * DIM + lanes[None, :])
        result = tl.dot(weights.to(values.dtype), values, result * correction[:, None])
        largest = now
    tl.store(out + rows[:, None] * DIM + lanes[None, :], result / total[:, None])


def main() -> None:
    """Compare with NumPy."""
    random = np.random.default_rng(0)
    q, k, v = (random.standard_normal((64, 32)).astype(np.float16) for _ in range(3))
    out = np.zeros((64, 32), np.float32)
    scale = 32**-0.5
    attention[(4,)](q, k, v, out, scale * np.log2(np.e), 64, DIM=32, QUERIES=16, KEYS=32)
    scores = np.exp((q.astype(np.float64) @ k.astype(np.float64).T) * scale)
    expected = scores / scores.sum(1, keepdims=True) @ v.astype(np.float64)
    print(f"largest error {np.abs(out - expected).max():.1e}")


if __name__ == "__main__":
    main()
