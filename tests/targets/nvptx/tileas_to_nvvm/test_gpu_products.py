"""Products by the threads of a GPU, of all elements that Tile IR multiplies: the simulator does what the interpreter does.

The factors are small numbers, so that every order of a sum gives the same bits.
"""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

import tilewright
from tests.targets.nvptx.tileas_to_nvvm.gpu_programs import CHIPS, integers, kernel, load, same, store, view
from tilewright.targets.nvptx.tileas_to_nvvm import products

ARRAYS: dict[str, Any] = {
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "tf32": np.float32,
    "f32": np.float32,
    "f64": np.float64,
    "f8E4M3FN": ml_dtypes.float8_e4m3fn,
    "f8E5M2": ml_dtypes.float8_e5m2,
    "f8E8M0FNU": ml_dtypes.float8_e8m0fnu,
    "i8": np.int8,
    "i32": np.int32,
}
"""What arrays hold the elements of a type."""
Case = tuple[str, list[Any]]


def tile_of(shape: tuple[int, ...], element: str) -> str:
    return f"tile<{'x'.join(map(str, shape))}x{element}>"


def matrix(shape: tuple[int, ...], element: str) -> Any:
    """Numbers from -5 to 5; powers of two where a type has no others, and bits where arrays have no such type."""
    numbers = integers(shape)
    if element == "f4E2M1FN":
        pairs = numbers.astype(ml_dtypes.float4_e2m1fn).view(np.uint8).reshape(-1, 2)
        return pairs[:, 0] | pairs[:, 1] << 4
    if element == "fnv8E5M3FNU":  # 1 is 0x78, and each octave has eight numbers
        return (0x78 + 4 * numbers).astype(np.uint8)
    return (np.exp2(numbers) if element == "f8E8M0FNU" else numbers).astype(ARRAYS[element])


def case_of(word: str, shapes: list[tuple[int, ...]], elements: list[str], more: str = "") -> Case:
    """Loads tiles, multiplies them, and stores what comes of it over the third one; factors, sum, and maybe scales."""
    names = [f"x{at}" for at in range(len(shapes))]
    views = [
        view(*row, element)
        for row, element in zip(zip(names, shapes, shapes, strict=True), elements, strict=True)
    ]
    tiles = [tile_of(*row) for row in zip(shapes, elements, strict=True)]
    places = ", ".join(["%zero"] * len(shapes[0]))
    body = "".join(made for made, _ in views)
    for name, (_, cut), tile in zip(names, views, tiles, strict=True):
        body += load(f"{name}_t", name, cut, places, tile)
    operands = ", ".join(f"%{name}_t" for name in names)
    body += f"%made = {word} {operands}{more} : {', '.join(tiles)}\n"
    body += store("made", names[2], views[2][1], places, tiles[2])
    parameters = ", ".join(
        f"%{name}: tile<ptr<{element}>>" for name, element in zip(names, elements, strict=True)
    )
    return kernel(parameters, body), [matrix(*row) for row in zip(shapes, elements, strict=True)]


def product(
    word: str, element: str, total: str, rows: int, depth: int, columns: int, batch: int = 0, more: str = ""
) -> Case:
    matrices = [(rows, depth), (depth, columns), (rows, columns)]
    shapes = [(batch, *shape) if batch else shape for shape in matrices]
    return case_of(word, shapes, [element, element, total], more)


def scaled(element: str, scale: str, block: int, batch: int = 0) -> Case:
    """Two blocks along the depth, each with a scale for every row and column."""
    depth = 2 * block
    matrices = [(16, depth), (depth, 8), (16, 8), (16, 2), (2, 8)]
    shapes = [(batch, *shape) if batch else shape for shape in matrices]
    return case_of("mmaf_scaled", shapes, [element, element, "f32", scale, scale])


PAIRS = [
    ("f16", "f16"),
    ("f16", "f32"),
    ("bf16", "f32"),
    ("tf32", "f32"),
    ("f32", "f32"),
    ("f64", "f64"),
    ("f8E4M3FN", "f16"),
    ("f8E4M3FN", "f32"),
    ("f8E5M2", "f16"),
    ("f8E5M2", "f32"),
]
SIGNS = ("signed", "unsigned")
KERNELS: dict[str, Case] = {
    **{f"{element} to {total}": product("mmaf", element, total, 16, 8, 32) for element, total in PAIRS},
    **{
        f"{left} and {right} integers": product("mmai", "i8", "i32", 8, 16, 16, more=f" {left} {right}")
        for left in SIGNS
        for right in SIGNS
    },
    **{f"batches of {element}": product("mmaf", element, "f32", 8, 16, 4, 4) for element in ("f16", "f32")},
    "batches of integers": product("mmai", "i8", "i32", 4, 8, 16, 8, " signed unsigned"),
    "one row of a batch": product("mmaf", "f32", "f32", 1, 16, 1, 2),
    "a depth of one": product("mmaf", "f32", "f32", 32, 1, 16),
    **{
        f"{element} with {scale} for {block}": scaled(element, scale, block)
        for element, scale, block in (
            ("f8E4M3FN", "f8E8M0FNU", 32),
            ("f8E5M2", "f8E8M0FNU", 32),
            ("f4E2M1FN", "f8E8M0FNU", 32),
            ("f4E2M1FN", "f8E8M0FNU", 16),
            ("f4E2M1FN", "f8E4M3FN", 16),
            ("f4E2M1FN", "fnv8E5M3FNU", 16),
        )
    },
    "batches with scales": scaled("f8E4M3FN", "f8E8M0FNU", 32, 2),
}


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("case", KERNELS.values(), ids=KERNELS)
def test_products_are_those_of_the_interpreter(case: Case, chip: str) -> None:
    text, arrays = case
    after = same(text, (1,), arrays, chip)
    assert after[2].tobytes() != arrays[2].tobytes(), "it did something"


@pytest.mark.parametrize("element", ["f16", "f32", "f64"])
def test_a_product_that_is_no_number(element: str) -> None:
    """Infinity times zero, infinity minus infinity, and what is no number itself."""
    total = "f64" if element == "f64" else "f32"
    text, arrays = product("mmaf", element, total, 4, 8, 4)
    arrays[0][0], arrays[0][1, 3], arrays[2][2, 1] = np.inf, -np.nan, np.inf
    after = same(text, (1,), arrays, "sm_80")
    assert np.isnan(after[2]).any()


CUT: dict[str, tuple[Case, int]] = {
    "the common dimension": (product("mmaf", "f32", "f32", 4, 32, 8), 4 * 12 * 8),
    "down to one product": (product("mmaf", "f64", "f64", 8, 4, 4), 8 * 12),
    "batches": (product("mmaf", "f32", "f32", 4, 2, 4, 8), 4 * 16),
    "rows and columns": (product("mmai", "i8", "i32", 16, 2, 64, more=" signed unsigned"), 32),
    "one of each": (product("mmaf", "f32", "f32", 4, 2, 2, 2), 32),
    "with scales": (scaled("f8E4M3FN", "f8E8M0FNU", 32, 2), 32 * 16 + 32),
}
"""Products for which a block has less shared memory than their factors need, in bytes."""


@pytest.mark.parametrize("name", CUT)
def test_factors_that_do_not_fit_come_part_by_part(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (text, arrays), room = CUT[name]
    monkeypatch.setattr(products, "shared_memory", lambda op: room)
    after = same(text.replace("@m", "@cut"), (1,), arrays, "sm_80")
    assert after[2].tobytes() != arrays[2].tobytes(), "it did something"


def test_a_product_that_comes_part_by_part_in_a_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    """Which threads write a part depends on how often they were there: counted anew in each iteration of the loop around."""
    (text, arrays), room = CUT["the common dimension"]
    before, _, rest = text.partition("%made = mmaf %x0_t, %x1_t, %x2_t : ")
    kinds, _, after = rest.partition("\n")
    total = tile_of((4, 8), "f32")
    loop = f"""%two = constant <i32: 2> : tile<i32>
    %made = for %step in (%zero to %two, step %one) : tile<i32> iter_values(%sum = %x2_t) -> ({total}) {{
      %more = mmaf %x0_t, %x1_t, %sum : {kinds}
      continue %more : {total}
    }}
    """
    monkeypatch.setattr(products, "shared_memory", lambda op: room)
    same((before + loop + after).replace("@m", "@cut_in_a_loop"), (1,), arrays, "sm_80")


def test_a_product_of_factors_beyond_the_shared_memory_of_the_chip() -> None:
    """Only the common dimension is cut: the loop over its slices stands once in the code."""
    text, _ = product("mmaf", "f64", "f64", 4, 2048, 4)
    ptx = str(tilewright.compile(text, target="sm_75").asm["ptx"])
    assert ptx.count("fma.rn.f64") == 1
    assert "shared .align 16 .b8" in ptx


@pytest.mark.parametrize("chip", ["sm_100a", "sm_121a"])
@pytest.mark.parametrize("name", [name for name in KERNELS if "f4E2M1FN with" in name])
def test_scales_that_no_instruction_has_are_multiplied_by_threads(name: str, chip: str) -> None:
    text, arrays = KERNELS[name]
    same(text, (1,), arrays, chip)
