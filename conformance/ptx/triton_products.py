"""`python conformance/ptx/triton_products.py DIR`: compile Triton's products of matrices and attention, in all their forms.

It runs in Triton's own environment and needs nothing of this project.  The kernels take pointers, or tensor maps that
they make themselves; they are persistent, warp-specialised, or of clusters of two blocks.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource, compile as compiled


@triton.jit
def pointer_matmul(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """A tile of a product, from pointers."""
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
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
def descriptor_matmul(
    a,
    b,
    c,
    M,
    N,
    K,
    BM: tl.constexpr,
    BN: tl.constexpr,
    BK: tl.constexpr,
    STAGES: tl.constexpr,
    SPECIAL: tl.constexpr,
):
    """A tile of a product, by tensor maps."""
    m = tl.program_id(0) * BM
    n = tl.program_id(1) * BN
    da = tl.make_tensor_descriptor(a, [M, K], [K, 1], [BM, BK])
    db = tl.make_tensor_descriptor(b, [K, N], [N, 1], [BK, BN])
    dc = tl.make_tensor_descriptor(c, [M, N], [N, 1], [BM, BN])
    acc = tl.zeros((BM, BN), tl.float32)
    for k in tl.range(0, K, BK, num_stages=STAGES, warp_specialize=SPECIAL):
        acc = tl.dot(da.load([m, k]), db.load([k, n]), acc)
    dc.store([m, n], acc.to(c.dtype.element_ty))


@triton.jit
def persistent_matmul(
    a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, SPECIAL: tl.constexpr
):
    """Tiles of a product, several of them for each program."""
    da = tl.make_tensor_descriptor(a, [M, K], [K, 1], [BM, BK])
    db = tl.make_tensor_descriptor(b, [K, N], [N, 1], [BK, BN])
    dc = tl.make_tensor_descriptor(c, [M, N], [N, 1], [BM, BN])
    columns = tl.cdiv(N, BN)
    tiles = tl.cdiv(M, BM) * columns
    for tile in tl.range(tl.program_id(0), tiles, tl.num_programs(0), flatten=True, warp_specialize=SPECIAL):
        m = tile // columns * BM
        n = tile % columns * BN
        acc = tl.zeros((BM, BN), tl.float32)
        for k in range(0, K, BK):
            acc = tl.dot(da.load([m, k]), db.load([k, n]), acc)
        dc.store([m, n], acc.to(c.dtype.element_ty))


@triton.jit
def softmax_step(scores, total, highest, scale):
    """Weights of a block of keys, the new sums and maxima, and the factor of what was summed before."""
    best = tl.maximum(highest, tl.max(scores, 1) * scale)
    weights = tl.exp2(scores * scale - best[:, None])
    factor = tl.exp2(highest - best)
    return weights, total * factor + tl.sum(weights, 1), best, factor


@triton.jit
def pointer_attention(
    q, k, v, o, L, scale, BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr, CAUSAL: tl.constexpr
):
    """Attention of one head, from pointers."""
    start = tl.program_id(0) * BM
    base = tl.program_id(1) * L * D
    rm, rn, rd = start + tl.arange(0, BM), tl.arange(0, BN), tl.arange(0, D)
    Q = tl.load(q + base + rm[:, None] * D + rd[None, :])
    acc = tl.zeros((BM, D), tl.float32)
    highest = tl.full((BM,), -float("inf"), tl.float32)
    total = tl.zeros((BM,), tl.float32)
    end = start + BM if CAUSAL else L
    for s in range(0, end, BN):
        K = tl.load(k + base + (s + rn)[:, None] * D + rd[None, :])
        scores = tl.dot(Q, K.T)
        if CAUSAL:
            scores = tl.where(rm[:, None] >= (s + rn)[None, :], scores, -1.0e6)
        weights, total, highest, factor = softmax_step(scores, total, highest, scale)
        V = tl.load(v + base + (s + rn)[:, None] * D + rd[None, :])
        acc = tl.dot(weights.to(V.dtype), V, acc * factor[:, None])
    tl.store(o + base + rm[:, None] * D + rd[None, :], (acc / total[:, None]).to(o.dtype.element_ty))


@triton.jit
def descriptor_attention(
    q,
    k,
    v,
    o,
    L,
    scale,
    BM: tl.constexpr,
    BN: tl.constexpr,
    D: tl.constexpr,
    CAUSAL: tl.constexpr,
    SPECIAL: tl.constexpr,
):
    """Attention of one head, by tensor maps."""
    start = tl.program_id(0) * BM
    base = tl.program_id(1) * L
    rows = tl.num_programs(1) * L
    dq = tl.make_tensor_descriptor(q, [rows, D], [D, 1], [BM, D])
    dk = tl.make_tensor_descriptor(k, [rows, D], [D, 1], [BN, D])
    dv = tl.make_tensor_descriptor(v, [rows, D], [D, 1], [BN, D])
    do = tl.make_tensor_descriptor(o, [rows, D], [D, 1], [BM, D])
    rm, rn = start + tl.arange(0, BM), tl.arange(0, BN)
    Q = dq.load([base + start, 0])
    acc = tl.zeros((BM, D), tl.float32)
    highest = tl.full((BM,), -float("inf"), tl.float32)
    total = tl.zeros((BM,), tl.float32)
    end = start + BM if CAUSAL else L
    for s in tl.range(0, end, BN, warp_specialize=SPECIAL):
        scores = tl.dot(Q, dk.load([base + s, 0]).T)
        if CAUSAL:
            scores = tl.where(rm[:, None] >= (s + rn)[None, :], scores, -1.0e6)
        weights, total, highest, factor = softmax_step(scores, total, highest, scale)
        V = dv.load([base + s, 0])
        acc = tl.dot(weights.to(V.dtype), V, acc * factor[:, None])
    do.store([base + start, 0], (acc / total[:, None]).to(o.dtype.element_ty))


HALF = "*fp16"
PRODUCT = {"a": HALF, "b": HALF, "c": HALF, "M": "i32", "N": "i32", "K": "i32"}
ATTENTION = {"q": HALF, "k": HALF, "v": HALF, "o": HALF, "L": "i32", "scale": "fp32"}
TILE = {"BM": 128, "BN": 128, "BK": 64}


@dataclass(frozen=True)
class Program:
    """A kernel with its constants, the options of the compiler, and the architectures that it is for."""

    name: str
    function: Any
    case: str
    types: dict[str, str]
    constants: dict[str, Any]
    options: dict[str, int] = field(default_factory=dict)
    chips: tuple[int, ...] = (80, 90, 100, 120)


def _products() -> list[Program]:
    rows = [
        Program(f"matmul_pointer_w{warps}", pointer_matmul, "products", PRODUCT, TILE, {"num_warps": warps})
        for warps in (4, 8)
    ]
    maps, special = (90, 100, 120), (100, 120)
    for stages in (1, 3, 5):
        for warps in (4, 8):
            tile = TILE if stages < 5 else {**TILE, "BK": 32}
            constants = {**tile, "STAGES": stages, "SPECIAL": False}
            name = f"matmul_descriptor_s{stages}_w{warps}"
            rows.append(
                Program(name, descriptor_matmul, "products", PRODUCT, constants, {"num_warps": warps}, maps)
            )
    for warps in (4, 8):
        constants = {**TILE, "STAGES": 3, "SPECIAL": True}
        name = f"matmul_specialised_w{warps}"
        rows.append(
            Program(name, descriptor_matmul, "products", PRODUCT, constants, {"num_warps": warps}, special)
        )
    for what, value, chips in (("", False, maps), ("_specialised", True, special)):
        constants = {**TILE, "SPECIAL": value}
        rows.append(
            Program(
                f"matmul_persistent{what}",
                persistent_matmul,
                "persistent_products",
                PRODUCT,
                constants,
                {},
                chips,
            )
        )
    constants = {**TILE, "STAGES": 3, "SPECIAL": False}
    clusters = {"num_ctas": 2}
    rows.append(
        Program("matmul_clusters", descriptor_matmul, "products", PRODUCT, constants, clusters, (90, 100))
    )
    return rows


def _attention() -> list[Program]:
    rows = list[Program]()
    for depth in (64, 128):
        for what, causal in (("full", False), ("causal", True)):
            constants = {"BM": 128, "BN": 64, "D": depth, "CAUSAL": causal}
            options = {"num_warps": 4 if depth == 64 else 8}
            name = f"attention_d{depth}_{what}"
            rows.append(Program(f"{name}_pointer", pointer_attention, "heads", ATTENTION, constants, options))
            for tail, special, chips in (("", False, (90, 100, 120)), ("_specialised", True, (100,))):
                rows.append(
                    Program(
                        f"{name}_descriptor{tail}",
                        descriptor_attention,
                        "heads",
                        ATTENTION,
                        {**constants, "SPECIAL": special},
                        options,
                        chips,
                    )
                )
    return rows


PROGRAMS = (*_products(), *_attention())
"""Every program of the table."""


def make(folder: Path, capability: int, program: Program) -> None:
    """One program for one architecture, as PTX and as what a launch must know."""
    types, constants = program.types, program.constants
    aligned = {(at,): [["tt.divisibility", 16]] for at, kind in enumerate(types.values()) if kind != "fp32"}
    source = ASTSource(
        program.function, {**types, **dict.fromkeys(constants, "constexpr")}, constants, aligned
    )
    options = {"num_warps": 4, **program.options}
    made = compiled(source, target=GPUTarget("cuda", capability, 32), options=options)
    ptx = made.asm["ptx"]
    meta = {
        "case": program.case,
        "entry": made.metadata.name,
        "threads": threads_of(ptx),
        "shared": made.metadata.shared,
        "scratch": 2,
        "cluster": options.get("num_ctas", 1),
        "constants": constants,
    }
    name = f"triton_{program.name}_sm{capability}"
    (folder / f"{name}.ptx").write_text(ptx, encoding="utf-8")
    (folder / f"{name}.json").write_text(json.dumps(meta), encoding="utf-8")


def threads_of(ptx: str) -> int:
    """The threads of a block, which warp specialisation makes more than the option says."""
    return int(ptx.split(".reqntid", 1)[1].split("\n", 1)[0].split(",")[0])


def main(folder: Path, only: str) -> None:
    """All programs for all architectures that have them; a refusal of Triton's is written beside them."""
    folder.mkdir(parents=True, exist_ok=True)
    for program in PROGRAMS:
        for capability in program.chips:
            if only in f"{program.name}_sm{capability}":
                try:
                    make(folder, capability, program)
                except Exception as error:
                    refusal = f"{type(error).__name__}: {str(error).strip()[:200]}"
                    (folder / f"triton_{program.name}_sm{capability}.refused").write_text(refusal)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else "")
