"""Transposition: in registers, and by reading the source in the other order."""

from __future__ import annotations

from collections.abc import Iterator

import cuda.tile as ct
import numpy as np

from checking import Launch, Result, compare, main


@ct.kernel
def transpose_tile(x, out, tm: ct.Constant[int], tn: ct.Constant[int]):
    i, j = ct.bid(0), ct.bid(1)
    ct.store(out, (j, i), ct.transpose(ct.load(x, (i, j), shape=(tm, tn))))


@ct.kernel
def transpose_order(x, out, tm: ct.Constant[int], tn: ct.Constant[int]):
    i, j = ct.bid(0), ct.bid(1)
    ct.store(out, (j, i), ct.load(x, (j, i), shape=(tn, tm), order="F"))


@ct.kernel
def reverse_axes(x, out, tile: ct.Constant[int]):
    i, j, k = ct.bid(0), ct.bid(1), ct.bid(2)
    ct.store(out, (k, j, i), ct.permute(ct.load(x, (i, j, k), shape=(tile, tile, tile)), (2, 1, 0)))


def run(launch: Launch) -> Iterator[Result]:
    m, n, tm, tn = 40, 70, 16, 32
    x = np.arange(m * n, dtype=np.int32).reshape(m, n)
    for kernel, name in ((transpose_tile, "transpose tile"), (transpose_order, "transpose order")):
        out = np.zeros((n, m), np.int32)
        launch((ct.cdiv(m, tm), ct.cdiv(n, tn)), kernel, (x, out, tm, tn))
        yield compare(name, f"{m}x{n}", out, x.T, 0.0)

    y = np.arange(10 * 12 * 9, dtype=np.float64).reshape(10, 12, 9)
    reversed_y = np.zeros(y.shape[::-1])
    launch(tuple(ct.cdiv(extent, 8) for extent in y.shape), reverse_axes, (y, reversed_y, 8))
    yield compare("transpose 3-D", "10x12x9", reversed_y, y.T, 0.0)


if __name__ == "__main__":
    raise SystemExit(main(run))
