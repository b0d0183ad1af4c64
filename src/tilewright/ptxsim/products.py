"""Products of matrices with the precision of the ISA, including sparse and scaled operands.

Products of elements are exact. Sums are computed in double precision, with the same bits on every host, and rounded
once; with a seed, in single precision in another order, which the ISA allows as well, and which is the same for all products of a launch.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from tilewright.doubles.products import matrix_product
from tilewright.ptxsim.rounding import exact_fma
from tilewright.ptxsim.values import Array


def product(a: Array, b: Array, c: Array, kind: str, seed: int) -> Array:
    """Return ``a @ b + c`` for stacks of matrices of doubles, before it is rounded to `kind`, the result
    type. For f64 the sums are fused multiply-adds in the order of k, for s32 they are exact. For other floats
    they are in double precision if `seed` is 0, and otherwise in single precision in an order that `seed`
    chooses.
    """
    if kind == "f64":
        return _fused(a, b, c)
    if not seed or kind == "s32":
        return (np.matmul(a, b) if kind == "s32" else matrix_product(a, b)) + c
    total = c.astype(np.float32)
    for k in _order(seed, a.shape[-1]):
        total = total + (a[..., :, k, None] * b[..., k, None, :]).astype(np.float32)
    return total.astype(np.float64)


@lru_cache(maxsize=64)
def _order(seed: int, k: int) -> tuple[int, ...]:
    return tuple(np.random.default_rng([seed, k]).permutation(k).tolist())


def _fused(a: Array, b: Array, c: Array) -> Array:
    """Return ``a @ b + c`` by fused multiply-adds of doubles in the order of k."""
    for k in range(a.shape[-1]):
        left, right, total = np.broadcast_arrays(a[..., :, k, None], b[..., k, None, :], c)
        c = exact_fma(left.ravel(), right.ravel(), total.ravel()).reshape(total.shape)
    return c


def bitwise(a: Array, b: Array, c: Array, op: str) -> Array:
    """Return `c` plus the number of set bits of ``a & b`` (`op` is ``and``), or else of ``a ^ b``, of each
    row of `a` and column of `b`; the elements of both are bits.
    """
    both = np.matmul(a, b)
    if op == "and":
        return both + c
    return a.sum(-1)[..., :, None] + b.sum(-2)[..., None, :] - 2 * both + c


# --- sparse operands


@dataclass(frozen=True, slots=True)
class Sparsity:
    """The sparsity of a type: of each `chunk` elements of a row half are stored, and four bits of metadata
    have their indices.
    """

    chunk: int
    rows_by_lane: bool
    """True if a lane has the metadata of a single row, instead of two rows of half the columns."""


def sparsity(name: str) -> Sparsity:
    """Return the sparsity of operands of the type `name`."""
    if name == "tf32":
        return Sparsity(2, rows_by_lane=False)
    if name in ("u4", "s4"):
        return Sparsity(8, rows_by_lane=True)
    return Sparsity(4, rows_by_lane=name not in ("f16", "bf16"))


def chosen(words: Array, rule: Sparsity, k: int, selector: int) -> Array:
    """Return the four bits of metadata of each row and chunk: (warps, 16, chunks). `words` has a word of each
    lane; `selector` chooses the lanes of each group of four whose words are used. `k` is the extent of the
    dense rows.
    """
    quads, chunks = words.reshape(-1, 8, 4), k // rule.chunk
    count = chunks // 4  # lanes of a quad whose metadata are used
    mine = quads[:, :, count * selector : count * (selector + 1)]
    nibbles = mine[..., None] >> np.arange(0, 32, 4, dtype=np.uint32) & np.uint32(15)
    if rule.rows_by_lane:
        by_row = nibbles.reshape(-1, 8, max(count // 2, 1), 2, 8).transpose(0, 3, 1, 2, 4)
    else:
        by_row = nibbles.reshape(-1, 8, count, 2, 4).transpose(0, 3, 1, 2, 4)
    return by_row.reshape(-1, 16, chunks)


def expanded(a: Array, bits: Array, rule: Sparsity) -> Array:
    """Return the dense matrix of the stored elements `a`: (warps, 16, k). `bits` are the metadata of each row
    and chunk; other elements are zero.
    """
    warps, rows, half = a.shape
    found = np.zeros((warps, rows, half * 2 // rule.chunk, rule.chunk), a.dtype)
    unit = rule.chunk / 4
    stored = a.reshape(warps, rows, half * 2 // rule.chunk, rule.chunk // 2)
    for at in range(rule.chunk // 2):
        pair = int(at / max(unit, 1)) if unit >= 1 else 0
        index = bits >> np.uint32(2 * pair) & np.uint32(3)
        place = (index * np.float64(unit)).astype(np.int64) + (at % max(int(unit), 1))
        np.put_along_axis(found, place[..., None], stored[..., at : at + 1], -1)
    return found.reshape(warps, rows, half * 2)


# --- scaled operands


def scales_of_rows(values: Array, blocks: int, byte: int, thread: int) -> Array:
    """Return the scale of each row and block of `a`: (warps, 16, blocks). Each lane has four scales in
    `values`; lanes `2 * thread` and `2 * thread + 1` of each group of four are used, from the scale number
    `byte` on.
    """
    quads = values.reshape(-1, 8, 4, 4)[:, :, 2 * thread : 2 * thread + 2, byte : byte + blocks]
    return quads.transpose(0, 2, 1, 3).reshape(-1, 16, blocks)


def scales_of_columns(values: Array, blocks: int, byte: int, thread: int) -> Array:
    """Return the scale of each block and column of `b`: (warps, blocks, 8). Each lane has four scales in
    `values`; lane `thread` of each group of four is used, from the scale number `byte` on.
    """
    return values.reshape(-1, 8, 4, 4)[:, :, thread, byte : byte + blocks].swapaxes(1, 2)
