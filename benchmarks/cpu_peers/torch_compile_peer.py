"""PyTorch through ``torch.compile``: the operations that it makes kernels of its own for."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import torch
import torch.nn.functional as F

from benchmarks.cpu_cases import EPSILON, Array, Made
from benchmarks.cpu_peers.peer import GELU_CUBE, GELU_SCALE, Call, Peer
from benchmarks.cpu_peers.torch_peer import numpy_array, tensor

os.environ.setdefault("TORCHINDUCTOR_FORCE_DISABLE_CACHES", "1")


class TorchCompile(Peer):
    """Inductor and the C++ compiler that it calls."""

    version = f"PyTorch {torch.__version__} (torch.compile)"

    def call(self, made: Made) -> Call | None:
        function = _OPERATIONS.get(made.case.operation)
        if function is None:
            return None
        torch.set_grad_enabled(False)
        torch.compiler.reset()
        inputs = tuple(map(tensor, made.inputs))
        compiled: Callable[..., Any] = torch.compile(function)
        return lambda: compiled(*inputs)

    def array(self, value: Any) -> Array:
        return numpy_array(value)


def make() -> Peer:
    """The peer."""
    return TorchCompile()


def _softmax(x: Any) -> Any:
    return torch.softmax(x, dim=-1)


def _layernorm(x: Any, weight: Any, bias: Any) -> Any:
    return F.layer_norm(x, x.shape[-1:], weight, bias, EPSILON)


def _rmsnorm(x: Any, weight: Any) -> Any:
    return x * torch.rsqrt((x * x).mean(dim=-1, keepdim=True) + EPSILON) * weight


def _gelu(x: Any) -> Any:
    return 0.5 * x * (1 + torch.tanh(GELU_SCALE * (x + GELU_CUBE * x * x * x)))


def _add(a: Any, b: Any) -> Any:
    return a + b


def _transpose(x: Any) -> Any:
    return x.T.contiguous()


def _cumsum(x: Any) -> Any:
    return torch.cumsum(x, dim=-1)


def _rowsum(x: Any) -> Any:
    return torch.sum(x, dim=-1)


_OPERATIONS: dict[str, Callable[..., Any]] = {
    "softmax": _softmax,
    "layernorm": _layernorm,
    "rmsnorm": _rmsnorm,
    "gelu": _gelu,
    "add": _add,
    "transpose": _transpose,
    "cumsum": _cumsum,
    "rowsum": _rowsum,
}
