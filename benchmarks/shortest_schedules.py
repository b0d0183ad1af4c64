"""The intervals of loops' schedules, beside the shortest ones by z3, and the time to decide them.

    python -m benchmarks.shortest_schedules [--chip sm_80] [--corpus NAME=FOLDER ...] [--most 50] [--results FILE]

The loops are the innermost loops of the kernels of `benchmarks.pipelined_loops`, up to `--most` operations, each
distinct one once. Times are in the rows of the reservation table that the scheduler uses. z3 is asked for each interval
from the lower bound of units and cycles of dependences on; it may take ten seconds for one.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import tilewright
from benchmarks.pipelined_loops import Corpus, corpora_of
from benchmarks.tables import header, line, publish, section
from tests.lowering.schedule.shortest import in_rows, shortest, tasks_of
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.lowering.schedule.analysis import LoopSchedule, ScheduleAnalysis
from tilewright.lowering.schedule.modulo import modulo

PATIENCE = 10_000
"""Milliseconds for z3 to decide about one interval."""
LIMIT = 50.0
"""The milliseconds in which a schedule should be decided."""


class Compared(NamedTuple):
    """A loop: its kernel, its operations, the clocks of a row, our interval and the shortest one in rows (None if z3
    does not know), and the milliseconds of processor time of the scheduler.
    """

    kernel: str
    operations: int
    step: int
    ours: int
    best: int | None
    milliseconds: float


def loops_of(corpora: Iterable[Corpus], chip: str, most: int) -> Iterator[tuple[str, LoopSchedule]]:
    """Yield the distinct loops of corpora whose iterations may overlap, with at most `most` operations."""
    seen: set[str] = set()
    for corpus in corpora:
        for kernel, source in corpus.kernels:
            try:
                module = tilewright.compile(source, target=chip).module("layouts")
            except DiagnosticError:
                continue  # `benchmarks.pipelined_loops` lists these
            for one in ScheduleAnalysis(module).loops:
                key = str((tasks_of(one), one.graph.dependences))
                if not one.reason and len(one.graph.operations) <= most and key not in seen:
                    seen.add(key)
                    yield kernel, one


def compared(kernel: str, found: LoopSchedule) -> Compared:
    """Return the schedule of a loop beside z3's."""
    tasks, dependences = tasks_of(found), found.graph.dependences
    begin = time.process_time()
    interval = modulo(tasks, dependences).interval
    spent = 1000 * (time.process_time() - begin)
    rows, step = in_rows(tasks, dependences)
    best = shortest(rows, dependences, interval // step, PATIENCE)
    return Compared(kernel, len(tasks), step, interval // step, best, spent)


def report(rows: Sequence[Compared], chip: str) -> Iterator[str]:
    """Yield the parts of the document."""
    known = [row for row in rows if row.best is not None]
    equal = [row for row in known if row.ours == row.best]
    slowest = max(row.milliseconds for row in rows)
    over = statistics.mean(row.ours / row.best for row in known if row.best)
    yield f"# Schedules of loops against z3, {chip}\n\n"
    yield f"By `python -m benchmarks.shortest_schedules --chip {chip}`.\n\n"
    yield f"Of {len(rows)} loops, z3 knows the shortest interval of {len(known)}; ours is as short in {len(equal)}, "
    yield f"and {100 * (over - 1):.1f} % longer in the mean. The slowest decision took {slowest:.0f} ms of processor "
    yield f"time ({sum(row.milliseconds > LIMIT for row in rows)} took more than {LIMIT:.0f} ms).\n"
    lines = header("kernel", "operations", "clocks of a row", "ours", "z3", "longer")
    for row in sorted(rows):
        name = row.kernel.partition("_Kt")[0]
        best = ("?", "?") if row.best is None else (str(row.best), f"{100 * (row.ours / row.best - 1):.1f} %")
        lines.append(line(name, str(row.operations), str(row.step), str(row.ours), *best))
    yield section("Loops", lines)


def main(arguments: Sequence[str] | None = None) -> None:
    """Compare the loops, and print or write the document."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.shortest_schedules", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--chip", default="sm_80", help="the GPU")
    parser.add_argument("--corpus", action="append", default=[], metavar="NAME=FOLDER")
    parser.add_argument("--most", type=int, default=50, help="operations of a loop")
    parser.add_argument("--results", type=Path, help="write the document to this file")
    given = parser.parse_args(arguments)
    loops = loops_of(corpora_of(given.corpus), given.chip, given.most)
    publish(report([compared(*one) for one in loops], given.chip), given.results)


if __name__ == "__main__":
    main()
