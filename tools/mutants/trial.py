"""One mutant's trial: the tests that execute it run over a copy of the sources with the mutation, until one fails."""

from __future__ import annotations

import collections
import compileall
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from tools.mutants.executed import Executed
from tools.mutants.mutation import Mutation
from tools.mutants.runner import Server, Verdict, environment

Outcome = Literal["told", "timed out", "survived", "not executed"]
FAILED = re.compile(r"^(?:FAILED|ERROR) ([^ ].*?)(?: - .*)?$|^ERROR: not found: .*?(tests/.*)$", re.MULTILINE)
"""How pytest names tests that fail, and names that it does not find."""

FEW, SOME = 12, 60
"""Where tests are divided that run in processes of their own: few are tried before some, and some before all."""
NEAR = 8
"""Tests of a file with the name of the source's package come as early as others with this fraction of their place."""
AROUND = 20
"""Lines before and behind a mutation: tests that execute the same of them took the same way to it."""
EVERYWHERE = "tests/replay/"
"""Tests that compare all that is made: they are near to every source."""
LEADING = 6
"""Ways for which a quick one of those tests is tried before all others, of each of their files."""
SIBLINGS = 20
"""Functions whose other cases are tried, too."""


@dataclass(frozen=True)
class Trial:
    """The result of a mutant: how many tests execute it, how many were tried, which one told it, and wall time."""

    mutation: Mutation
    outcome: Outcome
    tests: int
    seconds: float
    tried: int = 0
    told_by: str = ""


@dataclass(frozen=True)
class Known:
    """Tests that were seen to pass without a mutation, and tests that fail here without one (a package is missing)."""

    sound: set[str] = field(default_factory=set[str])
    broken: set[str] = field(default_factory=set[str])


@dataclass
class Laboratory:
    """A copy of the sources at ``folder``/src, below the checkout ``root``, and the tests of one record."""

    root: Path
    folder: Path
    executed: Executed
    limit: float
    """Seconds of tests for one mutant: who is not told until then survives."""
    also: tuple[str, ...] = ()
    """Tests that the record lacks, because they are newer: they run where the recorded ones do not tell a mutant."""
    known: Known = field(default_factory=Known)

    def __post_init__(self) -> None:
        files = sorted({test.partition("::")[0] for test in self.executed.seconds})
        self.server = Server(self.root, self.folder, self.executed.python, [*files, *self.also])

    def prepare(self) -> None:
        """Copy the sources and compile them; raise RuntimeError if the tests of ``also`` fail without a mutation."""
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(self.root / "src", self.folder / "src", ignore=shutil.ignore_patterns("__pycache__"))
        compileall.compile_dir(self.folder / "src", quiet=1)
        if self.also and self.run(self.also, self.limit) != 0:
            raise RuntimeError(f"the tests of --also fail without a mutation: see {self.folder}/output.txt")

    def try_one(self, mutation: Mutation) -> Trial:
        """Run the tests of a mutation and say how they ended."""
        started = time.monotonic()
        last = mutation.line + mutation.before.count("\n")
        tests = self.ordered(mutation, self.executed.tests(mutation.path, mutation.line, last))
        imported = self.executed.is_imported(mutation.path, mutation.line, last)
        until = started + self.limit
        verdict = Verdict(impossible=True) if imported else self.served(mutation, tests, until)
        if verdict.impossible:
            verdict = self.apart(mutation, tests, until)
        told_by = verdict.failed or verdict.hanging or ""
        outcome: Outcome = "survived" if tests or self.also else "not executed"
        if told_by:
            outcome = "told" if verdict.failed else "timed out"
        elif self.breaks_types(mutation):
            outcome, told_by = "told", "pyright"
        return Trial(mutation, outcome, len(tests), time.monotonic() - started, verdict.tried, told_by)

    def ordered(self, mutation: Mutation, tests: Sequence[str]) -> list[str]:
        """Return tests in the order of trial: of each file, the quickest for each way to the mutation come first.

        Tests of files near the source come before others.
        """
        seconds = self.executed.seconds
        ways = self.ways(mutation)
        words = set(re.split(r"\W|_", mutation.path))
        places: dict[tuple[str, frozenset[int]], int] = collections.Counter()
        leading: dict[str, int] = collections.Counter()
        order: dict[str, tuple[float, float]] = {}
        for test in sorted(tests, key=lambda test: (seconds.get(test, 1.0), test)):
            file = test.partition("::")[0]
            common = len(words.intersection(re.split(r"\W|_", file)) - {"test", "py"})
            weight = 1 + NEAR * (common + file.startswith(EVERYWHERE))
            place = places[file, ways[test]]
            leads = place == 0 and file.startswith(EVERYWHERE) and leading[file] < LEADING
            order[test] = (-1 if leads else place // weight, seconds.get(test, 1.0) / weight)
            places[file, ways[test]] += 1
            leading[file] += leads
        return sorted(order, key=lambda test: (order[test], test))

    def ways(self, mutation: Mutation) -> dict[str, frozenset[int]]:
        """Return the lines around a mutation that each test executes."""
        found: dict[str, set[int]] = collections.defaultdict(set)
        by_line = self.executed.contexts(mutation.path)
        for line in range(mutation.line - AROUND, mutation.line + AROUND + 1):
            for test in by_line.get(line, ()):
                found[test].add(line)
        return collections.defaultdict(frozenset, {test: frozenset(lines) for test, lines in found.items()})

    # --- in forks of the server

    def served(self, mutation: Mutation, tests: Sequence[str], until: float) -> Verdict:
        """Run tests in forks of the process that has collected them; those of ``also`` are among its files."""
        self.server.start()  # which imports the sources as they are
        tried = 0
        for part in (list(tests), siblings(tests), list(self.also)):
            while part := [test for test in part if test not in self.known.broken]:
                with self.mutated(mutation) as change:
                    limit = max(until - time.monotonic(), 1.0)
                    verdict = self.server.run(part, self.executed.seconds, limit, change)
                tried += verdict.tried
                told_by = verdict.failed or verdict.hanging
                if verdict.impossible or (told_by and self.is_sound(told_by)):
                    return replace(verdict, tried=tried)
                if not told_by:
                    break
                part = part[part.index(told_by) :] if told_by in part else []
        return Verdict(tried=tried)

    def is_sound(self, test: str) -> bool:
        """Whether a test passes without a mutation."""
        if test not in self.known.sound | self.known.broken:
            verdict = self.server.run([test], self.executed.seconds, self.limit, None)
            passed = not verdict.failed and not verdict.hanging
            (self.known.sound if passed else self.known.broken).add(test)
        return test in self.known.sound

    def breaks_types(self, mutation: Mutation) -> bool:
        """Whether the type checker, which CI runs beside the tests, reports an error in the changed file."""
        settings = tomllib.loads((self.root / "pyproject.toml").read_text())["tool"]["pyright"]
        changed = f"src/{self.executed.sources.name}/{mutation.path}"
        settings |= {"include": [changed], "strict": ["src"], "venvPath": str(self.root)}
        (self.folder / "pyrightconfig.json").write_text(json.dumps(settings))
        with self.mutated(mutation):
            command = [sys.executable, "-m", "pyright", "--outputjson", "-p", str(self.folder)]
            report = subprocess.run(command, capture_output=True, check=False).stdout
        return json.loads(report)["summary"]["errorCount"] > 0

    # --- in processes of their own

    def apart(self, mutation: Mutation, tests: Sequence[str], until: float) -> Verdict:
        """Run tests in processes that import the changed sources, few before many."""
        tried = 0
        parts = (tests[:FEW], tests[FEW:SOME], tests[SOME:], siblings(tests), self.also)
        for part in filter(None, parts):
            while names := [test for test in part if test not in self.known.broken]:
                with self.mutated(mutation):
                    status = self.run(names, max(until - time.monotonic(), 1.0))
                tried += len(names)
                failed = self.failed()
                if status == 0 or status is None:
                    break
                if self.is_sound_apart(failed):
                    return Verdict(" ".join(sorted(failed)) or "pytest", None, tried)
                if not failed & set(names):  # one of all cases of a function
                    break
        return Verdict(tried=tried)

    @contextmanager
    def mutated(self, mutation: Mutation) -> Iterator[dict[str, str]]:
        """Mutate the copy on the disk, and yield the change as the server takes it."""
        path = self.folder / "src" / self.executed.sources.name / mutation.path
        source, times = path.read_bytes(), path.stat()
        after = mutation.applied(source)
        path.write_bytes(after)
        os.utime(path, (times.st_atime, times.st_mtime + 10))  # a compiled file of another second is stale
        try:
            yield {"path": str(path), "before": source.decode(), "after": after.decode()}
        finally:
            path.write_bytes(source)
            os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))  # the compiled file holds again

    def failed(self) -> set[str]:
        """Return the names of the tests that failed last; empty if pytest itself ended."""
        text = (self.folder / "output.txt").read_text(errors="replace")
        return {(test or lost).strip() for test, lost in FAILED.findall(text)}

    def is_sound_apart(self, failed: set[str]) -> bool:
        """Whether the tests that failed with a mutation pass without it."""
        if failed and not failed <= self.known.sound:
            passed = self.run(sorted(failed), self.limit) == 0
            (self.known.sound if passed else self.known.broken).update(failed)
            return passed
        return True

    def run(self, tests: Sequence[str], seconds: float) -> int | None:
        """Return the exit status of tests over the copy, None if they take longer than ``seconds``."""
        names = self.folder / "tests.txt"
        names.write_text("\n".join(sorted(tests)))
        command = [self.executed.python, "-m", "pytest", "-x", "-q", "-n", "0", "--no-header", f"@{names}"]
        with (self.folder / "output.txt").open("w") as output:
            process = subprocess.Popen(
                command,
                cwd=self.root,
                env=environment(self.folder),
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
            try:
                return process.wait(seconds)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
                return None


def siblings(tests: Sequence[str]) -> list[str]:
    """Return the functions of some tests, which stand for all of their cases.

    The record names the case that ran first where others use what it left in a cache.
    """
    return list(dict.fromkeys(test.partition("[")[0] for test in tests if "[" in test))[:SIBLINGS]
