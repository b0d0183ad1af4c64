"""Every stage of every example: written down, read back, verified, and run with the same result."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import tilewright
from tests.support.corpora.frontend_corpus import example_modules
from tests.support.stage_texts import without_places
from tilewright.cutile.compiler import bind_arguments, compiled
from tilewright.driver.artifact import Artifact
from tilewright.driver.launch import normalise_grid

pytest.importorskip("cuda.tile")

EXAMPLES = example_modules()
STAGES = ("tileir", "bytecode", "tileaa", "tileas", "llvm")
"""The stages that are input again.  All come to the same LLVM IR, so running the first and the last runs them all."""


def launch(grid: tuple[int, ...], kernel: Any, args: Sequence[object]) -> None:
    """Run a kernel from its stages; what the last one wrote is what the example looks at."""
    parameters, binding = bind_arguments(kernel, args)
    artifact = tilewright.compile(compiled(kernel, parameters, binding.facts))
    arrays = [np.asarray(view.array) for view in binding.memory]
    before = [array.copy() for array in arrays]
    results: list[list[bytes]] = []
    for runnable in (artifact, [read_back(artifact, stage) for stage in STAGES][-1]):
        for array, first in zip(arrays, before, strict=True):
            array[...] = first
        runnable.launch(normalise_grid(grid), binding.flat)
        results.append([array.tobytes() for array in arrays])
    assert results[0] == results[1]


def read_back(artifact: Artifact, stage: str) -> Artifact:
    """A stage as the input of a compilation: it is the same stage, and so is the last one after it."""
    written = artifact.asm[stage]
    again = tilewright.compile(written)
    if stage not in ("bytecode", "llvm"):  # these two have other readers
        assert again.asm[stage] == written
    assert without_places(again.asm["llvm"]) == without_places(artifact.asm["llvm"])
    return again


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.__name__)
def test_each_stage(example: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TILEWRIGHT_CACHE_SIZE", "0")
    results = list(example.run(launch))
    assert results
    assert [result for result in results if not result.ok] == []
