"""The memory representation of tf32: the bits of an f32 with zero low bits."""

from __future__ import annotations

from tilewright.targets.elements.expression import Expression

TF32_BITS = ~0x1FFF
"""The mask of the bits of an f32 that a tf32 has."""
MAGNITUDE, INFINITY, QUIET = 0x7FFFFFFF, 0x7F800000, 0x00400000
"""Bits of an f32: all but the sign, an infinity, and the bit that makes an infinity a quiet NaN."""


def without_low_bits(bits: Expression) -> Expression:
    """Return the bits of an f32 as tf32. A NaN whose payload is in the low bits only stays a NaN."""
    kept = bits & TF32_BITS
    is_nan = (kept & MAGNITUDE).compare("EQ", INFINITY) & bits.compare("NE", kept)
    return is_nan.select(kept | QUIET, kept)
