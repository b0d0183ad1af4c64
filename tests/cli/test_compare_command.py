"""`tilewright compare`: tables, findings, reports and exit status for a program that launches kernels."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("cuda.tile")

import tilewright
from tests.cli.test_commands import Answer, tilewright as tilewright_command
from tests.driver.lossy_kernels import CASES, half_sum, wide_sum, zeros
from tilewright import cutile
from tilewright.driver import repeatable
from tilewright.gpu_programs import active
from tilewright.interp import codes
from tilewright.interp.precision.watch import stored_formats
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.pytest_plugin import DEFAULTS
from tilewright.runtime.findings.record import recording
from tools.report_schema import of_command

__all__ = ["tilewright_command"]

jsonschema: Any = pytest.importorskip("jsonschema")

Command = Callable[..., Answer]
PROGRAM = """
import cuda.tile as ct, numpy as np

@ct.kernel
def mean(x, out):
    rows = ct.load(x, (ct.bid(0), 0), shape=(4, 256))
    ct.store(out, (ct.bid(0),), ct.sum(rows, axis=1) / 256)

x = np.random.default_rng(0).random((8, 256)).astype(np.float16)
for _ in range(2):
    ct.launch(None, (2,), mean, (x, np.zeros(8, np.float16)))
"""
LINE = 7
ATOMIC = """
cuda_tile.module @m {
  entry @k(%sum: tile<ptr<f32>>, %x: tile<ptr<f32>>) {
    %i, %j, %l = get_tile_block_id : tile<i32>
    %place = offset %x, %i : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %value, %t0 = load_ptr_tko weak %place : tile<ptr<f32>> -> tile<f32>, token
    %old, %t1 = atomic_rmw_tko relaxed device %sum, addf, %value : tile<ptr<f32>>, tile<f32> -> tile<f32>, token
    return
  }
}
"""

SCALE = """
cuda_tile.module @m {
  entry @scale(%p: tile<ptr<f32>>) {
    %value, %t0 = load_ptr_tko weak %p : tile<ptr<f32>> -> tile<f32>, token
    %factor = constant <f32: 1.5> : tile<f32>
    %scaled = mulf %value, %factor rounding<nearest_even> : tile<f32>
    %t1 = store_ptr_tko weak %p, %scaled : tile<ptr<f32>>, tile<f32> -> token
    return
  }
}
"""


def rows() -> tuple[np.ndarray, np.ndarray]:
    """The arguments of a sum over the rows of f16."""
    return np.random.default_rng(0).random((4, 256)).astype(np.float16), zeros(4, dtype=np.float16)


def numbers() -> np.ndarray:
    return np.random.default_rng(0).random(64).astype(np.float32)


@pytest.fixture(name="program")
def written_program(tmp_path: Path) -> str:
    (tmp_path / "program.py").write_text(PROGRAM)
    return str(tmp_path / "program.py")


def test_a_table_and_a_finding(tilewright_command: Command, program: str) -> None:
    status, out, err = tilewright_command("compare", "--target=interp", program)
    assert status == 1
    lines = out.splitlines()
    assert lines[:2] == ["kernel 'mean', grid 2 x 1 x 1", "  out: f16[8]"]
    assert [line.split()[0] for line in lines[2:]] == ["largest", "interp"], "one launch of two equal ones"
    assert err.startswith(
        f"{program}:{LINE}:33: error[TW0413]: kernel 'mean' in tile block (0, 0, 0): reduction: "
    )
    assert "hint: the sum runs in f16" in err


def test_a_report_for_programs(tilewright_command: Command, program: str) -> None:
    words = ("--target=interp", "--also=cpu", "--every", "--json", program)
    status, out, _ = tilewright_command("compare", *words)
    report = json.loads(out)
    jsonschema.Draft202012Validator(of_command("compare", closed=True)).validate(report)
    assert status == 1
    assert [one["code"] for one in report["findings"]] == ["TW0413"]
    assert len(report["launches"]) == 2
    (array,) = report["launches"][0]["arrays"]
    assert (array["name"], array["written"], list(array["targets"])) == ("out", 8, ["interp", "cpu"])
    assert array["targets"]["cpu"]["units"] < array["targets"]["interp"]["units"], "it sums in f32"


def test_findings_in_other_forms(tilewright_command: Command, program: str, tmp_path: Path) -> None:
    status, out, _ = tilewright_command("compare", "--target=interp", "--output-format=github", program)
    assert (status, out.partition(",")[0]) == (1, f"::error file={program}")
    assert tilewright_command("compare", "--target=interp", "--ignore=TW0413", program).status == 0
    (tmp_path / "empty.py").write_text("")
    status, _, err = tilewright_command("compare", str(tmp_path / "empty.py"))
    assert (status, err) == (0, "warning: no kernel was launched, so nothing was compared\n")
    assert tilewright_command("compare", "kernel.mlir").status == 2


class TestPython:
    def test_a_launch_that_is_compared(self) -> None:
        given = rows()
        cutile.launch((1,), wide_sum, given, target="interp", compare=True)
        with pytest.raises(DiagnosticError, match="TW0413"):
            cutile.launch((1,), half_sum, given, target="interp", compare=True)

    def test_orders_of_tile_blocks(self) -> None:
        given = [np.zeros(1, np.float32), numbers()]
        found = tilewright.compare(ATOMIC, "k", 64, given, target="interp")
        assert [one.code for one in found.findings] == [codes.BLOCK_ORDER]
        assert list(found.orders.values()) == [("argument 0", (0,))]
        (order,) = found.orders
        assert f"  with {order}: other bits in argument 0[0]" in str(found)
        with pytest.raises(DiagnosticError, match="TW0414"):
            tilewright.launch(ATOMIC, "k", 64, [zeros(1), numbers()], target="interp", compare=True)

    def test_a_reference_for_an_array_that_is_not_written(self) -> None:
        given = rows()
        with pytest.raises(DiagnosticError, match="writes no array 'sum'"):
            cutile.compare((1,), wide_sum, given, target="interp", reference={"sum": 0.0})

    def test_a_reference_that_no_single_change_gives(self) -> None:
        case = next(one for one in CASES if one.mistake == "a sum along the wrong axis")
        found = cutile.compare(
            case.grid, case.right, case.given(), target="interp", reference=np.arange(16) ** 3.0
        )
        (told,) = found.findings
        assert told.code is codes.OTHER_THAN_REFERENCE
        assert told.hints[0].startswith("no single change of an operation")

    def test_arrays_behind_addresses_are_not_compared(self) -> None:
        beside = np.ones(4, np.float32)
        found = tilewright.compare(
            ATOMIC, "k", 1, [np.zeros(1, np.float32), numbers()], target="interp", memory=[beside]
        )
        assert "not compared. The kernel reaches further arrays" in str(found)

    def test_formats_of_stores(self) -> None:
        module = tilewright.Module.parse(ATOMIC).operation
        assert [one.name for one in stored_formats(module)] == ["f32"]


@pytest.mark.parametrize("factor", ["1.5", "1.500001"])
def test_a_target_that_computes_something_else_is_told(factor: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The code for the CPU is made from a module with another constant, as by a pass that is wrong."""
    usual = repeatable.launch

    def made_wrong(source: str, *given: Any, target: str, **options: Any) -> Any:
        return usual(source.replace("1.5", factor), *given, target=target, **options)

    monkeypatch.setattr(repeatable, "launch", made_wrong)
    found = tilewright.compare(SCALE, "scale", 1, (np.ones(1, np.float32),), target="cpu")
    told = [one for one in found.findings if one.code is codes.BEYOND_PROMISE]
    assert [" on cpu: " in one.message for one in told] == ([] if factor == "1.5" else [True])


def test_the_plugin_compares_the_launches_of_tests(tmp_path: Path) -> None:
    """In this process: what the plugin does with its options once pytest has started."""
    options = dict.fromkeys(DEFAULTS) | {"target": "interp", "timeout": 0.0, "compare": True, "pdb": False}
    given = Namespace(**{f"tilewright_{name}": value for name, value in options.items()})
    run = import_module("tilewright.pytest_plugin.running").SuiteRun(given, str(tmp_path))
    try:
        routing = active()
        assert routing is not None
        with recording() as record, pytest.raises(DiagnosticError, match="TW0413"):
            routing.launches.launch(
                (1,),
                half_sum,
                rows(),
                target="interp",
                check=(),
            )
        assert [str(one.code) for one in record.findings] == ["TW0413"]
    finally:
        run.pytest_unconfigure()
