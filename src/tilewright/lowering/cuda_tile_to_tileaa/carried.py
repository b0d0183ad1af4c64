"""Passes values from the first region of an `scf.while` to its second region, as block arguments or by
repeating their operations.
"""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.dialects.cuda_tile.ops import control, tile as tiles, view as view_ops
from tilewright.dialects.scf.ops_loop import YieldOp
from tilewright.ir.block import Block
from tilewright.ir.operation import Operation
from tilewright.ir.value import OpResult, Value

RECOMPUTED = (
    control.AssumeOp,
    control.GetGlobalOp,
    control.GetNumTileBlocksOp,
    control.GetTileBlockIdOp,
    view_ops.MakeGatherScatterViewOp,
    view_ops.MakePartitionViewOp,
    view_ops.MakeStridedViewOp,
    view_ops.MakeTensorViewOp,
    tiles.BroadcastOp,
    tiles.ConstantOp,
    tiles.IotaOp,
    tiles.OffsetOp,
    tiles.ReshapeOp,
)
"""Operations that the second region repeats instead of receiving their results as arguments: views cannot be
arguments, and tiles would be copied in every iteration.
"""


class AfterRegionMapping:
    """Maps values defined in the block ``first`` to values in a new second ``block``. A value that is needed
    there becomes an argument of the second block; the operations `RECOMPUTED` are repeated in it instead.
    ``passed`` lists the values for the arguments, in order.
    """

    def __init__(self, first: Block, passed: Sequence[Value]) -> None:
        self.first = first
        self.passed = list(passed)
        self.block = Block([value.type for value in passed])
        self.known: dict[Value, Value] = {}
        for value, argument in zip(passed, self.block.arguments, strict=True):
            self.known.setdefault(value, argument)

    def __call__(self, value: Value) -> Value:
        """Return the value that replaces `value` in the second block: an argument, a repeated result, or
        `value` itself if it is not defined in the first block.
        """
        found = self.known.get(value)
        if found is None:
            found = self.known[value] = self._threaded(value) if self._is_ours(value) else value
        return found

    def _is_ours(self, value: Value) -> bool:
        return value.parent_block is self.first

    def _threaded(self, value: Value) -> Value:
        if isinstance(value, OpResult) and isinstance(value.owner, RECOMPUTED):
            again = value.owner.clone({operand: self(operand) for operand in value.owner.operands})
            return self.block.append(again).results[value.index]
        self.passed.append(value)
        return self.block.add_argument(value.type)


def build_after_region(
    first: Block, rest: Block, results: Sequence[Value], carried: Sequence[Value]
) -> tuple[list[Value], Block]:
    """Build the second region of a `while` by moving the operations out of ``rest``; its `yield` has the
    values ``carried``. Values of the block ``first`` that these operations use are replaced.

    Return the values that the first region has to pass on, beginning with ``results``, and the block of the
    second region, which takes them as arguments.
    """
    mapping = AfterRegionMapping(first, results)
    ops = list(rest)
    for op in ops:
        _replace_inside(op, mapping)
    ending = [mapping(value) for value in carried]
    for op in ops:
        mapping.block.append(op.detach())
    mapping.block.append(YieldOp(tuple(ending)))
    return mapping.passed, mapping.block


def _replace_inside(op: Operation, mapping: AfterRegionMapping) -> None:
    for inner in op.walk():
        operands = [mapping(operand) for operand in inner.operands]
        if any(new is not old for new, old in zip(operands, inner.operands, strict=True)):
            inner.set_operands(operands)
