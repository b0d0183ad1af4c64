"""Kernels of the tests of programs that use PyTorch."""

from __future__ import annotations

import cuda.tile as ct


@ct.kernel
def add_one(x):
    ct.store(x, 0, ct.load(x, 0, (4,)) + 1)


@ct.kernel
def copy_all(sources, targets, count: ct.Constant[int]):
    for i in range(len(sources)):
        ct.store(targets[i], 0, ct.load(sources[i], 0, (count,)))


@ct.kernel
def everyone_writes(x):
    ct.store(x, 0, ct.full((1,), ct.bid(0), ct.float32))  # a race
