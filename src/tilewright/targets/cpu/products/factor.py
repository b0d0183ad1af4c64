"""The factors of a product: their elements, and which of these are contiguous."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tilewright.dialects.llvm.ops import arithmetic as llvm
from tilewright.dialects.nv_tileaa.attributes import Signedness
from tilewright.dialects.nv_tileas.ops_tile import DotOp, ViewOp
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import FloatType, f64
from tilewright.ir.value import OpResult, Value
from tilewright.lowering.access_facts.positions import Position
from tilewright.targets.cpu.memory.buffer import Coordinate, spread
from tilewright.targets.cpu.nest.point import Point
from tilewright.targets.cpu.nest.shape import ORIGIN, source_coordinates
from tilewright.targets.cpu.plan import operation_table
from tilewright.targets.cpu.products.kinds import ProductKind
from tilewright.targets.cpu.products.operands import transposed_source
from tilewright.targets.elements.element_types import element_of, shape_of
from tilewright.targets.elements.expression import Expression
from tilewright.targets.elements.rounding import widen
from tilewright.targets.llvm.code import Index, LlvmBuilder

if TYPE_CHECKING:
    from tilewright.targets.cpu.plan.accesses import AccessPlanner


@dataclass(frozen=True, slots=True)
class Scales:
    """The scales of a factor: one scale for each ``block`` elements along the depth."""

    value: Value
    block: int


@dataclass(frozen=True, slots=True)
class FactorTile:
    """A factor of a product: a tile and the meaning of its dimensions.

    ``across`` is the dimension of the rows of A or the columns of B, ``depth`` the dimension that is summed,
    and ``batch`` the dimension of the matrices of a batch. All other dimensions have extent 1.
    """

    value: Value
    across: int
    depth: int
    batch: int | None = None
    signed: bool = True
    scales: Scales | None = None

    @property
    def width(self) -> int:
        """Return the number of rows of A or of columns of B."""
        return shape_of(self.value.type)[self.across]

    @property
    def length(self) -> int:
        """Return the extent of the depth."""
        return shape_of(self.value.type)[self.depth]

    @property
    def tiles(self) -> Sequence[Value]:
        """Return the tiles from which the elements are computed."""
        return (self.value,) if self.scales is None else (self.value, self.scales.value)

    @property
    def element(self) -> Type:
        """Return the type of the elements."""
        return element_of(self.value.type)

    def held_lanes(
        self, point: Point, kind: ProductKind, batch: Index, across: Coordinate, depth: Coordinate
    ) -> Value:
        """Return lanes in the element type of the packed factor."""
        lanes = point.lanes_at(self.value, self._at(batch, across, depth))
        held = spread(point.code, _as_held(point.code, lanes, self.element, kind, self.signed), point.lanes)
        if self.scales is None:
            return held
        block = replace(depth, base=_divided(point.code, depth.base, self.scales.block), lanes=False)
        scale = point.lanes_at(self.scales.value, self._at(batch, across, block))
        factor = _as_held(point.code, scale, element_of(self.scales.value.type), kind, self.signed)
        return point.code(llvm.FMulOp, held, spread(point.code, factor, point.lanes), type=held.type)

    def _at(self, batch: Index, across: Coordinate, depth: Coordinate) -> tuple[Coordinate, ...]:
        found = [ORIGIN] * len(shape_of(self.value.type))
        found[self.across], found[self.depth] = across, depth
        if self.batch is not None:
            found[self.batch] = Coordinate(batch)
        return tuple(found)


def left_factor(known: AccessPlanner, op: DotOp) -> FactorTile:
    """Return the factor of the rows of A."""
    return _factor(known, op.a, -2, op.signedness_a, op.sfa)


def right_factor(known: AccessPlanner, op: DotOp) -> FactorTile:
    """Return the factor of the columns of B."""
    return _factor(known, op.b, -1, op.signedness_b, op.sfb)


def _factor(
    known: AccessPlanner, value: Value, across: int, sign: Signedness | None, scale: Value | None
) -> FactorTile:
    """Return a factor. A transposed or reshaped factor is replaced by its source."""
    rank = len(shape_of(value.type))
    signed = sign is not Signedness.UNSIGNED
    found = FactorTile(value, rank + across, rank - 3 - across, 0 if rank > 2 else None, signed)
    if scale is not None:
        block = found.length // shape_of(scale.type)[found.depth]
        return replace(found, scales=Scales(scale, block))
    source = transposed_source(value)
    if source is not None:
        found = replace(found, value=source, across=found.depth, depth=found.across)
    return _seen_through(known, found)


def _seen_through(known: AccessPlanner, factor: FactorTile) -> FactorTile:
    """Return the factor in terms of the first tile that is not merely a transpose of another, or a reshape by
    extents of 1.
    """
    found: FactorTile | None = factor
    while found is not None and found.value not in known.published:
        factor, found = found, _source(found)
    return found or factor


def _source(factor: FactorTile) -> FactorTile | None:
    """Look through a view: return the factor in terms of the view's source.

    Return None if the tile is no view, or if the view changes these dimensions.
    """
    op = factor.value.owner
    if not isinstance(op, ViewOp):
        return None
    numbers = range(1, len(shape_of(op.result.type)) + 1)
    inner = source_coordinates(op, tuple(Coordinate(number) for number in numbers))
    place = {at.base: dimension for dimension, at in enumerate(inner or ())}
    across, depth = place.get(factor.across + 1), place.get(factor.depth + 1)
    batch = None if factor.batch is None else place.get(factor.batch + 1)
    if across is None or depth is None or (batch is None) != (factor.batch is None):
        return None
    found = replace(factor, value=op.source, across=across, depth=depth, batch=batch)
    return found if (found.width, found.length) == (factor.width, factor.length) else None


# --- elements as packed factors hold them


def _as_held(code: LlvmBuilder, lanes: Value, element: Type, kind: ProductKind, signed: bool) -> Value:
    if not isinstance(element, FloatType):
        return Expression(code, lanes).extended(kind.held, signed=signed).value
    wide = widen(Expression(code, lanes), element)
    return (wide.to_float(f64) if kind.held is f64 else wide).value


def _divided(code: LlvmBuilder, index: Index, block: int) -> Index:
    if isinstance(index, int):
        return index // block
    return index if block == 1 else code(llvm.LShrOp, index, code.integer(block.bit_length() - 1))


# --- strides in memory


def runs_along_depth(known: AccessPlanner, factor: FactorTile) -> bool:
    """Return whether elements along the depth are contiguous in memory, and elements across are not."""
    strides = _strides(known, factor.value)
    if strides is not None and strides[factor.across] != 1 and strides[factor.depth] == 1:
        return True
    if strides is not None and strides[factor.across] == 1 and strides[factor.depth] != 1:
        return False
    return factor.depth > factor.across


def _strides(known: AccessPlanner, value: Value) -> Sequence[Position] | None:
    """Return the strides of a tile in memory in elements; None for tiles that are computed from several."""
    while isinstance(value, OpResult):
        held = known.published.get(value) or known.strided(value.owner)
        if held is not None:
            return held.strides
        if not operation_table.keeps_place(value.owner) or len(value.owner.operands) != 1:
            return None
        value = value.owner.operands[0]
    held = known.published.get(value)
    return held.strides if held is not None else None
