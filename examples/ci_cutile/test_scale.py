"""A suite of cuTile kernels, written for a GPU: `pytest --tilewright` runs it without one."""

import cuda.tile as ct
import cupy as cp
import pytest


@ct.kernel
def scale(x, out, factor: float):
    block = ct.bid(0)
    ct.store(out, block, ct.load(x, block, shape=(16,)) * factor)


@ct.kernel
def add_up(x, out):
    part = ct.sum(ct.load(x, ct.bid(0), shape=(16,)))
    ct.store(out, 0, ct.load(out, 0, shape=(1,)) + part)


def test_scale():
    x = cp.arange(60, dtype=cp.float32)
    out = cp.zeros_like(x)
    ct.launch(cp.cuda.get_current_stream(), (4,), scale, (x, out, 3.0))
    assert (out == 3 * x).all()


@pytest.mark.tilewright_finds("TW0406")
def test_that_a_sum_without_atomics_is_a_race():
    x, out = cp.ones(128, dtype=cp.float32), cp.zeros(1, dtype=cp.float32)
    ct.launch(cp.cuda.get_current_stream(), (8,), add_up, (x, out))
