"""Digests of results of the interpreter's numerics, over dense samples: they are the same on every host.

``python -m tests.doubles.digests`` prints them, so that processes with other features of the processor, other
libraries and other releases of Python can be asked.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from hashlib import sha256
from importlib import import_module
from typing import Any

import numpy as np

from tilewright.interp.numerics import arithmetic
from tilewright.interp.numerics.element import FORMATS, ElementFormat, NumpyArray, from_bits, to_bits
from tilewright.interp.numerics.matmul import MMAF_ACCUMULATORS, mmaf
from tools.processors import CLASSES

UNARY = ("exp", "exp2", "log", "log2", "sin", "cos", "tan", "sinh", "cosh", "tanh", "rsqrt")
BINARY = ("atan2", "pow")
NAMES = (*UNARY, *BINARY)
OTHER_HOST = CLASSES["x86-64-v2"].environment
"""Variables with which NumPy, the C library and OpenBLAS take this processor for one of 2009."""
COUNT = 8_000


def codes(format: ElementFormat, count: int, seed: int) -> NumpyArray:
    """Numbers of all magnitudes, with special ones: the codes are spread evenly over the format's."""
    random = np.random.default_rng([format.bits, seed])
    return from_bits(random.integers(0, 1 << format.bits, count, np.uint64).astype(format.bits_dtype), format)


def moderate(format: ElementFormat, count: int, seed: int) -> NumpyArray:
    """Numbers from -32 to 32, made of integers."""
    whole = np.random.default_rng([7, seed]).integers(-(2**30), 2**30, count)
    return (whole.astype(np.float64) * 2.0**-25).astype(format.array_dtype)


def results(name: str, format: ElementFormat) -> Iterator[NumpyArray]:
    """What a function gives for each sample."""
    function: Any = getattr(arithmetic, name)
    for sample in (codes, moderate):
        yield function(*[sample(format, COUNT, seed) for seed in range(1 if name in UNARY else 2)])


def products() -> Iterator[tuple[str, NumpyArray]]:
    """Products of matrices for each pair of formats, with numbers of like and of unlike magnitudes."""
    for operand, accumulators in MMAF_ACCUMULATORS.items():
        source, target = FORMATS[operand], FORMATS[accumulators[-1]]
        for sample in (codes, moderate):
            lhs, rhs = (sample(source, 32 * 40, seed + 1).reshape(32, 40) for seed in range(2))
            acc = moderate(target, 32 * 32, 3).reshape(32, 32)
            yield operand, to_bits(mmaf(lhs, rhs.T, acc, source, target), target)


def digests() -> dict[str, str]:
    """A digest for each function and for products."""
    found: dict[str, str] = {}
    for name in NAMES:
        found[name] = _digest(
            to_bits(tile, FORMATS[format])
            for format in ("f16", "bf16", "f32", "f64")
            for tile in results(name, FORMATS[format])
        )
    return found | {"products": _digest(tile for _, tile in products())}


def _digest(tiles: Iterator[NumpyArray]) -> str:
    state = sha256()
    for tile in tiles:
        state.update(np.ascontiguousarray(tile).astype(tile.dtype.newbyteorder("<")).tobytes())
    return state.hexdigest()[:16]


def numpy_features() -> set[str]:
    """The names of the features of this processor that NumPy uses."""
    module: Any = import_module("numpy._core._multiarray_umath")
    found: dict[str, bool] = module.__cpu_features__
    return {name for name, has in found.items() if has}


if __name__ == "__main__":
    json.dump(digests(), sys.stdout, indent=1)
