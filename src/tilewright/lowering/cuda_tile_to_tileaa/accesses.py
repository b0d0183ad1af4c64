"""Loads, stores and atomic reductions through views."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar, cast

from tilewright.dialects.arith import ops_integer as arith
from tilewright.dialects.common.constraints import checked_type
from tilewright.dialects.cuda_tile import enums as cuda_tile_enums, types as cuda_tile_types
from tilewright.dialects.cuda_tile.ops import memory
from tilewright.dialects.nv_tileaa.attributes import PaddingValue, RmwMode
from tilewright.dialects.nv_tileaa.constraints import element_of, shape_of
from tilewright.dialects.nv_tileaa.ops import memory as aa, pointer as tileaa_pointer
from tilewright.dialects.nv_tileaa.ops.shape import PermuteOp
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import FloatType, RankedTensorType, i64
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering.cuda_tile_to_tileaa import views as cuda_tile_to_tileaa_views
from tilewright.lowering.cuda_tile_to_tileaa.memory_patterns import (
    hints_of,
    order,
    require_chip,
    rmw_mode,
)
from tilewright.lowering.cuda_tile_to_tileaa.pattern import TileAAEmitter, TileAALowering, TilePattern
from tilewright.lowering.cuda_tile_to_tileaa.tile_indices import check_indices
from tilewright.lowering.pattern import LoweringResult
from tilewright.rewrite.conversion.pattern import Adaptor

_Op = TypeVar("_Op", bound=Operation)

SHARES_BYTE = 4
"""The width in bits of elements that share a byte in pairs."""


@dataclass(frozen=True, slots=True)
class ViewTileAccess:
    """The operands of an access to a tile of a view: the converted ``view``, the coordinates ``coords`` of
    the tile in the view's grid of tiles, and ``inside``, for each dimension whether the tile is known to be
    in bounds.
    """

    view: Value
    coords: Sequence[Value]
    inside: tuple[bool, ...]

    @property
    def bounds(self) -> tuple[bool, ...] | None:
        """Return the attribute `in_bounds`, a flag for each dimension; None if the tile is inside along every
        dimension.
        """
        return None if all(self.inside) else self.inside


class ViewAccess(Protocol):
    """An access to one tile of a ``view``: ``index`` is the index of the tile in each dimension, and
    ``inbounds`` has a flag for each dimension that assumes the tile to be inside, or is None.
    """

    view: Value
    index: tuple[Value, ...]
    inbounds: tuple[bool, ...] | None


def place_of(op: ViewAccess, at: Adaptor, lowering: TileAALowering, emit: TileAAEmitter) -> ViewTileAccess:
    """Return the converted view and coordinates of the access `op` to a partition or strided view, with the
    dimensions that are known to be in bounds, by the flags of `op` or by facts. `at` has the converted
    operands. Also emits the index checks that `insert-checks` asked for.
    """
    check_indices(cast("memory.ViewAccess", op), at, lowering, emit)
    promised = op.inbounds or (False,) * len(op.index)
    facts = lowering.facts
    inside = tuple(
        known or facts.tile_fits(op.view, op.index, dimension) for dimension, known in enumerate(promised)
    )
    coords = cuda_tile_to_tileaa_views.as_indices(emit, lowering, op.index, at.index)
    if isinstance(op.view.type, cuda_tile_types.PartitionViewType):
        return ViewTileAccess(at.view, coords, inside)
    return ViewTileAccess(*_moved(emit, checked_type(op.view), at.view, coords), inside)


def _moved(
    emit: TileAAEmitter, view: cuda_tile_types.StridedViewType, source: Value, coords: Sequence[Value]
) -> tuple[Value, Sequence[Value]]:
    """Return a view of a memory object that begins where the tile of a strided view with the indices `coords`
    begins, and the coordinates of the tile in it, which are all 0.
    """
    made = cuda_tile_to_tileaa_views.maker(source)
    assert made is not None, "views are not carried, so the memory object is made in the kernel"
    extents, strides = cuda_tile_to_tileaa_views.extents_of(made), cuda_tile_to_tileaa_views.strides_of(made)
    base, offset = made.base, None
    for coordinate, step, dimension in zip(coords, view.traversal_strides, view.dim_map, strict=True):
        start = cuda_tile_to_tileaa_views.scaled(emit, coordinate, step)
        distance = cuda_tile_to_tileaa_views.wide(
            emit, cuda_tile_to_tileaa_views.times(emit, start, strides[dimension])
        )
        base, offset = _further(emit, view.tensor.element_type, base, offset, distance)
        extents[dimension] = _rest(emit, extents[dimension], start)
    left = cuda_tile_to_tileaa_views.memory_object(
        emit, base, view.tensor.element_type, extents, strides, offset
    )
    zero = emit.integer(0, i64)
    return cuda_tile_to_tileaa_views.cut(emit, left, view.tile, view.dim_map), [zero] * len(coords)


def _further(
    emit: TileAAEmitter, element: Any, base: Value, offset: Value | None, distance: Value
) -> tuple[Value, Value | None]:
    """Return a base address and an offset in elements that together are `distance` elements further on. The
    distance is added to the base, and the offset is None. For 4-bit elements it is added to the offset,
    because the second half of a byte has no address.
    """
    if element.width != SHARES_BYTE:
        return emit(tileaa_pointer.AddPtrOp, base, distance), None
    return base, distance if offset is None else emit(arith.AddIOp, offset, distance)


def _rest(
    emit: TileAAEmitter, extent: cuda_tile_to_tileaa_views.Extent, start: cuda_tile_to_tileaa_views.Extent
) -> Value:
    """Return, as an i64, the number of elements of a dimension of `extent` elements from the unsigned `start`
    on; 0 if `start` is beyond the end.
    """
    all_of_it = cuda_tile_to_tileaa_views.wide(emit, extent)
    return emit(
        arith.SubIOp, all_of_it, emit(arith.MinUIOp, cuda_tile_to_tileaa_views.wide(emit, start), all_of_it)
    )


def padding_of(view: cuda_tile_types.TileViewType) -> PaddingValue:
    """Return the padding of a view as a `PaddingValue` of `nv_tileaa`; zero if the view leaves it
    unspecified.
    """
    return PaddingValue[(view.padding or cuda_tile_enums.PaddingValue.ZERO).name]


class LoadViewPattern(TilePattern[memory.LoadViewTkoOp]):
    """Converts a load of a tile to a tiled load, and a load of rows at arbitrary indices to a gather."""

    def lower(
        self, op: memory.LoadViewTkoOp, at: Adaptor, types: Sequence[Type], emit: TileAAEmitter
    ) -> LoweringResult:
        if isinstance(op.view.type, cuda_tile_types.GatherScatterViewType):
            return _gather(op, at, types, self.lowering, emit)
        return _tiled_load(op, at, types, self.lowering, emit, **hints_of(op, self.lowering))


def _tiled_load(
    op: memory.LoadViewTkoOp | memory.MultimemLoadReduceViewTkoOp,
    at: Adaptor,
    types: Sequence[Type],
    lowering: TileAALowering,
    emit: TileAAEmitter,
    **named: Any,
) -> Operation:
    place = place_of(op, at, lowering, emit)
    return emit.insert(
        aa.TiledLoadOp,
        place.view,
        place.coords,
        at.token,
        in_bounds=place.bounds,
        padding_value=None if place.bounds is None else padding_of(checked_type(op.view)),
        result_types=types,
        **order(op),
        **named,
    )


class StoreViewPattern(TilePattern[memory.StoreViewTkoOp]):
    """Converts a store of a tile to a tiled store, and a store of rows at arbitrary indices to a scatter."""

    def lower(
        self, op: memory.StoreViewTkoOp, at: Adaptor, types: Sequence[Type], emit: TileAAEmitter
    ) -> LoweringResult:
        if isinstance(op.view.type, cuda_tile_types.GatherScatterViewType):
            return _scatter(op, at, types, self.lowering, emit)
        return _tiled_store(op, at, types, self.lowering, emit, **hints_of(op, self.lowering))


def _tiled_store(
    op: memory.MultimemStoreViewTkoOp | memory.StoreViewTkoOp,
    at: Adaptor,
    types: Sequence[Type],
    lowering: TileAALowering,
    emit: TileAAEmitter,
    **named: Any,
) -> Operation:
    place = place_of(op, at, lowering, emit)
    return emit.insert(
        aa.TiledStoreOp,
        place.view,
        at.tile,
        place.coords,
        at.token,
        in_bounds=place.bounds,
        result_types=types,
        **order(op),
        **named,
    )


# --- rows picked one by one


@dataclass(frozen=True, slots=True)
class IndexedRows:
    """The operands of a gather or scatter: the memory object ``base`` with the indexed dimension first, the
    indices ``rows`` along it, and the first element ``offsets`` along each other dimension.

    ``order`` lists the dimensions of the original view in the order that ``base`` has them.
    """

    base: Value
    rows: Value
    offsets: Sequence[Value]
    order: tuple[int, ...]

    def first(self, type: Type) -> Type:
        """Return the tile type `type` with the indexed dimension moved to the front."""
        shape = shape_of(type)
        return RankedTensorType(tuple(shape[at] for at in self.order), element_of(type))

    @property
    def back(self) -> tuple[int, ...]:
        """Return the inverse permutation of `order`."""
        return tuple(self.order.index(at) for at in range(len(self.order)))

    @property
    def is_in_order(self) -> bool:
        """Return whether the indexed dimension is the first dimension of the view already, so that no
        transpose is needed.
        """
        return self.order == tuple(range(len(self.order)))


def rows_of(
    op: memory.LoadViewTkoOp | memory.StoreViewTkoOp,
    at: Adaptor,
    lowering: TileAALowering,
    emit: TileAAEmitter,
) -> IndexedRows:
    """Return the operands of the gather or scatter that replaces an access to a gather/scatter view. Also
    emits the index checks that `insert-checks` asked for.
    """
    check_indices(cast("memory.ViewAccess", op), at, lowering, emit)
    view: cuda_tile_types.GatherScatterViewType = checked_type(op.view)
    rank, sparse = len(view.tile), view.sparse_dim
    order = (sparse, *(dimension for dimension in range(rank) if dimension != sparse))
    base = at.view
    if sparse:
        made = cuda_tile_to_tileaa_views.maker(base)
        assert made is not None, "views are not carried, so the memory object is made in the kernel"
        extents, strides = (
            cuda_tile_to_tileaa_views.extents_of(made),
            cuda_tile_to_tileaa_views.strides_of(made),
        )
        base = cuda_tile_to_tileaa_views.memory_object(
            emit,
            made.base,
            view.tensor.element_type,
            [extents[dimension] for dimension in order],
            [strides[dimension] for dimension in order],
        )
    rows = cuda_tile_to_tileaa_views.as_index(emit, lowering, op.index[sparse], at.index[sparse])
    rest = order[1:]
    offsets = cuda_tile_to_tileaa_views.as_indices(
        emit, lowering, [op.index[d] for d in rest], [at.index[d] for d in rest]
    )
    return IndexedRows(base, rows, offsets, order)


def _gather(
    op: memory.LoadViewTkoOp,
    at: Adaptor,
    types: Sequence[Type],
    lowering: TileAALowering,
    emit: TileAAEmitter,
) -> LoweringResult:
    rows = rows_of(op, at, lowering, emit)
    made = emit.insert(
        aa.GatherLoadOp,
        rows.base,
        rows.rows,
        rows.offsets,
        token=at.token,
        padding_value=padding_of(checked_type(op.view)),
        result_types=[rows.first(types[0]), types[1]],
        **order(op),
    )
    value, token = made.results
    if not rows.is_in_order:
        value = emit(PermuteOp, value, rows.back, type=types[0])
    return [value, token]


def _scatter(
    op: memory.StoreViewTkoOp,
    at: Adaptor,
    types: Sequence[Type],
    lowering: TileAALowering,
    emit: TileAAEmitter,
) -> LoweringResult:
    rows = rows_of(op, at, lowering, emit)
    value = at.tile
    if not rows.is_in_order:
        value = emit(PermuteOp, value, rows.order, type=rows.first(value.type))
    return emit.insert(
        aa.ScatterStoreOp,
        rows.base,
        value,
        rows.rows,
        rows.offsets,
        token=at.token,
        result_types=types,
        **order(op),
    )


# --- atomic reductions


class AtomicRedViewPattern(TilePattern[memory.AtomicRedViewTkoOp]):
    """Converts an atomic reduction into a view to a tiled read-modify-write whose old values are unused."""

    def lower(
        self, op: memory.AtomicRedViewTkoOp, at: Adaptor, types: Sequence[Type], emit: TileAAEmitter
    ) -> LoweringResult:
        mode = RmwMode.ADD if op.mode is cuda_tile_enums.AtomicRMWMode.ADDF else rmw_mode(op.mode)
        return _tiled_rmw(op, at, at.value, mode, types, self.lowering, emit)


def _tiled_rmw(
    op: memory.AtomicRedViewTkoOp | memory.MultimemReduceViewTkoOp,
    at: Adaptor,
    value: Value,
    mode: RmwMode,
    types: Sequence[Type],
    lowering: TileAALowering,
    emit: TileAAEmitter,
    **named: Any,
) -> Value:
    """Emit a tiled read-modify-write that combines `value` with memory, and return its token; the old values,
    its first result, are unused. `types` has the type of the token only; the old values have the type of
    `value`. ``named`` are further attributes.
    """
    place = place_of(op, at, lowering, emit)
    made = emit.insert(
        aa.TiledAtomicRmwOp,
        place.view,
        value,
        place.coords,
        at.token,
        mode,
        in_bounds=place.bounds,
        result_types=[value.type, *types],
        **order(op),
        **named,
    )
    return made.results[1]


# --- memory of several devices


MULTIMEM = 90
"""The minimum compute capability, `major * 10 + minor`, of GPUs with multimem instructions."""


class MultimemPattern(TilePattern[_Op]):
    """The base of patterns for multimem accesses, which address the copies of an array on several GPUs.
    Subclasses define `access`. The host has a single copy. GPUs below compute capability 9.0 are refused with
    a `DiagnosticError`.
    """

    def lower(self, op: _Op, at: Adaptor, types: Sequence[Type], emit: TileAAEmitter) -> LoweringResult:
        require_chip(op, self.lowering, MULTIMEM)
        return self.access(op, at, types, emit)

    def access(self, op: _Op, at: Adaptor, types: Sequence[Type], emit: TileAAEmitter) -> LoweringResult:
        """Return the access that replaces `op`, on a target that has been checked. `at` has the converted
        operands, `types` the converted types of the results.
        """
        raise NotImplementedError(f"{type(self).__name__} does not define `access`")


class MultimemLoadPattern(MultimemPattern[memory.MultimemLoadReduceViewTkoOp]):
    """Converts a multimem load, which reduces over the copies of all GPUs, to a tiled load with `multicast`
    and the mode of the reduction.
    """

    def access(
        self, op: memory.MultimemLoadReduceViewTkoOp, at: Adaptor, types: Sequence[Type], emit: TileAAEmitter
    ) -> LoweringResult:
        mode = _reduction_mode(op.reduction, element_of(types[0]))
        return _tiled_load(op, at, types, self.lowering, emit, multicast=True, reduction=mode)


class MultimemStorePattern(MultimemPattern[memory.MultimemStoreViewTkoOp]):
    """Converts a multimem store, which writes the copies of all GPUs, to a tiled store with `multicast`."""

    def access(
        self, op: memory.MultimemStoreViewTkoOp, at: Adaptor, types: Sequence[Type], emit: TileAAEmitter
    ) -> LoweringResult:
        return _tiled_store(op, at, types, self.lowering, emit, multicast=True)


class MultimemReducePattern(MultimemPattern[memory.MultimemReduceViewTkoOp]):
    """Converts an atomic multimem reduction, which updates the copies of all GPUs, to a tiled
    read-modify-write with `multicast`. The old values are unused.
    """

    def access(
        self, op: memory.MultimemReduceViewTkoOp, at: Adaptor, types: Sequence[Type], emit: TileAAEmitter
    ) -> LoweringResult:
        mode = _reduction_mode(op.reduction, element_of(at.tile.type))
        return _tiled_rmw(op, at, at.tile, mode, types, self.lowering, emit, multicast=True)


def _reduction_mode(kind: cuda_tile_enums.MultimemReductionKind, element: Type) -> RmwMode:
    name = kind.name
    return RmwMode[name.removeprefix("U")] if isinstance(element, FloatType) else RmwMode[name]


def access_patterns(lowering: TileAALowering) -> list[TilePattern[Any]]:
    """Return the patterns for accesses through views."""
    classes = (
        LoadViewPattern,
        StoreViewPattern,
        AtomicRedViewPattern,
        MultimemLoadPattern,
        MultimemReducePattern,
        MultimemStorePattern,
    )
    return [pattern(lowering) for pattern in classes]
