"""Atomic accesses on GPUs: their words in PTX, their results, and what they let other blocks see."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
import pytest

import tilewright
from tests.targets.nvptx.tileas_to_nvvm.gpu_programs import CHIPS, kernel, ptx_of, same
from tilewright import ptxsim
from tilewright.ir.diagnostic import DiagnosticError

pytestmark = pytest.mark.usefixtures("ptx_as_before")

ORDERS = ("relaxed", "acquire", "release", "acq_rel")
SCOPES = {"tl_blk": "cta", "device": "gpu", "sys": "sys"}
LENGTH = 32
TYPES: dict[str, Any] = {
    "i32": np.int32,
    "i64": np.int64,
    "f16": np.float16,
    "bf16": np.uint16,
    "f32": np.float32,
    "f64": np.float64,
}
WORDS = {
    **{(mode, f"i{width}"): f"{mode}.b{width}" for mode in ("and", "or", "xor") for width in (32, 64)},
    **{(mode, f"i{width}"): f"{mode}.s{width}" for mode in ("max", "min") for width in (32, 64)},
    **{(mode, f"i{width}"): f"{mode[1:]}.u{width}" for mode in ("umax", "umin") for width in (32, 64)},
    **{("add", f"i{width}"): f"add.u{width}" for width in (32, 64)},
    **{("xchg", f"{kind}{width}"): f"exch.b{width}" for kind in "if" for width in (32, 64)},
    **{("cas", f"{kind}{width}"): f"cas.b{width}" for kind in "if" for width in (32, 64)},
    ("addf", "f32"): "add.f32",
    ("addf", "f64"): "add.f64",
    ("addf", "f16"): "add.noftz.f16",
    ("addf", "bf16"): "cas.b16",
}
"""What an update of each kind and type is in PTX, behind its order, scope and space."""


def pointers(name: str, element: str, length: int = LENGTH) -> str:
    """What makes ``%NAME_p``, the addresses of the first elements of an array."""
    one, all_of_them = f"tile<1xptr<{element}>>", f"tile<{length}xptr<{element}>>"
    return f"""
    %{name}_1 = reshape %{name} : tile<ptr<{element}>> -> {one}
    %{name}_b = broadcast %{name}_1 : {one} -> {all_of_them}
    %{name}_i = iota : tile<{length}xi32>
    %{name}_p = offset %{name}_b, %{name}_i : {all_of_them}, tile<{length}xi32> -> {all_of_them}
    """


def update(
    mode: str, element: str, order: str, scope: str, at: int, mask: str = "", length: int = LENGTH
) -> str:
    """Update number ``at`` of the array ``x``, behind the one before."""
    tile, all_of_them = f"tile<{length}x{element}>", f"tile<{length}xptr<{element}>>"
    operands = "%x_p, %v, %w" if mode == "cas" else f"%x_p, {mode}, %v"
    masked, types = (f", {mask}", f", tile<{length}xi1>") if mask else ("", "")
    name = "atomic_cas_tko" if mode == "cas" else "atomic_rmw_tko"
    signature = f"{all_of_them}, {tile}{types} -> {tile}, token"
    return f"%r{at}, %t{at} = {name} {order} {scope} {operands}{masked} token=%t_{at} : {signature}\n" + (
        f"%t_{at + 1} = join_tokens %t{at}, %t_{at} : token\n"
    )


def keep(at: int, element: str, length: int = LENGTH) -> str:
    """Stores the results of an update in the array ``y``."""
    types = f"tile<{length}xptr<{element}>>, tile<{length}x{element}>"
    return f"%s{at} = store_ptr_tko weak %y_p, %r{at} : {types} -> token\n"


def updates(mode: str, element: str, cases: Sequence[tuple[str, str]]) -> str:
    """A kernel with an update for each order and scope, one after the other; the results of the last one are kept."""
    tile = f"tile<{LENGTH}x{element}>"
    numbers = [number % 5 for number in range(LENGTH)]
    values = ", ".join(str(number - 2) if element.startswith("i") else f"{number}.0" for number in numbers)
    body = pointers("x", element) + pointers("y", element)
    body += f"%v = constant <{element}: [{values}]> : {tile}\n"
    body += f"%w = constant <{element}: [{values.replace('2', '3')}]> : {tile}\n"
    body += "%t_0 = make_token : token\n"
    body += "".join(update(mode, element, order, scope, at) for at, (order, scope) in enumerate(cases))
    body += keep(len(cases) - 1, element)
    return kernel(f"%x: tile<ptr<{element}>>, %y: tile<ptr<{element}>>", body)


CASES = list(product(ORDERS, SCOPES))
SCOPES_OF_VIEWS = ("tl_blk", "device")
"""What an update of a view may say; its order is relaxed."""


@pytest.mark.parametrize(
    ("mode", "element", "chip"), [(*case, CHIPS[at % len(CHIPS)]) for at, case in enumerate(WORDS)]
)
def test_every_order_and_scope_of_an_update_is_in_the_text_and_runs(
    mode: str, element: str, chip: str
) -> None:
    text = updates(mode, element, CASES)
    ptx = ptx_of(text, chip)
    for order, scope in CASES:
        assert f"atom.{order}.{SCOPES[scope]}.global.{WORDS[mode, element]} " in ptx.replace("\t", " ")
    type = TYPES[element]
    numbers = (np.arange(LENGTH) * 3 % 7).astype(np.float32)
    array = (numbers.view(np.uint32) >> 16).astype(type) if element == "bf16" else numbers.astype(type)
    after = same(text, (1,), [array, np.zeros(LENGTH, type)], chip)
    assert after[1].any()


@pytest.mark.parametrize(("mode", "element"), [case for case in WORDS if case[0] not in ("cas", "xchg")])
def test_every_scope_of_an_update_of_a_view_is_in_the_text(mode: str, element: str) -> None:
    whole = f"tensor_view<{LENGTH}x{element}, strides=[1]>"
    cut = f"partition_view<tile=({LENGTH}), {whole}>"
    number = "1" if element.startswith("i") else "1.0"
    body = f"""%a = make_tensor_view %x, shape = [{LENGTH}], strides = [1] : {whole}
    %p = make_partition_view %a : {cut}
    %v = constant <{element}: {number}> : tile<{LENGTH}x{element}>
    """
    for at, scope in enumerate(SCOPES_OF_VIEWS):
        types = f"tile<{LENGTH}x{element}>, {cut}, tile<i32>"
        body += f"%t{at} = atomic_red_view_tko relaxed {scope} %p[%zero], {mode}, %v : {types} -> token\n"
    ptx = ptx_of(kernel(f"%x: tile<ptr<{element}>>", body), "sm_80").replace("\t", " ")
    for scope in SCOPES_OF_VIEWS:
        assert f"atom.relaxed.{SCOPES[scope]}.global.{WORDS[mode, element]} " in ptx


ACCESSED = {
    "i1": 8,
    "i8": 8,
    "i16": 16,
    "i32": 32,
    "i64": 64,
    "f8E4M3FN": 8,
    "f16": 16,
    "bf16": 16,
    "f32": 32,
    "f64": 64,
}
"""The bits of an element in memory."""


@pytest.mark.parametrize("element", ACCESSED)
def test_every_order_and_scope_of_loads_and_stores_is_in_the_text(element: str) -> None:
    """A tile acquires and releases at once, by a fence behind its loads and in front of its stores."""
    pointer, tile = f"tile<{LENGTH}xptr<{element}>>", f"tile<{LENGTH}x{element}>"
    body = pointers("x", element) + pointers("y", element)
    cases = list(product(SCOPES, (("relaxed", "relaxed"), ("acquire", "release"))))
    for at, (scope, (load, store)) in enumerate(cases):
        body += f"%v{at}, %t{at} = load_ptr_tko {load} {scope} %x_p : {pointer} -> {tile}, token\n"
        body += (
            f"%s{at} = store_ptr_tko {store} {scope} %y_p, %v{at} token=%t{at} : {pointer}, {tile} -> token\n"
        )
    ptx = ptx_of(kernel(f"%x: tile<ptr<{element}>>, %y: tile<ptr<{element}>>", body), "sm_80")
    wanted = list[str]()
    for scope, (load, _) in cases:
        end = f".relaxed.{SCOPES[scope]}.global.b{ACCESSED[element]}"
        fences = [f"fence.acq_rel.{SCOPES[scope]}"] * 2 if load == "acquire" else []
        wanted += [f"ld{end}", *fences, f"st{end}"]
    assert re.findall(r"^\s+((?:ld\.relaxed|st\.relaxed|fence)\.[^\s;]+)", ptx, re.MULTILINE) == wanted


@pytest.mark.parametrize(("length", "chip"), [(32, "sm_80"), (256, "sm_90a"), (1024, "sm_75")])
@pytest.mark.parametrize("mode", ["add", "cas"])
def test_elements_without_a_bit_in_the_mask_are_left_alone(mode: str, length: int, chip: str) -> None:
    tile = f"tile<{length}xi32>"
    body = pointers("x", "i32", length) + pointers("y", "i32", length)
    body += f"""%v = constant <i32: 3> : {tile}
    %w = constant <i32: 9> : {tile}
    %all = constant <i32: 20> : {tile}
    %mask = cmpi less_than %x_i, %all, signed : {tile} -> tile<{length}xi1>
    %t_0 = make_token : token
    """
    body += update(mode, "i32", "relaxed", "device", 0, "%mask", length) + keep(0, "i32", length)
    text = kernel("%x: tile<ptr<i32>>, %y: tile<ptr<i32>>", body)
    array = (np.arange(length) % 5).astype(np.int32)
    x, _ = same(text, (1,), [array, np.full(length, 7, np.int32)], chip)
    assert (x[20:] == array[20:]).all()
    assert (x[:20] != array[:20]).any()


@pytest.mark.parametrize("chip", CHIPS)
def test_many_blocks_update_one_scalar_once_each(chip: str) -> None:
    body = """%old, %t = atomic_rmw_tko relaxed device %x, add, %i : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    %place = offset %y, %i : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %s = store_ptr_tko weak %place, %old : tile<ptr<i32>>, tile<i32> -> token
    """
    text = kernel("%x: tile<ptr<i32>>, %y: tile<ptr<i32>>", body)
    x, _ = same(text, (6,), [np.zeros(1, np.int32), np.zeros(6, np.int32)], chip)
    assert x[0] == sum(range(6))


@pytest.mark.parametrize("chip", CHIPS)
def test_a_tile_of_a_view_is_updated_up_to_its_edge(chip: str) -> None:
    whole = "tensor_view<50xf32, strides=[1]>"
    cut = f"partition_view<tile=(32), {whole}>"
    body = f"""%a = make_tensor_view %x, shape = [50], strides = [1] : {whole}
    %p = make_partition_view %a : {cut}
    %v = constant <f32: 1.5> : tile<32xf32>
    %t = atomic_red_view_tko relaxed device %p[%i], addf, %v : tile<32xf32>, {cut}, tile<i32> -> token
    """
    (x,) = same(kernel("%x: tile<ptr<f32>>", body), (2,), [np.zeros(64, np.float32)], chip)
    assert (x[:50] == 1.5).all()
    assert not x[50:].any()


# --- message passing

WAITING = """
    %ready = constant <i32: 1> : tile<i32>
    %first = cmpi equal %i, %zero, signed : tile<i32> -> tile<i1>
    if %first {
      %p = store_ptr_tko weak %x_p, %x_i : tile<512xptr<i32>>, tile<512xi32> -> token
      SEND
    } else {
      loop {
        WAIT
        %here = cmpi equal %seen, %ready, signed : tile<i32> -> tile<i1>
        if %here { break }
        continue
      }
      %data, %dt = load_ptr_tko weak %x_p : tile<512xptr<i32>> -> tile<512xi32>, token
      %turned = reshape %data : tile<512xi32> -> tile<16x32xi32>
      %moved = permute %turned [1, 0] : tile<16x32xi32> -> tile<32x16xi32>
      %flat = reshape %moved : tile<32x16xi32> -> tile<512xi32>
      %o = store_ptr_tko weak %y_p, %flat : tile<512xptr<i32>>, tile<512xi32> -> token
    }
"""
SIGNATURE = ": tile<ptr<i32>>, tile<i32> -> tile<i32>, token"
SENDS = {
    "a store": "%s = store_ptr_tko release device %flag, %ready TOKEN : tile<ptr<i32>>, tile<i32> -> token",
    "an update": f"%s, %st = atomic_rmw_tko release device %flag, add, %ready TOKEN {SIGNATURE}",
    "a swap": f"%s, %st = atomic_cas_tko acq_rel device %flag, %zero, %ready TOKEN {SIGNATURE}",
}
WAITS = {
    "a load": "%seen, %lt = load_ptr_tko acquire device %flag : tile<ptr<i32>> -> tile<i32>, token",
    "an update": f"%seen, %lt = atomic_rmw_tko acquire device %flag, add, %zero {SIGNATURE}",
    "a swap": f"%seen, %lt = atomic_cas_tko acq_rel device %flag, %zero, %zero {SIGNATURE}",
}


@pytest.mark.parametrize("send", SENDS)
@pytest.mark.parametrize("wait", WAITS)
@pytest.mark.parametrize("token", ["", "token=%p"], ids=["alone", "behind the token"])
def test_a_whole_block_sends_and_a_whole_block_receives(send: str, wait: str, token: str) -> None:
    """Whatever order warps run in, the simulator sees no race, and every thread takes the same way."""
    body = pointers("x", "i32", 512) + pointers("y", "i32", 512)
    body += WAITING.replace("SEND", SENDS[send]).replace("WAIT", WAITS[wait]).replace("TOKEN", token)
    text = kernel("%x: tile<ptr<i32>>, %y: tile<ptr<i32>>, %flag: tile<ptr<i32>>", body)
    ptx = ptx_of(text)
    for schedule in (0, 1, 2):
        arrays = [np.zeros(size, np.int32) for size in (512, 512, 1)]
        ptxsim.launch(ptx, "k", (2, 1, 1), (128, 1, 1), arrays, schedule=schedule)
        assert (arrays[1] == np.arange(512).reshape(16, 32).T.reshape(-1)).all()


def test_a_message_without_an_order_is_a_race() -> None:
    """The check of the test before: it can fail."""
    body = pointers("x", "i32", 512) + pointers("y", "i32", 512)
    relaxed = SENDS["a store"].replace("release", "relaxed"), WAITS["a load"].replace("acquire", "relaxed")
    body += WAITING.replace("SEND", relaxed[0]).replace("WAIT", relaxed[1]).replace("TOKEN", "token=%p")
    text = kernel("%x: tile<ptr<i32>>, %y: tile<ptr<i32>>, %flag: tile<ptr<i32>>", body)
    arrays = [np.zeros(size, np.int32) for size in (512, 512, 1)]
    with pytest.raises(
        DiagnosticError, match="no synchronisation orders this after thread 0 of another block"
    ):
        tilewright.launch(text, "k", (2,), arrays, target="sim:sm_80")
