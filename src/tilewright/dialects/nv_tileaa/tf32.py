"""A tf32 in memory: the bits of an f32 without the low ones."""

from __future__ import annotations

TF32_BITS = ~0x1FFF
"""The bits of an f32 that a tf32 has."""
MAGNITUDE, INFINITY, QUIET = 0x7FFFFFFF, 0x7F800000, 0x00400000
"""Bits of an f32: all but the sign, those of an infinity, and that which makes a quiet NaN of an infinity."""
