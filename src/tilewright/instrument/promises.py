"""``promises``: checks of assumptions that a program states, and of behaviour that Tile IR leaves undefined."""

from __future__ import annotations

from tilewright.dialects.cuda_tile.assumptions import Stride, assumptions_of, strides_of
from tilewright.dialects.cuda_tile.operation_phrases import operation_words
from tilewright.dialects.cuda_tile.ops import control as control_ops, memory as memory_ops, view as view_ops
from tilewright.instrument import promises_assume, promises_folded, promises_integer, tile_indices
from tilewright.instrument.promises_view import VIEWS, unless_one_element
from tilewright.instrument.writer import FOLDS, CheckInserter, Guard, GuardMaker, steps
from tilewright.ir.builder import InsertionPoint
from tilewright.ir.operation import Operation

NAME = "promises"

GUARDS: dict[type[Operation], GuardMaker] = {
    **promises_integer.ARITHMETIC,
    **promises_assume.ASSUMPTIONS,
    **VIEWS,
}
"""The guard makers of operations with assumptions, by their class."""


def insert(entry: Operation) -> int:
    """Insert the checks into the kernel `entry`; return their number, with the accesses to views that were
    marked for a check of their indices.

    Raises `DiagnosticError` for an assumption that cannot be checked.
    """
    count = 0
    # Asked first: the checks are users themselves.
    guarded = [(op, _guard(op), _promised_strides(op)) for op in steps(entry)]
    for op, guard, strides in guarded:
        if guard is not None:
            count += _check(op, guard)
        if isinstance(op, memory_ops.VIEW_ACCESSES):
            count += tile_indices.mark_access(op, NAME)
        for stride, assumption in strides:
            count += _check_stride(op, stride, assumption)
        if isinstance(op, FOLDS):
            count += promises_folded.insert_folded(op, _guard, NAME)
    return count


def _guard(op: Operation) -> Guard | None:
    make = GUARDS.get(op.__class__)
    return make(op) if make is not None else None


def _promised_strides(op: Operation) -> list[tuple[Stride, control_ops.AssumeOp]]:
    """Return the strides of a tensor view with the assumptions about them, one pair for each assumption;
    nothing for other operations.

    Strides of dimensions with a single element are omitted, since they do not matter.
    """
    if not isinstance(op, view_ops.MakeTensorViewOp):
        return []
    return [
        (stride, one) for stride in strides_of(op) if stride.matters for one in assumptions_of(stride.value)
    ]


def _check_stride(view: Operation, stride: Stride, assumption: control_ops.AssumeOp) -> int:
    write = CheckInserter(InsertionPoint.before(view), assumption.lazy_location)
    count = 0
    for holds, message in promises_assume.assumption_guard(assumption)(write):
        write.check(
            NAME, unless_one_element(write, holds, stride), f"{operation_words(assumption)}: {message}"
        )
        count += 1
    return count


def _check(op: Operation, guard: Guard) -> int:
    write, count = CheckInserter.before(op), 0
    for holds, message in guard(write):
        write.check(NAME, holds, f"{operation_words(op)}: {message}", op)
        count += 1
    return count
