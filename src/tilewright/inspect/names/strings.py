"""Text in memory: strings that end with a NUL, found through their last characters."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tilewright.inspect.arrays import Octets, Positions, find_bytes
from tilewright.inspect.binary.image import MAXIMUM_STRING, MemoryRegion, ProgramImage


@dataclass(frozen=True, slots=True)
class Text:
    """A string and where it starts."""

    address: int
    value: str


def strings_ending(image: ProgramImage, end: bytes) -> list[Text]:
    """Return the printable strings of data that end with ``end`` before the NUL, by address."""
    found: list[Text] = []
    for region in image.data:
        stops = find_bytes(region.data, end + b"\0") + len(end)
        starts = starts_of(region.data, stops)
        found += [_text(region, int(a), int(b)) for a, b in zip(starts, stops, strict=True) if a < b]
    return found


def starts_of(data: Octets, stops: Positions) -> Positions:
    """Return for each end of a string the position of its first character, after the last byte that is not
    printable. Strings longer than `MAXIMUM_STRING` are cut at their front.
    """
    starts = stops.copy()
    open_ = np.arange(len(stops))
    for step in range(1, MAXIMUM_STRING + 1):
        at = stops[open_] - step
        alive = at >= 0
        byte = data[np.maximum(at, 0)]
        alive &= (byte >= 0x20) & (byte < 0x7F)
        open_ = open_[alive]
        if not len(open_):
            break
        starts[open_] -= 1
    return starts


def _text(region: MemoryRegion, start: int, stop: int) -> Text:
    return Text(region.address + start, region.data[start:stop].tobytes().decode("ascii"))
