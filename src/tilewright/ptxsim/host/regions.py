"""Memory regions of the host that are mapped to global memory during a launch, and pointers into them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

ALIGNMENT = 256
"""The alignment of regions and arrays in global memory, in bytes."""
KEPT_ALIGNMENT = 16
"""A region keeps its alignment in the host's memory up to this number of bytes: kernels may be compiled for
aligned addresses.
"""


@dataclass(eq=False, slots=True)
class HostRegion:
    """Contiguous bytes of the host, as a one-dimensional array of `uint8`. They are copied to the device, and
    changed bytes are copied back if the region `is_writeable`.

    `skew` is the offset of the first byte from a multiple of `ALIGNMENT`. `pointers` maps offsets of 64-bit
    words to their targets; the words are written as addresses of global memory.
    """

    data: Any
    skew: int = 0
    is_writeable: bool = True
    pointers: dict[int, HostPointer] = field(default_factory=dict["int", "HostPointer"])


@dataclass(eq=False, frozen=True, slots=True)
class Multicast:
    """Arrays of equal size, an array for each device, that `multimem` instructions access together.

    Its address refers to an offset in every copy. Other instructions must not use it.
    """

    copies: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class PlacedRegion:
    """The address range of a multicast object, from `start` to `end` (exclusive), and the address of each
    copy.
    """

    start: int
    end: int
    copies: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class HostPointer:
    """A pointer to the byte at `offset` of a region."""

    region: HostRegion
    offset: int = 0
