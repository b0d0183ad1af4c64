"""Planes that lie side by side in memory, taken apart as cuTile's FFT sample does."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tilewright import cutile

ct: Any = pytest.importorskip("cuda.tile")


@ct.kernel
def add_planes(x, out, n: ct.Constant[int], d: ct.Constant[int]):
    both = ct.reshape(ct.load(x, index=(ct.bid(0), 0, 0), shape=(1, n * 2 // d, d)), (1, n, 2))
    first = ct.reshape(ct.extract(both, index=(0, 0, 0), shape=(1, n, 1)), (1, n // 2, 2))
    second = ct.reshape(ct.extract(both, index=(0, 0, 1), shape=(1, n, 1)), (1, n // 2, 2))
    ct.store(out, index=(ct.bid(0), 0, 0), tile=first + second)


@pytest.mark.parametrize(("n", "d"), [(4, 2), (8, 1), (8, 2), (8, 4), (32, 16)])
def test_planes_are_added(n: int, d: int) -> None:
    """With rows of two elements each plane has one lane to a vector, two elements from the next."""
    x = np.arange(4 * n, dtype=np.float32).reshape(2, n * 2 // d, d)
    out = np.zeros((2, n // 2, 2), np.float32)
    cutile.launch((2,), add_planes, (x, out, n, d))
    assert out.reshape(2, n).tolist() == x.reshape(2, n, 2).sum(-1).tolist()
