"""One mutant's trial: the tests that execute it run in a process of their own, over a copy of the sources with the mutation."""

from __future__ import annotations

import compileall
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from tools.mutants.executed import Executed
from tools.mutants.mutation import Mutation

Outcome = Literal["told", "timed out", "survived", "not executed"]
FIRST, SECOND = 6, 60
"""Where the tests are divided: most mutants are told by any test, so few are tried before many, and many before all."""
FAILED = re.compile(r"^(?:FAILED|ERROR) ([^ ].*?)(?: - .*)?$|^ERROR: not found: .*?(tests/.*)$", re.MULTILINE)
"""How pytest names tests that fail, and names that it does not find."""

SIBLINGS = 20
"""Functions whose other cases are tried, too."""


@dataclass(frozen=True)
class Trial:
    """The result of a mutant; ``tests`` counts the tests that execute it, ``seconds`` is wall time."""

    mutation: Mutation
    outcome: Outcome
    tests: int
    seconds: float


@dataclass(frozen=True)
class Known:
    """Tests that were seen to pass without a mutation, and tests that fail here without one (a package is missing)."""

    sound: set[str] = field(default_factory=set[str])
    broken: set[str] = field(default_factory=set[str])


@dataclass(frozen=True)
class Laboratory:
    """A copy of the sources at ``folder``/src in which mutants are tried, below the checkout ``root``."""

    root: Path
    folder: Path
    executed: Executed
    limit: float
    """Seconds that one mutant may take; a mutant that takes longer counts as told, since tests have limits, too."""
    also: tuple[str, ...] = ()
    """Tests that the record lacks, because they are newer: they run where the recorded ones do not tell a mutant."""
    known: Known = field(default_factory=Known)

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
        tests = self.tests(mutation)
        recorded = (tests[:FIRST], tests[FIRST:SECOND], tests[SECOND:])
        parts = [part for part in (*recorded, siblings(tests), self.also) if part]
        outcome: Outcome = (
            "not executed" if not parts else self.outcome(mutation, parts, started + self.limit)
        )
        return Trial(mutation, outcome, len(tests), time.monotonic() - started)

    def tests(self, mutation: Mutation) -> list[str]:
        """Return the tests that execute a mutation; a long list begins with some that were drawn from all files."""
        last = mutation.line + mutation.before.count("\n")
        found = self.executed.tests(mutation.path, mutation.line, last)
        random.Random(mutation.key).shuffle(found)
        return found

    def outcome(self, mutation: Mutation, parts: Sequence[Sequence[str]], until: float) -> Outcome:
        """Run the parts of the tests over the mutated sources, one after the other until one tells."""
        for part in parts:
            while names := [test for test in part if test not in self.known.broken]:
                seconds = until - time.monotonic()
                status = self.run_mutated(mutation, names, seconds) if seconds > 0 else None
                if status is None:
                    return "timed out"
                if status == 0:
                    break
                if self.is_sound(failed := self.failed()):
                    return "told"
                if not failed & set(names):  # one of all cases of a function
                    break
        return "survived"

    def run_mutated(self, mutation: Mutation, tests: Sequence[str], seconds: float) -> int | None:
        """Return the exit status of tests over the mutated sources."""
        path = self.folder / "src" / self.executed.sources.name / mutation.path
        source, times = path.read_bytes(), path.stat()
        path.write_bytes(mutation.applied(source))
        os.utime(path, (times.st_atime, times.st_mtime + 10))  # a compiled file of another second is stale
        try:
            return self.run(tests, seconds)
        finally:
            path.write_bytes(source)
            os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))  # the compiled file holds again

    def failed(self) -> set[str]:
        """Return the names of the tests that failed last; empty if pytest itself ended."""
        text = (self.folder / "output.txt").read_text(errors="replace")
        return {(test or lost).strip() for test, lost in FAILED.findall(text)}

    def is_sound(self, failed: set[str]) -> bool:
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
        paths = [str(self.folder / "src")]
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(paths), "PYTHONDONTWRITEBYTECODE": "1"}
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-n", "0", "--no-header", f"@{names}"]
        with (self.folder / "output.txt").open("w") as output:
            process = subprocess.Popen(
                command, cwd=self.root, env=environment, stdout=output, stderr=output, start_new_session=True
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
