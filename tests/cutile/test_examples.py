"""Every example, from its Python kernel to numbers on this machine, against NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.support.frontend_corpus import example_modules
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
    assert {run.__module__ for run in demo.RUNS} == {example.__name__ for example in EXAMPLES}


@pytest.mark.parametrize(("found", "ok"), [(1.0, True), (1.1, False), (float("nan"), False)])
def test_a_wrong_result_fails_the_table(found: float, ok: bool) -> None:
    def run(_: Any) -> list[Result]:
        return [compare("k", "1", np.array([found]), [1.0], 1e-3)]

    heading, row = table([run], launch)
    assert heading[1] is True
    assert row[1] is ok
