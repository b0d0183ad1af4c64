"""Rows of `benchmarks.cpu` with this state of the sources against another one, in turns in one run.

    git worktree add ../before REVISION
    python -m benchmarks.against ../before [--only ROW ...] [--processes 5] [--turns 6] [--threads 1]

Each state runs in a process of its own, both pinned to the same processor, and they take turns of 50 ms, so that a
machine that becomes slower or faster does so for both.  Where a process gets its memory is chance and may cost a few per
cent, so each row is measured in several pairs of processes: a pair's figure is the median of new time over old time of
its turns.  A row shows the median of these figures, the least and the largest; it is slower where more than half of the
pairs are slower by more than the noise of 3 per cent.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

from benchmarks.cpu import processor_sets, say
from benchmarks.cpu_cases import BRIDGE, CALL, Case, cases
from benchmarks.cpu_peers import OURS
from benchmarks.cpu_peers.process import ROOT, PeerProcess

NOISE = 1.03
SECONDS = 0.05
"""How long a process measures before it is the other's turn."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and print a row as soon as it is known."""
    options = _options(arguments)
    print(f"{'row':34} {'old us':>11} {'new us':>11} {'new/old':>8}  pairs of processes", flush=True)
    for case in (*cases(), CALL, BRIDGE):
        if any(part in case.name for part in options.only):
            say(case.name)
            pairs = [_pair(case, options) for _ in range(options.processes)]
            print(_row(case.name, pairs), flush=True)


def _pair(case: Case, options: argparse.Namespace) -> list[tuple[float, float]]:
    """Seconds of a call of the old and of the new state, by turn, in two fresh processes."""
    processors = processor_sets()[0 if options.threads == 1 else -1]
    with ExitStack() as stack:
        pair = [
            stack.enter_context(PeerProcess(OURS, processors, "", root=tree.resolve()))
            for tree in (options.before, ROOT)
        ]
        for process in pair:
            answer = process.ask("prepare", case=case.name, small=False)
            if "first" not in answer:
                raise SystemExit(f"{case.name}: {process.missing or answer}")
        return list(_turns(pair, options.turns, options.clock))


def _row(name: str, pairs: Sequence[Sequence[tuple[float, float]]]) -> str:
    ratios = sorted(statistics.median(new / old for old, new in turns) for turns in pairs)
    middle = statistics.median(ratios)
    old, new = (min(times) * 1e6 for times in zip(*(turn for turns in pairs for turn in turns), strict=True))
    remark = "  slower" if middle > NOISE else "  faster" if middle < 1 / NOISE else ""
    return f"{name:34} {old:11.1f} {new:11.1f} {middle:8.3f}  {ratios[0]:.3f} to {ratios[-1]:.3f}{remark}"


def _turns(pair: Sequence[PeerProcess], count: int, clock: str) -> Iterator[tuple[float, float]]:
    """Seconds of a call of the old and of the new state; they take turns in who begins."""
    for turn in range(count):
        order = pair if turn % 2 else pair[::-1]
        times = [process.ask("measure", seconds=SECONDS, clock=clock)["seconds"] for process in order]
        old, new = times if turn % 2 else times[::-1]
        yield old, new


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description="compare rows of benchmarks.cpu with another state of the sources"
    )
    parser.add_argument("before", type=Path, help="a checkout of the other state")
    parser.add_argument("--only", nargs="+", default=[""], help="parts of the names of rows")
    parser.add_argument("--processes", type=int, default=5, help="pairs of processes for each row")
    parser.add_argument("--turns", type=int, default=6, help="turns of each pair")
    parser.add_argument("--threads", type=int, choices=(1, 2), default=1)
    parser.add_argument("--clock", choices=("wall", "processor"), default="wall")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main()
