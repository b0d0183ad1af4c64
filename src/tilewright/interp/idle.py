"""Finds operations whose results affect neither the addresses that a launch accesses nor its control flow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from tilewright.dialects.cuda_tile.ops import control, memory, tile as tiles
from tilewright.dialects.cuda_tile.types import PointerType, TileType, TokenType
from tilewright.interp.values import tile_format
from tilewright.ir.block import Block
from tilewright.ir.declaration.traits import NoMemoryEffect, Pure
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

_FOLDS = (tiles.ReduceOp, tiles.ScanOp)
_LOOPS = (control.ForOp, control.LoopOp)
_ENDS = (control.YieldOp, control.ContinueOp, control.BreakOp)
_READS = (
    memory.LoadPtrTkoOp,
    memory.LoadViewTkoOp,
    memory.MultimemLoadReduceViewTkoOp,
    memory.AtomicCASTkoOp,
    memory.AtomicRMWTkoOp,
)
_STORED: dict[type[Operation], str] = {
    memory.StorePtrTkoOp: "value",
    memory.StoreViewTkoOp: "tile",
    memory.MultimemStoreViewTkoOp: "tile",
}
"""By their class, the operand that stores write."""


def idle_operations(entry: Operation) -> frozenset[Operation]:
    """Return the operations of a kernel whose results are only written to memory or printed.

    The set is empty if addresses or control flow depend on values from memory.
    """
    ops = list(executed_operations(entry))
    movable = {op for op in ops if _is_computation(op)}
    pending = [value for op in ops if op not in movable for value in _deciding(op)]
    needed: set[Value] = set()
    while pending:
        value = pending.pop()
        if value in needed:
            continue
        needed.add(value)
        found = sources(value)
        if found is None:
            return frozenset()
        pending += found
    return frozenset(op for op in movable if needed.isdisjoint(op.results))


def nothing(op: Operation) -> Any:
    """Return tiles of zeros for the results of an operation, as its evaluation returns results."""
    made: list[Any] = []
    for result in op.results:
        assert isinstance(result.type, TileType), "only computations on tiles are left out"
        made.append(np.zeros(result.type.shape, tile_format(result.type).array_dtype))
    return made[0] if len(made) == 1 else tuple(made)


def executed_operations(op: Operation) -> Iterator[Operation]:
    """Yield the operations that a tile block executes; bodies of reductions and scans are parts of these."""
    for region in op.regions:
        for block in region.blocks:
            for inner in block:
                yield inner
                if not isinstance(inner, _FOLDS):
                    yield from executed_operations(inner)


def _is_computation(op: Operation) -> bool:
    """Return whether an operation only computes tiles of numbers: it uses no memory and is no part of the
    control flow.
    """
    if not op.results or not (isinstance(op, _FOLDS) or (_is_pure(op) and not op.regions)):
        return False
    return all(
        isinstance(one.type, TileType) and not isinstance(one.type.element_type, PointerType)
        for one in op.results
    )


def _is_pure(op: Operation) -> bool:
    return op.has_trait(Pure) or op.has_trait(NoMemoryEffect)


def _deciding(op: Operation) -> Sequence[Value]:
    """Return the operands that decide an access or a step of control flow by themselves: stored, carried and
    printed values do not. Empty for a print and for the end of a region.
    """
    if isinstance(op, (*_ENDS, control.PrintTkoOp)):
        return ()
    if isinstance(op, _LOOPS):
        return op.operands[: len(op.operands) - len(op.init_values)]
    stored = _STORED.get(type(op))
    return [value for value in op.operands if stored is None or value is not getattr(op, stored)]


def sources(value: Value) -> Sequence[Value] | None:
    """Return the values that a value is directly computed from: the operands of its operation, and for a
    result or an argument of a loop or branch the values that are passed to it. The sequence is empty for a
    token, which only orders accesses, and for an argument that nothing computes. Return None if the value
    comes from memory.
    """
    owner: Any = value.owner
    if isinstance(value.type, TokenType):
        return ()
    if isinstance(owner, Block):
        return _carried_in(owner, value)
    if isinstance(owner, (*_LOOPS, control.IfOp)):
        return _carried_out(owner, owner.results.index(value))
    if isinstance(owner, _FOLDS):
        return [operand for op in owner.walk() for operand in op.operands]
    return None if isinstance(owner, _READS) and isinstance(value.type, TileType) else owner.operands


def _carried_in(block: Block, value: Any) -> Sequence[Value]:
    """Return the initial value of an argument of a loop's body, and the values of later iterations. Empty for
    the counter of a loop, and for a block that is no body of a loop.
    """
    loop = block.parent_op
    position: int = value.index - isinstance(loop, control.ForOp)
    if not isinstance(loop, _LOOPS) or position < 0:
        return ()
    first = loop.init_values[position]
    return [first, *(end.operands[position] for end in _ends(loop, control.ContinueOp))]


def _carried_out(op: control.ForOp | control.LoopOp | control.IfOp, position: int) -> Sequence[Value]:
    """Return the values that result number `position` of a loop or branch may be."""
    if isinstance(op, control.IfOp):
        return [end.operands[position] for end in _ends(op, control.YieldOp)]
    if isinstance(op, control.LoopOp):
        return [end.operands[position] for end in _ends(op, control.BreakOp)]
    first = op.init_values[position]
    return [first, *(end.operands[position] for end in _ends(op, control.ContinueOp))]


def _ends(op: Operation, kind: type[Operation]) -> Iterator[Operation]:
    """Yield the terminators of the class `kind` that end a branch or an iteration of `op`, a loop or an `if`."""
    wanted = (control.IfOp,) if kind is control.YieldOp else _LOOPS
    for end in executed_operations(op):
        if isinstance(end, kind) and next(one for one in end.ancestors() if isinstance(one, wanted)) is op:
            yield end
