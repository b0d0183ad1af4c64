"""Debugging sessions in this process: commands are typed in order, and the transcript has them echoed."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from tilewright.cutile.launcher import run
from tilewright.debugger.console import Console
from tilewright.debugger.session import QuitDebuggerError, Session
from tilewright.driver.debugging import attached

LINES = Path(__file__).with_name("kernels.py").read_text(encoding="utf-8").splitlines()
"""The lines of the kernels that are debugged."""


def line_of(text: str) -> int:
    """The number of the first line of the kernels that contains a text."""
    return next(number for number, line in enumerate(LINES, 1) if text in line)


class _Typed(io.StringIO):
    """Commands that appear in the transcript as they are read."""

    def __init__(self, commands: Sequence[str], transcript: io.StringIO) -> None:
        super().__init__("".join(f"{one}\n" for one in commands))
        self._transcript = transcript

    def readline(self, size: int | None = -1, /) -> str:
        line = super().readline()
        self._transcript.write(line)
        return line


def debugged(commands: Sequence[str], launch: Callable[[], object], **options: Any) -> str:
    """The transcript of a session, in which `launch` makes launches; it may end in the middle."""
    breaks = options.pop("breaks", ())
    transcript = io.StringIO()
    session = Session(Console(_Typed(commands, transcript), transcript), **options)
    for one in breaks:
        session.add_breakpoint(*one)
    with attached(session), suppress(QuitDebuggerError):
        launch()
    return transcript.getvalue()


def launching(kernel: Any, grid: tuple[int, ...], *arguments: Any, check: str = "") -> Callable[[], object]:
    """A function that launches a kernel of cuTile in the interpreter."""
    return lambda: run(grid, kernel, arguments, target="interp", check=check)
