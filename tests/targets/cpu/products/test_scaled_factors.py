"""Scales of factors that are shown in another shape on their way from memory."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.targets.cpu.kernel.whole_kernels import Kernel, tensor
from tests.targets.cpu.products.test_dot import bitcast, numbers, product
from tilewright.dialects.nv_tileaa.ops import shape as ops_shape
from tilewright.interp.numerics import matmul
from tilewright.interp.numerics.element import FORMATS
from tilewright.ir.builtin_types import f8E4M3FN, f8E8M0FNU
from tilewright.targets.cpu.machine.host import processor


def _batched(kernel: Kernel, tile: Any) -> Any:
    """A matrix as the only one of a batch."""
    type = tensor((1, *tile.type.shape), tile.type.element_type)
    return kernel.add(ops_shape.ViewOp(tile, result_types=[type]))


def test_scales_are_loaded_where_the_product_needs_them() -> None:
    form, scale = FORMATS["f8E4M3FN"], FORMATS["f8E8M0FNU"]
    random = np.random.default_rng(1)
    a, b = (numbers(shape, form.array_dtype, seed) for seed, shape in enumerate([(16, 64), (64, 32)]))
    sa, sb = (random.integers(124, 130, shape).astype(np.uint8) for shape in [(16, 2), (2, 32)])
    c, sums = numbers((1, 16, 32), np.float32, 3), np.zeros((1, 16, 32), np.float32)
    kernel = Kernel(*(array.view(np.int8) for array in (a, b, sa, sb)), c, sums)
    types = (f8E4M3FN, f8E4M3FN, f8E8M0FNU, f8E8M0FNU)
    tiles = [_batched(kernel, bitcast(kernel, kernel.load(at), type)) for at, type in enumerate(types)]
    kernel.store(5, product(kernel, tiles[0], tiles[1], kernel.load(4), tiles[2], tiles[3]))
    kernel.run(target=processor())
    sfa, sfb = (array.view(scale.array_dtype) for array in (sa, sb))
    reference = matmul.mmaf_scaled(a, b, c[0], sfa, sfb, form, scale)
    assert np.allclose(sums[0], reference, rtol=1e-6, atol=0, equal_nan=True)
