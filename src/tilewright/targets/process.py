"""Subprocesses for programs that may crash or hang, isolated from this process; targets start all tools
through it.

A program has its own process group, which ends with the call: at a time limit, at Ctrl-C, and at any
exception. Its output is kept up to a limit and discarded afterwards, so that endless output does not exhaust
memory.
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

from tilewright.ir.support.locks import PlainThread

KEPT_BYTES = 1 << 26
"""The maximum number of bytes that are kept of each output stream."""
_CHUNK = 1 << 16
_CLOSING = 1.0
"""The maximum time in seconds for streams to close after a program has ended; its child processes may hold
them open.
"""


@dataclass(frozen=True, slots=True)
class ProcessResult:
    """The end of a program: its stdout (`output`), its stderr (`talk`), and its exit status. `status` is
    negative for a signal, and `None` if the time limit ended it.
    """

    status: int | None
    output: bytes
    talk: bytes

    @property
    def how(self) -> str:
        """Return the end as text: ``with status 3``, ``by signal SIGSEGV``, or ``at its time limit``."""
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
) -> ProcessResult:
    """Run a program to its end in `directory` (None: of this process), with the input `given` and for at most
    `limit` seconds (None: no limit). At the limit it is killed with its process group, and the result has the
    status None. Without `environment`, it has the environment of this process. Raises `OSError` for a program
    that cannot be started.
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
    readers = [_StreamReader(process.stdout), _StreamReader(process.stderr)]
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
    return ProcessResult(process.returncode if is_done else None, output, talk)


def worker(
    module: str,
    *arguments: str,
    given: bytes = b"",
    limit: float | None = None,
    directory: Path | None = None,
) -> ProcessResult:
    """Run a Python module with `arguments` in a subprocess with the `sys.path` of this process, in
    `directory` (None: of this process), with the input `given`, and for at most `limit` seconds (None: no
    limit). At the limit it is killed with its process group, and the result has the status None.
    """
    path = os.pathsep.join(str(Path(folder).absolute()) for folder in sys.path if folder)
    return finished(
        [sys.executable, "-m", module, *arguments],
        given=given,
        limit=limit,
        directory=directory,
        environment={**os.environ, "PYTHONPATH": path},
    )


def _waited(process: subprocess.Popen[bytes], readers: Sequence[PlainThread], deadline: float | None) -> bool:
    """Wait for the end of a program. Return false if the deadline, a time of the monotonic clock, came first.

    Closed streams show the end at once, so they are waited for first; waiting for a process polls.
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
    """Kill a program and the child processes in its process group, and wait for its end; on systems without
    groups, the program alone.
    """
    with contextlib.suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    process.wait()


class _StreamReader:
    """Reads a stream to its end, in a thread that calls `run`, and keeps the first `KEPT_BYTES` bytes in
    ``kept``.
    """

    def __init__(self, stream: IO[bytes]) -> None:
        self.stream = stream
        self.kept = bytearray()

    def run(self) -> None:
        """Read the stream to its end, and keep the first `KEPT_BYTES` bytes."""
        with self.stream, contextlib.suppress(OSError, ValueError):
            while chunk := os.read(self.stream.fileno(), _CHUNK):
                self.kept += chunk[: max(0, KEPT_BYTES - len(self.kept))]


def _write(stream: IO[bytes], given: bytes) -> None:
    """Write `given`, the input of a program, to `stream`, and close it. A program that ends without reading
    its input is no error here.
    """
    with contextlib.suppress(OSError), stream:
        stream.write(given)
