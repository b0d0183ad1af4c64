"""Machine code of kernels for GPUs beside that of NVIDIA's compiler and Triton's: ``python -m benchmarks.gpu_static``.

Counts instructions, issue cycles and replayed cycles (`tilewright.inspect.sass`) *for a piece of work*: for the multiply-adds
of one `mma.m16n8k16` in products, for an element in kernels on rows.  Functions count at each place of a call, and the loops
of all warps that work side by side are added up.  Nothing runs on a GPU, so nothing here is a time.

NVIDIA's compiler gets the same bytecode; it is the one that ``--peer`` or ``TILEWRIGHT_PEER`` names, or the installed one.
Triton gets the same kernels in its own language, in the Python that ``--triton`` names.  ptxas makes our machine code, and
nvdisasm, which must be installed, lists all of it.  Cells that ``--cells`` holds are not measured again, so that a run that
ended early goes on; ``--again ours`` measures a column anew.  Prints a Markdown document.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

from benchmarks import gpu_peer, gpu_triton, gpu_work
from benchmarks.gpu_cases import CASES, CHIPS
from benchmarks.gpu_report import OURS, THEIRS, TRITON, report
from tilewright.driver.compile import compile
from tilewright.inspect.arrays import octets
from tilewright.inspect.binary.elf import ElfFile
from tilewright.inspect.cubin.view import read_cubin
from tilewright.inspect.sass.figures import KernelFigures, figures_of
from tilewright.ir.builtin_attributes import IntegerAttr
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ir.operation import Operation
from tilewright.targets.nvptx.disassemble import disassemble
from tilewright.targets.nvptx.shared_memory.allocate import DYNAMIC_SHARED_MEMORY
from tilewright.targets.nvptx.tools import programs

CELLS = Path(__file__).parent / "results" / "gpu_static.json"
Cell = Mapping[str, Any]
Make = Callable[[str, str], tuple[bytes, int, int]]
"""Machine code of a kernel for a chip, its warps and its bytes of dynamic shared memory; 0 warps where the code says them."""


class Cells:
    """Cells by column, kernel and chip, in a file that is written after each."""

    def __init__(self, path: Path | None, again: Sequence[str]) -> None:
        self._path = path
        stored = json.loads(path.read_text()) if path is not None and path.exists() else {}
        self.found: dict[str, Cell] = {
            key: cell for key, cell in stored.items() if key.partition("|")[0] not in again
        }

    def fill(self, key: str, measure: Callable[[], Cell]) -> None:
        """Measure a cell, unless it is there."""
        if key in self.found:
            return
        self.found[key] = measure()
        if self._path is not None:
            whole = ",\n".join(
                f"{json.dumps(name)}: {json.dumps(cell)}" for name, cell in sorted(self.found.items())
            )
            new = self._path.with_suffix(".new")
            new.write_text(f"{{\n{whole}\n}}\n")
            new.replace(self._path)


def figures(cubin: bytes) -> KernelFigures:
    """The figures of the first kernel of a cubin.  ValueError if nothing can list it."""
    try:
        listing = disassemble(cubin)
        kernel, *_ = figures_of(read_cubin(ElfFile(octets(cubin), "kernel.cubin")), listing)
    except DiagnosticError as error:
        raise ValueError(error.diagnostics[0].message) from error
    return kernel


def measured(make: Make, name: str, chip: str) -> Cell:
    """A cell; of a kernel that is refused, the reason."""
    try:
        cubin, warps, dynamic = make(name, chip)
        kernel = figures(cubin)
        x, y, z = (*_required(cubin), 1, 1, 1)[:3]
        threads = x * y * z
        return gpu_work.measured(
            kernel, CASES[name], chip, warps or -(-threads // 32), kernel.shared + dynamic
        )
    except ValueError as error:
        return {"reason": str(error).replace("|", "/")}


def _required(cubin: bytes) -> tuple[int, ...]:
    kernel, *_ = read_cubin(ElfFile(octets(cubin), "kernel.cubin")).kernels
    return kernel.required_threads or kernel.maximum_threads


@cache
def bytecode(name: str) -> bytes:
    """The bytecode of a kernel."""
    return CASES[name].bytecode()


def ours(name: str, chip: str) -> tuple[bytes, int, int]:
    """Our machine code.  ValueError with the reason if there is none."""
    try:
        made = compile(bytecode(name), target=chip)
        cubin = made.asm["cubin"]
    except DiagnosticError as error:
        raise ValueError(error.diagnostics[0].message) from error
    assert isinstance(cubin, bytes)
    return cubin, 0, max(map(_dynamic, made.module("llvm").walk()), default=0)


def _dynamic(op: Operation) -> int:
    """Bytes of shared memory that a launch of a kernel asks for."""
    asked = op.attributes.get(DYNAMIC_SHARED_MEMORY)
    return asked.value if isinstance(asked, IntegerAttr) else 0


def theirs(peer: str, name: str, chip: str) -> tuple[bytes, int, int]:
    """The machine code of NVIDIA's compiler."""
    return gpu_peer.cubin(peer, bytecode(name), CHIPS[chip]), 0, 0


def of_triton(peer: gpu_triton.Peer, name: str, chip: str) -> tuple[bytes, int, int]:
    """Triton's machine code."""
    twin = CASES[name].twin
    if twin is None:
        raise ValueError("no kernel in Triton")
    made = peer.made(twin, chip)
    return made.cubin, made.warps, made.shared


def columns(peer: str | None, triton: gpu_triton.Peer | None) -> Iterator[tuple[str, Make]]:
    """What makes the cells of each column."""
    yield OURS, ours
    if peer is not None:
        yield THEIRS, partial(theirs, peer)
    if triton is not None:
        yield TRITON, partial(of_triton, triton)


def fill(
    cells: Cells, names: Sequence[str], chips: Sequence[str], makers: Sequence[tuple[str, Make]]
) -> None:
    """Measure what is missing."""
    for name in names:
        for chip in chips:
            for column, make in makers:
                cells.fill(f"{column}|{name}|{chip}", partial(measured, make, name, chip))
        print(name, file=sys.stderr, flush=True)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.gpu_static", description=__doc__)
    parser.add_argument("--only", action="append", default=[], help="a word of the names of kernels to take")
    parser.add_argument("--chips", default=",".join(CHIPS), help="chips, with commas between them")
    parser.add_argument("--peer", help="NVIDIA's tileiras")
    parser.add_argument("--triton", default=sys.executable, help="a Python that has Triton")
    parser.add_argument("--cells", type=Path, help=f"the file of cells, such as {CELLS.name}")
    parser.add_argument(
        "--again", action="append", default=[], choices=(OURS, THEIRS, TRITON), help="columns to measure anew"
    )
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the document."""
    options = _parser().parse_args(arguments)
    names = [name for name in CASES if not options.only or any(word in name for word in options.only)]
    chips = [chip for chip in options.chips.split(",") if chip in CHIPS]
    peer = gpu_peer.find(options.peer)
    triton = gpu_triton.Peer(options.triton) if gpu_triton.installed(options.triton) else None
    cells = Cells(options.cells, options.again)
    if programs("nvdisasm"):
        fill(cells, names, chips, list(columns(peer, triton)))
    else:
        print("nvdisasm is not installed: nothing is counted.\n")
    if triton is not None:
        triton.close()
    for text in report(cells.found, names, chips):
        print(text, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
