"""Operations that are steps of their own: aliases, constants, single elements, coordinates in the grid."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tilewright.dialects.arith.ops_integer import ConstantOp
from tilewright.dialects.nv_tileaa.ops import program as tileaa_program, structure as tileaa_structure
from tilewright.dialects.nv_tileas.ops_tile import DotOp, ViewOp
from tilewright.ir.operation import Operation
from tilewright.targets.cpu.kernel import prints, program_memory, tile_steps
from tilewright.targets.cpu.memory.buffer import Coordinate, TileBuffer
from tilewright.targets.cpu.nest import atomics, block_code
from tilewright.targets.cpu.plan.model import Temporaries, row_major
from tilewright.targets.cpu.products.dot import dot
from tilewright.targets.elements.element_types import element_of, is_tile, shape_of
from tilewright.targets.elements.lanes import constant_value, slice_start


def _view(emit: block_code.BlockCode, op: ViewOp, copy: Temporaries | None = None) -> None:
    """Emit a view, and record the buffer of its result: the memory of the source, or, unless `copy` is None,
    the memory in `copy`, to which the elements of the source are copied contiguously.
    """
    source, tile = emit.buffers[op.source], emit.tiles[op.result]
    if copy is not None:
        (slot,) = copy.slots
        target = replace(source, address=emit.address_of(slot), strides=row_major(source.shape))
        emit.copy(source, target)
        source = target
    emit.buffers[op.result] = TileBuffer(
        source.address, shape_of(op.result.type), tile.strides, source.element
    )


def _extract(emit: block_code.BlockCode, op: tileaa_structure.ExtractOp) -> None:
    source = emit.buffers[op.source]
    places = zip(op.indices, source.shape, strict=True)
    place = tuple(Coordinate(slice_start(emit.code, emit.scalars[at], 1, extent)) for at, extent in places)
    emit.scalars[op.result] = source.load(emit.code, place, 1)


def _constant(emit: block_code.BlockCode, op: ConstantOp | tileaa_structure.ConstantTensorOp) -> None:
    result = op.results[0]
    if not is_tile(result.type):
        emit.scalars[result] = constant_value(emit.code, op.value, element_of(result.type))
        return
    value: Any = op.value  # the attribute holds the elements of a tile
    address, strides = emit.constant_data(value), emit.tiles[result].strides
    emit.buffers[result] = TileBuffer(address, shape_of(result.type), strides, element_of(result.type))


def _program_id(emit: block_code.BlockCode, op: tileaa_program.GetProgramIdOp) -> None:
    emit.scalars[op.result] = emit.grid_position[op.axis]


def _num_programs(emit: block_code.BlockCode, op: tileaa_program.GetNumProgramsOp) -> None:
    emit.scalars[op.result] = emit.grid[op.axis]


RULES: dict[type[Operation], Any] = {
    ViewOp: _view,
    tileaa_structure.ExtractOp: _extract,
    ConstantOp: _constant,
    tileaa_structure.ConstantTensorOp: _constant,
    tileaa_program.GetProgramIdOp: _program_id,
    tileaa_program.GetNumProgramsOp: _num_programs,
    **atomics.RULES,
    **prints.RULES,
    **program_memory.RULES,
    **tile_steps.RULES,
    DotOp: dot,
}
