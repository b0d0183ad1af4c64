"""The cost of memory accesses: bank conflicts of shared memory, and sectors of global memory."""

from __future__ import annotations

from typing import Any

import numpy as np

from tilewright.ptx.model import LocDirective
from tilewright.ptxsim.values import Array

BANKS = 32
"""The number of banks of shared memory; a bank is four bytes wide."""
SECTOR = 32
"""The size of a sector, the unit of global memory transfers, in bytes."""


Cost = tuple[int, int, int]
"""Costs of accesses: requests of warps, bank conflicts or sectors, and the minimum number of sectors that
hold the accessed bytes (0 for shared memory).
"""


class Counts:
    """Sums of the costs of memory accesses over a launch, by state space (``totals``) and by state space and
    source line (``lines``): requests of warps, bank conflicts or sectors, and the minimum number of sectors.
    The costs of an access pattern are computed once and cached.
    """

    def __init__(self) -> None:
        self.totals: dict[str, Cost] = {}
        """Costs by state space. A bank conflict is a pass that a request takes beyond its first."""
        self.lines: dict[tuple[str, LocDirective], Cost] = {}
        """Costs by state space and source line."""
        self._known: dict[tuple[str, int, bytes, bytes], Cost] = {}

    def of(self, space: str) -> Cost:
        """Return the summed costs of the state space `space`: requests of warps, bank conflicts or sectors,
        and the minimum number of sectors; zeros if it was not accessed.
        """
        return self.totals.get(space, NOTHING)

    def access(self, space: str, lanes: Array, places: Array, size: int, line: LocDirective | None) -> None:
        """Count an access of the threads `lanes` to `size` bytes each at `places` of `space`, which is
        ``shared`` or global memory. `line` is the source line, None if unknown.
        """
        self.add(space, self.cost(space, lanes, places, size), line)

    def cost(self, space: str, lanes: Array, places: Array, size: int) -> Cost:
        """Return the cost of one access: the requests of warps, and the bank conflicts if `space` is
        ``shared``, otherwise the sectors and the smallest number of sectors that hold the bytes. `lanes` are
        the numbers of the threads, `places` their addresses, and `size` the bytes of each thread. The sums do
        not change.
        """
        period = 4 * BANKS if space == "shared" else SECTOR
        moved = places - int(places[0]) // period * period
        key = (space, size, lanes.tobytes(), moved.tobytes())
        found = self._known.get(key)
        if found is None:
            count = _turns if space == "shared" else _sectors
            found = self._known[key] = count(lanes, moved - moved.min() // period * period, size)
        return found

    def add(self, space: str, found: Cost, line: LocDirective | None) -> None:
        """Add the cost `found` of an access to the sums of `space` and of `line`."""
        self.totals[space] = _sum(self.totals.get(space, NOTHING), found)
        if line is not None:
            self.lines[space, line] = _sum(self.lines.get((space, line), NOTHING), found)


NOTHING: Cost = (0, 0, 0)


def _sum(one: Cost, other: Cost) -> Cost:
    return one[0] + other[0], one[1] + other[1], one[2] + other[2]


def _pairs(groups: Array, units: Array) -> Array:
    """Return the distinct values of ``group << 32 | unit``: a row of `units` has the units that one access
    touches, and `groups` has the group of each access.
    """
    joined: Any = (groups[:, None].astype(np.int64) << 32 | units).ravel()
    return np.unique(joined)


def _turns(lanes: Array, places: Array, size: int) -> Cost:
    """Return the cost of accesses of the threads `lanes` to `size` bytes each of shared memory: the number of
    warps, the number of bank conflicts, and 0. A bank delivers one word of 4 bytes per pass.
    """
    width = max(size // 4, 1)
    parts = lanes * width // 32
    pairs = _pairs(parts, places[:, None] // 4 + np.arange(width))
    by_bank = np.unique(pairs >> 32 << 32 | (pairs & 0xFFFFFFFF) % BANKS, return_counts=True)
    groups, first = np.unique(by_bank[0] >> 32, return_index=True)
    turns = np.maximum.reduceat(by_bank[1], first)
    return len(np.unique(lanes >> 5)), int(turns.sum()) - len(groups), 0


def _sectors(lanes: Array, places: Array, size: int) -> Cost:
    """Return the cost of accesses of the threads `lanes` to `size` bytes each of global memory: the number of
    warps, the number of sectors that each warp accesses, summed, and the minimum number of sectors that hold
    the bytes of the distinct addresses of each warp, summed.
    """
    ends = np.stack([places // SECTOR, (places + size - 1) // SECTOR], 1)
    _, elements = np.unique(_pairs(lanes >> 5, places[:, None]) >> 32, return_counts=True)
    return len(elements), len(_pairs(lanes >> 5, ends)), int((-(-elements * size // SECTOR)).sum())
