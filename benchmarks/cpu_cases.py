"""The cases of the CPU benchmark: inputs, the expected result, how much work there is at least, and the goals.

Every process makes the same inputs from the same seed, and compares some rows of its result with NumPy's in double
precision before it is timed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

import ml_dtypes
import numpy as np

Array = np.ndarray[Any, Any]
Shape = tuple[int, ...]
Bound = Literal["compute", "memory", "cache", "call"]
DTYPES: dict[str, np.dtype[Any]] = {
    "f32": np.dtype(np.float32),
    "f16": np.dtype(np.float16),
    "bf16": np.dtype(ml_dtypes.bfloat16),
    "c64": np.dtype(np.complex64),
}
ROUNDING = {"f16": 6e-3, "bf16": 5e-2}
"""What rounding of inputs, intermediate and final results may cost: some units in the last place."""
PAGE = 4096
"""Bytes of a page."""
EPSILON = 1e-5
"""Added to variances and mean squares."""


@dataclass(frozen=True)
class Goal:
    """How many times as fast as a peer (``best``: the fastest of all) this project wants to be."""

    peer: str
    factor: float


@dataclass(frozen=True)
class Operation:
    """What the cases of one kind have in common; all functions take the case's shape."""

    inputs: Callable[[Shape, np.dtype[Any], np.random.Generator], tuple[Array, ...]]
    result: Callable[[Shape], Shape]
    expected: Callable[[tuple[Array, ...], Array], Array]
    """Rows of the result, by numbers along its first dimension, in double precision."""
    work: Callable[[Shape, int], float]
    """Operations or bytes that cannot be avoided; the second argument is the size of an element."""
    unit: Literal["GFLOP/s", "GB/s"]
    tolerance: float = 1e-5
    """Largest error in single precision, relative to what is expected, or to its mean size if that is more."""


@dataclass(frozen=True)
class Case:
    """One row of the table."""

    name: str
    operation: str
    dtype: str
    shape: Shape
    small: Shape
    """A shape that an interpreter manages in a moment."""
    bound: Bound
    goal: tuple[Goal, ...] = ()
    stretch: tuple[Goal, ...] = ()
    counts: bool = True
    """Whether the case is part of the geometric mean."""

    @property
    def kind(self) -> Operation:
        """What the case computes."""
        return OPERATIONS[self.operation]

    def made(self, small: bool = False) -> Made:
        """The case with its inputs, in its own or its small shape."""
        shape = self.small if small else self.shape
        dtype = DTYPES[self.dtype]
        inputs = self.kind.inputs(shape, dtype, np.random.default_rng(20))
        return Made(self, shape, dtype, tuple(map(_on_pages, inputs)))


@dataclass(frozen=True)
class Made:
    """A case with inputs."""

    case: Case
    shape: Shape
    dtype: np.dtype[Any]
    inputs: tuple[Array, ...]

    def out(self) -> Array:
        """Memory for the result, touched."""
        found = aligned(self.case.kind.result(self.shape), self.dtype)
        found.fill(0)
        return found

    def error(self, found: Array) -> float:
        """The largest error of some rows, in units of the tolerance: 1 is the limit."""
        rows = _sample(found.shape[0])
        wanted = self.case.kind.expected(self.inputs, rows)
        exact = np.complex128 if self.dtype.kind == "c" else np.float64
        scale = np.maximum(np.mean(np.abs(wanted)), np.abs(wanted))
        worst = np.max(np.abs(found[rows].astype(exact) - wanted) / scale)
        return float(worst) / self.tolerance

    @property
    def tolerance(self) -> float:
        """The largest relative error: the operation's own, and the rounding of the result."""
        return max(self.case.kind.tolerance, ROUNDING.get(self.case.dtype, 0.0))

    @property
    def work(self) -> float:
        """Operations or bytes that cannot be avoided."""
        return self.case.kind.work(self.shape, self.dtype.itemsize)


def aligned(shape: Shape, dtype: np.dtype[Any]) -> Array:
    """An array that begins with a page.

    Where arrays of NumPy begin is left to chance: within a cache line, or so that what is read next and what was just
    written have the same last 12 bits, which costs some processors half their speed.
    """
    size = math.prod(shape) * dtype.itemsize
    memory = np.empty(size + PAGE, np.uint8)
    start = -memory.ctypes.data % PAGE
    return memory[start : start + size].view(dtype).reshape(shape)


def _on_pages(array: Array) -> Array:
    found = aligned(array.shape, array.dtype)
    found[...] = array
    return found


def _sample(count: int) -> Array:
    """Some rows, the first and the last among them."""
    wanted = min(count, 16)
    return np.unique(np.linspace(0, count - 1, wanted).astype(np.int64))


# --- inputs


def _normal(*shapes: Callable[[Shape], Shape]) -> Any:
    def make(shape: Shape, dtype: np.dtype[Any], random: np.random.Generator) -> tuple[Array, ...]:
        return tuple(random.standard_normal(of(shape), np.float32).astype(dtype) for of in shapes)

    return make


def _rows_to_gather(shape: Shape, dtype: np.dtype[Any], random: np.random.Generator) -> tuple[Array, ...]:
    count, width = shape
    table = random.standard_normal((count, width), np.float32).astype(dtype)
    return table, random.integers(0, count, count, dtype=np.int32)


def _complex(shape: Shape, dtype: np.dtype[Any], random: np.random.Generator) -> tuple[Array, ...]:
    parts = random.standard_normal((*shape, 2), np.float32)
    return (parts.view(dtype)[..., 0],)


def same(shape: Shape) -> Shape:
    """The case's shape itself."""
    return shape


def _columns(shape: Shape) -> Shape:
    return shape[1:]


def _left(shape: Shape) -> Shape:
    *batch, m, _, k = shape
    return (*batch, m, k)


def _right(shape: Shape) -> Shape:
    *batch, _, n, k = shape
    return (*batch, k, n)


def _product(shape: Shape) -> Shape:
    return shape[:-1]


# --- expected results, in double precision


def _double(array: Array) -> Array:
    return array.astype(np.float64)


def _matmul(inputs: tuple[Array, ...], rows: Array) -> Array:
    a, b = inputs
    return _double(a[rows]) @ _double(b if b.ndim == 2 else b[rows])


def _softmax(inputs: tuple[Array, ...], rows: Array) -> Array:
    x = _double(inputs[0][rows])
    shifted = np.exp(x - x.max(axis=-1, keepdims=True))
    return shifted / shifted.sum(axis=-1, keepdims=True)


def _layernorm(inputs: tuple[Array, ...], rows: Array) -> Array:
    x, weight, bias = _double(inputs[0][rows]), *map(_double, inputs[1:])
    centred = x - x.mean(axis=-1, keepdims=True)
    return centred / np.sqrt((centred**2).mean(axis=-1, keepdims=True) + EPSILON) * weight + bias


def _rmsnorm(inputs: tuple[Array, ...], rows: Array) -> Array:
    x, weight = _double(inputs[0][rows]), _double(inputs[1])
    return x / np.sqrt((x**2).mean(axis=-1, keepdims=True) + EPSILON) * weight


def _gelu(inputs: tuple[Array, ...], rows: Array) -> Array:
    x = _double(inputs[0][rows])
    return 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))


def _attention(inputs: tuple[Array, ...], rows: Array) -> Array:
    q, k, v = (_double(x[rows]) for x in inputs)
    scores = q @ np.swapaxes(k, -1, -2) / math.sqrt(q.shape[-1])
    scores = np.where(np.tri(*scores.shape[-2:], dtype=bool), scores, -np.inf)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True) @ v


def _add(inputs: tuple[Array, ...], rows: Array) -> Array:
    a, b = inputs
    return _double(a[rows]) + _double(b[rows])


def _transpose(inputs: tuple[Array, ...], rows: Array) -> Array:
    return _double(inputs[0][:, rows].T)


def _cumsum(inputs: tuple[Array, ...], rows: Array) -> Array:
    return np.cumsum(_double(inputs[0][rows]), axis=-1)


def _rowsum(inputs: tuple[Array, ...], rows: Array) -> Array:
    return np.sum(_double(inputs[0][rows]), axis=-1)


def _gather(inputs: tuple[Array, ...], rows: Array) -> Array:
    table, indices = inputs
    return _double(table[indices[rows]])


def _fft(inputs: tuple[Array, ...], rows: Array) -> Array:
    return np.fft.fft(inputs[0][rows].astype(np.complex128))


# --- work


def _traffic(times: float) -> Callable[[Shape, int], float]:
    """Bytes of so many passes over memory of the case's shape."""
    return lambda shape, size: times * math.prod(shape) * size


def _matmul_work(shape: Shape, _: int) -> float:
    return 2.0 * math.prod(shape)


def _attention_work(shape: Shape, _: int) -> float:
    heads, length, width = shape
    return 2.0 * heads * length * length * width  # two products, half of each


def _fft_work(shape: Shape, _: int) -> float:
    return 5.0 * math.prod(shape) * math.log2(shape[1])


OPERATIONS: dict[str, Operation] = {
    "matmul": Operation(_normal(_left, _right), _product, _matmul, _matmul_work, "GFLOP/s", 1e-4),
    "softmax": Operation(_normal(same), same, _softmax, _traffic(2), "GB/s"),
    "layernorm": Operation(_normal(same, _columns, _columns), same, _layernorm, _traffic(2), "GB/s", 3e-5),
    "rmsnorm": Operation(_normal(same, _columns), same, _rmsnorm, _traffic(2), "GB/s", 3e-5),
    "gelu": Operation(_normal(same), same, _gelu, _traffic(2), "GB/s"),
    "attention": Operation(_normal(same, same, same), same, _attention, _attention_work, "GFLOP/s", 1e-4),
    "add": Operation(_normal(same, same), same, _add, _traffic(3), "GB/s", 1e-6),
    "transpose": Operation(_normal(same), lambda s: s[::-1], _transpose, _traffic(2), "GB/s", 1e-7),
    "cumsum": Operation(_normal(same), same, _cumsum, _traffic(2), "GB/s", 1e-4),
    "rowsum": Operation(_normal(same), lambda s: s[:1], _rowsum, _traffic(1), "GB/s", 1e-4),
    "gather": Operation(_rows_to_gather, same, _gather, _traffic(2), "GB/s", 1e-7),
    "fft": Operation(_complex, same, _fft, _fft_work, "GFLOP/s", 1e-4),
}


def _best(factor: float) -> tuple[Goal, ...]:
    return (Goal("best", factor),)


def _versus(**factors: float) -> tuple[Goal, ...]:
    return tuple(Goal(peer, factor) for peer, factor in factors.items())


def _matmul_cases(dtype: str, goal: tuple[Goal, ...], *sizes: int) -> Iterable[Case]:
    for n in sizes:
        name = f"matmul {dtype} {n}"
        yield Case(name, "matmul", dtype, (n, n, n), (128, 128, 128), "compute", goal, _best(1.0))


def _attention_case(dtype: str, goal: float, stretch: float) -> Case:
    shapes = (8, 1024, 64), (2, 128, 64)
    name = f"attention {dtype} 8x1024x64 causal"
    return Case(name, "attention", dtype, *shapes, "compute", _versus(torch=goal), _versus(torch=stretch))


def _row_case(
    operation: str, goal: tuple[Goal, ...], stretch: tuple[Goal, ...], shape: Shape = (4096, 1024)
) -> Case:
    bound: Bound = "memory" if math.prod(shape) > 1 << 20 else "cache"
    name = f"{operation} f32 {'x'.join(map(str, shape))}"
    return Case(name, operation, "f32", shape, (8, shape[1]), bound, goal, stretch)


def _simple(
    name: str, operation: str, shape: Shape, small: Shape, goal: tuple[Goal, ...], stretch: tuple[Goal, ...]
) -> Case:
    return Case(name, operation, "f32", shape, small, "memory", goal, stretch)


def _products() -> Iterable[Case]:
    yield from _matmul_cases("f32", _best(0.9), 512, 1024, 2048)
    yield from _matmul_cases("bf16", _versus(torch=0.85, jax=1.6), 512, 1024, 2048)
    yield from _matmul_cases("f16", _versus(jax=0.9, torch=90), 1024)
    shapes = (16, 256, 256, 256), (2, 128, 128, 128)
    yield Case("bmm f32 16x256", "matmul", "f32", *shapes, "compute", _best(1.0), _best(1.15))
    yield _attention_case("f32", 1.1, 1.5)
    yield _attention_case("bf16", 1.5, 2.5)


def _rows() -> Iterable[Case]:
    yield _row_case("softmax", _best(1.3), _best(2.0))
    yield _row_case("softmax", _versus(torch=1.0), _versus(numba=1.0), (512, 512))
    yield _row_case("layernorm", _versus(torch=1.0), _versus(numba=1.0))
    yield _row_case("layernorm", _versus(torch=1.0), _versus(numba=1.0), (512, 512))
    yield _row_case("rmsnorm", _best(1.2), _best(1.5))


def _streams() -> Iterable[Case]:
    square, little = (4096, 4096), (64, 256)
    yield _simple(
        "gelu f32 4M", "gelu", (1 << 22,), (1 << 14,), _versus(jax=1.2, torch=2.5), _versus(jax=2.0)
    )
    yield _simple("add f32 16M", "add", (1 << 24,), (1 << 16,), _best(1.0), _best(1.25))
    yield Case("add f32 64K", "add", "f32", (1 << 16,), (1 << 14,), "cache", _best(0.85))
    yield _simple("transpose f32 4096", "transpose", square, (128, 64), _best(1.5), _best(3.0))
    wanted = _versus(numba=1.3, torch=4.0)
    yield _simple("cumsum f32 4096x4096", "cumsum", square, (8, 4096), wanted, _versus(numba=2.5))
    yield _simple("row sum f32 4096x4096", "rowsum", square, (8, 4096), _best(0.95), _best(1.0))
    wanted = (*_best(1.0), *_versus(torch=4.0))
    yield _simple("gather f32 64Kx128", "gather", (1 << 16, 128), little, wanted, _best(1.5))
    shapes = (4096, 1024), (4, 1024)
    yield Case("fft c64 4096x1024", "fft", "c64", *shapes, "memory", (), _best(1.0), counts=False)


@cache
def cases() -> tuple[Case, ...]:
    """All cases, in the order of the table."""
    return (*_products(), *_rows(), *_streams())


CALL = Case("call, 16 elements", "add", "f32", (16,), (16,), "call", counts=False)
"""What a call costs: of a kernel that is prepared, or of a library's function."""
BRIDGE = Case("cutile.launch, 16 elements", "add", "f32", (16,), (16,), "call", counts=False)
"""What a call costs that looks at its arguments and finds its kernel; only this project has it."""
COLD = ("gelu f32 4M", "softmax f32 512x512", "layernorm f32 512x512", "attention f32 8x1024x64 causal")
"""Cases whose first call is timed in new processes, in their small shapes."""


def case(name: str) -> Case:
    """The case of that name."""
    return next(found for found in (*cases(), CALL, BRIDGE) if found.name == name)
