"""Canonical forms of operations on buffers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tilewright.dialects.common.constant_folding import defined_by
from tilewright.dialects.memref import ops_access as memref_access, ops_view as memref_view
from tilewright.dialects.memref.ops_buffer import AllocaOp, AllocOp, CopyOp, DeallocOp, DimOp
from tilewright.ir.arithmetic.strided_layout import strides_and_offset
from tilewright.ir.builtin_types import DYNAMIC, MemRefType
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.rewrite.pattern import NoMatch, RewritePattern, pattern
from tilewright.rewrite.rewriter import Rewriter

AnyPattern = RewritePattern[Any]


def only_forgets(cast: Any) -> bool:
    """Return whether a cast between ranked buffers only makes extents, strides or the offset dynamic: each is
    equal in both types, or dynamic in the target. Return False for unranked buffers, and for layouts that are
    not strided.
    """
    source, target = cast.source.type, cast.dest.type
    if not isinstance(source, MemRefType) or not isinstance(target, MemRefType):
        return False
    first, second = strides_and_offset(source), strides_and_offset(target)
    if first is None or second is None:
        return False
    pairs = zip(_facts(source, *first), _facts(target, *second), strict=True)
    return all(a == b or b == DYNAMIC for a, b in pairs)


def _facts(type: MemRefType, strides: Sequence[int], offset: int) -> list[int]:
    return [*type.shape, *strides, offset]


def _cast_into(root: Any, positions: Sequence[int]) -> AnyPattern:
    ways = [{position: memref_view.CastOp} for position in positions]

    @pattern(root, name=f"FoldCastInto<{root.op_kind.name}>", defined_by=ways)
    def rule(op: Operation, rewriter: Rewriter) -> NoMatch | None:
        """Replace operands that are casts by the sources of the casts, if these only make extents, strides or
        the offset dynamic.
        """
        operands = list(op.operands)
        for position in positions:
            cast = defined_by(operands[position], memref_view.CastOp)
            if cast is not None and only_forgets(cast):
                operands[position] = cast.source
        if operands == list(op.operands):
            return rewriter.no_match("no operand is a cast that only forgets")
        rewriter.set_operands(op, operands)
        return None

    return rule


@pattern(memref_view.CastOp, name="FoldCastOfCast", defined_by=({0: memref_view.CastOp},))
def cast_of_cast(op: memref_view.CastOp, rewriter: Rewriter) -> NoMatch | None:
    """Cast the source of the first of two casts directly to the result type of the second, if the first one
    only makes extents, strides or the offset dynamic.
    """
    inner = defined_by(op.source, memref_view.CastOp)
    if inner is None or not only_forgets(inner):
        return rewriter.no_match("the source is no cast that only forgets")
    rewriter.set_operands(op, [inner.source])
    return None


@pattern(CopyOp, name="FoldSelfCopy")
def self_copy(op: CopyOp, rewriter: Rewriter) -> NoMatch | None:
    """Erase a copy of a buffer to itself."""
    if op.source is not op.target:
        return rewriter.no_match("the buffers differ")
    rewriter.erase(op)
    return None


def _dead_allocation(root: Any) -> AnyPattern:
    @pattern(root, name=f"SimplifyDeadAlloc<{root.op_kind.name}>")
    def rule(op: AllocOp | AllocaOp, rewriter: Rewriter) -> NoMatch | None:
        """Erase a buffer whose users only store other values to it or free it, with these users."""
        users = list(op.memref.uses)
        if not all(_only_writes(user, op.memref) for user in users):
            return rewriter.no_match("the buffer is used for more than storing")
        for user in users:
            rewriter.erase(user)
        rewriter.erase(op)
        return None

    return rule


def _only_writes(user: Any, buffer: Value) -> bool:
    """Return whether an operation is a `memref.store` of another value than ``buffer``, or frees a buffer."""
    if isinstance(user, memref_access.StoreOp):
        return user.value is not buffer
    return isinstance(user, DeallocOp)


def patterns() -> Sequence[AnyPattern]:
    """Return all patterns of the dialect."""
    return [
        cast_of_cast,
        _cast_into(memref_access.LoadOp, (0,)),
        _cast_into(memref_access.StoreOp, (1,)),
        _cast_into(memref_access.PrefetchOp, (0,)),
        _cast_into(DimOp, (0,)),
        _cast_into(DeallocOp, (0,)),
        _cast_into(CopyOp, (0, 1)),
        self_copy,
        _dead_allocation(AllocOp),
        _dead_allocation(AllocaOp),
    ]
