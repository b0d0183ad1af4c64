"""Large tiles on GPUs: more warps hold them, so that code stays short and results stay the same."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tilewright
from tests.targets.nvptx.tileas_to_nvvm.gpu_programs import integers, kernel, load, same, store, view
from tilewright.dialects.common.chips import CHIPS

pytestmark = pytest.mark.usefixtures("ptx_as_before")

MEGABYTE = 1 << 20
POINTERS = "%x: tile<ptr<f32>>, %y: tile<ptr<f32>>, %z: tile<ptr<f32>>"


def row(count: int, work: str, hints: str = "") -> str:
    """A kernel that loads a row of so many elements, does some work, and stores what that left."""
    (x, cut), (y, _) = (view(name, (1, count), (1, count), "f32") for name in "xy")
    z, one = view("z", (1,), (1,), "f32")
    tile = f"tile<1x{count}xf32>"
    body = x + y + z + load("a", "x", cut, "%zero, %zero", tile)
    if work == "sum":
        body += f"""%c = reduce %a dim=1 identities=[0.0 : f32] : {tile} -> tile<1xf32>
    (%p: tile<f32>, %q: tile<f32>) {{
      %r = addf %p, %q : tile<f32>
      yield %r : tile<f32>
    }}
    """
        body += store("c", "z", one, "%zero", "tile<1xf32>")
    else:
        body += load("b", "y", cut, "%zero, %zero", tile) if work == "addf" else ""
        body += f"%c = {work} %a{', %b' if work == 'addf' else ''} : {tile}\n"
        body += store("c", "y", cut, "%zero, %zero", tile)
    return kernel(POINTERS, body).replace(") {\n    %zero", f") {hints} {{\n    %zero", 1)


def worked(count: int, work: str) -> str:
    """A kernel that loads a row of so many elements, makes another row of it by one of `WORKS`, and stores that."""
    (x, cut), (y, _) = (view(name, (1, count), (1, count), "f32") for name in "xy")
    tile, half = f"tile<1x{count}xf32>", f"tile<1x{count // 2}xf32>"
    body = x + y + load("a", "x", cut, "%zero, %zero", tile)
    body += WORKS[work].replace("TILE", tile).replace("HALF", half)
    return kernel(POINTERS, body + store("c", "y", cut, "%zero, %zero", tile))


WORKS = {
    "scan": """%c = scan %a dim=1 reverse=false identities=[0.0 : f32] : TILE -> TILE
    (%p: tile<f32>, %q: tile<f32>) {
      %r = addf %p, %q : tile<f32>
      yield %r : tile<f32>
    }
    """,
    "carried": """%c = for %k in (%zero to %i, step %one) : tile<i32> iter_values(%s = %a) -> (TILE) {
      %r = addf %s, %a : TILE
      continue %r : TILE
    }
    """,
    "halves": """%p = extract %a[%zero, %i] : TILE -> HALF
    %q = extract %a[%zero, %one] : TILE -> HALF
    %c = cat %q, %p dim = 1 : HALF, HALF -> TILE
    """,
    "permute": """%p = reshape %a : TILE -> tile<256x256xf32>
    %q = permute %p [1, 0] : tile<256x256xf32> -> tile<256x256xf32>
    %c = reshape %q : tile<256x256xf32> -> TILE
    """,
    "print": """%t9 = print_tko "%f ", %a : TILE -> token
    %c = absf %a : TILE
    """,
}
"""What may be done with a row of 65,536 elements, each another way through the threads of a block."""


def row_of_65536(work: str) -> str:
    """A kernel with a tile of 1 x 65,536 elements."""
    return worked(1 << 16, work) if work in WORKS else row(1 << 16, work)


def arrays(count: int) -> list[Any]:
    return [integers((1, count)), integers((1, count))[:, ::-1].copy(), np.zeros(1, np.float32)]


def ptx_of(text: str, chip: str = "sm_80") -> str:
    return str(tilewright.compile(text, target=chip).asm["ptx"])


@pytest.mark.parametrize("work", ["addf", "exp", "sum"])
def test_a_row_of_65536_elements_is_short_code(work: str) -> None:
    text = ptx_of(row(1 << 16, work))
    assert len(text) < MEGABYTE // 8
    assert ".reqntid 1024" in text


@pytest.mark.parametrize("chip", CHIPS)
def test_it_is_on_every_chip(chip: str) -> None:
    assert len(ptx_of(row(1 << 16, "addf"), chip)) < MEGABYTE // 8


@pytest.mark.parametrize("work", WORKS)
def test_whatever_is_done_with_it(work: str) -> None:
    """`python -m conformance.gpu rows` does the same for nine chips."""
    assert len(ptx_of(row_of_65536(work), "sm_75")) < MEGABYTE


@pytest.mark.parametrize("work", ["addf", "sum"])
def test_more_warps_do_what_the_interpreter_does(work: str) -> None:
    same(row(1 << 15, work), (1,), arrays(1 << 15), "sm_80")


@pytest.mark.parametrize(
    ("count", "hints", "warps"),
    [
        (1 << 13, "", None),
        (1 << 15, "", 16),
        (1 << 17, "", 32),
        (1 << 15, "optimization_hints = <sm_80 = {num_worker_warps_per_cta = 4}>", 4),
        (1 << 15, "optimization_hints = <sm_80 = {num_worker_warps_per_cta = 8}>", 8),
        (1 << 10, "optimization_hints = <sm_80 = {num_worker_warps_per_cta = 8}>", 8),
        (1 << 16, "optimization_hints = <sm_80 = {num_worker_warps_per_cta = 8}>", 8),
    ],
)
def test_the_largest_tile_decides_unless_the_kernel_does(count: int, hints: str, warps: int | None) -> None:
    artifact = tilewright.compile(row(count, "absf", hints), target="sm_80")
    text = str(artifact.asm["layouts"])
    assert ("numWarps" not in text) if warps is None else (f"numWarps={warps}," in text)
