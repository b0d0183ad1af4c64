"""Rewriting against its peers: ``python -m benchmarks.rewriting``.

Prints a Markdown report and writes it to ``benchmarks/results/rewriting.md``.  Compare ratios, not times: all subjects
take turns in one process (A B C, A B C, ...), and a ratio is the median over rounds.  `canonicalize` folds and
simplifies to a fixed point, with the canonicalisation patterns of all dialects; `convert` turns `arith` into `llvm`,
here by the patterns of this project's own `convert-arith-to-llvm`, in xDSL (which has no such pass) by two patterns
and its walker.  Every round rewrites a fresh copy; making it is not timed, and no verifier runs.  The cyclic garbage
collector is on and runs once, untimed, before each call.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from benchmarks import machine, measure
from benchmarks.programs import FAMILIES
from benchmarks.rewriting_subjects import FILLERS, Rewriting, TilewrightRewriting, rewriting
from benchmarks.subjects import available
from benchmarks.tables import Goal, Row, goal_table, header, line, publish, section, speed_table

RESULT = Path(__file__).parent / "results" / "rewriting.md"
ROUNDS = {1_000: 25, 10_000: 7, 100_000: 3}
LINEAR_SIZES = (1_000, 10_000, 100_000, 1_000_000)
FEW = 10
PATTERN_GOAL = 0.05
PATTERN_ROUNDS = 61
"""Of small programs: a difference of a few per cent is smaller than what a machine does to a single round."""

GOALS = {"canonicalize": Goal(15), "convert": Goal(10)}
"""Of the ``fold`` family; ``mixed`` is measured without a goal."""
ACTIONS = {"fold": ("canonicalize", "convert"), "mixed": ("canonicalize",)}


def work(subject: Rewriting, action: str, module: Any) -> measure.Prepared:
    """A fresh copy, and what is done to it."""
    return lambda: subject.subject.clone(module), getattr(subject, action)


def family_rows(subjects: list[Rewriting], family: str, size: int, rounds: int) -> Iterator[Row]:
    """All actions on one program."""
    text = FAMILIES[family](size)
    modules = {subject.name: subject.subject.parse(text) for subject in subjects}
    count = subjects[0].subject.walk(modules[subjects[0].name])
    for action in ACTIONS[family]:
        print(f"{family} {size} {action}", file=sys.stderr)
        calls = {s.name: work(s, action, modules[s.name]) for s in subjects}
        times = measure.round_robin_prepared(calls, rounds)
        rates = {name: count / statistics.median(spent) / 1000 for name, spent in times.items()}
        own = times[subjects[0].name]
        ratios = {s.name: measure.ratio(own, times[s.name]) for s in subjects[1:]}
        yield Row(family, action, count, rates, ratios)


def speed_rows(subjects: list[Rewriting], rounds: dict[int, int]) -> list[Row]:
    """All rows of the speed table."""
    return [
        row
        for family in ACTIONS
        for size, number in rounds.items()
        for row in family_rows(subjects, family, size, number)
    ]


def pattern_table(subject: TilewrightRewriting, size: int, rounds: int) -> list[str]:
    """Markdown: what patterns that never apply cost, for many of them as a multiple of a few."""
    lines = header("family", f"{FEW} patterns more, µs/op", f"{FILLERS}, µs/op", "difference", "goal")
    few, many = subject.driver_with(FEW), subject.driver_with(FILLERS)
    for family in ACTIONS:
        module = subject.subject.parse(FAMILIES[family](size))
        fresh: Callable[[], Any] = module.clone
        times = measure.round_robin_prepared({"few": (fresh, few), "many": (fresh, many)}, rounds)
        share = measure.ratio(times["few"], times["many"]) - 1
        cost = [f"{min(times[name]) / size * 1e6:.2f}" for name in ("few", "many")]
        verdict = "met" if share < PATTERN_GOAL else "missed"
        lines.append(line(family, *cost, f"{share:+.1%}", f"below {PATTERN_GOAL:.0%}: {verdict}"))
    return lines


def linear_table(subject: Rewriting, sizes: tuple[int, ...], rounds: int) -> list[str]:
    """Markdown: microseconds an operation by program size, for this project alone."""
    lines = header("action", *(f"{size:,} ops" for size in sizes))
    cells: dict[str, list[str]] = {action: [] for action in ACTIONS["fold"]}
    for size in sizes:
        module = subject.subject.parse(FAMILIES["fold"](size))
        for action in cells:
            print(f"linear {size} {action}", file=sys.stderr)
            repeats = 1 if size >= 1_000_000 else rounds
            times = measure.round_robin_prepared({"": work(subject, action, module)}, repeats)
            cells[action].append(f"{statistics.median(times['']) / size * 1e6:.2f}")
    return lines + [line(action, *values) for action, values in cells.items()]


def mlir_opt_table(size: int) -> list[str]:
    """Markdown: what ``mlir-opt`` as a process says of its own passes."""
    executable = measure.mlir_opt_path()
    if executable is None:
        return ["`mlir-opt` is not installed."]
    passes = {"canonicalize": "Canonicalizer", "convert-arith-to-llvm": "ArithToLLVMConversionPass"}
    lines = header("family", *passes)
    for family, program in FAMILIES.items():
        text = program(size)
        rates: list[str] = []
        for flag, label in passes.items():
            spent = [measure.mlir_opt_pass_seconds(executable, text, flag, label) for _ in range(3)]
            rates.append(f"{size / statistics.median(spent) / 1000:.0f}")
        lines.append(line(family, *rates))
    return lines


def report(subjects: list[Rewriting], rounds: dict[int, int], linear: tuple[int, ...]) -> Iterator[str]:
    """The Markdown document, part by part as it is measured."""
    taken = ", ".join(f"{number} of {size:,} operations" for size, number in rounds.items())
    yield f"# Rewriting\n\n{__doc__ or ''}\n{machine.description()}  Rounds: {taken}.\n"
    if len(subjects) < 3:
        yield "\nPeers that are not installed are left out.\n"
    own = subjects[0]
    assert isinstance(own, TilewrightRewriting)
    names = [subject.name for subject in subjects]
    rows = speed_rows(subjects, rounds)
    yield section("Goals (`fold`)", goal_table([row for row in rows if row.family == "fold"], GOALS))
    yield section("Speed, thousand operations a second", speed_table(rows, names))
    most = max(rounds)
    yield section("Patterns that never apply", pattern_table(own, min(rounds), PATTERN_ROUNDS))
    title = "`mlir-opt` as a process, thousand operations a second by its own timers"
    yield section(title, mlir_opt_table(most))
    yield section("Microseconds an operation, by size (`fold`)", linear_table(own, linear, 3))


def main() -> None:
    """Measure, print, write the result."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--quick", action="store_true", help="small programs only; writes no result")
    quick = options.parse_args().quick
    rounds = {1_000: 5} if quick else ROUNDS
    parts = report(rewriting(available()), rounds, LINEAR_SIZES[: 2 if quick else None])
    publish(parts, None if quick else RESULT)


if __name__ == "__main__":
    main()
