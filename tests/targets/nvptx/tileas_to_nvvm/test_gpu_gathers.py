"""Rows that are gathered and scattered on GPUs: each comes from and goes to a place of its own, those outside to none."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.targets.nvptx.tileas_to_nvvm.gpu_programs import CHIPS, kernel, same

Shape = tuple[int, ...]
PLACES = [5, 2, -1, 0, 4, 9, 1 << 20, 3]
"""Of rows, some of them outside."""


def row_major(shape: Shape) -> list[int]:
    return [int(np.prod(shape[at + 1 :])) for at in range(len(shape))]


def moved(shape: Shape, tile: Shape, sparse: int, word: str, element: str = "i32", index: str = "i32") -> str:
    """A kernel that gathers a tile of `%x` by the numbers in `%n`, or scatters one, and copies the other side as a whole."""
    tensor = f"tensor_view<{'x'.join(map(str, shape))}x{element}, strides={row_major(shape)}>"
    picked = f"gather_scatter_view<tile=({'x'.join(map(str, tile))}), padding_value = zero, {tensor}, sparse_dim={sparse}>"
    held = f"tile<{'x'.join(map(str, tile))}x{element}>"
    whole = f"tensor_view<{'x'.join(map(str, tile))}x{element}, strides={row_major(tile)}>"
    cut = f"partition_view<tile=({'x'.join(map(str, tile))}), {whole}>"
    count = tile[sparse]
    numbers = f"tensor_view<{count}x{index}, strides=[1]>"
    listed = f"partition_view<tile=({count}), {numbers}>"
    places = [f"tile<{count}x{index}>" if at == sparse else "tile<i32>" for at in range(len(tile))]
    at = f"[{', '.join('%rows' if dim == sparse else '%one' for dim in range(len(tile)))}]"
    rows = f"{at} : {{}}{picked}, {', '.join(places)}"
    zeros = f"[{', '.join(['%zero'] * len(tile))}] : {{}}{cut}, tile<i32>"
    source, target = ("%p" + rows, "%q" + zeros) if word == "gather" else ("%q" + zeros, "%p" + rows)
    return kernel(
        f"%x: tile<ptr<{element}>>, %y: tile<ptr<{element}>>, %n: tile<ptr<{index}>>",
        f"""
    %a = make_tensor_view %x, shape = {list(shape)}, strides = {row_major(shape)} : {tensor}
    %p = make_gather_scatter_view %a : {picked}
    %b = make_tensor_view %y, shape = {list(tile)}, strides = {row_major(tile)} : {whole}
    %q = make_partition_view %b : {cut}
    %c = make_tensor_view %n, shape = [{count}], strides = [1] : {numbers}
    %m = make_partition_view %c : {listed}
    %rows, %k1 = load_view_tko weak %m[%zero] : {listed}, tile<i32> -> tile<{count}x{index}>, token
    %t, %k2 = load_view_tko weak {source.format("")} -> {held}, token
    %k3 = store_view_tko weak %t, {target.format(held + ", ")} -> token
    """,
    )


def check(shape: Shape, tile: Shape, sparse: int, word: str, chip: str = "sm_80", **types: Any) -> None:
    """Compare what becomes of memory with the interpreter."""
    text = moved(shape, tile, sparse, word, types.get("element", "i32"), types.get("index", "i32"))
    type = types.get("type", np.int32)
    one, other = (
        (1 + np.arange(np.prod(extents)) % 97).reshape(extents).astype(type) for extents in (shape, tile)
    )
    listed = np.array(PLACES[: tile[sparse]], types.get("numbers", np.int32))
    changed = 1 if word == "gather" else 0
    before = [one, -other if type is np.int32 else other[::-1].copy(), listed]
    after = same(text, (1,), before, chip)
    assert after[changed].tobytes() != before[changed].tobytes(), "it did something"


WORDS = pytest.mark.parametrize("word", ["gather", "scatter"])


@WORDS
@pytest.mark.parametrize("chip", CHIPS)
def test_rows_of_a_matrix(word: str, chip: str) -> None:
    check((6, 70), (8, 64), 0, word, chip)


@WORDS
@pytest.mark.parametrize("sparse", [0, 1, 2])
def test_rows_along_any_dimension(word: str, sparse: int) -> None:
    tile = tuple(8 if at == sparse else 4 for at in range(3))
    check((6, 7, 5), tile, sparse, word)


@WORDS
def test_single_elements(word: str) -> None:
    check((6,), (8,), 0, word)


@WORDS
def test_five_dimensions(word: str) -> None:
    check((6, 3, 2, 3, 5), (8, 2, 1, 2, 4), 0, word)


@WORDS
@pytest.mark.parametrize(("index", "numbers"), [("i8", np.int8), ("i16", np.int16), ("i64", np.int64)])
def test_places_of_every_width(word: str, index: str, numbers: Any) -> None:
    check((6, 20), (4, 16), 0, word, index=index, numbers=numbers)


@WORDS
@pytest.mark.parametrize(
    ("element", "type"), [("i8", np.int8), ("f16", np.float16), ("f8E5M2", np.uint8), ("f64", np.float64)]
)
def test_elements_of_every_width(word: str, element: str, type: Any) -> None:
    check((6, 20), (8, 16), 0, word, element=element, type=type)
