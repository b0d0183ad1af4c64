"""Machine code of kernels for GPUs, ours beside that of NVIDIA's compiler: ``python -m benchmarks.gpu_static``.

Both get the same bytecode in the same run.  Prints a Markdown table: registers of a thread, bytes of its stack, accesses
of local memory in loops, instructions, and instructions and issue cycles of the hot loop (`tilewright.inspect.sass`).
Nothing runs on a GPU, so nothing here is a time.  ptxas makes our machine code; nvdisasm counts instructions, and without
it those columns stay empty.  NVIDIA's compiler is the one that ``--peer`` or ``TILEWRIGHT_PEER`` names, or the installed
one; without it its columns stay empty.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from benchmarks import gpu_peer
from benchmarks.gpu_cases import CASES, CHIPS
from benchmarks.tables import header, line
from tilewright.driver.compile import compile
from tilewright.inspect.arrays import octets
from tilewright.inspect.binary.elf import ElfFile
from tilewright.inspect.cubin.view import read_cubin
from tilewright.inspect.sass.figures import KernelFigures, figures_of
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.targets.nvptx.disassemble import disassemble
from tilewright.targets.nvptx.tools import programs

COLUMNS = ("registers", "stack", "local in loops", "instructions", "hot loop", "cycles")
EMPTY = ("",) * len(COLUMNS)
Row = tuple[str, ...]


def figures(cubin: bytes) -> KernelFigures:
    """The figures of the first kernel of a cubin."""
    listing = disassemble(cubin) if programs("nvdisasm") else None
    kernel, *_ = figures_of(read_cubin(ElfFile(octets(cubin), "kernel.cubin")), listing)
    return kernel


def cells(kernel: KernelFigures) -> Row:
    """The figures of a kernel in the order of `COLUMNS`; unknown ones are empty."""
    code = kernel.code
    hot = None if code is None else code.hot
    found = (
        kernel.registers,
        kernel.stack,
        None if code is None else code.local_in_loops,
        None if code is None else code.mix.instructions,
        None if hot is None else hot.mix.instructions,
        None if hot is None or hot.cycles is None else hot.cycles.issue,
    )
    return tuple("" if value is None else str(value) for value in found)


def ours(bytecode: bytes, chip: str) -> bytes:
    """Our machine code.  ValueError with the reason if there is none."""
    try:
        made = compile(bytecode, target=chip).asm["cubin"]
    except DiagnosticError as error:
        raise ValueError(error.diagnostics[0].message) from error
    assert isinstance(made, bytes)
    return made


def measured(make: Callable[[], bytes]) -> Row:
    """The cells of a kernel; of one that is refused, the reason in the first one."""
    try:
        return cells(figures(make()))
    except ValueError as error:
        return (str(error).replace("|", "/"), *EMPTY[1:])


def rows(names: Sequence[str], chips: Sequence[str], peer: str | None) -> Iterator[Row]:
    """A row for each kernel and chip as it is measured."""
    for name in names:
        bytecode = CASES[name]()
        for chip in chips:
            mine = measured(partial(ours, bytecode, chip))
            theirs = EMPTY if peer is None else measured(partial(gpu_peer.cubin, peer, bytecode, CHIPS[chip]))
            yield name, chip, *mine, *theirs


def head(peer: str | None) -> list[str]:
    """What stands above the rows."""
    notes = [] if peer is not None else ["NVIDIA's compiler is not installed: its columns are empty.", ""]
    if not programs("nvdisasm"):
        notes += ["nvdisasm is not installed: instructions are not counted.", ""]
    return [*notes, *header("kernel", "chip", *COLUMNS, *(f"theirs: {name}" for name in COLUMNS))]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", action="append", default=[], help="a word of the names of kernels to take")
    parser.add_argument("--chips", default=",".join(CHIPS), help="chips, with commas between them")
    parser.add_argument("--peer", help="NVIDIA's tileiras")
    options = parser.parse_args(arguments)
    names = [name for name in CASES if not options.only or any(word in name for word in options.only)]
    chips = [chip for chip in options.chips.split(",") if chip in CHIPS]
    peer = gpu_peer.find(options.peer)
    for text in head(peer):
        print(text, flush=True)
    for row in rows(names, chips, peer):
        print(line(*row), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
