"""Kernels with mistakes that people have reported in public; `conformance.triton.reports` tells which, and runs them.

The parameter ``RIGHT`` chooses the kernel without the mistake.
"""

from __future__ import annotations

import triton
import triton.language as tl


@triton.jit
def length_of_another_view(values, bins, out, length, STEP: tl.constexpr, BIN_STEP: tl.constexpr):
    """One mask for two tensors of different lengths."""
    places = tl.arange(0, 8)
    mask = places < length
    value = tl.load(values + places * STEP, mask, other=0)
    bin = tl.load(bins + places * BIN_STEP, mask, other=-1)  # found here
    tl.store(out + places, value + bin, mask)


@triton.jit
def heads_of_a_block(x, heads, row, head, RIGHT: tl.constexpr, BLOCK_H: tl.constexpr, WIDTH: tl.constexpr):
    """The mask counts the heads of a block from zero."""
    x += tl.program_id(0) * row + tl.program_id(1) * BLOCK_H * head
    own = tl.arange(0, BLOCK_H)
    places = own[:, None] * head + tl.arange(0, WIDTH)[None, :]
    number = tl.program_id(1) * BLOCK_H + own if RIGHT else own
    mask = (number < heads)[:, None]
    value = tl.load(x + places, mask)  # found here
    tl.store(x + places, 2 * value, mask)


@triton.jit
def columns_past_the_rotated(
    x, rows, columns, RIGHT: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr
):
    """The columns have no mask."""
    row, column = tl.arange(0, ROWS)[:, None], tl.arange(0, COLUMNS)[None, :]
    mask = row < rows
    if RIGHT:
        mask = mask & (column < columns)
    value = tl.load(x + row * columns + column, mask)  # found here
    tl.store(x + row * columns + column, -value, mask)


@triton.jit
def row_and_part_of_it(x, RIGHT: tl.constexpr, WIDTH: tl.constexpr, TAIL: tl.constexpr):
    """A row is stored, and then its end once more."""
    row = x + tl.program_id(0) * WIDTH
    column, last = tl.arange(0, WIDTH), WIDTH - TAIL + tl.arange(0, TAIL)
    value, end = tl.load(row + column), tl.load(row + last)
    tl.store(row + column, 2 * value, column < WIDTH - TAIL if RIGHT else column < WIDTH)
    tl.store(row + last, -end)  # found here


@triton.jit
def value_of_masked_lanes(x, out, n, RIGHT: tl.constexpr, BLOCK: tl.constexpr):
    """The sum takes lanes that the mask left out."""
    places = tl.arange(0, BLOCK)
    value = tl.load(x + places, places < n, other=0 if RIGHT else None)
    tl.store(out, tl.sum(value))  # found here


@triton.jit
def same_row_from_all(x, out, RIGHT: tl.constexpr, WIDTH: tl.constexpr):
    """Every program writes one and the same row."""
    column = tl.arange(0, WIDTH)
    row = out + tl.program_id(0) * WIDTH if RIGHT else out
    tl.store(row + column, tl.load(x + column))  # found here


@triton.jit
def mask_left_at_home(x, out, n, RIGHT: tl.constexpr, BLOCK: tl.constexpr):
    """The store lacks the mask that was computed for it."""
    places = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = places < n
    value = tl.load(x + places % n)
    tl.store(out + places, 2 * value, mask if RIGHT else None)  # found here


@triton.jit
def scales_of_a_group(x, scales, blocks, RIGHT: tl.constexpr, GROUP: tl.constexpr, SIZE: tl.constexpr):
    """A group of scales is stored whole, though the last one is not."""
    group = tl.program_id(0) * GROUP + tl.arange(0, GROUP)
    places = group[:, None] * SIZE + tl.arange(0, SIZE)[None, :]
    largest = tl.max(tl.abs(tl.load(x + places, places < blocks * SIZE, other=0)), 1)
    tl.store(scales + group, largest, group < blocks if RIGHT else None)  # found here
