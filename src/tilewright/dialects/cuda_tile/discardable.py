"""The discardable attributes of ``cuda_tile``."""

from __future__ import annotations

from tilewright.ir.declaration.attribute_kind import AttributeKind
from tilewright.ir.declaration.discardable import DiscardableAttribute

LOOP_SPLIT = "cuda_tile.loop_split"
"""On `if`, `for` and `entry`: the threshold of `loop-split` for the contents; the innermost attribute holds."""
DISCARDABLE_ATTRIBUTES = (
    DiscardableAttribute(
        LOOP_SPLIT,
        AttributeKind(),  # the pass ignores values that are no integers, with a warning
        "The threshold for splitting loops.",
        ("cuda_tile.if", "cuda_tile.for", "cuda_tile.entry"),
    ),
)
