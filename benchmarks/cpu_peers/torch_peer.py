"""PyTorch, operation by operation; results go where they went before, if the operation can do that."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import torch
import torch.nn.functional as F

from benchmarks.cpu_cases import EPSILON, Array, Made
from benchmarks.cpu_peers.peer import Call, Peer

Tensors = tuple[Any, ...]


class Torch(Peer):
    """PyTorch's own kernels, oneDNN and MKL."""

    version = f"PyTorch {torch.__version__}"

    def call(self, made: Made) -> Call | None:
        prepare = _OPERATIONS[made.case.operation]
        call = prepare(tuple(map(tensor, made.inputs)), tensor(made.out()))
        return _without_gradients(call)

    def array(self, value: Any) -> Array:
        return numpy_array(value)


def make() -> Peer:
    """The peer."""
    torch.set_grad_enabled(False)
    return Torch()


def _without_gradients(call: Call) -> Call:
    torch.set_grad_enabled(False)
    return call


def tensor(array: Array) -> Any:
    """A tensor on the memory of an array."""
    if array.dtype == ml_dtypes.bfloat16:
        return torch.from_numpy(array.view(np.uint16)).view(torch.bfloat16)
    return torch.from_numpy(array)


def numpy_array(value: Any) -> Array:
    """An array on the memory of a tensor."""
    if value.dtype == torch.bfloat16:
        return value.view(torch.uint16).numpy().view(ml_dtypes.bfloat16)
    return value.numpy()


def _matmul(inputs: Tensors, out: Any) -> Call:
    a, b = inputs
    return lambda: torch.matmul(a, b, out=out)


def _softmax(inputs: Tensors, out: Any) -> Call:
    (x,) = inputs
    return lambda: torch.softmax(x, dim=-1, out=out)


def _layernorm(inputs: Tensors, out: Any) -> Call:
    x, weight, bias = inputs
    return lambda: F.layer_norm(x, x.shape[-1:], weight, bias, EPSILON)


def _rmsnorm(inputs: Tensors, out: Any) -> Call:
    x, weight = inputs
    return lambda: F.rms_norm(x, x.shape[-1:], weight, EPSILON)


def _gelu(inputs: Tensors, out: Any) -> Call:
    (x,) = inputs
    return lambda: F.gelu(x, approximate="tanh")


def _attention(inputs: Tensors, out: Any) -> Call:
    q, k, v = (x[None] for x in inputs)
    return lambda: F.scaled_dot_product_attention(q, k, v, is_causal=True)[0]


def _add(inputs: Tensors, out: Any) -> Call:
    a, b = inputs
    return lambda: torch.add(a, b, out=out)


def _transpose(inputs: Tensors, out: Any) -> Call:
    turned = inputs[0].T
    return lambda: out.copy_(turned)


def _cumsum(inputs: Tensors, out: Any) -> Call:
    (x,) = inputs
    return lambda: torch.cumsum(x, dim=-1, out=out)


def _rowsum(inputs: Tensors, out: Any) -> Call:
    (x,) = inputs
    return lambda: torch.sum(x, dim=-1, out=out)


def _gather(inputs: Tensors, out: Any) -> Call:
    table, indices = inputs
    return lambda: torch.index_select(table, 0, indices, out=out)


def _fft(inputs: Tensors, out: Any) -> Call:
    (x,) = inputs
    return lambda: torch.fft.fft(x, out=out)


_OPERATIONS: dict[str, Callable[[Tensors, Any], Call]] = {
    "matmul": _matmul,
    "softmax": _softmax,
    "layernorm": _layernorm,
    "rmsnorm": _rmsnorm,
    "gelu": _gelu,
    "attention": _attention,
    "add": _add,
    "transpose": _transpose,
    "cumsum": _cumsum,
    "rowsum": _rowsum,
    "gather": _gather,
    "fft": _fft,
}
