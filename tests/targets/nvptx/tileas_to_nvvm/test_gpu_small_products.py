"""Products of small matrices as code for GPUs: exact, whichever matrix instruction a chip has for them."""

from __future__ import annotations

import numpy as np
import pytest

from tests.targets.nvptx.tileas_to_nvvm.gpu_programs import same
from tests.targets.nvptx.tileas_to_nvvm.small_products import SmallProduct, small_products

STORED = {"f16": np.float16, "f32": np.float32, "f64": np.float64, "i32": np.int32}
SAMPLE = list(small_products())[::97]
EIGHTHS = [
    SmallProduct(factor, total, m, 8, k)
    for factor in ("f8E4M3FN", "f8E5M2")
    for total in ("f16", "f32")
    for m, k in ((16, 16), (32, 16), (16, 32))
]


@pytest.mark.parametrize("one", [*SAMPLE, *EIGHTHS], ids=lambda one: one.name)
def test_the_simulator_has_the_product(one: SmallProduct) -> None:
    """`python -m conformance.gpu products` assembles all of them."""
    chip = ("sm_75", "sm_80", "sm_90a")[one.k.bit_length() % 3] if one not in EIGHTHS else "sm_90a"
    same(one.text(), (1,), [np.zeros(one.m * one.n, STORED[one.total])], chip)
