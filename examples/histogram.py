"""A histogram with atomic additions; blocks and elements of one tile may hit the same bin."""

from __future__ import annotations

from collections.abc import Iterator

import cuda.tile as ct
import numpy as np

from checking import Launch, Result, compare, main


@ct.kernel
def histogram(x, counts, extremes, low: float, width: float, block: ct.Constant[int]):
    """counts[b] gets the elements in [low + b * width, low + (b + 1) * width), the rest is not counted.

    ``extremes`` collects the smallest and the largest bin number met.
    """
    at = ct.bid(0) * block + ct.arange(block, dtype=ct.int32)
    values = ct.gather(x, at, padding_value=float("nan"))
    bins = ct.floor((values - low) / width)
    # A comparison with a NaN is false: padding and NaNs go to bin -1, which the bounds check drops.
    inside = (bins >= 0) & (bins < counts.shape[0])
    numbers = ct.where(inside, bins, -1.0).astype(ct.int32)
    ct.atomic_add(counts, numbers, 1)
    ct.atomic_min(extremes, 0, ct.min(ct.where(inside, numbers, counts.shape[0])))
    ct.atomic_max(extremes, 1, ct.max(numbers))


def run(launch: Launch) -> Iterator[Result]:
    random = np.random.default_rng(8)
    size, bins, low, high, block = 1000, 24, -3.0, 3.0, 128
    x = random.standard_normal(size).astype(np.float32)
    x[::97] = np.nan
    counts, extremes = np.zeros(bins, np.int32), np.array([bins, -1], np.int32)
    launch((ct.cdiv(size, block),), histogram, (x, counts, extremes, low, (high - low) / bins, block))

    expected, _ = np.histogram(x[np.isfinite(x)], bins, (low, high))
    hit = np.flatnonzero(expected)
    yield compare("histogram", f"{size} in {bins} bins", counts, expected, 0.0)
    yield compare("histogram extremes", "2", extremes, [hit[0], hit[-1]], 0.0)


if __name__ == "__main__":
    raise SystemExit(main(run))
