"""Parts of tiles and other shapes on GPUs: each element comes from where the interpreter takes it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tilewright
from tests.targets.nvptx.tileas_to_nvvm.gpu_programs import CHIPS, kernel, load, same, store, view

Shape = tuple[int, ...]
NAMES = {
    "i1": np.bool_,
    "i8": np.int8,
    "i16": np.int16,
    "i32": np.int32,
    "i64": np.int64,
    "f16": np.float16,
    "bf16": np.uint16,
    "f8E4M3FN": np.uint8,
    "f32": np.float32,
    "tf32": np.float32,
    "f64": np.float64,
}
"""Element types, and how arrays hold them."""


def tile(shape: Shape, element: str) -> str:
    return f"tile<{'x'.join([*map(str, shape), element])}>"


def moved(operation: str, shape: Shape, result: Shape, element: str = "i32") -> str:
    """A kernel that loads `%a` of a shape, and stores what an operation makes of it as `%b`."""
    (x, cut), (y, whole) = view("x", shape, shape, element), view("y", result, result, element)
    text = x + y + load("a", "x", cut, zeros(shape), tile(shape, element))
    text += operation.format(source=tile(shape, element), result=tile(result, element)) + "\n"
    text += store("b", "y", whole, zeros(result), tile(result, element))
    return kernel(f"%x: tile<ptr<{element}>>, %y: tile<ptr<{element}>>", text)


def zeros(shape: Shape) -> str:
    return ", ".join(["%zero"] * len(shape))


def arrays(shape: Shape, result: Shape, element: str = "i32") -> list[Any]:
    """Numbered elements, and room for the result."""
    type = NAMES[element]
    numbers = np.arange(1, 1 + np.prod(shape)) % (3 if type is np.bool_ else 101)
    return [numbers.astype(type).reshape(shape), np.zeros(result, type)]


def check(operation: str, shape: Shape, result: Shape, element: str = "i32", chip: str = "sm_80") -> None:
    """Compare what an operation does with the interpreter."""
    _, after = same(moved(operation, shape, result, element), (1,), arrays(shape, result, element), chip)
    assert after.any(), "it did something"


def extracted(*indices: str) -> str:
    return f"%b = extract %a[{', '.join(indices)}] : {{source}} -> {{result}}"


EXTRACTIONS: dict[str, tuple[str, Shape, Shape]] = {
    "within registers": (extracted("%one", "%zero"), (16, 128), (8, 128)),
    "from other lanes": (extracted("%zero", "%one"), (16, 64), (16, 32)),
    "from other warps": (extracted("%one"), (512,), (256,)),
    "one element": (extracted("%one", "%one"), (32, 8), (1, 1)),
    "of three dimensions": (extracted("%one", "%zero", "%one"), (4, 8, 16), (2, 8, 8)),
    "of five dimensions": (
        extracted("%one", "%zero", "%one", "%one", "%one"),
        (2, 4, 2, 4, 8),
        (1, 4, 1, 2, 4),
    ),
}


@pytest.mark.parametrize("case", EXTRACTIONS.values(), ids=EXTRACTIONS)
def test_a_part_is_taken_out(case: tuple[str, Shape, Shape]) -> None:
    check(*case)


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("word", ["extract", "insert"])
def test_the_place_of_a_part_may_be_known_at_run_time_only(word: str, chip: str) -> None:
    shape, part = (16, 64), (4, 16)
    result = part if word == "extract" else shape
    names = {
        "extract": "%b = extract %a[%i, %j] : {source} -> {result}",
        "insert": "%b = insert %p, %a[%i, %j] : " + tile(part, "i32") + ", {result}",
    }
    (x, cut), (w, small) = view("x", shape, shape, "i32"), view("w", part, part, "i32")
    y, whole = view("y", (4, 4, *result), (1, 1, *result), "i32")
    text = x + w + y + load("a", "x", cut, "%zero, %zero", tile(shape, "i32"))
    text += load("p", "w", small, "%zero, %zero", tile(part, "i32"))
    text += names[word].format(source=tile(shape, "i32"), result=tile(result, "i32")) + "\n"
    text += f"%c = reshape %b : {tile(result, 'i32')} -> {tile((1, 1, *result), 'i32')}\n"
    text += store("c", "y", whole, "%i, %j, %zero, %zero", tile((1, 1, *result), "i32"))
    pointers = ", ".join(f"%{name}: tile<ptr<i32>>" for name in "xwy")
    given = arrays(shape, (4, 4, *result))
    same(kernel(pointers, text), (4, 4), [given[0], -1 - arrays(part, part)[0], given[1]], chip)


JOINED: list[tuple[Shape, int]] = [
    ((256,), 0),
    ((512,), 0),
    ((16, 64), 0),
    ((16, 64), 1),
    ((4, 8, 16), 1),
    ((2, 2, 4, 4, 8), 3),
    ((1,), 0),
]


def joining(shape: Shape, axis: int, element: str) -> str:
    """A kernel that puts the tiles of `%x` and `%w` one behind the other, into `%y`; it also takes a number `%n`."""
    result = doubled(shape, axis)
    (x, cut), (w, _) = (view(name, shape, shape, element) for name in "xw")
    y, whole = view("y", result, result, element)
    source, joined = tile(shape, element), tile(result, element)
    text = x + w + y + load("a", "x", cut, zeros(shape), source) + load("m", "w", cut, zeros(shape), source)
    text += f"%b = cat %a, %m dim = {axis} : {source}, {source} -> {joined}\n"
    text += store("b", "y", whole, zeros(result), joined)
    pointers = ", ".join(f"%{name}: tile<ptr<{element}>>" for name in "xwy")
    return kernel(f"{pointers}, %n: tile<i32>", text)


def doubled(shape: Shape, axis: int) -> Shape:
    return tuple(extent * (1 + (at == axis)) for at, extent in enumerate(shape))


@pytest.mark.parametrize("element", ["i32", "f8E4M3FN"])
@pytest.mark.parametrize(("shape", "axis"), JOINED, ids=str)
def test_tiles_are_put_one_behind_the_other(shape: Shape, axis: int, element: str) -> None:
    first, room = arrays(shape, doubled(shape, axis), element)
    given = [first, first + 1, room, 0]
    _, _, after, _ = same(joining(shape, axis, element), (1,), given, "sm_80")
    assert after.any(), "it did something"


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("offset", ["known", "passed"])
def test_a_part_may_go_to_any_place(offset: str, chip: str) -> None:
    shape, result = (16, 32), (16, 64)
    text = str(tilewright.compile(joining(shape, 1, "i32"), target=chip).asm["tileas"])
    known, place = "%c32_i32 = arith.constant 32 : i32", 5
    assert text.count(known) == 1
    if offset == "known":
        text = text.replace(known, f"%c32_i32 = arith.constant {place} : i32")
    else:
        text = text.replace(known, "").replace("%c32_i32", "%arg3")
    first, room = arrays(shape, result)
    tilewright.launch(text, "k", (1,), [first, first + 1, room, place], target=f"sim:{chip}")
    assert (room[:, :place] == first[:, :place]).all()
    assert (room[:, place : place + 32] == first + 1).all()


RESHAPED: dict[str, tuple[str, Shape, Shape]] = {
    f"permuted to {list(order)}": (
        f"%b = permute %a {list(order)} : {{source}} -> {{result}}",
        (2, 8, 1, 16),
        tuple((2, 8, 1, 16)[at] for at in order),
    )
    for order in [(3, 2, 1, 0), (0, 2, 3, 1), (1, 0, 3, 2), (2, 3, 0, 1), (0, 1, 3, 2)]
} | {
    "permuted, five dimensions": (
        "%b = permute %a [4, 2, 0, 3, 1] : {source} -> {result}",
        (2, 4, 8, 2, 4),
        (4, 8, 2, 2, 4),
    ),
    "repeated along rows": ("%b = broadcast %a : {source} -> {result}", (16, 1), (16, 64)),
    "repeated along columns": ("%b = broadcast %a : {source} -> {result}", (1, 64), (16, 64)),
    "repeated along several": ("%b = broadcast %a : {source} -> {result}", (1, 8, 1, 4), (4, 8, 16, 4)),
    "one element repeated": ("%b = broadcast %a : {source} -> {result}", (1, 1), (32, 32)),
    "split": ("%b = reshape %a : {source} -> {result}", (512,), (4, 8, 1, 16)),
    "joined": ("%b = reshape %a : {source} -> {result}", (4, 1, 8, 16), (512,)),
    "to a scalar and back": (
        "%n = reshape %a : {source} -> tile<i32>\n%b = reshape %n : tile<i32> -> {result}",
        (1, 1, 1),
        (1,),
    ),
}


@pytest.mark.parametrize("case", RESHAPED.values(), ids=RESHAPED)
def test_tiles_take_other_shapes(case: tuple[str, Shape, Shape]) -> None:
    operation, shape, result = case
    check("%c = addi %a, %a : {source}\n" + operation.replace("%a", "%c"), shape, result)


@pytest.mark.parametrize("element", NAMES)
def test_elements_of_every_type_move(element: str) -> None:
    check("%b = permute %a [1, 0] : {source} -> {result}", (16, 32), (32, 16), element)
    check(extracted("%one", "%one"), (16, 32), (8, 16), element)
