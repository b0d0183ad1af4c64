"""A suite of Triton kernels: `pytest --tilewright` runs it without a GPU."""

import numpy as np
import pytest
import triton
import triton.language as tl


@triton.jit
def shift(x, out, n, by, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    tl.store(out + offsets, tl.load(x + offsets, mask) + by, mask)


@triton.jit
def total(x, out, BLOCK: tl.constexpr):
    tl.store(out, tl.sum(tl.load(x + tl.arange(0, BLOCK))))


def test_shift():
    x, out = np.arange(1000, dtype=np.float32), np.zeros(1000, np.float32)
    shift[(4,)](x, out, 1000, 5, BLOCK=256)
    assert (out == x + 5).all()


@pytest.mark.tilewright_finds("TW0402")
def test_that_a_load_past_the_end_is_found():
    total[(1,)](np.ones(5, np.float32), np.zeros(1, np.float32), BLOCK=8)
