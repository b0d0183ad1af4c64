"""Kernels of Triton without a GPU, side by side: this compiler, Triton's interpreter, the same kernel in cuTile, PyTorch.

    python -m benchmarks.triton [--rounds 7] [--processors 1]

All run on the same processors, in turns within each round; a figure is the median of the ratios within a round.
With several processors each takes as many of them as it can: the interpreter runs programs one after the other.  The
interpreter is chosen when Triton is imported, so it runs in a process of its own, which waits while the others run; it is
hundreds of times slower, so it takes part in two of the rounds.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import Any, TypeVar

from benchmarks.cpu_peers.worker import limit
from benchmarks.machine import description

os.environ["TRITON_DEFAULT_BACKEND"] = "tilewright"
os.environ["OMP_WAIT_POLICY"] = (
    "PASSIVE"  # PyTorch's threads would go on spinning when it is the next one's turn
)
INTERPRETED_ROUNDS = 2
OURS, INTERPRETER, CUTILE, EAGER = "tilewright", "interpreter", "the same in cuTile", "torch eager"

Item = TypeVar("Item")


@dataclass(frozen=True)
class Case:
    """A kernel: what runs it in each way, and the difference of the results from PyTorch's."""

    name: str
    actions: dict[str, Callable[[], object]]
    error: Callable[[], float]
    allowed: float


def cases() -> list[Case]:
    """The kernels with their arguments, on CPU tensors."""
    kernels: Any = import_module("benchmarks.triton_kernels")
    return [Case(*made) for made in kernels.cases(OURS, CUTILE, EAGER)]


class Interpreter:
    """Triton's interpreter in a process of its own."""

    def __init__(self, processors: int) -> None:
        command = [sys.executable, "-m", "benchmarks.triton", "--serve", "--processors", str(processors)]
        environment = {**os.environ, "TRITON_INTERPRET": "1"}
        self._process: Any = subprocess.Popen(
            command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def milliseconds(self, number: int) -> float:
        """One call of the kernel of a number."""
        self._process.stdin.write(f"{number}\n")
        self._process.stdin.flush()
        return float(self._process.stdout.readline())

    def close(self) -> None:
        """Let the process end."""
        self._process.communicate()


def serve() -> int:
    """Measure the kernel of each number that is read."""
    known = cases()
    for line in sys.stdin:
        case = known[int(line)]
        took = milliseconds(case.actions[OURS], 0)
        if case.error() > case.allowed:
            raise ValueError(f"{case.name}: a result differs by {case.error()}")
        print(took, flush=True)
    return 0


def milliseconds(action: Callable[[], object], least: float = 0.05) -> float:
    """One call, as often in a row as takes some hundredths of a second."""
    start = time.perf_counter()
    action()
    once = time.perf_counter() - start
    count = max(1, int(least / once))
    start = time.perf_counter()
    for _ in range(count):
        action()
    return (time.perf_counter() - start) / count * 1e3


def measured(case: Case, rounds: int, interpreted: Callable[[], float]) -> dict[str, list[float]]:
    """Milliseconds of every way, by rounds.  Raises ValueError for a wrong result."""
    times: dict[str, list[float]] = {name: [] for name in (*case.actions, INTERPRETER)}
    for action in case.actions.values():
        action()
        if case.error() > case.allowed:
            raise ValueError(f"{case.name}: a result differs by {case.error()}")
    for number in range(rounds):
        for name, action in turned(list(case.actions.items()), number):
            times[name].append(milliseconds(action))
        if number < INTERPRETED_ROUNDS:
            times[INTERPRETER].append(interpreted())
    return times


def turned(items: Sequence[Item], number: int) -> Sequence[Item]:
    """Another one is first in each round, so that each comes as often behind each other one."""
    first = number % len(items)
    return [*items[first:], *items[:first]]


def row(case: Case, times: dict[str, list[float]]) -> str:
    """A line of the table."""
    ours = times[OURS]
    cells = [case.name, f"{statistics.median(ours):.3f}"]
    for name in (INTERPRETER, CUTILE, EAGER):
        ratios = [theirs / mine for theirs, mine in zip(times[name], ours, strict=False)]
        cells.append(f"{statistics.median(ratios):.2f}")
    return f"| {' | '.join(cells)} |"


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.triton", description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--processors", type=int, default=1, help="how many processors there are")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    limit(given.processors, sorted(os.sched_getaffinity(0))[-given.processors :])
    if given.serve:
        return serve()
    print(description())
    print(f"Processors: {given.processors}.")
    print(f"\n| kernel | ms | {INTERPRETER} takes x | {CUTILE} takes x | {EAGER} takes x |")
    print("|---|---:|---:|---:|---:|")
    interpreter = Interpreter(given.processors)
    for number, case in enumerate(cases()):
        times = measured(case, given.rounds, partial(interpreter.milliseconds, number))
        print(row(case, times), flush=True)
    interpreter.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
