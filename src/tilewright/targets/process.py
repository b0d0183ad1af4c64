"""Programs that may crash or hang, run so that neither harms this process: the one way in which targets start tools.

A program gets a process group of its own, which ends with the call: at a time limit, at Ctrl-C, and at any exception.
What it prints is kept up to a limit and otherwise dropped, so that a program that prints for ever fills no memory.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO

from tilewright.ir.support.threads import PlainThread

KEPT_BYTES = 1 << 26
"""Of what a program prints to either stream so much is kept."""
_CHUNK = 1 << 16
_CLOSING = 1.0
"""Seconds that streams may take to close when a program has ended; one that it started may hold them for ever."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a program ended.  ``status`` is negative for a signal, and None if the time limit ended it."""

    status: int | None
    output: bytes
    talk: bytes

    @property
    def how(self) -> str:
        """The end in words: ``with status 3``, ``by signal SIGSEGV``."""
        if self.status is None:
            return "at its time limit"
        if self.status >= 0:
            return f"with status {self.status}"
        try:
            return f"by signal {signal.Signals(-self.status).name}"
        except ValueError:
            return f"by signal {-self.status}"


def finished(
    command: Sequence[str],
    *,
    given: bytes = b"",
    limit: float | None = None,
    directory: Path | None = None,
    environment: Mapping[str, str] | None = None,
) -> Ended:
    """Run a program to its end, with ``given`` as its input and at most ``limit`` seconds.

    Raises `OSError` for a program that cannot be started.
    """
    deadline = None if limit is None else time.monotonic() + limit
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=directory,
        env=environment,
        start_new_session=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    readers = [_Reader(process.stdout), _Reader(process.stderr)]
    is_done = False
    try:
        threads = [PlainThread(reader.run) for reader in readers]
        PlainThread(partial(_write, process.stdin, given))
        is_done = _waited(process, threads, deadline)
    finally:
        if not is_done:
            _kill(process)
    for thread in threads:
        thread.join(_CLOSING)
    output, talk = (bytes(reader.kept) for reader in readers)
    return Ended(process.returncode if is_done else None, output, talk)


def worker(
    module: str,
    *arguments: str,
    given: bytes = b"",
    limit: float | None = None,
    directory: Path | None = None,
) -> Ended:
    """Run a module of this program in a process of its own, as `finished` runs a program."""
    path = os.pathsep.join(str(Path(folder).absolute()) for folder in sys.path if folder)
    return finished(
        [sys.executable, "-m", module, *arguments],
        given=given,
        limit=limit,
        directory=directory,
        environment={**os.environ, "PYTHONPATH": path},
    )


def _waited(process: subprocess.Popen[bytes], readers: Sequence[PlainThread], deadline: float | None) -> bool:
    """Wait for the end of a program; False if the deadline came first.

    The ends of its streams are waited for first, which tell its end at once; waiting for a process looks now and then.
    """
    for reader in readers:
        reader.join(_left(deadline))
    try:
        process.wait(_left(deadline))
    except subprocess.TimeoutExpired:
        return False
    return True


def _left(deadline: float | None) -> float | None:
    return None if deadline is None else max(0.0, deadline - time.monotonic())


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End a program and those that it started, unless they left its group."""
    with contextlib.suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    process.wait()


class _Reader:
    """Reads a stream to its end, and keeps the beginning."""

    def __init__(self, stream: IO[bytes]) -> None:
        self.stream = stream
        self.kept = bytearray()

    def run(self) -> None:
        """Read the stream."""
        with self.stream, contextlib.suppress(OSError, ValueError):
            while chunk := os.read(self.stream.fileno(), _CHUNK):
                self.kept += chunk[: max(0, KEPT_BYTES - len(self.kept))]


def _write(stream: IO[bytes], given: bytes) -> None:
    """Hand a program its input; one that ends without reading it is no error here."""
    with contextlib.suppress(OSError), stream:
        stream.write(given)
