"""The array types of this package, and reading little-endian numbers at many places at once.

Positions and addresses inside arrays are int64, words of memory uint64; single addresses are Python ints.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Octets = NDArray[np.uint8]
Words = NDArray[np.uint64]
Positions = NDArray[np.int64]
Flags = NDArray[np.bool_]
Records = NDArray[np.void]

CHUNK = 1 << 24
"""Bytes that one step of a scan looks at: bounds the memory of temporary arrays."""
WORDS_CHUNK = CHUNK // 8
"""Words that one step looks at."""
ADDRESS_LIMIT = 1 << 62
"""Regions above it (kernel addresses) are listed but not scanned, so that sums of positions stay in int64."""


def no_positions() -> Positions:
    """Return an empty array of positions."""
    return np.empty(0, np.int64)


def octets(data: Any) -> Octets:
    """Return a read-only view of a buffer as bytes."""
    return np.frombuffer(data, np.uint8)


def signed32(data: Octets, at: Positions) -> Positions:
    """Return the signed 32-bit numbers, little-endian, at the positions `at` in `data`, where at least four
    bytes must begin.
    """
    value = np.zeros(len(at), np.uint32)
    for byte in range(4):
        value |= data[at + byte].astype(np.uint32) << np.uint32(8 * byte)
    return value.view(np.int32).astype(np.int64)


def unsigned64(data: Octets, at: Positions) -> Words:
    """Return the unsigned 64-bit numbers, little-endian, at the positions `at` in `data`, where at least
    eight bytes must begin.
    """
    value = np.zeros(len(at), np.uint64)
    for byte in range(8):
        value |= data[at + byte].astype(np.uint64) << np.uint64(8 * byte)
    return value


def aligned_words(data: Octets, address: int) -> tuple[int, Words]:
    """Return the first address from `address` on that is a multiple of 8, and the little-endian 64-bit words
    of the region from there. `data` has the bytes of the region, which begins at `address`; an incomplete
    last word is left out.
    """
    skip = -address % 8
    count = (len(data) - skip) // 8
    if count <= 0:
        return address + skip, np.empty(0, np.uint64)
    part = np.ascontiguousarray(data[skip : skip + 8 * count])
    return address + skip, part.view("<u8")


def find_bytes(data: Octets, pattern: bytes, start: int = 0, stop: int | None = None) -> Positions:
    """Return the sorted positions at which `pattern`, which must not be empty, begins. It is searched in the
    bytes from `start` up to, not including, `stop`, by default to the end.
    """
    stop = len(data) if stop is None else stop
    found = [part for part in _matches(data, pattern, start, stop) if len(part)]
    return np.concatenate(found) if found else no_positions()


def _matches(data: Octets, pattern: bytes, start: int, stop: int) -> list[Positions]:
    parts: list[Positions] = []
    last = stop - len(pattern) + 1
    for begin in range(start, max(last, start), CHUNK):
        end = min(begin + CHUNK, last)
        at = np.flatnonzero(data[begin:end] == pattern[0]).astype(np.int64) + begin
        for offset in range(1, len(pattern)):
            at = at[data[at + offset] == pattern[offset]]
        parts.append(at)
    return parts
