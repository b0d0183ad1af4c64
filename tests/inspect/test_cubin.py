"""Cubins: a hand-built one field by field, and real ones made from kernels of this project."""

from __future__ import annotations

import json
import struct
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("numpy")
pytest.importorskip("elftools")

from tests.house.tree import ROOT
from tests.support.real.real_tools import require_tool
from tests.support.synthetic.synthetic_cubin import HASH, PTX, TILE_IR, cubin
from tilewright.inspect.arrays import octets
from tilewright.inspect.binary.elf import ElfFile
from tilewright.inspect.cubin.attributes import records
from tilewright.inspect.cubin.line_table import line_table
from tilewright.inspect.cubin.reports import to_html, to_json, to_table
from tilewright.inspect.cubin.view import Cubin, InstructionRange, read_cubin
from tilewright.ir.diagnostic import DiagnosticError

FIXTURES = ROOT / "tests" / "bytecode" / "fixtures"


def read(data: bytes, name: str = "x.cubin") -> Cubin:
    return read_cubin(ElfFile(octets(data), name))


def test_the_hand_built_cubin() -> None:
    found = read(cubin())
    assert (found.architecture, found.cuda_version, found.tool) == (
        "sm_90",
        "13.5",
        ("ptxas", "release 13.5", "-O 3"),
    )
    assert "\n".join(found.ptx) + "\n" == PTX
    assert "\n".join(found.tile_ir[HASH]) + "\n" == TILE_IR
    assert not found.notes
    assert [kernel.name for kernel in found.kernels] == ["first", "second"]


def test_resources() -> None:
    first, second = read(cubin()).kernels
    assert (first.registers, first.frame, first.minimum_stack) == (24, 8, 16)
    assert (second.registers, second.frame, second.minimum_stack) == (40, 16, 32)
    assert (first.shared, second.shared) == (0, 512)
    assert (first.code_size, second.code_size) == (64, 96)
    assert (first.constants, second.constants) == ({"0": 540}, {})
    assert (first.required_threads, first.cluster, first.barriers) == ((128, 1, 1), (2, 1, 1), 3)
    assert (second.maximum_threads, second.barriers) == ((256, 1, 1), None)
    assert (first.from_tile_ir, second.from_tile_ir) == (True, False)
    assert (first.parameter_bytes, first.parameter_offset) == (12, 0x210)
    assert [(p.ordinal, p.offset, p.size) for p in first.parameters] == [(0, 0, 8), (1, 8, 4)]


def test_lines_of_all_levels_are_joined() -> None:
    first, second = read(cubin()).kernels
    assert first.lines == (
        InstructionRange(0, 16, 2, HASH, 5, "kernel.py:10"),
        InstructionRange(16, 32, 2, HASH, 6, "kernel.py:10"),
        InstructionRange(32, 64, 3, HASH, 6, "kernel.py:10"),
    )
    assert second.lines == ()


def test_reports_quote_the_lines() -> None:
    found = read(cubin())
    text = to_table(found)
    assert "Tile IR 2: %0 = constant <i32: 1> : tile<i32>" in text
    assert "PTX 5: mov.u32 %r1, 1;" in text
    assert "kernel first" in text
    assert "from tile ir         True" in text
    assert ".visible .entry first()" in to_table(found, everything=True)
    data = json.loads(to_json(found))
    assert data["kernels"][0]["lines"][0]["tile_ir"] == 2
    assert data["kernels"][0]["registers"] == 24
    assert data["ptx"] == list(found.ptx)
    page = to_html(found)
    assert "constant &lt;i32: 1&gt;" in page
    assert page.count("<script") == 1


def test_the_page_has_a_row_for_each_line_and_words_for_facts() -> None:
    found = read(cubin())
    page = to_html(found)
    assert "bank 0: 540" in page
    assert "{&#x27;" not in page
    assert "128 x 1 x 1" in page
    assert "overflow-wrap: anywhere" in page
    assert page.count('<th scope="col">parameter</th>') == 1  # the second kernel has none
    assert page.count("kernel.py:10") == 2  # three stretches, two lines of Tile IR
    assert "<code>0x0-0x20</code>" in page


def test_many_stretches_are_folded() -> None:
    found = read(cubin())
    first = replace(
        found.kernels[0],
        lines=tuple(InstructionRange(32 * n, 32 * n + 16, 2, HASH, 5, "kernel.py:10") for n in range(9)),
    )
    page = to_html(replace(found, kernels=(first,)))
    assert page.count("<td>kernel.py:10</td>") == 1
    assert "<summary>6 more</summary>" in page


def test_the_architecture_comes_from_the_flags_when_there_is_no_note() -> None:
    data = cubin().replace(b".note.nv.cuinfo", b".note.nv.absent")
    assert read(data).architecture == "sm_90"
    older = bytearray(data)
    older[8] = 7
    struct.pack_into("<I", older, 48, 0x500056)
    assert read(bytes(older)).architecture == "sm_86"


def test_a_cut_record_is_noted_and_those_before_are_kept() -> None:
    found = records(bytes.fromhex("04370400 87000000 0419ff00 00"))
    assert [attribute.number for attribute in found.attributes] == [0x37]
    assert "255 bytes" in found.problem
    assert "unknown form 9" in records(bytes.fromhex("09000000")).problem


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"\x20\0\0\0" + bytes(8), "32 bytes, which are not there"),
        (b"\x0a\0\0\0\x09\0" + bytes(8), "version 9"),
        (b"\x0f\0\0\0\x03\0\x09\0\0\0\x01\x01\0\0\x0a" + bytes(4), "line range"),
    ],
)
def test_malformed_line_tables(data: bytes, problem: str) -> None:
    assert problem in line_table(data).problem


def test_a_host_program_is_no_cubin() -> None:
    data = bytearray(cubin())
    struct.pack_into("<H", data, 18, 62)
    with pytest.raises(DiagnosticError, match="not a cubin"):
        read(bytes(data))


PTX_KERNEL = """
.version 8.0
.target sm_80
.address_size 64
.visible .entry scale(.param .u64 p, .param .f32 a, .param .u16 n)
.maxntid 64, 1, 1
{
  .reg .f32 %f<3>; .reg .b64 %rd<2>;
  .shared .align 16 .b8 tile[96];
  ld.param.u64 %rd1, [p];
  ld.param.f32 %f1, [a];
  ld.global.f32 %f2, [%rd1];
  mul.rn.f32 %f2, %f2, %f1;
  st.shared.f32 [tile], %f2;
  bar.sync 0;
  ld.shared.f32 %f2, [tile];
  st.global.f32 [%rd1], %f2;
  ret;
}
"""


def made_by(tool: str, source: Path, *arguments: str) -> Cubin:
    target = source.with_suffix(".cubin")
    command = [str(require_tool(tool)), str(source), "-o", str(target), *arguments]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    return read(target.read_bytes())


def test_a_cubin_of_our_own_ptx(tmp_path: Path) -> None:
    source = tmp_path / "scale.ptx"
    source.write_text(PTX_KERNEL)
    found = made_by("ptxas", source, "-arch", "sm_80", "-lineinfo")
    (kernel,) = found.kernels
    assert (found.architecture, kernel.name) == ("sm_80", "scale")
    assert (kernel.shared, kernel.maximum_threads, kernel.barriers) == (96, (64, 1, 1), 1)
    assert [(p.ordinal, p.offset, p.size) for p in kernel.parameters] == [(0, 0, 8), (1, 8, 4), (2, 12, 2)]
    assert kernel.registers is not None
    assert not kernel.from_tile_ir
    assert "ptxas" in found.tool
    quoted = {found.ptx[span.ptx - 1].strip() for span in kernel.lines}
    assert "st.global.f32 [%rd1], %f2;" in quoted


def test_a_cubin_of_our_own_tile_ir(tmp_path: Path) -> None:
    source = tmp_path / "kernel.tileirbc"
    source.write_bytes((FIXTURES / "entry.debug-info@13.5.tileirbc").read_bytes())
    found = made_by("tileiras", source, "--gpu-name", "sm_90", "--lineinfo")
    (kernel,) = found.kernels
    assert (found.architecture, kernel.from_tile_ir) == ("sm_90", True)
    assert kernel.required_threads
    assert any(".visible .entry" in line for line in found.ptx)
    assert not found.notes
