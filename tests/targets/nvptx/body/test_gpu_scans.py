"""Scans on GPUs: bit by bit what the interpreter makes of them, in its order, along every dimension and both ways."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod
from typing import Any

import numpy as np
import pytest

import tilewright
from tests.targets.nvptx.body.gpu_programs import CHIPS, integers, kernel, load, same, store, view
from tilewright.ir.diagnostic import DiagnosticError

SUM = """(%p: tile<{0}>, %q: tile<{0}>) {{
  %r = addf %p, %q : tile<{0}>
  yield %r : tile<{0}>
}}
"""


def scanned(
    shape: tuple[int, ...],
    axis: int,
    *,
    reverse: bool,
    elements: Sequence[str] = ("f32",),
    identities: Sequence[str] = ("0.0 : f32",),
    body: str = "",
) -> str:
    """A kernel that scans arrays `%x0`, `%x1`, ... of one shape, one for each element type, into `%y0`, `%y1`, ..."""
    tiles = [f"tile<{'x'.join(map(str, shape))}x{element}>" for element in elements]
    where = ", ".join(["%zero"] * len(shape))
    made, cuts = "", dict[str, str]()
    for (at, element), name in product(enumerate(elements), "xy"):
        text, cuts[f"{name}{at}"] = view(f"{name}{at}", shape, shape, element)
        made += text
    for at, tile in enumerate(tiles):
        made += load(f"a{at}", f"x{at}", cuts[f"x{at}"], where, tile)
    results, operands = (", ".join(f"%{name}{at}" for at in range(len(elements))) for name in "ca")
    types = ", ".join(tiles)
    made += f"{results} = scan {operands} dim={axis} reverse={str(reverse).lower()}"
    made += f" identities=[{', '.join(identities)}] : {types} -> {types}\n"
    made += body or SUM.format(elements[0])
    for at, tile in enumerate(tiles):
        made += store(f"c{at}", f"y{at}", cuts[f"y{at}"], where, tile)
    pointers = [f"%{name}{at}: tile<ptr<{element}>>" for name in "xy" for at, element in enumerate(elements)]
    return kernel(", ".join(pointers), made)


def numbers(shape: Sequence[int], type: Any = np.float32) -> Any:
    """Numbers whose sums are rounded, so that their order can be seen."""
    return np.random.default_rng(prod(shape)).standard_normal(tuple(shape)).astype(type)


SHAPES = [(1,), (2,), (512,), (1024,), (8, 64), (64, 8), (4, 8, 16), (16, 1, 32), (2, 4, 2, 8, 4)]
CASES = [(shape, axis) for shape in SHAPES for axis in range(len(shape))]


@pytest.mark.parametrize("reverse", [False, True], ids=["forward", "reverse"])
@pytest.mark.parametrize(("shape", "axis"), CASES, ids=str)
def test_sums_are_those_of_the_interpreter_to_the_last_bit(
    shape: tuple[int, ...], axis: int, reverse: bool
) -> None:
    before = [numbers(shape), np.zeros(shape, np.float32)]
    _, after = same(scanned(shape, axis, reverse=reverse), (1,), before, "sm_80")
    assert after.any(), "it did something"


AFFINE = """(%p: tile<i32>, %q: tile<i32>, %r: tile<i32>, %s: tile<i32>) {
  %m = muli %p, %q : tile<i32>
  %n = muli %p, %s : tile<i32>
  %o = addi %n, %r : tile<i32>
  yield %m, %o : tile<i32>, tile<i32>
}
"""
"""The composition of functions `x -> a * x + b`, which does not commute."""


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("reverse", [False, True], ids=["forward", "reverse"])
@pytest.mark.parametrize(("shape", "axis"), [((256,), 0), ((16, 32), 0)], ids=str)
def test_several_tiles_are_scanned_in_the_order_of_their_elements(
    shape: tuple[int, ...], axis: int, reverse: bool, chip: str
) -> None:
    identities = ("1 : i32", "0 : i32")
    text = scanned(shape, axis, reverse=reverse, elements=("i32", "i32"), identities=identities, body=AFFINE)
    arrays = [integers(shape, np.int32) | 1, integers(shape, np.int32)]
    same(text, (1,), [*arrays, *map(np.zeros_like, arrays)], chip)


CHOICE = """(%p: tile<f32>, %q: tile<f32>) {
  %less = cmpf less_than ordered %p, %q : tile<f32> -> tile<i1>
  %r = if %less -> (tile<f32>) {
    %s = subf %p, %q : tile<f32>
    yield %s : tile<f32>
  } else {
    yield %p : tile<f32>
  }
  yield %r : tile<f32>
}
"""


def test_a_body_may_branch() -> None:
    shape = (4, 64)
    text = scanned(shape, 1, reverse=False, body=CHOICE)
    same(text, (1,), [numbers(shape), np.zeros(shape, np.float32)], "sm_80")


TYPES = {
    "i1": ("xori", "false", np.bool_),
    "i8": ("addi", "0 : i8", np.int8),
    "i16": ("muli", "1 : i16", np.int16),
    "i64": ("addi", "0 : i64", np.int64),
    "f16": ("addf", "0.0 : f16", np.float16),
    "f64": ("mulf", "1.0 : f64", np.float64),
}


@pytest.mark.parametrize("element", TYPES)
def test_elements_of_every_width_go_through_registers_lanes_and_warps(element: str) -> None:
    operation, identity, type = TYPES[element]
    body = SUM.format(element).replace("addf", operation)
    text = scanned((256,), 0, reverse=False, elements=(element,), identities=(identity,), body=body)
    given = numbers((256,), type) if element.startswith("f") else integers((256,), type)
    same(text, (1,), [given, np.zeros_like(given)], "sm_80")


TILE_OF_ELEMENTS = """(%p: tile<f32>, %q: tile<f32>) {
  %single = reshape %p : tile<f32> -> tile<1xf32>
  %row = broadcast %single : tile<1xf32> -> tile<4xf32>
  %r = reduce %row dim=0 identities=[0.0 : f32] : tile<4xf32> -> tile<f32>
  (%s: tile<f32>, %t: tile<f32>) {
    %u = addf %s, %t : tile<f32>
    yield %u : tile<f32>
  }
  %v = addf %r, %q : tile<f32>
  yield %v : tile<f32>
}
"""


def test_tiles_of_the_elements_that_are_combined_are_refused() -> None:
    text = scanned((64,), 0, reverse=False, body=TILE_OF_ELEMENTS)
    with pytest.raises(DiagnosticError, match=r"on tiles has no form on GPUs inside of 'nv_tileas\.scan'"):
        _ = tilewright.compile(text, target="sm_80").asm["llvm"]
