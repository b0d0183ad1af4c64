"""Small kernels of cuTile for the debugger: a call, a branch, loops, a breakpoint."""

from __future__ import annotations

import cuda.tile as ct


def scaled(tile, factor):
    product = tile * factor
    return product


@ct.kernel
def steps(x, out, n: ct.Constant[int]):
    block = ct.bid(0)
    values = ct.load(x, (block,), shape=(n,))
    total = ct.full((n,), 0, ct.float32)
    last = total
    for j in range(3):  # noqa: B007
        part = scaled(values + total, 2)
        if ct.sum(part) > 100:
            part = part + 1
            kind = 1
        else:
            kind = 2
        total = total + part + kind
        last = total * 1
    ct.store(out, (block,), last)


@ct.kernel
def waits(x):
    value = ct.load(x, (0,), shape=(4,))
    if ct.bid(0) == 1:
        breakpoint()
    ct.store(x, (0,), value)


@ct.kernel
def partly(x, out):
    values = ct.load(x, (0,), shape=(8,))
    doubled = values * 2
    ct.store(out, (0,), doubled)


@ct.kernel
def shifts(x):
    block = ct.bid(0)
    values = ct.load(x, (block,), shape=(4,))
    ct.store(x, (block + 1,), values)


@ct.kernel
def counts(x, out):
    count = 0
    value = ct.sum(ct.load(x, (0,), shape=(4,)))
    while value > 1.0:
        value = value / 2
        count = count + 1
    ct.store(out, (0,), ct.full((4,), count, ct.int32))


@ct.kernel
def aliases(x, out):
    first = ct.full((4,), 0, ct.float32)
    second = first
    for j in range(2):
        first = ct.load(x, (j,), shape=(4,))
        second = second + first
    ct.store(out, (0,), second)
