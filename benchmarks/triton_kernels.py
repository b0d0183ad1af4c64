"""The kernels of `benchmarks.triton`: in Triton and in cuTile, with the same blocks."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial
from typing import Any

import cuda.tile as ct
import torch
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor

from tilewright import cutile


@triton.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    tl.store(out + offsets, tl.load(x + offsets, mask) + tl.load(y + offsets, mask), mask)


@triton.jit
def softmax(x, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0) * columns
    offsets = tl.arange(0, BLOCK)
    mask = offsets < columns
    values = tl.load(x + row + offsets, mask, other=-float("inf"))
    shifted = tl.exp(values - tl.max(values, 0))
    tl.store(out + row + offsets, shifted / tl.sum(shifted, 0), mask)


@triton.jit
def matmul(a, b, c, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    inner = tl.arange(0, BK)
    left = a + rows[:, None] * k + inner[None, :]
    right = b + inner[:, None] * n + columns[None, :]
    total = tl.zeros((BM, BN), tl.float32)
    for _ in range(0, k, BK):
        total = tl.dot(tl.load(left), tl.load(right), total, input_precision="ieee")
        left += BK
        right += BK * n
    tl.store(c + rows[:, None] * n + columns[None, :], total)


@triton.jit
def matmul_blocks(a, b, c, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    row, column = tl.program_id(0) * BM, tl.program_id(1) * BN
    total = tl.zeros((BM, BN), tl.float32)
    for start in range(0, k, BK):
        total = tl.dot(a.load([row, start]), b.load([start, column]), total, input_precision="ieee")
    c.store([row, column], total)


@triton.jit
def attention(q, k, v, out, scale, length, DIM: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):
    start = tl.program_id(0) * BM
    head = tl.program_id(1) * length * DIM
    rows, across = start + tl.arange(0, BM), tl.arange(0, DIM)
    places = head + rows[:, None] * DIM + across[None, :]
    query = tl.load(q + places)
    most = tl.full((BM,), -float("inf"), tl.float32)
    sums = tl.zeros((BM,), tl.float32)
    total = tl.zeros((BM, DIM), tl.float32)
    for first in range(0, start + BM, BN):
        columns = first + tl.arange(0, BN)
        keys = tl.load(k + head + columns[None, :] * DIM + across[:, None])
        scores = tl.dot(query, keys, input_precision="ieee") * scale
        scores = tl.where(rows[:, None] >= columns[None, :], scores, -float("inf"))
        highest = tl.maximum(most, tl.max(scores, 1))
        weights = tl.exp(scores - highest[:, None])
        factor = tl.exp(most - highest)
        sums = sums * factor + tl.sum(weights, 1)
        values = tl.load(v + head + columns[:, None] * DIM + across[None, :])
        total = total * factor[:, None] + tl.dot(weights, values, input_precision="ieee")
        most = highest
    tl.store(out + places, total / sums[:, None])


@ct.kernel
def add_tiles(x, y, out, block: ct.Constant[int]):
    i = ct.bid(0)
    ct.store(out, i, ct.load(x, i, (block,)) + ct.load(y, i, (block,)))


@ct.kernel
def softmax_tiles(x, out, block: ct.Constant[int]):
    row = ct.load(x, (ct.bid(0), 0), (1, block), padding_mode=ct.PaddingMode.NEG_INF)
    shifted = ct.exp(row - ct.max(row, axis=1, keepdims=True))
    ct.store(out, (ct.bid(0), 0), shifted / ct.sum(shifted, axis=1, keepdims=True))


@ct.kernel
def matmul_tiles(a, b, c, bm: ct.Constant[int], bn: ct.Constant[int], bk: ct.Constant[int]):
    i, j = ct.bid(0), ct.bid(1)
    total = ct.full((bm, bn), 0, ct.float32)
    for k in range(ct.num_tiles(a, axis=1, shape=(bm, bk))):
        total = ct.mma(ct.load(a, (i, k), (bm, bk)), ct.load(b, (k, j), (bk, bn)), total)
    ct.store(c, (i, j), total)


@ct.kernel
def attention_tiles(
    q, k, v, out, scale: float, dim: ct.Constant[int], bm: ct.Constant[int], bn: ct.Constant[int]
):
    i, head = ct.bid(0), ct.bid(1)
    query = ct.load(q, (head, i, 0), (1, bm, dim)).reshape((bm, dim))
    rows = (i * bm + ct.arange(bm, dtype=ct.int32)).reshape((bm, 1))
    most = ct.full((bm, 1), -math.inf, ct.float32)
    sums = ct.full((bm, 1), 0.0, ct.float32)
    total = ct.full((bm, dim), 0.0, ct.float32)
    for j in range((i + 1) * bm // bn):
        keys = ct.load(k, (head, j, 0), (1, bn, dim)).reshape((bn, dim))
        scores = ct.mma(query, ct.transpose(keys), ct.full((bm, bn), 0.0, ct.float32)) * scale
        columns = (j * bn + ct.arange(bn, dtype=ct.int32)).reshape((1, bn))
        scores = ct.where(rows >= columns, scores, -math.inf)
        highest = ct.maximum(most, ct.max(scores, axis=1, keepdims=True))
        weights = ct.exp(scores - highest)
        factor = ct.exp(most - highest)
        sums = sums * factor + ct.sum(weights, axis=1, keepdims=True)
        values = ct.load(v, (head, j, 0), (1, bn, dim)).reshape((bn, dim))
        total = ct.mma(weights, values, total * factor)
        most = highest
    ct.store(out, (head, i, 0), (total / sums).reshape((1, bm, dim)))


def cases(ours: str, same: str, eager: str) -> Iterator[Any]:
    """Name, what runs it in each way, the error, and the error that is allowed.

    Kernels have smaller and larger blocks: the interpreter pays for each operation of each program, and little for its
    elements.
    """
    torch.manual_seed(0)

    def case(
        name: str, out: Any, kernel: Any, grid: Any, given: Any, meta: Any, tiles: Any, peer: Any
    ) -> Any:
        wanted = peer().clone()
        actions = {
            ours: lambda: kernel[grid](*given, **meta),
            same: partial(cutile.launch, grid, *tiles),
            eager: peer,
        }
        return name, actions, lambda: float((out - wanted).abs().max()), 1e-3

    x, y, out = torch.rand(1 << 20), torch.rand(1 << 20), torch.empty(1 << 20)
    for block in (1 << 10, 1 << 14):  # Triton's tutorial takes 1024
        yield case(
            f"vector add, 1,048,576 in blocks of {block:,}",
            out,
            add,
            ((1 << 20) // block,),
            (x, y, out, 1 << 20),
            {"BLOCK": block},
            (add_tiles, (x.numpy(), y.numpy(), out.numpy(), block)),
            lambda: x + y,
        )
    s, t = torch.randn(512, 1000), torch.empty(512, 1000)
    yield case(
        "softmax, 512 x 1000",
        t,
        softmax,
        (512,),
        (s, t, 1000),
        {"BLOCK": 1024},
        (softmax_tiles, (s.numpy(), t.numpy(), 1024)),
        lambda: torch.softmax(s, 1),
    )
    a, b, c = torch.rand(256, 256), torch.rand(256, 256), torch.empty(256, 256)
    for size in (32, 64):
        blocks = 256 // size
        yield case(
            f"matmul, 256 x 256 x 256 in blocks of {size}",
            c,
            matmul,
            (blocks, blocks),
            (a, b, c, 256, 256, 256),
            {"BM": size, "BN": size, "BK": size},
            (matmul_tiles, (a.numpy(), b.numpy(), c.numpy(), size, size, size)),
            lambda: a @ b,
        )
    yield case(
        "matmul, 256 x 256 x 256 in blocks of 64 by descriptors",
        c,
        matmul_blocks,
        (4, 4),
        (*(TensorDescriptor.from_tensor(tensor, [64, 64]) for tensor in (a, b, c)), 256),
        {"BM": 64, "BN": 64, "BK": 64},
        (matmul_tiles, (a.numpy(), b.numpy(), c.numpy(), 64, 64, 64)),
        lambda: a @ b,
    )
    q, k, v = (torch.randn(2, 256, 64) for _ in range(3))
    o = torch.empty_like(q)
    for size in (32, 64):
        yield case(
            f"attention, 2 x 256 x 64, causal, in blocks of {size}",
            o,
            attention,
            (256 // size, 2),
            (q, k, v, o, 0.125, 256),
            {"DIM": 64, "BM": size, "BN": size},
            (attention_tiles, (q.numpy(), k.numpy(), v.numpy(), o.numpy(), 0.125, 64, size, size)),
            lambda: torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True, scale=0.125),
        )
