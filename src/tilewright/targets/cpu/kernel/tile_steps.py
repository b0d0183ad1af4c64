"""Operations that combine tiles, or that need a whole tile."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from tilewright.dialects.llvm.intrinsics.memory import MemsetOp
from tilewright.dialects.llvm.ops import arithmetic as llvm
from tilewright.dialects.nv_tileaa.ops.math import HistogramOp
from tilewright.dialects.nv_tileas.ops_tile import AllocTensorOp, InsertSliceOp
from tilewright.ir.builtin_types import i8
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.targets.cpu.memory.buffer import Coordinate, Coordinates, TileBuffer
from tilewright.targets.cpu.memory.point import NestPoint
from tilewright.targets.cpu.nest.block_code import BlockCode
from tilewright.targets.cpu.nest.each import each
from tilewright.targets.elements.element_types import memory_type, shape_of
from tilewright.targets.elements.lanes import slice_start
from tilewright.targets.llvm.code import Index


def _part(emit: BlockCode, tile: TileBuffer, starts: Sequence[Index], shape: Sequence[int]) -> TileBuffer:
    """Return the part of a tile in memory with the given shape, starting at the indices `starts`."""
    offset: Index = 0
    for start, stride in zip(starts, tile.strides, strict=True):
        offset = emit.code.add(offset, emit.code.multiply(start, stride))
    address = emit.code.address(tile.address, offset, memory_type(tile.element))
    return replace(tile, address=address, shape=tuple(shape))


def _insert_slice(emit: BlockCode, op: InsertSliceOp) -> None:
    result = emit.buffer_for(op.result)
    if emit.tiles[op.result].source is not op.destination:
        emit.copy(emit.buffers[op.destination], result)
    parts = zip(op.offsets, op.sizes, result.shape, strict=True)
    starts = [slice_start(emit.code, emit.scalars[at], size, extent) for at, size, extent in parts]
    emit.copy(emit.buffers[op.source], _part(emit, result, starts, op.sizes))
    emit.buffers[op.result] = result


def _histogram(emit: BlockCode, op: HistogramOp) -> None:
    """Emit a histogram: the number of elements of the source with each value below the number of bins. Other
    values, and elements with a false mask, are not counted.
    """
    code, result = emit.code, emit.buffer_for(op.result)
    bins = result.shape[0]
    code.effect(MemsetOp, result.address, code.integer(0, i8), code.integer(result.bytes), False)

    def body(point: NestPoint, at: Coordinates) -> None:
        number = code.index(point.lanes_at(op.source, at), signed=False)
        counts = [code.compare_integers("ult", number, code.integer(bins))]
        counts += [point.lanes_at(op.mask, at)] if op.mask is not None else []
        code.either(code.both(counts), lambda: _count(emit, result, number), lambda: ())

    each(emit, shape_of(op.source.type), body)
    emit.buffers[op.result] = result


def _count(emit: BlockCode, result: TileBuffer, number: Value) -> Sequence[Value]:
    code, place = emit.code, (Coordinate(number),)
    before: Any = result.load(code, place, 1)
    result.store(code, place, code(llvm.AddOp, before, code.integer(1, before.type)), 1)
    return ()


def _alloc_tensor(emit: BlockCode, op: AllocTensorOp) -> None:
    """Allocate memory for elements that later operations store."""
    emit.hold(op.result)


RULES: dict[type[Operation], Any] = {
    AllocTensorOp: _alloc_tensor,
    InsertSliceOp: _insert_slice,
    HistogramOp: _histogram,
}
