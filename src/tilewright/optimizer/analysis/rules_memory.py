"""Transfer rules of the grid, globals, allocas and views."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tilewright.dialects.common.grid import MAXIMUM_GRID_EXTENT
from tilewright.dialects.cuda_tile import types as cuda_tile_types
from tilewright.dialects.cuda_tile.ops import control, memory as ops, view as view_ops
from tilewright.ir.builtin_types import DYNAMIC
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.optimizer.analysis import facts as analysis_facts, intervals, rules as analysis_rules
from tilewright.optimizer.analysis.pointer_origins import MemoryRoot, RootKind, start_of
from tilewright.optimizer.analysis.runs import power_of_two_in

RULES = analysis_rules.FactRuleTable()


def _each(op: Operation, bounds: intervals.Interval) -> list[analysis_facts.ValueFacts]:
    return [analysis_facts.unknown(result.type).changed(bounds=bounds) for result in op.results]


@RULES.rule(control.GetTileBlockIdOp, because=f"grids extend to {MAXIMUM_GRID_EXTENT} at most")
def _block_id(op: control.GetTileBlockIdOp) -> list[analysis_facts.ValueFacts]:
    return _each(op, intervals.Interval(0, MAXIMUM_GRID_EXTENT - 1))


@RULES.rule(control.GetNumTileBlocksOp, because=f"grids extend from 1 to {MAXIMUM_GRID_EXTENT}")
def _grid(op: control.GetNumTileBlocksOp) -> list[analysis_facts.ValueFacts]:
    return _each(op, intervals.Interval(1, MAXIMUM_GRID_EXTENT))


@RULES.rule(control.GetGlobalOp, because="the start of the global, aligned as it says")
def _global(op: control.GetGlobalOp) -> analysis_facts.ValueFacts:
    root = MemoryRoot(RootKind.GLOBAL, op.global_name)
    return analysis_facts.ValueFacts(None, _global_alignment(op), (), start_of(root))


def _global_alignment(op: control.GetGlobalOp) -> int:
    """Return the largest power of two that divides the alignment in bytes of the global that `op` names. The
    alignment is the attribute of the global or, if it is 0, the size of its elements. 1 if the global is not
    found.
    """
    module = next((outer for outer in op.ancestors() if isinstance(outer, control.ModuleOp)), None)
    for defined in module.body.block if module is not None else ():
        if isinstance(defined, control.GlobalOp) and defined.sym_name == op.global_name:
            return power_of_two_in(
                defined.alignment or analysis_facts.stored_bytes(defined.value.element_type) or 1
            )
    return 1


@RULES.rule(ops.AllocaOp, because="memory of its own, aligned as it says")
def _alloca(op: ops.AllocaOp) -> analysis_facts.ValueFacts:
    alignment = power_of_two_in(op.alignment) if op.alignment > 0 else 1
    return analysis_facts.ValueFacts(None, alignment, (), start_of(MemoryRoot(RootKind.ALLOCA, op.result)))


@RULES.rule(view_ops.MakeTensorViewOp, because="starts at the address; extents are positive")
def _tensor_view(
    op: view_ops.MakeTensorViewOp, base: analysis_facts.ValueFacts, *lengths: analysis_facts.ValueFacts
) -> analysis_facts.ValueFacts:
    type: Any = analysis_rules.result_type(op)
    dynamic = iter(zip(op.dynamic_shape, lengths, strict=False))
    extents = [
        _dynamic_extent(*next(dynamic)) if extent == DYNAMIC else analysis_facts.known_extent(extent)
        for extent in type.shape
    ]
    return analysis_facts.ValueFacts(None, base.divisor, (), base.place, tuple(extents))


def _dynamic_extent(operand: Value, facts: analysis_facts.ValueFacts) -> analysis_facts.Extent:
    """Return the facts about a dynamic extent from the facts about its operand, which is unsigned and
    positive.
    """
    width = analysis_facts.width_of(operand.type)
    assert width is not None
    assert facts.bounds is not None
    read = intervals.as_unsigned(facts.bounds, width).clipped(intervals.Interval(1, analysis_facts.LONGEST))
    return analysis_facts.Extent(read, min(facts.divisor, 1 << width))


@RULES.rule(
    view_ops.MakePartitionViewOp,
    view_ops.MakeStridedViewOp,
    view_ops.MakeGatherScatterViewOp,
    because="a view of the same tensor",
)
def _view(op: Operation, tensor: analysis_facts.ValueFacts) -> analysis_facts.ValueFacts:
    return tensor


@RULES.rule(view_ops.GetTensorShapeOp, because="the extents of the tensor, which must fit")
def _tensor_shape(
    op: view_ops.GetTensorShapeOp, tensor: analysis_facts.ValueFacts
) -> list[analysis_facts.ValueFacts]:
    return _unsigned_results(op.extents, tensor.extents)


def _unsigned_results(
    results: Sequence[Value], extents: Sequence[analysis_facts.Extent]
) -> list[analysis_facts.ValueFacts]:
    found: list[analysis_facts.ValueFacts] = []
    for result, extent in zip(results, extents, strict=True):
        width = analysis_facts.width_of(result.type)
        assert width is not None
        bounds = intervals.as_signed(extent.bounds.clipped(intervals.unsigned_range(width)), width)
        known = analysis_facts.unknown(result.type)
        fits = intervals.unsigned_range(width).meets(extent.bounds)
        found.append(known.changed(bounds=bounds, divisor=extent.divisor) if fits else known)
    return found


@RULES.rule(
    view_ops.GetIndexSpaceShapeOp, because="the extents of the tensor by the steps of the view, rounded up"
)
def _index_space(
    op: view_ops.GetIndexSpaceShapeOp, view: analysis_facts.ValueFacts
) -> list[analysis_facts.ValueFacts]:
    return _unsigned_results(op.extents, index_space(op.src.type, view))


def extents_along(
    type: cuda_tile_types.TileViewType, view: analysis_facts.ValueFacts
) -> tuple[analysis_facts.Extent, ...]:
    """Return, for each dimension of the tile of a view of `type`, the extent of the tensor's dimension that
    it runs along.
    """
    return tuple([view.extents[dimension] for dimension in type.dimension_map])


def index_space(type: Any, view: analysis_facts.ValueFacts) -> list[analysis_facts.Extent]:
    """Return the facts about the number of indices of each dimension of a view of `type`, from the facts
    `view`. Nothing is known for a gather or scatter view.
    """
    if isinstance(type, cuda_tile_types.GatherScatterViewType):
        return [analysis_facts.ANY_EXTENT] * type.index_rank
    return [
        _counted(extent, step)
        for extent, step in zip(extents_along(type, view), type.index_steps, strict=True)
    ]


def _counted(extent: analysis_facts.Extent, step: int) -> analysis_facts.Extent:
    exact = power_of_two_in(step) == step and extent.divisor >= step
    bounds = intervals.Interval(-(-extent.bounds.low // step), -(-extent.bounds.high // step))
    return analysis_facts.Extent(bounds, extent.divisor // step if exact else 1)


def tile_fits(
    type: Any, view: analysis_facts.ValueFacts, dimension: int, index: analysis_facts.ValueFacts
) -> str | None:
    """Return the reason why the tile of every index in the index space is inside the tensor along
    `dimension`, a dimension of the tile; None if a tile may exceed it. ``view`` and ``index`` are the facts
    about the view and about the index of the dimension; if tiles do not cover the tensor exactly, only the
    indices in the bounds of ``index`` are shown to fit. None for a gather or scatter view.
    """
    if not isinstance(type, cuda_tile_types.PartitionViewType | cuda_tile_types.StridedViewType):
        return None
    extent, size = extents_along(type, view)[dimension], type.tile_shape[dimension]
    if type.index_steps[dimension] == size and extent.divisor >= size:
        return f"the extent is a multiple of {extent.divisor}, so tiles of {size} cover it exactly"
    return index_fits(type, view, dimension, index)


def index_fits(
    type: Any, view: analysis_facts.ValueFacts, dimension: int, index: analysis_facts.ValueFacts
) -> str | None:
    """Return the reason why the tile of an index, which may be outside of the index space, is inside the
    tensor along `dimension`; None if it may exceed it, and for a gather or scatter view. ``view`` and
    ``index`` are the facts about the view and the index.
    """
    if not isinstance(type, cuda_tile_types.PartitionViewType | cuda_tile_types.StridedViewType):
        return None
    extent, step, size = (
        extents_along(type, view)[dimension],
        type.index_steps[dimension],
        type.tile_shape[dimension],
    )
    bounds = index.bounds
    if bounds is not None and bounds.low >= 0 and bounds.high * step + size <= extent.bounds.low:
        return f"the index is at most {bounds.high}, and the extent at least {extent.bounds.low}"
    return None


def spanned_bytes(type: Any) -> int | None:
    """Return the number of bytes from the first to the last element of a view's tensor, inclusive; None if
    its shape or strides are dynamic. For a pointer tile, return the size of the pointee. None for elements
    without a size in bytes (f4).
    """
    tensor = type.tensor if isinstance(type, cuda_tile_types.TileViewType) else type
    if not isinstance(tensor, cuda_tile_types.TensorViewType):
        return analysis_facts.stored_bytes(tensor.element_type.pointee)
    size = analysis_facts.stored_bytes(tensor.element_type)
    if size is None or DYNAMIC in (*tensor.shape, *tensor.strides):
        return None
    last = sum((extent - 1) * stride for extent, stride in zip(tensor.shape, tensor.strides, strict=True))
    return (last + 1) * size
