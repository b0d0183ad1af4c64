"""The addresses that the operating system has mapped for this process, so that no access crashes it."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tilewright.interp.numerics.element import BoolArray, NumpyArray

_MAPS = Path("/proc/self/maps")


class ProcessMemory:
    """The readable and the writeable address ranges; read from Linux's process table when needed.

    Where the operating system does not tell, nothing is permitted: then every buffer must be passed as an array.
    """

    def __init__(self) -> None:
        self._ranges: dict[bool, tuple[NumpyArray, NumpyArray]] = {}

    def permits(self, addresses: NumpyArray, size: int, *, write: bool) -> BoolArray:
        """Return for each element of ``size`` bytes whether it may be read (or written); reload the map if some may
        not.
        """
        allowed = self._inside(addresses, size, write)
        if not allowed.all():
            self._ranges = {False: _mapped("r"), True: _mapped("w")}
            allowed = self._inside(addresses, size, write)
        return allowed

    def _inside(self, addresses: NumpyArray, size: int, write: bool) -> BoolArray:
        starts, ends = self._ranges.get(write, (np.zeros(0, np.int64), np.zeros(0, np.int64)))
        if not starts.size:
            return np.zeros(addresses.shape, np.bool_)
        position = np.searchsorted(starts, addresses, side="right") - 1
        return np.asarray((position >= 0) & (addresses <= ends[np.maximum(position, 0)] - size))


def _mapped(permission: str) -> tuple[NumpyArray, NumpyArray]:
    """Return the begin and end addresses of the memory ranges with a permission; adjacent ranges are joined."""
    joined: list[list[int]] = []
    for line in _MAPS.read_text().splitlines() if _MAPS.exists() else ():
        extent, flags = line.split(maxsplit=2)[:2]
        start, end = (int(part, 16) for part in extent.split("-"))
        if permission not in flags or end >= 1 << 63:
            continue
        if joined and joined[-1][1] == start:
            joined[-1][1] = end
        else:
            joined.append([start, end])
    ranges = np.array(joined, dtype=np.int64).reshape(-1, 2)
    return ranges[:, 0], ranges[:, 1]
