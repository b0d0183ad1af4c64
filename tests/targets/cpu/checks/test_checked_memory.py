"""The interpreter's tests of memory, tiles and atomics, which have no mistakes, compiled with checks of memory."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

import tilewright
from tests.interp.kernels import Kernel
from tests.targets.cpu.kernel import test_whole_interpreted


def _check_and_launch(self: Any, *arguments: Any, grid: Any = (1, 1, 1), **options: Any) -> None:
    if getattr(self, "artifact", None) is None:
        self.artifact = tilewright.compile(SimpleNamespace(operation=self.module()))
    self.artifact.launch(grid, list(arguments), check="memcheck,racecheck")


@pytest.fixture(autouse=True)
def machine_code(monkeypatch, tmp_path):
    monkeypatch.setenv("TILEWRIGHT_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(Kernel, "run", _check_and_launch)


globals().update(
    {name: value for name, value in vars(test_whole_interpreted).items() if name.startswith("test_")}
)
