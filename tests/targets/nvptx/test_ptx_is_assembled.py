"""A real assembler, where one is installed, takes printed PTX for every chip that it knows."""

from __future__ import annotations

import pytest

import tilewright

pytest.importorskip("numpy")

from tests.house.tree import ROOT
from tests.targets.cpu.programs.generated_programs import generated_module, launchpads
from tests.targets.nvptx.kernels import printed
from tests.targets.nvptx.tileas_to_nvvm.small_products import SmallProduct
from tilewright.driver.stages import CompileOptions
from tilewright.ptx.parser import parse
from tilewright.ptx.printer import print_module
from tilewright.targets.nvptx.assemble.assembling import assemble
from tilewright.targets.nvptx.tools import programs

KERNEL = (ROOT / "tests" / "house" / "data" / "gpu_kernel.mlir").read_text(encoding="utf-8")
ASSEMBLERS = programs("ptxas")


@pytest.mark.skipif(not ASSEMBLERS, reason="no ptxas is installed")
@pytest.mark.parametrize("chip", ["sm_80", "sm_89", "sm_90", "sm_90a", "sm_100a", "sm_120a"])
def test_a_real_assembler_takes_it(chip: str) -> None:
    found = assemble(printed(KERNEL, chip, line_info=True), gpu=chip, assembler=ASSEMBLERS[0].path)
    assert found.cubin.startswith(b"\x7fELF")


@pytest.mark.skipif(not ASSEMBLERS, reason="no ptxas is installed")
@pytest.mark.parametrize("number", [34, 440, 0, 1, 3])
def test_a_real_assembler_takes_generated_kernels(number: int) -> None:
    """The first two were refused; `python -m conformance.gpu assemble` runs as many as one likes."""
    module = generated_module("early", number)
    launchpads(module, number, "early")
    options = CompileOptions(opt_level=(3, 3, 0)[number % 3])
    ptx = str(tilewright.compile(module, target="sm_90a", options=options).asm["ptx"])
    assert assemble(ptx, gpu="sm_90a", level=0, assembler=ASSEMBLERS[0].path).kernels


@pytest.mark.skipif(not ASSEMBLERS, reason="no ptxas is installed")
@pytest.mark.parametrize("total", ["f16", "f32"])
def test_a_real_assembler_takes_products_of_eighths(total: str) -> None:
    text = SmallProduct("f8E4M3FN", total, 16, 8, 16).text()
    ptx = str(tilewright.compile(text, target="sm_89").asm["ptx"])
    assert "m16n8k16.row.col.f32.e4m3.e4m3.f32" in ptx
    assert assemble(ptx, gpu="sm_89", level=0, assembler=ASSEMBLERS[0].path).kernels


@pytest.mark.skipif(not ASSEMBLERS, reason="no ptxas is installed")
def test_a_real_assembler_takes_negative_distances() -> None:
    ptx = KERNEL_IN_FRONT
    assert print_module(parse(ptx)).count("[p+-8]") == 1
    assert assemble(print_module(parse(ptx)), gpu="sm_80", level=0, assembler=ASSEMBLERS[0].path).kernels


KERNEL_IN_FRONT = """.version 7.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 out)
{
.reg .b64 p;
.reg .b32 x;
ld.param.u64 p, [out];
ld.global.b32 x, [p+8+-16];
st.global.b32 [p], x;
ret;
}
"""
