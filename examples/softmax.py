"""Softmax over rows: one tile holds a few whole rows, padded with -inf."""

from __future__ import annotations

from collections.abc import Iterator

import cuda.tile as ct
import numpy as np

from checking import Launch, Result, compare, main


@ct.kernel
def softmax(x, out, rows: ct.Constant[int], columns: ct.Constant[int]):
    i = ct.bid(0)
    tile = ct.load(x, (i, 0), shape=(rows, columns), padding_mode=ct.PaddingMode.NEG_INF)
    tile = tile.astype(ct.float32)
    shifted = ct.exp(tile - ct.max(tile, axis=1, keepdims=True))
    total = ct.sum(shifted, axis=1, keepdims=True)
    ct.store(out, (i, 0), (shifted / total).astype(out.dtype))


def reference(x: np.ndarray) -> np.ndarray:
    shifted = np.exp(x - x.max(axis=1, keepdims=True))
    return shifted / shifted.sum(axis=1, keepdims=True)


def run(launch: Launch) -> Iterator[Result]:
    random = np.random.default_rng(2)
    for dtype, tolerance in ((np.float32, 1e-6), (np.float16, 1e-3)):
        x = (4 * random.standard_normal((30, 100))).astype(dtype)
        out = np.zeros_like(x)
        launch((ct.cdiv(x.shape[0], 8),), softmax, (x, out, 8, 128))
        yield compare(f"softmax {x.dtype}", "30x100", out, reference(x.astype(np.float64)), tolerance)


if __name__ == "__main__":
    raise SystemExit(main(run))
