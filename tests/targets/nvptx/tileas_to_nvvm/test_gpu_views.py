"""Tiles of views of every kind on GPUs, past every edge: what moves is what the interpreter moves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import tilewright
from tests.targets.nvptx.tileas_to_nvvm.gpu_programs import CHIPS, kernel, same
from tests.targets.view_programs import View, arguments, program, same_memory


def check(view: View, chip: str = "sm_80") -> None:
    """The same memory after the interpreter and the simulator, the room around arrays included."""
    results: list[list[Any]] = []
    for target in ("interp", f"sim:{chip}"):
        memory, given = arguments(view)
        tilewright.launch(program(view), "k", view.blocks, given, target=target)
        results.append(memory)
    same_memory(*results)


SHAPES = [((16,), (17,)), ((4, 16), (3, 20)), ((8, 1), (9, 3)), ((2, 4, 8), (3, 4, 9))]
"""Extents of tiles and arrays."""
EXTENTS = pytest.mark.parametrize("dynamic", [False, True], ids=["static", "dynamic"])


@EXTENTS
@pytest.mark.parametrize(("tile", "shape"), SHAPES, ids=str)
def test_partition_views(tile: tuple[int, ...], shape: tuple[int, ...], dynamic: bool) -> None:
    check(View("partition", shape, tile, dynamic, gap=3))


@EXTENTS
def test_dimensions_in_another_order(dynamic: bool) -> None:
    check(View("partition", (5, 4, 3), (4, 2, 2), dynamic, order=(2, 0, 1)))


@EXTENTS
@pytest.mark.parametrize("far", [0, 5], ids=["adjacent", "apart"])
def test_strided_views(far: int, dynamic: bool) -> None:
    tile = (4, 8)
    check(View("strided", (9, 20), tile, dynamic, steps=tuple(extent + far for extent in tile)))


@pytest.mark.parametrize("chip", CHIPS)
def test_every_chip(chip: str) -> None:
    check(View("partition", (6, 20), (4, 16)), chip)


def five_dimensions(tile: Sequence[int], element: str, padding: str) -> str:
    """A kernel that loads a tile of five dimensions past the end of all of them, and stores it as a whole."""
    extents, strides = [3, 2, 5, 3, 6], [180, 90, 18, 6, 1]
    source = f"tensor_view<{'x'.join(map(str, extents))}x{element}, strides={strides}>"
    named = "x".join(map(str, tile))
    cut = f"partition_view<tile=({named}), padding_value = {padding}, {source}>"
    count = int(np.prod(tile))
    target = f"tensor_view<{count}x{element}, strides=[1]>"
    whole = f"partition_view<tile=({count}), {target}>"
    return kernel(
        f"%x: tile<ptr<{element}>>, %y: tile<ptr<{element}>>",
        f"""
    %a = make_tensor_view %x, shape = {extents}, strides = {strides} : {source}
    %v = make_partition_view %a : {cut}
    %b = make_tensor_view %y, shape = [{count}], strides = [1] : {target}
    %w = make_partition_view %b : {whole}
    %t, %k1 = load_view_tko weak %v[%one, %zero, %one, %one, %one] : {cut}, tile<i32> -> tile<{named}x{element}>, token
    %f = reshape %t : tile<{named}x{element}> -> tile<{count}x{element}>
    %k2 = store_view_tko weak %f, %w[%zero] : tile<{count}x{element}>, {whole}, tile<i32> -> token
    """,
    )


PADDINGS = ["zero", "neg_zero", "nan", "pos_inf", "neg_inf"]
ELEMENTS = {
    "f32": np.uint32,
    "f16": np.uint16,
    "bf16": np.uint16,
    "f64": np.uint64,
    "f8E4M3FN": np.uint8,
    "f8E5M2": np.uint8,
}
"""Floats, and how arrays hold their bits."""


@pytest.mark.parametrize("padding", PADDINGS)
@pytest.mark.parametrize("element", ELEMENTS)
def test_elements_outside_are_the_padding_of_the_view(element: str, padding: str) -> None:
    tile, type = (2, 2, 4, 2, 4), ELEMENTS[element]
    text = five_dimensions(tile, element, padding)
    given = [np.arange(540).astype(type) % 100, np.full(int(np.prod(tile)), 1, type)]
    _, after = same(text, (1,), given, "sm_80")
    assert len(set(after.tolist())) > 2, "some elements exist"
