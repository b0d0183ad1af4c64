"""Asynchronous copies between the products of their block."""

from __future__ import annotations

import re

import numpy as np
import pytest

from tests.lowering.tileas.test_plan_kernel import product
from tests.targets.nvptx.tileas_to_nvvm.gpu_programs import HALF, integers, ptx_of, same


def loop_of(ptx: str) -> list[str]:
    """The copies, products, ends of groups and barriers of the loop, in their order."""
    words = re.findall(r"cp\.async\.(?:cg|commit|wait)|mma\.sync|bar\.sync|ldmatrix", ptx)
    begin = words.index("bar.sync")
    return words[begin : len(words) - words[::-1].index("mma.sync")]


def test_copies_stand_between_products() -> None:
    words = loop_of(ptx_of(product(128, 128, 64)))
    copies = [at for at, word in enumerate(words) if word == "cp.async.cg"]
    before = [words[:at].count("mma.sync") for at in copies]
    assert before == [4] * 4 + [31] * 4 + [59] * 4 + [87] * 4
    assert words.index("cp.async.commit") == copies[-1] + 1


@pytest.mark.parametrize("chip", ["sm_80", "sm_90a"])
@pytest.mark.parametrize("shape", [(64, 64, 32), (32, 64, 64)])
def test_products_are_those_of_the_interpreter(shape: tuple[int, int, int], chip: str) -> None:
    m, n, k = shape
    factors = [integers((m, 4 * k), HALF), integers((4 * k, n), HALF)]
    same(product(m, n, k), (1,), [*factors, np.zeros((m, n), np.float32)], chip)
