"""Launches of cuTile kernels whose results are compared with exact values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tilewright.cutile import launcher
from tilewright.driver.comparison.comparer import report
from tilewright.driver.comparison.launch import compared
from tilewright.driver.comparison.subject import ComparedLaunch, LaunchComparison
from tilewright.driver.repeatable import LaunchedKernel
from tilewright.driver.target import DEFAULT
from tilewright.host.arrays import host_array, is_array_like


def compare(
    grid: int | Sequence[int],
    kernel: Any,
    args: Sequence[object],
    *,
    target: str = DEFAULT,
    also: Sequence[str] = (),
    reference: Any = None,
) -> LaunchComparison:
    """Launch a ``@cuda.tile.kernel`` on `target` and compare its results with exact values, as
    `tilewright.compare` does; arrays are written in place. `also` names further targets to compare.
    ``reference`` has the expected results, or is a function that returns them, and is called with the
    arguments of the kernel, arrays as copies; None: no results are expected. Raises `LaunchError` for an
    argument that cannot be passed.
    """
    expected = reference(*map(_copied, args)) if callable(reference) else reference
    found: list[LaunchComparison] = []

    def engine(launched: LaunchedKernel, target: str, check: Sequence[str] = ()) -> None:
        found.append(compared(ComparedLaunch(launched), target, also, expected))

    launcher.run(grid, kernel, args, target=target, check=(), engine=engine)
    return found[0]


def _copied(value: object) -> object:
    """Return an array as a copy in the host's memory; any other value unchanged."""
    return host_array(value).copy() if is_array_like(value) else value


def checked(
    grid: int | Sequence[int], kernel: Any, args: Sequence[object], target: str, also: Sequence[str]
) -> None:
    """Launch a kernel and compare its results, as `compare` does with the targets `also`. Report the findings
    that are no warnings to the record of the program, and raise `DiagnosticError` with them unless the record
    only collects.
    """
    report(compare(grid, kernel, args, target=target, also=also))
