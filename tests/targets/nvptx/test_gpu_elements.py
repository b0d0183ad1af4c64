"""Every operation on elements, with every type, does on GPUs what it does in the interpreter; NaNs have any bits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.support.samples import samples
from tests.targets.cpu.elementwise import elementwise_cases as cases
from tests.targets.cpu.elementwise.elementwise_functions import BY_NAME, Function
from tests.targets.cpu.elementwise.elementwise_harness import format_of
from tests.targets.cpu.elementwise.test_elementwise_exact import FAMILIES, inputs_of
from tests.targets.cpu.elementwise.test_elementwise_functions import bound, errors, inputs
from tests.targets.nvptx.elementwise_in_simulator import Simulated
from tilewright.interp.numerics.element import decode, to_bits
from tilewright.ir.builtin_types import f16, f32, f64

CHIPS = ("sm_75", "sm_80", "sm_90a")
STRIDE = 21 // samples(1, of=3)
"""Every so many of the cases are run here, at night more; `python -m conformance.gpu elements` runs all of them."""


def difference(exact: cases.Exact, simulated: Simulated) -> str | None:
    """The first operands for which the simulator and the interpreter disagree."""
    operands = inputs_of(exact)
    with np.errstate(all="ignore"):
        expected = np.asarray(exact.reference(*operands))
    got = simulated.run(exact.case.name, exact.result, *operands)
    wrong = np.flatnonzero(~are_same(got, expected, format_of(exact.result)))
    if not wrong.size:
        return None
    first = wrong[0]
    given = [operand[first] for operand in operands]
    return f"{exact.case.name}: {wrong.size} of {got.size}, first {given} gives {got[first]} and not {expected[first]}"


def are_same(got: Any, expected: Any, format: Any) -> Any:
    """For each element whether it has the same bits in two arrays, or is a NaN in both."""
    same = to_bits(got, format) == to_bits(expected, format)
    if format.kind != "float":
        return same
    return same | (np.isnan(decode(got, format)) & np.isnan(decode(expected, format)))


@pytest.mark.parametrize("chip", CHIPS)
def test_results_are_those_of_the_interpreter(chip: str) -> None:
    chosen = [exact for make in FAMILIES.values() for exact in make()][CHIPS.index(chip) :: STRIDE]
    simulated = Simulated([exact.case for exact in chosen], chip)
    assert [found for exact in chosen if (found := difference(exact, simulated)) is not None] == []


def is_bounded(function: Function, type: Any, chip: str) -> bool:
    """Whether an elementary function is as near to the exact results as on the processor."""
    case = function.case(type)
    operands = inputs(function, type)
    got = Simulated([case], chip).run(case.name, type, *operands)
    return errors(function, type, operands, got).max() <= bound(function, type)


@pytest.mark.parametrize(("name", "type"), [("exp", f32), ("sin", f16), ("rsqrt", f64)], ids=str)
def test_functions_are_as_near_as_on_the_processor(name: str, type: Any) -> None:
    assert is_bounded(BY_NAME[name], type, "sm_80")
