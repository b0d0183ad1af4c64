"""Promises about tensors, their extents, and tiles in them."""

from __future__ import annotations

from typing import Any

from tilewright.dialects.cuda_tile.assumptions import Stride, strides_of
from tilewright.dialects.cuda_tile.ops import integer as integers, memory, view as view_ops
from tilewright.dialects.cuda_tile.types import tile_of
from tilewright.instrument.promises_integer import Holds
from tilewright.instrument.views import NUMBER, tensor_extents
from tilewright.instrument.writer import INDEX, CheckInserter, Guard, GuardMaker
from tilewright.ir.builtin_types import IntegerType
from tilewright.ir.value import Value

POSITIVE = "dynamic lengths and strides must be positive"


def _tensor(op: view_ops.MakeTensorViewOp) -> Guard | None:
    strides = [stride for stride in strides_of(op) if stride.matters]

    def guard(write: CheckInserter) -> Holds:
        for number in op.dynamic_shape:
            yield _is_positive(write, number), POSITIVE
        for stride in strides:
            yield unless_one_element(write, _is_positive(write, stride.value), stride), POSITIVE

    return guard if strides or op.dynamic_shape else None


def _is_positive(write: CheckInserter, number: Value) -> Value:
    return write.compared("greater_than", write.extended(number, INDEX, signed=False), 0)


def unless_one_element(write: CheckInserter, holds: Value, stride: Stride) -> Value:
    """Return the condition `holds`; or, if the extent of the stride's dimension is known at run time only,
    `holds` or an extent of 1: then the stride is unused.
    """
    if isinstance(stride.extent, int):
        return holds
    return write.either([holds, write.compared("equal", stride.extent, 1)])


def _extents(op: view_ops.GetIndexSpaceShapeOp | view_ops.GetTensorShapeOp) -> Guard | None:
    """Return the guard of an operation that returns extents: each is below two to the power of the width of
    its result.

    None if all results have 64 bits.
    """
    narrow = [at for at, result in enumerate(op.results) if _width(result) < INDEX.width]

    def guard(write: CheckInserter) -> Holds:
        asked = write.insert(op.__class__, op.src, result_types=[NUMBER] * len(op.results))
        for at in narrow:
            limit = 1 << _width(op.results[at])
            fits = write.compared("less_than", asked.results[at], limit, signed=False)
            yield fits, "an extent does not fit the result type"

    return guard if narrow else None


def _width(value: Value) -> int:
    element = tile_of(value).element_type
    assert isinstance(element, IntegerType), "extents are integers"
    return element.width


def _access(op: memory.ViewAccess) -> Guard:
    def guard(write: CheckInserter) -> Holds:
        view: Any = op.view.type
        space = write.insert(view_ops.GetIndexSpaceShapeOp, op.view, result_types=[NUMBER] * view.index_rank)
        for number, count in zip(op.index, space.results, strict=True):
            if not tile_of(number).shape:  # the note on the access asks for those
                continue
            wide = write.extended(number, INDEX, signed=False)
            limit = write.broadcast_to(count, tile_of(wide).shape)
            yield (
                write.compared("less_than", wide, limit, signed=False),
                "an index is outside the index space",
            )
        promised = [
            at for at, fits in enumerate(op.inbounds or ()) if fits and not tile_of(op.index[at]).shape
        ]
        extents = tensor_extents(write, op.view, op) if promised else ()
        for at in promised:
            yield (
                _fits(write, op, at, extents[at]),
                f"inbounds is promised, but the tile sticks out in dimension {at}",
            )

    return guard


def _fits(write: CheckInserter, op: memory.ViewAccess, axis: int, extent: int | Value) -> Value:
    """Return the condition that the end of a tile is at most `extent`, the extent of the tensor, along
    dimension `axis` of the tile.
    """
    view: Any = op.view.type
    start = write.scaled(write.extended(op.index[axis], INDEX, signed=False), view.index_steps[axis])
    size = write.number(NUMBER, view.tile_shape[axis])
    end = write(integers.AddIOp, start, size)
    return write.compared("less_than_or_equal", end, extent, signed=False)


VIEWS: dict[Any, GuardMaker] = {
    view_ops.MakeTensorViewOp: _tensor,
    view_ops.GetTensorShapeOp: _extents,
    view_ops.GetIndexSpaceShapeOp: _extents,
    **dict.fromkeys(memory.VIEW_ACCESSES, _access),
}
"""The guard makers of operations on views, by their class."""
