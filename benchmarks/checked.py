"""What checks cost: kernels compiled with each of them, against the same kernels without.

Times are of one thread, of the process, launches prepared; cells of racecheck are made anew for each launch, which counts.

    python -m benchmarks.checked [--only add] [--checks memcheck,racecheck] [--write]
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import cuda.tile as ct
import numpy as np

import tilewright
from benchmarks.cpu_cases import cases
from benchmarks.cpu_kernels import Launch, launch_of
from benchmarks.machine import description
from benchmarks.tables import header, line
from tilewright import cutile
from tilewright.cutile.compiler import bind_arguments
from tilewright.driver.launch import CHECKS

NAMES = (
    "add f32 64K",
    "add f32 16M",
    "softmax f32 4096x1024",
    "layernorm f32 512x512",
    "transpose f32",
    "matmul f32 512",
    "matmul f32 1024",
    "gather f32",
    "attention f32",
)
"""Cases of the benchmark of the CPU, by the beginning of their names."""
GOAL = 10.0
"""At most so many times the time without checks."""
SECONDS, ROUNDS = 0.1, 3
"""Calls are repeated for so long at least, in so many rounds; the best one counts."""
RESULTS = Path(__file__).parent / "results" / "checked.md"
COUNT = 1 << 20


@ct.kernel
def pick(table, indices, out, block: ct.Constant[int]):
    """Elements from places of their own, by pointers."""
    i = ct.bid(0)
    at = ct.load(indices, i, shape=(block,))
    ct.store(out, i, ct.gather(table, at))


@ct.kernel
def spread(values, indices, out, block: ct.Constant[int]):
    """Elements to places of their own, by pointers."""
    i = ct.bid(0)
    at = ct.load(indices, i, shape=(block,))
    ct.scatter(out, at, ct.load(values, i, shape=(block,)))


@ct.kernel
def add_by_pointers(x, y, out, block: ct.Constant[int]):
    """Elements side by side, by pointers and masks."""
    at = ct.bid(0) * block + ct.arange(block, dtype=ct.int32)
    ct.scatter(out, at, ct.gather(x, at) + ct.gather(y, at))


@dataclass(frozen=True)
class Row:
    """A kernel: microseconds of a launch without checks, and how many times as long it takes with each set of them."""

    name: str
    microseconds: float
    ratios: dict[str, float]


def launches(wanted: str) -> Iterator[tuple[str, Launch]]:
    """The kernels that are measured, by name."""
    for name in NAMES:
        case = next(case for case in cases() if case.name.startswith(name))
        if wanted in case.name:
            made = case.made()
            yield case.name, launch_of(made, made.out())
    source = np.random.default_rng(7)
    values = source.random(COUNT, dtype=np.float32)
    places = source.permutation(COUNT).astype(np.int32)
    block = 1 << 12
    grid = (COUNT // block,)
    yield "pick f32 1M by pointers", Launch(grid, pick, (values, places, values.copy(), block))
    yield "spread f32 1M by pointers", Launch(grid, spread, (values, places, values.copy(), block))
    yield "add f32 1M by pointers", Launch(grid, add_by_pointers, (values, values + 1, values.copy(), block))


def seconds(action: Callable[[], object]) -> float:
    """Processor time of a call."""
    action()
    best = float("inf")
    for _ in range(ROUNDS):
        calls, start = 0, time.process_time()
        while (spent := time.process_time() - start) < SECONDS or not calls:
            action()
            calls += 1
        best = min(best, spent / calls)
    return best


def measured(name: str, launch: Launch, sets: dict[str, tuple[str, ...]]) -> Row:
    """One row."""
    made = cutile.compile_to_bytecode(launch.kernel, launch.arguments)
    flat = bind_arguments(launch.kernel, launch.arguments)[1].flat
    artifact = tilewright.compile(made)
    plain = seconds(artifact.prepare(launch.grid, flat, threads=1))
    ratios = {
        label: seconds(artifact.prepare(launch.grid, flat, check=checks, threads=1)) / plain
        for label, checks in sets.items()
    }
    return Row(name, plain * 1e6, ratios)


def table(rows: list[Row], labels: list[str]) -> list[str]:
    """Markdown."""
    lines = header("kernel", "microseconds", *(f"x {label}" for label in labels))
    for row in rows:
        lines.append(line(row.name, f"{row.microseconds:.1f}", *(f"{row.ratios[at]:.1f}" for at in labels)))
    return lines


def main() -> None:
    """Measure, print, and write the report if asked to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="kernels whose name has this in it")
    parser.add_argument("--checks", default="", help="only these checks")
    parser.add_argument("--write", action="store_true", help="write benchmarks/results/checked.md")
    given = parser.parse_args()
    names = tuple(filter(None, given.checks.split(","))) or CHECKS
    sets = {name: (name,) for name in names} | ({"all": CHECKS} if names == CHECKS else {})
    rows = [measured(name, launch, sets) for name, launch in launches(given.only) if given.only in name]
    text = "\n".join(table(rows, list(sets)))
    print(text)
    worst = max(ratio for row in rows for ratio in row.ratios.values())
    verdict = f"Goal: at most {GOAL:.0f} times the time without checks. The worst figure is {worst:.1f}."
    print(verdict)
    if given.write:
        RESULTS.write_text(
            f"# What checks cost\n\n{description()}\n\n{text}\n\n{verdict}\n", encoding="utf-8"
        )


if __name__ == "__main__":
    main()
