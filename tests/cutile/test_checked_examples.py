"""Every example, compiled with checks of memory and of undefined values, which finds nothing."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.frontend_corpus import example_modules
from tilewright import cutile

pytest.importorskip("cuda.tile")

CHECKS = ("memcheck", "initcheck", "racecheck")


def launch(grid: tuple[int, ...], kernel: Any, args: Any) -> None:
    cutile.launch(grid, kernel, args, check=CHECKS)


@pytest.mark.parametrize("example", example_modules(), ids=lambda example: example.__name__)
def test_examples_have_no_mistakes(example: Any) -> None:
    results = list(example.run(launch))
    assert results
    assert [result for result in results if not result.ok] == []
