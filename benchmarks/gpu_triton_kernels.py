"""The kernels of `benchmarks.gpu_cases` in Triton, with the same tiles.

Products read by pointers and test no bounds, as extents are multiples of the tiles there; the ragged one has masks.
"""

from __future__ import annotations

from typing import Any

import triton
import triton.language as tl


@triton.jit
def matmul(a, b, c, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, PRECISION: tl.constexpr):
    rows, columns = tl.program_id(1) * BM + tl.arange(0, BM), tl.program_id(0) * BN + tl.arange(0, BN)
    inner = tl.arange(0, BK)
    left, right = a + rows[:, None] * k + inner[None, :], b + inner[:, None] * n + columns[None, :]
    total = tl.zeros((BM, BN), tl.int32 if a.dtype.element_ty == tl.int8 else tl.float32)
    for _ in range(0, k, BK):
        total = tl.dot(tl.load(left), tl.load(right), total, input_precision=PRECISION, out_dtype=total.dtype)
        left += BK
        right += BK * n
    tl.store(c + rows[:, None] * n + columns[None, :], total.to(c.dtype.element_ty))


@triton.jit
def transposed(a, b, c, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rows, columns = tl.program_id(1) * BM + tl.arange(0, BM), tl.program_id(0) * BN + tl.arange(0, BN)
    inner = tl.arange(0, BK)
    left, right = a + rows[:, None] * k + inner[None, :], b + columns[None, :] * k + inner[:, None]
    total = tl.zeros((BM, BN), tl.float32)
    for _ in range(0, k, BK):
        total = tl.dot(tl.load(left), tl.load(right), total)
        left += BK
        right += BK
    tl.store(c + rows[:, None] * n + columns[None, :], total.to(c.dtype.element_ty))


@triton.jit
def persistent(a, b, c, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    across = n // BN
    for tile in range(tl.program_id(0), m // BM * across, tl.num_programs(0)):
        rows = tile // across * BM + tl.arange(0, BM)
        columns = tile % across * BN + tl.arange(0, BN)
        inner = tl.arange(0, BK)
        left, right = a + rows[:, None] * k + inner[None, :], b + inner[:, None] * n + columns[None, :]
        total = tl.zeros((BM, BN), tl.float32)
        for _ in range(0, k, BK):
            total = tl.dot(tl.load(left), tl.load(right), total)
            left += BK
            right += BK * n
        tl.store(c + rows[:, None] * n + columns[None, :], total.to(c.dtype.element_ty))


@triton.jit
def split(a, b, c, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rows, columns = tl.program_id(1) * BM + tl.arange(0, BM), tl.program_id(0) * BN + tl.arange(0, BN)
    inner = tl.program_id(2) * BK + tl.arange(0, BK)
    left, right = a + rows[:, None] * k + inner[None, :], b + inner[:, None] * n + columns[None, :]
    total = tl.zeros((BM, BN), tl.float32)
    step = BK * tl.num_programs(2)
    for _ in range(tl.program_id(2) * BK, k, step):
        total = tl.dot(tl.load(left), tl.load(right), total)
        left += step
        right += step * n
    tl.atomic_add(c + rows[:, None] * n + columns[None, :], total, sem="relaxed")


@triton.jit
def biased_silu(a, b, bias, c, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rows, columns = tl.program_id(1) * BM + tl.arange(0, BM), tl.program_id(0) * BN + tl.arange(0, BN)
    inner = tl.arange(0, BK)
    total = tl.zeros((BM, BN), tl.float32)
    for start in range(0, k, BK):
        deep = start + inner
        left = tl.load(
            a + rows[:, None] * k + deep[None, :], (rows < m)[:, None] & (deep < k)[None, :], other=0.0
        )
        right = tl.load(
            b + deep[:, None] * n + columns[None, :], (deep < k)[:, None] & (columns < n)[None, :], other=0.0
        )
        total = tl.dot(left, right, total)
    total += tl.load(bias + columns, columns < n, other=0.0)[None, :]
    total = total / (1.0 + tl.exp(-total))
    kept = (rows < m)[:, None] & (columns < n)[None, :]
    tl.store(c + rows[:, None] * n + columns[None, :], total.to(tl.float16), kept)


@triton.jit
def gated(a, b, gate, c, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rows, columns = tl.program_id(1) * BM + tl.arange(0, BM), tl.program_id(0) * BN + tl.arange(0, BN)
    inner = tl.arange(0, BK)
    left, right = a + rows[:, None] * k + inner[None, :], b + inner[:, None] * n + columns[None, :]
    other = gate + inner[:, None] * n + columns[None, :]
    plain, turned = tl.zeros((BM, BN), tl.float32), tl.zeros((BM, BN), tl.float32)
    for _ in range(0, k, BK):
        factor = tl.load(left)
        plain = tl.dot(factor, tl.load(right), plain)
        turned = tl.dot(factor, tl.load(other), turned)
        left += BK
        right += BK * n
        other += BK * n
    result = plain * turned / (1.0 + tl.exp(-turned))
    tl.store(c + rows[:, None] * n + columns[None, :], result.to(tl.float16))


@triton.jit
def gathered(x, rows, w, c, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    line, columns = tl.program_id(1) * BM + tl.arange(0, BM), tl.program_id(0) * BN + tl.arange(0, BN)
    places, inner = tl.load(rows + line), tl.arange(0, BK)
    left, right = x + places[:, None] * k + inner[None, :], w + inner[:, None] * n + columns[None, :]
    total = tl.zeros((BM, BN), tl.float32)
    for _ in range(0, k, BK):
        total = tl.dot(tl.load(left), tl.load(right), total)
        left += BK
        right += BK * n
    tl.store(c + line[:, None] * n + columns[None, :], total.to(tl.float16))


@triton.jit
def convolution(
    x,
    w,
    c,
    pixels,
    WIDTH: tl.constexpr,
    CHANNELS: tl.constexpr,
    BM: tl.constexpr,
    BN: tl.constexpr,
    BK: tl.constexpr,
):
    pixel, columns = tl.program_id(1) * BM + tl.arange(0, BM), tl.program_id(0) * BN + tl.arange(0, BN)
    inner = tl.arange(0, BK)
    total = tl.zeros((BM, BN), tl.float32)
    for step in range(9 * (CHANNELS // BK)):
        tap, part = step // (CHANNELS // BK), step % (CHANNELS // BK)
        row, column = pixel // WIDTH + tap // 3 - 1, pixel % WIDTH + tap % 3 - 1
        place = row * WIDTH + column
        inside = (row >= 0) & (column >= 0) & (column < WIDTH) & (place < pixels)
        deep = part * BK + inner
        left = tl.load(x + place[:, None] * CHANNELS + deep[None, :], inside[:, None], other=0.0)
        right = tl.load(w + (tap * CHANNELS + deep)[:, None] * CHANNELS + columns[None, :])
        total = tl.dot(left, right, total)
    tl.store(
        c + pixel[:, None] * CHANNELS + columns[None, :], total.to(tl.float16), (pixel < pixels)[:, None]
    )


@triton.jit
def attention(
    q, k, v, out, scale, length, DIM: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, CAUSAL: tl.constexpr
):
    start, head = tl.program_id(0) * BM, tl.program_id(1) * length * DIM
    rows, across, along = start + tl.arange(0, BM), tl.arange(0, DIM), tl.arange(0, BN)
    places = head + rows[:, None] * DIM + across[None, :]
    query = tl.load(q + places)
    keys, values = (
        k + head + along[None, :] * DIM + across[:, None],
        v + head + along[:, None] * DIM + across[None, :],
    )
    most = tl.full((BM,), -float("inf"), tl.float32)
    sums, total = tl.zeros((BM,), tl.float32), tl.zeros((BM, DIM), tl.float32)
    last = start + BM if CAUSAL else length
    for first in range(0, last, BN):
        scores = tl.dot(query, tl.load(keys)) * scale
        if CAUSAL:
            scores = tl.where(rows[:, None] >= (first + along)[None, :], scores, -float("inf"))
        highest = tl.maximum(most, tl.max(scores, 1))
        weights = tl.math.exp2(scores - highest[:, None])
        factor = tl.math.exp2(most - highest)
        sums = sums * factor + tl.sum(weights, 1)
        total = tl.dot(weights.to(tl.float16), tl.load(values), total * factor[:, None])
        most = highest
        keys += BN * DIM
        values += BN * DIM
    tl.store(out + places, (total / sums[:, None]).to(tl.float16))


@triton.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at, at < n) + tl.load(y + at, at < n), at < n)


@triton.jit
def gelu(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tile = tl.load(x + at, at < n)
    inner = 0.7978845608028654 * (tile + 0.044715 * tile * tile * tile)
    tanh = 2.0 / (1.0 + tl.exp(-2.0 * inner)) - 1.0
    tl.store(out + at, 0.5 * tile * (1.0 + tanh), at < n)


@triton.jit
def silu_times(x, y, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    gate, other = tl.load(x + at, at < n).to(tl.float32), tl.load(y + at, at < n).to(tl.float32)
    tl.store(out + at, (gate / (1.0 + tl.exp(-gate)) * other).to(tl.float16), at < n)


@triton.jit
def softmax(x, out, columns, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * columns + tl.arange(0, BLOCK)
    mask = tl.arange(0, BLOCK) < columns
    tile = tl.load(x + at, mask, other=-float("inf"))
    shifted = tl.exp(tile.to(tl.float32) - tl.max(tile, 0).to(tl.float32))
    tl.store(out + at, (shifted * (1.0 / tl.sum(shifted, 0))).to(out.dtype.element_ty), mask)


@triton.jit
def softmax_in_parts(x, out, columns, BLOCK: tl.constexpr):
    row, inner = tl.program_id(0) * columns, tl.arange(0, BLOCK)
    largest, total = tl.full((BLOCK,), -float("inf"), tl.float32), tl.zeros((BLOCK,), tl.float32)
    for start in range(0, columns, BLOCK):
        tile = tl.load(x + row + start + inner, start + inner < columns, other=-float("inf"))
        now = tl.maximum(largest, tile)
        total = total * tl.exp(largest - now) + tl.exp(tile - now)
        largest = now
    most = tl.max(largest, 0)
    sums = tl.sum(total * tl.exp(largest - most), 0)
    for start in range(0, columns, BLOCK):
        tile = tl.load(x + row + start + inner, start + inner < columns, other=-float("inf"))
        tl.store(out + row + start + inner, tl.exp(tile - most) / sums, start + inner < columns)


@triton.jit
def layer_norm(x, weight, bias, out, columns, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    inner = tl.arange(0, BLOCK)
    at, mask = tl.program_id(0) * columns + inner, inner < columns
    tile = tl.load(x + at, mask, other=0.0).to(tl.float32)
    mean = tl.sum(tile, 0) * (1.0 / BLOCK)
    scale = tl.math.rsqrt(tl.sum(tile * tile, 0) * (1.0 / BLOCK) - mean * mean + 1e-5)
    w, b = tl.load(weight + inner, mask, other=0.0), tl.load(bias + inner, mask, other=0.0)
    tl.store(out + at, ((tile - mean) * scale * w + b).to(out.dtype.element_ty), mask)


@triton.jit
def layer_norm_in_parts(x, weight, bias, out, columns, BLOCK: tl.constexpr):
    row, inner = tl.program_id(0) * columns, tl.arange(0, BLOCK)
    total, square = tl.zeros((BLOCK,), tl.float32), tl.zeros((BLOCK,), tl.float32)
    for start in range(0, columns, BLOCK):
        tile = tl.load(x + row + start + inner, start + inner < columns, other=0.0).to(tl.float32)
        total, square = total + tile, square + tile * tile
    mean = tl.sum(total, 0) / columns
    scale = tl.math.rsqrt(tl.sum(square, 0) / columns - mean * mean + 1e-5)
    for start in range(0, columns, BLOCK):
        at = start + inner
        mask = at < columns
        tile = tl.load(x + row + at, mask, other=0.0).to(tl.float32)
        w, b = tl.load(weight + at, mask, other=0.0), tl.load(bias + at, mask, other=0.0)
        tl.store(out + row + at, ((tile - mean) * scale * w + b).to(tl.float16), mask)


@triton.jit
def rms_norm(x, weight, out, columns, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    inner = tl.arange(0, BLOCK)
    rows = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    at, mask = rows[:, None] * columns + inner[None, :], (inner < columns)[None, :]
    tile = tl.load(x + at, mask, other=0.0).to(tl.float32)
    scale = tl.math.rsqrt(tl.sum(tile * tile, 1) * (1.0 / BLOCK) + 1e-5)
    w = tl.load(weight + inner, inner < columns, other=0.0)
    tl.store(out + at, (tile * scale[:, None] * w[None, :]).to(out.dtype.element_ty), mask)


@triton.jit
def row_sums(x, out, columns, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    rows, inner = tl.program_id(0) * ROWS + tl.arange(0, ROWS), tl.arange(0, BLOCK)
    tile = tl.load(x + rows[:, None] * columns + inner[None, :], (inner < columns)[None, :], other=0.0)
    tl.store(out + rows, tl.sum(tile, 1))


@triton.jit
def largest_places(x, out, columns, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    rows, inner = tl.program_id(0) * ROWS + tl.arange(0, ROWS), tl.arange(0, BLOCK)
    mask = (inner < columns)[None, :]
    tile = tl.load(x + rows[:, None] * columns + inner[None, :], mask, other=-float("inf"))
    tl.store(out + rows, tl.argmax(tile, 1))


@triton.jit
def rotated(x, cosine, sine, out, ROWS: tl.constexpr, HALF: tl.constexpr):
    rows, inner = tl.program_id(0) * ROWS + tl.arange(0, ROWS), tl.arange(0, HALF)
    narrow, wide = (
        rows[:, None] * HALF + inner[None, :],
        rows[:, None] * (2 * HALF) + inner[None, :],
    )
    left, right = tl.load(x + wide).to(tl.float32), tl.load(x + wide + HALF).to(tl.float32)
    c, s = tl.load(cosine + narrow), tl.load(sine + narrow)
    tl.store(out + wide, (left * c - right * s).to(tl.float16))
    tl.store(out + wide + HALF, (right * c + left * s).to(tl.float16))


@triton.jit
def rows_by_index(table, indices, out, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    rows, inner = tl.program_id(0) * ROWS + tl.arange(0, ROWS), tl.arange(0, BLOCK)
    places = tl.load(indices + rows)
    tile = tl.load(table + places[:, None] * BLOCK + inner[None, :])
    tl.store(out + rows[:, None] * BLOCK + inner[None, :], tile)


@triton.jit
def transpose(x, out, m, n, BM: tl.constexpr, BN: tl.constexpr):
    rows, columns = tl.program_id(0) * BM + tl.arange(0, BM), tl.program_id(1) * BN + tl.arange(0, BN)
    tile = tl.load(x + rows[:, None] * n + columns[None, :])
    tl.store(out + columns[:, None] * m + rows[None, :], tl.trans(tile))


@triton.jit
def running_sums(x, out, columns, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    rows, inner = tl.program_id(0) * ROWS + tl.arange(0, ROWS), tl.arange(0, BLOCK)
    at, mask = rows[:, None] * columns + inner[None, :], (inner < columns)[None, :]
    tl.store(out + at, tl.cumsum(tl.load(x + at, mask, other=0.0), 1), mask)


@triton.jit
def running_sum(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.cumsum(tl.load(x + at, at < n, other=0.0), 0), at < n)


@triton.jit
def histogram(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.atomic_add(out + tl.load(x + at, at < n), 1, at < n, sem="relaxed")


def kernel(name: str) -> Any:
    """The kernel of a name."""
    return globals()[name]
