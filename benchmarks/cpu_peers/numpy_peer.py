"""NumPy, with results in memory that is there already."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from benchmarks.cpu_cases import EPSILON, Array, Made
from benchmarks.cpu_peers.peer import GELU_CUBE, GELU_SCALE, Call, Peer


class Numpy(Peer):
    """NumPy and its OpenBLAS."""

    version = f"NumPy {np.__version__}"

    def call(self, made: Made) -> Call | None:
        operation = made.case.operation
        if operation not in _OPERATIONS or made.case.dtype in ("bf16", "f16"):
            return None
        return _OPERATIONS[operation](made.inputs, made.out())


def make() -> Peer:
    """The peer."""
    return Numpy()


def _matmul(inputs: tuple[Array, ...], out: Array) -> Call:
    a, b = inputs
    return lambda: np.matmul(a, b, out=out)


def _softmax(inputs: tuple[Array, ...], out: Array) -> Call:
    (x,) = inputs

    def call() -> Array:
        np.subtract(x, x.max(axis=-1, keepdims=True), out=out)
        np.exp(out, out=out)
        return np.divide(out, out.sum(axis=-1, keepdims=True), out=out)

    return call


def _layernorm(inputs: tuple[Array, ...], out: Array) -> Call:
    x, weight, bias = inputs

    def call() -> Array:
        np.subtract(x, x.mean(axis=-1, keepdims=True), out=out)
        variance = np.einsum("ij,ij->i", out, out)[:, None] / x.shape[1]
        np.multiply(out, 1 / np.sqrt(variance + np.float32(EPSILON)), out=out)
        np.multiply(out, weight, out=out)
        return np.add(out, bias, out=out)

    return call


def _rmsnorm(inputs: tuple[Array, ...], out: Array) -> Call:
    x, weight = inputs

    def call() -> Array:
        square = np.einsum("ij,ij->i", x, x)[:, None] / x.shape[1]
        np.multiply(x, 1 / np.sqrt(square + np.float32(EPSILON)), out=out)
        return np.multiply(out, weight, out=out)

    return call


def _gelu(inputs: tuple[Array, ...], out: Array) -> Call:
    (x,) = inputs
    cube, scale, half, one = map(np.float32, (GELU_CUBE, GELU_SCALE, 0.5, 1.0))

    def call() -> Array:
        np.multiply(x, x, out=out)
        np.multiply(out, cube, out=out)
        np.add(out, one, out=out)
        np.multiply(out, x, out=out)
        np.multiply(out, scale, out=out)
        np.tanh(out, out=out)
        np.add(out, one, out=out)
        np.multiply(out, x, out=out)
        return np.multiply(out, half, out=out)

    return call


def _add(inputs: tuple[Array, ...], out: Array) -> Call:
    a, b = inputs
    return lambda: np.add(a, b, out=out)


def _transpose(inputs: tuple[Array, ...], out: Array) -> Call:
    turned = inputs[0].T

    def call() -> Array:
        np.copyto(out, turned)
        return out

    return call


def _cumsum(inputs: tuple[Array, ...], out: Array) -> Call:
    (x,) = inputs
    return lambda: np.cumsum(x, axis=-1, out=out)


def _rowsum(inputs: tuple[Array, ...], out: Array) -> Call:
    (x,) = inputs
    return lambda: np.sum(x, axis=-1, out=out)


def _gather(inputs: tuple[Array, ...], out: Array) -> Call:
    table, indices = inputs
    return lambda: np.take(table, indices, axis=0, out=out, mode="clip")


def _fft(inputs: tuple[Array, ...], out: Array) -> Call:
    (x,) = inputs
    return lambda: np.fft.fft(x, out=out)


_OPERATIONS: dict[str, Callable[[tuple[Array, ...], Array], Call]] = {
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
    "fft": _fft,
}
