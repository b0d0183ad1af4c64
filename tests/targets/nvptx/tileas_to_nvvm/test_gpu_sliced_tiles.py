"""Tiles beyond registers: loops over slices of them do what the interpreter does, and their code does not grow with the tile.

So that tests are short, tiles count as large from 1,024 elements on, and slices have 512.
"""

from __future__ import annotations

import re

import numpy as np
import pytest

import tilewright
from tests.lowering.tileas.layout_passes import passed
from tests.targets.nvptx.tileas_to_nvvm.gpu_programs import kernel, load, same, store, view
from tests.targets.nvptx.tileas_to_nvvm.test_gpu_large_tiles import POINTERS, row
from tests.targets.nvptx.tileas_to_nvvm.test_gpu_products import product
from tilewright.targets.nvptx import stages

pytestmark = pytest.mark.usefixtures("ptx_as_before")

SMALL = "nv-tileas-slice-tiles{elements=4 slice=512}"
ERASED = f"nv-tileas-lower-view-accesses,canonicalize,cse,{SMALL},nv-tileas-erase-layouts"
MORE = "%r = addi %s, %q : tile<i32>\nyield %r : tile<i32>\n}\n"
TRIPLE = "%s3 = constant <i32: 3> : tile<i32>\n%s = muli %p, %s3 : tile<i32>\n"
"""Combining with it is not associative: the order can be seen."""
BODY = f"(%p: tile<i32>, %q: tile<i32>) {{ {TRIPLE}{MORE}"
SUM = "(%p: tile<i32>, %q: tile<i32>) {\n%r = addi %p, %q : tile<i32>\nyield %r : tile<i32>\n}\n"
Case = tuple[tuple[int, ...], tuple[int, ...], str]


def reduce(dimension: int) -> str:
    return f"%c = reduce %a dim={dimension} identities=[0 : i32] : T -> O\n{BODY}"


def loop(work: str, carried: str) -> str:
    return (
        "%n = constant <i32: 3> : tile<i32>\n%b = muli %a, %a : T\n"
        f"%f, %c = for %k in (%zero to %n, step %one) : tile<i32> iter_values(%v = %a, %w = %b) -> (T, T) {{\n"
        f"{work}continue {carried} : T, T\n}}\n"
    )


BRANCH = """%k = cmpi greater_than %i, %zero, signed : tile<i32> -> tile<i1>
%c = if %k -> (T) {
  %u = addi %a, %a : T
  yield %u : T
} else {
  %u = muli %a, %a : T
  yield %u : T
}
"""
CASES: dict[str, Case] = {
    "a tile that is used twice": ((32, 32), (32, 32), "%d = muli %a, %a : T\n%c = addi %d, %d : T\n"),
    "numbers": ((1024,), (1024,), "%b = iota : T\n%c = addi %a, %b : T\n"),
    "rows": ((32, 32), (32,), reduce(1)),
    "columns": ((32, 32), (32,), reduce(0)),
    "all": ((1, 1024), (1,), reduce(1)),
    "far apart": ((4, 512), (512,), reduce(0)),
    "what is left is large": ((2, 2, 512), (2, 512), reduce(0)),
    "a permutation": ((8, 16, 8), (8, 8, 16), "%c = permute %a [2, 0, 1] : T -> O\n"),
    "another shape": ((32, 32), (2, 512), "%c = reshape %a : T -> O\n"),
    "repeated rows": ((1, 32), (64, 32), "%c = broadcast %a : T -> O\n"),
    "repeated columns": ((64, 1), (64, 32), "%c = broadcast %a : T -> O\n"),
    "a repeated large tile": ((1, 1024), (2, 1024), "%c = broadcast %a : T -> O\n"),
    "a part": ((64, 16), (16, 8), "%c = extract %a[%one, %one] : T -> O\n"),
    "a large part": ((64, 32), (32, 32), "%c = extract %a[%one, %zero] : T -> O\n"),
    "a large row": ((2, 1024), (1, 1024), "%c = extract %a[%one, %zero] : T -> O\n"),
    "side by side": ((32, 32), (32, 64), "%b = addi %a, %a : T\n%c = cat %a, %b dim = 1 : T, T -> O\n"),
    "tiles that swap places": ((32, 32), (32, 32), loop("%u = addi %w, %v : T\n", "%w, %u")),
    "a branch": ((32, 32), (32, 32), BRANCH),
    "a scan": ((32, 32), (32, 32), f"%c = scan %a dim=1 reverse=false identities=[0 : i32] : T -> T\n{BODY}"),
    "a scan across slices": (
        (8, 256),
        (8, 256),
        f"%c = scan %a dim=0 reverse=true identities=[0 : i32] : T -> T\n{BODY}",
    ),
}


def program(name: str) -> str:
    given, made, work = CASES[name]
    (x, cut), (y, out) = view("x", given, given, "i32"), view("y", made, made, "i32")
    tile, result = (f"tile<{'x'.join(map(str, shape))}xi32>" for shape in (given, made))
    places = [", ".join(["%zero"] * len(shape)) for shape in (given, made)]
    body = x + y + load("a", "x", cut, places[0], tile) + work.replace("T", tile).replace("O", result)
    pointers = "%x: tile<ptr<i32>>, %y: tile<ptr<i32>>"
    return kernel(pointers, body + store("c", "y", out, places[1], result)).replace("@m", "@sliced")


def arrays(name: str) -> list[np.ndarray]:
    given, made, _ = CASES[name]
    numbers = np.arange(np.prod(given)) * 7919 % 1009 - 500
    return [numbers.reshape(given).astype(np.int32), np.zeros(made, np.int32)]


@pytest.mark.parametrize("name", CASES)
def test_loops_over_slices_do_what_the_interpreter_does(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stages, "LAYOUTS", stages.LAYOUTS.replace("nv-tileas-slice-tiles", SMALL))
    text = program(name)
    assert "scf.for" in str(tilewright.compile(text, target="sm_80").asm["layouts"])
    assert same(text, (1,), arrays(name), "sm_80")[1].any()


def test_an_access_of_an_array_moves_what_its_alignment_allows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Arrays are aligned to 16 bytes: two elements of 64 bits, four smaller ones."""
    monkeypatch.setattr(stages, "LAYOUTS", stages.LAYOUTS.replace("nv-tileas-slice-tiles", SMALL))
    name = "a tile that is used twice"
    for element, size in (("i64", 8), ("i32", 4), ("i16", 2)):
        text = program(name).replace("xi32", f"x{element}").replace("ptr<i32>", f"ptr<{element}>")
        stage = str(tilewright.compile(text, target="sm_80").asm["cute"])
        moved = re.findall(r"cute\.ptr\.store .*copy<\w+, (\d+) b> .*, rmem, align<(\d+)>>", stage)
        most = min(16, 4 * size)
        assert set(moved) == {(str(8 * most), str(most))}
        given = [one.astype(f"i{size}") for one in arrays(name)]
        assert same(text, (1,), given, "sm_80")[1].any()


@pytest.mark.parametrize("name", CASES)
def test_without_encodings_the_processor_gets_the_same(name: str) -> None:
    """The processor combines in an order of its own, so sums are compared."""
    results: list[bytes] = []
    text = program(name).replace(BODY, SUM)
    for module in (text, passed(text, ERASED)):
        own = arrays(name)
        tilewright.launch(module, "k", 1, own)
        results.append(own[1].tobytes())
    assert results[0] == results[1]


PRODUCTS = {
    "a result": product("mmai", "i8", "i32", 32, 32, 32, more=" signed unsigned"),
    "factors": product("mmaf", "f32", "f32", 16, 64, 8),
    "batches": product("mmaf", "f16", "f32", 16, 16, 16, 4),
}


@pytest.mark.parametrize("name", PRODUCTS)
def test_products_of_large_tiles_are_made_part_by_part(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stages, "LAYOUTS", stages.LAYOUTS.replace("nv-tileas-slice-tiles", SMALL))
    text, given = PRODUCTS[name]
    after = same(text.replace("@m", "@sliced"), (1,), given, "sm_80")
    assert after[2].tobytes() != given[2].tobytes(), "it did something"


def test_a_product_that_may_leave_out_its_sum_is_not_cut() -> None:
    """Whether the third operand is added is one question of the whole product."""
    text = str(tilewright.compile(PRODUCTS["a result"][0]).asm["tileas"])
    (line,) = (line for line in text.splitlines() if "nv_tileas.dot" in line)
    asked = re.sub(r"(dot\"\([^)]*)\)", r"\1, %flag)", line).replace("i32: 1, 1, 1, 0,", "i32: 1, 1, 1, 1,")
    asked = re.sub(r"\) -> (tensor\S+)$", r", i1) -> \1", asked)
    flag = '%flag = "arith.constant"() <{value = true}> : () -> i1'
    module = tilewright.Module.parse(text.replace(line, f"{flag}\n{asked}"))
    cut = str(passed(module, SMALL))
    assert cut.count("nv_tileas.dot") == 1
    assert "32x32xi32" in next(line for line in cut.splitlines() if "nv_tileas.dot" in line)


@pytest.mark.parametrize("name", ["rows", "a branch"])
def test_no_tile_is_large_that_has_less_than_a_slice(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A loop over slices of it would have no round."""
    option = "nv-tileas-slice-tiles{elements=1}"
    monkeypatch.setattr(stages, "LAYOUTS", stages.LAYOUTS.replace("nv-tileas-slice-tiles", option))
    text = program(name).replace("@sliced", "@whole")
    assert "thread_arrays" not in str(tilewright.compile(text, target="sm_80").asm["layouts"])
    same(text, (1,), arrays(name), "sm_80")


@pytest.mark.parametrize("work", ["addf", "exp", "sum"])
def test_a_million_elements_are_short_code(work: str) -> None:
    assert len(str(tilewright.compile(row(1 << 20, work), target="sm_75").asm["ptx"])) < 1 << 14


def test_a_chosen_number_of_warps_is_kept() -> None:
    hints = "optimization_hints = <sm_80 = {num_worker_warps_per_cta = 8}>"
    text = str(tilewright.compile(row(1 << 16, "sum", hints), target="sm_80").asm["ptx"])
    assert ".reqntid 256" in text
    assert len(text) < 1 << 14


def test_accesses_with_an_order_and_tokens_are_loops() -> None:
    tile, pointer = "tile<131072xi32>", "tile<131072xptr<i32>>"
    body = f"""%n = iota : {tile}
    %r = reshape %x : tile<ptr<f32>> -> tile<1xptr<f32>>
    %e = broadcast %r : tile<1xptr<f32>> -> {pointer.replace("i32", "f32")}
    %p = offset %e, %n : {pointer.replace("i32", "f32")}, {tile} -> {pointer.replace("i32", "f32")}
    %v, %t = load_ptr_tko relaxed device %p : {pointer.replace("i32", "f32")} -> {tile.replace("i32", "f32")}, token
    %s = store_ptr_tko weak %p, %v token=%t : {pointer.replace("i32", "f32")}, {tile.replace("i32", "f32")} -> token
    """
    text = str(tilewright.compile(kernel(POINTERS, body), target="sm_80").asm["ptx"])
    assert "ld.relaxed" in text
    assert len(text) < 1 << 16
