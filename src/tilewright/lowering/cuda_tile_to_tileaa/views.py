"""Tensor views, the views that cut them into tiles, and accesses through them.

Extents, strides and indices are unsigned in Tile IR. They become signed integers of 32 bits if the sign bit
is known to be 0, and of 64 bits otherwise; a negative 64-bit index names a tile that does not exist.

- A partition view is a memory object cut into tiles.
- A tile of a strided view is tile 0 of the memory object that begins where the tile does.
- Rows that are picked one by one are gathered and scattered along the first dimension, so that the picked dimension
  comes first in a memory object made for the access.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tilewright.dialects.arith import ops_integer as arith
from tilewright.dialects.common.constraints import checked_type
from tilewright.dialects.cuda_tile.ops import view as view_ops
from tilewright.dialects.cuda_tile.types import PartitionViewType, StridedViewType
from tilewright.dialects.nv_tileaa.ops import pointer as tileaa_pointer, structure as aa
from tilewright.dialects.nv_tileaa.types import TiledViewType, TileMemRefType
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import DYNAMIC, IntegerType, i32, i64
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering.cuda_tile_to_tileaa.pattern import TileAAEmitter, TileAALowering, TilePattern
from tilewright.lowering.pattern import LoweringResult
from tilewright.rewrite.conversion.pattern import Adaptor

Extent = int | Value
"""An extent or stride: an int, or a value of 32 or 64 bits."""


FARTHEST = 1 << 62
"""An element index beyond all memory."""


# --- unsigned numbers


def as_index(emit: TileAAEmitter, lowering: TileAALowering, old: Value, new: Value) -> Value:
    """Return the converted index `new`, or tile of indices, as a signed integer of 32 or 64 bits that has the
    value of the unsigned index. ``old`` is the value before conversion: 32 bits stay only if facts about it
    exclude the sign bit.
    """
    bounds = lowering.facts.bounds(old)
    element: Any = getattr(new.type, "element_type", new.type)
    fits = bounds is not None and bounds.low >= 0
    if element.width < i32.width:
        return emit.resized(new, i32, signed=False)
    return new if fits or element is i64 else emit.resized(new, i64, signed=False)


def as_indices(
    emit: TileAAEmitter, lowering: TileAALowering, old: Sequence[Value], new: Sequence[Value]
) -> list[Value]:
    """Return the converted indices `new` as signed integers with the values of the unsigned indices `old`,
    all of one type: i64 if one of them has 64 bits, or facts about it do not exclude the sign bit; else i32.
    """
    found = [as_index(emit, lowering, a, b) for a, b in zip(old, new, strict=True)]
    wide = any(value.type is i64 for value in found)
    return [emit.resized(value, i64, signed=True) for value in found] if wide else found


# --- memory objects


class MakeTensorViewPattern(TilePattern[view_ops.MakeTensorViewOp]):
    """Converts a tensor view to a strided memory object by `make_memref`. Its dynamic extents and strides get
    the type `index`.
    """

    def lower(
        self, op: view_ops.MakeTensorViewOp, at: Adaptor, types: Sequence[Type], emit: TileAAEmitter
    ) -> LoweringResult:
        old = [*op.dynamic_shape, *op.dynamic_strides]
        new = [*at.dynamic_shape, *at.dynamic_strides]
        numbers = [as_index(emit, self.lowering, a, b) for a, b in zip(old, new, strict=True)]
        count = len(op.dynamic_shape)
        return emit(aa.MakeMemrefOp, at.base, sizes=numbers[:count], strides=numbers[count:], type=types[0])


def maker(value: Value) -> aa.MakeMemrefOp | None:
    """Return the `make_memref` that defines a memory object, looking through assumptions; None if another
    operation defines it.
    """
    owner: Any = value.owner
    while isinstance(owner, tileaa_pointer.AssumeOp):
        owner = owner.source.owner
    return owner if isinstance(owner, aa.MakeMemrefOp) else None


def completed(static: Sequence[int], dynamic: Sequence[Value]) -> list[Extent]:
    """Return the static extents or strides, with each dynamic one replaced by the next value of `dynamic`."""
    given = iter(dynamic)
    return [next(given) if extent == DYNAMIC else extent for extent in static]


def extents_of(made: aa.MakeMemrefOp) -> list[Extent]:
    """Return the extents of a memory object: ints if static, values otherwise."""
    type: Any = made.result.type
    return completed(type.shape, made.sizes)


def strides_of(made: aa.MakeMemrefOp) -> list[Extent]:
    """Return the strides of a memory object in elements: ints if static, values otherwise."""
    type: Any = made.result.type
    return completed(type.strides, made.strides)


def memory_object(
    emit: TileAAEmitter,
    base: Value,
    element: Type,
    extents: Sequence[Extent],
    strides: Sequence[Extent],
    offset: Value | None = None,
) -> Value:
    """Return a new memory object of elements of type `element`. Its first element is ``offset`` elements
    after `base`; static extents and strides are in its type.
    """
    open_extents = [extent for extent in extents if isinstance(extent, Value)]
    open_strides = [stride for stride in strides if isinstance(stride, Value)]
    type = TileMemRefType(_static(extents), element, _static(strides))
    return emit(aa.MakeMemrefOp, base, offset, sizes=open_extents, strides=open_strides, type=type)


def scaled(emit: TileAAEmitter, index: Value, step: int) -> Value:
    """Return ``index * step`` in 64 bits, for an unsigned index. If the product would wrap around, the result
    is an element index beyond all memory.
    """
    held = wide(emit, index)
    if index.type is i64 and step > 1:
        held = emit(arith.MinUIOp, held, emit.integer(FARTHEST // step, i64))
    return wide(emit, times(emit, held, step))


def _static(extents: Sequence[Extent]) -> tuple[int, ...]:
    return tuple(DYNAMIC if isinstance(extent, Value) else extent for extent in extents)


# --- arithmetic on extents


def wide(emit: TileAAEmitter, extent: Extent) -> Value:
    """Return an extent, stride or index as an i64 value; a value of 32 bits is sign-extended."""
    if isinstance(extent, int):
        return emit.integer(extent, i64)
    return emit.resized(extent, i64, signed=True)


def times(emit: TileAAEmitter, left: Extent, right: Extent) -> Extent:
    """Return the product of two extents: an int if both are ints, otherwise a value; it has 64 bits unless
    one factor is 1.
    """
    if isinstance(left, int) and isinstance(right, int):
        return left * right
    if 1 in (left, right):
        return right if left == 1 else left
    return emit(arith.MulIOp, wide(emit, left), wide(emit, right))


# --- making views


class MakePartitionViewPattern(TilePattern[view_ops.MakePartitionViewOp]):
    """Converts a partition view to a `block_tile`: the memory object cut into tiles of the shape of the view,
    along the dimensions that its `dim_map` names.
    """

    def lower(
        self, op: view_ops.MakePartitionViewOp, at: Adaptor, types: Sequence[Type], emit: TileAAEmitter
    ) -> LoweringResult:
        view: PartitionViewType = checked_type(op.result)
        return cut(emit, at.tensor_view, view.tile, view.dim_map)


def cut(emit: TileAAEmitter, source: Value, tile: Sequence[int], dim_map: Sequence[int]) -> Value:
    """Return a view that divides a memory object into tiles of the shape `tile`. Dimension ``i`` of a tile
    runs along dimension ``dim_map[i]``.
    """
    groups = tuple((dimension,) for dimension in dim_map)
    return emit(aa.BlockTileOp, source, tuple(tile), groups, type=TiledViewType(source.type, tuple(tile)))


class SameMemoryPattern(TilePattern[Operation]):
    """Replaces strided and gather/scatter views by the memory object itself: each access says which part it
    reads or writes.
    """

    def lower(self, op: Operation, at: Adaptor, types: Sequence[Type], emit: TileAAEmitter) -> LoweringResult:
        return at.tensor_view


# --- asking views


def known_extents(source: Value) -> list[Extent]:
    """Return the extents of a memory object as ints or values, from the `make_memref` that defines it.

    It is always in the same function: the verifier refuses views as parameters and as values that control
    flow carries.
    """
    made = maker(source)
    assert made is not None, "a memory object that the function does not make"
    return extents_of(made)


def extent_as(emit: TileAAEmitter, extent: Extent, type: Type) -> Value:
    """Return an extent as a value of the integer type `type`, zero-extended or truncated."""
    if isinstance(extent, int):
        return emit.integer(extent, type)
    return emit.resized(extent, type, signed=False)


class GetTensorShapePattern(TilePattern[view_ops.GetTensorShapeOp]):
    """Converts `get_tensor_shape` to the extents with which the memory object was made, zero-extended or
    truncated to the result types.
    """

    def lower(
        self, op: view_ops.GetTensorShapeOp, at: Adaptor, types: Sequence[Type], emit: TileAAEmitter
    ) -> LoweringResult:
        extents = known_extents(at.src)
        return [extent_as(emit, extent, type) for extent, type in zip(extents, types, strict=True)]


class GetIndexSpaceShapePattern(TilePattern[view_ops.GetIndexSpaceShapeOp]):
    """Converts the number of indices of a view: the extent divided by the step of an index, rounded up."""

    def lower(
        self, op: view_ops.GetIndexSpaceShapeOp, at: Adaptor, types: Sequence[Type], emit: TileAAEmitter
    ) -> LoweringResult:
        counts = index_space(emit, op.src.type, at.src)
        return [extent_as(emit, count, type) for count, type in zip(counts, types, strict=True)]


def index_space(emit: TileAAEmitter, view: Any, converted: Value) -> list[Extent]:
    """Return the number of valid indices along each dimension of a view's tiles. ``view`` is the type before
    conversion, ``converted`` the value after it.
    """
    extents = known_extents(memory_of(view, converted))
    return [
        _steps(emit, extents[dimension], step)
        for dimension, step in zip(dimensions(view), index_steps(view), strict=True)
    ]


def memory_of(view: Any, converted: Value) -> Value:
    """Return the memory object of a view. ``view`` is the type before conversion, ``converted`` the value
    after it.
    """
    owner: Any = converted.owner
    return owner.source if isinstance(view, PartitionViewType) else converted


def _steps(emit: TileAAEmitter, extent: Extent, step: int) -> Extent:
    if isinstance(extent, int):
        return -(-extent // step)
    if step == 1:
        return extent
    assert isinstance(extent.type, IntegerType), "extents are integers"
    held = extent if step < 1 << 31 else wide(emit, extent)
    return emit(arith.CeilDivUIOp, held, emit.integer(step, held.type))


def dimensions(view: Any) -> tuple[int, ...]:
    """Return, for each dimension of a tile, the dimension of the tensor that it runs along. ``view`` is the
    type of a view of Tile IR.
    """
    if isinstance(view, PartitionViewType | StridedViewType):
        return view.dim_map
    return tuple(range(len(view.tile)))


def index_steps(view: Any) -> tuple[int, ...]:
    """Return, for each dimension of a tile, the number of elements between the tiles of consecutive indices;
    1 for a gather/scatter view. ``view`` is the type of a view of Tile IR.
    """
    if isinstance(view, PartitionViewType):
        return view.tile
    return view.traversal_strides if isinstance(view, StridedViewType) else (1,) * len(view.tile)


def view_patterns(lowering: TileAALowering) -> list[TilePattern[Any]]:
    """Return the patterns that make views and query their extents."""
    return [
        MakeTensorViewPattern(lowering),
        MakePartitionViewPattern(lowering),
        SameMemoryPattern(lowering, root=view_ops.MakeStridedViewOp),
        SameMemoryPattern(lowering, root=view_ops.MakeGatherScatterViewOp),
        GetTensorShapePattern(lowering),
        GetIndexSpaceShapePattern(lowering),
    ]
