"""Loads of fragments move down to where they are used, and not past the barrier before their buffer is written again."""

from __future__ import annotations

import re
from typing import Any

import pytest

import tilewright
from tests.targets.nvptx.tileas_to_nvvm.gpu_programs import same
from tests.targets.nvptx.tileas_to_nvvm.test_gpu_matrix import aligned
from tests.targets.nvptx.tileas_to_nvvm.test_gpu_products import product
from tilewright.targets.nvptx.shared_memory.model import READ, WRITE
from tilewright.targets.nvptx.shared_memory.sink import OrderedBlock

FIRST, SECOND = 2, 4
"""Where the bits of two buffers begin."""


def row_of(words: str, *, crowded: bool = False) -> OrderedBlock:
    """A block of operations: `|` is a barrier, `r` and `w` read and write a buffer, `R` and `W` another one."""
    bits = {"r": READ << FIRST, "w": WRITE << FIRST, "R": READ << SECOND, "W": WRITE << SECOND}
    ops: Any = [f"{word}{at}" for at, word in enumerate(words)]
    touches = {op: bits[op[0]] for op in ops if op[0] in bits}
    barriers = [at for at, word in enumerate(words) if word == "|"]
    return OrderedBlock.of_events(ops, touches, barriers, crowded=crowded)


LIMITS = {
    "wr..m": ("r", 4),
    "w|r.|W|R.m": ("r", 9),
    "w|r.|w|r.m": ("r", 4),
    "w|r.|W|R|.w.m": ("r", 8),
    "w|r.w.m": ("r", 2),
    "r|w|.m": ("r", 1),
}
"""A block, a load, and the number of the operation that it may not pass; its own where it may not move."""


@pytest.mark.parametrize(("words", "wanted"), LIMITS.items())
def test_a_barrier_is_left_before_the_next_write(words: str, wanted: tuple[str, int]) -> None:
    row, (load, limit) = row_of(words), wanted
    assert row.limit(row.ops[words.index(load)]) == limit


def test_loads_stay_between_barriers_where_buffers_fill_the_memory() -> None:
    row = row_of("w|r.|W|R.m", crowded=True)
    assert row.limit(row.ops[2]) == 4
    assert row.limit(row.ops[7]) == 9


def test_fragments_are_loaded_step_by_step() -> None:
    text, arrays = aligned(product("mmaf", "f16", "f32", 64, 64, 64))
    ptx = str(tilewright.compile(text, target="sm_80").asm["ptx"])
    words = re.findall(r"ldmatrix|mma\.sync|bar\.sync", ptx)
    first = words.index("mma.sync")
    assert words[first:].count("ldmatrix") > words[:first].count("ldmatrix")
    assert "bar.sync" not in words[first:]
    same(text, (1,), arrays, "sm_80")
