"""A real assembler, where one is installed, takes printed PTX for every chip that it knows."""

from __future__ import annotations

import pytest

pytest.importorskip("numpy")

from tests.house.tree import ROOT
from tests.targets.nvptx.kernels import printed
from tilewright.targets.nvptx.assemble.assembling import assemble
from tilewright.targets.nvptx.tools import programs

KERNEL = (ROOT / "tests" / "house" / "data" / "gpu_kernel.mlir").read_text(encoding="utf-8")
ASSEMBLERS = programs("ptxas")


@pytest.mark.skipif(not ASSEMBLERS, reason="no ptxas is installed")
@pytest.mark.parametrize("chip", ["sm_80", "sm_89", "sm_90", "sm_90a", "sm_100a", "sm_120a"])
def test_a_real_assembler_takes_it(chip: str) -> None:
    found = assemble(printed(KERNEL, chip, line_info=True), gpu=chip, assembler=ASSEMBLERS[0].path)
    assert found.cubin.startswith(b"\x7fELF")
