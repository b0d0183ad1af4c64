"""Evaluators of operations that only rearrange elements: they emit no code except for coordinates."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace

from tilewright.dialects.arith.ops_integer import ConstantOp
from tilewright.dialects.llvm.ops import aggregate as llvm_aggregate, arithmetic as llvm
from tilewright.dialects.llvm.ops.conversion import TruncOp
from tilewright.dialects.nv_tileaa.ops.pointer import AssumeOp
from tilewright.dialects.nv_tileaa.ops.structure import ConstantTensorOp, MakeRangeOp, SplatOp
from tilewright.dialects.nv_tileas import ops_tile as tileas_tile
from tilewright.dialects.nv_tileas.attributes import view_dimensions
from tilewright.dialects.ub.dialect import PoisonOp
from tilewright.ir.builtin_attributes import DenseElementsAttr, FloatAttr, IntegerAttr
from tilewright.ir.builtin_types import FloatType, i64
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.targets.cpu.memory.buffer import Coordinate, Coordinates
from tilewright.targets.cpu.memory.point import Evaluator, NestPoint, Request
from tilewright.targets.elements.element_types import element_of, register_type, shape_of
from tilewright.targets.elements.lanes import constant_value, known_index, slice_start
from tilewright.targets.llvm.code import Index, LlvmBuilder

ORIGIN = Coordinate(0)
ForwardedLanes = Generator[Request, Value, Value]
"""A generator that requests the lanes of another tile, and returns them as its own."""


def _expand_dims(
    point: NestPoint, op: tileas_tile.ExpandDimsOp, result: int, coordinates: Coordinates
) -> ForwardedLanes:
    return (yield op.source, coordinates[: op.axis] + coordinates[op.axis + 1 :])


def source_coordinates(op: tileas_tile.ViewOp, coordinates: Coordinates) -> Coordinates | None:
    """Return the coordinates of a view's elements in its source. None unless each dimension of the view is a
    dimension of the source, or repeats elements.
    """
    dimensions = view_dimensions(op.layout, shape_of(op.result.type), shape_of(op.source.type))
    if dimensions is None:
        return None
    return tuple(ORIGIN if at is None else coordinates[at] for at in dimensions)


def _extract_slice(
    point: NestPoint, op: tileas_tile.ExtractSliceOp, result: int, coordinates: Coordinates
) -> ForwardedLanes:
    """Request the lanes of the source at the coordinates of the slice, moved by its offsets. Offsets count
    elements, and are the same for all lanes.
    """
    parts = zip(coordinates, op.offsets, op.sizes, shape_of(op.source.type), strict=True)
    return (yield op.source, tuple(_moved_by(point, *part) for part in parts))


def _moved_by(point: NestPoint, at: Coordinate, offset: Value, size: int, extent: int) -> Coordinate:
    """Return a coordinate in the whole tile for the coordinate `at` in a part of it: the part begins at
    `offset` in a dimension of `extent` elements, and has `size` of them. The same loops change the result.
    """
    code = point.code
    places = at.rows or (at.base,)

    def make() -> tuple[Index, ...]:
        start = slice_start(code, point.scalars[offset], size, extent)
        return tuple(code.add(place, start) for place in places)

    moved = point.once((places, offset, size, extent), at.level, make)
    return replace(at, base=moved[places.index(at.base)], rows=moved if at.rows else ())


# --- tiles without a source


def splat_pattern(code: LlvmBuilder, attribute: DenseElementsAttr) -> Value:
    """Return the element of a splat attribute as a scalar constant in its register type."""
    (bits,) = attribute.patterns()
    element = attribute.element_type
    value = FloatAttr(element, bits) if isinstance(element, FloatType) else IntegerAttr(element, bits)
    return constant_value(code, value, element)


def _constant(
    point: NestPoint, op: ConstantOp | ConstantTensorOp, result: int, coordinates: Coordinates
) -> Value:
    """Evaluate a splat constant; other constants are tiles in memory."""
    attribute = op.value
    if isinstance(attribute, DenseElementsAttr):
        return splat_pattern(point.code, attribute)
    return constant_value(point.code, attribute, element_of(op.results[0].type))


def _splat(point: NestPoint, op: SplatOp, result: int, coordinates: Coordinates) -> Value:
    if op.source is not None:
        return point.scalars[op.source]
    assert op.value is not None, "a splat has a source or a value"
    return constant_value(point.code, op.value, element_of(op.result.type))


def _make_range(point: NestPoint, op: MakeRangeOp, result: int, coordinates: Coordinates) -> Value:
    """Return the lanes of a range at `coordinates`: the lower bound plus the index, consecutive in the lanes
    of a vector, modulo the width of the element type; a scalar if the coordinate is one.
    """
    (at,) = coordinates
    code, element = point.code, register_type(element_of(op.result.type))
    base = code.value(code.add(at.base, known_index(code, point.scalars[op.lower])))
    start = base if element is i64 else code(TruncOp, base, type=element)
    if not at.lanes:
        return start
    return code(llvm.AddOp, code.broadcast(start, point.lanes), code.steps(point.lanes, element))


def _same(
    point: NestPoint,
    op: AssumeOp | tileas_tile.ConvertLayoutOp | tileas_tile.PragmaOp,
    result: int,
    coordinates: Coordinates,
) -> ForwardedLanes:
    """Forward the elements of the operand with the number `result`."""
    return (yield op.operands[result], coordinates)


def _poison(point: NestPoint, op: PoisonOp, result: int, coordinates: Coordinates) -> Value:
    """Return zero for a poison tile: it is harmless even where the program only carries the value along."""
    return point.code(llvm_aggregate.ZeroOp, type=register_type(element_of(op.result.type)))


EVALUATORS: dict[type[Operation], Evaluator] = {
    PoisonOp: _poison,
    AssumeOp: _same,
    tileas_tile.PragmaOp: _same,
    tileas_tile.ConvertLayoutOp: _same,
    tileas_tile.ExpandDimsOp: _expand_dims,
    tileas_tile.ExtractSliceOp: _extract_slice,
    SplatOp: _splat,
    ConstantTensorOp: _constant,
    MakeRangeOp: _make_range,
    ConstantOp: _constant,
}
