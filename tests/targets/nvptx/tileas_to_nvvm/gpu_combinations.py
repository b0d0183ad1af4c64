"""Kernels that reduce or scan arrays along a dimension, the bodies by which they combine elements, and data for them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import product
from math import prod
from typing import Any

import numpy as np

import tilewright
from tests.targets.nvptx.tileas_to_nvvm.gpu_programs import integers, kernel, load, store, view

Shape = tuple[int, ...]
SUM = """(%p: tile<{0}>, %q: tile<{0}>) {{
  %r = {1} %p, %q : tile<{0}>
  yield %r : tile<{0}>
}}
"""
AFFINE = """(%p: tile<i32>, %q: tile<i32>, %r: tile<i32>, %s: tile<i32>) {
  %m = muli %p, %q : tile<i32>
  %n = muli %p, %s : tile<i32>
  %o = addi %n, %r : tile<i32>
  yield %m, %o : tile<i32>, tile<i32>
}
"""
"""The composition of functions `x -> a * x + b`, which does not commute."""
LARGEST = """(%p: tile<f32>, %q: tile<f32>, %r: tile<i64>, %s: tile<i64>) {
  %c = cmpf greater_than ordered %p, %q : tile<f32> -> tile<i1>
  %m = select %c, %p, %q : tile<i1>, tile<f32>
  %n = select %c, %r, %s : tile<i1>, tile<i64>
  yield %m, %n : tile<f32>, tile<i64>
}
"""
"""The largest element and its number."""
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
LARGER_BY_BRANCH = """(%p: tile<f32>, %q: tile<f32>) {
  %less = cmpf less_than ordered %p, %q : tile<f32> -> tile<i1>
  %r = if %less -> (tile<f32>) {
    yield %q : tile<f32>
  } else {
    yield %p : tile<f32>
  }
  yield %r : tile<f32>
}
"""
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
TILE_OF_A_SUM = """(%p: tile<f32>, %q: tile<f32>) {
  %d = addf %p, %q : tile<f32>
  %single = reshape %d : tile<f32> -> tile<1xf32>
  %row = broadcast %single : tile<1xf32> -> tile<4xf32>
  %numbers = iota : tile<4xi32>
  %floats = itof %numbers signed : tile<4xi32> -> tile<4xf32>
  %sums = addf %row, %floats : tile<4xf32>
  %index = constant <i32: 1> : tile<i32>
  %second = extract %sums[%index] : tile<4xf32> -> tile<1xf32>
  %v = reshape %second : tile<1xf32> -> tile<f32>
  yield %v : tile<f32>
}
"""
LARGER_BYTE = """(%p: tile<f8E5M2>, %q: tile<f8E5M2>) {
  %a = ftof %p : tile<f8E5M2> -> tile<f32>
  %b = ftof %q : tile<f8E5M2> -> tile<f32>
  %c = maxf %a, %b : tile<f32>
  %d = ftof %c : tile<f32> -> tile<f8E5M2>
  yield %d : tile<f8E5M2>
}
"""
TYPES: dict[str, tuple[str, str]] = {
    "i1": (SUM.format("i1", "xori"), "false"),
    "i8": (SUM.format("i8", "addi"), "0 : i8"),
    "i16": (SUM.format("i16", "muli"), "1 : i16"),
    "i64": (SUM.format("i64", "addi"), "0 : i64"),
    "f8E5M2": (LARGER_BYTE, "0.0 : f8E5M2"),
    "f16": (SUM.format("f16", "addf"), "0.0 : f16"),
    "bf16": (SUM.format("bf16", "addf"), "0.0 : bf16"),
    "f64": (SUM.format("f64", "mulf"), "1.0 : f64"),
}
"""A body and an identity for types of every width."""
ARRAYS = {
    "i1": np.bool_,
    "i8": np.int8,
    "i16": np.int16,
    "i32": np.int32,
    "i64": np.int64,
    "f16": np.float16,
    "f32": np.float32,
    "f64": np.float64,
}


def combined(
    operation: str,
    shape: Shape,
    result: Shape,
    body: str = "",
    elements: Sequence[str] = ("f32",),
    identities: Sequence[str] = ("0.0 : f32",),
) -> str:
    """A kernel that applies ``reduce dim=0`` or the like to arrays `%x0`, `%x1`, ... of one shape.

    There is one for each element type; the results go to `%y0`, `%y1`, ...
    """
    body = body or SUM.format("f32", "addf")
    held = [tile(shape, element) for element in elements]
    left = [tile(result, element) for element in elements]
    made, cuts = "", dict[str, str]()
    for (at, element), name in product(enumerate(elements), "xy"):
        extents = shape if name == "x" else result or (1,)
        text, cuts[f"{name}{at}"] = view(f"{name}{at}", extents, extents, element)
        made += text
    for at, type in enumerate(held):
        made += load(f"a{at}", f"x{at}", cuts[f"x{at}"], ", ".join(["%zero"] * len(shape)), type)
    word, _, rest = operation.partition(" ")
    results, operands = (", ".join(f"%{name}{at}" for at in range(len(elements))) for name in "ca")
    made += f"{results} = {word} {operands} {rest} identities=[{', '.join(identities)}]"
    made += f" : {', '.join(held)} -> {', '.join(left)}\n" + body
    for at, (element, type) in enumerate(zip(elements, left, strict=True)):
        whole = tile(result or (1,), element)
        made += f"%d{at} = reshape %c{at} : {type} -> {whole}\n"
        made += store(f"d{at}", f"y{at}", cuts[f"y{at}"], ", ".join(["%zero"] * (len(result) or 1)), whole)
    pointers = [f"%{name}{at}: tile<ptr<{element}>>" for name in "xy" for at, element in enumerate(elements)]
    return kernel(", ".join(pointers), made)


BLOCKED = "(512) register=4:1@0 lane=32:4@0 warp=4:128@0"
SPREAD = {
    "neighbours in neighbouring threads": "(512) register=4:128@0 lane=32:1@0 warp=4:32@0",
    "registers between lanes": "(512) register=(2,2):(4@0,64@0) lane=(4,4,2):(1@0,8@0,32@0) warp=4:128@0",
    "registers above lanes": "(512) register=4:32@0 lane=32:1@0 warp=4:128@0",
    "registers around lanes": "(512) register=(2,2):(1@0,256@0) lane=32:2@0 warp=4:64@0",
    "lanes above warps": "(512) register=(2,2):(1@0,8@0) lane=32:16@0 warp=(2,2):(2@0,4@0)",
    "lanes backwards": "(512) register=4:128@0 lane=(2,2,2,2,2):(64@0,32@0,16@0,8@0,4@0) warp=4:1@0",
}
"""Layouts of 512 elements over 4 warps."""


def elsewhere(text: str, chip: str, layout: str) -> str:
    """The stage `layouts` of a kernel on 512 elements, with its tiles in another layout."""
    made = str(tilewright.compile(text, target=chip).asm["layouts"])
    assert BLOCKED in made, "tiles are in blocks unless somebody says otherwise"
    return made.replace(BLOCKED, layout)


def tile(shape: Shape, element: str) -> str:
    return f"tile<{'x'.join([*map(str, shape), element])}>"


def numbers(shape: Shape, element: str = "f32") -> Any:
    """Elements of a type; the sums of floats are rounded, so that their order can be seen."""
    found = np.random.default_rng(prod(shape)).standard_normal(shape).astype(np.float32)
    if element == "bf16":
        return (found.view(np.uint32) >> 16).astype(np.uint16)
    if element.startswith("f8"):
        return np.arange(prod(shape), dtype=np.uint8).reshape(shape) % 64
    return found.astype(ARRAYS[element]) if element.startswith("f") else integers(shape, ARRAYS[element])


def exact_numbers(shape: Shape, element: str = "f32") -> Any:
    """Elements of a type whose sums (for f64, products) are the same in every order: small integers and powers of two."""
    if not element.startswith(("f", "bf")) or element.startswith("f8"):
        return numbers(shape, element)
    found = np.random.default_rng(prod(shape)).choice((-2, -1, 1, 2), shape).astype(np.float32)
    if element == "f64":
        return np.exp2(found.astype(np.float64))
    return (
        (found.view(np.uint32) >> 16).astype(np.uint16)
        if element == "bf16"
        else found.astype(ARRAYS[element])
    )


def instructions(text: str, chip: str) -> Counter[str]:
    """How often each instruction stands in the PTX of a kernel."""
    ptx = str(tilewright.compile(text, target=chip).asm["ptx"])
    return Counter(re.findall(r"^\s+(?:@!?%p\d+ )?([a-z]\S*)", ptx, re.MULTILINE))
