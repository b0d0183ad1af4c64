"""Operations on whole tiles: aliases, constants, single elements, places in the grid."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tilewright.dialects.arith.ops_integer import ConstantOp
from tilewright.dialects.nv_tileaa.ops_program import GetNumProgramsOp, GetProgramIdOp
from tilewright.dialects.nv_tileaa.ops_structure import ConstantTensorOp, ExtractOp
from tilewright.dialects.nv_tileas.attributes import view_strides
from tilewright.dialects.nv_tileas.ops_tile import DotOp, ViewOp
from tilewright.ir.operation import Operation
from tilewright.targets.cpu.kernel import prints, whole_tiles
from tilewright.targets.cpu.memory import atomics, whole_memory
from tilewright.targets.cpu.memory.buffer import Buffer, Coordinate, Coordinates, row_major
from tilewright.targets.cpu.nest.shape import constant_value, slice_start, source_coordinates
from tilewright.targets.cpu.products.dot import dot
from tilewright.targets.elements.types import element_of, is_tile, shape_of

if TYPE_CHECKING:
    from tilewright.targets.cpu.kernel.function import KernelEmitter


def _view(emit: KernelEmitter, op: ViewOp) -> None:
    """The elements where they are, if each dimension is one of the source; else those of a copy that has no gaps."""
    shape = shape_of(op.result.type)
    marks = tuple(Coordinate(at + 1) for at in range(len(shape)))
    inner = source_coordinates(op, marks)
    if inner is None:
        source = emit.contiguous(op.source)
        strides = view_strides(op.layout) if op.layout is not None else row_major(shape)
    else:
        source = emit.buffers[op.source]
        strides = _shown_strides(source, shape, inner)
    emit.buffers[op.result] = Buffer(source.address, shape, strides, source.element)


def _shown_strides(source: Buffer, shape: tuple[int, ...], inner: Coordinates) -> tuple[int, ...]:
    """The strides of a view whose dimensions are those of the source, named by the numbers in ``inner``."""
    strides: list[int] = [
        step if extent == 1 else 0 for extent, step in zip(shape, row_major(shape), strict=True)
    ]
    for stride, mark in zip(source.strides, inner, strict=True):
        if isinstance(mark.base, int) and mark.base:
            strides[mark.base - 1] = stride
    return tuple(strides)


def _extract(emit: KernelEmitter, op: ExtractOp) -> None:
    source = emit.buffers[op.source]
    places = zip(op.indices, source.shape, strict=True)
    place = tuple(Coordinate(slice_start(emit.code, emit.scalars[at], 1, extent)) for at, extent in places)
    emit.scalars[op.result] = source.load(emit.code, place, 1)


def _constant(emit: KernelEmitter, op: ConstantOp | ConstantTensorOp) -> None:
    result = op.results[0]
    if not is_tile(result.type):
        emit.scalars[result] = constant_value(emit.code, op.value, element_of(result.type))
        return
    shape = shape_of(result.type)
    value: Any = op.value  # a tile is made of elements
    address = emit.constant_data(value)
    emit.buffers[result] = Buffer(address, shape, row_major(shape), element_of(result.type))


def _program_id(emit: KernelEmitter, op: GetProgramIdOp) -> None:
    emit.scalars[op.result] = emit.grid_position[op.axis]


def _num_programs(emit: KernelEmitter, op: GetNumProgramsOp) -> None:
    emit.scalars[op.result] = emit.grid[op.axis]


RULES: dict[type[Operation], Any] = {
    ViewOp: _view,
    ExtractOp: _extract,
    ConstantOp: _constant,
    ConstantTensorOp: _constant,
    GetProgramIdOp: _program_id,
    GetNumProgramsOp: _num_programs,
    **atomics.RULES,
    **prints.RULES,
    **whole_memory.RULES,
    **whole_tiles.RULES,
    DotOp: dot,
}
