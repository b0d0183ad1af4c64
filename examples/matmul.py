"""Matrix multiplication: one block per tile of the product in grouped order, and a persistent kernel."""

from __future__ import annotations

from collections.abc import Iterator

import cuda.tile as ct
import ml_dtypes
import numpy as np

from checking import Launch, Result, compare, main


def grouped(index, tiles_m, tiles_n, group):
    """Tile coordinates of a linear index that walks down ``group`` rows of tiles before it steps right."""
    per_band = group * tiles_n
    band = index // per_band
    first = band * group
    height = min(tiles_m - first, group)
    within = index % per_band
    return first + within % height, within // height


def product_tile(a, b, i, j, tm: ct.Constant[int], tn: ct.Constant[int], tk: ct.Constant[int]):
    """One tile of ``a @ b``, accumulated in float32."""
    zero = ct.PaddingMode.ZERO
    total = ct.full((tm, tn), 0, ct.float32)
    for k in range(ct.num_tiles(a, axis=1, shape=(tm, tk))):
        left = ct.load(a, (i, k), shape=(tm, tk), padding_mode=zero)
        right = ct.load(b, (k, j), shape=(tk, tn), padding_mode=zero)
        total = ct.mma(left, right, total)
    return total


@ct.kernel(occupancy=2)
def matmul(a, b, c, tm: ct.Constant[int], tn: ct.Constant[int], tk: ct.Constant[int]):
    tiles_m, tiles_n = ct.cdiv(c.shape[0], tm), ct.cdiv(c.shape[1], tn)
    i, j = grouped(ct.bid(0), tiles_m, tiles_n, 4)
    ct.store(c, (i, j), product_tile(a, b, i, j, tm, tn, tk).astype(c.dtype))


@ct.kernel(num_ctas=ct.ByTarget(sm_100=2, default=1))
def persistent_matmul(a, b, c, tm: ct.Constant[int], tn: ct.Constant[int], tk: ct.Constant[int]):
    """Every block computes each ``num_blocks``-th tile of the product."""
    tiles_m, tiles_n = ct.cdiv(c.shape[0], tm), ct.cdiv(c.shape[1], tn)
    for index in range(ct.bid(0), tiles_m * tiles_n, ct.num_blocks(0)):
        i, j = grouped(index, tiles_m, tiles_n, 2)
        ct.store(c, (i, j), product_tile(a, b, i, j, tm, tn, tk).astype(c.dtype))


def run(launch: Launch) -> Iterator[Result]:
    random = np.random.default_rng(4)
    m, n, k, tile = 72, 50, 90, (32, 16, 32)
    tiles = ct.cdiv(m, tile[0]) * ct.cdiv(n, tile[1])
    for dtype, tolerance in ((np.float32, 1e-5), (np.float16, 2e-3), (ml_dtypes.bfloat16, 2e-2)):
        a, b = random.standard_normal((m, k)).astype(dtype), random.standard_normal((k, n)).astype(dtype)
        expected = a.astype(np.float64) @ b.astype(np.float64)
        for kernel, grid, name in ((matmul, tiles, "matmul"), (persistent_matmul, 3, "matmul persistent")):
            c = np.zeros((m, n), dtype)
            launch((grid,), kernel, (a, b, c, *tile))
            yield compare(f"{name} {c.dtype}", f"{m}x{k} @ {k}x{n}", c, expected, tolerance)


if __name__ == "__main__":
    raise SystemExit(main(run))
