"""Addresses of a launch in the simulator: which array each is in, to the byte at either end."""

from __future__ import annotations

import numpy as np
import pytest

from tilewright.interp.memory.allocation import Allocation
from tilewright.targets.nvptx.simulated import SimulatedMemory

PLACES = {"a": (64, 32), "b": (128, 16), "empty": (200, 0)}
"""First bytes and sizes of arrays in a buffer."""


@pytest.fixture
def buffer() -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
    return np.arange(256, dtype=np.uint8)


@pytest.mark.parametrize("at", [0, 63, 64, 65, 95, 96, 127, 128, 143, 144, 199, 200, 201, 255])
def test_pointers_into_arrays(buffer: np.ndarray[tuple[int], np.dtype[np.uint8]], at: int) -> None:
    base = buffer.ctypes.data
    arrays = [Allocation(base + first, size, name, owner=buffer) for name, (first, size) in PLACES.items()]
    found = SimulatedMemory(arrays, ()).pointer(base + at)
    around = next(((first, size) for first, size in PLACES.values() if first <= at < first + size), None)
    if around is not None:
        assert found is not None
        assert found.offset == at - around[0]
        assert found.region.data.tolist() == list(range(around[0], sum(around)))
    else:
        assert (found is not None) == (at == PLACES["empty"][0])
