"""The ``memref`` dialect: buffers in memory, views of them, and accesses to their elements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tilewright.dialects.arith.dialect import materialize_constant
from tilewright.dialects.common.constant_folding import Constants, defined_by, splat_pattern
from tilewright.dialects.memref import ops_access, ops_buffer, ops_view
from tilewright.dialects.memref.ops_buffer import AllocaOp, AllocOp, DimOp, RankOp
from tilewright.ir import builtin_attributes, dialect
from tilewright.ir.attribute import Attribute
from tilewright.ir.builtin_types import MemRefType, RankedTensorType, index
from tilewright.ir.interfaces.control_flow import InlinerInterface
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

HAND_WRITTEN_SYNTAX: tuple[str, ...] = (
    "memref.alloca_scope",
    "memref.dma_start",
    "memref.generic_atomic_rmw",
    "memref.prefetch",
    "memref.transpose",
)
"""Operations whose custom syntax is written in Python instead of an assembly format."""

OPERATIONS = (
    *ops_buffer.OPERATIONS,
    *ops_access.OPERATIONS,
    *ops_view.OPERATIONS,
)


def _folds() -> dialect.FoldTable:
    """Return the dialect's table of folds."""

    return FOLDS


def _patterns() -> Sequence[Any]:
    """Return the canonicalization patterns of the dialect, which are imported on first use."""
    from tilewright.dialects.memref.canonicalization import patterns

    return patterns()


MEMREF = dialect.Dialect(
    "memref",
    doc="The ``memref`` dialect: buffers in memory, views of them, and accesses to their elements.",
    operations=OPERATIONS,
    folds=_folds,
    materialize_constant=materialize_constant,
    canonicalization_patterns=_patterns,
    interfaces=(InlinerInterface(),),
    depends_on=("arith",),
)


Folded = Value | Attribute | None


def fold_dim(op: Operation, constants: Constants) -> Folded:
    """Fold `dim` with a constant dimension to a static extent of the type, or to the size operand of the
    allocation that defines the buffer. A dimension beyond the rank, which is undefined, is not folded.
    """
    source, number = op.operands[0], splat_pattern(constants[1])
    type = source.type
    if not isinstance(type, MemRefType | RankedTensorType) or number is None or number >= len(type.shape):
        return None  # beyond the rank it is undefined
    extent = type.shape[number]
    if extent >= 0:
        return builtin_attributes.IntegerAttr(index, extent)
    allocation: Any = defined_by(source, AllocOp, AllocaOp)
    if allocation is None:
        return None
    return allocation.dynamicSizes[sum(size < 0 for size in type.shape[:number])]


def fold_rank(op: Operation, constants: Constants) -> Folded:
    """Fold `rank` of a ranked memref to a constant. Return None for an unranked memref."""
    type = op.operands[0].type
    return builtin_attributes.IntegerAttr(index, len(type.shape)) if isinstance(type, MemRefType) else None


def fold_cast(op: Operation, constants: Constants) -> Folded:
    """Fold a cast to the same type to its operand, and a cast of a cast of x, back to the type of x, to x."""
    source, target = op.operands[0], op.results[0].type
    if source.type is target:
        return source
    inner = defined_by(source, type(op))
    return inner.operands[0] if inner is not None and inner.operands[0].type is target else None


FOLDS: dialect.FoldTable = {
    DimOp: fold_dim,
    RankOp: fold_rank,
    ops_view.CastOp: fold_cast,
    ops_view.MemorySpaceCastOp: fold_cast,
}
"""Operation class -> its fold."""
