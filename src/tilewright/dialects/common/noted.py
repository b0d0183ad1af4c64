"""Notes of tile dialects on operations of `arith` and `math` that say how they compute.

Tile IR rounds and flushes in ways for which MLIR's operations have no field; the lowering writes that into discardable
attributes.  Whoever computes such an operation, or puts another in its place, has to know them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

from tilewright.ir.attribute import Attribute
from tilewright.ir.operation import FoldResult, Operation

NOTES = frozenset({"nv_tileaa.rounding_mode", "nv_tileaa.flush_to_zero", "nv_tileaa.saturating"})
"""Names of the attributes."""

Fold = Callable[[Any, Sequence[Attribute | None]], FoldResult]


def is_noted(op: Operation) -> bool:
    """Whether an operation computes otherwise than its declaration says."""
    return not NOTES.isdisjoint(op.held_attributes)


def unless_noted(fold: Fold) -> Fold:
    """A fold that declines for operations with a note."""

    @wraps(fold)
    def plain(op: Operation, constants: Sequence[Attribute | None]) -> FoldResult:
        return None if is_noted(op) else fold(op, constants)

    return plain
