"""What a launch costs besides the kernel: prepared, through an artifact, through the cuTile bridge.

The kernel adds 16 numbers, in one tile block.  Time is that of the process, so that others on the machine count for little.

    python -m benchmarks.launch
"""

from __future__ import annotations

import time
import timeit
from collections.abc import Callable
from dataclasses import dataclass

import cuda.tile as ct
import numpy as np

import tilewright
from benchmarks.machine import description
from tilewright import cutile

CALLS, ROUNDS = 5_000, 9


@ct.kernel
def add(x, y, out, block: ct.Constant[int]):
    i = ct.bid(0)
    ct.store(out, i, ct.load(x, i, shape=(block,)) + ct.load(y, i, shape=(block,)))


@dataclass(frozen=True)
class Row:
    """One way to launch: microseconds a call, and at most how many it is to take."""

    name: str
    microseconds: float
    goal: float


def microseconds(action: Callable[[], object]) -> float:
    """Process time of one call: the best of several rounds."""
    return min(timeit.repeat(action, number=CALLS, repeat=ROUNDS, timer=time.process_time)) / CALLS * 1e6


def rows() -> list[Row]:
    """Every way to launch, measured; the results are checked."""
    x, y = np.arange(16, dtype=np.float32), np.ones(16, dtype=np.float32)
    out = np.zeros_like(x)
    bridged = (x, y, out, 16)
    flat = [value for array in (x, y, out) for value in (array, 16, 1)]
    artifact = tilewright.compile(cutile.compile_to_bytecode(add, bridged))
    prepared = artifact.prepare((1, 1, 1), flat)
    actions: list[tuple[str, Callable[[], object], float]] = [
        ("prepared", prepared, 2.5),
        ("Artifact.launch", lambda: artifact.launch((1, 1, 1), flat), 10.0),
        ("cutile.launch", lambda: cutile.launch((1,), add, bridged), 15.0),
    ]
    measured: list[Row] = []
    for name, action, goal in actions:
        out[:] = 0
        action()
        assert (out == x + y).all(), name
        measured.append(Row(name, microseconds(action), goal))
    return measured


def main() -> None:
    """Print the table."""
    print(description())
    print("\n| launch | microseconds | goal |\n|---|---|---|")
    for row in rows():
        print(f"| {row.name} | {row.microseconds:.2f} | {row.goal} |")


if __name__ == "__main__":
    main()
