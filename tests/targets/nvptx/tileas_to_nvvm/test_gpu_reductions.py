"""Reductions on GPUs: bit by bit what the interpreter makes of them, along every dimension, by any body."""

from __future__ import annotations

import numpy as np
import pytest

import tilewright
from tests.targets.nvptx.tileas_to_nvvm.gpu_combinations import (
    AFFINE,
    CHOICE,
    LARGEST,
    SPREAD,
    SUM,
    TILE_OF_A_SUM,
    TILE_OF_ELEMENTS,
    TYPES,
    Shape,
    combined,
    elsewhere,
    instructions,
    numbers,
)
from tests.targets.nvptx.tileas_to_nvvm.gpu_programs import CHIPS, integers, same
from tilewright.ir.diagnostic import DiagnosticError

SHAPES: list[Shape] = [(1,), (512,), (2048,), (8, 64), (64, 8), (4, 8, 16), (16, 1, 32), (2, 4, 2, 8, 4)]
CASES = [(shape, axis) for shape in SHAPES for axis in range(len(shape))]


def without(shape: Shape, axis: int) -> Shape:
    return (*shape[:axis], *shape[axis + 1 :])


@pytest.mark.parametrize(("shape", "axis"), CASES, ids=str)
def test_sums_are_those_of_the_interpreter_to_the_last_bit(shape: Shape, axis: int) -> None:
    result = without(shape, axis)
    before = [numbers(shape), np.zeros(result or (1,), np.float32)]
    _, after = same(combined(f"reduce dim={axis}", shape, result), (1,), before, "sm_80")
    assert after.any(), "it did something"


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize(("shape", "axis"), [((512,), 0), ((16, 64), 0), ((16, 64), 1)], ids=str)
def test_several_tiles_are_combined_in_the_order_of_their_elements(
    shape: Shape, axis: int, chip: str
) -> None:
    result, identities = without(shape, axis), ("1 : i32", "0 : i32")
    text = combined(f"reduce dim={axis}", shape, result, AFFINE, ("i32", "i32"), identities)
    room = np.zeros(result or (1,), np.int32)
    same(
        text,
        (1,),
        [integers(shape, np.int32) | 1, integers(shape, np.int32), room, np.zeros_like(room)],
        chip,
    )


def test_tiles_of_different_types_are_combined_together() -> None:
    shape, result = (4, 256), (4,)
    text = combined("reduce dim=1", shape, result, LARGEST, ("f32", "i64"), ("0.0 : f32", "0 : i64"))
    given = [numbers(shape), np.arange(1024).reshape(shape)]
    _, _, largest, place = same(
        text, (1,), [*given, np.zeros(result, np.float32), np.zeros(result, int)], "sm_80"
    )
    assert (largest == given[0].max(axis=1)).all()
    assert (place == given[0].argmax(axis=1) + 256 * np.arange(4)).all()


def test_a_body_may_branch() -> None:
    text = combined("reduce dim=1", (4, 64), (4,), CHOICE)
    same(text, (1,), [numbers((4, 64)), np.zeros(4, np.float32)], "sm_80")


@pytest.mark.parametrize("element", TYPES)
def test_elements_of_every_width_go_through_registers_lanes_and_warps(element: str) -> None:
    (body, identity), given = TYPES[element], numbers((512,), element)
    text = combined("reduce dim=0", (512,), (), body, (element,), (identity,))
    same(text, (1,), [given, np.zeros(1, given.dtype)], "sm_80")


@pytest.mark.parametrize("body", [TILE_OF_ELEMENTS, TILE_OF_A_SUM], ids=["direct", "indirect"])
def test_tiles_of_the_elements_that_are_combined_are_refused(body: str) -> None:
    text = combined("reduce dim=0", (64,), (), body)
    with pytest.raises(DiagnosticError, match=r"on tiles has no form on GPUs inside 'nv_tileas\.reduce'"):
        _ = tilewright.compile(text, target="sm_80").asm["llvm"]


@pytest.mark.parametrize("layout", SPREAD.values(), ids=SPREAD)
def test_the_layout_of_a_tile_does_not_matter(layout: str) -> None:
    text = combined("reduce dim=0", (512,), ())
    given = numbers((512,))
    made = [np.zeros(1, np.float32) for _ in range(2)]
    tilewright.launch(text, "k", (1,), [given, made[0]], target="interp")
    tilewright.launch(elsewhere(text, "sm_80", layout), "k", (1,), [given, made[1]], target="sim:sm_80")
    assert made[0].tobytes() == made[1].tobytes()


def test_no_element_is_combined_twice_and_warps_meet_once() -> None:
    """Each thread adds its eight runs of four neighbours; lanes share the eight sums, three times; then there are two bits
    of lanes left.  Of the 32 parts of all warps each thread reads four, and three bits of lanes tell the others apart."""
    found = instructions(combined("reduce dim=0", (4096,), ()), "sm_80")
    shared, left = 4 + 2 + 1, 2
    assert found["shfl.sync.bfly.b32"] == shared + left + 3
    assert found["add.rn.f32"] == 8 * 3 + shared + left + 3 + 3
    assert found["bar.sync"] == 1


@pytest.mark.parametrize(("chip", "largest"), [("sm_75", "max.f32"), ("sm_80", "max.f16")])
def test_halves_are_combined_by_instructions_for_halves(chip: str, largest: str) -> None:
    sums, extrema = (
        instructions(
            combined("reduce dim=0", (512,), (), SUM.format("f16", word), ("f16",), ("0.0 : f16",)), chip
        )
        for word in ("addf", "maxf")
    )
    assert sums["add.rn.f16"]
    assert not sums["cvt.f32.f16"]
    assert extrema[largest]


BITS = """(%p: tile<f32>, %q: tile<f32>, %u: tile<i32>, %v: tile<i32>) {
  %s = addf %p, %q : tile<f32>
  %b = bitcast %p : tile<f32> -> tile<i32>
  %c = bitcast %q : tile<f32> -> tile<i32>
  %d = ori %b, %c : tile<i32>
  %e = ori %u, %v : tile<i32>
  %f = ori %d, %e : tile<i32>
  yield %s, %f : tile<f32>, tile<i32>
}
"""
"""All bits that the body sees of elements and of sums, beside the sum."""


@pytest.mark.parametrize("target", ["cpu", "sim:sm_80"])
@pytest.mark.parametrize("work", ["", "%e0 = subf %a0, %a0 : tile<256xf32>\n"], ids=["sums", "elements"])
@pytest.mark.parametrize("operation", ["reduce", "scan"])
def test_a_body_that_reads_bits_sees_the_canonical_nan(operation: str, work: str, target: str) -> None:
    is_scan = operation == "scan"
    shape, result = (256,), (256,) if is_scan else ()
    how = f"{operation} dim=0" + " reverse=false" * is_scan
    text = combined(how, shape, result, BITS, ("f32", "i32"), ("0.0 : f32", "0 : i32"))
    if work:
        text = text.replace("%c0, %c1 =", f"{work}%c0, %c1 =").replace(f"{operation} %a0", f"{operation} %e0")
    infinite = np.where(np.arange(256) % 2, np.inf, -np.inf).astype(np.float32)
    given = [infinite, np.zeros(256, np.int32)]
    rooms = [np.zeros(result or (1,), type) for type in (np.float32, np.int32)]
    wanted, got = ([*given, *(room.copy() for room in rooms)] for _ in range(2))
    tilewright.launch(text, "k", (1,), wanted, target="interp")
    tilewright.launch(text, "k", (1,), got, target=target)
    last = slice(-1, None)  # of a scan: what all elements together are, whatever the order
    assert got[3][last].tobytes() == wanted[3][last].tobytes()
    assert wanted[3][-1] & 0xFFFF == 0


def test_lanes_exchange_one_part_where_any_order_gives_the_same_bits() -> None:
    """Each thread first combines its 32 elements; then there are five bits of lanes, and the parts of four warps."""
    largest = SUM.format("f32", "maxf")
    found = instructions(combined("reduce dim=0", (4096,), (), largest, ("f32",), ("0.0 : f32",)), "sm_80")
    assert found["shfl.sync.bfly.b32"] == 5
    assert found["selp.b32"] == 0
    assert found["max.f32"] == 31 + 5 + 3
