"""Real assemblers and the real disassembler, where they are installed, on PTX written here."""

from __future__ import annotations

import pytest

pytest.importorskip("numpy")
pytest.importorskip("elftools")

from tests.house.tree import ROOT
from tilewright.inspect.arrays import octets
from tilewright.inspect.binary.elf import ElfFile
from tilewright.inspect.cubin.view import read_cubin
from tilewright.inspect.sass.figures import KernelFigures, figures_of
from tilewright.inspect.sass.units import Unit, unit_of
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.targets.nvptx.assemble.assemblers import LIBRARY
from tilewright.targets.nvptx.assemble.assembling import AssembledCode, assemble
from tilewright.targets.nvptx.disassemble import disassemble
from tilewright.targets.nvptx.tools import Tool, libraries, programs

SCALE = (ROOT / "tests" / "ptxsim" / "data" / "scale.ptx").read_text(encoding="utf-8")
VALUES = 40


def spilling() -> str:
    """A kernel that keeps more values over a loop than the registers that it may have."""
    loads = "\n".join(f"ld.global.f32 %f{n}, [%rd1+{4 * n}];" for n in range(VALUES))
    sums = "\n".join(f"fma.rn.f32 %f{n}, %f{n}, %f{n}, %f{(n + 1) % VALUES};" for n in range(VALUES))
    stores = "\n".join(f"st.global.f32 [%rd1+{4 * n}], %f{n};" for n in range(VALUES))
    return f"""
.version 8.0
.target sm_80
.address_size 64
.visible .entry spills(.param .u64 data, .param .u32 count)
{{
.reg .pred %p<2>; .reg .b32 %r<3>; .reg .f32 %f<{VALUES}>; .reg .b64 %rd<2>;
ld.param.u64 %rd1, [data];
ld.param.u32 %r1, [count];
mov.u32 %r2, 0;
{loads}
AGAIN:
{sums}
add.s32 %r2, %r2, 1;
setp.lt.u32 %p1, %r2, %r1;
@%p1 bra AGAIN;
{stores}
ret;
}}
"""


def installed() -> tuple[Tool, ...]:
    return (*programs("ptxas")[:1], *libraries(LIBRARY)[:1])


@pytest.fixture(params=["ptxas", "nvJitLink"])
def tool(request: pytest.FixtureRequest) -> Tool:
    """The first assembler of a kind."""
    found = programs("ptxas") if request.param == "ptxas" else libraries(LIBRARY)
    if not found:
        pytest.skip(f"{request.param} is not installed")
    return found[0]


def figures(made: AssembledCode) -> KernelFigures:
    if not programs("nvdisasm"):
        pytest.skip("nvdisasm is not installed")
    listing = disassemble(made.cubin)
    assert listing.unread == ()
    (kernel,) = figures_of(read_cubin(ElfFile(octets(made.cubin), "k.cubin")), listing)
    return kernel


def test_a_kernel(tool: Tool) -> None:
    made = assemble(SCALE, "sm_90", assembler=tool.path)
    (kernel,) = made.kernels
    (seen,) = read_cubin(ElfFile(octets(made.cubin), "k.cubin")).kernels
    assert (seen.name, seen.registers) == (kernel.kernel, kernel.registers)
    assert kernel.registers > 0
    assert made.warnings == ()


def test_the_same_text_gives_the_same_bytes(tool: Tool) -> None:
    assert (
        assemble(SCALE, "sm_90", assembler=tool.path).cubin
        == assemble(SCALE, "sm_90", assembler=tool.path).cubin
    )


def test_a_mistake(tool: Tool) -> None:
    with pytest.raises(DiagnosticError) as raised:
        assemble(SCALE.replace("ret;", "add.s33 %r1, %r1, 1;\n    ret;"), name="k.ptx", assembler=tool.path)
    line = next(number for number, text in enumerate(SCALE.splitlines(), 1) if "ret;" in text)
    assert f"k.ptx:{line}:" in str(raised.value)
    assert "TW0911" in str(raised.value)


def test_an_architecture_that_nobody_knows(tool: Tool) -> None:
    with pytest.raises(DiagnosticError, match=r"TW0911[\s\S]*pip install -U nvidia-cuda-nvcc"):
        assemble(SCALE, "sm_999", assembler=tool.path)


CRASH = """
.version 8.0
.target sm_80
.address_size 64
.visible .entry waits(.param .u64 state, .param .u32 barrier)
{
.reg .pred %p<2>; .reg .b32 %r<2>; .reg .b64 %rd<2>;
ld.param.u32 %r1, [barrier];
ld.param.u64 %rd1, [state];
AGAIN:
mbarrier.test_wait.shared.b64 %p1, [%r1], %rd1;
@!%p1 bra AGAIN;
ret;
}
"""
"""Legal PTX at which ptxas 13.5 and nvJitLink 13.5 end by a signal: the state of the barrier comes from a parameter."""


def test_a_text_that_crashes_some_assemblers(tool: Tool) -> None:
    """Those that it does not crash make code of it."""
    said = ""
    try:
        assert assemble(CRASH, assembler=tool.path).kernels[0].kernel == "waits"
    except DiagnosticError as error:
        said = str(error)
    assert not said or ("TW0913" in said and "ended by signal" in said)


def test_spills_are_told_alike(tool: Tool) -> None:
    """By the assembler's report, by the sections of the cubin, and by counting the instructions of its code."""
    made = assemble(spilling(), maximum_registers=24, assembler=tool.path)
    (kernel,) = made.kernels
    assert kernel.registers == 24
    assert kernel.spill_stores > 0
    seen = figures(made)
    assert (seen.registers, seen.stack) == (kernel.registers, kernel.stack)
    assert seen.code is not None
    mix = seen.code.mix
    assert (mix.local_store_bytes, mix.local_load_bytes) == (kernel.spill_stores, kernel.spill_loads)


def test_the_hot_loop(tool: Tool) -> None:
    seen = figures(assemble(spilling(), assembler=tool.path))
    assert seen.code is not None
    hot = seen.code.hot
    assert hot is not None
    assert hot.mix.units[Unit.FLOAT] % VALUES == 0  # the assembler may unroll
    assert hot.mix.local == seen.code.local_in_loops == 0
    assert hot.cycles is not None
    assert hot.cycles.replayed >= hot.cycles.issue >= hot.mix.instructions
    assert all(unit_of(opcode) is not Unit.OTHER for opcode in seen.code.mix.opcodes)
