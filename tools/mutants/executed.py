"""The tests that execute each line, recorded by one run of the suite under coverage.py."""

from __future__ import annotations

import functools
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from coverage import CoverageData


SETTINGS = """[run]
source =
{sources}
data_file = {data}
"""


def record(root: Path, packages: Sequence[Path], data: Path, processes: int) -> None:
    """Run the whole suite with a context for each test and write the lines of packages that it executes to ``data``.

    Tests that measure Python's own tracing fail under coverage; they only miss in the record.
    """
    data.parent.mkdir(parents=True, exist_ok=True)
    settings = data.with_suffix(".ini")
    settings.write_text(SETTINGS.format(sources="\n".join(f"  {package}" for package in packages), data=data))
    flags = ["--cov", f"--cov-config={settings}", "--cov-context=test", "--cov-report=", "-o", "timeout=900"]
    command = [sys.executable, "-m", "pytest", "-n", str(processes), "--dist=worksteal", *flags]
    subprocess.run([*command, "-o", "faulthandler_timeout=900"], cwd=root, check=False)


@dataclass(frozen=True)
class Executed:
    """The record in the file ``data`` of a checkout whose sources are at ``sources``."""

    data: Path
    sources: Path

    @functools.cached_property
    def lines(self) -> CoverageData:
        """The opened record."""
        from coverage import CoverageData

        found = CoverageData(str(self.data))
        found.read()
        return found

    @functools.cached_property
    def measured(self) -> dict[str, str]:
        """The name in the record of each source, by its path below the sources."""
        marker = f"/{self.sources.name}/"
        return {name.rpartition(marker)[2]: name for name in self.lines.measured_files()}

    def tests(self, path: str, first: int, last: int) -> list[str]:
        """Return the names of the tests that execute a line from ``first`` to ``last`` of a source, sorted.

        A line of the module's own level runs when it is imported, in no test: then all tests that enter the file count.
        """
        by_line = self.contexts(path)
        found = {test for line in range(first, last + 1) for test in by_line.get(line, ())}
        return sorted(found or {test for tests in by_line.values() for test in tests})

    @functools.cache  # noqa: B019 (one record lives as long as the process)
    def contexts(self, path: str) -> dict[int, set[str]]:
        """Return the tests of each line of a source; lines that no test executes are absent."""
        name = self.measured.get(path)
        if name is None:
            return {}
        recorded = self.lines.contexts_by_lineno(name).items()
        found = {
            line: {context.partition("|")[0] for context in contexts if context}
            for line, contexts in recorded
        }
        return {line: tests for line, tests in found.items() if tests}
