"""Write event files for https://ui.perfetto.dev: time spans of threads, grouped by process.

Viewers take a unit of time for a microsecond; the writer of a file says what a unit stands for.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


class TraceEvents:
    """The events of a trace file for Perfetto, in the order of their insertion; `write` makes the file."""

    def __init__(self) -> None:
        self._rows: list[dict[str, Any]] = []

    def name(self, process: int, thread: int, of_process: str, of_thread: str) -> None:
        """Give the process number `process` the name `of_process`, and its thread number `thread` the name
        `of_thread`.
        """
        for kind, text in (("process", of_process), ("thread", of_thread)):
            named = {"name": f"{kind}_name", "ph": "M", "pid": process, "tid": thread}
            self._rows.append({**named, "args": {"name": text}})

    def span(
        self, process: int, thread: int, name: str, begin: float, duration: float, **details: object
    ) -> None:
        """Add an activity, called ``name``, of a thread of a process: from ``begin`` on, for ``duration``, in
        the unit of the file. ``details`` are shown beside it.
        """
        at = {"name": name, "ph": "X", "ts": begin, "dur": duration, "pid": process, "tid": thread}
        self._rows.append({**at, "args": details})

    def instant(self, process: int, thread: int, name: str, time: float) -> None:
        """Add an event, called ``name``, of a thread of a process at the point ``time``, in the unit of the
        file.
        """
        self._rows.append({"name": name, "ph": "i", "ts": time, "s": "t", "pid": process, "tid": thread})

    def write(self, path: Path) -> None:
        """Write the events to `path` as JSON."""
        path.write_text(json.dumps({"traceEvents": self._rows, "displayTimeUnit": "ns"}), encoding="utf-8")
