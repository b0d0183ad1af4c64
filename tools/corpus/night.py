"""Chooses what of the corpus of tests/replay is replayed at night only: ``python -m tools.corpus.night``, half an hour.

By day there are as many of the parts of members (the compilation of a module with a setting, a run of a launch, a
pipeline) as it takes to go through every branch that all parts of the same kind go through, those first that show
most in a second; of modules, whose texts are compared at many stages, a second choice is made from the rest.  The others
stand in ``tests/replay/data/at_night.txt``.
"""

from __future__ import annotations

import collections
import sqlite3
import tempfile
import time
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path

from coverage import Coverage

from tests.replay.corpus import AT_NIGHT, launches, modules, pipelines
from tests.replay.replaying import passed, runners, runs, settings, stages
from tools.corpus.need import greedy
from tools.mutants.__main__ import SOURCES

LEAST_SECONDS = 0.002
"""What a test costs beside the work."""
HEAD = """\
# What only `pytest --whole` replays: members, and settings or runs if it is not all of a member.
# `python -m tools.corpus.night` chooses it.
"""
Branch = tuple[int, int, int]
"""A file, and two lines that follow each other."""


def parts() -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield a name for each part of the corpus, with a function that replays it."""
    for name, content in modules().items():
        names = {setting.name for setting in settings(content)}
        for part in sorted(names):
            yield f"{name} {part}", partial(_all, stages, content, names - {part})
    for name, launch in launches().items():
        for part in runners(launch):
            yield f"{name} {part}", partial(_all, runs, launch, set(runners(launch)) - {part})
    for name, reproducer in pipelines().items():
        yield name, partial(_all, passed, reproducer)


def _all(replay: Callable[..., Iterator[object]], *arguments: object) -> None:
    collections.deque(replay(*arguments), maxlen=0)


def measured(folder: Path) -> tuple[dict[str, set[Branch]], dict[str, float]]:
    """Return the branches that each part goes through, and the seconds that it takes."""
    data = folder / "branches"
    coverage = Coverage(data_file=str(data), source=[str(SOURCES)], branch=True, config_file=False)
    seconds: dict[str, float] = {}
    coverage.start()
    for name, replay in parts():
        coverage.switch_context(name)
        start = time.process_time()
        replay()
        seconds[name] = max(time.process_time() - start, LEAST_SECONDS)
    coverage.stop()
    coverage.save()
    found: dict[str, set[Branch]] = {name: set() for name in seconds}
    query = "select context, file_id, fromno, tono from arc join context on context_id = context.id"
    for name, *branch in sqlite3.connect(data).execute(query):
        if name in found:
            found[name].add((branch[0], branch[1], branch[2]))
    return found, seconds


def chosen(branches: Mapping[str, set[Branch]], seconds: Mapping[str, float]) -> set[str]:
    """Return the names of the parts that are replayed by day."""
    found: set[str] = set()
    for members, choices in ((modules(), 2), (launches(), 1), (pipelines(), 1)):
        rest = {name: taken for name, taken in branches.items() if name.partition(" ")[0] in members}
        for _ in range(choices):
            names = greedy(rest, seconds)
            found.update(names)
            rest = {name: taken for name, taken in rest.items() if name not in names}
    return found


def lines(names: Iterable[str], by_day: Container[str]) -> Iterator[str]:
    """Yield a line for each member of which something is left out by day."""
    members: dict[str, list[str]] = collections.defaultdict(list)
    for name in names:
        member, _, part = name.partition(" ")
        members[member].append(part)
    for member, all_parts in sorted(members.items()):
        left_out = [part for part in sorted(all_parts) if f"{member} {part}".strip() not in by_day]
        if left_out == sorted(all_parts):
            yield member
        elif left_out:
            yield " ".join([member, *left_out])


def main() -> None:
    """Measure the corpus and write the list."""
    with tempfile.TemporaryDirectory() as folder:
        branches, seconds = measured(Path(folder))
    rows = lines(branches, chosen(branches, seconds))
    AT_NIGHT.write_text(HEAD + "".join(f"{line}\n" for line in rows), encoding="utf-8")


if __name__ == "__main__":
    main()
