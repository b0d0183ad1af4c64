"""Blocks of tensor descriptors as tiles of views.

A block that begins at multiples of its extents is a tile of a partition view, provided that the tile exists:
an index outside of the grid of tiles is undefined in Tile IR, and so are extents and strides below 1, where
Triton reads padding and writes nothing. A block that is not known to be an existing tile is accessed by
pointers under a mask.

The patterns emit an `if` with both versions of the access (`versioned_access`). After the conversion,
`choose_access_versions` keeps one version by facts about the offsets and the condition. A choice at run time
would cost more than a mask: the tile would be the result of a branch and take memory of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

from tilewright.dialects.cuda_tile import types as cuda_tile_types
from tilewright.dialects.cuda_tile.canonicalization.if_op import replace_by_block
from tilewright.dialects.cuda_tile.enums import ComparisonPredicate, PaddingValue
from tilewright.dialects.cuda_tile.folds.common import constant_of, is_integer_one, known_truth
from tilewright.dialects.cuda_tile.ops import control, memory, view as view_ops
from tilewright.ir import block as ir_block, builder, builtin_types
from tilewright.ir.attribute import Type
from tilewright.ir.interfaces.effects import erase_dead
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering.triton_to_cuda_tile.emit import CudaTileEmitter
from tilewright.lowering.triton_to_cuda_tile.memory_patterns import WEAK
from tilewright.optimizer.analysis.query import ValueFactsAnalysis
from tilewright.rewrite.rewriter import Rewriter

LESS = ComparisonPredicate.LESS_THAN
AT_LEAST = ComparisonPredicate.GREATER_THAN_OR_EQUAL
ViewAccess = memory.LoadViewTkoOp | memory.StoreViewTkoOp


@dataclass(frozen=True, slots=True)
class DescriptorParts:
    """The values that represent a tensor descriptor, scalar tiles in the order of the type converter: the
    pointer ``base``, extents and strides as i64, counted in elements, and ``fills_with_nan``, an i1 that is
    true if padding is NaN.
    """

    base: Value
    extents: Sequence[Value]
    strides: Sequence[Value]
    fills_with_nan: Value

    @classmethod
    def of(cls, values: Sequence[Value], emit: CudaTileEmitter) -> DescriptorParts:
        """Return the parts of a descriptor from `values`, its converted values: the pointer, the extents, the
        strides and the flag. The stride of the last dimension is the constant 1, whatever its value is:
        neither Triton nor GPUs support others.
        """
        rank = (len(values) - 2) // 2
        strides = (*values[1 + rank : 2 * rank], emit.scalar(1, builtin_types.i64))
        return cls(values[0], values[1 : 1 + rank], strides, values[-1])

    @property
    def element(self) -> Type:
        """The type of an element in memory."""
        pointer = cuda_tile_types.tile_of(self.base).element_type
        assert isinstance(pointer, cuda_tile_types.PointerType), "the type converter says so"
        return pointer.pointee

    @property
    def padding(self) -> PaddingValue | None:
        """The padding of loads outside of the tensor: zero for integers, zero or NaN for floats. None if it
        is only known at run time.
        """
        if not isinstance(self.element, builtin_types.FloatType):
            return PaddingValue.ZERO
        is_nan = known_truth(self.fills_with_nan)
        return None if is_nan is None else PaddingValue.NAN if is_nan else PaddingValue.ZERO


@dataclass(frozen=True, slots=True)
class DescriptorBlock:
    """A block of the tensor of a descriptor with the given ``parts``: ``starts`` are the offsets of its first
    element along each dimension, in elements, and ``shape`` is its shape.
    """

    parts: DescriptorParts
    starts: Sequence[Value]
    shape: Sequence[int]

    def is_on_grid(self, emit: CudaTileEmitter, *, all_of_it: bool) -> Value:
        """Return an i1 that is true if all strides are positive and the first element of the block is inside
        of the tensor; with `all_of_it`, if all its elements are.
        """
        conditions: list[Value] = []
        for start, size, extent in zip(self.starts, self.shape, self.parts.extents, strict=True):
            first = emit.resized(start, builtin_types.i64)
            last = emit.add(first, emit.like(size - 1, first)) if all_of_it and size > 1 else first
            conditions += [
                emit.compared(AT_LEAST, first, emit.like(0, first)),
                emit.compared(LESS, last, extent),
            ]
        for stride in self.parts.strides:
            if not _is_one(stride):
                conditions.append(emit.compared(AT_LEAST, stride, emit.like(1, stride)))
        return reduce(emit.both, conditions)

    @property
    def type(self) -> cuda_tile_types.TileType:
        """The type of the block as a tile, with the element type in memory."""
        return cuda_tile_types.TileType(tuple(self.shape), self.parts.element)

    def view(self, emit: CudaTileEmitter, padding: PaddingValue | None) -> Value:
        """Return the tensor as a partition view with tiles of the block's shape. ``padding`` is the value of
        elements outside of the tensor; None leaves it unspecified.
        """
        parts, rank = self.parts, len(self.shape)
        ones = [_is_one(stride) for stride in parts.strides]
        dynamic = [stride for stride, is_one in zip(parts.strides, ones, strict=True) if not is_one]
        strides = tuple(1 if is_one else builtin_types.DYNAMIC for is_one in ones)
        whole = cuda_tile_types.TensorViewType((builtin_types.DYNAMIC,) * rank, parts.element, strides)
        tensor = emit(view_ops.MakeTensorViewOp, parts.base, tuple(parts.extents), tuple(dynamic), type=whole)
        grid = cuda_tile_types.PartitionViewType(tuple(self.shape), whole, tuple(range(rank)), padding)
        return emit(view_ops.MakePartitionViewOp, tensor, type=grid)

    def index(self, emit: CudaTileEmitter) -> tuple[Value, ...]:
        """Return the index of the block in the grid of tiles, in tiles: the offsets of its first element
        divided by its extents, which are powers of two. The block must begin at multiples of its extents.
        """
        return tuple(
            start if extent == 1 else emit.shifted_right(start, extent.bit_length() - 1, signed=True)
            for start, extent in zip(self.starts, self.shape, strict=True)
        )


def _is_one(stride: Value) -> bool:
    return is_integer_one(constant_of(stride))


AccessVersion = Callable[[], Sequence[Value]]


def versioned_access(
    emit: CudaTileEmitter,
    condition: Value,
    types: Sequence[Type],
    by_view: AccessVersion,
    by_pointers: AccessVersion,
) -> Sequence[Value]:
    """Insert an `if` on `condition`, an i1, with an access by a view, and an access by pointers in the else
    region; return its results, of the types `types`. `by_view` and `by_pointers` emit the accesses and return
    the results. `choose_access_versions` replaces the `if`.
    """
    regions = (ir_block.Region(), ir_block.Region())
    made = emit.insert(
        control.IfOp, condition, then_region=regions[0], else_region=regions[1], result_types=types
    )
    for region, version in zip(regions, (by_view, by_pointers), strict=True):
        with emit.rewriter.at(emit.rewriter.point):
            emit.rewriter.create_block(region)
            emit.insert(control.YieldOp, tuple(version()))
    return made.results


def load_by_view(emit: CudaTileEmitter, corner: DescriptorBlock, by_pointers: AccessVersion) -> Value:
    """Load the block `corner` by a view or by pointers (`versioned_access`), and return it with the element type in
    memory; `by_pointers` emits the load by pointers.

    If the padding is only known at run time, the view is used for blocks that are entirely inside of the
    tensor.
    """
    padding = corner.parts.padding

    def by_view() -> Sequence[Value]:
        view = corner.view(emit, padding)
        return [emit.made(memory.LoadViewTkoOp, WEAK, view, corner.index(emit)).tile]

    condition = corner.is_on_grid(emit, all_of_it=padding is None)
    (stored,) = versioned_access(emit, condition, [corner.type], by_view, by_pointers)
    return stored


def store_by_view(
    emit: CudaTileEmitter, corner: DescriptorBlock, stored: Value, by_pointers: AccessVersion
) -> None:
    """Store `stored` to the block `corner`, by a view or by pointers (`versioned_access`); `by_pointers` emits the
    store by pointers.
    """

    def by_view() -> Sequence[Value]:
        emit.made(memory.StoreViewTkoOp, WEAK, stored, corner.view(emit, None), corner.index(emit))
        return ()

    versioned_access(emit, corner.is_on_grid(emit, all_of_it=False), [], by_view, by_pointers)


def choose_access_versions(module: Operation) -> dict[str, int]:
    """Replace each `if` of `versioned_access` with one version: the access by a view, if its block is known
    to be an existing tile, else the access by pointers. Return the number of accesses of each kind, by the
    name of a statistic: ``blocks-by-view`` and ``blocks-by-pointers``.
    """
    accesses: list[Any] = [op for op in module.walk() if isinstance(op, ViewAccess)]
    counts = {"blocks-by-view": 0, "blocks-by-pointers": 0}
    if not accesses:
        return counts
    facts = ValueFactsAnalysis(module)
    chosen = [(access.parent_op, _is_tile_of_grid(access, facts)) for access in accesses]
    for branch, by_view in chosen:
        counts["blocks-by-view" if by_view else "blocks-by-pointers"] += 1
        _keep(branch, branch.then_region if by_view else branch.else_region)
    return counts


def _is_tile_of_grid(access: Any, facts: ValueFactsAnalysis) -> bool:
    """Return whether facts prove that `access`, an access by a view, is to an existing tile: the block begins
    at multiples of its extents, and the condition of the `if` around it is true.
    """
    branch: control.IfOp = access.parent_op
    multiples = all(
        extent == 1 or facts.divisibility(index.owner.operands[0]) >= extent
        for index, extent in zip(access.index, access.view.type.tile, strict=True)
    )
    return multiples and facts.constant(branch.condition) not in (None, 0)


def _keep(branch: control.IfOp, region: ir_block.Region) -> None:
    """Replace the `if` `branch` with the operations of `region`, one of its regions, and erase its condition
    if that has no other use.
    """
    condition = branch.condition
    replace_by_block(branch, region.block, Rewriter(builder.InsertionPoint.before(branch)))
    erase_dead([condition])
