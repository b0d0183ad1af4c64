"""Kernels for GPUs whose code is looked at: cuTile kernels at the tile sizes that are usual there, as bytecode."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import cuda.tile as ct
import ml_dtypes
import numpy as np

from benchmarks import cpu_kernels
from tilewright import cutile

EXTENT = 4096
"""Rows, columns and depth of matrices, and the length of rows."""
HEADS = 8
HALF, FLOAT, INTEGER, BYTE = (np.dtype(type) for type in (np.float16, np.float32, np.int32, np.int8))
BRAIN, TINY = np.dtype(ml_dtypes.bfloat16), np.dtype(ml_dtypes.float8_e4m3fn)


@ct.kernel
def product_of_bytes(a, b, c, tm: ct.Constant[int], tn: ct.Constant[int], tk: ct.Constant[int]):
    i, j = ct.bid(1), ct.bid(0)
    total = ct.full((tm, tn), 0, ct.int32)
    for k in range(ct.num_tiles(a, axis=1, shape=(tm, tk))):
        left, right = ct.load(a, (i, k), shape=(tm, tk)), ct.load(b, (k, j), shape=(tk, tn))
        total = ct.mma(left, right, total)
    ct.store(c, (i, j), total)


@ct.kernel
def running_sum(x, out, block: ct.Constant[int]):
    i = ct.bid(0)
    ct.store(out, i, ct.cumsum(ct.load(x, i, shape=(block,)), axis=0))


@ct.kernel
def histogram(x, counts, block: ct.Constant[int]):
    ct.atomic_add(counts, ct.load(x, ct.bid(0), shape=(block,)), 1)


def _empty(shape: tuple[int, ...], dtype: np.dtype[Any]) -> Any:
    return np.empty(shape, dtype)


def _product(dtype: np.dtype[Any], *tile: int) -> bytes:
    size = EXTENT, EXTENT
    if dtype == BYTE:
        arrays = _empty(size, BYTE), _empty(size, BYTE), _empty(size, INTEGER)
        return cutile.compile_to_bytecode(product_of_bytes, (*arrays, *tile)).bytecode
    result = FLOAT if dtype == TINY else dtype
    arrays = _empty(size, dtype), _empty(size, dtype), _empty(size, result)
    return cutile.compile_to_bytecode(cpu_kernels.matmul, (*arrays, *tile, 1)).bytecode


def _attention(dimension: int, *tile: int) -> bytes:
    rows, columns = (
        _empty(shape, HALF) for shape in ((HEADS, EXTENT, dimension), (HEADS, dimension, EXTENT))
    )
    arguments = rows, columns, rows, rows.copy(), 1.0, dimension, *tile
    return cutile.compile_to_bytecode(cpu_kernels.attention, arguments).bytecode


def _rows(kernel: Any, vectors: int) -> bytes:
    matrix, vector = _empty((EXTENT, EXTENT), HALF), _empty((EXTENT,), HALF)
    arguments = matrix, *[vector] * vectors, matrix.copy(), 1, EXTENT, 1
    return cutile.compile_to_bytecode(kernel, arguments).bytecode


def _vectors(kernel: Any, dtype: np.dtype[Any], count: int, *constants: int) -> bytes:
    arrays = [_empty((1 << 16,), dtype) for _ in range(count)]
    return cutile.compile_to_bytecode(kernel, (*arrays, *constants)).bytecode


CASES: Mapping[str, Callable[[], bytes]] = {
    "matmul f16 128x128x64": partial(_product, HALF, 128, 128, 64),
    "matmul f16 128x256x64": partial(_product, HALF, 128, 256, 64),
    "matmul bf16 128x128x64": partial(_product, BRAIN, 128, 128, 64),
    "matmul fp8 128x128x64": partial(_product, TINY, 128, 128, 64),
    "matmul i8 128x128x64": partial(_product, BYTE, 128, 128, 64),
    "matmul f32 64x64x32": partial(_product, FLOAT, 64, 64, 32),
    "attention f16 causal d64 128x128": partial(_attention, 64, 128, 128),
    "attention f16 causal d128 128x64": partial(_attention, 128, 128, 64),
    "softmax f16 4096": partial(_rows, cpu_kernels.softmax, 0),
    "layer norm f16 4096": partial(_rows, cpu_kernels.layernorm, 2),
    "cumulative sum f32 2048": partial(_vectors, running_sum, FLOAT, 2, 2048),
    "histogram i32 1024": partial(_vectors, histogram, INTEGER, 2, 1024),
    "vector add f32 4096": partial(_vectors, cpu_kernels.add, FLOAT, 3, 4096, 1),
}
"""What makes the bytecode of a kernel, by its name."""

CHIPS: Mapping[str, str] = {"sm_80": "sm_80", "sm_90a": "sm_90", "sm_100a": "sm_100", "sm_120a": "sm_120"}
"""The chips, each with the name by which NVIDIA's compiler knows it."""
