"""The elements of a factor, in the type that packed factors hold."""

from __future__ import annotations

from dataclasses import replace

from tilewright.dialects.llvm.ops import arithmetic as llvm
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import FloatType, f64
from tilewright.ir.value import Value
from tilewright.targets.cpu.machine.product_kinds import ProductKind
from tilewright.targets.cpu.memory.buffer import Coordinate, spread
from tilewright.targets.cpu.memory.point import Point
from tilewright.targets.cpu.nest.shape import ORIGIN
from tilewright.targets.cpu.plan.products import FactorTile
from tilewright.targets.elements.element_types import element_of, shape_of
from tilewright.targets.elements.expression import Expression
from tilewright.targets.elements.rounding import widen
from tilewright.targets.llvm.code import Index, LlvmBuilder


def held_lanes(
    factor: FactorTile, point: Point, kind: ProductKind, batch: Index, across: Coordinate, depth: Coordinate
) -> Value:
    """Return lanes of a factor in the element type of the packed factor."""
    code = point.code
    lanes = point.lanes_at(factor.value, _coordinates(factor, batch, across, depth))
    held = spread(code, _as_held(code, lanes, factor.element, kind, factor.signed), point.lanes)
    if factor.scales is None:
        return held
    block = replace(depth, base=_divided(code, depth.base, factor.scales.block), lanes=False)
    scale = point.lanes_at(factor.scales.value, _coordinates(factor, batch, across, block))
    scaling = _as_held(code, scale, element_of(factor.scales.value.type), kind, factor.signed)
    return code(llvm.FMulOp, held, spread(code, scaling, point.lanes), type=held.type)


def _coordinates(
    factor: FactorTile, batch: Index, across: Coordinate, depth: Coordinate
) -> tuple[Coordinate, ...]:
    found = [ORIGIN] * len(shape_of(factor.value.type))
    found[factor.across], found[factor.depth] = across, depth
    if factor.batch is not None:
        found[factor.batch] = Coordinate(batch)
    return tuple(found)


def _as_held(code: LlvmBuilder, lanes: Value, element: Type, kind: ProductKind, signed: bool) -> Value:
    if not isinstance(element, FloatType):
        return Expression(code, lanes).extended(kind.held, signed=signed).value
    wide = widen(Expression(code, lanes), element)
    return (wide.to_float(f64) if kind.held is f64 else wide).value


def _divided(code: LlvmBuilder, index: Index, block: int) -> Index:
    if isinstance(index, int):
        return index // block
    return index if block == 1 else code(llvm.LShrOp, index, code.integer(block.bit_length() - 1))
