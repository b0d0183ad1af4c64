"""Tiles whose elements a region computes."""

from __future__ import annotations

from tilewright.dialects.nv_tileas.ops_tile import GenerateOp
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.targets.cpu.memory.buffer import Coordinate, Coordinates
from tilewright.targets.cpu.memory.point import Evaluator, NestPoint
from tilewright.targets.cpu.nest import block_code, combine


def evaluators(emit: block_code.BlockCode) -> dict[type[Operation], Evaluator]:
    """Return the evaluators of generated tiles: the region gets the coordinates of the lanes, then the lanes
    of other tiles.
    """

    def evaluate(point: NestPoint, op: GenerateOp, result: int, coordinates: Coordinates) -> Value:
        (block,) = op.body.blocks
        given = [_position(point, at) for at in coordinates]
        given += [point.lanes_at(value, coordinates) for value in op.inputs]
        made = combine.body_values(emit, block, given, point.lanes)
        for value, lanes in zip(op.results, made, strict=True):
            point.set(value, coordinates, lanes)
        return made[result]

    return {GenerateOp: evaluate}


def _position(point: NestPoint, at: Coordinate) -> Value:
    return point.vector_index(at.base) if at.lanes else point.code.value(at.base)
