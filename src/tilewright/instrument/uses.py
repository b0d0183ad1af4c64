"""Uses that need specified elements: memory, addresses, conditions, and outputs of the program."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from tilewright.dialects.cuda_tile.operation_phrases import MASKED_OPERANDS
from tilewright.dialects.cuda_tile.ops import control, memory, tile as tiles, view as view_ops
from tilewright.instrument import views as instrument_views, writer
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

Use = tuple[Value, str, "Value | None"]
"""An operand that must be specified, its description in the message ("the address"), and the mask of the
elements that matter (None: all).
"""
Uses = Callable[[writer.CheckInserter, Any], Iterator[Use]]


def _through_pointers(
    write: writer.CheckInserter,
    op: memory.AtomicCASTkoOp | memory.AtomicRMWTkoOp | memory.LoadPtrTkoOp | memory.StorePtrTkoOp,
) -> Iterator[Use]:
    if op.mask is not None:
        yield op.mask, "the mask uses", None
    for field in op.kind.operands:
        if field.name in MASKED_OPERANDS:
            yield getattr(op, field.name), f"{MASKED_OPERANDS[field.name]} uses", op.mask


def _of_a_view(write: writer.CheckInserter, op: memory.ViewAccess) -> Iterator[Use]:
    """Yield the uses of an access to a view: its indices, and, of the tile that is stored or combined with
    memory, the elements inside the tensor.
    """
    for index in op.index:
        yield index, "the index uses", None
    tile = next((getattr(op, f.name) for f in op.kind.operands if f.name in ("tile", "value")), None)
    if tile is not None:
        yield tile, "the stored tile uses", instrument_views.inside(write, op.view, op.index, op)


def _all(operands: Callable[[Any], Sequence[Value]], what: str) -> Uses:
    def used(write: writer.CheckInserter, op: Operation) -> Iterator[Use]:
        for operand in operands(op):
            yield operand, what, None

    return used


def _bounds(write: writer.CheckInserter, op: control.ForOp) -> Iterator[Use]:
    for operand, name in zip(op.operands, ("lower bound", "upper bound", "step"), strict=False):
        yield operand, f"the {name} is", None


USES: dict[Any, Uses] = {
    **dict.fromkeys(
        (memory.LoadPtrTkoOp, memory.StorePtrTkoOp, memory.AtomicRMWTkoOp, memory.AtomicCASTkoOp),
        _through_pointers,
    ),
    **dict.fromkeys(memory.VIEW_ACCESSES, _of_a_view),
    control.PrintTkoOp: _all(lambda op: op.args, "the printed tile uses"),
    control.AssertOp: _all(lambda op: op.operands, "the asserted condition uses"),
    view_ops.MakeTensorViewOp: _all(lambda op: op.operands, "the address, length or stride of a view uses"),
    tiles.ExtractOp: _all(lambda op: op.indices, "the slice number uses"),
    tiles.InsertOp: _all(lambda op: op.indices, "the slice number uses"),
    control.IfOp: _all(lambda op: op.operands, "the condition is"),
    control.ForOp: _bounds,
}
"""The uses of operations, by their class."""
