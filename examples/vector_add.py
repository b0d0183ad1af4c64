"""Vector addition: whole tiles, and element by element with a mask-free gather and scatter."""

from __future__ import annotations

from collections.abc import Iterator

import cuda.tile as ct
import numpy as np

from checking import Launch, Result, compare, main


@ct.kernel
def add_tiles(x, y, out, block: ct.Constant[int]):
    i = ct.bid(0)
    a = ct.load(x, i, shape=(block,))
    b = ct.load(y, i, shape=(block,))
    ct.store(out, i, a + b)


@ct.kernel
def add_elements(x, y, out, step: int, block: ct.Constant[int]):
    """out[step * k] = x[step * k] + y[step * k]; out-of-range elements are skipped by the bounds checks."""
    k = ct.bid(0) * block + ct.arange(block, dtype=ct.int32)
    at = k * step
    total = ct.gather(x, at) + ct.gather(y, at)
    ct.scatter(out, at, total)


def run(launch: Launch) -> Iterator[Result]:
    random = np.random.default_rng(1)
    size, block = 1000, 256
    x, y = (random.standard_normal(size).astype(np.float32) for _ in range(2))

    out = np.zeros_like(x)
    launch((ct.cdiv(size, block),), add_tiles, (x, y, out, block))
    yield compare("vector_add tiles", f"{size}", out, x + y, 0.0)

    out, step = np.zeros_like(x), 3
    launch((ct.cdiv(size, block * step),), add_elements, (x, y, out, step, block))
    expected = np.zeros_like(x)
    expected[::step] = (x + y)[::step]
    yield compare("vector_add gather/scatter", f"{size} step {step}", out, expected, 0.0)


if __name__ == "__main__":
    raise SystemExit(main(run))
