"""Converts gathers and histograms, which use memory that only the tile block accesses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tilewright.dialects.cuda_tile import enums as cuda_tile_enums
from tilewright.dialects.cuda_tile.ops import memory, tile as tiles
from tilewright.dialects.cuda_tile.types import PointerType, TileType, tile_of
from tilewright.dialects.tt.ops import shape as tt
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import i32
from tilewright.ir.value import Value
from tilewright.lowering.pattern import LoweringResult
from tilewright.lowering.triton_to_cuda_tile.emit import CudaTileEmitter
from tilewright.lowering.triton_to_cuda_tile.memory_patterns import from_memory, to_memory
from tilewright.lowering.triton_to_cuda_tile.pattern import TritonLowering, TritonPattern
from tilewright.rewrite.conversion.pattern import Adaptor

ALIGNMENT = 64
WEAK = cuda_tile_enums.MemoryOrderingSemantics.WEAK
LESS = cuda_tile_enums.ComparisonPredicate.LESS_THAN


class OwnMemory:
    """An allocation of ``count`` elements for a single converted operation; ``token`` is the token of the
    latest access.
    """

    def __init__(self, emit: CudaTileEmitter, count: int, element: Type) -> None:
        self.emit = emit
        pointer = TileType((), PointerType(element))
        self.start = emit(memory.AllocaOp, count, ALIGNMENT, type=pointer)
        self.token: Value | None = None

    def addresses(self, offsets: Value) -> Value:
        """Return a tile of pointers to the elements at `offsets`, which count elements."""
        return self.emit(tiles.OffsetOp, self.emit.spread(self.start, tile_of(offsets).shape), offsets)

    def store(self, offsets: Value, value: Value) -> None:
        """Store `value` at `offsets`, after the earlier accesses."""
        made = self.emit.insert(memory.StorePtrTkoOp, WEAK, self.addresses(offsets), value, token=self.token)
        self.token = made.result_token

    def load(self, offsets: Value) -> Value:
        """Load the elements at `offsets`, after the earlier accesses."""
        made = self.emit.insert(memory.LoadPtrTkoOp, WEAK, self.addresses(offsets), token=self.token)
        self.token = made.result_token
        return made.result


def row_major(emit: CudaTileEmitter, shape: Sequence[int]) -> Value:
    """Return a tile of the given shape in which each element is its row-major number: 0, 1, 2, ..."""
    count = 1
    for extent in shape:
        count *= extent
    return emit.reshaped(emit.counting(count, 0, 1), shape)


class GatherPattern(TritonPattern[tt.GatherOp]):
    """Converts a gather: it selects elements along one dimension by their indices.

    An index outside of the dimension is taken modulo the extent.
    """

    def lower(
        self, op: tt.GatherOp, at: Adaptor, types: Sequence[Type], emit: CudaTileEmitter
    ) -> LoweringResult:
        source, indices = to_memory(emit, at.src), emit.resized(at.indices, i32)
        tile = tile_of(source)
        own = OwnMemory(emit, tile.element_count, tile.element_type)
        own.store(row_major(emit, tile.shape), source)
        inside = emit.both(indices, emit.like(tile.shape[op.axis] - 1, indices))
        return from_memory(emit, own.load(self._offsets(emit, inside, tile.shape, op.axis)), types[0])

    def _offsets(self, emit: CudaTileEmitter, indices: Value, shape: Sequence[int], axis: int) -> Value:
        taken = tile_of(indices).shape
        stride, total = 1, None
        for dimension in reversed(range(len(shape))):
            here = indices
            if dimension != axis:
                here = emit.broadcast(emit.counting(taken[dimension], dimension, len(shape)), taken)
            part = emit.multiply(here, emit.like(stride, here)) if stride > 1 else here
            total = part if total is None else emit.add(total, part)
            stride *= shape[dimension]
        assert total is not None, "tensors have a dimension"
        return total


class HistogramPattern(TritonPattern[tt.HistogramOp]):
    """Converts a histogram: the number of elements for each value. Values without a bin, and elements whose
    mask is false, are not counted.
    """

    def lower(
        self, op: tt.HistogramOp, at: Adaptor, types: Sequence[Type], emit: CudaTileEmitter
    ) -> LoweringResult:
        numbers, mask = at.operands[0], at.operands[1] if len(at.operands) > 1 else None
        (type,) = types
        assert isinstance(type, TileType), "the converter says so"
        bins = type.shape[0]
        own = OwnMemory(emit, bins, type.element_type)
        every = row_major(emit, type.shape)
        own.store(every, emit.constant(0, type))
        inside = emit.compared(LESS, numbers, emit.like(bins, numbers), signed=False)
        counted = inside if mask is None else emit.both(inside, mask)
        ones = emit.constant(1, tile_of(numbers).with_element_type(type.element_type))
        made = emit.insert(
            memory.AtomicRMWTkoOp,
            cuda_tile_enums.MemoryOrderingSemantics.RELAXED,
            cuda_tile_enums.MemoryScope.TL_BLK,
            own.addresses(numbers),
            cuda_tile_enums.AtomicRMWMode.ADD,
            ones,
            mask=counted,
            token=own.token,
        )
        own.token = made.result_token
        return own.load(every)


def own_memory_patterns(lowering: TritonLowering) -> list[TritonPattern[Any]]:
    """Return the patterns for gathers and histograms."""
    return [GatherPattern(lowering), HistogramPattern(lowering)]
