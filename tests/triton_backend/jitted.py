"""Kernels of the tests with Triton's own front end."""

from __future__ import annotations

import triton
import triton.language as tl


@triton.jit
def add_kernel(x, y, out, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    tl.store(out + offsets, tl.load(x + offsets, mask) + tl.load(y + offsets, mask), mask)


@triton.jit
def sum_kernel(x, out, BLOCK: tl.constexpr):
    values = tl.load(x + tl.arange(0, BLOCK))  # nobody asks how many there are
    tl.store(out, tl.sum(values))


@triton.autotune(configs=[triton.Config({"BLOCK": size}, num_warps=2) for size in (4, 8)], key=["n"])
@triton.heuristics({"one": lambda named: named["n"] - named["n"] + 1})
@triton.jit
def tuned_kernel(x, n, one, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x + offsets, offsets + one, offsets < n)


@triton.jit
def copy_kernel(x, out):
    tl.store(out, tl.load(x))


@triton.jit
def endless_kernel(out, odd):
    number = odd
    while number != 0:
        number += 2
    tl.store(out, number)
