"""The parameters that lead to memory which a kernel may change."""

from __future__ import annotations

from tilewright.dialects.cuda_tile.ops import control as control_ops, memory as ops
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.optimizer.analysis import pointer_origins, query

WRITES: dict[type[Operation], str] = {
    ops.StorePtrTkoOp: "destination",
    ops.StoreViewTkoOp: "view",
    ops.AtomicCASTkoOp: "pointers",
    ops.AtomicRMWTkoOp: "pointers",
    ops.AtomicRedViewTkoOp: "view",
    ops.MultimemReduceViewTkoOp: "view",
    ops.MultimemStoreViewTkoOp: "view",
}
"""For each operation that may change memory, the name of the operand that refers to this memory."""


def written_parameters(entry: control_ops.EntryOp) -> frozenset[int] | None:
    """Return the indices of the parameters whose memory the kernel `entry` may change; None if it may change
    any memory.
    """
    facts = query.ValueFactsAnalysis(entry)
    found: set[int] = set()
    for place in {place: None for op in entry.walk() if (place := _place(op)) is not None}:
        roots = facts.pointer_origin(place).roots
        if roots is None:
            return None
        found |= pointer_origins.parameters(roots)
    return frozenset(found)


def _place(op: Operation) -> Value | None:
    operand = WRITES.get(type(op))
    return None if operand is None else getattr(op, operand)
