"""Places of gathers and extents of views that GPU code knows when it is made, or has to take from arguments."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tilewright
from tests.targets.nvptx.tileas_to_nvvm.gpu_programs import kernel, ptx_of, same
from tilewright.targets.nvptx.assemble.assembling import assemble
from tilewright.targets.nvptx.tools import programs

ASSEMBLERS = programs("ptxas")
PLACES = (-2, 5, -1, 0)
"""Of rows: those in front of the array are not there."""
TENSOR = "tensor_view<?x?xi32, strides=[8,1]>"
"""Extents that only a launch knows: code for what lies outside is made."""
PICKED = f"gather_scatter_view<tile=(4x8), padding_value = zero, {TENSOR}, sparse_dim=0>"
WHOLE = "tensor_view<4x8xi32, strides=[8,1]>"
CUT = f"partition_view<tile=(4x8), {WHOLE}>"
TYPES = "tile<4xi32>, tile<i32>"


def moved(word: str) -> str:
    """A kernel that gathers rows of `%x` at constant places into `%y`, or scatters those of `%y`."""
    load, store = (
        "%p[%rows, %zero] : {}" + f"{PICKED}, {TYPES}",
        "%q[%zero, %zero] : {}" + f"{CUT}, tile<i32>",
    )
    if word == "scatter":
        load, store = store, load
    return kernel(
        "%x: tile<ptr<i32>>, %y: tile<ptr<i32>>, %m: tile<i32>, %n: tile<i32>",
        f"""
    %rows = constant <i32: {list(PLACES)}> : tile<4xi32>
    %a = make_tensor_view %x, shape = [%m, %n], strides = [8, 1] : tile<i32> -> {TENSOR}
    %p = make_gather_scatter_view %a : {PICKED}
    %b = make_tensor_view %y, shape = [4, 8], strides = [8, 1] : {WHOLE}
    %q = make_partition_view %b : {CUT}
    %t, %k1 = load_view_tko weak {load.format("")} -> tile<4x8xi32>, token
    %k2 = store_view_tko weak %t, {store.format("tile<4x8xi32>, ")} -> token
    """,
    )


def wanted(word: str, x: Any, y: Any) -> tuple[Any, Any]:
    """Return the arrays as the kernel has to leave them."""
    x, y = x.copy(), y.copy()
    for at, place in enumerate(PLACES):
        if word == "gather":
            y[at] = x[place] if place >= 0 else 0
        elif place >= 0:
            x[place] = y[at]
    return x, y


@pytest.mark.parametrize("word", ["gather", "scatter"])
@pytest.mark.parametrize("chip", ["sm_80", "sm_90a"])
def test_negative_constant_places_are_not_there(word: str, chip: str) -> None:
    text = moved(word)
    before = [np.arange(1, 49, dtype=np.int32).reshape(6, 8), -np.arange(1, 33, dtype=np.int32).reshape(4, 8)]
    right = wanted(word, *before)
    for one, other in zip(same(text, (1,), [*before, 6, 8], chip), right, strict=False):
        assert one.tolist() == other.tolist()
    on_cpu = [array.copy() for array in before]
    tilewright.launch(text, "k", 1, [*on_cpu, 6, 8], target="cpu")
    for one, other in zip(on_cpu, right, strict=True):
        assert one.tolist() == other.tolist()


@pytest.mark.skipif(not ASSEMBLERS, reason="no ptxas is installed")
@pytest.mark.parametrize("word", ["gather", "scatter"])
def test_a_real_assembler_takes_negative_constant_places(word: str) -> None:
    assert assemble(ptx_of(moved(word)), gpu="sm_80", level=0, assembler=ASSEMBLERS[0].path).kernels


@pytest.mark.parametrize("chip", ["sm_80", "sm_90a"])
def test_extents_of_arguments_are_read(chip: str) -> None:
    """`get_tensor_shape` of a view whose extents only a launch knows."""
    view = "tensor_view<?x8xi32, strides=[8,1]>"
    text = kernel(
        "%x: tile<ptr<i32>>, %n: tile<i32>",
        f"""
    %a = make_tensor_view %x, shape = [%n, 8], strides = [8, 1] : tile<i32> -> {view}
    %s:2 = get_tensor_shape %a : {view} -> tile<i32>
    %p = addi %s#0, %s#1 : tile<i32>
    %k = store_ptr_tko weak %x, %p : tile<ptr<i32>>, tile<i32> -> token
    """,
    )
    after = same(text, (1,), [np.zeros(8, np.int32), 7], chip)
    assert after[0][0] == 15
