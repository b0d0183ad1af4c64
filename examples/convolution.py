"""A depthwise two-dimensional convolution: shifted windows are gathered; outside the image is zero."""

from __future__ import annotations

from collections.abc import Iterator

import cuda.tile as ct
import numpy as np

from checking import Launch, Result, compare, main


@ct.kernel
def convolve(image, filters, out, size: ct.Constant[int], th: ct.Constant[int], tw: ct.Constant[int]):
    """out[c, y, x] = sum_{i, j} image[c, y + i - size // 2, x + j - size // 2] * filters[c, i, j]"""
    channel = ct.bid(0)
    y = ct.bid(1) * th + ct.arange(th, dtype=ct.int32)[:, None]
    x = ct.bid(2) * tw + ct.arange(tw, dtype=ct.int32)[None, :]
    total = ct.full((th, tw), 0, ct.float32)
    for i in ct.static_iter(range(size)):
        for j in ct.static_iter(range(size)):
            window = ct.gather(image, (channel, y + i - size // 2, x + j - size // 2))
            total += window * ct.gather(filters, (channel, i, j))
    ct.scatter(out, (channel, y, x), total)


def reference(image: np.ndarray, filters: np.ndarray) -> np.ndarray:
    size = filters.shape[-1]
    padded = np.pad(image.astype(np.float64), ((0, 0), (size // 2, size // 2), (size // 2, size // 2)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (size, size), axis=(1, 2))
    return np.einsum("cyxij,cij->cyx", windows, filters)


def run(launch: Launch) -> Iterator[Result]:
    random = np.random.default_rng(7)
    channels, height, width, size, th, tw = 2, 20, 30, 3, 16, 16
    image = random.standard_normal((channels, height, width)).astype(np.float32)
    filters = random.standard_normal((channels, size, size)).astype(np.float32)
    out = np.zeros_like(image)
    grid = (channels, ct.cdiv(height, th), ct.cdiv(width, tw))
    launch(grid, convolve, (image, filters, out, size, th, tw))
    shape = f"{channels}x{height}x{width} * {size}x{size}"
    yield compare("convolution", shape, out, reference(image, filters), 1e-5)


if __name__ == "__main__":
    raise SystemExit(main(run))
