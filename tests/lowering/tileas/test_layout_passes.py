"""Passes over TileAS keep what kernels do: without the layouts, machine code gives the same bits as before."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

import numpy as np
import pytest

import tilewright
from tests.lowering.tileas.layout_passes import PASSES, differences, passed
from tests.support.samples import samples
from tests.targets.nvptx.tileas_to_nvvm.test_gpu_matrix import PRODUCTS, chain
from tilewright.dialects.nv_tileas.attributes import LinearLayoutAttr
from tilewright.driver.preparation import wrapped
from tilewright.driver.sources import load
from tilewright.ir.builtin_types import RankedTensorType, f32
from tilewright.lowering.tileas.distribution import blocked, distribution_of
from tilewright.lowering.tileas.encodings import values_in


def addition(extent: int, index: str) -> tilewright.Module:
    """A kernel that adds a tile of 256 elements to another one, at a tile index, in the form for GPUs."""
    whole = f"tensor_view<{extent}xf32, strides=[1]>"
    view = f"partition_view<tile=(256), {whole}>"
    moved = f"{view}, tile<i32> -> tile<256xf32>, token"
    text = f"""
cuda_tile.module @m {{
  entry @add(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>) {{
    %zero = constant <i32: 0> : tile<i32>
    %i, %j, %k = get_tile_block_id : tile<i32>
    %a = make_tensor_view %x, shape = [{extent}], strides = [1] : {whole}
    %b = make_tensor_view %y, shape = [{extent}], strides = [1] : {whole}
    %u = make_partition_view %a : {view}
    %v = make_partition_view %b : {view}
    %p, %t = load_view_tko weak %u[{index}] : {moved}
    %q, %s = load_view_tko weak %v[{index}] : {moved}
    %sum = addf %p, %q : tile<256xf32>
    %d = store_view_tko weak %sum, %u[{index}] : tile<256xf32>, {view}, tile<i32> -> token
    return
  }}
}}
"""
    module = tilewright.Module(wrapped(load(text)))
    passes = f"convert-cuda-tile-to-tileaa{{compute-capability=sm_80}},convert-tileaa-to-tileas,{ACCESSES}"
    tilewright.PassManager.parse(f"builtin.module({passes})").run(module)
    return module


ACCESSES = "nv-tileas-lower-view-accesses,canonicalize,cse"
LAYOUTS = "nv-tileas-assign-layouts,nv-tileas-remove-conversions"
CHANGED = {
    "accesses through pointers": "nv-tileas-lower-view-accesses",
    "accesses through pointers, simplified": ACCESSES,
    "warps and layouts": f"{ACCESSES},nv-tileas-plan-kernel{{elements=1}},nv-tileas-assign-layouts",
    "wider factors": f"{ACCESSES},nv-tileas-widen-factors",
    "layouts": f"{ACCESSES},nv-tileas-assign-layouts",
    "fewer conversions": f"{ACCESSES},{LAYOUTS}",
}
"""Passes; layouts that they assign are taken away again."""


def test_kernels_do_the_same_after_every_pass() -> None:
    """`python -m conformance.gpu layouts` runs as many as one likes."""
    tally, count = Counter[str](), samples(4, of=8)
    assert list(differences("layouts", range(count), PASSES, tally)) == []
    assert tally["compared"] > count - 2, tally


@pytest.mark.parametrize("passes", CHANGED.values(), ids=CHANGED)
@pytest.mark.parametrize("name", ["f16", "f64", "bytes", "f8E4M3FN", "fewer batches than warps"])
def test_products_do_the_same_after_a_pass(name: str, passes: str) -> None:
    ((text, arrays), _) = PRODUCTS[name]
    assert results(passed(text, passes), arrays) == product_without_passes(name)


def results(program: Any, arrays: list[Any]) -> list[bytes]:
    """The arrays after a launch."""
    own = [np.array(array) for array in arrays]
    tilewright.launch(program, "k", 1, own)
    return [array.tobytes() for array in own]


@cache
def product_without_passes(name: str) -> list[bytes]:
    ((text, arrays), _) = PRODUCTS[name]
    return results(text, arrays)


@cache
def chain_without_passes(extents: tuple[int, int, int, int]) -> list[bytes]:
    return results(*chain(*extents))


@pytest.mark.parametrize("extents", [(64, 32, 16, 16), (16, 64, 32, 16)])
@pytest.mark.parametrize("passes", CHANGED.values(), ids=CHANGED)
def test_a_product_of_a_product_does_the_same_after_a_pass(
    extents: tuple[int, int, int, int], passes: str
) -> None:
    text, arrays = chain(*extents)
    assert results(passed(text, passes), arrays) == chain_without_passes(extents)


@pytest.mark.parametrize("elements", [1 << bits for bits in range(14)])
@pytest.mark.parametrize(("threads", "together"), [(32, 4), (128, 1), (256, 16)])
def test_a_blocked_layout_has_every_element_as_often_as_another(
    elements: int, threads: int, together: int
) -> None:
    held = blocked(elements, threads, together)
    owned = Counter(number for thread in range(threads) for number in held.owned(thread))
    assert set(owned) == set(range(elements))
    assert set(owned.values()) == {max(1, threads // elements)}
    encoding = LinearLayoutAttr.of(held.over((elements,)))
    assert distribution_of(RankedTensorType((elements,), f32, encoding)) == held


def test_every_tile_of_a_kernel_for_gpus_gets_a_layout() -> None:
    module = addition(1000, "%i")
    before = str(module)
    tilewright.PassManager.parse("builtin.module(nv-tileas-assign-layouts)").run(module)
    tiles = [value for value in values_in(module.operation) if isinstance(value.type, RankedTensorType)]
    assert tiles
    assert all(distribution_of(value.type) == blocked(256, 128, 1) for value in tiles)
    assert (
        'tensor<256xf32, #nv_tileas.linear_layout<"(256) register=2:128@0 lane=32:1@0 warp=4:32@0">>'
        in str(module)
    )
    assert str(tilewright.Module.parse(str(module))) == str(module)
    tilewright.PassManager.parse("builtin.module(nv-tileas-erase-layouts)").run(module)
    assert str(module) == before


def test_an_access_at_an_edge_gets_a_mask_and_one_inside_does_not() -> None:
    text = str(addition(1000, "%i"))
    assert "nv_tileas.tiled" not in text
    assert "tensor<256xi1>" in text
    assert "tensor<256xi1>" not in str(addition(256, "%zero"))
