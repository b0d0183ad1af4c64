"""The substrate against its peers: ``python -m benchmarks.substrate``.

Prints a Markdown report and writes it to ``benchmarks/results/substrate.md``.  Compare ratios, not times: all subjects
take turns in one process (A B C, A B C, ...), and a ratio is the median over rounds.  Parsed and printed is generic
text, and custom text where the row says it (all subjects read what this project prints); MLIR verifies while it parses;
`build` goes through the constructors of the op classes.  What this project spells once, later prints in the process look
up; its parser starts anew with each text.  The cyclic garbage collector is on, with the programs of all subjects in its
sight; before each call it runs once, untimed.  Memory is what a parsed program holds after a collection.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks import machine, measure
from benchmarks.programs import FAMILIES, OWN_FAMILIES
from benchmarks.subjects import Subject, available
from benchmarks.tables import Goal, Row, goal_table, header, line, publish, section, speed_table

RESULT = Path(__file__).parent / "results" / "substrate.md"
ROUNDS = {1_000: 25, 10_000: 7, 100_000: 3}
LINEAR_SIZES = (1_000, 10_000, 100_000, 1_000_000)


GOALS = {
    "parse": Goal(12, 0.25),
    "print": Goal(8, 1),
    "parse custom": Goal(12, 0.3),
    "print custom": Goal(8, 1),
    "verify": Goal(12),
    "clone": Goal(6),
    "walk": Goal(6),
    "build": Goal(10),
}
MEMORY_GOAL, IMPORT_GOAL_MS = 0.5, 60
CUSTOM_GOAL = 2
"""Custom text takes at most so many times as long as the same program's generic text."""


def actions(
    subject: Subject, text: str, custom: str, module: Any, count: int
) -> dict[str, Callable[[], Any]]:
    """What is timed, by name."""
    return {
        "parse": lambda: subject.parse(text),
        "print": lambda: subject.print(module),
        "parse custom": lambda: subject.parse(custom),
        "print custom": lambda: subject.print_custom(module),
        "verify": lambda: subject.verify(module),
        "clone": lambda: subject.clone(module),
        "walk": lambda: subject.walk(module),
        "build": lambda: subject.build(count),
    }


def family_rows(subjects: list[Subject], family: str, size: int, rounds: int) -> Iterator[Row]:
    """All actions on one program."""
    text = FAMILIES[family](size)
    modules = {subject.name: subject.parse(text) for subject in subjects}
    count = subjects[0].walk(modules[subjects[0].name])
    custom = subjects[0].print_custom(modules[subjects[0].name])
    work = {s.name: actions(s, text, custom, modules[s.name], count) for s in subjects}
    for action in GOALS:
        if action == "build" and family != "fold":
            continue
        print(f"{family} {size} {action}", file=sys.stderr)
        times = measure.round_robin({name: calls[action] for name, calls in work.items()}, rounds)
        rates = {name: count / statistics.median(spent) / 1000 for name, spent in times.items()}
        own = times[subjects[0].name]
        ratios = {s.name: measure.ratio(own, times[s.name]) for s in subjects[1:]}
        yield Row(family, action, count, rates, ratios)


def speed_rows(subjects: list[Subject], rounds: dict[int, int]) -> list[Row]:
    """All rows of the speed table."""
    return [
        row
        for family in FAMILIES
        for size, number in rounds.items()
        for row in family_rows(subjects, family, size, number)
    ]


def excess(found: float, limit: float) -> str:
    """Words on how far above a limit a figure is."""
    return "met" if found <= limit else f"{found / limit:.2f}x the limit"


def linear_table(subject: Subject, sizes: tuple[int, ...], rounds: int) -> list[str]:
    """Markdown: microseconds an operation by program size, for this project alone."""
    lines = header("action", *(f"{size:,} ops" for size in sizes))
    cells: dict[str, list[str]] = {action: [] for action in GOALS}
    for size in sizes:
        text = FAMILIES["fold"](size)
        module = subject.parse(text)
        custom = subject.print_custom(module)
        for action, call in actions(subject, text, custom, module, size).items():
            print(f"linear {size} {action}", file=sys.stderr)
            repeats = 1 if size >= 1_000_000 else rounds
            spent = statistics.median(measure.round_robin({"": call}, repeats)[""])
            cells[action].append(f"{spent / size * 1e6:.2f}")
        del module
    return lines + [line(action, *values) for action, values in cells.items()]


def custom_table(rounds: dict[int, int]) -> list[str]:
    """Markdown: microseconds an operation of custom and of generic text, for this project alone."""
    from tilewright.driver.startup import context
    from tilewright.ir.text.hooks import PrintOptions
    from tilewright.ir.text.parser import parse_module

    everything, generic = context(), PrintOptions(generic=True)
    lines = header("family", "ops", "action", "generic", "custom", "custom over generic", "goal")
    for family, program in OWN_FAMILIES.items():
        for size, number in rounds.items():
            print(f"custom {family} {size}", file=sys.stderr)
            module = parse_module(everything, program(size))
            count = sum(1 for _ in module.walk())
            texts = module.print(generic), module.print()
            parse, show = (partial(parse_module, everything), module.print)
            for action, calls in {
                "parse": (partial(parse, texts[0]), partial(parse, texts[1])),
                "print": (partial(show, generic), show),
            }.items():
                times = measure.round_robin(dict(zip(("generic", "custom"), calls, strict=True)), number)
                spent = [f"{statistics.median(found) / count * 1e6:.2f}" for found in times.values()]
                share = 1 / measure.ratio(times["custom"], times["generic"])
                cells = *spent, f"{share:.2f}", f"at most {CUSTOM_GOAL}: {excess(share, CUSTOM_GOAL)}"
                lines.append(line(family, str(count), action, *cells))
    return lines


def memory_table(subjects: list[Subject], size: int) -> list[str]:
    """Markdown: bytes an operation of parsed modules, for subjects whose IR is made of Python objects."""
    inside = [subject for subject in subjects if subject.in_python]
    lines = header("family", *(s.name for s in inside), *(f"share of {s.name}" for s in inside[1:]), "goal")
    for family, program in FAMILIES.items():
        text = program(size)
        count = subjects[0].walk(subjects[0].parse(text))
        held = [measure.bytes_per_operation(subject, text, count) for subject in inside]
        shares = [held[0] / theirs for theirs in held[1:]]
        verdicts = [f"at most {MEMORY_GOAL}: {excess(share, MEMORY_GOAL)}" for share in shares]
        cells = [*(f"{value:.0f}" for value in held), *(f"{share:.2f}" for share in shares), *verdicts]
        lines.append(line(family, *cells))
    return lines


def import_table(subjects: list[Subject], rounds: int) -> list[str]:
    """Markdown: milliseconds that the first import takes."""
    imports = {"`import tilewright`": "import tilewright"}
    imports |= {f"`{subject.import_line}`": subject.import_line for subject in subjects}
    times = measure.import_seconds(imports, rounds)
    lines = header("import", "ms", "goal")
    for name, spent in times.items():
        found = statistics.median(spent) * 1e3
        goal = (
            f"{IMPORT_GOAL_MS} ms: {excess(found, IMPORT_GOAL_MS)}" if name == "`import tilewright`" else ""
        )
        lines.append(line(name, f"{found:.0f}", goal))
    return lines


def mlir_opt_table(size: int) -> list[str]:
    """Markdown: what ``mlir-opt`` as a process says of its own parsing and printing."""
    executable = measure.mlir_opt_path()
    if executable is None:
        return ["`mlir-opt` is not installed."]
    lines = header("family", "parse and verify", "print")
    for family, program in FAMILIES.items():
        rounds = [measure.mlir_opt_seconds(executable, program(size)) for _ in range(3)]
        rates = [size / statistics.median(r[stage] for r in rounds) / 1000 for stage in ("Parser", "Output")]
        lines.append(line(family, *(f"{rate:.0f}" for rate in rates)))
    return lines


def report(subjects: list[Subject], rounds: dict[int, int], linear: tuple[int, ...]) -> Iterator[str]:
    """The Markdown document, part by part as it is measured."""
    taken = ", ".join(f"{number} of {size:,} operations" for size, number in rounds.items())
    yield f"# Substrate\n\n{__doc__ or ''}\n{machine.description()}  Rounds: {taken}.\n"
    if len(subjects) < 3:
        yield "\nPeers that are not installed are left out.\n"
    rows = speed_rows(subjects, rounds)
    yield section("Goals", goal_table(rows, GOALS))
    yield section(
        "Speed, thousand operations a second", speed_table(rows, [subject.name for subject in subjects])
    )
    yield section(
        "Custom text against generic text, microseconds an operation of tilewright", custom_table(rounds)
    )
    yield section("Memory, bytes an operation", memory_table(subjects, min(10_000, max(rounds))))
    yield section("Import, milliseconds over an empty process", import_table(subjects, 7))
    title = "`mlir-opt` as a process, thousand operations a second by its own timers"
    yield section(title, mlir_opt_table(max(rounds)))
    yield section("Microseconds an operation, by size (`fold`)", linear_table(subjects[0], linear, 3))


def main() -> None:
    """Measure, print, write the result."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--quick", action="store_true", help="small programs only; writes no result")
    options.add_argument(
        "--rounds", type=int, nargs=3, default=list(ROUNDS.values()), help="for the three program sizes"
    )
    arguments = options.parse_args()
    quick = arguments.quick
    rounds = {1_000: 5} if quick else dict(zip(ROUNDS, arguments.rounds, strict=True))
    parts = report(available(), rounds, LINEAR_SIZES[: 2 if quick else None])
    publish(parts, None if quick else RESULT)


if __name__ == "__main__":
    main()
