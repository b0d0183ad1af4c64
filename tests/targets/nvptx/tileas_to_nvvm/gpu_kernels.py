"""Kernels with loads and stores of views, reductions, products and transpositions, each with a grid and arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.targets.nvptx.tileas_to_nvvm.gpu_programs import (
    FLOAT,
    HALF,
    INTEGER,
    integers,
    kernel,
    load,
    store,
    view,
)


def _addition() -> tuple[str, tuple[int, ...], list[Any]]:
    """Tiles of 256 elements, of which the last one reaches over the edge."""
    (x, cut), (y, _) = (view(name, (1000,), (256,), "f32") for name in "xy")
    tile = "tile<256xf32>"
    body = x + y + load("a", "x", cut, "%i", tile) + load("b", "y", cut, "%i", tile)
    body += f"%c = addf %a, %b : {tile}\n" + store("c", "x", cut, "%i", tile)
    return (
        kernel("%x: tile<ptr<f32>>, %y: tile<ptr<f32>>", body),
        (4,),
        [integers((1000,)), integers((1000,))],
    )


def _reduction(shape: tuple[int, int], axis: int) -> tuple[str, tuple[int, ...], list[Any]]:
    """The sums of rows or columns."""
    rest = (shape[1 - axis],)
    (x, cut), (y, whole) = view("x", shape, shape, "f32"), view("y", rest, rest, "f32")
    tile, result = f"tile<{shape[0]}x{shape[1]}xf32>", f"tile<{rest[0]}xf32>"
    body = x + y + load("a", "x", cut, "%zero, %zero", tile)
    body += f"""%c = reduce %a dim={axis} identities=[0.0 : f32] : {tile} -> {result}
    (%p: tile<f32>, %q: tile<f32>) {{
      %r = addf %p, %q : tile<f32>
      yield %r : tile<f32>
    }}
    """
    body += store("c", "y", whole, "%zero", result)
    arrays = [integers(shape), np.zeros(rest, FLOAT)]
    return kernel("%x: tile<ptr<f32>>, %y: tile<ptr<f32>>", body), (1,), arrays


def _transpose() -> tuple[str, tuple[int, ...], list[Any]]:
    (x, cut), (y, turned) = view("x", (16, 32), (16, 32), "i32"), view("y", (32, 16), (32, 16), "i32")
    body = x + y + load("a", "x", cut, "%zero, %zero", "tile<16x32xi32>")
    body += "%c = permute %a [1, 0] : tile<16x32xi32> -> tile<32x16xi32>\n"
    body += store("c", "y", turned, "%zero, %zero", "tile<32x16xi32>")
    arrays = [integers((16, 32), INTEGER), np.zeros((32, 16), INTEGER)]
    return kernel("%x: tile<ptr<i32>>, %y: tile<ptr<i32>>", body), (1,), arrays


def _product(element: str, type: Any) -> tuple[str, tuple[int, ...], list[Any]]:
    """A product whose common dimension is walked by a loop that carries the sums."""
    a, left = view("x", (32, 48), (32, 16), element)
    b, right = view("y", (48, 16), (16, 16), element)
    c, whole = view("z", (32, 16), (32, 16), "f32")
    tile = "tile<32x16xf32>"
    factors = f"tile<32x16x{element}>", f"tile<16x16x{element}>"
    body = a + b + c + "%three = constant <i32: 3> : tile<i32>\n%begin = constant <f32: 0.0> : " + tile + "\n"
    body += f"%sum = for %n in (%zero to %three, step %one) : tile<i32> iter_values(%acc = %begin) -> ({tile}) {{\n"
    body += load("p", "x", left, "%zero, %n", factors[0]) + load("q", "y", right, "%n, %zero", factors[1])
    body += f"%s = mmaf %p, %q, %acc : {factors[0]}, {factors[1]}, {tile}\ncontinue %s : {tile}\n}}\n"
    body += store("sum", "z", whole, "%zero, %zero", tile)
    pointers = f"%x: tile<ptr<{element}>>, %y: tile<ptr<{element}>>, %z: tile<ptr<f32>>"
    return (
        kernel(pointers, body),
        (1,),
        [integers((32, 48), type), integers((48, 16), type), np.zeros((32, 16), FLOAT)],
    )


def _ordered(count: int) -> tuple[str, tuple[int, ...], list[Any]]:
    """A product of functions `x -> a * x + b` modulo 2**32, whose order counts."""
    parts = [view(name, (count,), (count,), "i32") for name in "xy"]
    tile = f"tile<{count}xi32>"
    body = "".join(made for made, _ in parts)
    body += load("a", "x", parts[0][1], "%zero", tile) + load("b", "y", parts[1][1], "%zero", tile)
    body += f"""%f, %g = reduce %a, %b dim=0 identities=[1 : i32, 0 : i32] : {tile}, {tile} -> tile<i32>, tile<i32>
    (%p: tile<i32>, %q: tile<i32>, %r: tile<i32>, %s: tile<i32>) {{
      %m = muli %p, %q : tile<i32>
      %n = muli %p, %s : tile<i32>
      %o = addi %n, %r : tile<i32>
      yield %m, %o : tile<i32>, tile<i32>
    }}
    %d = store_ptr_tko weak %z, %g : tile<ptr<i32>>, tile<i32> -> token
    """
    pointers = ", ".join(f"%{name}: tile<ptr<i32>>" for name in "xyz")
    arrays = [integers((count,), INTEGER) | 1, integers((count,), INTEGER)[::-1].copy(), np.zeros(1, INTEGER)]
    return kernel(pointers, body), (1,), arrays


KERNELS = {
    "reduction whose order counts": _ordered(2048),
    "addition": _addition(),
    "sums of rows": _reduction((8, 128), 1),
    "sums of columns": _reduction((64, 32), 0),
    "sums across warps": _reduction((2, 1024), 1),
    "transpose": _transpose(),
    "product of f16": _product("f16", HALF),
    "product of f32": _product("f32", FLOAT),
}
