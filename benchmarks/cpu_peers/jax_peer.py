"""JAX: every case is one jitted function, whose result is new memory."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from benchmarks.cpu_cases import EPSILON, Array, Made
from benchmarks.cpu_peers.peer import GELU_CUBE, GELU_SCALE, Call, Peer


class Jax(Peer):
    """JAX and XLA's compiler for processors."""

    version = f"JAX {jax.__version__}"

    def call(self, made: Made) -> Call | None:
        inputs = tuple(jax.device_put(x) for x in made.inputs)
        function = _OPERATIONS[made.case.operation]
        # A new function object each time: jit remembers what it has compiled by its function.
        jitted = jax.jit(partial(_called, function))
        return lambda: jitted(*inputs).block_until_ready()

    def array(self, value: Any) -> Array:
        return np.asarray(value)


def make() -> Peer:
    """The peer."""
    jax.config.update("jax_platforms", "cpu")
    return Jax()


def _called(function: Callable[..., Any], *inputs: Any) -> Any:
    return function(*inputs)


def _softmax(x: Any) -> Any:
    return jax.nn.softmax(x, axis=-1)


def _layernorm(x: Any, weight: Any, bias: Any) -> Any:
    centred = x - jnp.mean(x, axis=-1, keepdims=True)
    variance = jnp.mean(centred * centred, axis=-1, keepdims=True)
    return centred * jax.lax.rsqrt(variance + EPSILON) * weight + bias


def _rmsnorm(x: Any, weight: Any) -> Any:
    return x * jax.lax.rsqrt(jnp.mean(x * x, axis=-1, keepdims=True) + EPSILON) * weight


def _gelu(x: Any) -> Any:
    return 0.5 * x * (1 + jnp.tanh(GELU_SCALE * (x + GELU_CUBE * x * x * x)))


def _attention(q: Any, k: Any, v: Any) -> Any:
    scores = jnp.einsum("hqd,hkd->hqk", q, k, preferred_element_type=jnp.float32) / math.sqrt(q.shape[-1])
    seen = jnp.tril(jnp.ones(scores.shape[-2:], bool))
    weights = jax.nn.softmax(jnp.where(seen, scores, -jnp.inf), axis=-1)
    product = jnp.einsum("hqk,hkd->hqd", weights.astype(v.dtype), v, preferred_element_type=jnp.float32)
    return product.astype(q.dtype)


_OPERATIONS: dict[str, Callable[..., Any]] = {
    "matmul": jnp.matmul,
    "softmax": _softmax,
    "layernorm": _layernorm,
    "rmsnorm": _rmsnorm,
    "gelu": _gelu,
    "attention": _attention,
    "add": jnp.add,
    "transpose": jnp.transpose,
    "cumsum": lambda x: jnp.cumsum(x, axis=-1),
    "rowsum": lambda x: jnp.sum(x, axis=-1),
    "gather": lambda table, indices: jnp.take(table, indices, axis=0, mode="clip"),
    "fft": jnp.fft.fft,
}
