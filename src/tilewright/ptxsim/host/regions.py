"""Bytes of the host that lie in global memory during a launch, and addresses of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

ALIGNMENT = 256
"""Where regions and arrays begin in global memory."""
KEPT_ALIGNMENT = 16
"""So far a region is aligned as in the memory of the host: kernels may be compiled for what they know of addresses."""


@dataclass(eq=False, slots=True)
class Region:
    """Contiguous bytes of the host, as a one-dimensional array of `uint8`, that are copied in, and back if they are written.

    ``skew`` is where they begin behind a multiple of `ALIGNMENT`.  ``pointers`` are words of 64 bits among the bytes,
    by their place, that are addresses: each of them is put there as an address of global memory.
    """

    data: Any
    skew: int = 0
    is_writeable: bool = True
    pointers: dict[int, Pointer] = field(default_factory=dict["int", "Pointer"])


@dataclass(eq=False, frozen=True, slots=True)
class Multicast:
    """Arrays of one size, one for each device, that `multimem` instructions access together.

    Its address stands for the same place in every copy, and for nothing to other instructions.
    """

    copies: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Placed:
    """The addresses of a multicast object, and where each of its copies begins."""

    start: int
    end: int
    copies: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Pointer:
    """The address of a byte of a region."""

    region: Region
    offset: int = 0
