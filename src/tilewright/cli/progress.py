"""Progress of long commands: a line on stderr that is rewritten, on terminals only."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Generator
from typing import IO

from tilewright.ir.support.progress import reporting

PATIENCE_SECONDS = 0.5
"""How long a command may take before it says how far it is."""

INTERVAL_SECONDS = 0.1
_CLEAR = "\r\033[K"


class ProgressLine:
    """Shows how much is done, and takes the line away at the end."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream
        self._next = time.monotonic() + PATIENCE_SECONDS
        self._is_shown = False

    def __call__(self, what: str, done: int, total: int) -> None:
        now = time.monotonic()
        if now >= self._next:
            self._next = now + INTERVAL_SECONDS
            self._is_shown = True
            self._stream.write(f"{_CLEAR}{what}: {done} of {total} ({100 * done // total} %)")
            self._stream.flush()

    def clear(self) -> None:
        """Make place for other messages."""
        if self._is_shown:
            self._stream.write(_CLEAR)
            self._stream.flush()


@contextlib.contextmanager
def shown_progress() -> Generator[None]:
    """Show the progress of a ``with`` block if stderr is a terminal."""
    if not sys.stderr.isatty():
        yield
        return
    line = ProgressLine(sys.stderr)
    try:
        with reporting(line):
            yield
    finally:
        line.clear()
