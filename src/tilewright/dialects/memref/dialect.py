"""The ``memref`` dialect: buffers in memory, views of them, and accesses to their elements."""

from __future__ import annotations

from tilewright.dialects.arith.dialect import materialize_constant
from tilewright.dialects.memref import canonicalization, folds, ops_access, ops_buffer, ops_view
from tilewright.ir.control_flow import InlinerInterface
from tilewright.ir.dialect import Dialect

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

MEMREF = Dialect(
    "memref",
    doc="The ``memref`` dialect: buffers in memory, views of them, and accesses to their elements.",
    operations=OPERATIONS,
    folds=folds.FOLDS,
    materialize_constant=materialize_constant,
    canonicalization_patterns=canonicalization.patterns,
    interfaces=(InlinerInterface(),),
    depends_on=("arith",),
)
