"""Swizzles: permutations of offsets that combine some of their bits with others, to spread accesses over banks."""

from __future__ import annotations

from dataclasses import dataclass

from tilewright.ir.diagnostic import failure
from tilewright.layouts.codes import BAD_LAYOUT

MAX_BITS = 64
"""The maximum number of bits of an offset."""


@dataclass(frozen=True, slots=True)
class Swizzle:
    """``S<bits,base,shift>``: xors ``bits`` bits of an offset, those from ``base + shift`` on, into those from ``base`` on.

    With a negative shift the bits from ``base`` on are xored into those from ``base - shift`` on.  Raises
    `DiagnosticError` unless the two groups of bits are disjoint, which makes the permutation its own inverse.
    """

    bits: int
    base: int
    shift: int

    def __post_init__(self) -> None:
        if abs(self.shift) < self.bits:
            raise failure(BAD_LAYOUT, f"expected a shift of at least {self.bits}, got {self.shift}")
        if min(self.bits, self.base) < 0 or self.bits + self.base + abs(self.shift) > MAX_BITS:
            raise failure(BAD_LAYOUT, f"expected a swizzle of bits 0 to {MAX_BITS - 1}, got {self}")

    def __call__(self, offset: int) -> int:
        """Return the permuted offset."""
        mask = ((1 << self.bits) - 1) << (self.base + max(self.shift, 0))
        moved = offset & mask
        return offset ^ (moved >> self.shift if self.shift >= 0 else moved << -self.shift)

    def __str__(self) -> str:
        return f"S<{self.bits},{self.base},{self.shift}>"
