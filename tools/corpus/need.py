"""The order in which test functions add most to what the corpus executes, by a record of `tools.mutants`."""

from __future__ import annotations

import collections
import heapq
from collections.abc import Mapping
from pathlib import Path
from typing import TypeVar

from tools.mutants.executed import IMPORT, Executed

REPLAYED = "tests/replay/"
Line = tuple[str, int]
_Item = TypeVar("_Item")


def needed(record: Path, sources: Path) -> list[str]:
    """Return the test functions that execute lines which the corpus does not; each adds most to those before it."""
    executed = Executed(record, sources)
    replayed: set[Line] = set()
    lines: dict[str, set[Line]] = collections.defaultdict(set)
    for path in sorted({name for _, names in executed.measured for name in names}):
        for line, tests in executed.contexts(path).items():
            for function in {test.partition("[")[0] for test in tests - {IMPORT}}:
                lines[function].add((path, line))
            if any(test.startswith(REPLAYED) for test in tests):
                replayed.add((path, line))
    return greedy({function: found - replayed for function, found in lines.items()})


def greedy(sets: Mapping[str, set[_Item]], costs: Mapping[str, float] | None = None) -> list[str]:
    """Return the names of sets, each of which has most that those before it lack, until they have everything.

    Where sets have costs, it is the set that has most for its cost.
    """

    def rank(name: str, size: int) -> float:
        return -size / (costs[name] if costs else 1)

    heap = [(rank(name, len(found)), name) for name, found in sorted(sets.items())]
    heapq.heapify(heap)
    covered: set[_Item] = set()
    order: list[str] = []
    while heap:
        before, name = heapq.heappop(heap)
        left = sets[name] - covered
        if left and rank(name, len(left)) == before:
            covered |= left
            order.append(name)
        elif left:
            heapq.heappush(heap, (rank(name, len(left)), name))
    return order
