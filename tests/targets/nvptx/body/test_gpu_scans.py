"""Scans on GPUs: bit by bit what the interpreter makes of them, in its order, along every dimension and both ways."""

from __future__ import annotations

import numpy as np
import pytest

import tilewright
from tests.targets.nvptx.body.gpu_combinations import (
    AFFINE,
    CHOICE,
    SPREAD,
    TILE_OF_ELEMENTS,
    TYPES,
    Shape,
    combined,
    elsewhere,
    numbers,
)
from tests.targets.nvptx.body.gpu_programs import CHIPS, integers, same
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
    before = [numbers(shape), np.zeros(shape, np.float32)]
    _, after = same(combined(scan(axis, reverse=reverse), shape, shape), (1,), before, "sm_80")
    assert after.any(), "it did something"


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
    text = combined(scan(1), shape, shape, CHOICE)
    same(text, (1,), [numbers(shape), np.zeros(shape, np.float32)], "sm_80")


@pytest.mark.parametrize("element", TYPES)
def test_elements_of_every_width_go_through_registers_lanes_and_warps(element: str) -> None:
    (body, identity), given = TYPES[element], numbers((256,), element)
    text = combined(scan(0), (256,), (256,), body, (element,), (identity,))
    same(text, (1,), [given, np.zeros_like(given)], "sm_80")


def test_tiles_of_the_elements_that_are_combined_are_refused() -> None:
    text = combined(scan(0), (64,), (64,), TILE_OF_ELEMENTS)
    with pytest.raises(DiagnosticError, match=r"on tiles has no form on GPUs inside of 'nv_tileas\.scan'"):
        _ = tilewright.compile(text, target="sm_80").asm["llvm"]


@pytest.mark.parametrize("reverse", [False, True], ids=["forward", "reverse"])
@pytest.mark.parametrize("layout", SPREAD.values(), ids=SPREAD)
def test_the_layout_of_a_tile_does_not_matter(layout: str, reverse: bool) -> None:
    text = combined(scan(0, reverse=reverse), (512,), (512,))
    given = numbers((512,))
    made = [np.zeros((512,), np.float32) for _ in range(2)]
    tilewright.launch(text, "k", (1,), [given, made[0]], target="interp")
    tilewright.launch(elsewhere(text, "sm_80", layout), "k", (1,), [given, made[1]], target="sim:sm_80")
    assert made[0].tobytes() == made[1].tobytes()
