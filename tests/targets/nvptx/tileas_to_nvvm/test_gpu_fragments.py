"""Loads of fragments move down to where they are used, and not past the barrier before their buffer is written again."""

from __future__ import annotations

import re
from typing import Any

import pytest

import tilewright
from tests.targets.nvptx.tileas_to_nvvm.gpu_programs import (
    HALF,
    integers,
    kernel,
    load,
    ptx_of,
    same,
    store,
    view,
)
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


def before_products(text: str, chip: str) -> list[str]:
    """The loads of matrices, barriers and products in the code of a kernel, up to the first product."""
    words = re.findall(r"ldmatrix|mma\.sync|bar\.sync", ptx_of(text, chip))
    return words[: words.index("mma.sync") + 1]


def test_fragments_that_fill_the_registers_are_loaded_step_by_step_from_more_memory() -> None:
    """Factors of 64 KiB would be 256 registers of a thread beside 128 of sums; the chip has as much shared memory."""
    text, arrays = aligned(product("mmaf", "f16", "f32", 64, 256, 64))
    assert before_products(text, "sm_80").count("ldmatrix") < 16
    assert "extern .shared" in ptx_of(text, "sm_80")
    same(text, (1,), arrays, "sm_80")


def test_fragments_stay_between_barriers_where_the_chip_has_too_little_memory() -> None:
    """Both factors are 128 KiB, and a block on sm_75 has 64 KiB."""
    text, _ = aligned(product("mmaf", "f16", "f32", 128, 256, 128))
    words = before_products(text, "sm_75")
    assert "ldmatrix" in words[: len(words) - words[::-1].index("bar.sync")]


def turning(more: str = "") -> str:
    """A loop that multiplies the same tile ``%p`` by a tile of each iteration."""
    a, left = view("x", (64, 32), (64, 32), "f16")
    b, right = view("y", (32, 24), (32, 8), "f16")
    c, whole = view("z", (64, 8), (64, 8), "f32")
    tile, factors = "tile<64x8xf32>", ("tile<64x32xf16>", "tile<32x8xf16>")
    body = a + b + c + "%three = constant <i32: 3> : tile<i32>\n%begin = constant <f32: 0.0> : " + tile + "\n"
    body += load("p", "x", left, "%zero, %zero", factors[0])
    body += f"%sum = for %n in (%zero to %three, step %one) : tile<i32> iter_values(%acc = %begin) -> ({tile}) {{\n"
    body += load("q", "y", right, "%zero, %n", factors[1])
    body += f"%s = mmaf %p, %q, %acc : {factors[0]}, {factors[1]}, {tile}\n{more}continue %s : {tile}\n}}\n"
    body += store("sum", "z", whole, "%zero, %zero", tile)
    return kernel("%x: tile<ptr<f16>>, %y: tile<ptr<f16>>, %z: tile<ptr<f32>>", body)


def test_a_factor_that_a_loop_does_not_change_is_exchanged_before_it() -> None:
    text = turning()
    layouts = str(tilewright.compile(text, target="sm_80").asm["layouts"])
    before, inside = layouts.split("scf.for")
    assert before.count("nv_tileas.convert_layout") == 1
    assert inside.partition("scf.yield")[0].count("nv_tileas.convert_layout") == 1
    same(text, (1,), [integers((64, 32), HALF), integers((32, 24), HALF), integers((64, 8))], "sm_80")


def test_a_factor_that_the_loop_needs_in_its_old_layout_too_is_exchanged_there() -> None:
    """Before the loop, registers would hold the tile twice."""
    _, left = view("x", (64, 32), (64, 32), "f16")
    more = "%p_s = store_view_tko weak %p, %x_v[%n, %zero] : "
    more += f"tile<64x32xf16>, {left}, tile<i32> -> token\n"
    layouts = str(tilewright.compile(turning(more), target="sm_80").asm["layouts"])
    before, _ = layouts.split("scf.for")
    assert "nv_tileas.convert_layout" not in before
