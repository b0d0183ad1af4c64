"""Generated kernels in the simulator of PTX: the same bits as the interpreter's, or a refusal with operation and chip."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.targets.cpu.programs.generated_programs import (
    SIMULATED_RACE,
    compare,
    excuse_of_race,
    interpreted,
    names_operation,
)
from tests.targets.nvptx.tileas_to_nvvm.gpu_programs import kernel
from tilewright.dialects.cuda_tile.ops.control import ModuleOp
from tilewright.driver.sources import load
from tilewright.ir.diagnostic import Diagnostic, Severity
from tilewright.ir.location import UNKNOWN
from tilewright.testing.execution import Launchpad, entries

MODULES = (0, 1, 4, 5, 12, 13, 18, 23, 29, 49, 75)
"""A slice of the long run, of each kind of module: with overlapping arrays, on grids, past edges, with a global,
with addresses as integers, with memory of a tile block."""


TARGETS = ("sim:sm_75", "sim:sm_80", "sim:sm_90a")


@pytest.mark.parametrize("part", range(3))
def test_the_simulator_does_what_the_interpreter_does_or_says_what_is_missing(part: int) -> None:
    tally: Counter[str] = Counter()
    found = [
        str(difference)
        for number in MODULES[part::3]
        for difference in compare("gpu", 1, tally, 128, number, TARGETS)
    ]
    assert found == []
    assert min(tally[f"{target}: same"] for target in TARGETS) >= 2, tally


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


@pytest.mark.parametrize(("order", "reason"), [("", "ordered by data alone"), (" token=%t", "")])
def test_a_race_is_excused_where_only_data_orders(order: str, reason: str) -> None:
    """The interpreter finds no race in either: data flows from the load to the store, into the same memory."""
    body = f"""%v, %t = load_ptr_tko weak %x : tile<ptr<i32>> -> tile<i32>, token
    %s = store_ptr_tko weak %x, %v{order} : tile<ptr<i32>>, tile<i32> -> token"""
    module = load(kernel("%x: tile<ptr<i32>>", body))
    assert isinstance(module, ModuleOp)
    pad = Launchpad(entries(module)[0])
    assert interpreted(pad, module).problem is None
    assert excuse_of_race(f"error{SIMULATED_RACE}", pad, module) == reason
    assert excuse_of_race("error[TW0401]", pad, module) == ""
