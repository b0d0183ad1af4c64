"""Runs tests over a copy of the sources: in forks of a process that has collected them, or in a process of their own."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

TOOLS = Path(__file__).parents[2]
"""Where ``tools.mutants.server`` is imported from."""

ALLOWED = 30.0
SLOWER = 10.0
"""A test may take so many seconds, and so many times what was recorded, before it counts as one that hangs."""


BEGINNING = 900.0
"""Seconds until the first test begins: other processes may hold the machine while tests are collected."""


@dataclass(frozen=True)
class Verdict:
    """How tests ended: the first that failed, or the one that did not end, or neither; ``tried`` counts them.

    ``impossible`` if the mutation could not be put into a process that has imported the sources.
    """

    failed: str | None = None
    hanging: str | None = None
    tried: int = 0
    impossible: bool = False


@dataclass
class Watch:
    """What is known of a child that runs tests, from its messages; no test begins after ``end``."""

    number: int
    seconds: Mapping[str, float]
    end: float
    until: float = field(default_factory=lambda: time.monotonic() + BEGINNING)
    child: int = 0
    verdict: Verdict = Verdict()
    is_stopped: bool = False
    is_ended: bool = False

    def is_too_late(self, message: dict[str, Any]) -> bool:
        """Whether a message says that a test begins after the end."""
        return "begins" in message and time.monotonic() > self.end and not self.is_stopped

    def takes(self, message: dict[str, Any]) -> None:
        """Take a message of `tools.mutants.server`."""
        if message["number"] != self.number:
            return
        tried = self.verdict.tried
        if "child" in message:
            self.child = message["child"]
        elif "not put" in message:
            self.verdict = Verdict(impossible=True)
        elif "begins" in message:
            test = message["begins"]
            self.until = time.monotonic() + ALLOWED + SLOWER * self.seconds.get(test, 0.0)
            self.verdict = Verdict(None, test, tried + 1)
        elif "passed" in message:
            self.verdict = Verdict(None, None, tried)
        elif "failed" in message:
            self.verdict = Verdict(message["failed"], None, tried)
        self.is_ended = "ended" in message


@dataclass
class Server:
    """A process of ``python`` that has collected the tests of ``paths``; see `tools.mutants.server`."""

    root: Path
    folder: Path
    python: str
    paths: Sequence[str]
    process: subprocess.Popen[bytes] | None = None
    requests: IO[str] = field(init=False)
    results: int = field(init=False)
    text: bytes = b""
    number: int = 0
    """The number of the next request."""

    def start(self) -> None:
        """Start the process, if it does not run, and wait until the tests are collected; raise RuntimeError if it ends instead."""
        if self.process is not None:
            return
        theirs, ours = os.pipe()
        self.results, answers = os.pipe()
        own = {
            "MUTANTS_REQUESTS": str(theirs),
            "MUTANTS_RESULTS": str(answers),
            "MUTANTS_OUTPUT": str(self.folder / "output.txt"),
        }
        flags = ["-p", "tools.mutants.server", "-q", "-s", f"--basetemp={self.folder / 'temporary'}"]
        with (self.folder / "server.txt").open("w") as output:
            self.process = subprocess.Popen(
                [self.python, "-m", "pytest", *flags, *self.paths],
                cwd=self.root,
                env=environment(self.folder) | own,
                stdout=output,
                stderr=output,
                pass_fds=(theirs, answers),
                start_new_session=True,
            )
        os.close(theirs)
        os.close(answers)
        self.requests = os.fdopen(ours, "w")
        if "ready" not in (self.message(time.monotonic() + BEGINNING) or {}):
            raise RuntimeError(f"the tests are not collected: see {self.folder / 'server.txt'}")

    def message(self, until: float) -> dict[str, Any] | None:
        """Return the next message; None if there is none until then, or if the process ended."""
        while b"\n" not in self.text:
            seconds = until - time.monotonic()
            if seconds <= 0 or not select.select([self.results], [], [], seconds)[0]:
                return None
            more = os.read(self.results, 1 << 16)
            if not more:
                raise RuntimeError(f"the process of the tests ended: see {self.folder / 'server.txt'}")
            self.text += more
        line, _, self.text = self.text.partition(b"\n")
        return json.loads(line)

    def run(
        self, tests: Sequence[str], seconds: Mapping[str, float], limit: float, change: dict[str, str] | None
    ) -> Verdict:
        """Run tests until one fails, with the file ``path`` of ``change`` as ``after`` instead of as ``before``."""
        request = {"tests": list(tests), **(change or {"path": ""})}
        self.requests.write(json.dumps(request) + "\n")
        self.requests.flush()
        watch = Watch(self.number, seconds, time.monotonic() + limit)
        self.number += 1
        while not watch.is_ended:
            message = self.message(watch.until)
            if message is None or watch.is_too_late(message):
                self.end(watch)
            else:
                watch.takes(message)
        return watch.verdict

    def end(self, watch: Watch) -> None:
        """End a child that runs tests; the server says so.  Raise RuntimeError if it has been ended in vain."""
        if watch.is_stopped or not watch.child:
            raise RuntimeError(f"process {watch.child} of the tests does not end")
        watch.is_stopped = True
        watch.until = time.monotonic() + BEGINNING
        with contextlib.suppress(ProcessLookupError):
            os.killpg(
                watch.child, signal.SIGKILL
            )  # the server has not waited for it yet: the number is its own

    def stop(self) -> None:
        """End the process."""
        if self.process is not None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            self.requests.close()
            os.close(self.results)
            self.process = None


def environment(folder: Path) -> dict[str, str]:
    """Return the variables of processes that test the sources in ``folder``/src."""
    paths = os.pathsep.join(map(str, (folder / "src", TOOLS)))
    return os.environ | {"PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1"}
