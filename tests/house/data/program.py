"""A program written for a GPU: what it asks for is answered here, or refused."""

import cuda.tile as ct
import cupy as cp


@ct.kernel
def double(x):
    ct.store(x, 0, ct.load(x, 0, (4,)) * 2)


@ct.kernel
def misspelt(x):
    tile = ct.load(x, 0, (4,))  # noqa: F841
    ct.store(x, 0, tiel)  # noqa: F821 (a mistake that the frontend reports)


x = cp.arange(4, dtype=cp.float32)
with cp.cuda.Device(0), cp.cuda.Stream() as stream:
    ct.launch(stream, (1,), double, (x,))
    stream.synchronize()
assert cp.asnumpy(x).tolist() == [0, 2, 4, 6]
try:
    ct.launch(None, (1,), misspelt, (x,))
except ct.TileSyntaxError as error:
    print(error)
try:
    cp.RawKernel("", "")
except RuntimeError as error:
    print(error)
