"""Draws mutants by a seed, runs the tests that execute each, and lists the survivors.

    python -m tools.mutants record                      # once: which tests execute which line (the suite, twice as long)
    python -m tools.mutants run --seed 7 --count 300    # goes on where it was stopped

``make mutants SEED=7`` does both.  Survivors that are equivalent (no input tells them from the original, or they change
speed or a message only) are listed with the reason in ``equivalent.txt``, by their path, function and text.
"""

from __future__ import annotations

import collections
import json
import queue
import random
import threading
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

import click

from tools.mutants import executed
from tools.mutants.mutation import Mutation, every_mutation
from tools.mutants.trial import Laboratory, Trial

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "src" / "tilewright"
BUILD = ROOT / "build" / "mutants"
RECORD = BUILD / "executed"
EQUIVALENT = Path(__file__).with_name("equivalent.txt")
PACKAGES = [
    "rewrite",
    "passes",
    "optimizer",
    "lowering",
    "targets",
    "ptx",
    "ptxsim",
    "interp",
    "instrument",
    "runtime",
    "cutile",
    "triton",
    "gpu_programs",
]


@click.group()
def main() -> None:
    """Change the sources in small ways and see whether a test tells."""


@main.command()
@click.option("--processes", default=2, show_default=True, help="Processes of pytest.")
def record(processes: int) -> None:
    """Run the suite once and record which tests execute which line."""
    executed.record(ROOT, [SOURCES / package for package in PACKAGES], RECORD, processes)


@main.command()
@click.option("--seed", required=True, help="The same seed draws the same mutants of the same sources.")
@click.option("--count", default=300, show_default=True, help="Mutants to draw.")
@click.option("--jobs", default=2, show_default=True, help="Mutants that are tried at the same time.")
@click.option("--limit", default=900.0, show_default=True, help="Seconds for one mutant.")
@click.option(
    "--package", "packages", multiple=True, help="Packages below src/tilewright; default: the compiler's."
)
@click.option(
    "--also",
    multiple=True,
    help="Test files newer than the record, run where the recorded tests do not tell.",
)
def run(seed: str, count: int, jobs: int, limit: float, packages: Sequence[str], also: Sequence[str]) -> None:
    """Draw mutants, try those without a result yet, and print the survivors."""
    drawn = draw(seed, count, packages or PACKAGES)
    log = BUILD / f"{seed}.jsonl"
    done = results(log)
    left = [mutation for mutation in drawn if mutation.key not in done]
    for trial in tried(left, jobs, limit, also):
        with log.open("a") as lines:
            lines.write(json.dumps(row(trial)) + "\n")
        done[trial.mutation.key] = trial.outcome
        click.echo(
            f"{trial.outcome:12} {trial.seconds:6.1f} s {trial.tests:6} tests  {trial.mutation}", err=True
        )
    click.echo(summary(drawn, done, equivalent()))


def draw(seed: str, count: int, packages: Sequence[str]) -> list[Mutation]:
    """Return mutations drawn by a seed, as many of one kind as of another."""
    by_kind: dict[str, list[Mutation]] = collections.defaultdict(list)
    for mutation in every_mutation(SOURCES, packages):
        by_kind[mutation.kind].append(mutation)
    chance = random.Random(seed)
    for found in by_kind.values():
        chance.shuffle(found)
    kinds = sorted(by_kind)
    return [by_kind[kinds[number % len(kinds)]][number // len(kinds)] for number in range(count)]


def tried(mutations: Sequence[Mutation], jobs: int, limit: float, also: Sequence[str]) -> Iterator[Trial]:
    """Yield the trials of mutations as they end, ``jobs`` at a time."""
    waiting: queue.SimpleQueue[Mutation] = queue.SimpleQueue()
    ended: queue.SimpleQueue[Trial | BaseException] = queue.SimpleQueue()
    for mutation in mutations:
        waiting.put(mutation)

    def work(number: int) -> None:
        record = executed.Executed(RECORD, SOURCES)
        laboratory = Laboratory(ROOT, BUILD / f"copy{number}", record, limit, tuple(also))
        try:
            laboratory.prepare()
            while True:
                ended.put(laboratory.try_one(waiting.get_nowait()))
        except queue.Empty:
            return
        except BaseException as error:
            ended.put(error)

    for number in range(jobs):
        threading.Thread(target=work, args=(number,), daemon=True).start()
    for _ in mutations:
        trial = ended.get()
        if isinstance(trial, BaseException):
            raise trial
        yield trial


def row(trial: Trial) -> dict[str, object]:
    """Return what the log keeps of a trial."""
    return {
        "key": trial.mutation.key,
        "outcome": trial.outcome,
        "tests": trial.tests,
        **asdict(trial.mutation),
    }


def results(log: Path) -> dict[str, str]:
    """Return the outcome of each mutation in a log, by its key."""
    rows = [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
    return {row["key"]: row["outcome"] for row in rows}


def equivalent() -> dict[str, str]:
    """Return the reason of each mutation that no test can tell, by its key."""
    lines = EQUIVALENT.read_text().splitlines()
    rows = [line.split("  #  ") for line in lines if line and not line.startswith("#")]
    return {key.strip(): reason.strip() for key, reason in rows}


def summary(drawn: Sequence[Mutation], done: dict[str, str], excused: dict[str, str]) -> str:
    """Return the survivors, and the counts of all that were drawn."""
    ends = {one.key: done[one.key] for one in drawn if one.key in done}
    alive = [
        one
        for one in drawn
        if ends.get(one.key) in ("survived", "not executed")
        or (ends.get(one.key) == "timed out" and one.key in excused)
    ]
    lines = [f"{done[one.key]}: {one}  [{one.key}]" for one in alive if one.key not in excused]
    told = len(ends) - len(alive)
    changing = told + len(lines)
    share = 100 * told / max(changing, 1)
    lines.append(
        f"{len(ends)} mutants: {told} told, {len(alive) - len(lines)} equivalent, {len(lines)} survive: "
        f"{share:.1f} % of those that change behaviour are told"
    )
    return "\n".join(lines)


if __name__ == "__main__":
    main()
