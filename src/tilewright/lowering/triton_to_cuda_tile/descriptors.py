"""Tensor descriptors: a pointer, extents and strides, and accesses to blocks through them.

Offsets count elements and may point outside of the tensor on every side. Blocks that begin at multiples of
their extents are tiles of a view (`descriptor_views`). All others, and gathered or scattered rows, are
accessed through pointers under a mask, so that nothing is read or written outside.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from tilewright.dialects.cuda_tile.enums import (
    AtomicRMWMode,
    ComparisonPredicate,
    MemoryOrderingSemantics,
    MemoryScope,
    PaddingValue,
)
from tilewright.dialects.cuda_tile.ops import memory, tile as tiles
from tilewright.dialects.cuda_tile.types import TileType, tile_of
from tilewright.dialects.tt.enums import DescriptorReduceKind, PaddingOption
from tilewright.dialects.tt.ops import descriptor as tt
from tilewright.dialects.tt.types import TensorDescType
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import FloatType, IntegerType, i64
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering.pattern import LoweringResult
from tilewright.lowering.triton_to_cuda_tile.descriptor_views import (
    DescriptorBlock,
    DescriptorParts,
    load_by_view,
    store_by_view,
)
from tilewright.lowering.triton_to_cuda_tile.emit import BOOLEAN, CudaTileEmitter
from tilewright.lowering.triton_to_cuda_tile.memory_patterns import WEAK, from_memory, to_memory
from tilewright.lowering.triton_to_cuda_tile.pattern import SpreadPattern, TritonLowering, flat
from tilewright.rewrite.conversion.pattern import Adaptor

_Op = TypeVar("_Op", bound=Operation)

BlockAccess = tt.DescriptorLoadOp | tt.DescriptorStoreOp | tt.DescriptorReduceOp
RowAccess = tt.DescriptorGatherOp | tt.DescriptorScatterOp
LESS = ComparisonPredicate.LESS_THAN
AT_LEAST = ComparisonPredicate.GREATER_THAN_OR_EQUAL
FLOAT_MODES = {DescriptorReduceKind.ADD: AtomicRMWMode.ADDF}
UNSIGNED_MODES = {DescriptorReduceKind.MIN: AtomicRMWMode.UMIN, DescriptorReduceKind.MAX: AtomicRMWMode.UMAX}
MODES = {
    DescriptorReduceKind.ADD: AtomicRMWMode.ADD,
    DescriptorReduceKind.MIN: AtomicRMWMode.MIN,
    DescriptorReduceKind.MAX: AtomicRMWMode.MAX,
    DescriptorReduceKind.AND: AtomicRMWMode.AND,
    DescriptorReduceKind.OR: AtomicRMWMode.OR,
    DescriptorReduceKind.XOR: AtomicRMWMode.XOR,
}


@dataclass(frozen=True, slots=True)
class BlockAddresses:
    """The addresses of the elements of a block, and a mask of the elements that are inside of the tensor."""

    addresses: Value
    mask: Value


def addresses_at(emit: CudaTileEmitter, parts: DescriptorParts, positions: Sequence[Value]) -> BlockAddresses:
    """Return the addresses and the mask of the elements at `positions`: one tile of indices for each
    dimension of the tensor, which has extent 1 along the other dimensions.
    """
    shapes = [tile_of(position).shape for position in positions]
    shape = [max(extents) for extents in zip(*shapes, strict=True)]
    offset, mask = None, None
    for position, extent, stride in zip(positions, parts.extents, parts.strides, strict=True):
        here = tile_of(position).shape
        inside = emit.both(
            emit.compared(AT_LEAST, position, emit.like(0, position)),
            emit.compared(LESS, position, emit.spread(extent, here)),
        )
        distance = emit.broadcast(emit.multiply(position, emit.spread(stride, here)), shape)
        inside = emit.broadcast(inside, shape)
        offset = distance if offset is None else emit.add(offset, distance)
        mask = inside if mask is None else emit.both(mask, inside)
    assert offset is not None, "tensors have a dimension"
    assert mask is not None, "tensors have a dimension"
    return BlockAddresses(emit(tiles.OffsetOp, emit.spread(parts.base, shape), offset), mask)


def block_shape(descriptor: Value) -> tuple[int, ...]:
    """Return the extents of the blocks of a descriptor, from the type of the value `descriptor`."""
    assert isinstance(descriptor.type, TensorDescType), "the verifier says so"
    return descriptor.type.shape


def block(emit: CudaTileEmitter, corner: DescriptorBlock) -> BlockAddresses:
    """Return the addresses of the elements of the block `corner`, and the mask of those that are inside of
    the tensor.
    """
    return addresses_at(emit, corner.parts, block_positions(emit, corner.starts, corner.shape))


def block_positions(emit: CudaTileEmitter, starts: Sequence[Value], shape: Sequence[int]) -> list[Value]:
    """Return the indices of the elements of a block along each dimension: the numbers in ``[start, start +
    extent)``, as a tile with extent 1 along the other dimensions.
    """
    found: list[Value] = []
    for axis, (start, extent) in enumerate(zip(starts, shape, strict=True)):
        counting = emit.counting(extent, axis, len(shape), i64)
        first = emit.spread(emit.resized(start, i64), tile_of(counting).shape)
        found.append(emit.add(first, counting))
    return found


class MakeDescriptorPattern(SpreadPattern[tt.MakeTensorDescOp]):
    """Converts the creation of a descriptor to its parts: the pointer, extents and strides in 64 bits, and
    whether elements outside of the tensor are NaN.
    """

    def lower(
        self, op: tt.MakeTensorDescOp, at: Adaptor, types: Sequence[Type], emit: CudaTileEmitter
    ) -> LoweringResult:
        (base,) = at.base
        numbers = [emit.resized(value, i64) for value in flat([*at.shape, *at.strides])]
        nan = emit.constant(op.padding is PaddingOption.PAD_NAN, BOOLEAN)
        return [base, *numbers, nan]


class DescriptorAccessPattern(SpreadPattern[_Op]):
    """The base of patterns for accesses through descriptors: it computes the blocks or rows that an access
    names, and emits loads and stores by pointers.
    """

    def corner(self, op: BlockAccess, at: Adaptor, emit: CudaTileEmitter) -> DescriptorBlock:
        """Return the block that an access loads, stores or updates."""
        return DescriptorBlock(DescriptorParts.of(at.desc, emit), flat(at.indices), block_shape(op.desc))

    def rows(
        self, op: RowAccess, at: Adaptor, emit: CudaTileEmitter
    ) -> tuple[DescriptorParts, BlockAddresses]:
        """Return the parts of the descriptor, and the addresses and mask of the rows that an access names;
        each row begins at the access's column.
        """
        parts = DescriptorParts.of(at.desc, emit)
        (rows,), (column,) = at.x_offsets, at.y_offset
        count, width = tile_of(rows).shape[0], block_shape(op.desc)[-1]
        below = emit.resized(emit.reshaped(rows, (count, 1)), i64)
        (_, beside) = block_positions(emit, [emit.scalar(0), column], (1, width))
        return parts, addresses_at(emit, parts, [below, beside])

    def load(self, parts: DescriptorParts, where: BlockAddresses, emit: CudaTileEmitter) -> Value:
        """Load the elements at `where`, with the element type in memory; elements outside of the tensor are
        padding.
        """
        stored = tile_of(where.addresses).with_element_type(parts.element)
        padding = _padding(parts, stored, emit)
        made = emit.made(memory.LoadPtrTkoOp, WEAK, where.addresses, mask=where.mask, padding_value=padding)
        return made.result

    def store(self, where: BlockAddresses, stored: Value, emit: CudaTileEmitter) -> Sequence[Value]:
        """Store `stored` to the elements at `where` that are inside of the tensor. Return no values."""
        emit.made(memory.StorePtrTkoOp, WEAK, where.addresses, stored, mask=where.mask)
        return ()


def _padding(parts: DescriptorParts, type: TileType, emit: CudaTileEmitter) -> Value:
    zero = emit.constant(0, type)
    match parts.padding:
        case PaddingValue.ZERO:
            return zero
        case PaddingValue.NAN:
            return emit.constant(float("nan"), type)
        case _:
            return emit.choose(parts.fills_with_nan, emit.constant(float("nan"), type), zero)


def _in_registers(stored: Value, type: Any, emit: CudaTileEmitter) -> Value:
    """Return `stored`, elements with their type in memory, converted to the shape and the element type of
    `type`.
    """
    here = tile_of(stored).with_element_type(type.element_type)
    return emit.reshaped(from_memory(emit, stored, here), type.shape)


def _in_memory(value: Value, shape: Sequence[int], emit: CudaTileEmitter) -> Value:
    """Return `value` converted to the shape `shape` of a block and to the type that its elements have in
    memory.
    """
    return emit.reshaped(to_memory(emit, value), shape)


class DescriptorLoadPattern(DescriptorAccessPattern[tt.DescriptorLoadOp]):
    """Converts the load of a block to a load by a view or by pointers (`load_by_view`); elements outside of
    the tensor are padding.
    """

    def lower(
        self, op: tt.DescriptorLoadOp, at: Adaptor, types: Sequence[Type], emit: CudaTileEmitter
    ) -> LoweringResult:
        corner = self.corner(op, at, emit)
        stored = load_by_view(emit, corner, lambda: [self.load(corner.parts, block(emit, corner), emit)])
        return (_in_registers(stored, types[0], emit),)


class DescriptorStorePattern(DescriptorAccessPattern[tt.DescriptorStoreOp]):
    """Converts the store of a block to a store by a view or by pointers (`store_by_view`); nothing is written
    outside of the tensor.
    """

    def lower(
        self, op: tt.DescriptorStoreOp, at: Adaptor, types: Sequence[Type], emit: CudaTileEmitter
    ) -> LoweringResult:
        corner = self.corner(op, at, emit)
        stored = _in_memory(at.src[0], corner.shape, emit)
        store_by_view(emit, corner, stored, lambda: self.store(block(emit, corner), stored, emit))
        return ()


class DescriptorGatherPattern(DescriptorAccessPattern[tt.DescriptorGatherOp]):
    """Converts a gather, which loads rows at arbitrary indices, to a load by pointers under a mask; elements
    outside of the tensor are padding.
    """

    def lower(
        self, op: tt.DescriptorGatherOp, at: Adaptor, types: Sequence[Type], emit: CudaTileEmitter
    ) -> LoweringResult:
        parts, where = self.rows(op, at, emit)
        return (_in_registers(self.load(parts, where, emit), types[0], emit),)


class ScatterPattern(DescriptorAccessPattern[tt.DescriptorScatterOp]):
    """Converts a scatter, which stores rows at arbitrary indices, to a store by pointers under a mask;
    nothing is written outside of the tensor.
    """

    def lower(
        self, op: tt.DescriptorScatterOp, at: Adaptor, types: Sequence[Type], emit: CudaTileEmitter
    ) -> LoweringResult:
        _, where = self.rows(op, at, emit)
        return self.store(where, _in_memory(at.src[0], tile_of(where.addresses).shape, emit), emit)


class DescriptorReducePattern(DescriptorAccessPattern[tt.DescriptorReduceOp]):
    """Converts an atomic reduction of a block into memory to atomic updates of its elements, relaxed and for
    the device. A reduction does not match if Tile IR cannot do it atomically on the element type.
    """

    def lower(
        self, op: tt.DescriptorReduceOp, at: Adaptor, types: Sequence[Type], emit: CudaTileEmitter
    ) -> LoweringResult:
        assert isinstance(op.desc.type, TensorDescType), "the verifier says so"
        element = op.desc.type.element_type
        mode = _mode(op.kind_, element)
        if mode is None:
            return emit.rewriter.no_match("'{}' of {} is not atomic", op.kind_.name, element)
        (value,) = at.src
        where = block(emit, self.corner(op, at, emit))
        emit.made(
            memory.AtomicRMWTkoOp,
            MemoryOrderingSemantics.RELAXED,
            MemoryScope.DEVICE,
            where.addresses,
            mode,
            emit.reshaped(value, tile_of(where.addresses).shape),
            mask=where.mask,
        )
        return ()


def _mode(kind: DescriptorReduceKind, element: Type) -> AtomicRMWMode | None:
    if isinstance(element, FloatType):
        return FLOAT_MODES.get(kind)
    unsigned = isinstance(element, IntegerType) and element.signedness == "unsigned"
    return (UNSIGNED_MODES.get(kind) if unsigned else None) or MODES.get(kind)


def descriptor_patterns(lowering: TritonLowering) -> list[SpreadPattern[Any]]:
    """Return the patterns for descriptors and accesses through them."""
    classes = (
        MakeDescriptorPattern,
        DescriptorLoadPattern,
        DescriptorStorePattern,
        DescriptorGatherPattern,
        ScatterPattern,
        DescriptorReducePattern,
    )
    return [pattern(lowering) for pattern in classes]
