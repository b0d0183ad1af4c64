"""Rules of copies between memory spaces, and the roles of their operands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tilewright.ir.builtin_types import MemRefType, index
from tilewright.ir.declaration.traits import VerifyError
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

Values = Sequence[Value]


class DmaParts(NamedTuple):
    """The operands of ``dma_start`` by role: `size` is the number of elements; ``strides`` is empty, or the
    stride and the number of elements per stride.
    """

    source: Value
    source_indices: Values
    target: Value
    target_indices: Values
    size: Value
    tag: Value
    tag_indices: Values
    strides: Values


def dma_parts(op: Operation) -> DmaParts:
    """Return the operands of ``dma_start`` by role. Raises `VerifyError` if their number or a type is wrong."""
    operands = op.operands
    if len(operands) < 4:
        raise VerifyError("expected at least 4 operands")
    source_indices = _indices(operands, 0, 4, "source")
    target_at = 1 + len(source_indices)
    target_indices = _indices(operands, target_at, target_at + 3, "destination")
    count_at = target_at + 1 + len(target_indices)
    if operands[count_at].type is not index:
        raise VerifyError("expected num elements to be of index type")
    tag_indices = _indices(operands, count_at + 1, count_at + 2, "tag")
    strides = operands[count_at + 2 + len(tag_indices) :]
    if len(strides) not in (0, 2):
        raise VerifyError("incorrect number of operands")
    if any(stride.type is not index for stride in strides):
        raise VerifyError("expected stride and num elements per stride to be of type index")
    return DmaParts(
        operands[0],
        source_indices,
        operands[target_at],
        target_indices,
        operands[count_at],
        operands[count_at + 1],
        tag_indices,
        strides,
    )


def _indices(operands: Values, buffer_at: int, others: int, word: str) -> Values:
    """Return the subscripts that follow the buffer at operand ``buffer_at``, one per dimension.

    ``others`` is the minimum number of operands besides these, and ``word`` names the buffer. Raises
    `VerifyError` for wrong operands.
    """
    buffer = operands[buffer_at].type
    if not isinstance(buffer, MemRefType):
        raise VerifyError(f"expected {word} to be of memref type")
    rank = len(buffer.shape)
    if len(operands) < others + rank:
        raise VerifyError(f"expected at least {others + rank} operands")
    indices = operands[buffer_at + 1 : buffer_at + 1 + rank]
    if any(value.type is not index for value in indices):
        raise VerifyError(f"expected {word} indices to be of index type")
    return indices


def check_dma_start(op: Operation) -> None:
    """Raise `VerifyError` unless the operands of ``dma_start`` are buffers with their subscripts and sizes."""
    dma_parts(op)
