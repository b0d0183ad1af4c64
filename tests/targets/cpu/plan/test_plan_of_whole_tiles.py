"""Accesses through pointers that move a whole tile of memory: without masks where all of it exists, else as before."""

from __future__ import annotations

import numpy as np
import pytest

from tests.lowering.cuda_tile_to_tileaa.lowered import CONTEXT, kernel
from tilewright.driver.compile import compile
from tilewright.interp.launch import interpret
from tilewright.ir.text.parser import parse_module

pytest.importorskip("llvmlite")

PARAMETERS = "%x: tile<ptr<f32>>, %y: tile<ptr<f32>>, %z: tile<ptr<f32>>, %n: tile<i32>, %s: tile<i32>"
LARGE = 1 << 31


def spread(name: str, source: str, shape: str, kind: str = "i32") -> str:
    """The text that repeats a scalar over a tile."""
    ones = "x".join("1" for _ in shape.split("x"))
    return f"""
      %{name}1 = reshape {source} : tile<{kind}> -> tile<{ones}x{kind}>
      %{name} = broadcast %{name}1 : tile<{ones}x{kind}> -> tile<{shape}x{kind}>
    """


def pointers(name: str, shape: str, offsets: str, kind: str = "i32") -> str:
    """The text that makes a tile of pointers, whose name ends in ``p``."""
    return (
        spread(f"{name}b", f"%{name}", shape, "ptr<f32>")
        + f"%{name}p = offset %{name}b, {offsets} : tile<{shape}xptr<f32>>, tile<{shape}x{kind}> -> tile<{shape}xptr<f32>>\n"
    )


def load(name: str, shape: str, mask: str) -> str:
    masked, type = (f", {mask}, %zero", f", tile<{shape}xi1>, tile<{shape}xf32>") if mask else ("", "")
    return f"%{name}l, %{name}t = load_ptr_tko weak %{name}p{masked} : tile<{shape}xptr<f32>>{type} -> tile<{shape}xf32>, token\n"


def row() -> str:
    """y[s + i] = x[s + i] + x[s + i] where 0 <= s + i < n."""
    text = "%i = iota : tile<64xi32>\n%zero = constant <f32: 0.0> : tile<64xf32>\n%no = constant <i32: 0> : tile<64xi32>\n"
    text += spread("start", "%s", "64") + spread("end", "%n", "64")
    text += """
      %at = addi %start, %i : tile<64xi32>
      %low = cmpi greater_than_or_equal %at, %no, signed : tile<64xi32> -> tile<64xi1>
      %high = cmpi greater_than %end, %at, signed : tile<64xi32> -> tile<64xi1>
      %m = andi %low, %high : tile<64xi1>
    """
    text += pointers("x", "64", "%at") + pointers("y", "64", "%at") + load("x", "64", "%m")
    text += """
      %r = addf %xl, %xl : tile<64xf32>
      %d = store_ptr_tko weak %yp, %r, %m token=%xt : tile<64xptr<f32>>, tile<64xf32>, tile<64xi1> -> token
    """
    return kernel(text, PARAMETERS)


def column() -> str:
    """Each of 16 columns of y is x, which is kept: rows of 16 elements, of those of x below n."""
    text = """
      %i = iota : tile<16xi32>
      %at = reshape %i : tile<16xi32> -> tile<16x1xi32>
      %zero = constant <f32: 0.0> : tile<16x1xf32>
    """
    text += spread("end", "%n", "16x1") + pointers("x", "16x1", "%at")
    text += "%m = cmpi less_than %at, %end, signed : tile<16x1xi32> -> tile<16x1xi1>\n" + load(
        "x", "16x1", "%m"
    )
    text += grid_of("a", "%s") + pointers("y", "16x16", "%ao")
    text += """
      %u = addf %xl, %xl : tile<16x1xf32>
      %e = exp %u : tile<16x1xf32>
      %q = broadcast %e : tile<16x1xf32> -> tile<16x16xf32>
      %w = broadcast %xl : tile<16x1xf32> -> tile<16x16xf32>
      %r = addf %q, %w : tile<16x16xf32>
      %d = store_ptr_tko weak %yp, %r token=%xt : tile<16x16xptr<f32>>, tile<16x16xf32> -> token
    """
    return kernel(text, PARAMETERS)


def grid_of(name: str, stride: str, kind: str = "i32") -> str:
    """Offsets of 16 rows that are some elements apart, and a mask of columns below ``n`` and rows below it."""
    return f"""
      %{name}r = iota : tile<16xI>
      %{name}r1 = reshape %{name}r : tile<16xI> -> tile<16x1xI>
      %{name}c1 = reshape %{name}r : tile<16xI> -> tile<1x16xI>
      %{name}s1 = reshape {stride} : tile<I> -> tile<1x1xI>
      %{name}s2 = broadcast %{name}s1 : tile<1x1xI> -> tile<16x1xI>
      %{name}d = muli %{name}r1, %{name}s2 : tile<16x1xI>
      %{name}d2 = broadcast %{name}d : tile<16x1xI> -> tile<16x16xI>
      %{name}c2 = broadcast %{name}c1 : tile<1x16xI> -> tile<16x16xI>
      %{name}r2 = broadcast %{name}r1 : tile<16x1xI> -> tile<16x16xI>
      %{name}o = addi %{name}d2, %{name}c2 : tile<16x16xI>
    """.replace("I", kind)


def limits(end: str = "%n", kind: str = "i32") -> str:
    return spread("end", end, "16x16", kind) + (
        "%zero = constant <f32: 0.0> : tile<16x16xf32>\n"
        f"%mr = cmpi less_than %ar2, %end, signed : tile<16x16x{kind}> -> tile<16x16xi1>\n"
        f"%mc = cmpi less_than_or_equal %ac2, %end, signed : tile<16x16x{kind}> -> tile<16x16xi1>\n"
        "%m = andi %mr, %mc : tile<16x16xi1>\n"
    )


DOUBLED = """
  %r = addf %xl, %xl : tile<16x16xf32>
  %d = store_ptr_tko weak %yp, %r, %m token=%xt : tile<16x16xptr<f32>>, tile<16x16xf32>, tile<16x16xi1> -> token
"""


def rows() -> str:
    """A tile of 16 rows, ``s`` elements apart, of which those below ``n`` are moved."""
    text = grid_of("a", "%s") + limits() + pointers("x", "16x16", "%ao") + pointers("y", "16x16", "%ao")
    return kernel(text + load("x", "16x16", "%m") + DOUBLED, PARAMETERS)


def wide_rows(factor: int) -> str:
    """The same with offsets of 64 bits, and so many times as far apart."""
    text = f"""
      %wn = exti %n signed : tile<i32> -> tile<i64>
      %ws = exti %s signed : tile<i32> -> tile<i64>
      %factor = constant <i64: {factor}> : tile<i64>
      %far = muli %ws, %factor : tile<i64>
    """
    text += grid_of("a", "%far", "i64") + limits("%wn", "i64")
    text += pointers("x", "16x16", "%ao", "i64") + pointers("y", "16x16", "%ao", "i64")
    return kernel(text + load("x", "16x16", "%m") + DOUBLED, PARAMETERS)


def product(mask: str, *, turned: bool) -> str:
    """A product of two tiles, ``s`` elements from row to row; the second one may lie by columns."""
    text = grid_of("a", "%s") + limits() + pointers("x", "16x16", "%ao")
    if turned:
        text += "%at = permute %ao [1, 0] : tile<16x16xi32> -> tile<16x16xi32>\n"
    text += pointers("y", "16x16", "%at" if turned else "%ao") + pointers("z", "16x16", "%ao")
    text += load("x", "16x16", mask) + load("y", "16x16", "")
    text += """
      %sum = constant <f32: 0.0> : tile<16x16xf32>
      %r = mmaf %xl, %yl, %sum : tile<16x16xf32>, tile<16x16xf32>, tile<16x16xf32>
      %d = store_ptr_tko weak %zp, %r token=%yt : tile<16x16xptr<f32>>, tile<16x16xf32> -> token
    """
    return kernel(text, PARAMETERS)


KERNELS = {
    "row": (row, [(n, s) for n in (0, -3, 1, 40, 64, 500, LARGE - 1) for s in (0, 7, 300, -20)]),
    "row that wraps": (row, [(300, LARGE - 30), (40, LARGE - 1), (64, -LARGE)]),
    "column": (column, [(16, 16), (3, 20), (0, 16)]),
    "rows": (rows, [(n, s) for n in (0, -LARGE, 3, 15, 16, 17, LARGE - 1) for s in (16, 20, 1, 0)]),
    "rows by 64 bits": (
        lambda: wide_rows(1),
        [(n, s) for n in (0, -3, 3, 15, 16, 17) for s in (16, 20, 1, 0)],
    ),
    "rows far apart": (
        lambda: wide_rows(1 << 40),
        [(1, 1), (1, 1 << 22), (1, -1), (0, 3), (17, 0), (1, 1 << 24)],
    ),
    "product": (lambda: product("", turned=False), [(16, 16), (16, 33), (16, 0)]),
    "product with a mask": (lambda: product("%m", turned=False), [(16, 16), (7, 33), (0, 20), (15, 40)]),
    "product with columns": (lambda: product("", turned=True), [(16, 16), (16, 33)]),
}
ULPS = {"column": 2}
"""By how many units in the last place a function of a kernel may be off, here ``exp``, on one processor or another."""


@pytest.mark.parametrize("name", KERNELS)
def test_results_are_those_of_the_interpreter(name: str) -> None:
    make, launches = KERNELS[name]
    text = make()
    module, made = parse_module(CONTEXT, text), compile(text, target="cpu")
    for numbers in launches:
        wanted, found = ([np.arange(800, dtype=np.float32) % 37 for _ in range(3)] for _ in range(2))
        interpret(module, "k", (1, 1, 1), [*(one[100:] for one in wanted), *numbers])
        made.launch((1, 1, 1), [*(one[100:] for one in found), *numbers])
        off = np.abs(np.array(wanted).view(np.int32) - np.array(found).view(np.int32))  # none is negative
        assert off.max() <= ULPS.get(name, 0), f"n = {numbers[0]}, s = {numbers[1]}"


def test_masks_are_saved_and_factors_are_read_in_place() -> None:
    plans = {name: compile(make(), target="cpu").asm["plan"] for name, (make, _) in KERNELS.items()}
    assert "version without masks if all these accesses are in bounds" in plans["row"]
    assert "version without masks if all these accesses are in bounds" in plans["rows"]
    assert "a whole tile if" in plans["rows by 64 bits"]
    assert "in place, but packed if the tile is partly out of bounds" in plans["product"]
    assert "transposed in squares" in plans["product with columns"]
