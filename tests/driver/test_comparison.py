"""Compared launches name the line that loses digits or has another formula, and accuse no kernel without a mistake."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("cuda.tile")

import cuda.tile as ct

import tilewright
from tests.checks_corpus import numbers
from tests.driver import lossy_kernels
from tests.driver.lossy_kernels import FORMULA, HALF, Lossy, normal, uniform, wide, zeros
from tilewright import cutile
from tilewright.driver.comparison.launch import LaunchComparison


@ct.kernel
def gate_of_one(x, y, out):
    value, other = ct.load(x, (0,), shape=(16,)), ct.load(y, (0,), shape=(16,))
    ct.store(out, (0,), other / (1.0 + ct.exp(-value)))  # fault: a missing factor


@ct.kernel
def gate_of_value(x, y, out):
    value, other = ct.load(x, (0,), shape=(16,)), ct.load(y, (0,), shape=(16,))
    ct.store(out, (0,), value * other / (1.0 + ct.exp(-value)))


def gated(x, y, out):
    x, y = wide(x, y)
    return x * y / (1 + np.exp(-x))


@ct.kernel
def rounded_bias(x, y, out):
    value, other = ct.load(x, (0,), shape=(16,)), ct.load(y, (0,), shape=(16,))
    total = value.astype(ct.float32) * 1.002 + other.astype(ct.float32)  # fault: a factor near one
    ct.store(out, (0,), total.astype(ct.float16))


@ct.kernel
def exact_bias(x, y, out):
    value, other = ct.load(x, (0,), shape=(16,)), ct.load(y, (0,), shape=(16,))
    ct.store(out, (0,), (value.astype(ct.float32) + other.astype(ct.float32)).astype(ct.float16))


CASES = (
    *lossy_kernels.CASES,
    Lossy(
        "a missing factor",
        gate_of_one,
        gate_of_value,
        lambda: (normal(16), normal(16), zeros(16)),
        "multiplied by",
        gated,
        code=FORMULA,
    ),
    Lossy(
        "a factor near one",
        rounded_bias,
        exact_bias,
        lambda: (uniform(16, dtype=HALF), uniform(16, dtype=HALF), zeros(16, dtype=HALF)),
        "then the results are as expected",
        lambda x, y, out: x.astype(np.float64) + y.astype(np.float64),
        code=FORMULA,
    ),
)
TOLD_AT_LEAST = 22
"""How many of the seeded faults are told at their lines."""


def compared(case: Lossy, kernel: Any) -> LaunchComparison:
    return cutile.compare(case.grid, kernel, case.given(), target="interp", reference=case.reference)


def line_of(case: Lossy) -> int:
    """The line of the mistake, counted from 1."""
    lines = (
        Path(inspect.getfile(case.faulty._annotated_function.pyfunc)).read_text(encoding="utf-8").splitlines()
    )
    return 1 + next(at for at, line in enumerate(lines) if line.endswith(f" fault: {case.mistake}"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.mistake)
def test_the_line_of_a_fault_is_told(case: Lossy) -> None:
    found = compared(case, case.faulty).findings
    assert found, "nothing was told"
    first = found[0]
    assert first.location.source is not None
    assert first.location.source[1] == line_of(case), str(first)
    assert str(first.code) == case.code
    assert any(case.hint in hint for hint in first.hints), first.hints


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.mistake)
def test_the_mended_kernel_is_not_accused(case: Lossy) -> None:
    found = compared(case, case.right)
    assert not found.findings, "\n".join(map(str, found.findings))
    assert found.arrays


@pytest.mark.parametrize("mistake", ["a premature cast", "factors in tf32"])
def test_factors_in_narrow_formats_are_warnings(mistake: str) -> None:
    case = next(one for one in CASES if one.mistake == mistake)
    found = compared(case, case.faulty)
    assert found.findings == found.warnings
    cutile.launch(case.grid, case.faulty, case.given(), target="interp", compare=True)


BRANCH = """
cuda_tile.module @m {
  entry @k(%x: tile<ptr<f32>>, %out: tile<ptr<f32>>) {
    %zero = constant <f32: 0.0> : tile<f32>
    %value, %t0 = load_ptr_tko weak %x : tile<ptr<f32>> -> tile<f32>, token
    %on = cmpf greater_than ordered %value, %zero : tile<f32> -> tile<i1>
    %chosen = if %on -> (tile<f32>) {
      yield %value : tile<f32>
    } else {
      %less = negf %value : tile<f32>
      yield %less : tile<f32>
    }
    %t1 = store_ptr_tko weak %out, %chosen : tile<ptr<f32>>, tile<f32> -> token
    return
  }
}
"""


def test_results_of_branches_and_infinities_are_compared_with_references() -> None:
    def told(wanted: float) -> list[str]:
        arguments = [np.full(1, 3, np.float32), np.zeros(1, np.float32)]
        found = tilewright.compare(BRANCH, "k", 1, arguments, target="interp", reference=np.float64(wanted))
        return [str(one.code) for one in found.findings]

    assert told(3) == []
    assert told(5) == told(np.inf) == ["TW0416"]


def test_there_are_enough_faults() -> None:
    assert len(CASES) >= TOLD_AT_LEAST


def test_right_kernels_of_the_corpus_are_not_accused() -> None:
    told = 0
    for case in numbers.CASES:
        arguments = case.given(right=True)
        if isinstance(case.right, str):
            found = tilewright.compare(case.right, "k", case.grid, arguments, target="interp")
        else:
            found = cutile.compare(case.grid, case.right, arguments, target="interp")
        told += 1
        assert not found.findings, case.mistake + "\n".join(map(str, found.findings))
    assert told + len(CASES) >= 40, "with the mended kernels above"
