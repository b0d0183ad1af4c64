"""Products of many sizes and types on several processors: what they compute, and the code, which is as before."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

pytest.importorskip("llvmlite")

import tilewright
from tests.replay.digests import compare
from tests.replay.replaying import Setting

KEPT = Path(__file__).parent / "data" / "product_plans.txt"
CPUS = ("x86-64-v3", "x86-64-v4", "x86-64-v2", "apple-m1")
"""Processors without instructions for products; two of them for each product."""
WITH_PRODUCTS = ("znver4", "sapphirerapids", "neoverse-v1", "icelake-server")
"""Processors with instructions for products of narrow types; three of them for each product."""
DTYPES: dict[str, Any] = {
    "f32": np.float32,
    "f64": np.float64,
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "f8E4M3FN": ml_dtypes.float8_e4m3fn,
    "i8": np.int8,
    "i32": np.int32,
}


def view(name: str, rows: int, columns: int, type: str, *, turned: bool = False) -> tuple[str, str]:
    """A view ``%name_v`` of the one tile of an array, whose rows may be the columns in memory, and its type."""
    strides = f"[1, {rows}]" if turned else f"[{columns}, 1]"
    whole = f"tensor_view<{rows}x{columns}x{type}, strides={strides.replace(' ', '')}>"
    tiles = f"partition_view<tile=({rows}x{columns}), {whole}>"
    made = (
        f"%{name}_a = make_tensor_view %{name}, shape = [{rows}, {columns}], strides = {strides} : {whole}\n"
    )
    return f"{made}%{name}_v = make_partition_view %{name}_a : {tiles}\n", tiles


@dataclass(frozen=True)
class Product:
    """A product of one tile with another, added to a third: how it begins (``sum``), and what is done to A first."""

    m: int
    n: int
    k: int
    type: str = "f32"
    total: str = "f32"
    sum: str = "zero"
    left: str = ""
    turned: tuple[bool, bool] = (False, False)

    @property
    def text(self) -> str:
        """The kernel."""
        shapes = ((self.m, self.k), (self.k, self.n), (self.m, self.n))
        types = (self.type, self.type, self.total)
        views = [
            view(name, *shape, type, turned=turned)
            for name, shape, type, turned in zip("xyz", shapes, types, (*self.turned, False), strict=True)
        ]
        tiles = [
            f"tile<{rows}x{columns}x{type}>" for (rows, columns), type in zip(shapes, types, strict=True)
        ]
        body = "".join(made for made, _ in views) + "%o = constant <i32: 0> : tile<i32>\n"
        for result, name, (_, held), tile in zip("abc", "xyz", views, tiles, strict=True):
            body += f"%{result}0, %t{result} = load_view_tko weak %{name}_v[%o, %o] : {held}, tile<i32> -> {tile}, token\n"
        is_float = "f" in self.total
        zero = "0.0" if is_float else "0"
        body += {
            "zero": f"%c = constant <{self.total}: {zero}> : {tiles[2]}\n",
            "loaded": f"%c = assume bounded<?, ?>, %c0 : {tiles[2]}\n"
            if not is_float
            else f"%c1 = negf %c0 : {tiles[2]}\n%c = negf %c1 : {tiles[2]}\n",
            "negated": f"%c = negf %c0 : {tiles[2]}\n",
        }[self.sum]
        body += f"%a = {self.left} %a0 : {tiles[0]}\n" if self.left else ""
        left = "%a" if self.left else "%a0"
        op, signs = ("mmaf", "") if is_float else ("mmai", " signed signed")
        body += f"%d = {op} {left}, %b0, %c{signs} : {', '.join(tiles)}\n"
        body += f"%u = store_view_tko weak %d, %z_v[%o, %o] : {tiles[2]}, {views[2][1]}, tile<i32> -> token\n"
        parameters = ", ".join(f"%{name}: tile<ptr<{type}>>" for name, type in zip("xyz", types, strict=True))
        return f"cuda_tile.module @m {{\nentry @k({parameters}) {{\n{body}return\n}}\n}}\n"


PRODUCTS = {
    "square": Product(32, 32, 32),
    "deep": Product(16, 16, 2048),
    "crowded": Product(32, 32, 1024, left="negf"),
    "one-row": Product(1, 64, 64),
    "one-column": Product(64, 1, 64),
    "outer": Product(32, 32, 1),
    "sum-of-a-row": Product(1, 1, 64),
    "loaded": Product(32, 64, 32, sum="loaded"),
    "negated": Product(32, 64, 32, sum="negated"),
    "turned-left": Product(32, 32, 64, turned=(True, False)),
    "turned-right": Product(32, 32, 64, turned=(False, True)),
    "turned": Product(64, 32, 32, turned=(True, True)),
    "computed": Product(32, 32, 32, left="negf"),
    "doubles": Product(16, 32, 16, "f64", "f64"),
    "halves": Product(32, 64, 64, "f16", "f32"),
    "halves-in-halves": Product(32, 32, 32, "f16", "f16", sum="negated"),
    "brains": Product(32, 64, 64, "bf16", "f32"),
    "brains-turned": Product(32, 64, 64, "bf16", "f32", turned=(True, True)),
    "brains-one-row": Product(1, 64, 64, "bf16", "f32"),
    "bytes-of-floats": Product(32, 32, 64, "f8E4M3FN", "f32"),
    "bytes": Product(32, 32, 64, "i8", "i32"),
    "bytes-turned": Product(16, 64, 32, "i8", "i32", turned=(True, True)),
    "bytes-deep": Product(4, 16, 512, "i8", "i32"),
}


def numbers(rows: int, columns: int, type: str, seed: int, *, turned: bool) -> Any:
    """Small whole numbers, whose sums are exact, in the order of memory."""
    found = np.random.default_rng(seed).integers(-3, 4, (rows, columns)).astype(DTYPES[type])
    return np.ascontiguousarray(found.T) if turned else found


@pytest.mark.parametrize("name", PRODUCTS)
def test_sums_are_exact(name: str) -> None:
    one = PRODUCTS[name]
    x = numbers(one.m, one.k, one.type, 1, turned=one.turned[0])
    y = numbers(one.k, one.n, one.type, 2, turned=one.turned[1])
    z = numbers(one.m, one.n, one.total, 3, turned=False)
    a, b = (array.T if turned else array for array, turned in zip((x, y), one.turned, strict=True))
    begin = {"zero": 0, "loaded": z.astype(np.float64), "negated": -z.astype(np.float64)}[one.sum]
    wanted = (a.astype(np.float64) @ b.astype(np.float64)) * (-1 if one.left else 1) + begin
    tilewright.launch(one.text, "k", 1, [x, y, z], target="cpu")
    assert z.astype(np.float64).tolist() == wanted.tolist()


def processors(name: str) -> list[str]:
    """The processors for which a product is compiled: to save time, some of those that matter to its type."""
    number = list(PRODUCTS).index(name)
    narrow = PRODUCTS[name].type in ("bf16", "i8", "f16")
    every, count = (WITH_PRODUCTS, 3) if narrow else (CPUS, 2)
    return [every[(number + at) % len(every)] for at in range(count)]


def stages(name: str) -> Iterator[tuple[str, str]]:
    for cpu in processors(name):
        made = Setting("cpu", (), cpu=cpu).compiled(PRODUCTS[name].text.encode())
        for stage in ("plan-json", "llvm"):
            yield f"{cpu}:{stage}", str(made.asm[stage])


@pytest.mark.parametrize("name", PRODUCTS)
def test_the_code_is_as_before(name: str, bless: bool) -> None:
    compare(KEPT, name, stages(name), bless=bless)
