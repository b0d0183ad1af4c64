"""Progress of long commands: a bar for each work on stderr, by rich, on terminals only."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Generator
from typing import IO, TYPE_CHECKING, Any, cast

from tilewright.cli.color import is_painted
from tilewright.ir.support import locks, progress as support_progress

if TYPE_CHECKING:
    import threading

    from rich.progress import Progress as RichProgress, TaskID

PATIENCE_SECONDS = 1.0
"""The time in seconds after which work that is not finished gets a bar."""
INTERVAL_SECONDS = 0.1


class ProgressBars:
    """Shows a bar for each work in progress on a terminal.

    A thread updates the bars at intervals, so a bar also appears during a long step, and a step costs no
    time.
    """

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream
        self._lock = locks.reentrant_lock()
        self._begun: dict[support_progress.Progress, float] = {}
        self._shown: RichProgress | None = None
        self._tasks: dict[support_progress.Progress, TaskID] = {}
        self._closed: threading.Event | None = None

    def begin(self, work: support_progress.Progress) -> None:
        """Record the begin of ``work``; a bar for it appears after `PATIENCE_SECONDS`. The first call starts
        the thread that updates the bars.
        """
        with self._lock:
            self._begun[work] = time.monotonic()
            if self._closed is None:
                self._closed = self._watched()

    def end(self, work: support_progress.Progress) -> None:
        """Remove ``work``, which has ended, and hide all bars; the bars of unfinished work appear again at
        the next update.
        """
        with self._lock:
            del self._begun[work]
            self.hide()

    def hide(self) -> None:
        """Hide the bars for other messages. The bars of unfinished work appear again at the next update."""
        with self._lock:
            shown, self._shown = self._shown, None
            self._tasks.clear()
            if shown is not None:
                shown.stop()

    def look(self) -> None:
        """Show the work that has taken `PATIENCE_SECONDS` or longer."""
        with self._lock:
            now = time.monotonic()
            long = [work for work, begun in self._begun.items() if now - begun >= PATIENCE_SECONDS]
            if not long:
                return
            if self._shown is None:
                self._shown = _bars(self._stream)
                self._shown.start()
            for work in long:
                if work not in self._tasks:
                    self._tasks[work] = self._shown.add_task(work.what, total=work.total)
                self._shown.update(self._tasks[work], completed=work.done)
            self._shown.refresh()

    def close(self) -> None:
        """End the thread that shows bars, and hide them."""
        with self._lock:
            if self._closed is not None:
                self._closed.set()
            self.hide()

    def _watched(self) -> threading.Event:
        import threading  # not every command has long work

        closed = threading.Event()

        def watch() -> None:
            while not closed.wait(INTERVAL_SECONDS):
                self.look()

        threading.Thread(target=watch, name="progress", daemon=True).start()
        return closed


def _bars(stream: IO[str]) -> RichProgress:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress as RichProgress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    return RichProgress(
        *columns,
        console=Console(file=stream, no_color=not is_painted(stream)),
        auto_refresh=False,
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    )


class _Yielding:
    """A text stream that hides the bars before each write."""

    def __init__(self, stream: IO[str], bars: ProgressBars) -> None:
        self._stream = stream
        self._bars = bars

    def write(self, text: str) -> int:
        self._bars.hide()
        return self._stream.write(text)

    def flush(self) -> None:  # whoever writes to the file descriptor itself flushes before
        self._bars.hide()
        self._stream.flush()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


@contextlib.contextmanager
def shown_progress(*, of_program: bool = False) -> Generator[None]:
    """Show the progress of a ``with`` block if stderr is a terminal.

    With `of_program` the streams are not replaced, so output of the user's program may follow a bar on its
    line.
    """
    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield
        return
    bars = ProgressBars(sys.stderr)
    before = sys.stdout, sys.stderr
    if not of_program:
        sys.stdout, sys.stderr = (cast("Any", _Yielding(stream, bars)) for stream in before)
    try:
        with support_progress.reporting(bars):
            yield
    finally:
        bars.close()
        sys.stdout, sys.stderr = before
