"""The command that runs as many generated programs as one likes, in several processes; see `generated_programs`.

Ranges of modules are work for `distribute`, each in a process of its own.  One that ends its process is split until the
module is known.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor
from contextlib import AbstractContextManager, nullcontext
from dataclasses import astuple, dataclass, replace
from pathlib import Path
from typing import Any

from tests.targets.cpu.programs.generated_programs import Difference, compare
from tests.targets.cpu.programs.seeded_faults import FAULTS
from tilewright.cli.batch import add_batch_options
from tilewright.cli.progress import shown_progress
from tilewright.driver.target import DEFAULT
from tilewright.runtime.distribution import ResultsFile, WorkerLostError, distribute, processes
from tilewright.testing.tile_types import MAXIMUM_ELEMENTS

SHARE = 200
"""Modules of one process."""
ENDED = "ended the process"
Found = tuple[list[Difference], Counter[str]]
"""Differences, and how many kernels did what."""


@dataclass(frozen=True, slots=True)
class Modules:
    """Some modules of a seed, by their numbers."""

    seed: str
    start: int
    count: int
    largest: int = MAXIMUM_ELEMENTS
    fault: str | None = None
    targets: tuple[str, ...] = (DEFAULT,)

    def shares(self) -> Iterator[Modules]:
        """The same modules, a few at a time."""
        for start in range(self.start, self.start + self.count, SHARE):
            yield replace(self, start=start, count=min(SHARE, self.start + self.count - start))

    def halves(self) -> tuple[Modules, Modules]:
        """The same modules in two parts."""
        half = self.count // 2
        return replace(self, count=half), replace(self, start=self.start + half, count=self.count - half)


def compared(modules: Modules) -> Found:
    """The differences, and what became of the kernels; with a fault no more than up to the first difference."""
    tally: Counter[str] = Counter()
    planted: AbstractContextManager[None] = FAULTS[modules.fault]() if modules.fault else nullcontext()
    found: list[Difference] = []
    with planted:
        for difference in compare(
            modules.seed, modules.count, tally, modules.largest, modules.start, modules.targets
        ):
            found.append(difference)
            if modules.fault:
                break
    return found, tally


def fresh_processes(jobs: int = 1) -> Callable[[], Executor]:
    """Executors whose processes do one share each, forked from a server that has loaded the compiler once."""
    return processes(jobs, preload=["tests.targets.cpu.programs.loaded_compiler"], tasks_of_a_process=1)


def survey(
    shares: Iterable[Modules],
    executor: Executor | Callable[[], Executor],
    results: ResultsFile[Modules, Found] | None = None,
) -> Iterator[tuple[Modules, Found]]:
    """`compared` for each share on an executor, in order; a module that ends its process is a difference."""
    for done in distribute(compared, shares, executor, attempts=1, results=results, what="shares"):
        if not isinstance(done.error, WorkerLostError):
            yield done.item, done.result()
        elif done.item.count == 1:
            yield done.item, ([Difference(done.item.seed, done.item.start, "?", ENDED)], Counter(crashed=1))
        else:
            yield from survey(done.item.halves(), executor, results)


def in_a_process(modules: Modules) -> Found:
    """`compared` in a fresh process, or in several if one is ended."""
    found: list[Difference] = []
    tally: Counter[str] = Counter()
    for _, (differences, counted) in survey([modules], fresh_processes()):
        found += differences
        tally += counted
    return found, tally


def kernels_until_found(fault: str, seed: str, count: int, start: int = 0) -> int | None:
    """How many kernels are compared until a seeded fault is found; None if it is not."""
    total = 0
    for modules in Modules(seed, start, count, fault=fault).shares():
        found, tally = in_a_process(modules)
        total += sum(number for kind, number in tally.items() if ":" not in kind)
        if found:
            return total
    return None


def kept_in(path: Path, modules: Modules) -> ResultsFile[Modules, Found]:
    """The file of a run that can be resumed."""

    def decoded(value: Any) -> Found:
        return [Difference(*row) for row in value[0]], Counter(value[1])

    work = f"generated programs of seed '{modules.seed}', {modules.largest} elements"
    if modules.targets != (DEFAULT,):
        work += f", {', '.join(modules.targets)}"
    return ResultsFile(
        path, work, encode=lambda found: [[astuple(row) for row in found[0]], found[1]], decode=decoded
    )


def run(
    modules: Modules, executor: Callable[[], Executor], results: ResultsFile[Modules, Found] | None = None
) -> Counter[str]:
    """Compare modules on an executor; differences are printed in the order of the modules."""
    tally: Counter[str] = Counter()
    for share, (found, counted) in survey(modules.shares(), executor, results):
        tally += counted
        for difference in found:
            print(difference, flush=True)
        print(f"modules before {share.start + share.count} are done: {dict(tally)}", file=sys.stderr)
    return tally


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(
        description="Compare generated kernels on the interpreter and other targets."
    )
    parser.add_argument("seed")
    parser.add_argument("count", type=int, help="how many modules")
    parser.add_argument("elements", type=int, nargs="?", default=MAXIMUM_ELEMENTS)
    parser.add_argument("--start", type=int, default=0, help="the number of the first module")
    add_batch_options(parser, jobs=1)
    parser.add_argument("--results", type=Path, help="a file with what is done: a run that was ended goes on")
    parser.add_argument(
        "--target", action="append", help="what to compile for, such as sim:sm_80; may be given several times"
    )
    parser.add_argument("--fault", choices=FAULTS, help="a fault to plant into the compiler")
    given = parser.parse_args()
    if given.fault:
        found = kernels_until_found(given.fault, given.seed, given.count, given.start)
        print(f"'{given.fault}' is found after {found} kernels" if found else f"'{given.fault}' is not found")
        sys.exit(found is None)
    targets = tuple(given.target or (DEFAULT,))
    modules = Modules(given.seed, given.start, given.count, given.elements, targets=targets)
    with shown_progress():
        executor = given.executor or fresh_processes(given.jobs)
        tally = run(modules, executor, kept_in(given.results, modules) if given.results else None)
    print("\n".join(f"{number:8} {kind}" for kind, number in sorted(tally.items())))
    bad = ("different", "crashed", "refused", "touched")
    sys.exit(any(kind.rpartition(": ")[2] in bad for kind in tally))
