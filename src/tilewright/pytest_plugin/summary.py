"""The summary of the plugin after all tests: kernels, findings, annotations for GitHub, SARIF."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tilewright.cli import diagnostic_formats, findings as cli_findings
from tilewright.driver.verification import VerificationFinding, VerificationReport
from tilewright.gpu_programs import ProgramSettings
from tilewright.ir.diagnostic import Diagnostic, render
from tilewright.runtime.findings.ignores import Ignores, warning

IGNORES = "tilewright_ignores"
"""The key under which a worker sends the comments that suppressed findings."""
LATE = "tilewright_findings"
"""The key under which a worker sends the findings after its last test."""
_SHOWN = 5
"""The number of slowest kernels that are listed."""


def finding_record(diagnostic: Diagnostic, test_file: str) -> dict[str, Any]:
    """Return a finding as JSON data: its GitHub annotation (``github``) and its SARIF result (``sarif``).
    Both name `test_file` if the finding has no source position.
    """
    finding = VerificationFinding(diagnostic)
    return {
        "github": diagnostic_formats.github_command(finding, VerificationReport(test_file, False)),
        "sarif": diagnostic_formats.sarif_result(finding, test_file),
    }


class Summary:
    """Collects findings and launches from reports, which may come from other processes, and writes the
    summary. ``settings`` are the settings of the run; ``sarif`` is the path of a SARIF file for the findings,
    or empty.
    """

    def __init__(self, settings: ProgramSettings, sarif: str) -> None:
        self._settings = settings
        self._sarif = sarif
        self._kernels: dict[str, list[float]] = {}
        self._findings: list[dict[str, Any]] = []
        self.late: list[dict[str, Any]] = []
        """The findings after the last test."""
        self.ignores = Ignores()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add the launches of kernels and the findings that `report` carries. A report without such data is
        ignored.
        """
        told = getattr(report, "tilewright", None)
        if told is None:
            return
        for name, (count, seconds) in told["kernels"].items():
            launches = self._kernels.setdefault(name, [0, 0.0])
            launches[0] += count
            launches[1] += seconds
        self._keep(told["findings"])

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Add the findings of a worker after its last test, and its comments that suppressed findings."""
        told = getattr(node, "workeroutput", {})
        self.add(told.get(LATE, []))
        self.ignores.join(told.get(IGNORES, []))

    def add(self, late: list[dict[str, Any]]) -> None:
        """Add the findings `late`, which were made after the last test, to the late findings of this summary
        and to all its findings; equal findings occur once in the latter.
        """
        self.late += late
        self._keep(late)

    def _keep(self, findings: list[dict[str, Any]]) -> None:
        self._findings += [one for one in findings if one not in self._findings]

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Write to the terminal the comments that ignore nothing, the numbers of launches and findings, and
        the slowest kernels. Write the findings to the SARIF file if one is given, and as annotations if the
        environment variable ``GITHUB_ACTIONS`` is ``true``.
        """
        write = terminalreporter.write_line
        terminalreporter.section("tilewright")
        launches = {name: count for name, (count, _) in self._kernels.items()}
        unused = [warning(one) for one in self.ignores.unused()]
        for one in unused:
            write(render(one))
        write(cli_findings.headline(launches, len(self._findings), self._settings))
        if self.late:
            write(f"{cli_findings.counted(len(self.late), 'finding')} after the last test")
        slowest = sorted(self._kernels.items(), key=lambda item: (-item[1][1], item[0]))
        for name, (count, seconds) in slowest[:_SHOWN]:
            write(f"  {seconds:9.3f} s  {int(count):6} launches  {name}")
        if self._sarif:
            log = diagnostic_formats.sarif_log(one["sarif"] for one in self._findings)
            Path(self._sarif).write_text(json.dumps(log, indent=2) + "\n", encoding="utf-8")
            write(f"findings written to {self._sarif}")
        if os.environ.get("GITHUB_ACTIONS") == "true":
            for one in [*self._findings, *(finding_record(one, "") for one in unused)]:
                write(one["github"])
