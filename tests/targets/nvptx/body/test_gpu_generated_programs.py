"""Generated kernels in the simulator of PTX: the same bits as the interpreter's, or a refusal with operation and chip."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.targets.cpu.programs.generated_programs import compare, names_operation
from tilewright.ir.diagnostic import Diagnostic, Severity
from tilewright.ir.location import UNKNOWN

MODULES = (0, 1, 4, 5, 12, 13, 18, 23, 29, 49, 75)
"""A slice of the long run, of each kind of module: with overlapping arrays, on grids, past edges, with a global,
with addresses as integers, with memory of a tile block."""


@pytest.mark.parametrize("chip", ["sm_75", "sm_80", "sm_90a"])
def test_the_simulator_does_what_the_interpreter_does_or_says_what_is_missing(chip: str) -> None:
    tally: Counter[str] = Counter()
    found = [
        str(difference)
        for number in MODULES
        for difference in compare("gpu", 1, tally, 128, number, [f"sim:{chip}"])
    ]
    assert found == []
    assert tally[f"sim:{chip}: same"] >= 8, tally


@pytest.mark.parametrize(
    ("message", "is_named"),
    [
        ("'nv_tileas.scan' has no form on sm_80", True),
        ("'nv_tileas.scan' has no form", False),
        ("scans have no form on sm_80", False),
    ],
)
def test_a_refusal_names_the_operation_and_the_chip(message: str, *, is_named: bool) -> None:
    assert names_operation(Diagnostic(Severity.ERROR, message, UNKNOWN), "sm_80") is is_named
