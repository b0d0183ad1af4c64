"""Memory of one state space: bytes, which of them exist, and which of them are undefined."""

from __future__ import annotations

from typing import Any

import numpy as np

from tilewright.ptxsim import codes
from tilewright.ptxsim.faults import Fault
from tilewright.ptxsim.values import UNSIGNED, Array

GUARD = 64
"""Between two allocations lie at least so many bytes that no access may touch."""


class Storage:
    """Bytes from address ``base`` on.  Without ``poison`` every byte is defined."""

    def __init__(self, name: str, base: int, size: int, *, poison: bool) -> None:
        self.name = name
        self.base = base
        self.used = 0
        self._resize(size)
        self.poison: Any = np.ones(len(self.bytes), np.bool_) if poison else None

    def _resize(self, size: int) -> None:
        self.bytes: Any = np.zeros(-(-size // 16) * 16 + GUARD, np.uint8)
        self.valid: Any = np.zeros(len(self.bytes), np.bool_)
        self._views = {bits // 8: self.bytes.view(kind) for bits, kind in UNSIGNED.items() if bits > 1}

    def grow(self, size: int) -> None:
        """Make room for so many bytes; what is there stays."""
        if size + GUARD <= len(self.bytes):
            return
        before, valid, poison = self.bytes, self.valid, self.poison
        self._resize(2 * size)
        self.bytes[: len(before)], self.valid[: len(before)] = before, valid
        if poison is not None:
            self.poison = np.ones(len(self.bytes), np.bool_)
            self.poison[: len(before)] = poison

    def allocate(self, size: int, align: int) -> int:
        """The address of new bytes, apart from all others."""
        start = -(-self.used // max(align, 1)) * max(align, 1)
        self.grow(start + size)
        self.valid[start : start + size] = True
        self.used = start + size + GUARD
        return self.base + start

    def write(self, address: int, data: bytes) -> None:
        """Put defined bytes at an address."""
        start = address - self.base
        self.bytes[start : start + len(data)] = np.frombuffer(data, np.uint8)
        if self.poison is not None:
            self.poison[start : start + len(data)] = False

    def check(self, addresses: Array, size: int, verb: str) -> Array:
        """The places of addresses in the bytes.  Raises `Fault` for one that is outside or misaligned."""
        places = addresses - np.uint64(self.base)
        inside = places < np.uint64(max(len(self.bytes) - size, 0))
        legal = inside & self.valid[np.where(inside, places, 0)]
        legal &= self.valid[np.where(inside, places + np.uint64(size - 1), 0)]
        if not legal.all():
            at = int(addresses[int(np.argmin(legal))])
            message = f"{verb} of {size} bytes at {self.name} address {at:#x}, where nothing is allocated"
            raise Fault(codes.OUT_OF_BOUNDS, message)
        if (places & np.uint64(size - 1)).any():
            at = int(addresses[int(np.argmax((places & np.uint64(size - 1)) != 0))])
            raise Fault(codes.MISALIGNED, f"{verb} of {size} bytes at {self.name} address {at:#x}")
        return places.astype(np.int64)

    def load(self, places: Array, size: int) -> tuple[Array, Array | None]:
        """Words of so many bytes, and which of them are undefined (None: none is)."""
        found = self._views[size][places // size]
        if self.poison is None:
            return found, None
        undefined = self.poison[places]
        for at in range(1, size):
            undefined = undefined | self.poison[places + at]
        return found, undefined if undefined.any() else None

    def store(self, places: Array, size: int, value: Array, poison: Array | None) -> None:
        """Put words of so many bytes; of equal places the last one counts."""
        self._views[size][places // size] = value
        if self.poison is not None:
            for at in range(size):
                self.poison[places + at] = False if poison is None else poison
