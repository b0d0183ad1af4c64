"""Hand-written machine code in the form of a disassembler's listing, and programs that stand in for the real ones."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.support.synthetic.synthetic_cubin import cubin
from tilewright.targets.nvptx import tools
from tilewright.targets.nvptx.tools import Tool

NO_BARRIER = 7


@dataclass(frozen=True)
class Row:
    """A label (a name that ends with a colon), or an instruction with its control bits."""

    text: str
    stall: int = 1
    write: int = NO_BARRIER
    read: int = NO_BARRIER
    waits: int = 0

    @property
    def second_word(self) -> int:
        return (self.waits << 11 | self.read << 8 | self.write << 5 | self.stall) << 41 | 0x12345


def listing(rows: Sequence[Row], name: str = "first") -> str:
    """The rows as `nvdisasm -c -hex` prints them."""
    lines = ["\t.target\tsm_90", f'\t.section\t.text.{name},"ax",@progbits', f"{name}:", f".text.{name}:"]
    address = 0
    for row in rows:
        if row.text.endswith(":"):
            lines.append(row.text)
            continue
        lines.append(f"        /*{address:04x}*/ {row.text} ;   /* 0x{address:016x} */")
        lines.append(f"{'':60}/* 0x{row.second_word:016x} */")
        address += 16
    return "\n".join(lines) + "\n"


MATRIX_LOOP = (
    Row("S2R R0, SR_TID.X", stall=7, write=0),
    Row("MOV R9, RZ", stall=4),
    Row(".L_x_1:"),
    Row("LDS R4, [R0]", stall=2, write=1, waits=1),
    Row("LDL.64 R6, [R1]", stall=1, write=2),
    Row("HMMA.16816.F32 R8, R4, R6, R8", stall=15, waits=0b110),
    Row("STL [R1+0x8], R8", stall=1, read=3),
    Row("IADD3 R9, R9, 0x1, RZ", stall=4, waits=0b1000),
    Row("ISETP.GE.AND P0, PT, R9, R5, PT", stall=13),
    Row("@!P0 BRA `(.L_x_1)", stall=5),
    Row(".L_x_2:"),
    Row("SYNCS.PHASECHK.TRANS64.TRYWAIT P1, [UR4], R3", stall=4, write=0),
    Row("@!P1 BRA `(.L_x_2)", stall=5, waits=1),
    Row("EXIT", stall=5),
    Row(".L_x_3:"),
    Row("BRA `(.L_x_3)", stall=0),
    Row("NOP", stall=0),
)
"""A loop with a product of matrices, one that only waits, and the jump to itself behind the end."""


@dataclass(frozen=True)
class StandIn:
    """A program that a test writes: what it says, what it leaves behind, and how it ends."""

    talk: str = ""
    output: bytes | None = None
    end: str = "sys.exit(0)"

    def write(self, path: Path) -> Path:
        """Write it, in a way that ends as soon as it can: a script for this Python without its packages."""
        target = "sys.argv[sys.argv.index('-o') + 1]"
        lines = [f"#!{sys.executable} -SE", "import os, signal, sys, time"]
        if self.output is not None:
            lines.append(f"open({target}, 'wb').write({self.output!r})")
        lines += [f"sys.stderr.write({self.talk!r}); sys.stderr.flush()", self.end]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        path.chmod(0o755)
        return path


TALK = """\
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'first' for 'sm_90'
ptxas info    : Function properties for first
    8 bytes stack frame, 4 bytes spill stores, 12 bytes spill loads
ptxas info    : Used 24 registers, used 3 barriers, 8 bytes cumulative stack size, 96 bytes smem, 540 bytes cmem[0], 4 bytes cmem[2]
"""
"""What an assembler with `-v` says about the hand-built cubin."""


def assembler(path: Path) -> Path:
    """A program that takes the place of ptxas: it leaves the hand-built cubin."""
    return StandIn(TALK, cubin()).write(path)


def disassembler(path: Path, rows: Sequence[Row] = MATRIX_LOOP) -> Path:
    """A program that takes the place of nvdisasm: it prints the same listing for every cubin."""
    return StandIn(end=f"sys.stdout.write({listing(rows)!r})").write(path)


def only_stand_ins(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Puts an assembler, which warns and notes how it was asked, and a disassembler into a folder; there are no others.

    Answers the file with the assembler's notes: its arguments in the first line, then the text.
    """
    notes = folder / "asked"
    text = "'\\n'.join([' '.join(sys.argv[1:]), open('module.ptx').read()])"
    StandIn("ptxas warning : Odd\n", cubin(), f"open({str(notes)!r}, 'w').write({text})").write(
        folder / "ptxas"
    )
    disassembler(folder / "nvdisasm")
    monkeypatch.setattr(tools, "_places", lambda name: iter([Tool(folder / name, "here")]))
    monkeypatch.setattr(tools, "_library_places", lambda pattern: iter(()))
    return notes
