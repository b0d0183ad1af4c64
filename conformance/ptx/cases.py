"""Arguments of the kernels, and what their results are: each case answers the largest error."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from tilewright.ptx.checks import read
from tilewright.ptx.model import Module
from tilewright.ptxsim import launch

Case = Callable[[Any, dict[str, Any]], float]
"""Runs a text or a module with what its maker wrote beside it, and returns the largest error."""
CASES: dict[str, Case] = {}


def case(function: Case) -> Case:
    """Registers a case by the name of its function."""
    CASES[function.__name__] = function
    return function


def random(meta: dict[str, Any]) -> np.random.Generator:
    """The same numbers in each run."""
    return np.random.default_rng(len(meta["entry"]))


def run(text: str | Module, meta: dict[str, Any], grid: tuple[int, ...], args: list[Any]) -> None:
    """Launch with the block and the shared memory that the kernel was made for, and empty scratch arrays."""
    module = read(text) if isinstance(text, str) else text
    scratch = [np.zeros(1 << 16, np.uint8) for _ in range(meta.get("scratch", 0))]
    cluster = (meta.get("cluster", 1),)
    launch(
        module,
        meta["entry"],
        grid,
        (meta["threads"],),
        [*args, *scratch],
        shared=meta["shared"],
        cluster=cluster,
        **meta.get("options", {}),
    )


def off(found: Any, expected: Any) -> float:
    """The largest distance; exact results are compared as they are."""
    return float(np.abs(np.asarray(found, np.float64) - np.asarray(expected, np.float64)).max())


# --- programs in Triton


@case
def softmax(text: str, meta: dict[str, Any]) -> float:
    """Rows of 1000 numbers."""
    x = random(meta).standard_normal((3, 1000)).astype(np.float16)
    y = np.zeros_like(x)
    run(text, meta, (3,), [x, y, 1000, 1000])
    powers = np.exp(x.astype(float) - x.astype(float).max(1, keepdims=True))
    return off(y, powers / powers.sum(1, keepdims=True))


@case
def scan(text: str, meta: dict[str, Any]) -> float:
    """One row."""
    x = random(meta).random(1024, np.float32)
    y = np.zeros_like(x)
    run(text, meta, (1,), [x, y])
    return off(y, np.cumsum(x.astype(float)))


@case
def hist(text: str, meta: dict[str, Any]) -> float:
    """Four blocks of 500 numbers."""
    x, h = random(meta).integers(0, 64, 2000, dtype=np.int32), np.zeros(64, np.int32)
    run(text, meta, (4,), [x, h, 2000])
    return off(h, np.bincount(x, minlength=64))


@case
def layernorm(text: str, meta: dict[str, Any]) -> float:
    """Two rows."""
    n, chance = 1000, random(meta)
    x = chance.standard_normal((2, n)).astype(np.float16)
    w, b = chance.random(n).astype(np.float16), chance.random(n).astype(np.float16)
    y = np.zeros_like(x)
    run(text, meta, (2,), [x, w, b, y, n, 1e-5])
    wide = x.astype(float)
    scale = np.sqrt(wide.var(1, keepdims=True) + 1e-5)
    return off(y, (wide - wide.mean(1, keepdims=True)) / scale * w + b)


@case
def mathf(text: str, meta: dict[str, Any]) -> float:
    """Elementary functions of one row."""
    x = random(meta).random(512, np.float32) + np.float32(0.1)
    y = np.zeros_like(x)
    run(text, meta, (1,), [x, y])
    d = x.astype(float)
    erf = np.array([math.erf(one) for one in d])
    return off(y, np.sin(d) + np.log(d) + np.sqrt(d) + erf + 1 / np.sqrt(d) + np.floor(d) + d / (d + 1))


@case
def sortk(text: str, meta: dict[str, Any]) -> float:
    """One row of integers."""
    x = random(meta).integers(-1000, 1000, 256, dtype=np.int32)
    y = np.zeros_like(x)
    run(text, meta, (1,), [x, y])
    return off(y, np.sort(x))


@case
def fp8cvt(text: str, meta: dict[str, Any]) -> float:
    """One row, exactly."""
    import ml_dtypes

    x, y = (random(meta).standard_normal(512) * 20).astype(np.float32), np.zeros(512, np.uint8)
    run(text, meta, (1,), [x, y])
    return off(y, np.clip(x, -448, 448).astype(ml_dtypes.float8_e4m3fn).view(np.uint8))


@case
def matmul(text: str, meta: dict[str, Any]) -> float:
    """Tiles of 64 x 64 (f16) or 32 x 32 (f32, multiplied as tf32)."""
    dtype = np.dtype(meta["dtype"])
    chance, tile_m, tile_n = random(meta), meta["tile"][0], meta["tile"][1]
    m, n, k = 2 * tile_m, tile_n, meta.get("k", 128)
    a, b = (chance.standard_normal(shape).astype(dtype) for shape in ((m, k), (k, n)))
    c = np.zeros((m, n), dtype)
    run(text, meta, (2, 1), [a, b, c, m, n, k])
    return off(c, a.astype(float) @ b.astype(float)) / 8


@case
def attention(text: str, meta: dict[str, Any]) -> float:
    """Two heads of 128 rows."""
    length, depth, heads, chance = 128, 64, 2, random(meta)
    q, k, v = (chance.standard_normal((heads, length, depth)).astype(np.float16) for _ in range(3))
    o = np.zeros_like(q)
    scale = math.log2(math.e) / 8
    run(text, meta, (2, heads), [q, k, v, o, length, scale])
    scores = np.einsum("hld,hmd->hlm", q.astype(float), k.astype(float)) * scale
    powers = np.exp2(scores - scores.max(-1, keepdims=True))
    return off(o, powers @ v.astype(float) / powers.sum(-1, keepdims=True))


# --- programs in CUDA C


def mapped(function: Callable[..., Any], *kinds: Any, count: int = 64) -> Case:
    """A kernel whose thread i computes element i of its last argument from those of the others."""

    def one(text: str, meta: dict[str, Any]) -> float:
        chance = random(meta)
        inputs = [
            chance.integers(1, 1 << 30, count).astype(kind)
            if np.dtype(kind).kind in "iu"
            else (chance.random(count) * 4 - 2).astype(kind)
            for kind in kinds
        ]
        expected = function(*[value.copy() for value in inputs])
        found = np.zeros(len(expected), expected.dtype if expected.dtype.kind in "iu" else kinds[0])
        run(text, meta, (1,), [*inputs, found])
        return off(found, expected)

    return one


def steps_of_collatz(values: Any) -> Any:
    """How often numbers are halved, or tripled and increased, until they are 1."""

    def steps(value: int) -> int:
        count = 0
        while value != 1:
            value, count = (3 * value + 1 if value & 1 else value // 2), count + 1
        return count

    return np.array([steps(int(value)) for value in values], np.int32)


CASES["recursion"] = mapped(lambda x: np.array([math.factorial(int(v) % 10) for v in x], np.int32), np.int32)
CASES["collatz"] = mapped(lambda x: steps_of_collatz(x % 1000 + 1), np.int32)
CASES["transcendental"] = mapped(
    lambda x: (
        np.sin(x.astype(float))
        + np.exp(x.astype(float))
        + np.log(np.abs(x.astype(float)) + 1)
        + np.abs(x.astype(float)) ** 1.5
    ),
    np.float32,
)
CASES["doubles"] = mapped(lambda x: np.sqrt(np.abs(x)) / (x + 3) + np.exp(x), np.float64)
CASES["halves"] = mapped(lambda x: (x * x + (x + x)).astype(np.float16), np.float16)
CASES["votes"] = mapped(
    lambda x: np.repeat(
        [(x[at : at + 32] % 7 > 3).sum() + (x[at : at + 32] % 7).sum() for at in (0, 32)], 32
    ).astype(np.int32),
    np.int32,
)
CASES["switches"] = mapped(
    lambda x: np.array([{0: 5, 1: 9, 2: 77, 3: 10}.get(int(v) % 5, -1) for v in x], np.int32), np.int32
)
CASES["indirect"] = mapped(lambda x: np.where(np.arange(64) & 1, x * 2, x + 1).astype(np.int32), np.int32)
CASES["longs"] = mapped(
    lambda x: np.array(
        [
            (int(v) // 12345 + int(v) % 777 + (int(v) * int(v) * 3 >> 64) + int(v).bit_count()) % 2**64
            for v in x
        ],
        np.uint64,
    ),
    np.uint64,
)
CASES["locals"] = mapped(
    lambda x: np.array(
        [sum(((int(v) >> s) & 15) ** 2 + t for s in range(0, 28, 4)) for t, v in enumerate(x)], np.int32
    ),
    np.int32,
)


@case
def blocksum(text: str, meta: dict[str, Any]) -> float:
    """Two blocks, a sum each."""
    x, out = random(meta).random(1000, np.float32), np.zeros(2, np.float32)
    run(text, meta, (2,), [x, out, 1000])
    return off(out, [x[:500].sum(dtype=float), x[500:].sum(dtype=float)])


@case
def staged(text: str, meta: dict[str, Any]) -> float:
    """Tiles that a ring of asynchronous copies brings, each added to a running sum."""
    x, out = random(meta).integers(0, 1000, (8, 512), dtype=np.int32), np.zeros((128, 4), np.int32)
    run(text, meta, (1,), [x, out, 8])
    return off(out.ravel(), x.sum(0))


@case
def pipelined(text: str, meta: dict[str, Any]) -> float:
    """A producer warp and three consumer warps, with a full and an empty mbarrier for each stage."""
    x, out = random(meta).integers(0, 1000, (8, 96), dtype=np.int32), np.zeros(96, np.int32)
    run(text, meta, (1,), [x, out, 8])
    return off(out, x.sum(0))


@case
def bulk(text: str, meta: dict[str, Any]) -> float:
    """Bulk copies in and out, and a reversal between them."""
    x, out = random(meta).integers(0, 1000, 256, dtype=np.int32), np.zeros(256, np.int32)
    run(text, meta, (1,), [x, out])
    return off(out, x[::-1])


@case
def clustered(text: str, meta: dict[str, Any]) -> float:
    """Each block adds what all blocks of its cluster have."""
    x, out = random(meta).integers(0, 1000, (4, 64), dtype=np.int32), np.zeros((4, 64), np.int32)
    run(text, {**meta, "cluster": 2}, (4,), [x, out])
    return off(out, np.repeat(x.reshape(2, 2, 64).sum(1), 2, 0))


@case
def wmma(text: str, meta: dict[str, Any]) -> float:
    """One product of 16 x 16 x 16."""
    a, b = (random(meta).standard_normal((16, 16)).astype(np.float16) for _ in range(2))
    c = np.zeros((16, 16), np.float32)
    run(text, meta, (1,), [a, b, c])
    return off(c, a.astype(float) @ b.astype(float).T)


@case
def spin(text: str, meta: dict[str, Any]) -> float:
    """Warps that take turns."""
    out = np.zeros(4, np.int32)
    run(text, meta, (1,), [out])
    return off(out, [0, 10, 20, 30])


@case
def tiled_groups(text: str, meta: dict[str, Any]) -> float:
    """Sums of groups of eight lanes."""
    x, out = np.arange(64, dtype=np.int32), np.zeros(8, np.int32)
    run(text, meta, (1,), [x, out])
    return off(out, x.reshape(8, 8).sum(1))


@case
def transposed(text: str, meta: dict[str, Any]) -> float:
    """Four tiles by way of shared memory."""
    x, out = random(meta).random((64, 64), np.float32), np.zeros((64, 64), np.float32)
    run(text, meta, (2, 2), [x, out])
    return off(out, x.T)
