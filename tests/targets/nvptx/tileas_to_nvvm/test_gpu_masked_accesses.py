"""Accesses under a mask: one instruction with a predicate, as wide as elements are known to exist together."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from tests.targets.nvptx.tileas_to_nvvm.gpu_programs import (
    CHIPS,
    compiled,
    integers,
    kernel,
    load,
    ptx_of,
    same,
    store,
)
from tilewright.driver.loading import Kernels
from tilewright.driver.target import target
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.runtime.image import Image

ACCESS = re.compile(r"(@%p\d+ )?((?:ld|st)\.global\.(?:v\d\.)?b\d+)")
PARAMETERS = "%x: tile<ptr<{0}>>, %y: tile<ptr<{0}>>, %z: tile<ptr<{0}>>, %n: tile<i32>"


def tails(element: str, tile: int, promise: int, padding: str = "") -> str:
    """Copies the `%n` elements of `x`, a multiple of a promised number, to `y`; `z` gets the whole tiles with what pads them."""
    whole = f"tensor_view<?x{element}, strides=[1]>"
    cut = f"partition_view<tile=({tile}){padding}, {whole}>"
    full = f"tensor_view<{2 * tile}x{element}, strides=[1]>"
    filled, type = f"partition_view<tile=({tile}), {full}>", f"tile<{tile}x{element}>"
    body = f"%m = assume div_by<{promise}>, %n : tile<i32>\n"
    for name in "xyz":
        body += f"%{name}_p = assume div_by<16>, %{name} : tile<ptr<{element}>>\n"
    for name in "xy":
        body += (
            f"%{name}_a = make_tensor_view %{name}_p, shape = [%m], strides = [1] : tile<i32> -> {whole}\n"
        )
        body += f"%{name}_v = make_partition_view %{name}_a : {cut}\n"
    body += f"%z_a = make_tensor_view %z_p, shape = [{2 * tile}], strides = [1] : {full}\n"
    body += f"%z_v = make_partition_view %z_a : {filled}\n"
    body += load("a", "x", cut, "%i", type) + store("a", "y", cut, "%i", type)
    body += f"%z_s = store_view_tko weak %a, %z_v[%i] : {type}, {filled}, tile<i32> -> token\n"
    return kernel(PARAMETERS.format(element), body)


NEGATIVE = ", padding_value = neg_inf"
CASES: dict[str, tuple[str, Any, int, int, str]] = {
    "single bits": ("i1", np.bool_, 1, 1024, "b8"),
    "sixteen bits": ("i1", np.bool_, 16, 2048, "v4.b32"),
    "single bytes": ("i8", np.int8, 1, 1024, "b8"),
    "two bytes": ("i8", np.int8, 2, 512, "b16"),
    "four bytes": ("i8", np.int8, 4, 512, "b32"),
    "eight bytes": ("i8", np.int8, 8, 1024, "v2.b32"),
    "sixteen bytes": ("i8", np.int8, 16, 2048, "v4.b32"),
    "single halves": ("f16", np.float16, 1, 512, "b16"),
    "two halves": ("f16", np.float16, 2, 512, "b32"),
    "eight halves": ("f16", np.float16, 8, 1024, "v4.b32"),
    "four shorts": ("i16", np.int16, 4, 512, "v2.b32"),
    "single floats": ("f32", np.float32, 1, 512, "b32"),
    "two floats": ("f32", np.float32, 2, 512, "v2.b32"),
    "four floats": ("f32", np.float32, 16, 512, "v4.b32"),
    "single longs": ("i64", np.int64, 1, 256, "b64"),
    "two longs": ("i64", np.int64, 2, 256, "v2.b64"),
    "single doubles": ("f64", np.float64, 1, 256, "b64"),
    "two doubles": ("f64", np.float64, 16, 256, "v2.b64"),
}
"""An element, its type in arrays, what its number is a multiple of, the tile, and the access that this allows."""


def arguments(name: str) -> list[Any]:
    """Arrays whose last tile is cut short, by as few elements as are promised."""
    _, type, promise, tile, _ = CASES[name]
    count = 2 * tile - promise
    return [integers((count,), type), np.zeros(count, type), np.zeros(2 * tile, type), count]


def text_of(name: str) -> str:
    """The kernel of a case."""
    element, _, promise, tile, _ = CASES[name]
    return tails(element, tile, promise, NEGATIVE if element[0] == "f" else "")


@pytest.mark.parametrize(("name", "chip"), [(name, CHIPS[at % 3]) for at, name in enumerate(CASES)])
def test_tails_of_every_width(name: str, chip: str) -> None:
    """Loads and stores under a mask have a predicate, and none stands in a branch; missing elements are padded."""
    text, access = text_of(name), CASES[name][-1]
    same(text, (2,), arguments(name), chip)
    ptx = ptx_of(text, chip)
    found = {(bool(guard), spelling) for guard, spelling in ACCESS.findall(ptx)}
    assert {(True, f"ld.global.{access}"), (True, f"st.global.{access}")} <= found
    assert all(guard or spelling.startswith("st") for guard, spelling in found), found
    assert "bra" not in ptx


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("missing", [1, 2, 3, 511, 512, 1023])
def test_every_number_of_elements_may_exist(missing: int, chip: str) -> None:
    text, count = text_of("single floats"), 1024 - missing
    x, y, z = integers((count,)), np.zeros(count, np.float32), np.zeros(1024, np.float32)
    same(text, (2,), [x, y, z, count], chip)


TOTAL = """
%c = addf %a, %b : tile<512xf32>
%d = reduce %c dim=0 identities=[0.0 : f32] : tile<512xf32> -> tile<f32>
(%e: tile<f32>, %f: tile<f32>) {
  %g = addf %e, %f : tile<f32>
  yield %g : tile<f32>
}
%o, %ot = atomic_rmw_tko relaxed device %z, addf, %d : tile<ptr<f32>>, tile<f32> -> tile<f32>, token
"""


def test_places_that_other_accesses_share_are_all_known() -> None:
    """One load looks at the first of some neighbours, the other one at all of them: its order is that of each element."""
    text = text_of("four floats")
    begin, end = text.index("%a, %a_t"), text.index("%a_s")
    weak, rest = text[begin:end], text.index("return")
    relaxed = weak.replace("%a", "%b").replace("weak", "relaxed device")
    text = text[:begin] + weak + relaxed + TOTAL + text[rest:]
    text = text.replace(NEGATIVE, "")
    x, y, z, count = arguments("four floats")
    same(text, (2,), [x, y, z[:1].copy(), count], "sm_80")
    found = [spelling for _, spelling in ACCESS.findall(ptx_of(text))]
    assert found == ["ld.global.v4.b32"]
    assert ptx_of(text).count("ld.relaxed.gpu.global.b32") == 4


FILL = """
%m = assume div_by<4>, %n : tile<i32>
%p = assume div_by<16>, %x : tile<ptr<f32>>
%a = make_tensor_view %p, shape = [%m], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
%v = make_partition_view %a : partition_view<tile=(512), tensor_view<?xf32, strides=[1]>>
%c = constant <f32: 3.0> : tile<512xf32>
%s = store_view_tko weak %c, %v[%i] : tile<512xf32>, partition_view<tile=(512), tensor_view<?xf32, strides=[1]>>, tile<i32> -> token
"""


def test_nothing_is_written_behind_an_array_whose_promise_is_broken() -> None:
    """Of a vector that an edge cuts nothing is written, however many elements are promised."""
    made, x = (
        compiled(kernel("%x: tile<ptr<f32>>, %n: tile<i32>", FILL), "sim:sm_80"),
        np.zeros(512, np.float32),
    )
    assert "st.global.v4.b32" in str(made.asm["ptx"])
    made.launch((1,), [x, 402], entry="k")
    assert (x[:400] == 3).all()
    assert not x[402:].any()


@pytest.mark.parametrize("kind", ["ld", "st"])
def test_an_access_without_its_predicate_is_found(kind: str) -> None:
    """A seeded fault: what a mask leaves out lies outside of the array."""
    made = compiled(text_of("four floats"), "sim:sm_80")
    image = made.loader().image()
    ptx, count = re.subn(rf"@%p\d+ (?={kind}\.global)", "", image.object_code.decode())
    assert count
    broken = Kernels(target("sim:sm_80").load(Image(ptx.encode(), image.kernels)))
    with pytest.raises(DiagnosticError, match="past the end of argument"):
        broken.kernel("k").launch((2, 1, 1), arguments("four floats"), 1)
