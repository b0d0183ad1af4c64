"""What the examples share: one checked run, and a table of them.

Every example module has ``run(launch)``, which launches its kernels through ``launch(grid, kernel, args)``
and yields a Result for each after comparing with NumPy.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np


class Launch(Protocol):
    """Runs a kernel over a grid of tile blocks; arrays among ``args`` are written in place."""

    def __call__(self, grid: tuple[int, ...], kernel: Any, args: Sequence[Any]) -> None: ...


@dataclass(frozen=True)
class Result:
    """The largest error of one run, relative to ``max(1, |expected|)``, and what is allowed."""

    kernel: str
    shape: str
    error: float
    tolerance: float

    @property
    def ok(self) -> bool:
        """Whether the error is within the tolerance (a NaN is not)."""
        return self.error <= self.tolerance


def compare(kernel: str, shape: str, found: Any, expected: Any, tolerance: float) -> Result:
    """Compare a computed array with the expected one, in double precision."""
    wanted = np.asarray(expected, dtype=np.float64)
    difference = np.abs(np.asarray(found, dtype=np.float64) - wanted) / np.maximum(1.0, np.abs(wanted))
    return Result(kernel, shape, float(difference.max(initial=0.0)), tolerance)


class Stopwatch:
    """A launch function that adds up the seconds spent in another one."""

    def __init__(self, launch: Launch) -> None:
        self.seconds = 0.0
        self._launch = launch

    def __call__(self, grid: tuple[int, ...], kernel: Any, args: Sequence[Any]) -> None:
        start = time.perf_counter()
        self._launch(grid, kernel, args)
        self.seconds += time.perf_counter() - start

    def take(self) -> float:
        """The seconds since the last call of this method."""
        seconds, self.seconds = self.seconds, 0.0
        return seconds


Run = Callable[[Launch], Iterable[Result]]


def table(runs: Iterable[Run], launch: Launch) -> Iterator[tuple[str, bool]]:
    """The rows of the table, each with whether its check passed (the heading passes)."""
    yield f"{'kernel':<28} {'shape':<24} {'max error':>10} {'allowed':>9} {'seconds':>9}  ok", True
    stopwatch = Stopwatch(launch)
    for run in runs:
        for r in run(stopwatch):
            answer = "yes" if r.ok else "NO"
            row = (
                f"{r.kernel:<28} {r.shape:<24} {r.error:>10.2e} {r.tolerance:>9.0e} {stopwatch.take():>9.3f}"
            )
            yield f"{row}  {answer}", r.ok


def main(*runs: Run) -> int:
    """Run examples as a program: print the table, return the exit code (1 when a check failed)."""
    from tilewright import cutile

    parser = argparse.ArgumentParser(description="Run cuTile kernels and compare with NumPy.")
    parser.add_argument("--target", default="cpu", help="what runs the kernels (default: cpu)")
    parser.add_argument(
        "--check", action="append", default=[], help="a run-time check to switch on; repeatable"
    )
    options = parser.parse_args()

    def launch(grid: tuple[int, ...], kernel: Any, args: Sequence[Any]) -> None:
        cutile.launch(grid, kernel, args, target=options.target, check=options.check)

    all_ok = True
    for row, ok in table(runs, launch):
        print(row, flush=True)
        all_ok &= ok
    return 0 if all_ok else 1
