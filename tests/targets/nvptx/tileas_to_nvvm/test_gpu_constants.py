"""Constants, memory of the module, and casts of its addresses on GPUs: the simulator does what the interpreter does."""

from __future__ import annotations

import numpy as np
import pytest

import tilewright
from tests.targets.nvptx.tileas_to_nvvm.gpu_programs import kernel, load, same, store, view
from tilewright.driver.stages import CompileOptions


def with_global(element: str, values: str, body: str) -> str:
    """A kernel beside memory of the module with 8 elements, whose address is %g."""
    text = kernel("%x: tile<ptr<f32>>", f"%g = get_global @table : tile<ptr<{element}>>\n{body}")
    table = f"global @table alignment = 16 <{element}: [{values}]> : tile<8x{element}>"
    return text.replace("  entry", f"  {table}\n  entry")


@pytest.mark.parametrize("element", ["tf32", "f8E5M2", "bf16"])
def test_memory_of_the_module(element: str) -> None:
    (table, cut), (x, whole) = view("g", (8,), (8,), element), view("x", (8,), (8,), "f32")
    body = table + x + load("a", "g", cut, "%zero", f"tile<8x{element}>")
    body += f"%c = ftof %a : tile<8x{element}> -> tile<8xf32>\n" + store(
        "c", "x", whole, "%zero", "tile<8xf32>"
    )
    values = "0.0, 0.5, -1.0, 1.5, 2.0, 3.0, -4.0, 6.0"
    (after,) = same(with_global(element, values, body), (1,), [np.zeros(8, np.float32)], "sm_80")
    assert after.tolist() == [float(value) for value in values.split(", ")]


@pytest.mark.parametrize("element", ["tf32", "f8E5M2", "f8E8M0FNU", "bf16"])
def test_constants(element: str) -> None:
    x, whole = view("x", (8,), (8,), "f32")
    body = f"%a = constant <{element}: [0.5, 0.5, 1.0, 4.0, 2.0, 1.0, 4.0, 0.5]> : tile<8x{element}>\n"
    body += (
        f"%c = ftof %a : tile<8x{element}> -> tile<8xf32>\n"
        + x
        + store("c", "x", whole, "%zero", "tile<8xf32>")
    )
    same(kernel("%x: tile<ptr<f32>>", body), (1,), [np.zeros(8, np.float32)], "sm_75")


@pytest.mark.parametrize("element", ["bf16", "f32"])
@pytest.mark.parametrize("values", ["[0.5, 1.5, -2.5, 4.0, 2.25, 1.0, -0.0, 7.75]", "1.5"])
def test_constants_that_are_folded(element: str, values: str) -> None:
    """Canonicalization knows what is above them."""
    x, whole = view("x", (8,), (8,), element)
    tile = f"tile<8x{element}>"
    body = f"%a = constant <{element}: {values}> : {tile}\n%c = ceil %a : {tile}\n{x}"
    body += store("c", "x", whole, "%zero", tile)
    text = kernel(f"%x: tile<ptr<{element}>>", body)
    results: list[bytes] = []
    for target in ("interp", "sim:sm_75"):
        own = np.zeros(8, np.float32 if element == "f32" else np.uint16)
        options = CompileOptions(opt_level=0)
        tilewright.compile(text, target=target, options=options).launch(1, [own])
        results.append(own.tobytes())
    assert results[0] == results[1]


def test_pointers_to_another_type() -> None:
    (y, whole) = view("y", (16,), (16,), "i8")
    body = "%m = ptr_to_ptr %x : tile<ptr<f32>> -> tile<ptr<i8>>\n"
    moved, cut = view("m", (16,), (16,), "i8")
    body += (
        moved
        + y
        + load("a", "m", cut, "%zero", "tile<16xi8>")
        + store("a", "y", whole, "%zero", "tile<16xi8>")
    )
    text = kernel("%x: tile<ptr<f32>>, %y: tile<ptr<i8>>", body)
    same(text, (1,), [np.arange(4, dtype=np.float32), np.zeros(16, np.int8)], "sm_80")
