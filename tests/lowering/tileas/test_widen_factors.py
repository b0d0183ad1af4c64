"""Factors of eight bits on chips whose matrix units multiply no such numbers."""

from __future__ import annotations

import re
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from tests.lowering.tileas.test_plan_kernel import product
from tests.targets.nvptx.tileas_to_nvvm.gpu_programs import compiled, integers, ptx_of, same

FORMATS = {"f8E4M3FN": ml_dtypes.float8_e4m3fn, "f8E5M2": ml_dtypes.float8_e5m2}


def arrays(type: Any) -> list[Any]:
    """Every bit pattern of the format but infinities, NaN among them, times a few numbers."""
    codes = np.arange(256, dtype=np.uint8).view(type)
    codes[np.isinf(codes.astype(np.float32))] = 0
    left = np.resize(codes, (128, 64)).copy()
    return [left, integers((128, 32), type), np.zeros((64, 32), np.float32)]


@pytest.mark.parametrize("chip", ["sm_80", "sm_89", "sm_90a"])
@pytest.mark.parametrize("element", FORMATS)
def test_products_are_those_of_the_interpreter(element: str, chip: str) -> None:
    left, right, out = arrays(FORMATS[element])
    text = product(64, 32, 32, element=element)
    same(text, (1,), [left.reshape(64, 128), right, out], chip)


@pytest.mark.parametrize(
    ("chip", "factors"),
    [("sm_80", "f16"), ("sm_89", "e4m3"), ("sm_90a", "f16"), ("sm_100a", "f16"), ("sm_120a", "e4m3")],
)
def test_what_the_matrix_unit_multiplies(chip: str, factors: str) -> None:
    ptx = ptx_of(product(64, 32, 32, element="f8E4M3FN"), chip)
    assert set(re.findall(r"mma\.sync\S*f32\.(\w+)\.\w+\.f32", ptx)) == {factors}


def test_an_element_is_converted_once() -> None:
    """128 x 32 and 32 x 128 elements, in pairs, by 128 threads."""
    ptx = ptx_of(product(128, 128, 32, element="f8E4M3FN"), "sm_90a")
    threads = int(str(re.findall(r"\.reqntid (\d+)", ptx)[0]))
    assert ptx.count("cvt.rn.f16x2.e4m3x2") == 2 * 128 * 32 // 2 // threads
    assert "ldmatrix" in ptx


def test_factors_stay_where_matrix_units_take_them() -> None:
    layouts = str(compiled(product(64, 32, 32, element="f8E4M3FN"), "sim:sm_89").asm["layouts"])
    assert "nv_tileas.extf" not in layouts
