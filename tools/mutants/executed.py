"""The tests that execute each line, recorded by one run of the suite under coverage.py."""

from __future__ import annotations

import ast
import collections
import functools
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from coverage import CoverageData


IMPORT = ""
"""The name of what runs outside of tests, in records."""


def record(
    root: Path, packages: Sequence[Path], folder: Path, python: str, processes: int, tests: Sequence[str]
) -> None:
    """Run tests (all by default) with ``python`` and write to ``folder`` which of them execute each line of packages.

    Tests that measure Python's own tracing fail while it is recorded; they only miss in the record.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for path in folder.iterdir():
        path.unlink()
    (folder / "python").write_text(python)
    own = {"MUTANTS_RECORD": str(folder), "MUTANTS_SOURCES": os.pathsep.join(map(str, packages))}
    flags = ["-p", "tools.mutants.recorder", "-o", "timeout=900"]
    spread = ["-n", str(processes), "--dist=worksteal"] if processes > 1 else []
    command = [python, "-m", "pytest", "--continue-on-collection-errors", *flags, *spread, *tests]
    subprocess.run(command, cwd=root, env=os.environ | own, check=False)


@dataclass(frozen=True)
class Executed:
    """The record in ``folder`` of tests of a checkout whose sources are at ``sources``."""

    folder: Path
    sources: Path

    @functools.cached_property
    def python(self) -> str:
        """The Python that runs the tests of the record."""
        path = self.folder / "python"
        return path.read_text().strip() if path.exists() else sys.executable

    @functools.cached_property
    def lines(self) -> list[CoverageData]:
        """The opened files of the record, one for each process that ran tests."""
        from coverage import CoverageData

        found = [CoverageData(str(path)) for path in sorted(self.folder.glob("lines*"))]
        for data in found:
            data.read()
        return found

    @functools.cached_property
    def seconds(self) -> dict[str, float]:
        """How long each test took."""
        rows = [
            json.loads(line)
            for path in sorted(self.folder.glob("seconds*"))
            for line in path.read_text().splitlines()
        ]
        return dict(rows)

    @functools.cached_property
    def measured(self) -> list[tuple[CoverageData, dict[str, str]]]:
        """Each file of the record, and the name in it of each source by its path below the sources."""
        marker = f"/{self.sources.name}/"
        return [
            (data, {name.rpartition(marker)[2]: name for name in data.measured_files()})
            for data in self.lines
        ]

    def tests(self, path: str, first: int, last: int) -> list[str]:
        """Return the names of the tests that execute a line from ``first`` to ``last`` of a source, sorted.

        A line that runs once in a process, when it is imported or in a cached function, counts for all tests that enter
        the file; if there are none, because it holds a table, for those that enter the nearest folder around it.  A line
        that never runs has none; a constant does not run by itself, but with the statement around it.
        """
        mine = self.executing(path, first, last) or self.executing(path, *self.statement(path, first))
        if mine and (mine == {IMPORT} or self.runs_once(path, first)):
            return sorted(self.entering(path) or self.entering_folder(path))
        return sorted(mine - {IMPORT})

    def executing(self, path: str, first: int, last: int) -> set[str]:
        """Return the tests that execute a line from ``first`` to ``last`` of a source, `IMPORT` among them."""
        by_line = self.contexts(path)
        return {test for line in range(first, last + 1) for test in by_line.get(line, ())}

    def statement(self, path: str, line: int) -> tuple[int, int]:
        """Return the first and the last line of the innermost statement at a line; of one with a body, those before it."""
        found = (line, line)
        for node in ast.walk(ast.parse((self.sources / path).read_bytes())):
            if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or 0):
                body: list[ast.stmt] = getattr(node, "body", [])
                found = (node.lineno, body[0].lineno - 1 if body else node.end_lineno or 0)
        return found if found[0] <= line <= found[1] else (line, line)

    def runs_once(self, path: str, line: int) -> bool:
        """Whether a line is outside of functions, or in one whose results are cached."""
        around = [
            node
            for node in ast.walk(ast.parse((self.sources / path).read_bytes()))
            if isinstance(node, ast.FunctionDef) and node.lineno <= line <= (node.end_lineno or 0)
        ]
        cached = any("cache" in ast.unparse(one) for node in around for one in node.decorator_list)
        return not around or cached

    def entering(self, path: str) -> set[str]:
        """Return the tests that execute any line of a source."""
        return {test for tests in self.contexts(path).values() for test in tests} - {IMPORT}

    def entering_folder(self, path: str) -> set[str]:
        """Return the tests that execute any line of the sources in the nearest folder around one for which there are some."""
        every = {name for _, names in self.measured for name in names}
        for folder in PurePosixPath(path).parents:
            prefix = f"{folder}/" if folder.name else ""
            found = {test for name in every if name.startswith(prefix) for test in self.entering(name)}
            if found:
                return found
        return set()

    def is_imported(self, path: str, first: int, last: int) -> bool:
        """Whether a line from ``first`` to ``last`` of a source is executed in no test: where something is imported."""
        return IMPORT in self.executing(path, first, last)

    @functools.cache  # noqa: B019 (one record lives as long as the process)
    def contexts(self, path: str) -> dict[int, set[str]]:
        """Return the tests of each line of a source, `IMPORT` among them; lines that nothing executes are absent."""
        found: dict[int, set[str]] = collections.defaultdict(set)
        for data, names in self.measured:
            recorded = data.contexts_by_lineno(names[path]) if path in names else {}
            for line, contexts in recorded.items():
                found[line].update(contexts)
        return found
