"""What it costs that kernels can be stopped: loops that may run for long look at a word of memory in each round.

Each kernel is compiled twice, with its looks and without them, and both take turns in one process.  The loops have bodies
from one addition to a product of matrices: the cheaper a round, the more a look counts.

    python -m benchmarks.stopping
"""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable, Sequence
from tempfile import TemporaryDirectory
from typing import Any
from unittest import mock

import cuda.tile as ct
import numpy as np

import tilewright
from benchmarks.machine import description
from tilewright import cutile
from tilewright.runtime.disk_cache import DIRECTORY_VARIABLE
from tilewright.targets.cpu.kernel import stopping

TURNS = 41


@ct.kernel
def added(out, count: int):
    number = ct.bid(0)
    for i in range(count):
        number = number + i
    ct.store(out, (0,), ct.full((1,), number, ct.int32))


@ct.kernel
def mixed(out, count: int):
    number = ct.bid(0)
    for i in range(count):
        number = number * 1664525 + i
    ct.store(out, (0,), ct.full((1,), number, ct.int32))


@ct.kernel
def searched(out, count: int):
    number, left = ct.bid(0), count
    while left > 0:
        left = left - 1
        number = number ^ left
    ct.store(out, (0,), ct.full((1,), number, ct.int32))


@ct.kernel
def narrow(out, count: int):
    tile = ct.full((16,), 1.0, ct.float32)
    for _ in range(count):
        tile = tile * 0.5 + 1.0
    ct.store(out, (0,), ct.astype(tile, ct.int32))


@ct.kernel
def wide(out, count: int):
    tile = ct.full((1024,), 1.0, ct.float32)
    for _ in range(count):
        tile = tile * 0.5 + 1.0
    ct.store(out, (0,), ct.astype(tile, ct.int32))


ROWS: tuple[tuple[str, Any, int], ...] = (
    ("an addition", added, 60_000_000),
    ("a multiplication and an addition", mixed, 15_000_000),
    ("a `while` of an exclusive or", searched, 60_000_000),
    ("a tile of 16 elements", narrow, 5_000_000),
    ("a tile of 1024 elements", wide, 500_000),
)
"""What a round does, the kernel, and how many rounds there are."""


def launch(kernel: Any, count: int, *, looks: bool) -> Callable[[], object]:
    """A prepared launch of a kernel that was compiled with looks or without them."""
    out = np.zeros(1024, np.int32)
    made = cutile.compile_to_bytecode(kernel, (out, count))
    with TemporaryDirectory() as cache, mock.patch.dict(os.environ, {DIRECTORY_VARIABLE: cache}):
        if looks:
            return tilewright.compile(made).prepare((1, 1, 1), (out, 1024, 1, count))
        without = {"round_begins": mock.Mock(return_value=None), "rounds_in_a_row": lambda loop: 1}
        with mock.patch.multiple(stopping, **without):
            return tilewright.compile(made).prepare((1, 1, 1), (out, 1024, 1, count))


def seconds(action: Callable[[], object]) -> float:
    """Processor time of a call."""
    start = time.process_time()
    action()
    return time.process_time() - start


def measured(kernel: Any, count: int) -> Sequence[tuple[float, float]]:
    """Nanoseconds of a round without looks and with them, by turn."""
    plain, looking = (launch(kernel, count, looks=looks) for looks in (False, True))
    return [(seconds(plain) / count * 1e9, seconds(looking) / count * 1e9) for _ in range(TURNS)]


def main() -> None:
    """Print the table."""
    print(description())
    print("\n| a round | ns without looks | ns with looks | cost |\n|---|---|---|---|")
    for name, kernel, count in ROWS:
        turns = measured(kernel, count)
        before, after = (min(times) for times in zip(*turns, strict=True))
        cost = statistics.median(new / old for old, new in turns) - 1
        print(f"| {name} | {before:.3f} | {after:.3f} | {cost:+.1%} |", flush=True)


if __name__ == "__main__":
    main()
