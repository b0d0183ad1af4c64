"""Right kernels for arrays with dimensions of one element, whose strides the frontend makes promises about."""

from __future__ import annotations

import cuda.tile as ct

ZERO = ct.PaddingMode.ZERO


@ct.kernel
def rows(x, out):
    tile = ct.load(x, (ct.bid(0), 0), shape=(1, 4), padding_mode=ZERO)
    ct.store(out, (ct.bid(0), 0), tile * 2)


@ct.kernel
def gathered(x, out):
    at = ct.arange(4, dtype=ct.int32)
    tile = ct.gather(x, (at[:, None], at[None, :]))
    ct.scatter(out, (at[:, None], at[None, :]), tile + 1)


@ct.kernel
def line(x, out):
    ct.store(out, 0, ct.load(x, 0, shape=(4,), padding_mode=ZERO) + 1)
