"""One mutant's trial: the tests that execute it run in a process of their own, over a copy of the sources with the mutation."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from tools.mutants.executed import Executed
from tools.mutants.mutation import Mutation

Outcome = Literal["told", "timed out", "survived", "not executed"]
FIRST = 30
"""Tests of the first process: most mutants are told by any test, so few are tried before all."""
PROCESS_FAILED = 1


@dataclass(frozen=True)
class Trial:
    """The result of a mutant; ``tests`` counts the tests that execute it, ``seconds`` is wall time."""

    mutation: Mutation
    outcome: Outcome
    tests: int
    seconds: float


@dataclass(frozen=True)
class Laboratory:
    """A copy of the sources at ``folder``/src in which mutants are tried, below the checkout ``root``."""

    root: Path
    folder: Path
    executed: Executed
    limit: float
    """Seconds that one mutant may take; a mutant that takes longer counts as told, since tests have limits, too."""

    def prepare(self) -> None:
        """Copy the sources."""
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(self.root / "src", self.folder / "src", ignore=shutil.ignore_patterns("__pycache__"))

    def try_one(self, mutation: Mutation) -> Trial:
        """Run the tests of a mutation and say how they ended."""
        started = time.monotonic()
        tests = self.tests(mutation)
        outcome: Outcome = (
            "not executed" if not tests else self.outcome(mutation, tests, started + self.limit)
        )
        return Trial(mutation, outcome, len(tests), time.monotonic() - started)

    def tests(self, mutation: Mutation) -> list[str]:
        """Return the tests that execute a mutation; a long list begins with some that were drawn from all files."""
        last = mutation.line + mutation.before.count("\n")
        found = self.executed.tests(mutation.path, mutation.line, last)
        random.Random(mutation.key).shuffle(found)
        return found

    def outcome(self, mutation: Mutation, tests: Sequence[str], until: float) -> Outcome:
        """Run tests over the mutated sources, a few first."""
        path = self.folder / "src" / self.executed.sources.name / mutation.path
        source = path.read_bytes()
        path.write_bytes(mutation.applied(source))
        try:
            for part in _parts(tests):
                seconds = until - time.monotonic()
                if seconds <= 0 or (status := self.run(part, seconds)) is None:
                    return "timed out"
                if status != 0:
                    return "told"
            return "survived"
        finally:
            path.write_bytes(source)

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


def _parts(tests: Sequence[str]) -> Iterator[Sequence[str]]:
    yield tests[:FIRST]
    if len(tests) > FIRST:
        yield tests[FIRST:]
