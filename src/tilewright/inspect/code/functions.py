"""Where functions begin, from the table that exception handling leaves in every program, stripped or not."""

from __future__ import annotations

import numpy as np

from tilewright.inspect.arrays import Positions, no_positions
from tilewright.inspect.binary.image import MemoryRegion, ProgramImage

NAME = ".eh_frame_hdr"
HEADER = b"\x01\x1b\x03\x3b"
"""Version 1; frame pointer relative, signed 4 bytes; count of 4 bytes; table of pairs relative to its own start."""
PAIR = np.dtype([("start", "<i4"), ("frame", "<i4")])


def function_starts(image: ProgramImage) -> Positions:
    """Return the sorted addresses of functions; none if the table is missing or has another form."""
    found = [starts for region in image.data if len(starts := _of_region(image, region))]
    return np.unique(np.concatenate(found)) if found else no_positions()


def _of_region(image: ProgramImage, region: MemoryRegion) -> Positions:
    position = 0 if region.name == NAME else _search(region)
    data = region.data[position:]
    if len(data) < 12 or data[:4].tobytes() != HEADER:
        return no_positions()
    count = min(int.from_bytes(data[8:12].tobytes(), "little"), (len(data) - 12) // PAIR.itemsize)
    pairs = np.frombuffer(data[12 : 12 + count * PAIR.itemsize].tobytes(), PAIR)
    starts = pairs["start"].astype(np.int64) + region.address + position
    if not len(starts) or (np.diff(starts) < 0).any():
        return no_positions()
    return starts[image.is_code(starts.astype(np.uint64))] if (starts > 0).all() else no_positions()


def _search(region: MemoryRegion) -> int:
    """Return the position where the header may begin in a segment with several sections; the segment's end if
    there is none.
    """
    if not region.name.startswith("segment") or region.writable:
        return len(region.data)
    for at in np.flatnonzero(region.data[:-12:4] == HEADER[0])[: 1 << 20].tolist():
        if region.data[4 * at : 4 * at + 4].tobytes() == HEADER:
            return 4 * at
    return len(region.data)


def enclosing(starts: Positions, addresses: Positions) -> Positions:
    """Return for each address the function that contains it, or 0 if it is unknown."""
    if not len(starts):
        return np.zeros(len(addresses), np.int64)
    at = np.searchsorted(starts, addresses, side="right") - 1
    return np.where(at >= 0, starts[np.maximum(at, 0)], 0)
