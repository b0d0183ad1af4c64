"""Two threads over one: rows of `benchmarks.cpu` on both, in turns, in one process.

    python -m benchmarks.threads [--only ROW ...] [--seconds 5]

A turn is some milliseconds of launches.  Where other programs run, one of the threads may have waited for a processor:
a turn counts if the system has taken no processor from the process meanwhile.  A row shows the median of the turns that
count, the least time, how many turns counted, and which share of the time of two processors other programs left idle or
to this one (a run below 0.9 says little).

How tile blocks were dealt out in launches on two threads is counted, not timed: `front` is the share that the launching
thread took (the median; 1.00 means that no worker came), `moved` the share that went to the other thread than in the
launch before, whose data thus had to move from one processor's cache to the other's (the mean).
"""

from __future__ import annotations

import argparse
import gc
import os
import resource
import statistics
import time
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any
from unittest.mock import patch

from benchmarks.cpu import processor_sets, say
from benchmarks.cpu_cases import Array, Case, Made, cases
from benchmarks.cpu_peers.tilewright_peer import make
from benchmarks.machine import description
from tilewright.runtime.context import FROM_BACK, FROM_FRONT, SHARE
from tilewright.runtime.workers.threads import VARIABLE

ROWS = ("matmul f32 512", "matmul f32 1024", "matmul bf16 512", "matmul bf16 1024", "attention", "softmax")
TURN = 2e-3
"""Seconds of launches in a turn, or one launch if that takes longer."""
COUNTED = 200
"""So many launches on two threads are looked at for how their tile blocks were dealt out."""
SETTLING = 2
"""Launches before a turn that do not count: the workers wake up, the caches fill."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and print a row as soon as it is known."""
    parser = argparse.ArgumentParser(description="compare launches on two threads with those on one")
    parser.add_argument("--only", nargs="+", default=ROWS, help="parts of the names of rows")
    parser.add_argument("--seconds", type=float, default=5.0, help="time for each row")
    options = parser.parse_args(arguments)
    say(description())
    columns = f"{'one us':>10} {'two us':>10} {'median':>7} {'least':>7} {'front':>6} {'moved':>6}"
    print(f"{'row':34} {columns}  turns", flush=True)
    for case in cases():
        if any(part in case.name for part in options.only):
            print(_row(case, options.seconds), flush=True)


def _row(case: Case, seconds: float) -> str:
    made = case.made()
    calls = [_prepared(made, threads) for threads in (1, 2)]
    least = min(_seconds(calls[0], 1) for _ in range(5))
    count = max(1, int(TURN / least))
    kept: tuple[list[float], list[float]] = ([], [])
    turns, end, before = 0, time.monotonic() + seconds, _others()
    gc.disable()
    while time.monotonic() < end:
        turns += 1
        for call, times in zip(calls, kept, strict=True):
            _seconds(call, SETTLING)
            lost = _lost()
            spent = _seconds(call, count) / count
            if _lost() == lost:
                times.append(spent)
    gc.enable()
    front, moved = _dealt(calls[1])
    left = 1 - (_others() - before) / (seconds * len(processor_sets()[-1]))
    if not all(kept):
        return f"{case.name:34} no turn of {turns} counts; others left {left:.2f}"
    one, two = map(statistics.median, kept)
    best = min(kept[0]) / min(kept[1])
    counted = " and ".join(str(len(times)) for times in kept)
    return (
        f"{case.name:34} {one * 1e6:10.1f} {two * 1e6:10.1f} {one / two:7.2f} {best:7.2f} {front:6.2f} {moved:6.3f}"
        f"  {counted} of {turns}; others left {left:.2f}"
    )


def _dealt(call: Any) -> tuple[float, float]:
    """The share of the tile blocks that the launching thread took, and that changed threads between launches."""
    found = [_front(call) for _ in range(COUNTED)]
    changes = [abs(after - before) for before, after in pairwise(found)]
    return statistics.median(found), statistics.fmean(changes)


def _front(call: Any) -> float:
    call()
    words = call.prepared.frame.words
    front, back = words[FROM_FRONT // 8], words[FROM_BACK // 8]
    return front / (front + back) if words[SHARE // 8] == 0 else 1.0


def _prepared(made: Made, threads: int) -> Callable[[], Array]:
    """A launch on so many threads, which has computed the right result."""
    peer = make()
    call = peer.call(made)
    assert call is not None, made.case.name
    with patch.dict(os.environ, {VARIABLE: str(threads)}):
        error = made.error(peer.array(call()))
    assert error <= 1, made.case.name
    return call


def _seconds(call: Callable[[], object], count: int) -> float:
    start = time.perf_counter()
    for _ in range(count):
        call()
    return time.perf_counter() - start


def _lost() -> int:
    """How often the system has taken a processor from a thread of this process."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_nivcsw


def _others() -> float:
    """Seconds that processors have spent on other programs."""
    words = Path("/proc/stat").read_text(encoding="utf-8").split("\n", 1)[0].split()
    user, nice, system, _, _, *rest = map(int, words[1:9])
    own = time.process_time()
    return (user + nice + system + sum(rest)) / 100 - own


if __name__ == "__main__":
    main()
