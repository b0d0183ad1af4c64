"""Layer normalisation over rows longer than a tile: two passes of a loop over column tiles."""

from __future__ import annotations

from collections.abc import Iterator

import cuda.tile as ct
import numpy as np

from checking import Launch, Result, compare, main


@ct.kernel
def layer_norm(x, weight, bias, out, mean_out, scale_out, epsilon: float, block: ct.Constant[int]):
    """out = (x - mean) / sqrt(variance + epsilon) * weight + bias; mean and 1/sqrt are kept too."""
    row = ct.bid(0)
    tiles = ct.num_tiles(x, axis=1, shape=(1, block))
    columns = x.shape[1]

    mean = ct.full((1, block), 0, ct.float32)
    for j in range(tiles):
        mean += ct.load(x, (row, j), shape=(1, block), padding_mode=ct.PaddingMode.ZERO)
    mean = ct.sum(mean, axis=1, keepdims=True) / columns

    variance = ct.full((1, block), 0, ct.float32)
    for j in range(tiles):
        tile = ct.load(x, (row, j), shape=(1, block), padding_mode=ct.PaddingMode.ZERO)
        inside = j * block + ct.arange(block, dtype=ct.int32) < columns
        centred = ct.where(inside, tile - mean, 0)
        variance += centred * centred
    scale = ct.rsqrt(ct.sum(variance, axis=1, keepdims=True) / columns + epsilon)

    ct.store(mean_out, (row, 0), mean)
    ct.store(scale_out, (row, 0), scale)
    for j in range(tiles):
        tile = ct.load(x, (row, j), shape=(1, block), padding_mode=ct.PaddingMode.ZERO)
        w = ct.load(weight, j, shape=(block,), padding_mode=ct.PaddingMode.ZERO)
        b = ct.load(bias, j, shape=(block,), padding_mode=ct.PaddingMode.ZERO)
        ct.store(out, (row, j), (tile - mean) * scale * w + b)


def run(launch: Launch) -> Iterator[Result]:
    random = np.random.default_rng(3)
    rows, columns, block, epsilon = 12, 200, 64, 1e-5
    x = (random.standard_normal((rows, columns)) * 3 + 5).astype(np.float32)
    weight, bias = (random.standard_normal(columns).astype(np.float32) for _ in range(2))
    out = np.zeros_like(x)
    mean, scale = np.zeros((rows, 1), np.float32), np.zeros((rows, 1), np.float32)
    launch((rows,), layer_norm, (x, weight, bias, out, mean, scale, epsilon, block))

    exact = x.astype(np.float64)
    expected_mean = exact.mean(axis=1, keepdims=True)
    expected_scale = 1 / np.sqrt(exact.var(axis=1, keepdims=True) + epsilon)
    shape = f"{rows}x{columns}"
    yield compare("layer_norm", shape, out, (exact - expected_mean) * expected_scale * weight + bias, 1e-5)
    yield compare("layer_norm mean", f"{rows}x1", mean, expected_mean, 3e-6)
    yield compare("layer_norm scale", f"{rows}x1", scale, expected_scale, 3e-6)


if __name__ == "__main__":
    raise SystemExit(main(run))
