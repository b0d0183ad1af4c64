"""What memory accesses cost: bank conflicts of shared memory, and sectors of global memory."""

from __future__ import annotations

from typing import Any

import numpy as np

from tilewright.ptxsim.values import Array

BANKS = 32
"""Banks of shared memory, four bytes wide."""
SECTOR = 32
"""Bytes that global memory moves at least."""


class Counts:
    """Sums over a launch.  Accesses of the same pattern are counted once and remembered."""

    def __init__(self) -> None:
        self.shared_requests = 0
        self.bank_conflicts = 0
        """Turns that requests of warps take beyond those they need without conflicts."""
        self.global_requests = 0
        self.sectors = 0
        self._known: dict[tuple[str, int, bytes, bytes], tuple[int, int]] = {}

    def access(self, space: str, lanes: Array, places: Array, size: int) -> None:
        """An access of threads to so many bytes each, at places of shared or global memory."""
        self.add(space, self.cost(space, lanes, places, size))

    def cost(self, space: str, lanes: Array, places: Array, size: int) -> tuple[int, int]:
        """Requests, and conflicts or sectors, of an access."""
        period = 4 * BANKS if space == "shared" else SECTOR
        moved = places - int(places[0]) // period * period
        key = (space, size, lanes.tobytes(), moved.tobytes())
        found = self._known.get(key)
        if found is None:
            count = _turns if space == "shared" else _sectors
            found = self._known[key] = count(lanes, moved - moved.min() // period * period, size)
        return found

    def add(self, space: str, found: tuple[int, int]) -> None:
        """Count an access of this cost."""
        if space == "shared":
            self.shared_requests, self.bank_conflicts = (
                self.shared_requests + found[0],
                self.bank_conflicts + found[1],
            )
        else:
            self.global_requests, self.sectors = self.global_requests + found[0], self.sectors + found[1]


def _pairs(groups: Array, units: Array) -> Array:
    """The distinct pairs of a group and a unit that it touches, as groups << 32 | unit."""
    joined: Any = (groups[:, None].astype(np.int64) << 32 | units).ravel()
    return np.unique(joined)


def _turns(lanes: Array, places: Array, size: int) -> tuple[int, int]:
    """Requests of warps, and the turns beyond the least: in a turn a bank answers one word.

    Accesses of 8 and 16 bytes go by halves and quarters of warps.
    """
    width = max(size // 4, 1)
    parts = lanes * width // 32
    pairs = _pairs(parts, places[:, None] // 4 + np.arange(width))
    by_bank = np.unique(pairs >> 32 << 32 | (pairs & 0xFFFFFFFF) % BANKS, return_counts=True)
    groups, first = np.unique(by_bank[0] >> 32, return_index=True)
    turns = np.maximum.reduceat(by_bank[1], first)
    return len(np.unique(lanes >> 5)), int(turns.sum()) - len(groups)


def _sectors(lanes: Array, places: Array, size: int) -> tuple[int, int]:
    """Requests of warps, and the sectors that they touch."""
    ends = np.stack([places // SECTOR, (places + size - 1) // SECTOR], 1)
    return len(np.unique(lanes >> 5)), len(_pairs(lanes >> 5, ends))
