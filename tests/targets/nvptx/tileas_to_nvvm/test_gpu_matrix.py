"""Products by the matrix instructions of GPUs: the simulator does what the interpreter does, by the right instruction.

The factors are small numbers, so that every order of a sum gives the same bits.
"""

from __future__ import annotations

import re
import warnings
from collections import Counter

import numpy as np
import pytest

import tilewright
from tests.targets.nvptx.tileas_to_nvvm.gpu_programs import (
    HALF,
    integers,
    kernel,
    load,
    ptx_of,
    same,
    store,
    view,
)
from tests.targets.nvptx.tileas_to_nvvm.test_gpu_products import Case, product
from tilewright.targets.nvptx.assemble.assembling import assemble
from tilewright.targets.nvptx.simulation_reports import CostWarning
from tilewright.targets.nvptx.tools import programs

PRODUCTS: dict[str, tuple[Case, dict[str, str]]] = {
    "f16": (
        product("mmaf", "f16", "f32", 64, 32, 32),
        {
            "sm_75": "m16n8k8.row.col.f32.f16.f16.f32",
            "sm_80": "m16n8k16.row.col.f32.f16.f16.f32",
            "sm_90a": "m16n8k16.row.col.f32.f16.f16.f32",
        },
    ),
    "f16 in sums of f16": (
        product("mmaf", "f16", "f16", 32, 16, 64),
        {"sm_80": "m16n8k16.row.col.f32.f16.f16.f32"},
    ),
    "bf16": (
        product("mmaf", "bf16", "f32", 32, 32, 64),
        {"sm_75": "", "sm_80": "m16n8k16.row.col.f32.bf16.bf16.f32"},
    ),
    "tf32": (
        product("mmaf", "tf32", "f32", 32, 16, 32),
        {"sm_75": "", "sm_80": "m16n8k8.row.col.f32.tf32.tf32.f32"},
    ),
    "f32": (product("mmaf", "f32", "f32", 32, 16, 32), {"sm_80": "", "sm_90a": ""}),
    "f64": (
        product("mmaf", "f64", "f64", 32, 16, 16),
        {
            "sm_75": "",
            "sm_80": "m8n8k4.row.col.f64.f64.f64.f64",
            "sm_90a": "m16n8k16.row.col.f64.f64.f64.f64",
        },
    ),
    "f8E4M3FN": (
        product("mmaf", "f8E4M3FN", "f32", 32, 64, 32),
        {"sm_80": "m16n8k16.row.col.f32.f16.f16.f32", "sm_89": "m16n8k32.row.col.f32.e4m3.e4m3.f32"},
    ),
    "f8E5M2": (
        product("mmaf", "f8E5M2", "f32", 32, 64, 16),
        {"sm_89": "m16n8k32.row.col.f32.e5m2.e5m2.f32", "sm_90a": "m16n8k16.row.col.f32.f16.f16.f32"},
    ),
    "bytes": (
        product("mmai", "i8", "i32", 32, 64, 32, more=" signed unsigned"),
        {"sm_75": "m8n8k16.row.col.s32.s8.u8.s32", "sm_80": "m16n8k32.row.col.s32.s8.u8.s32"},
    ),
    "few rows of bytes": (
        product("mmai", "i8", "i32", 8, 32, 16, more=" unsigned unsigned"),
        {"sm_80": "m8n8k16.row.col.s32.u8.u8.s32"},
    ),
    "a short depth": (
        product("mmaf", "f16", "f32", 32, 8, 16),
        {"sm_90a": "m16n8k8.row.col.f32.f16.f16.f32"},
    ),
    "rows that are fewer than an instruction has": (product("mmaf", "f16", "f32", 8, 16, 64), {"sm_80": ""}),
    "as many batches as warps": (
        product("mmaf", "f16", "f32", 16, 16, 16, batch=4),
        {"sm_75": "m16n8k8.row.col.f32.f16.f16.f32", "sm_90a": "m16n8k16.row.col.f32.f16.f16.f32"},
    ),
    "more batches than warps": (
        product("mmai", "i8", "i32", 16, 32, 8, batch=8, more=" signed signed"),
        {"sm_80": "m16n8k32.row.col.s32.s8.s8.s32"},
    ),
    "fewer batches than warps": (
        product("mmaf", "bf16", "f32", 32, 16, 16, batch=2),
        {"sm_80": "m16n8k16.row.col.f32.bf16.bf16.f32"},
    ),
    "one atom for all warps": (
        product("mmaf", "f16", "f32", 16, 16, 8),
        {"sm_80": "m16n8k16.row.col.f32.f16.f16.f32"},
    ),
}
"""A product, and the instruction that chips have for it; none is a product by threads."""
ON_CHIPS = [
    pytest.param(case, chip, words, id=f"{name} on {chip}")
    for name, (case, chips) in PRODUCTS.items()
    for chip, words in chips.items()
]


def instructions(text: str, chip: str) -> Counter[str]:
    """The matrix instructions of a kernel."""
    return Counter(re.findall(r"mma\.sync\.aligned\.([\w.]+)", ptx_of(text, chip)))


@pytest.mark.parametrize(("case", "chip", "words"), ON_CHIPS)
def test_a_product_is_that_of_the_interpreter(case: Case, chip: str, words: str) -> None:
    text, arrays = case
    after = same(text, (1,), arrays, chip)
    assert after[2].tobytes() != arrays[2].tobytes(), "it did something"
    assert set(instructions(text, chip)) == ({words} if words else set())


@pytest.mark.parametrize(("case", "chip", "words"), ON_CHIPS)
def test_an_assembler_takes_the_product(case: Case, chip: str, words: str) -> None:
    tool = next(iter(programs("ptxas")), None)
    if tool is None:
        pytest.skip("there is no ptxas")
    assert assemble(ptx_of(case[0], chip), assembler=tool.path).cubin


def aligned(case: Case) -> Case:
    """The case with pointers that are promised to be aligned."""
    text, arrays = case
    for name, element in re.findall(r"%(x\d): tile<ptr<(\w+)>>", text):
        promise = f"%{name}_p = assume div_by<16>, %{name} : tile<ptr<{element}>>\n"
        text = text.replace(
            f"%{name}_a = make_tensor_view %{name},", f"{promise}%{name}_a = make_tensor_view %{name}_p,"
        )
    return text, arrays


STRAIGHT, TURNED = (
    "ldmatrix.sync.aligned.m8n8.x4.shared.b16",
    "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16",
)
LOADS: dict[str, tuple[Case, str, dict[str, int]]] = {
    "f16": (product("mmaf", "f16", "f32", 64, 32, 64), "sm_80", {STRAIGHT: 4, TURNED: 4}),
    "f16 before sm_80": (product("mmaf", "f16", "f32", 32, 32, 64), "sm_75", {STRAIGHT: 4, TURNED: 2}),
    "bf16": (product("mmaf", "bf16", "f32", 32, 64, 64), "sm_90a", {STRAIGHT: 8, TURNED: 4}),
    "tf32": (product("mmaf", "tf32", "f32", 32, 32, 32), "sm_80", {STRAIGHT: 4}),
    "bytes": (product("mmai", "i8", "i32", 64, 64, 32, more=" signed unsigned"), "sm_80", {STRAIGHT: 4}),
}
"""A product, a chip, and how it loads fragments: those of a factor whose rows lie along the common dimension, or of halves."""


@pytest.mark.parametrize("name", LOADS)
def test_fragments_are_loaded_as_matrices_without_conflicts(name: str) -> None:
    (case, chip, wanted) = LOADS[name]
    text, arrays = aligned(case)
    assert Counter(re.findall(r"ldmatrix\S+", ptx_of(text, chip))) == wanted
    with warnings.catch_warnings():
        warnings.simplefilter("error", CostWarning)
        tilewright.launch(
            text, "k", 1, [np.array(array) for array in arrays], target=f"sim:{chip}", check="all"
        )
    same(text, (1,), arrays, chip)


def test_a_factor_in_another_shape_is_loaded_like_one() -> None:
    shapes = {"x0": ((2, 64, 64), "f16"), "x1": ((64, 64), "f16"), "x2": ((64, 64), "f32")}
    views = {
        name: view(name, shape, (1, *shape[1:]) if name == "x0" else shape, type)
        for name, (shape, type) in shapes.items()
    }
    body = "".join(made for made, _ in views.values())
    body += load("a", "x0", views["x0"][1], "%i, %zero, %zero", "tile<1x64x64xf16>")
    body += load("b", "x1", views["x1"][1], "%zero, %zero", "tile<64x64xf16>")
    body += load("c", "x2", views["x2"][1], "%zero, %zero", "tile<64x64xf32>")
    body += """%r = reshape %a : tile<1x64x64xf16> -> tile<64x64xf16>
    %made = mmaf %r, %b, %c : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>
    """
    body += store("made", "x2", views["x2"][1], "%zero, %zero", "tile<64x64xf32>")
    pointers = ", ".join(f"%{name}: tile<ptr<{type}>>" for name, (_, type) in shapes.items())
    arrays = [integers(shape, np.float32 if type == "f32" else HALF) for shape, type in shapes.values()]
    text, arrays = aligned((kernel(pointers, body), arrays))
    ptx = str(tilewright.compile(text, target="sm_80").asm["ptx"])
    assert Counter(re.findall(r"ldmatrix\S+", ptx)) == {STRAIGHT: 8, TURNED: 8}
    same(text, (1,), arrays, "sm_80")


def chain(rows: int, middle: int, columns: int, depth: int) -> Case:
    """Two products in a row: the sum of the first, halved and rounded, is a factor of the second; rows are added up."""
    shapes = {"x": (rows, depth), "y": (depth, middle), "z": (middle, columns), "w": (rows, columns)}
    views = {
        name: view(name, shape, shape, "f32" if name == "w" else "f16") for name, shape in shapes.items()
    }
    tiles = {name: f"tile<{m}x{n}x{'f32' if name == 'w' else 'f16'}>" for name, (m, n) in shapes.items()}
    sums, halves, result, row = (
        f"tile<{rows}x{middle}xf32>",
        f"tile<{rows}x{middle}xf16>",
        tiles["w"],
        f"tile<{rows}xf32>",
    )
    body = "".join(made for made, _ in views.values())
    body += "".join(load(f"{name}_t", name, views[name][1], "%zero, %zero", tiles[name]) for name in shapes)
    body += f"""%none = constant <f32: 0.0> : {sums}
    %half = constant <f32: 0.5> : {sums}
    %s = mmaf %x_t, %y_t, %none : {tiles["x"]}, {tiles["y"]}, {sums}
    %h = mulf %s, %half : {sums}
    %p = ftof %h : {sums} -> {halves}
    %total = reduce %h dim=1 identities=[0.0 : f32] : {sums} -> {row}
    (%q: tile<f32>, %r: tile<f32>) {{
      %u = addf %q, %r : tile<f32>
      yield %u : tile<f32>
    }}
    %o = mmaf %p, %z_t, %w_t : {halves}, {tiles["z"]}, {result}
    %wide = reshape %total : {row} -> tile<{rows}x1xf32>
    %all = broadcast %wide : tile<{rows}x1xf32> -> {result}
    %made = addf %o, %all : {result}
    """
    body += store("made", "w", views["w"][1], "%zero, %zero", result)
    pointers = ", ".join(f"%{name}: tile<ptr<{'f32' if name == 'w' else 'f16'}>>" for name in shapes)
    arrays = [integers(shape, np.float32 if name == "w" else HALF) for name, shape in shapes.items()]
    return kernel(pointers, body), [array // 2 for array in arrays]


@pytest.mark.parametrize("extents", [(64, 32, 16, 16), (16, 64, 32, 16), (32, 16, 64, 32)])
@pytest.mark.parametrize("chip", ["sm_75", "sm_80"])
def test_a_product_of_a_product(extents: tuple[int, int, int, int], chip: str) -> None:
    text, arrays = chain(*extents)
    after = same(text, (1,), arrays, chip)
    assert after[3].tobytes() != arrays[3].tobytes(), "it did something"
    assert instructions(text, chip)


def loop(element: str, chip: str) -> str:
    """The TileAS of a product whose sum is carried by a loop."""
    a, left = view("x", (32, 48), (32, 16), element)
    b, right = view("y", (48, 16), (16, 16), element)
    c, whole = view("z", (32, 16), (32, 16), "f32")
    tile, factors = "tile<32x16xf32>", (f"tile<32x16x{element}>", f"tile<16x16x{element}>")
    body = a + b + c + "%three = constant <i32: 3> : tile<i32>\n%begin = constant <f32: 0.0> : " + tile + "\n"
    body += f"%sum = for %n in (%zero to %three, step %one) : tile<i32> iter_values(%acc = %begin) -> ({tile}) {{\n"
    body += load("p", "x", left, "%zero, %n", factors[0]) + load("q", "y", right, "%n, %zero", factors[1])
    body += f"%s = mmaf %p, %q, %acc : {factors[0]}, {factors[1]}, {tile}\ncontinue %s : {tile}\n}}\n"
    body += store("sum", "z", whole, "%zero, %zero", tile)
    pointers = f"%x: tile<ptr<{element}>>, %y: tile<ptr<{element}>>, %z: tile<ptr<f32>>"
    return str(tilewright.compile(kernel(pointers, body), target=chip).asm["layouts"])


def test_a_loop_carries_the_sum_where_the_instruction_has_it() -> None:
    text = loop("f16", "sm_80")
    sum = r'tensor<32x16xf32, #nv_tileas.linear_layout<"\(32,16\) register=\(2,2\):\(1@1,8@0\) lane=\(4,8\):\(2@1,1@0\)'
    assert re.search(rf"scf.for .* -> \({sum}", text)
    assert re.search(rf"scf.yield %\w+ : {sum}", text)
    assert "atom mma_m16n8k16_f16_f16_f32" in text
    # Both factors are converted; the zeros and the addresses are made where they are wanted.
    assert text.count("nv_tileas.convert_layout") == 2
