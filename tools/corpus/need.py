"""The order in which test functions add most to what the corpus executes, by a record of `tools.mutants`."""

from __future__ import annotations

import collections
import heapq
from collections.abc import Mapping
from pathlib import Path

from tools.mutants.executed import IMPORT, Executed

REPLAYED = "tests/replay/"
Line = tuple[str, int]


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


def greedy(sets: Mapping[str, set[Line]]) -> list[str]:
    """Return the names of sets, each of which has most that those before it lack, until they have everything."""
    heap = [(-len(found), name) for name, found in sorted(sets.items())]
    heapq.heapify(heap)
    covered: set[Line] = set()
    order: list[str] = []
    while heap:
        size, name = heapq.heappop(heap)
        left = sets[name] - covered
        if left and len(left) == -size:
            covered |= left
            order.append(name)
        elif left:
            heapq.heappush(heap, (-len(left), name))
    return order
