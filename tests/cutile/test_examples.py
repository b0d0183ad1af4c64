"""Every example, from its Python kernel to numbers on this machine, against NumPy."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.house.tree import ROOT, imported_from
from tests.support.corpora.frontend_corpus import example_modules
from tilewright import cutile

pytest.importorskip("cuda.tile")

from examples.checking import Result, compare, table

EXAMPLES = example_modules()


def launch(grid: tuple[int, ...], kernel: Any, args: Any) -> None:
    cutile.launch(grid, kernel, args)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.__name__)
def test_example(example: Any) -> None:
    results = list(example.run(launch))
    assert results
    assert [result for result in results if not result.ok] == []


def test_the_demo_runs_every_example() -> None:
    demo = pytest.importorskip("examples.demo")
    assert {f"examples.{run.__module__}" for run in demo.RUNS} == {example.__name__ for example in EXAMPLES}


@pytest.mark.parametrize("name", ["softmax", "demo"])
def test_files_run_as_scripts_and_as_modules_from_anywhere(name: str, tmp_path: Path) -> None:
    """As scripts from any directory; as modules from where the package is."""
    script = [sys.executable, str(ROOT / "examples" / f"{name}.py"), "--help"]
    module = [sys.executable, "-m", f"examples.{name}", "--help"]
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    environment["PYTHONPATH"] = imported_from()
    for command, place in ((script, ROOT), (script, tmp_path), (module, ROOT)):
        done = subprocess.run(
            command, cwd=place, env=environment, capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stderr) == (0, "")
        assert "--target" in done.stdout


@pytest.mark.parametrize(("found", "ok"), [(1.0, True), (1.1, False), (float("nan"), False)])
def test_a_wrong_result_fails_the_table(found: float, ok: bool) -> None:
    def run(_: Any) -> list[Result]:
        return [compare("k", "1", np.array([found]), [1.0], 1e-3)]

    heading, row = table([run], launch)
    assert heading[1] is True
    assert row[1] is ok
