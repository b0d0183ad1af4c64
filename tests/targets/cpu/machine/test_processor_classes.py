"""Kernels compute the same on each class of processors that `make test-processors` tries: a few of them, in seconds."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

pytest.importorskip("llvmlite")

from tests.doubles.digests import OTHER_HOST
from tests.lowering.cuda_tile_to_tileaa.lowered import CONTEXT
from tests.targets.cpu.plan.test_plan_of_whole_tiles import column
from tests.targets.cpu.products.test_product_plans import PRODUCTS, numbers
from tilewright.driver.compile import compile
from tilewright.driver.stages import CompileOptions
from tilewright.interp.launch import interpret
from tilewright.ir.text.parser import parse_module
from tilewright.targets.cpu.machine.host import PROCESSORS, obstacle
from tools import processors
from tools.processors import CLASSES

FEW = ("square", "halves", "brains", "bytes")
ULPS = 2
"""By how many units in the last place the exponential may be off."""


@pytest.mark.parametrize("name", CLASSES)
def test_a_few_kernels_on_each_class(name: str) -> None:
    if obstacle(PROCESSORS[name]):
        pytest.skip(obstacle(PROCESSORS[name]))
    for kernel in FEW:
        one = PRODUCTS[kernel]
        x, y = (
            numbers(one.m, one.k, one.type, 1, turned=False),
            numbers(one.k, one.n, one.type, 2, turned=False),
        )
        z = numbers(one.m, one.n, one.total, 3, turned=False)
        compile(one.text, target="cpu", options=CompileOptions(cpu=name)).launch((1, 1, 1), [x, y, z])
        assert z.astype(np.float64).tolist() == (x.astype(np.float64) @ y.astype(np.float64)).tolist(), kernel
    wanted, found = ([np.arange(400, dtype=np.float32) % 37 for _ in range(3)] for _ in range(2))
    interpret(parse_module(CONTEXT, column()), "k", (1, 1, 1), [*wanted, 16, 16])
    compile(column(), target="cpu", options=CompileOptions(cpu=name)).launch((1, 1, 1), [*found, 16, 16])
    assert np.abs(np.array(wanted).view(np.int32) - np.array(found).view(np.int32)).max() <= ULPS


def test_every_class_cuts_what_the_next_one_has() -> None:
    environments = [one.environment for one in CLASSES.values()]
    assert [each["TILEWRIGHT_CPU"] for each in environments] == [*CLASSES]
    cut = [set(each.get("NPY_DISABLE_CPU_FEATURES", "").split()) for each in environments]
    assert cut[0] > cut[1] > cut[2] > cut[3] == cut[4] == set()
    assert cut[0] == set(OTHER_HOST["NPY_DISABLE_CPU_FEATURES"].split())
    assert CLASSES["x86-64-v3"].missing(frozenset({"fma"})) == ["avx2"]


def test_a_class_that_is_not_here_is_named_and_left_out(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(processors, "flags", lambda: frozenset({"sse4_2"}))
    command = [sys.executable, "-c", "import os; print(os.environ['TILEWRIGHT_CPU'])"]
    assert processors.main(["x86-64-v2", "x86-64-v3", "--", *command]) == 0
    shown = capfd.readouterr()
    assert shown.out == "x86-64-v2\n"
    assert "x86-64-v3: left out, this processor lacks avx2, fma\n" in shown.err
    assert "aarch64: run `sudo python tools/try_arm64.py`\n" in shown.err


def test_a_failure_and_an_unknown_class_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processors, "flags", lambda: frozenset({"sse4_2"}))
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: subprocess.CompletedProcess([], 3))
    assert processors.main(["x86-64-v2"]) == 1
    with pytest.raises(SystemExit):
        processors.main(["x86-64-v9"])
