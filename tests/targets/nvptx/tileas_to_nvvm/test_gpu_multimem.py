"""Accesses to the copies of several devices on GPUs: their words in PTX, and what they do to one copy and to several."""

from __future__ import annotations

import re
from itertools import product
from typing import Any

import numpy as np
import pytest

import tilewright
from tests.targets.nvptx.tileas_to_nvvm.gpu_programs import kernel, same
from tilewright import ptxsim
from tilewright.ir.diagnostic import DiagnosticError

pytestmark = pytest.mark.usefixtures("ptx_as_before")

LENGTH = 64
TYPES: dict[str, Any] = {
    "i32": np.int32,
    "i64": np.int64,
    "f16": np.float16,
    "bf16": np.uint16,
    "f32": np.float32,
    "f64": np.float64,
}
WORDS = {"i32": "b32", "i64": "b64", "f16": "v2.f16x2", "bf16": "v2.bf16x2", "f32": "v4.f32", "f64": "f64"}
"""What a store moves at once, of aligned rows."""
SCOPES = {"tl_blk": "cta", "device": "gpu", "sys": "sys"}
INTEGER_KINDS = ("add", "min", "max", "and", "or", "xor", "umin", "umax")
HALF_KINDS = ("add", "min", "max")
LOADS = [
    *product(INTEGER_KINDS, ("i32", "i64")),
    *product(HALF_KINDS, ("f16", "bf16")),
    ("add", "f32"),
    ("add", "f64"),
]
UPDATES = [*product(INTEGER_KINDS, ("i32", "i64")), *product(("add",), ("f16", "bf16", "f32", "f64"))]


def operation(
    kind: str, element: str, *orders: str, reduction: str = "add", length: int = LENGTH, tile: int = LENGTH
) -> str:
    """A kernel that moves a tile between the array ``y`` and ``x``, of which there are several copies.

    ``kind`` is load, store or update; there is one access for each of the orders, all but the first one with no effect
    on what the array ``y`` holds.
    """
    multicast = ", #cuda_tile.ptr_attr<multicast>"
    one, many = (f"tensor_view<{length}x{element}, strides=[1]{end}>" for end in ("", multicast))
    plain, cut = (f"partition_view<tile=({tile}), {whole}>" for whole in (one, many))
    pointer, type = f"tile<ptr<{element}, <multicast>>>", f"tile<{tile}x{element}>"
    by = f"attributes {{reduction = #cuda_tile.multimem_reduction_kind<{reduction}>}}"
    body = f"""%x16 = assume div_by<16>, %x : {pointer}
    %y16 = assume div_by<16>, %y : tile<ptr<{element}>>
    %a = make_tensor_view %x16, shape = [{length}], strides = [1] : {pointer} -> {many}
    %p = make_partition_view %a : {cut}
    %b = make_tensor_view %y16, shape = [{length}], strides = [1] : {one}
    %q = make_partition_view %b : {plain}
    """
    moves = f"{plain}, tile<i32>"
    access = {
        "load": f"%v, %t = multimem_load_reduce_view_tko ORDER %p[%i] {by} : {cut}, tile<i32> -> {type}, token\n",
        "store": f"%s = multimem_store_view_tko ORDER %p, %v[%i] : {cut}, {type}, tile<i32> -> token\n",
        "update": f"%s = multimem_reduce_view_tko ORDER %p, %v[%i] {by} : {cut}, {type}, tile<i32> -> token\n",
    }[kind]
    read = f"%v, %t = load_view_tko weak %q[%i] : {moves} -> {type}, token\n"
    write = f"%s = store_view_tko weak %v, %q[%i] : {type}, {moves} -> token\n"
    first, *more = (access.replace("ORDER", order) for order in orders)
    body += first + write if kind == "load" else read + first
    for at, line in enumerate(more):
        body += line.replace("%v, %t =", f"%v{at}, %t{at} =").replace("%s =", f"%s{at} =")
    return kernel(f"%x: {pointer}, %y: tile<ptr<{element}>>", body)


def numbers(element: str, length: int = LENGTH, factor: int = 7) -> Any:
    """Small integers, which floats hold exactly."""
    found = (np.arange(length) * factor % 23 - 9).astype(np.float32)
    return (
        (found.view(np.uint32) >> 16).astype(np.uint16) if element == "bf16" else found.astype(TYPES[element])
    )


def words_of(text: str, chip: str = "sm_90a") -> str:
    """The PTX of a kernel."""
    return str(tilewright.compile(text, target=chip).asm["ptx"]).replace("\t", " ")


@pytest.mark.parametrize(("reduction", "element"), LOADS)
def test_a_load_combines_the_copies(reduction: str, element: str) -> None:
    text = operation("load", element, "weak", reduction=reduction)
    same(text, (1,), [numbers(element), numbers(element, factor=3)], "sm_90")


@pytest.mark.parametrize("element", TYPES)
def test_a_store_reaches_the_copy(element: str) -> None:
    same(operation("store", element, "weak"), (1,), [numbers(element), numbers(element, factor=3)], "sm_100a")


@pytest.mark.parametrize(("kind", "order"), [("store", "weak"), ("update", "relaxed device")])
@pytest.mark.parametrize("element", TYPES)
def test_constants_reach_the_copy(kind: str, order: str, element: str) -> None:
    """The instructions take registers only."""
    number = "3" if element.startswith("i") else "3.0"
    text = operation(kind, element, order)
    constant = f"%v = constant <{element}: {number}> : tile<{LENGTH}x{element}>\n"
    text = re.sub(r"%v, %t = load_view_tko .*\n", constant, text)
    same(text, (1,), [numbers(element), numbers(element, factor=3)], "sm_90a")


@pytest.mark.parametrize(("reduction", "element"), UPDATES)
def test_an_update_combines_the_copy_with_a_tile(reduction: str, element: str) -> None:
    text = operation("update", element, "relaxed device", reduction=reduction)
    same(text, (1,), [numbers(element), numbers(element, factor=3)], "sm_90a")


@pytest.mark.parametrize(
    ("kind", "element", "word", "orders"),
    [
        ("load", "f32", "multimem.ld_reduce.{}.global.add.f32 ", ("relaxed", "acquire")),
        ("store", "bf16", "multimem.st.{}.global.bf16x2 ", ("relaxed", "release")),
        ("update", "i64", "multimem.red.{}.global.add.u64 ", ("relaxed", "release")),
    ],
)
def test_every_order_and_scope_is_in_the_text(
    kind: str, element: str, word: str, orders: tuple[str, ...]
) -> None:
    cases = list(product(orders, SCOPES))
    lines = words_of(operation(kind, element, *(" ".join(case) for case in cases))).splitlines()
    for order, scope in cases:
        fenced = kind != "update" and order != "relaxed"
        said = f"{'relaxed' if fenced else order}.{SCOPES[scope]}"
        at = next(at for at, line in enumerate(lines) if word.format(said) in line)
        del lines[at]
        if fenced:
            fence = f" fence.acq_rel.{SCOPES[scope]};"
            found = lines.index(fence, at) if kind == "load" else lines.index(fence, 0, at)
            del lines[found]
    assert not [line for line in lines if " fence." in line], "a fence that no order asks for"


@pytest.mark.parametrize("order", ["relaxed", "release"])
@pytest.mark.parametrize("kind", ["store", "update"])
def test_a_release_follows_what_the_other_threads_did(kind: str, order: str) -> None:
    """A barrier stands before it, as what any thread of the block did before happens before it."""
    before, access, _ = words_of(operation(kind, "i32", f"{order} device")).partition(" multimem.")
    assert access
    assert before.count(" bar.sync ") == (order == "release")


@pytest.mark.parametrize("element", TYPES)
def test_neighbours_are_moved_together(element: str) -> None:
    text = operation("store", element, "weak", length=1024, tile=1024)
    assert f"multimem.st.weak.global.{WORDS[element]} " in words_of(text)
    same(text, (1,), [numbers(element, 1024), numbers(element, 1024, 3)], "sm_90")


@pytest.mark.parametrize("element", ["f16", "bf16"])
@pytest.mark.parametrize("kind", ["load", "store", "update"])
def test_halves_without_a_known_neighbour_leave_the_other_half_alone(kind: str, element: str) -> None:
    text = operation(kind, element, "relaxed device" if kind == "update" else "weak", length=13, tile=8)
    arrays = [numbers(element, 13), numbers(element, 13, 3)]
    same(text, (2,), arrays, "sm_90")


@pytest.mark.parametrize(
    "use", ["", "%r = mmaf %v, %v, %v : tile<16x16xf16>, tile<16x16xf16>, tile<16x16xf16>"]
)
def test_a_load_for_nobody_or_for_a_product_has_one_layout(use: str) -> None:
    many = "tensor_view<15x13xf16, strides=[13,1], #cuda_tile.ptr_attr<multicast>>"
    cut, pointer = f"partition_view<tile=(16x16), {many}>", "tile<ptr<f16, <multicast>>>"
    body = f"""%x16 = assume div_by<16>, %x : {pointer}
    %a = make_tensor_view %x16, shape = [15, 13], strides = [13, 1] : {pointer} -> {many}
    %p = make_partition_view %a : {cut}
    %v, %t = multimem_load_reduce_view_tko weak %p[%i, %i] attributes {{reduction = #cuda_tile.multimem_reduction_kind<add>}} : {cut}, tile<i32> -> tile<16x16xf16>, token
    {use}
    """
    text = kernel(f"%x: {pointer}", body)
    assert "multimem.ld_reduce." in words_of(text)


def test_a_store_of_single_halves_with_an_order_is_refused() -> None:
    named = "sm_90a cannot do 'nv_tileas.store' with an order, of single halves, to the copies"
    with pytest.raises(DiagnosticError, match=named):
        words_of(operation("store", "f16", "relaxed device", length=13, tile=8))


@pytest.mark.parametrize("kind", ["load", "store", "update"])
def test_chips_before_hopper_are_refused_by_name(kind: str) -> None:
    with pytest.raises(DiagnosticError, match=r"sm_89 cannot do 'cuda_tile.multimem_.*from sm_90 on"):
        words_of(operation(kind, "i32", "relaxed device"), "sm_89")


@pytest.mark.parametrize(("element", "length"), [("f32", 64), ("f16", 64), ("bf16", 13), ("i32", 64)])
def test_all_copies_are_read_written_and_updated(element: str, length: int) -> None:
    tile = 8 if length < LENGTH else LENGTH
    copies = [numbers(element, length, factor) for factor in (3, 5, 7)]
    other = numbers(element, length, 2)
    before, added = [_values(element, one) for one in copies], _values(element, other)

    def run(kind: str) -> tuple[list[Any], Any]:
        own, given = [one.copy() for one in copies], other.copy()
        order = "relaxed device" if kind == "update" else "weak"
        ptx = words_of(operation(kind, element, order, length=length, tile=tile))
        ptxsim.launch(ptx, "k", (-(-length // tile),), (128,), [ptxsim.Multicast(tuple(own)), given])
        return [_values(element, one) for one in own], _values(element, given)

    assert (run("load")[1] == sum(before)).all()
    assert all((one == added).all() for one in run("store")[0])
    assert all((one == old + added).all() for one, old in zip(run("update")[0], before, strict=True))


def _values(element: str, array: Any) -> Any:
    """The numbers in an array."""
    return (array.astype(np.uint32) << 16).view(np.float32) if element == "bf16" else array


def test_the_address_of_several_copies_is_that_of_nothing_else() -> None:
    text = operation("load", "f32", "weak")
    plain = words_of(text).replace("multimem.ld_reduce.weak.global.add.f32", "ld.global.f32")
    copies = ptxsim.Multicast((numbers("f32"), numbers("f32")))
    with pytest.raises(DiagnosticError, match="which is not allocated"):
        ptxsim.launch(plain, "k", (1,), (128,), [copies, numbers("f32")])
