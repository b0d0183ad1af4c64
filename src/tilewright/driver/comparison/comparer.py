"""Compares the launches of a program: an engine for `tilewright.gpu_programs.Launches`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tilewright.driver.comparison.launch import compared
from tilewright.driver.comparison.subject import ComparedLaunch, LaunchComparison
from tilewright.driver.repeatable import LaunchedKernel, array_of
from tilewright.driver.target import target as find_target
from tilewright.interp import codes
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.runtime.findings.ignores import LaunchedLines
from tilewright.runtime.findings.record import begin_launch, report_findings

CODES = frozenset(
    map(str, (codes.INEXACT, codes.BLOCK_ORDER, codes.BEYOND_PROMISE, codes.OTHER_THAN_REFERENCE))
)
"""The codes of the findings of comparisons."""


class Comparer:
    """Makes the launches of a program and compares their results on several targets. It compares the first
    launch of each kernel with a grid and with arrays of certain shapes, or with `every` all launches. `also`
    names further targets; an unknown name raises `DiagnosticError` at once. `told` is called with each
    comparison.
    """

    def __init__(
        self,
        also: Sequence[str] = (),
        told: Callable[[LaunchComparison], object] = lambda found: None,
        *,
        every: bool = False,
    ) -> None:
        for name in also:
            find_target(name)  # refuses unknown names before the program runs
        self._also = also
        self._told = told
        self._every = every
        self._seen: set[Any] = set()

    def launch(self, launched: LaunchedKernel, target: str, check: Sequence[str] = ()) -> object:
        """Run a kernel as `tilewright.launch` does, and compare its results with results of other targets;
        the result is None. A launch equal to a compared launch is only run. Raises `DiagnosticError` with the
        findings, unless they are only recorded.
        """
        shapes = tuple(None if array_of(one) is None else one.shape for one in launched.arguments)
        key = launched.bytecode, launched.entry, launched.grid, shapes
        if key in self._seen and not self._every:
            return launched.run(target, check)
        self._seen.add(key)
        made = ComparedLaunch(launched)
        begin_launch(made.name, lambda: LaunchedLines(made.lines(), CODES))
        found = compared(made, target, self._also)
        self._told(found)
        report(found)
        return None


def report(found: LaunchComparison) -> None:
    """Report the findings of a comparison, without its warnings, to the record of the program. Raises
    `DiagnosticError` with them, unless the record only collects. Do nothing if there are none.
    """
    errors = [one for one in found.findings if one not in found.warnings]
    if errors:
        report_findings(DiagnosticError(errors))
