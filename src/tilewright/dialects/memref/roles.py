"""What rules know of the other operations of the dialect; rules stand below the operations, which call them."""

from __future__ import annotations

from tilewright.dialects.common.base import StandardOp


class GlobalRole(StandardOp):
    """`memref.global`."""
