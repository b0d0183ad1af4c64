"""Neighbouring elements that one access moves: where addresses are aligned, and masks are the same for all of them."""

from __future__ import annotations

import re
from collections import Counter

import numpy as np
import pytest

from tests.targets.nvptx.tileas_to_nvvm.gpu_programs import CHIPS, integers, kernel, load, ptx_of, same, store
from tilewright.layouts.layout import Layout
from tilewright.lowering.tileas.distribution import Distribution
from tilewright.targets.nvptx.tileas_to_nvvm.vectors import IN_PLACE, vector_width

VECTORS = re.compile(r"\b(?:ld|st)\.(?:global|shared)\.(?:v\d\.)?b\d+")


def widths(text: str, space: str) -> Counter[str]:
    """How often each load and store of a space occurs in the PTX of a kernel."""
    ptx = ptx_of(text)
    return Counter(found for found in VECTORS.findall(ptx) if f".{space}." in found)


def addition(size: int, tile: int, element: str, promise: int) -> str:
    """`x + y` over tiles, of which the last one may reach over the edge; pointers are promised to be aligned."""
    whole = f"tensor_view<{size}x{element}, strides=[1]>"
    cut, type = f"partition_view<tile=({tile}), {whole}>", f"tile<{tile}x{element}>"
    body = ""
    for name in "xy":
        body += f"%{name}_p = assume div_by<{promise}>, %{name} : tile<ptr<{element}>>\n"
        body += f"%{name}_a = make_tensor_view %{name}_p, shape = [{size}], strides = [1] : {whole}\n"
        body += f"%{name}_v = make_partition_view %{name}_a : {cut}\n"
    body += load("a", "x", cut, "%i", type) + load("b", "y", cut, "%i", type)
    add = "addf" if element[0] == "f" else "addi"
    body += f"%c = {add} %a, %b : {type}\n" + store("c", "x", cut, "%i", type)
    return kernel(f"%x: tile<ptr<{element}>>, %y: tile<ptr<{element}>>", body)


def rows(stride: str, promises: str = "") -> str:
    """A copy of 32 rows of 48 elements, of which tiles of 16 x 16 are parts; rows are ``stride`` elements apart."""
    whole = f"tensor_view<32x48xf32, strides=[{'?' if stride[0] == '%' else stride},1]>"
    given = "tile<i32> -> " if stride[0] == "%" else ""
    cut = f"partition_view<tile=(16x16), {whole}>"
    body = promises
    for name in "xy":
        body += f"%{name}_p = assume div_by<16>, %{name} : tile<ptr<f32>>\n"
        body += f"%{name}_a = make_tensor_view %{name}_p, shape = [32, 48], strides = [{stride}, 1] : {given}{whole}\n"
        body += f"%{name}_v = make_partition_view %{name}_a : {cut}\n"
    index = "tile<i32>, tile<i32>"
    body += f"%a, %t = load_view_tko weak %x_v[%i, %j] : {cut}, {index} -> tile<16x16xf32>, token\n"
    body += f"%s = store_view_tko weak %a, %y_v[%i, %j] : tile<16x16xf32>, {cut}, {index} -> token\n"
    parameters = "%x: tile<ptr<f32>>, %y: tile<ptr<f32>>, %n: tile<i32>"
    return kernel(parameters, body)


PROMISE = "%m = assume div_by<4>, %n : tile<i32>\n"
ROWS = {
    "rows of a known distance": (rows("48"), {"ld.global.v2.b32": 1, "st.global.v2.b32": 1}),
    "rows of an odd distance": (rows("49"), {"ld.global.b32": 2, "st.global.b32": 2}),
    "rows of any distance": (rows("%n"), {"ld.global.b32": 2, "st.global.b32": 2}),
    "rows of a promised distance": (rows("%m", PROMISE), {"ld.global.v2.b32": 1, "st.global.v2.b32": 1}),
}
"""A kernel, and the accesses of a thread."""


@pytest.mark.parametrize("name", ROWS)
def test_rows_begin_at_aligned_addresses(name: str) -> None:
    text, wanted = ROWS[name]
    assert widths(text, "global") == wanted
    stride = 49 if "odd" in name else 48
    same(text, (2, 3), [integers((32, stride)), np.zeros((32, stride), np.float32), stride], "sm_80")


POINTERS = """
%r = iota : tile<512xi32>
%p = assume div_by<16>, %x : tile<ptr<f32>>
%b = reshape %p : tile<ptr<f32>> -> tile<1xptr<f32>>
%c = broadcast %b : tile<1xptr<f32>> -> tile<512xptr<f32>>
%q = offset %c, %r : tile<512xptr<f32>>, tile<512xi32> -> tile<512xptr<f32>>
%a, %t = load_ptr_tko weak %q : tile<512xptr<f32>> -> tile<512xf32>, token
%d = addf %a, %a : tile<512xf32>
%s = store_ptr_tko weak %q, %d token=%t : tile<512xptr<f32>>, tile<512xf32> -> token
"""


def test_tiles_of_pointers_are_moved_by_vectors() -> None:
    text = kernel("%x: tile<ptr<f32>>", POINTERS)
    assert widths(text, "global") == {"ld.global.v4.b32": 1, "st.global.v4.b32": 1}
    same(text, (1,), [integers((512,))], "sm_80")


MASKED = """
%r = iota : tile<512xi32>
%p = assume div_by<16>, %x : tile<ptr<f32>>
%b = reshape %p : tile<ptr<f32>> -> tile<1xptr<f32>>
%c = broadcast %b : tile<1xptr<f32>> -> tile<512xptr<f32>>
%q = offset %c, %r : tile<512xptr<f32>>, tile<512xi32> -> tile<512xptr<f32>>
%m = {promise} : tile<i32>
%m1 = reshape %m : tile<i32> -> tile<1xi32>
%n1 = broadcast %m1 : tile<1xi32> -> tile<512xi32>
%most = constant <i32: 1024> : tile<512xi32>
{test} : tile<512xi32> -> tile<512xi1>
%a, %t = load_ptr_tko weak %q, %inside : tile<512xptr<f32>>, tile<512xi1> -> tile<512xf32>, token
%d = addf %a, %a : tile<512xf32>
%s = store_ptr_tko weak %q, %d, %inside token=%t : tile<512xptr<f32>>, tile<512xf32>, tile<512xi1> -> token
"""
TESTS = {
    "below": "%inside = cmpi less_than %r, %n1, signed",
    "below without signs": "%inside = cmpi less_than %r, %n1, unsigned",
    "above": "%inside = cmpi greater_than %n1, %r, signed",
    "below the smaller limit": "%w = mini %n1, %most signed : tile<512xi32>\n%inside = cmpi less_than %r, %w, signed",
}
"""Masks of tiles that are computed before the access, as gathers of cuTile have them."""


@pytest.mark.parametrize("name", TESTS)
def test_masks_that_are_tiles_let_accesses_be_wide(name: str) -> None:
    parameters, arrays = "%x: tile<ptr<f32>>, %n: tile<i32>", [integers((512,)), 252]
    promised = MASKED.format(promise="assume div_by<4>, %n", test=TESTS[name])
    text = kernel(parameters, promised)
    assert widths(text, "global") == {"ld.global.v4.b32": 1, "st.global.v4.b32": 1}
    same(text, (1,), arrays, "sm_80")
    unknown = kernel(parameters, MASKED.format(promise="addi %n, %zero", test=TESTS[name]))
    assert widths(unknown, "global") == {"ld.global.b32": 4, "st.global.b32": 4}
    same(unknown, (1,), [integers((512,)), 251], "sm_80")


def test_masks_that_change_within_vectors_keep_accesses_narrow() -> None:
    """Whether an element is not the limit changes at the limit, however it is aligned."""
    test = "%inside = cmpi not_equal %r, %n1, signed"
    text = kernel(
        "%x: tile<ptr<f32>>, %n: tile<i32>", MASKED.format(promise="assume div_by<4>, %n", test=test)
    )
    assert widths(text, "global") == {"ld.global.b32": 4, "st.global.b32": 4}
    same(text, (1,), [integers((512,)), 252], "sm_80")


EXTENT = """
%p = assume div_by<16>, %x : tile<ptr<f32>>
%q = assume div_by<16>, %y : tile<ptr<f32>>
%m = assume div_by<4>, %n : tile<i32>
%u = make_tensor_view %p, shape = [%m], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
%v = make_tensor_view %q, shape = [%m], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
%x_v = make_partition_view %u : partition_view<tile=(512), tensor_view<?xf32, strides=[1]>>
%y_v = make_partition_view %v : partition_view<tile=(512), tensor_view<?xf32, strides=[1]>>
"""


TOTAL = """
%s = reduce %a dim=0 identities=[0.0 : f32] : tile<512xf32> -> tile<f32>
(%b: tile<f32>, %c: tile<f32>) {
  %d = addf %b, %c : tile<f32>
  yield %d : tile<f32>
}
%o, %ot = atomic_rmw_tko relaxed device %y, addf, %s : tile<ptr<f32>>, tile<f32> -> tile<f32>, token
"""


def test_an_extent_that_is_promised_lets_accesses_be_wide() -> None:
    cut, tile = "partition_view<tile=(512), tensor_view<?xf32, strides=[1]>>", "tile<512xf32>"
    parameters = "%x: tile<ptr<f32>>, %y: tile<ptr<f32>>, %n: tile<i32>"
    body = EXTENT + load("a", "x", cut, "%i", tile)
    total = kernel(parameters, body + TOTAL)
    assert widths(total, "global") == {"ld.global.v4.b32": 1}
    same(total, (2,), [integers((1000,)), np.zeros(1, np.float32), 1000], "sm_80")
    copied = kernel(parameters, body + store("a", "y", cut, "%i", tile))
    assert widths(copied, "global") == {"ld.global.v4.b32": 1, "st.global.v4.b32": 1}
    same(copied, (2,), [integers((1000,)), np.zeros(1000, np.float32), 1000], "sm_80")


CASES = {
    "whole tiles": (addition(1024, 512, "f32", 16), np.float32, 1024, {"ld.global.v4.b32": 2, "st.global.v4.b32": 1}),
    "an edge between vectors": (addition(1000, 512, "f32", 16), np.float32, 1000, {"ld.global.v4.b32": 2, "st.global.v4.b32": 1}),
    "an edge within vectors of four": (addition(1002, 512, "f32", 16), np.float32, 1002, {"ld.global.v2.b32": 4, "st.global.v2.b32": 2}),
    "an edge within vectors": (addition(1001, 512, "f32", 16), np.float32, 1001, {"ld.global.b32": 8, "st.global.b32": 4}),
    "addresses of pairs": (addition(1024, 512, "f32", 8), np.float32, 1024, {"ld.global.v2.b32": 4, "st.global.v2.b32": 2}),
    "no promise": (addition(1024, 512, "f32", 1), np.float32, 1024, {"ld.global.b32": 8, "st.global.b32": 4}),
    "doubles": (addition(1024, 512, "f64", 16), np.float64, 1024, {"ld.global.v2.b64": 4, "st.global.v2.b64": 2}),
    "halves": (addition(1024, 512, "f16", 16), np.float16, 1024, {"ld.global.v2.b32": 2, "st.global.v2.b32": 1}),
    "bytes": (addition(1024, 512, "i8", 16), np.int8, 1024, {"ld.global.b32": 2, "st.global.b32": 1}),
}  # fmt: skip
"""A kernel, its elements, and the accesses of a thread."""


@pytest.mark.parametrize("name", CASES)
def test_accesses_are_as_wide_as_is_known_to_be_right(name: str) -> None:
    text, _, _, wanted = CASES[name]
    assert widths(text, "global") == wanted


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("name", CASES)
def test_the_simulator_does_what_the_interpreter_does(name: str, chip: str) -> None:
    text, type, size, _ = CASES[name]
    same(text, (-(-size // 512),), [integers((size,), type), integers((size,), type)], chip)


@pytest.mark.parametrize(
    ("registers", "threads", "memory", "size", "wanted"),
    [
        (Layout(4, 1), Layout(32, 4), IN_PLACE, 4, 4),
        (Layout(8, 1), Layout(32, 8), IN_PLACE, 4, 4),
        (Layout(8, 1), Layout(32, 8), IN_PLACE, 2, 8),
        (Layout(2, 1), Layout(32, 2), IN_PLACE, 4, 2),
        (Layout(4, 32), Layout(32, 1), IN_PLACE, 4, 1),
        (Layout((2, 2), (1, 64)), Layout(32, 2), IN_PLACE, 4, 2),
        (Layout(4, 1), Layout(32, 4), Layout((4, 64), (1, 6)), 4, 2),
        (Layout(4, 1), Layout(32, 4), Layout((4, 64), (1, 5)), 4, 1),
        (Layout(4, 1), Layout(32, 4), Layout((4, 64), (1, 12)), 4, 4),
        (Layout(8, 1), Layout(32, 8), Layout((8, 64), (1, 12)), 2, 4),
    ],
)
def test_elements_of_a_thread_that_are_moved_at_once(
    registers: Layout, threads: Layout, memory: Layout, size: int, wanted: int
) -> None:
    """As many as lie together, and begin at a multiple of their number in each thread."""
    assert vector_width(Distribution(threads, registers), memory, size) == wanted
