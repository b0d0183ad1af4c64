"""Promises about groups of numbers and addresses, and about views: those that are broken are told, and no others."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tilewright

TARGETS = ("cpu", "interp")
ELEMENTS = {"i8": np.int8, "f32": np.float32, "i64": np.int64}


def kernel(element: str, numbers: str = "", addresses: str = "") -> str:
    """Return a kernel that loads eight elements from a start on, by steps, with a promise about their numbers or their
    addresses.
    """
    last = "%q" if numbers else "%n"
    used = "%a" if addresses else "%p"
    pointer, many = f"tile<ptr<{element}>>", f"tile<8xptr<{element}>>"
    return f"""
cuda_tile.module @m {{
  entry @k(%x: {pointer}, %start: tile<i32>, %step: tile<i32>) {{
    %i = iota : tile<8xi32>
    %r0 = reshape %start : tile<i32> -> tile<1xi32>
    %r = broadcast %r0 : tile<1xi32> -> tile<8xi32>
    %s0 = reshape %step : tile<i32> -> tile<1xi32>
    %s = broadcast %s0 : tile<1xi32> -> tile<8xi32>
    %m = muli %i, %s : tile<8xi32>
    %n = addi %m, %r : tile<8xi32>
    %p0 = reshape %x : {pointer} -> tile<1xptr<{element}>>
    %p1 = broadcast %p0 : tile<1xptr<{element}>> -> {many}
    {numbers and f"%q = assume {numbers}, %n : tile<8xi32>"}
    %p = offset %p1, {last} : {many}, tile<8xi32> -> {many}
    {addresses and f"%a = assume {addresses}, %p : {many}"}
    %v, %t = load_ptr_tko weak {used} : {many} -> tile<8x{element}>, token
    %u = store_ptr_tko weak {used}, %v token=%t : {many}, tile<8x{element}> -> token
    return
  }}
}}
"""


def outcome(text: str, arguments: list[Any], target: str) -> str:
    """Return the message of the finding, or nothing."""
    try:
        tilewright.launch(text, "k", 1, arguments, check="promises", target=target)
    except tilewright.DiagnosticError as error:
        (found,) = error.diagnostics
        assert str(found.code) == "TW0408"
        return found.message
    return ""


def aligned(element: str, count: int) -> np.ndarray:
    """Return elements that begin at a multiple of 64 bytes."""
    size = np.dtype(ELEMENTS[element]).itemsize
    memory = np.zeros(count * size + 64, np.uint8)
    start = -memory.ctypes.data % 64
    return memory[start : start + count * size].view(ELEMENTS[element])


PLACES = [(4, 1), (2, 1), (0, 3)]


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("every", [1, 4])
def test_groups_of_numbers_count_up_from_a_multiple(every: int, target: str) -> None:
    text = kernel("f32", numbers=f"div_by<4, every {every} along 0>")
    for start, step in PLACES:
        numbers = [start + at * step for at in range(8)]
        firsts = [numbers[at - at % every] for at in range(8)]
        kept = all(one % 4 == 0 for one in firsts) and numbers == [
            first + at % every for at, first in enumerate(firsts)
        ]
        found = outcome(text, [aligned("f32", 64), start, step], target)
        assert (found == "") == kept, (start, step, found)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("element", ELEMENTS)
def test_groups_of_addresses_count_in_elements(element: str, target: str) -> None:
    size = np.dtype(ELEMENTS[element]).itemsize
    divisor = 4 * size
    text = kernel(element, addresses=f"div_by<{divisor}, every 4 along 0>")
    for start, step in PLACES:
        kept = step == 1 and start % 4 == 0
        found = outcome(text, [aligned(element, 64), start, step], target)
        assert (found == "") == kept, (start, step, found)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(("offset", "kept"), [(4, True), (2, False)])
def test_a_view_begins_at_a_multiple(offset: int, kept: bool, target: str) -> None:
    text = """
cuda_tile.module @m {
  entry @k(%x: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %w = make_tensor_view %x, shape = [8], strides = [1] : tensor_view<8xf32, strides=[1]>
    %v = assume div_by<16>, %w : tensor_view<8xf32, strides=[1]>
    %p = make_partition_view %v : partition_view<tile=(8), tensor_view<8xf32, strides=[1]>>
    %a, %t = load_view_tko weak %p[%zero] : partition_view<tile=(8), tensor_view<8xf32, strides=[1]>>, tile<i32> -> tile<8xf32>, token
    %u = store_view_tko weak %a, %p[%zero] token=%t : tile<8xf32>, partition_view<tile=(8), tensor_view<8xf32, strides=[1]>>, tile<i32> -> token
    return
  }
}
"""
    found = outcome(text, [aligned("f32", 64)[offset : offset + 8]], target)
    assert (found == "") == kept
