"""A module of Tile IR inside of a module of MLIR's own, as `opt` writes it, runs on every target."""

from __future__ import annotations

import numpy as np
import pytest

from tests.house.tree import ROOT
from tilewright.driver.launch import launch

KERNEL = (ROOT / "tests" / "house" / "data" / "kernel.mlir").read_text()


@pytest.mark.parametrize("target", ["cpu", "interp"])
@pytest.mark.parametrize("text", [KERNEL, f"module {{\n{KERNEL}}}\n"], ids=["bare", "wrapped"])
def test_its_kernels_are_found(text: str, target: str) -> None:
    values = np.arange(4, dtype=np.float32)
    launch(text, "scale", 1, [values, 3.0], target=target)
    assert values.tolist() == [0, 6, 12, 18]
