"""Time to compile for GPUs, against NVIDIA's compiler on the same bytecode: ``python -m benchmarks.gpu_compile``.

Prints three Markdown tables.  From bytecode to PTX: kernels of the examples, ours in a warm process, against the whole time
of a process of ``tileiras -O3``, which goes on to machine code.  From the source to a cubin: cuTile's frontend and our
compiler with ptxas, against the same frontend and ``tileiras``.  A trivial kernel: from its text to PTX and to a cubin.
Goals stand beside what they are for.  Subjects take turns, nothing is cached, and a ratio is our time over theirs, the
median over rounds of the ratio within a round.  NVIDIA's compiler is found as in `benchmarks.gpu_static`.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from benchmarks import gpu_peer
from benchmarks.cpu_compile import kernels
from benchmarks.gpu_cases import CASES, CHIPS
from benchmarks.measure import ratio, round_robin
from benchmarks.tables import header, line
from tilewright import cutile
from tilewright.driver.compile import compile
from tilewright.driver.sources import MODULES
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.runtime.disk_cache import SIZE_VARIABLE

OURS, THEIRS = "tilewright", "tileiras"
CHIP = "sm_90a"
"""The chip of the first and the last table."""
FROM_SOURCE = (
    "vector add f32 4096",
    "histogram i32 1024",
    "cumulative sum f32 2048",
    "softmax f16 4096",
    "layer norm f16 4096",
    "matmul f32 64x64x32",
)
GOALS = {"bytecode to PTX": 0.25, "source to cubin": 0.64}
"""At most so much of their time, geometric mean."""
TRIVIAL_GOAL = 0.040
"""Seconds."""
TRIVIAL = """
cuda_tile.module @m {
  entry @k(%x: tile<ptr<i32>>) {
    %one = constant <i32: 1> : tile<i32>
    %s = store_ptr_tko weak %x, %one : tile<ptr<i32>>, tile<i32> -> token
    return
  }
}
"""
Times = Mapping[str, Sequence[float]]


def made(bytecode: bytes, chip: str, stage: str) -> str | bytes:
    """A stage of a kernel, which is read anew."""
    MODULES.clear()
    return compile(bytecode, target=chip).asm[stage]


def turns(ours: Callable[[], object], theirs: Callable[[], object] | None, rounds: int) -> Times | str:
    """Seconds of both, after one call of ours that is not counted; the reason if a kernel has no code."""
    try:
        ours()
        return round_robin({OURS: ours, **({THEIRS: theirs} if theirs is not None else {})}, rounds)
    except (DiagnosticError, ValueError) as error:
        return str(error).partition("\n")[0].replace("|", "/")


def from_bytecode(peer: str | None, rounds: int) -> Iterator[tuple[str, Times | str]]:
    """The kernels of the examples, from bytecode to PTX."""
    for name, bytecode in kernels().items():
        theirs = partial(gpu_peer.cubin, peer, bytecode, CHIPS[CHIP]) if peer is not None else None
        yield name, turns(partial(made, bytecode, CHIP, "ptx"), theirs, rounds)


def from_source(peer: str | None, rounds: int) -> Iterator[tuple[str, Times | str]]:
    """Six kernels for every chip, from their source to a cubin."""
    for name in FROM_SOURCE:
        for chip in CHIPS:
            theirs = partial(_theirs, peer, name, chip) if peer is not None else None
            yield f"{name}, {chip}", turns(partial(_ours, name, chip), theirs, rounds)


def _bytecode(name: str) -> bytes:
    cutile.clear_cache()
    return CASES[name].bytecode()


def _ours(name: str, chip: str) -> object:
    return made(_bytecode(name), chip, "cubin")


def _theirs(peer: str, name: str, chip: str) -> object:
    return gpu_peer.cubin(peer, _bytecode(name), CHIPS[chip])


def report(title: str, rows: Iterator[tuple[str, Times | str]]) -> Iterator[str]:
    """The lines of a table as they are measured, and the geometric mean below it."""
    ratios: list[float] = []
    yield from ["", f"## {title}", "", *header("kernel", "ms", "their ms", "ratio")]
    for name, times in rows:
        if isinstance(times, str):
            yield line(name, times, "", "")
            continue
        peer = times.get(THEIRS)
        share = 1 / ratio(times[OURS], peer) if peer is not None else None
        ratios += [share] if share is not None else []
        shown = [_milliseconds(times[OURS]), _milliseconds(peer) if peer is not None else ""]
        yield line(name, *shown, f"{share:.2f}" if share is not None else "")
    if ratios:
        mean, goal = statistics.geometric_mean(ratios), GOALS[title]
        yield from ["", f"Geometric mean {mean:.2f}, goal {goal}: {'met' if mean <= goal else 'not met'}."]


def _milliseconds(times: Sequence[float]) -> str:
    return f"{statistics.median(times) * 1e3:.1f}"


def trivial(rounds: int) -> Iterator[str]:
    """The table of the trivial kernel: its text is read anew each time."""
    yield from ["", "## A trivial kernel, from its text", "", *header("to", "ms", "goal", "")]
    for stage, goal in (("ptx", TRIVIAL_GOAL), ("cubin", None)):
        times = turns(partial(_stage_of, TRIVIAL, CHIP, stage), None, rounds)
        if isinstance(times, str):
            yield line(stage, times, "", "")
            continue
        spent = statistics.median(times[OURS])
        words = ("", "") if goal is None else (f"{goal * 1e3:.0f}", "met" if spent <= goal else "not met")
        yield line(stage, f"{spent * 1e3:.1f}", *words)


def _stage_of(text: str, chip: str, stage: str) -> str | bytes:
    return compile(text, target=chip).asm[stage]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--rounds", type=int, default=3, help="of each kernel; three take less than five minutes"
    )
    parser.add_argument("--peer", help="NVIDIA's tileiras")
    options = parser.parse_args(arguments)
    os.environ[SIZE_VARIABLE] = "0"
    peer = gpu_peer.find(options.peer)
    if peer is None:
        print("NVIDIA's compiler is not installed: its columns are empty.")
    for title, rows in (("bytecode to PTX", from_bytecode), ("source to cubin", from_source)):
        for text in report(title, rows(peer, options.rounds)):
            print(text, flush=True)
    for text in trivial(options.rounds):
        print(text, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
