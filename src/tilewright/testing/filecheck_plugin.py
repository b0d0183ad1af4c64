"""A pytest plugin that runs test files with ``RUN:`` lines inside the process.

The configuration asks for the plugin and names the folders to collect from::

    [tool.pytest.ini_options]
    addopts = "-p tilewright.testing.filecheck_plugin"
    filecheck_paths = ["tests/filecheck"]

Every ``.mlir`` file in them with a RUN line becomes a test.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tilewright.testing.run_lines import RunFailure, RunLineError, run_file

SUFFIXES = frozenset({".mlir"})
OPTION = "filecheck_paths"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the pytest option `filecheck_paths`, the folders to collect test files from."""
    parser.addini(OPTION, "Folders whose .mlir files with RUN lines are tests.", type="paths", default=[])


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Return a collector for an ``.mlir`` file with RUN lines below the folders of the option; None for any
    other file.
    """
    if file_path.suffix not in SUFFIXES:
        return None
    folders: list[Path] = parent.config.getini(OPTION)
    if not any(file_path.is_relative_to(folder) for folder in folders):
        return None
    if "RUN:" not in file_path.read_text():
        return None
    make: Any = RunLineFile
    return make.from_parent(parent, path=file_path)


class RunLineFile(pytest.File):
    """A file with RUN lines: one test."""

    def collect(self) -> Iterator[pytest.Item]:
        """Yield the one test of the file."""
        make: Any = RunLineItem
        yield make.from_parent(self, name="RUN")


class RunLineItem(pytest.Item):
    """The RUN lines of a file, in order, as one test."""

    def runtest(self) -> None:
        """Run the RUN lines of the file, with scratch files in a temporary folder. Raises `RunFailure` if a
        command fails, and `RunLineError` for a line that cannot be understood. Without the package
        `filecheck` the test is skipped.
        """
        pytest.importorskip("filecheck", reason="FileCheck needs the package 'filecheck' (extra dev)")
        with tempfile.TemporaryDirectory() as folder:
            run_file(self.path, Path(folder) / f"{self.path.stem}.tmp")

    def repr_failure(
        self, excinfo: pytest.ExceptionInfo[BaseException], *arguments: Any, **named: Any
    ) -> Any:
        """Return the message of a RUN line that failed, with the output of its commands, instead of a
        traceback; other exceptions are shown as pytest shows them.
        """
        if isinstance(excinfo.value, RunFailure | RunLineError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, *arguments, **named)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Return the location of the test for pytest's reports: its file, line 0, and the file name as title."""
        return self.path, 0, f"{self.path.name}"
