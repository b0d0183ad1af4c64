"""Commands of tilewright in child processes, with limits of time, memory, processes and output."""

from __future__ import annotations

import os
import signal
import sys
from dataclasses import dataclass
from pathlib import Path

import anyio
from anyio.abc import ByteReceiveStream, Process

from tilewright.ir.diagnostic import failure
from tilewright.tool_server import codes, limits

MEBIBYTE = 1 << 20
_LOOK = 0.05
"""Seconds between two looks at the processes of a command."""


@dataclass(frozen=True, slots=True)
class ToolLimits:
    """The limits of a tool: seconds of elapsed time, mebibytes of memory and the number of processes of a
    command with its descendants, and characters of each of stdout and stderr that are kept.
    """

    seconds: float = 60
    memory: int = 4096
    processes: int = 64
    characters: int = 20_000


@dataclass(frozen=True, slots=True)
class CommandResult:
    """The result of a command: its exit status (128 plus the number of the signal that ended it), and the
    text of its stdout and stderr, each without its middle if it is too long.
    """

    status: int
    out: str
    err: str


async def run(words: list[str], folder: Path, limit: ToolLimits) -> CommandResult:
    """Run ``tilewright`` with the arguments ``words`` in a folder, with no input. Raises `DiagnosticError` if
    the command reaches the limit of time, memory or processes. In all cases the processes that it started are
    ended.
    """
    process = await anyio.open_process(
        [*_limited(limit), sys.executable, "-P", "-m", "tilewright", *words],
        cwd=folder,
        env={**os.environ, "NO_COLOR": "1"},
        stdin=-3,  # subprocess.DEVNULL: the server's own input is the protocol
        start_new_session=True,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    out, err, reached = _Kept(limit.characters), _Kept(limit.characters), ""
    try:
        async with anyio.create_task_group() as group:
            group.start_soon(out.read, process.stdout)
            group.start_soon(err.read, process.stderr)
            reached = await _watch(process, limit)
            _end(process.pid)  # processes that the command left behind
    finally:
        with anyio.CancelScope(shield=True):
            _end(process.pid)
            await process.aclose()
    if reached:
        raise failure(codes.LIMIT_REACHED, f"stopped: it needs more than {reached}{_so_far(out, err)}")
    status = process.returncode or 0
    return CommandResult(128 - status if status < 0 else status, out.text(), err.text())


def _limited(limit: ToolLimits) -> list[str]:
    """Return the first words of a command line, which run `limits.py`: it starts the command after them with
    the memory of `limit`, and with the seconds of `limit` on each processor as processor time. Nothing is
    limited on systems without `resource`.
    """
    seconds = (
        int(limit.seconds * (os.cpu_count() or 1)) + 1
    )  # of all threads together, in case the server has ended
    return [sys.executable, "-I", "-S", limits.__file__, str(limit.memory * MEBIBYTE), str(seconds)]


def _so_far(out: _Kept, err: _Kept) -> str:
    said = "\n".join(text.strip() for text in (out.text(), err.text()) if text.strip())
    return f"\nuntil then it printed:\n{said}" if said else ""


async def _watch(process: Process, limit: ToolLimits) -> str:
    """Wait until a process ends, or until it and its descendants reach the limit of elapsed time, memory or
    processes; they are not ended then. Return the limit as text, such as ``60 seconds``, or an empty text if
    the process ended.
    """
    with anyio.move_on_after(limit.seconds):
        while True:
            with anyio.move_on_after(_LOOK):
                await process.wait()
                return ""
            reached = _reached(process.pid, limit)
            if reached:
                return reached
    return f"{limit.seconds:g} seconds"


def _reached(session: int, limit: ToolLimits) -> str:
    pages = [pages for _, pages in _processes_of(session)]
    if len(pages) > limit.processes:
        return f"{limit.processes} processes"
    if sum(pages) * os.sysconf("SC_PAGESIZE") > limit.memory * MEBIBYTE:
        return f"{limit.memory} MiB of memory"
    return ""


def _processes_of(session: int) -> list[tuple[int, int]]:
    """Return the processes of a session and their descendants, each as its number and the pages of memory
    that it uses, in ascending order. The list is empty on systems without ``/proc``.
    """
    found: dict[int, tuple[int, int, int]] = {}
    for name in os.listdir("/proc") if os.path.isdir("/proc/self") else ():
        if name.isdigit():
            try:
                text = Path("/proc", name, "stat").read_text(errors="replace")
            except OSError:  # it has ended
                continue
            words = text.rpartition(")")[2].split()
            found[int(name)] = int(words[1]), int(words[3]), int(words[21])
    inside = {pid for pid, (_, its_session, _) in found.items() if its_session == session}
    while more := {pid for pid, (parent, _, _) in found.items() if parent in inside and pid not in inside}:
        inside |= more
    return [(pid, found[pid][2]) for pid in sorted(inside)]


def _end(session: int) -> None:
    """Kill the processes of a session, and their descendants."""
    for pid, _ in _processes_of(session):
        _kill(os.kill, pid)
    if hasattr(os, "killpg"):
        _kill(os.killpg, session)


def _kill(kill: object, pid: int) -> None:
    assert callable(kill)
    try:
        kill(pid, signal.SIGKILL)
    except ProcessLookupError:  # it has ended
        return


class _Kept:
    """The first and the last bytes of a stream, at most ``most`` together."""

    def __init__(self, most: int) -> None:
        self._half = most // 2
        self._head, self._tail, self._left_out = b"", b"", 0

    async def read(self, stream: ByteReceiveStream) -> None:
        """Read a stream to its end. Keep its first and its last bytes, each at most half of ``most``, and
        count the bytes between them.
        """
        async for chunk in stream:
            room = self._half - len(self._head)
            self._head += chunk[:room]
            rest = self._tail + chunk[room:]
            self._left_out += max(len(rest) - self._half, 0)
            self._tail = rest[-self._half :]

    def text(self) -> str:
        """Return the text, with a line that counts the bytes that are missing in its middle."""
        middle = f"\n[{self._left_out} bytes are left out]\n".encode() if self._left_out else b""
        return (self._head + middle + self._tail).decode("utf-8", "replace")
