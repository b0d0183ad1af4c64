"""A tf32 as memory holds it: the bits of an f32 without the low ones."""

from __future__ import annotations

from tilewright.targets.elements.expression import Expression

TF32_BITS = ~0x1FFF
"""The bits of an f32 that a tf32 has."""
MAGNITUDE, INFINITY, QUIET = 0x7FFFFFFF, 0x7F800000, 0x00400000
"""Bits of an f32: all but the sign, those of an infinity, and that which makes a quiet NaN of an infinity."""


def without_low_bits(bits: Expression) -> Expression:
    """The bits of an f32 as those of a tf32; a NaN that the low bits alone keep from being an infinity stays a NaN."""
    kept = bits & TF32_BITS
    is_nan = (kept & MAGNITUDE).compare("EQ", INFINITY) & bits.compare("NE", kept)
    return is_nan.select(kept | QUIET, kept)
