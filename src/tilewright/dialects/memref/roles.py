"""Base classes of the dialect's operations, by which rules recognise them. Rules stand below the operations, which
call them.
"""

from __future__ import annotations

from tilewright.dialects.common.base import StandardOp


class MemRefGlobalRole(StandardOp):
    """The base class of `memref.global`, by which rules recognise it."""
