"""Integers as bit patterns in two's complement.

A module of its own: reading a module of Tile IR needs it, and not the algebra of operations.
"""

from __future__ import annotations


def to_signed(pattern: int, width: int) -> int:
    """Return the bit pattern `pattern` of `width` bits, a number from 0 to 2**width - 1, as a number in two's
    complement; 0 for width 0.
    """
    return pattern - (1 << width) if width and pattern >> (width - 1) else pattern


def truncated_quotient(a: int, b: int) -> int:
    """Return ``a / b`` rounded towards zero. Raises `ZeroDivisionError` if ``b`` is 0."""
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
