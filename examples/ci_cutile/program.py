"""A program for a GPU: `tilewright run` runs it without one."""

import cuda.tile as ct
import cupy as cp


@ct.kernel
def double(x):
    block = ct.bid(0)
    ct.store(x, block, ct.load(x, block, shape=(16,)) * 2)


x = cp.ones(64, dtype=cp.float32)
ct.launch(cp.cuda.get_current_stream(), (4,), double, (x,))
print(float(x.sum()))
