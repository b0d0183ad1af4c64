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
import sys
import threading
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

import click

from tools.mutants import executed
from tools.mutants.mutation import Mutation, every_mutation, mutations
from tools.mutants.trial import Laboratory, Trial

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "src" / "tilewright"
BUILD = ROOT / "build" / "mutants"
RECORDS = BUILD / "records"
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
@click.option(
    "--python", default=sys.executable, help="The Python that has the packages which the tests need."
)
@click.option("--name", default="default", show_default=True, help="The name of the record of that Python.")
@click.argument("tests", nargs=-1)
def record(processes: int, python: str, name: str, tests: Sequence[str]) -> None:
    """Run the suite, or TESTS of it, once and record which tests execute which line.

    With --name and --python a record stands beside the default one, of tests that need packages which are not here.
    """
    sources = [SOURCES / package for package in PACKAGES]
    executed.record(ROOT, sources, RECORDS / name, python, processes, tests)


@main.command()
@click.option("--seed", required=True, help="The same seed draws the same mutants of the same sources.")
@click.option("--count", default=300, show_default=True, help="Mutants to draw.")
@click.option("--jobs", default=2, show_default=True, help="Mutants that are tried at the same time.")
@click.option("--limit", default=120.0, show_default=True, help="Seconds of tests for one mutant.")
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
        click.echo(described(trial), err=True)
    click.echo(summary(drawn, done, equivalent()))


@main.command()
@click.option("--jobs", default=1, show_default=True, help="Mutants that are tried at the same time.")
@click.option("--limit", default=120.0, show_default=True, help="Seconds of tests for one mutant.")
@click.option("--also", multiple=True, help="Test files newer than the record.")
@click.argument("places", nargs=-1, required=True)
def at(places: Sequence[str], jobs: int, limit: float, also: Sequence[str]) -> None:
    """Try every mutation at PLACES: files below src/tilewright, or lines of them (``passes/cse.py:40``)."""
    for trial in tried([one for place in places for one in standing_at(place)], jobs, limit, also):
        click.echo(described(trial))


def standing_at(place: str) -> list[Mutation]:
    """Return the mutations of a file, or of the line behind its name."""
    path, _, line = place.partition(":")
    return [one for one in mutations(SOURCES / path, SOURCES) if not line or one.line == int(line)]


def described(trial: Trial) -> str:
    """Return a line about a trial."""
    times = f"{trial.seconds:6.1f} s {trial.tried:5} of {trial.tests:5} tests"
    return f"{trial.outcome:12} {times}  {trial.mutation}"


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
        laboratories = prepared(number, limit, also)
        try:
            while True:
                ended.put(tried_in(laboratories, waiting.get_nowait()))
        except queue.Empty:
            return
        except BaseException as error:
            ended.put(error)
        finally:
            for laboratory in laboratories:
                laboratory.server.stop()

    for number in range(jobs):
        threading.Thread(target=work, args=(number,), daemon=True).start()
    for _ in mutations:
        trial = ended.get()
        if isinstance(trial, BaseException):
            raise trial
        yield trial


def prepared(number: int, limit: float, also: Sequence[str]) -> list[Laboratory]:
    """Return a laboratory for each record; tests of ``also`` run with the Python of the first one."""
    found: list[Laboratory] = []
    for folder in sorted(RECORDS.iterdir()):
        newer = () if found else tuple(also)
        record = executed.Executed(folder, SOURCES)
        laboratory = Laboratory(ROOT, BUILD / f"copy{number}-{folder.name}", record, limit, newer)
        laboratory.prepare()
        found.append(laboratory)
    return found


def tried_in(laboratories: Sequence[Laboratory], mutation: Mutation) -> Trial:
    """Return the trial of the first laboratory that tells a mutation, or else the one that tried most tests."""
    trials: list[Trial] = []
    for laboratory in laboratories:
        trials.append(laboratory.try_one(mutation))
        if trials[-1].told_by:
            return trials[-1]
    return max(trials, key=lambda trial: (trial.outcome == "survived", trial.tests))


def row(trial: Trial) -> dict[str, object]:
    """Return what the log keeps of a trial."""
    return {
        "key": trial.mutation.key,
        "outcome": trial.outcome,
        "tests": trial.tests,
        "tried": trial.tried,
        "told_by": trial.told_by,
        "seconds": round(trial.seconds, 1),
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
