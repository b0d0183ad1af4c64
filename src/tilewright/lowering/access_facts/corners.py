"""Computes offsets exactly at the corners of a tile, and the conditions under which the kernel's narrow
integers equal them.

Sums, and products whose factors vary along different dimensions, take their smallest and largest values at
corners (`Corners`). If these do not wrap around, no element of the tile does. How offsets differ between
neighbouring elements is found in `offsets`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from tilewright.dialects.nv_tileaa.constraints import shape_of
from tilewright.dialects.nv_tileaa.ops import pointer as tileaa_pointer, structure as tileaa_structure
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering.access_facts import offsets as access_facts_offsets
from tilewright.lowering.access_facts.positions import Position, PositionFacts
from tilewright.lowering.access_facts.recursion import KeyedComputation, solved

MAXIMUM_CORNERS = 16
"""The maximum number of corners of a tile that are tested; `NotAffine` is raised for more."""
Coordinates = tuple[int, ...]
"""The coordinates of an element in a tile."""
TileElement = tuple[Value, Coordinates]
"""A tile and the coordinates of an element in it."""


class NotAffine(Exception):
    """Raised if a number is not known to be an affine function of the coordinates in the tile, or a condition
    on it can never hold.
    """


@dataclass(frozen=True, slots=True)
class RangeCondition:
    """A condition to be tested at run time: ``least <= position <= most``. A bound of None needs no test."""

    position: Position
    least: int | None
    most: int | None


def corners_of(offsets: access_facts_offsets.Offsets, value: Value) -> list[Coordinates]:
    """Return the coordinates of the corners of the tile `value`; its smallest and its largest element are
    there, if it is affine. Dimensions along which elements do not differ, as ``offsets`` finds, have
    coordinate 0 only. Raises `NotAffine` for more than `MAXIMUM_CORNERS`.
    """
    depends = offsets.dependences(value)
    ranges = [(0, extent - 1) if at in depends else (0,) for at, extent in enumerate(shape_of(value.type))]
    found = list(product(*ranges))
    if len(found) > MAXIMUM_CORNERS:
        raise NotAffine
    return found


class Corners:
    """Computes exact numbers at the corners of a tile, and collects in ``conditions`` the conditions under
    which the kernel computes the same numbers without wrapping around.

    The parameter ``single`` is a function: it returns a scalar value for a scalar, or for a tile whose
    elements are all equal. Formulas refer to this value.
    """

    def __init__(
        self,
        positions: PositionFacts,
        offsets: access_facts_offsets.Offsets,
        single: Callable[[Value], Value],
    ) -> None:
        self.positions = positions
        self.offsets = offsets
        self.single = single
        self.conditions: list[RangeCondition] = []
        self._known: dict[TileElement, Position] = {}
        self._strides: dict[access_facts_offsets.TileDimension, Position] = {}

    def check(self, value: Value, *, signed: bool) -> None:
        """Add the conditions under which a tile of narrow integers does not wrap around: all elements are in
        the range of signed integers of their width, and not negative unless ``signed``. Raises `NotAffine` if
        the tile is not affine, or cannot fit.
        """
        for corner in corners_of(self.offsets, value):
            self._fits(self.exact(value, corner), access_facts_offsets.width_of(value), signed)

    def _fits(self, exact: Position, width: int, signed: bool) -> None:
        most = (1 << (width - 1)) - 1
        self.require(exact, -most - 1 if signed else 0, most)

    def require(self, position: Position, least: int, most: int) -> None:
        """Add the condition ``least <= position <= most``, unless it is known to hold. Raises `NotAffine` if
        it is known to be false.
        """
        bounds = self.positions.bounds(position)
        if bounds.low > most or bounds.high < least:
            raise NotAffine
        fit = RangeCondition(
            position, least if bounds.low < least else None, most if bounds.high > most else None
        )
        if fit.least is not None or fit.most is not None:
            self.conditions.append(fit)

    def exact(self, value: Value, at: Coordinates) -> Position:
        """Return the element of the tile or scalar `value` at the corner `at`, computed without wrapping
        around: the kernel's value equals it if `conditions` hold, to which this method adds. Raises
        `NotAffine` if the element is not known.
        """
        return solved(self._known, self._compute, (value, at))

    def pointer(self, value: Value, at: Coordinates) -> tuple[Value, Position]:
        """Return ``(base, offset)`` for the pointer at the corner `at` of a tile of pointers: the scalar
        pointer that all elements are computed from, and the offset from it in elements. Raises `NotAffine` if
        the offset is not known.
        """
        offset: Position = 0
        parts: list[TileElement] = []
        while self.offsets.dependences(value):
            owner: Any = value.owner
            if type(owner) is tileaa_pointer.AddPtrOp:
                parts.append((owner.offset, at))
            elif type(owner) is not tileaa_pointer.AssumeOp:
                at = _moved(value, at)
            value = owner.operands[0]
        base = self.single(value)
        for part, place in reversed(parts):
            offset = self.positions.add(offset, self.exact(part, place))
        return base, offset

    def stride(self, value: Value, dimension: int) -> Position:
        """Return the difference between neighbouring elements of `value` along `dimension`. Raises
        `NotAffine` unless it is the same everywhere.
        """
        return solved(self._strides, self._find_stride, (value, dimension))

    def _find_stride(
        self, key: access_facts_offsets.TileDimension
    ) -> KeyedComputation[access_facts_offsets.TileDimension, Position]:
        value, dimension = key
        number, owner = self.offsets.stride(value, dimension), value.owner
        if number is not None:
            return number
        if not isinstance(owner, Operation) or owner.regions:
            raise NotAffine
        kind = owner.__class__
        if kind in access_facts_offsets.SAME:
            return (yield owner.operands[0], dimension)
        if kind in access_facts_offsets.SUMS:
            combine = (
                self.positions.subtract if kind in access_facts_offsets.SUBTRACTIONS else self.positions.add
            )
            left = yield owner.operands[0], dimension
            right = yield owner.operands[1], dimension
            return combine(left, right)
        if kind in access_facts_offsets.PRODUCTS:
            return (yield from self._stride_of_product(owner.operands, dimension))
        places = [
            number
            for number, at in enumerate(access_facts_offsets.source_dimensions(value) or ())
            if at == dimension
        ]
        if not places:
            raise NotAffine
        return (yield owner.operands[0], places[0])

    def _stride_of_product(
        self, operands: Sequence[Value], dimension: int
    ) -> KeyedComputation[access_facts_offsets.TileDimension, Position]:
        """Return the difference between neighbouring elements of a product along a dimension. Raises
        `NotAffine` unless exactly one factor varies.
        """
        varying = [factor for factor in operands if self.offsets.dependences(factor)]
        if len(varying) != 1:
            raise NotAffine
        (other,) = (factor for factor in operands if factor is not varying[0])
        scale = self.exact(other, (0,) * len(shape_of(other.type)))
        return self.positions.multiply((yield varying[0], dimension), scale)

    def _compute(self, corner: TileElement) -> KeyedComputation[TileElement, Position]:
        value, at = corner
        number = access_facts_offsets.constant_of(value)
        if number is not None:
            return number
        if not self.offsets.dependences(value):
            return self.single(value)
        owner: Any = value.owner
        kind = owner.__class__
        if isinstance(owner, tileaa_structure.MakeRangeOp):
            return self.positions.add(self.positions.scalar(self.single(owner.lower)), at[0])
        if kind in access_facts_offsets.ADDITIONS or kind in access_facts_offsets.SUBTRACTIONS:
            combine = (
                self.positions.add if kind in access_facts_offsets.ADDITIONS else self.positions.subtract
            )
            left = yield owner.operands[0], at
            right = yield owner.operands[1], at
            return combine(left, right)
        if kind in access_facts_offsets.PRODUCTS:
            return (yield from self._product(owner.operands, at, access_facts_offsets.width_of(value)))
        if kind in access_facts_offsets.SAME:
            inner = yield owner.operands[0], at
            if kind in access_facts_offsets.WIDENED:
                self._fits(
                    inner,
                    access_facts_offsets.width_of(owner.operands[0]),
                    access_facts_offsets.WIDENED[kind],
                )
            return inner
        places = _moved(value, at)
        return (yield owner.operands[0], places)

    def _product(
        self, operands: Sequence[Value], at: Coordinates, width: int
    ) -> KeyedComputation[TileElement, Position]:
        """Return the product of two operands at a corner, as 64 bits, on the condition that each factor fits
        in 32 bits, and, if ``width`` is at most 32, the product in 33. Raises `NotAffine` if both factors
        vary along one dimension: such a product can be extreme inside of the tile.
        """
        left, right = operands
        if self.offsets.dependences(left) & self.offsets.dependences(right):
            raise NotAffine
        factors = [(yield left, at), (yield right, at)]
        for factor in factors:
            self._fits(factor, 32, True)
        made = self.positions.multiply(*factors)
        if width <= 32:
            self._fits(made, 33, True)
        return made


def _moved(value: Value, at: Coordinates) -> Coordinates:
    """Return the coordinates in the source tile of the element at `at` in the result. Raises `NotAffine`
    unless the operation that defines `value` only rearranges elements.
    """
    dimensions = access_facts_offsets.source_dimensions(value)
    if dimensions is None:
        raise NotAffine
    return tuple(0 if dimension is None else at[dimension] for dimension in dimensions)
