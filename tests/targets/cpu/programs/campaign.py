"""The command that runs as many generated programs as one likes, in several processes; see `generated_programs`.

Ranges of modules run in processes of their own.  One that ends its process is split until the module is known.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace

from tests.targets.cpu.programs.generated_programs import Difference, compare
from tests.targets.cpu.programs.seeded_faults import FAULTS
from tilewright.testing.tile_types import MAXIMUM_ELEMENTS

SHARE = 200
"""Modules of one process."""
ENDED = "ended the process"


@dataclass(frozen=True, slots=True)
class Modules:
    """Some modules of a seed, by their numbers."""

    seed: str
    start: int
    count: int
    largest: int = MAXIMUM_ELEMENTS
    fault: str | None = None

    def shares(self) -> Iterator[Modules]:
        """The same modules, a few at a time."""
        for start in range(self.start, self.start + self.count, SHARE):
            yield replace(self, start=start, count=min(SHARE, self.start + self.count - start))


def compared(modules: Modules) -> tuple[list[Difference], Counter[str]]:
    """The differences, and what became of the kernels; with a fault no more than up to the first difference."""
    tally: Counter[str] = Counter()
    planted: AbstractContextManager[None] = FAULTS[modules.fault]() if modules.fault else nullcontext()
    found: list[Difference] = []
    with planted:
        for difference in compare(modules.seed, modules.count, tally, modules.largest, modules.start):
            found.append(difference)
            if modules.fault:
                break
    return found, tally


def fresh_process() -> ProcessPoolExecutor:
    """An executor of one new process, forked from a server that has loaded the compiler once."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.targets.cpu.programs.loaded_compiler"])
    return ProcessPoolExecutor(1, mp_context=context)


def in_a_process(modules: Modules) -> tuple[list[Difference], Counter[str]]:
    """`compared` in a fresh process; a module that ends it is a difference."""
    try:
        with fresh_process() as fresh:
            return fresh.submit(compared, modules).result()
    except BrokenProcessPool:
        if modules.count == 1:
            return [Difference(modules.seed, modules.start, "?", ENDED)], Counter(crashed=1)
    half = modules.count // 2
    first, second = (
        replace(modules, count=half),
        replace(modules, start=modules.start + half, count=modules.count - half),
    )
    (left, counted), (right, more) = in_a_process(first), in_a_process(second)
    return left + right, counted + more


def kernels_until_found(fault: str, seed: str, count: int, start: int = 0) -> int | None:
    """How many kernels are compared until a seeded fault is found; None if it is not."""
    total = 0
    for modules in Modules(seed, start, count, fault=fault).shares():
        found, tally = in_a_process(modules)
        total += sum(number for kind, number in tally.items() if ":" not in kind)
        if found:
            return total
    return None


def run(modules: Modules, jobs: int) -> Counter[str]:
    """Compare modules in some processes at a time; differences are printed as they are found."""
    tally: Counter[str] = Counter()
    with ThreadPoolExecutor(jobs) as threads:
        shares = list(modules.shares())
        for share, (found, counted) in zip(shares, threads.map(in_a_process, shares), strict=True):
            tally += counted
            for difference in found:
                print(difference, flush=True)
            print(f"modules before {share.start + share.count} are done: {dict(tally)}", file=sys.stderr)
    return tally


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description="Compare generated kernels on interpreter and processor.")
    parser.add_argument("seed")
    parser.add_argument("count", type=int, help="how many modules")
    parser.add_argument("elements", type=int, nargs="?", default=MAXIMUM_ELEMENTS)
    parser.add_argument("--start", type=int, default=0, help="the number of the first module")
    parser.add_argument("--jobs", type=int, default=1, help="how many processes")
    parser.add_argument("--fault", choices=FAULTS, help="a fault to plant into the compiler")
    given = parser.parse_args()
    if given.fault:
        found = kernels_until_found(given.fault, given.seed, given.count, given.start)
        print(f"'{given.fault}' is found after {found} kernels" if found else f"'{given.fault}' is not found")
        sys.exit(found is None)
    tally = run(Modules(given.seed, given.start, given.count, given.elements), given.jobs)
    print(dict(tally))
    bad = ("different", "crashed", "refused", "touched")
    sys.exit(any(kind.removeprefix("checked: ") in bad for kind in tally))
