"""`python conformance/ptx/triton_kernels.py DIR`: compile programs with an installed Triton, for several architectures.

It runs in Triton's own environment and needs nothing of this project.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource, compile as compiled


@triton.jit
def softmax(x, y, n, stride, B: tl.constexpr):
    """The softmax of rows."""
    r = tl.program_id(0)
    c = tl.arange(0, B)
    v = tl.load(x + r * stride + c, mask=c < n, other=-float("inf")).to(tl.float32)
    v = v - tl.max(v, 0)
    e = tl.exp(v)
    tl.store(y + r * stride + c, (e / tl.sum(e, 0)).to(y.dtype.element_ty), mask=c < n)


@triton.jit
def scan(x, y, B: tl.constexpr):
    """Running sums."""
    c = tl.arange(0, B)
    tl.store(y + c, tl.cumsum(tl.load(x + c), 0))


@triton.jit
def matmul(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """Tiles of a product."""
    pm = tl.program_id(0)
    pn = tl.program_id(1)
    rm = pm * BM + tl.arange(0, BM)
    rn = pn * BN + tl.arange(0, BN)
    rk = tl.arange(0, BK)
    pa = a + rm[:, None] * K + rk[None, :]
    pb = b + rk[:, None] * N + rn[None, :]
    acc = tl.zeros((BM, BN), tl.float32)
    for _ in range(0, K, BK):
        acc = tl.dot(tl.load(pa), tl.load(pb), acc)
        pa += BK
        pb += BK * N
    tl.store(c + rm[:, None] * N + rn[None, :], acc.to(c.dtype.element_ty))


@triton.jit
def hist(x, h, n, B: tl.constexpr):
    """A histogram by atomic additions."""
    c = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(x + c, mask=c < n, other=0)
    tl.atomic_add(h + v, 1, mask=c < n)


@triton.jit
def layernorm(x, w, b, y, n, eps, B: tl.constexpr):
    """Rows with mean 0 and deviation 1, scaled and moved."""
    r = tl.program_id(0)
    c = tl.arange(0, B)
    m = c < n
    v = tl.load(x + r * n + c, mask=m, other=0.0).to(tl.float32)
    mean = tl.sum(v, 0) / n
    d = tl.where(m, v - mean, 0.0)
    rs = 1 / tl.sqrt(tl.sum(d * d, 0) / n + eps)
    tl.store(y + r * n + c, d * rs * tl.load(w + c, mask=m) + tl.load(b + c, mask=m), mask=m)


@triton.jit
def attention(q, k, v, o, L, scale, BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr):
    """Attention of one head, block after block of keys."""
    pm = tl.program_id(0)
    h = tl.program_id(1)
    rm = pm * BM + tl.arange(0, BM)
    rd = tl.arange(0, D)
    rn = tl.arange(0, BN)
    base = h * L * D
    Q = tl.load(q + base + rm[:, None] * D + rd[None, :])
    acc = tl.zeros((BM, D), tl.float32)
    m = tl.full((BM,), -float("inf"), tl.float32)
    total = tl.zeros((BM,), tl.float32)
    for s in range(0, L, BN):
        Kt = tl.load(k + base + (s + rn)[None, :] * D + rd[:, None])
        S = tl.dot(Q, Kt) * scale
        mn = tl.maximum(m, tl.max(S, 1))
        p = tl.exp2(S - mn[:, None])
        al = tl.exp2(m - mn)
        total = total * al + tl.sum(p, 1)
        V = tl.load(v + base + (s + rn)[:, None] * D + rd[None, :])
        acc = acc * al[:, None]
        acc = tl.dot(p.to(V.dtype), V, acc)
        m = mn
    tl.store(o + base + rm[:, None] * D + rd[None, :], (acc / total[:, None]).to(o.dtype.element_ty))


@triton.jit
def tma_matmul(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """A product of tiles that tensor maps bring."""
    pm = tl.program_id(0)
    pn = tl.program_id(1)
    da = tl.make_tensor_descriptor(a, [M, K], [K, 1], [BM, BK])
    db = tl.make_tensor_descriptor(b, [K, N], [N, 1], [BK, BN])
    dc = tl.make_tensor_descriptor(c, [M, N], [N, 1], [BM, BN])
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        acc = tl.dot(da.load([pm * BM, k]), db.load([k, pn * BN]), acc)
    dc.store([pm * BM, pn * BN], acc.to(c.dtype.element_ty))


@triton.jit
def fp8cvt(x, y, B: tl.constexpr):
    """Conversion to eight bits."""
    c = tl.arange(0, B)
    tl.store(y + c, tl.load(x + c).to(tl.float8e4nv))


@triton.jit
def mathf(x, y, B: tl.constexpr):
    """Elementary functions."""
    c = tl.arange(0, B)
    v = tl.load(x + c)
    tl.store(
        y + c,
        tl.sin(v) + tl.log(v) + tl.sqrt_rn(v) + tl.erf(v) + tl.rsqrt(v) + tl.floor(v) + tl.div_rn(v, v + 1),
    )


@triton.jit
def sortk(x, y, B: tl.constexpr):
    """A sorted row."""
    c = tl.arange(0, B)
    tl.store(y + c, tl.sort(tl.load(x + c)))


HALF, SINGLE, INTEGER = "*fp16", "*fp32", "*i32"
Kernel = tuple[Any, dict[str, str], dict[str, int], dict[str, Any]]
MATMUL = {"M": "i32", "N": "i32", "K": "i32"}
KERNELS: tuple[Kernel, ...] = (
    (softmax, {"x": HALF, "y": HALF, "n": "i32", "stride": "i32"}, {"B": 1024}, {}),
    (scan, {"x": SINGLE, "y": SINGLE}, {"B": 1024}, {}),
    (
        matmul,
        {"a": HALF, "b": HALF, "c": HALF, **MATMUL},
        {"BM": 64, "BN": 64, "BK": 32},
        {"dtype": "f2", "tile": [64, 64]},
    ),
    (
        matmul,
        {"a": SINGLE, "b": SINGLE, "c": SINGLE, **MATMUL},
        {"BM": 32, "BN": 32, "BK": 32},
        {"dtype": "f4", "tile": [32, 32]},
    ),
    (hist, {"x": INTEGER, "h": INTEGER, "n": "i32"}, {"B": 512}, {}),
    (layernorm, {"x": HALF, "w": HALF, "b": HALF, "y": HALF, "n": "i32", "eps": "fp32"}, {"B": 1024}, {}),
    (
        attention,
        {"q": HALF, "k": HALF, "v": HALF, "o": HALF, "L": "i32", "scale": "fp32"},
        {"BM": 64, "BN": 32, "D": 64},
        {},
    ),
    (
        tma_matmul,
        {"a": HALF, "b": HALF, "c": HALF, **MATMUL},
        {"BM": 128, "BN": 64, "BK": 64},
        {"case": "matmul", "dtype": "f2", "tile": [128, 64], "k": 192},
    ),
    (fp8cvt, {"x": SINGLE, "y": "*fp8e4nv"}, {"B": 512}, {}),
    (mathf, {"x": SINGLE, "y": SINGLE}, {"B": 512}, {}),
    (sortk, {"x": INTEGER, "y": INTEGER}, {"B": 256}, {}),
)


def make(folder: Path, capability: int, kernel: Kernel) -> None:
    """One kernel for one architecture, as PTX and as what a launch must know."""
    function, types, constants, more = kernel
    aligned = {(at,): [["tt.divisibility", 16]] for at, kind in enumerate(types.values()) if kind != "fp32"}
    source = ASTSource(function, {**types, **dict.fromkeys(constants, "constexpr")}, constants, aligned)
    made = compiled(source, target=GPUTarget("cuda", capability, 32), options={"num_warps": 4})
    name = f"triton_{function.__name__}_{next(iter(types.values()))[1:]}_sm{capability}"
    meta = {
        "case": function.__name__,
        "entry": made.metadata.name,
        "threads": 32 * made.metadata.num_warps,
        "shared": made.metadata.shared,
        "scratch": 2,
        **more,
    }
    (folder / f"{name}.ptx").write_text(made.asm["ptx"], encoding="utf-8")
    (folder / f"{name}.json").write_text(json.dumps(meta), encoding="utf-8")


def main(folder: Path) -> None:
    """All kernels for all architectures that have them."""
    folder.mkdir(parents=True, exist_ok=True)
    for capability in (80, 90, 100, 120):
        for kernel in KERNELS:
            if kernel[0] not in (tma_matmul, fp8cvt) or capability >= 90:
                make(folder, capability, kernel)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
