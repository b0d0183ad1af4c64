"""Scans on GPUs, along every dimension and both ways: what the interpreter makes of them.

Tile IR leaves the order of combination open, and that of threads is another one than that of whole tiles: results are the same
to the last bit where no order rounds differently.
"""

from __future__ import annotations

import numpy as np
import pytest

import tilewright
from tests.targets.nvptx.tileas_to_nvvm.gpu_combinations import (
    AFFINE,
    LARGER_BY_BRANCH,
    SPREAD,
    TILE_OF_ELEMENTS,
    TYPES,
    Shape,
    combined,
    elsewhere,
    exact_numbers,
    instructions,
    numbers,
)
from tests.targets.nvptx.tileas_to_nvvm.gpu_programs import CHIPS, integers, same
from tilewright.ir.diagnostic import DiagnosticError

SHAPES: list[Shape] = [
    (1,),
    (2,),
    (512,),
    (1024,),
    (8, 64),
    (64, 8),
    (4, 8, 16),
    (16, 1, 32),
    (2, 4, 2, 8, 4),
]
CASES = [(shape, axis) for shape in SHAPES for axis in range(len(shape))]


def scan(axis: int, *, reverse: bool = False) -> str:
    return f"scan dim={axis} reverse={str(reverse).lower()}"


@pytest.mark.parametrize("reverse", [False, True], ids=["forward", "reverse"])
@pytest.mark.parametrize(("shape", "axis"), CASES, ids=str)
def test_sums_are_those_of_the_interpreter_to_the_last_bit(shape: Shape, axis: int, reverse: bool) -> None:
    before = [exact_numbers(shape), np.zeros(shape, np.float32)]
    _, after = same(combined(scan(axis, reverse=reverse), shape, shape), (1,), before, "sm_80")
    assert after.any(), "it did something"


@pytest.mark.parametrize("reverse", [False, True], ids=["forward", "reverse"])
def test_sums_of_any_numbers_are_rounded_as_sums_in_some_order_are(reverse: bool) -> None:
    given, made = numbers((1024,)), np.zeros((1024,), np.float32)
    text = combined(scan(0, reverse=reverse), (1024,), (1024,))
    tilewright.launch(text, "k", (1,), [given, made], target="sim:sm_80")
    turned = slice(None, None, -1 if reverse else 1)
    exact, sizes = (np.cumsum(part[turned])[turned] for part in (given.astype(float), np.abs(given)))
    steps = 2 * np.log2(1024)  # no element is in a longer chain of sums
    assert (np.abs(made - exact) <= steps * np.finfo(np.float32).eps * sizes).all()


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("reverse", [False, True], ids=["forward", "reverse"])
@pytest.mark.parametrize(("shape", "axis"), [((256,), 0), ((16, 32), 0)], ids=str)
def test_several_tiles_are_scanned_in_the_order_of_their_elements(
    shape: Shape, axis: int, reverse: bool, chip: str
) -> None:
    identities = ("1 : i32", "0 : i32")
    text = combined(scan(axis, reverse=reverse), shape, shape, AFFINE, ("i32", "i32"), identities)
    arrays = [integers(shape, np.int32) | 1, integers(shape, np.int32)]
    same(text, (1,), [*arrays, *map(np.zeros_like, arrays)], chip)


def test_a_body_may_branch() -> None:
    shape = (4, 64)
    text = combined(scan(1), shape, shape, LARGER_BY_BRANCH)
    same(text, (1,), [numbers(shape), np.zeros(shape, np.float32)], "sm_80")


@pytest.mark.parametrize("element", TYPES)
def test_elements_of_every_width_go_through_registers_lanes_and_warps(element: str) -> None:
    (body, identity), given = TYPES[element], exact_numbers((256,), element)
    text = combined(scan(0), (256,), (256,), body, (element,), (identity,))
    same(text, (1,), [given, np.zeros_like(given)], "sm_80")


def test_tiles_of_the_elements_that_are_combined_are_refused() -> None:
    text = combined(scan(0), (64,), (64,), TILE_OF_ELEMENTS)
    with pytest.raises(DiagnosticError, match=r"on tiles has no form on GPUs inside 'nv_tileas\.scan'"):
        _ = tilewright.compile(text, target="sm_80").asm["llvm"]


@pytest.mark.parametrize("reverse", [False, True], ids=["forward", "reverse"])
@pytest.mark.parametrize("layout", SPREAD.values(), ids=SPREAD)
def test_the_layout_of_a_tile_does_not_matter(layout: str, reverse: bool) -> None:
    text = combined(scan(0, reverse=reverse), (512,), (512,))
    given = exact_numbers((512,))
    made = [np.zeros((512,), np.float32) for _ in range(2)]
    tilewright.launch(text, "k", (1,), [given, made[0]], target="interp")
    tilewright.launch(elsewhere(text, "sm_80", layout), "k", (1,), [given, made[1]], target="sim:sm_80")
    assert made[0].tobytes() == made[1].tobytes()


def test_totals_of_all_warps_meet_once() -> None:
    """Of 2048 elements each thread has 16 in four runs: less than a sum for each element and bit of its number."""
    found = instructions(combined(scan(0), (2048,), (2048,)), "sm_80")
    assert found["bar.sync"] == found["ld.shared.b32"] == 1
    assert found["add.rn.f32"] < 16 * 6
