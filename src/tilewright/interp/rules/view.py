"""Rules that make views and return their extents."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from tilewright.dialects.common.constraints import checked_type
from tilewright.dialects.cuda_tile.ops import view as view_ops
from tilewright.interp.memory.addressing import index_space
from tilewright.interp.numerics.element import NumpyArray
from tilewright.interp.rules.rule import Evaluate, OperandPositions, RuleTable
from tilewright.interp.tile_block import TileBlock
from tilewright.interp.values import TensorView, TileView, integer_scalar, tile_format, unsigned_value
from tilewright.ir.builtin_types import DYNAMIC

RULES = RuleTable()


def _completed(static: Sequence[int], dynamic: Iterator[NumpyArray]) -> tuple[int, ...]:
    """Return extents with each `?` of `static` replaced by the next scalar of `dynamic`."""
    return tuple(unsigned_value(next(dynamic)) if extent == DYNAMIC else extent for extent in static)


@RULES.evaluates(view_ops.MakeTensorViewOp)
def make_tensor_view(op: view_ops.MakeTensorViewOp) -> Evaluate:
    """Return the evaluation that makes a tensor view of its address, its extents and its strides; dynamic
    ones are operands, read as unsigned.
    """
    at = OperandPositions(op)
    base, shape, strides = at.one("base"), at.group("dynamic_shape"), at.group("dynamic_strides")
    view_type: Any = op.result.type

    def evaluate(block: TileBlock, *operands: NumpyArray) -> TensorView:
        extents = _completed(view_type.shape, iter(operands[shape]))
        steps = _completed(view_type.strides, iter(operands[strides]))
        return TensorView(int(operands[base]), extents, steps, view_type)

    return evaluate


@RULES.evaluates(view_ops.MakePartitionViewOp, view_ops.MakeStridedViewOp, view_ops.MakeGatherScatterViewOp)
def make_tile_view(
    op: view_ops.MakeGatherScatterViewOp | view_ops.MakePartitionViewOp | view_ops.MakeStridedViewOp,
) -> Evaluate:
    """Return the evaluation that makes a tile view of a tensor view; the type of the result has all
    parameters.
    """
    view_type = checked_type(op.result)

    def evaluate(block: TileBlock, tensor: TensorView) -> TileView:
        return TileView(tensor, view_type)

    return evaluate


def _extents(
    op: view_ops.GetIndexSpaceShapeOp | view_ops.GetTensorShapeOp, of: Callable[[Any], Sequence[int]]
) -> Evaluate:
    """Return the evaluation of an operation whose results are the extents ``of(view)`` as scalars.

    Extents are truncated to the type of the first result.
    """
    format = tile_format(op.results[0].type) if op.results else None

    def evaluate(block: TileBlock, view: Any) -> Any:
        scalars = [integer_scalar(extent, format) for extent in of(view)] if format else []
        return scalars[0] if len(scalars) == 1 else scalars

    return evaluate


def _shape(view: TensorView) -> tuple[int, ...]:
    return view.shape


@RULES.evaluates(view_ops.GetTensorShapeOp)
def get_tensor_shape(op: view_ops.GetTensorShapeOp) -> Evaluate:
    """Return the evaluation of the extents of a tensor view, in elements, one scalar for each dimension."""
    return _extents(op, _shape)


@RULES.evaluates(view_ops.GetIndexSpaceShapeOp)
def get_index_space_shape(op: view_ops.GetIndexSpaceShapeOp) -> Evaluate:
    """Return the evaluation of the extents of a view's index space: for each dimension of the tile, the
    number of indices, as a scalar.
    """
    return _extents(op, index_space)
