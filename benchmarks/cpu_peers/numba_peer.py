"""Numba: loops with ``fastmath`` as its users write them, parallel when there are more threads than one."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numba
import numpy as np

from benchmarks.cpu_cases import EPSILON, Array, Made
from benchmarks.cpu_peers.peer import GELU_CUBE, GELU_SCALE, Call, Peer

prange = numba.prange


class Numba(Peer):
    """Numba."""

    version = f"Numba {numba.__version__}"

    def call(self, made: Made) -> Call | None:
        loops = _OPERATIONS.get(made.case.operation)
        if loops is None or made.case.dtype != "f32" or len(made.shape) > 3:
            return None
        if made.case.operation == "matmul" and made.shape[0] > 512:
            return None  # three plain loops
        parallel = numba.get_num_threads() > 1
        compiled: Any = numba.njit(loops, fastmath=True, parallel=parallel, error_model="numpy")
        arguments = (*made.inputs, made.out())

        def call() -> Array:
            compiled(*arguments)
            return arguments[-1]

        return call


def make() -> Peer:
    """The peer."""
    return Numba()


def _matmul(a: Any, b: Any, out: Any) -> None:
    for i in prange(a.shape[0]):
        for j in range(b.shape[1]):
            out[i, j] = 0
        for k in range(a.shape[1]):
            left = a[i, k]
            for j in range(b.shape[1]):
                out[i, j] += left * b[k, j]


def _softmax(x: Any, out: Any) -> None:
    for i in prange(x.shape[0]):
        largest = x[i, 0]
        for j in range(x.shape[1]):
            largest = max(largest, x[i, j])
        total = np.float32(0)
        for j in range(x.shape[1]):
            out[i, j] = math.exp(x[i, j] - largest)
            total += out[i, j]
        factor = np.float32(1) / total
        for j in range(x.shape[1]):
            out[i, j] *= factor


def _layernorm(x: Any, weight: Any, bias: Any, out: Any) -> None:
    count = x.shape[1]
    for i in prange(x.shape[0]):
        total, square = np.float32(0), np.float32(0)
        for j in range(count):
            total += x[i, j]
            square += x[i, j] * x[i, j]
        mean = total / np.float32(count)
        variance = square / np.float32(count) - mean * mean
        scale = np.float32(1) / math.sqrt(variance + np.float32(EPSILON))
        for j in range(count):
            out[i, j] = (x[i, j] - mean) * scale * weight[j] + bias[j]


def _rmsnorm(x: Any, weight: Any, out: Any) -> None:
    count = x.shape[1]
    for i in prange(x.shape[0]):
        square = np.float32(0)
        for j in range(count):
            square += x[i, j] * x[i, j]
        scale = np.float32(1) / math.sqrt(square / np.float32(count) + np.float32(EPSILON))
        for j in range(count):
            out[i, j] = x[i, j] * scale * weight[j]


def _gelu(x: Any, out: Any) -> None:
    scale, cube = np.float32(GELU_SCALE), np.float32(GELU_CUBE)
    half, one = np.float32(0.5), np.float32(1)
    for i in prange(x.shape[0]):
        v = x[i]
        out[i] = half * v * (one + math.tanh(scale * (v + cube * v * v * v)))


def _add(a: Any, b: Any, out: Any) -> None:
    for i in prange(a.shape[0]):
        out[i] = a[i] + b[i]


def _transpose(x: Any, out: Any) -> None:
    for block in prange(x.shape[1] // 16):
        for first in range(0, x.shape[0], 16):
            for j in range(block * 16, block * 16 + 16):
                for i in range(first, first + 16):
                    out[j, i] = x[i, j]


def _cumsum(x: Any, out: Any) -> None:
    for i in prange(x.shape[0]):
        total = np.float32(0)
        for j in range(x.shape[1]):
            total += x[i, j]
            out[i, j] = total


def _rowsum(x: Any, out: Any) -> None:
    for i in prange(x.shape[0]):
        total = np.float32(0)
        for j in range(x.shape[1]):
            total += x[i, j]
        out[i] = total


def _gather(table: Any, indices: Any, out: Any) -> None:
    for i in prange(indices.shape[0]):
        row = indices[i]
        for j in range(table.shape[1]):
            out[i, j] = table[row, j]


_OPERATIONS: dict[str, Callable[..., None]] = {
    "matmul": _matmul,
    "softmax": _softmax,
    "layernorm": _layernorm,
    "rmsnorm": _rmsnorm,
    "gelu": _gelu,
    "add": _add,
    "transpose": _transpose,
    "cumsum": _cumsum,
    "rowsum": _rowsum,
    "gather": _gather,
}
