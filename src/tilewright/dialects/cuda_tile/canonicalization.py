"""Canonical forms of Tile IR: all patterns of the dialect."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tilewright.dialects.cuda_tile import (
    canonicalization_arithmetic,
    canonicalization_conversion,
    canonicalization_if,
    canonicalization_if_merge,
    canonicalization_memory,
    canonicalization_select,
    canonicalization_shape,
)
from tilewright.rewrite.pattern import RewritePattern

AnyPattern = RewritePattern[Any]

PATTERNS: tuple[AnyPattern, ...] = (
    *canonicalization_if.PATTERNS,
    *canonicalization_if_merge.PATTERNS,
    *canonicalization_select.PATTERNS,
    *canonicalization_arithmetic.PATTERNS,
    *canonicalization_conversion.PATTERNS,
    *canonicalization_shape.PATTERNS,
    *canonicalization_memory.PATTERNS,
)


def patterns() -> Sequence[AnyPattern]:
    """All of them, in order."""
    return PATTERNS
