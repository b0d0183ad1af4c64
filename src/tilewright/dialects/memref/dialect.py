"""The ``memref`` dialect: buffers in memory, views of them, and accesses to their elements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tilewright.dialects.arith.dialect import materialize_constant
from tilewright.dialects.memref import ops_access, ops_buffer, ops_view
from tilewright.ir.dialect import Dialect, FoldTable
from tilewright.ir.interfaces.control_flow import InlinerInterface

HAND_WRITTEN_SYNTAX: tuple[str, ...] = (
    "memref.alloca_scope",
    "memref.dma_start",
    "memref.generic_atomic_rmw",
    "memref.prefetch",
    "memref.transpose",
)
"""Operations whose custom syntax is not written in the declaration."""

OPERATIONS = (
    *ops_buffer.OPERATIONS,
    *ops_access.OPERATIONS,
    *ops_view.OPERATIONS,
)


def _folds() -> FoldTable:
    """Return the table, loaded when the first operation is to be folded."""
    from tilewright.dialects.memref.folds import FOLDS

    return FOLDS


def _patterns() -> Sequence[Any]:
    """Return all patterns in order, loaded when the first module is canonicalised."""
    from tilewright.dialects.memref.canonicalization import patterns

    return patterns()


MEMREF = Dialect(
    "memref",
    doc="The ``memref`` dialect: buffers in memory, views of them, and accesses to their elements.",
    operations=OPERATIONS,
    folds=_folds,
    materialize_constant=materialize_constant,
    canonicalization_patterns=_patterns,
    interfaces=(InlinerInterface(),),
    depends_on=("arith",),
)
