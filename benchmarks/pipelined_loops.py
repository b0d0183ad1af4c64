"""The loops of kernels that become pipelines on a GPU, and the reason of each one that does not.

    python -m benchmarks.pipelined_loops [--chip sm_80] [--corpus NAME=FOLDER ...] [--results FILE]

Kernels are those of `examples/` and of `benchmarks.gpu_cases`, and the files of bytecode or text in each FOLDER, such as
`conformance.recording` and `conformance.inductor --record-kernels` write. Each one is compiled. A loop counts if it has
a product, or two or more loads of tiles, among its own operations. Loops around other loops are listed apart: they wait
once for all iterations of the loop inside. So are loops with a product that load nothing.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tilewright
from benchmarks.gpu_cases import CASES
from benchmarks.tables import header, line, publish, section
from tilewright.dialects.nv_tileas.ops_memory import LoadOp
from tilewright.dialects.nv_tileas.ops_tile import DotOp
from tilewright.ir.context import Context
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ir.operation import Operation
from tilewright.passes.manager import PassManager
from tilewright.targets.nvptx.pipelines.loops import Loop, candidates, own_operations
from tilewright.targets.nvptx.pipelines.materialise import MaterialiseSchedule
from tools.replay import example_kernels

PRODUCT, LOADS, ROWS = "a product", "two loads or more, no product", "one load, no product"
ALL, SOME, NONE = "all loads", "some loads", "no load"
NESTED = "another loop is in the loop"
EMPTY = "no load is in the loop"
APART = (NESTED, EMPTY)
"""Reasons of loops that are listed apart."""
Row = tuple[str, str, str, str, str, bool]
"""A loop: its corpus, the kernel, its kind, how many loads run ahead, the reason of the first that does not, and whether
one runs ahead in registers.
"""


@dataclass(frozen=True)
class Corpus:
    """Kernels with their names."""

    name: str
    kernels: Iterable[tuple[str, Any]]


def examples() -> Corpus:
    """Return the kernels of the examples."""
    return Corpus("examples", example_kernels())


def cases() -> Corpus:
    """Return the kernels whose code for GPUs is looked at."""
    return Corpus("benchmarks.gpu_cases", ((name, case.bytecode()) for name, case in CASES.items()))


def folder(name: str, path: Path) -> Corpus:
    """Return the recorded kernels of a folder: a file's name without its digest is that of its kernel."""
    return Corpus(name, ((one.name.rsplit(".", 2)[0], one) for one in sorted(path.iterdir())))


def corpora_of(given: Sequence[str]) -> list[Corpus]:
    """Return the corpora that are here, and those of folders, each given as ``NAME=FOLDER``."""
    named = [one.partition("=") for one in given]
    return [examples(), cases(), *(folder(name, Path(path)) for name, _, path in named)]


def loops_of(source: Any, chip: str) -> Iterator[tuple[str, str, str, bool]]:
    """Yield the kind of each loop of a kernel, how many of its loads run ahead, why the others do not, and whether one
    runs ahead in registers.

    Raises `DiagnosticError` if the kernel is not compiled for the chip.
    """
    artifact = tilewright.compile(source, target=chip)
    artifact.module("llvm")  # all of the compilation that decides anything
    module = artifact.module("layouts").clone()
    kinds = [kind_of(loop) for loop in candidates(module)]
    for kind, words in zip(kinds, remarks(module), strict=True):
        yield kind, *told(words), "in registers" in words.partition(", not all: ")[0]


def kind_of(loop: Loop) -> str:
    """Return the kind of a loop by its own operations."""
    own = own_operations(loop)
    if any(isinstance(op, DotOp) for op in own):
        return PRODUCT
    return LOADS if sum(isinstance(op, LoadOp) for op in own) > 1 else ROWS


def remarks(module: Operation) -> list[str]:
    """Return what `nv-tileas-materialise-schedule` says about each loop of a module, in their order."""
    context = Context(())
    with context.diagnostics.collect() as found:
        PassManager(context).add(MaterialiseSchedule(explain=True)).run(module)
    return [one.message for one in found]


def told(words: str) -> tuple[str, str]:
    """Return how many loads run ahead by the words of a remark, and the reason of the others."""
    none, some = "no load of the loop runs ahead: ", ", not all: "
    if words.startswith(none):
        return NONE, words.removeprefix(none)
    return (SOME, words.partition(some)[2]) if some in words else (ALL, "")


def measured(corpora: Sequence[Corpus], chip: str) -> tuple[list[Row], Counter[str], Counter[str]]:
    """Return the loops of corpora, and how many of their kernels are compiled, and refused."""
    rows: list[Row] = []
    compiled, refused = Counter[str](), Counter[str]()
    for corpus in corpora:
        for kernel, source in corpus.kernels:
            try:
                rows += [(corpus.name, kernel, *found) for found in loops_of(source, chip)]
                compiled[corpus.name] += 1
            except DiagnosticError as error:
                refused[corpus.name] += 1
                print(f"{corpus.name}, {kernel}: {error.diagnostics[0].message}", file=sys.stderr)
    return rows, compiled, refused


def report(
    rows: Sequence[Row], compiled: Mapping[str, int], refused: Mapping[str, int], chip: str
) -> Iterator[str]:
    """Yield the parts of the document."""
    counted = [row for row in rows if row[2] != ROWS and row[4] not in APART]
    title = "The loops of kernels that become pipelines, and the reason of each one that does not."
    yield f"# Loops that are pipelined on {chip}\n\n{title}\n"
    yield f"By `python -m benchmarks.pipelined_loops --chip {chip}`; nothing of it ran on a GPU.\n"
    yield section("Loops", shares(counted, compiled, refused))
    yield section("Reasons", reasons(counted))
    yield section("Listed apart", reasons([row for row in rows if row[4] in APART]))
    yield section("Loops with one load and no product", kinds([row for row in rows if row[2] == ROWS]))


def shares(rows: Sequence[Row], compiled: Mapping[str, int], refused: Mapping[str, int]) -> list[str]:
    """Return a table with a line for each corpus and kind of loop: how many run ahead."""
    titles = (
        *("corpus", "kernels", "refused", "loops with", "loops", ALL, SOME, NONE),
        *("pipelined", "of these some or all loads in registers"),
    )
    lines = header(*titles)
    for name in [*compiled, "all"]:
        for kind in (PRODUCT, LOADS, "either"):
            found = [row for row in rows if name in (row[0], "all") and kind in (row[2], "either")]
            ahead = Counter(row[3] for row in found)
            kernels = sum(compiled.values()) if name == "all" else compiled[name]
            not_made = sum(refused.values()) if name == "all" else refused.get(name, 0)
            numbers = kernels, not_made, kind, len(found), ahead[ALL], ahead[SOME], ahead[NONE]
            registers = str(sum(row[5] for row in found))
            lines += [line(name, *map(str, numbers), share(ahead), registers)] if found else []
    return lines


def share(ahead: Mapping[str, int]) -> str:
    """Return the share of loops with a load that runs ahead."""
    return f"{100 * (ahead[ALL] + ahead[SOME]) / sum(ahead.values()):.0f} %"


def reasons(rows: Sequence[Row]) -> list[str]:
    """Return a table of reasons, the most frequent first, each with its loops and some kernels."""
    lines = header("loops with", "run ahead", "reason", "loops", "kernels")
    grouped: dict[tuple[str, str, str], list[str]] = {}
    for _, kernel, kind, ahead, reason, _ in rows:
        if reason:
            grouped.setdefault((kind, ahead, reason), []).append(kernel)
    for (kind, ahead, reason), found in sorted(grouped.items(), key=lambda one: (-len(one[1]), one[0])):
        names = sorted({re.split(r"_Kt\d", name)[0] for name in found})
        shown = ", ".join(names[:4]) + (f" and {len(names) - 4} more" if len(names) > 4 else "")
        lines.append(line(kind, ahead, reason, str(len(found)), shown))
    return lines


def kinds(rows: Sequence[Row]) -> list[str]:
    """Return a table of how many loops of one kind run ahead, by reason."""
    lines = header("run ahead", "reason", "loops")
    counts = Counter((ahead, reason) for _, _, _, ahead, reason, _ in rows)
    return [*lines, *(line(*one, str(count)) for one, count in counts.most_common())]


def main(arguments: Sequence[str] | None = None) -> None:
    """Compile the corpora, and print or write the document."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.pipelined_loops", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--chip", default="sm_80", help="the GPU")
    parser.add_argument("--corpus", action="append", default=[], metavar="NAME=FOLDER")
    parser.add_argument("--results", type=Path, help="write the document to this file")
    given = parser.parse_args(arguments)
    publish(report(*measured(corpora_of(given.corpus), given.chip), given.chip), given.results)


if __name__ == "__main__":
    main()
