"""A plugin of pytest that records which tests execute each line of some packages, and how long each test takes.

``python -m pytest -p tools.mutants.recorder`` with the folder of the record in the environment variable
``MUTANTS_RECORD`` and the folders of the packages in ``MUTANTS_SOURCES``.  Each process of pytest-xdist writes files
of its own; `tools.mutants.executed` joins them.

From Python 3.12 on, the interpreter says itself where a line runs for the first time in a test, which costs nearly
nothing; older ones trace with coverage.py, which makes the suite take twice as long.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import CodeType
from typing import Any

import pytest
from coverage import Coverage, CoverageData

FLUSHED = 200
"""Tests after which what was recorded is written, so that a process that ends early loses little."""


class Traced:
    """Records lines with the tracer of coverage.py."""

    def __init__(self, data: Path, sources: list[str]) -> None:
        self.coverage = Coverage(
            data_file=str(data),
            data_suffix=str(os.getpid()),
            source=sources,
            config_file=False,
            messages=False,
        )
        self.coverage.start()
        self.tracer = sys.gettrace()

    def begin(self, context: str) -> None:
        """Record what runs from now on under a name."""
        if sys.gettrace() is not self.tracer:  # a test before it left another one
            self.coverage.stop()
            self.coverage.start()
            self.tracer = sys.gettrace()
        self.coverage.switch_context(context)

    def save(self) -> None:
        """Write what was recorded."""
        self.coverage.save()

    def stop(self) -> None:
        """Record nothing more."""
        self.coverage.stop()


class Monitored:
    """Records lines with ``sys.monitoring``: a place calls once in each test, and then no more until the next."""

    def __init__(self, data: Path, sources: list[str]) -> None:
        self.data = CoverageData(f"{data}.{os.getpid()}")
        self.prefixes = tuple(source + os.sep for source in sources)
        self.context = ""
        self.lines: dict[str, dict[str, set[int]]] = {}
        self.monitoring: Any = sys.monitoring  # pyright: ignore[reportAttributeAccessIssue]
        self.tool: int = self.monitoring.COVERAGE_ID
        events = self.monitoring.events
        self.monitoring.use_tool_id(self.tool, "mutants")
        self.monitoring.register_callback(self.tool, events.PY_START, self.started)
        self.monitoring.register_callback(self.tool, events.LINE, self.ran)
        self.monitoring.set_events(self.tool, events.PY_START)

    def started(self, code: CodeType, _offset: int) -> object:
        """Ask for the lines of a function of the sources."""
        if code.co_filename.startswith(self.prefixes):
            self.monitoring.set_local_events(self.tool, code, self.monitoring.events.LINE)
        return self.monitoring.DISABLE

    def ran(self, code: CodeType, line: int) -> object:
        """Note a line."""
        self.lines.setdefault(self.context, {}).setdefault(code.co_filename, set()).add(line)
        return self.monitoring.DISABLE

    def begin(self, context: str) -> None:
        """Record what runs from now on under a name."""
        self.context = context
        if context:
            self.monitoring.restart_events()

    def save(self) -> None:
        """Write what was recorded."""
        recorded, self.lines = self.lines, {}  # threads that are left of a test may go on
        for context, files in list(recorded.items()):
            self.data.set_context(context)
            self.data.add_lines({name: set(lines) for name, lines in list(files.items())})

    def stop(self) -> None:
        """Record nothing more."""
        self.monitoring.set_events(self.tool, 0)


class Recorder:
    """The lines and seconds of the tests of this process."""

    def __init__(self, folder: Path, sources: list[str]) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.times = folder / f"seconds.{os.getpid()}.jsonl"
        self.lines = (Monitored if sys.version_info >= (3, 12) else Traced)(folder / "lines", sources)
        self.count = 0

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Record the lines of a test under its name."""
        self.lines.begin(item.nodeid)
        started = time.perf_counter()
        try:
            return (yield)
        finally:
            self.ended(item.nodeid, time.perf_counter() - started)

    def ended(self, test: str, seconds: float) -> None:
        """Write how long a test took."""
        self.lines.begin("")
        with self.times.open("a") as times:
            times.write(json.dumps([test, round(seconds, 4)]) + "\n")
        self.count += 1
        if self.count % FLUSHED == 0:
            self.lines.save()

    def pytest_sessionfinish(self) -> None:
        """Write what is not written yet."""
        self.lines.stop()
        self.lines.save()


def pytest_configure(config: pytest.Config) -> None:
    """Begin to record, in each process that runs tests."""
    controls = bool(getattr(config.option, "numprocesses", None)) and not hasattr(config, "workerinput")
    if not controls:
        recorder = Recorder(
            Path(os.environ["MUTANTS_RECORD"]), os.environ["MUTANTS_SOURCES"].split(os.pathsep)
        )
        config.pluginmanager.register(recorder, "mutants-recorder")
