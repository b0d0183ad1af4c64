"""Warns of constant indices of `extract` and `insert` that are out of range: undefined behaviour, but valid
IR.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tilewright.dialects.cuda_tile.ops.tile import ConstantOp, ExtractOp, InsertOp
from tilewright.dialects.cuda_tile.types import TileType, tile_of
from tilewright.ir import codes, diagnostic
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value


def check_slice_indices(op: Operation) -> list[diagnostic.Diagnostic]:
    """Return warnings about constant indices of `extract` and `insert` that are negative or too large, in
    `op` and in all operations nested in it, which must be valid. Return an empty list if there are none.
    """
    return [
        diagnostic.Diagnostic(diagnostic.Severity.WARNING, message, inner.location, codes.INVALID_PARAMETERS)
        for inner in op.walk()
        for message in _complaints(inner)
    ]


def _complaints(op: Operation) -> Iterator[str]:
    if isinstance(op, ExtractOp):
        yield from _judge("extract", op.indices, tile_of(op.source), tile_of(op.result))
    elif isinstance(op, InsertOp):
        yield from _judge("insert", op.indices, tile_of(op.destination), tile_of(op.source))


def _judge(mnemonic: str, indices: Sequence[Value], whole: TileType, piece: TileType) -> Iterator[str]:
    for position, index in enumerate(indices):
        value = _constant(index)
        last = whole.shape[position] // piece.shape[position] - 1
        if value is None:
            continue
        if value < 0:
            yield (
                f"{mnemonic} index {position} has negative value {value}, which may cause undefined behavior"
            )
        elif value > last:
            yield (
                f"{mnemonic} index {position} value {value} may be out of bounds (max valid index: {last})"
            )


def _constant(index: Value) -> int | None:
    """Return the value of an index that a `constant` defines, read as signed; None for other indices."""
    if not isinstance(index.owner, ConstantOp):
        return None
    return int.from_bytes(index.owner.value.data, "little", signed=True)
