"""A plugin of pytest that records which tests execute each line of some packages, and how long each test takes.

``python -m pytest -p tools.mutants.recorder`` with the folder of the record in the environment variable
``MUTANTS_RECORD`` and the folders of the packages in ``MUTANTS_SOURCES``.  Each process of pytest-xdist writes files
of its own; `tools.mutants.executed` joins them.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from coverage import Coverage

FLUSHED = 200
"""Tests after which what was recorded is written, so that a process that ends early loses little."""


class Recorder:
    """The lines and seconds of the tests of this process."""

    def __init__(self, folder: Path, sources: list[str]) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.times = folder / f"seconds.{os.getpid()}.jsonl"
        data = str(folder / "lines")
        self.coverage = Coverage(
            data_file=data, data_suffix=str(os.getpid()), source=sources, config_file=False, messages=False
        )
        self.coverage.start()
        self.tracer = sys.gettrace()
        self.count = 0

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Record the lines of a test under its name."""
        if sys.gettrace() is not self.tracer:  # a test before it left another one
            self.coverage.stop()
            self.coverage.start()
            self.tracer = sys.gettrace()
        self.coverage.switch_context(item.nodeid)
        started = time.perf_counter()
        try:
            return (yield)
        finally:
            self.ended(item.nodeid, time.perf_counter() - started)

    def ended(self, test: str, seconds: float) -> None:
        """Write how long a test took."""
        self.coverage.switch_context("")
        with self.times.open("a") as times:
            times.write(json.dumps([test, round(seconds, 4)]) + "\n")
        self.count += 1
        if self.count % FLUSHED == 0:
            self.coverage.save()

    def pytest_sessionfinish(self) -> None:
        """Write what is not written yet."""
        self.coverage.stop()
        self.coverage.save()


def pytest_configure(config: pytest.Config) -> None:
    """Begin to record, in each process that runs tests."""
    controls = bool(getattr(config.option, "numprocesses", None)) and not hasattr(config, "workerinput")
    if not controls:
        recorder = Recorder(
            Path(os.environ["MUTANTS_RECORD"]), os.environ["MUTANTS_SOURCES"].split(os.pathsep)
        )
        config.pluginmanager.register(recorder, "mutants-recorder")
