"""The positions of tiles of views in their tensors, from types and as values of the program.

Indices count tiles of a partition view and steps of a strided view, but elements of a gather/scatter view.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tilewright.dialects.cuda_tile import enums as cuda_tile_enums, types as cuda_tile_types
from tilewright.dialects.cuda_tile.ops import control, conversion, integer as integers, view as view_ops
from tilewright.instrument.writer import INDEX, CheckInserter
from tilewright.ir import builtin_types, diagnostic
from tilewright.ir.operation import Operation
from tilewright.ir.support.option_spelling import option
from tilewright.ir.value import Value
from tilewright.lowering import codes

NUMBER = cuda_tile_types.TileType((), INDEX)


def refused(op: Operation, what: str) -> diagnostic.DiagnosticError:
    """Return the error that a check cannot be made by operations of Tile IR, with the reason ``what``, to be
    raised.
    """
    return diagnostic.failure(
        codes.CHECK_NOT_COMPILED,
        f"'{op.name}': {what}",
        op.location,
        hint=f"the interpreter makes the check: {option('target', 'interp')}",
    )


def maker_of(value: Value, op: Operation) -> Any:
    """Return the operation that made the view `value`: a `MakeTensorViewOp`, or a `MakeViewOp` for a view of
    tiles, possibly behind `assume`. Raises `DiagnosticError`, for the operation `op`, if the view comes from
    a block argument or another operation.
    """
    owner: Any = value.owner
    while isinstance(owner, control.AssumeOp):
        owner = owner.value.owner
    if not isinstance(owner, view_ops.MakeViewOp | view_ops.MakeTensorViewOp):
        raise refused(op, "its view is known at run time only")
    return owner


def tensor_extents(write: CheckInserter, view: Value, op: Operation) -> list[int | Value]:
    """Return the extents of the tensor of a view of tiles, in the order of the tile's dimensions.

    An unknown extent is a 64-bit value, computed by a new operation. Raises `DiagnosticError`, for the access
    `op`, if there is an unknown extent and the operation that made the view is not known.
    """
    kind: Any = view.type
    static = [kind.tensor.shape[at] for at in kind.dimension_map]
    if builtin_types.DYNAMIC not in static:
        return list(static)
    tensor = maker_of(view, op).tensor_view
    asked = write.insert(view_ops.GetTensorShapeOp, tensor, result_types=[NUMBER] * kind.tensor.rank)
    return [
        asked.results[at] if extent == builtin_types.DYNAMIC else extent
        for at, extent in zip(kind.dimension_map, static, strict=True)
    ]


def inside(write: CheckInserter, view: Value, index: Sequence[Value], op: Operation) -> Value | None:
    """Emit a mask, with the shape of the tile, of the elements that are inside the tensor; None if the type
    implies that all are. Indices must be in the index space: `promises` checks that. Raises
    `DiagnosticError`, for the access `op`, if the extents are not known.
    """
    kind: Any = view.type
    shape, conditions = kind.tile_shape, list[Value]()
    extents = tensor_extents(write, view, op)
    for axis, (number, extent, step) in enumerate(zip(index, extents, kind.index_steps, strict=True)):
        if cuda_tile_types.tile_of(number).shape:
            conditions.append(_rows_inside(write, number, extent, axis, len(shape)))
        elif not (isinstance(extent, int) and extent % step == 0 and step == shape[axis]):
            left = _elements_inside(write, number, extent, step, shape[axis])
            conditions.append(_counted_inside(write, left, axis, shape))
    if not conditions:
        return None
    return write.both([write.broadcast_to(condition, shape) for condition in conditions])


def _rows_inside(write: CheckInserter, rows: Value, extent: int | Value, axis: int, rank: int) -> Value:
    """Emit a condition of rank `rank` along dimension `axis`: which of `rows`, indices of elements, are less
    than `extent`.
    """
    wide = write.extended(rows, INDEX, signed=False)
    if isinstance(extent, Value):
        extent = write.broadcast_to(extent, cuda_tile_types.tile_of(wide).shape)
    return write.along_axis(write.compared("less_than", wide, extent, signed=False), axis, rank)


def _elements_inside(write: CheckInserter, number: Value, extent: int | Value, step: int, most: int) -> Value:
    """Emit the number of elements of a tile that are inside the tensor along a dimension, as a 32-bit number
    from 0 to ``most``.

    The tile begins at element ``number * step``; the tensor has ``extent`` elements.
    """
    start = write.scaled(write.extended(number, INDEX, signed=False), step)
    behind = extent if isinstance(extent, Value) else write.number(NUMBER, extent)
    left = write(integers.SubIOp, behind, start)
    for limit, bound in ((integers.MaxIOp, 0), (integers.MinIOp, most)):
        left = write(limit, left, write.number(NUMBER, bound), cuda_tile_enums.Signedness.SIGNED)
    return write(conversion.TruncIOp, left, type=cuda_tile_types.TileType((), builtin_types.i32))


def _counted_inside(write: CheckInserter, left: Value, axis: int, shape: Sequence[int]) -> Value:
    counted = write.index_tile(shape[axis], builtin_types.i32)
    condition = write.compared("less_than", counted, write.broadcast_to(left, (shape[axis],)))
    return write.along_axis(condition, axis, len(shape))
