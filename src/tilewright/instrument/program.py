"""Facts about a kernel that checks need."""

from __future__ import annotations

from tilewright.dialects.cuda_tile.ops.tile import ReduceOp, ScanOp
from tilewright.ir.operation import Operation

FOLDS = (ReduceOp, ScanOp)
"""Operations whose bodies only define how elements are combined, and do not run as a part of the program."""


def steps(entry: Operation) -> list[Operation]:
    """Return the operations that a tile block executes, in order, including operations of branches and iterations."""
    found: list[Operation] = []
    pending = _inner(entry)
    while pending:
        op = pending.pop()
        found.append(op)
        if not isinstance(op, FOLDS):
            pending += _inner(op)
    return found


def _inner(op: Operation) -> list[Operation]:
    """Return the operations in the regions of an operation, the last one first."""
    return [inner for region in op.regions for block in region.blocks for inner in block][::-1]
