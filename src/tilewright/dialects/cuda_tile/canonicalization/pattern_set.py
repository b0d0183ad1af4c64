"""All canonicalization patterns of the Tile IR dialect."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tilewright.dialects.cuda_tile.canonicalization import (
    arithmetic,
    conversion,
    if_merge,
    if_op,
    memory,
    select,
    shape,
)
from tilewright.rewrite.pattern import RewritePattern

AnyPattern = RewritePattern[Any]

PATTERNS: tuple[AnyPattern, ...] = (
    *if_op.PATTERNS,
    *if_merge.PATTERNS,
    *select.PATTERNS,
    *arithmetic.PATTERNS,
    *conversion.PATTERNS,
    *shape.PATTERNS,
    *memory.PATTERNS,
)


def patterns() -> Sequence[AnyPattern]:
    """Return all patterns, in order."""
    return PATTERNS
