"""Facts about tiles of pointers: the distance between the elements of a row, which is proved, or holds if no
sum wraps around.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce

from tilewright.dialects.nv_tileaa.constraints import shape_of
from tilewright.dialects.scf import ops_loop as scf
from tilewright.ir.block import Block
from tilewright.ir.value import Value
from tilewright.lowering.access_facts.corners import (
    Coordinates,
    Corners,
    NotAffine,
    RangeCondition,
    corners_of,
)
from tilewright.lowering.access_facts.offsets import Offsets
from tilewright.lowering.access_facts.positions import Position, PositionFacts
from tilewright.optimizer.analysis import facts as analysis_facts, query, rules_tileas


class TileFacts(query.FactsOnDemand):
    """Facts about the values of a kernel in TileAS form: bounds, divisors, and how elements of tiles differ."""

    def __init__(self) -> None:
        super().__init__(rules_tileas.rule_of)

    def of_argument(self, block: Block, value: Value) -> analysis_facts.ValueFacts:
        """Return the facts about a block argument. A loop counter is a multiple of a divisor that the lower
        bound and the step share; nothing is known of other arguments.
        """
        loop, facts = block.parent_op, analysis_facts.unknown(value.type)
        if not isinstance(loop, scf.ForOp) or value.index > 0:
            return facts
        divisor = min(self.facts(loop.lowerBound).divisor, self.facts(loop.step).divisor)
        return facts.changed(divisor=divisor)


class PointerFacts:
    """The facts about the tiles of pointers of a kernel; caches the results."""

    def __init__(self) -> None:
        self.values = TileFacts()
        self.offsets = Offsets()

    def distance(self, pointers: Value, dimension: int) -> int | None:
        """Return the proved distance in elements between neighbouring pointers along a dimension: 0 or 1, or
        None for any other or an unknown distance. A sum that starts at a multiple of the row's extent cannot
        wrap around within the row.
        """
        run, extent = self.values.facts(pointers).runs[dimension], shape_of(pointers.type)[dimension]
        if run.constancy == extent:
            return 0
        return 1 if run.contiguity == extent else None

    def likely_distance(self, pointers: Value, dimension: int) -> int | None:
        """Return the distance in elements between neighbouring pointers along a dimension, if no narrow
        integer in `Offsets.narrow_parts` wraps around: 0 or 1, or None for any other or an unknown distance.
        """
        stride = self.offsets.stride(pointers, dimension)
        return stride if stride in (0, 1) else None


ScalarOf = Callable[[Value], Value]
"""A function that returns a scalar value for use in formulas: a scalar itself, or the element to which all
elements of a tile are equal.
"""


@dataclass(frozen=True, slots=True)
class RowOfPointers:
    """How the pointers of a tile are spaced along its rows.

    ``along`` is the dimension of the rows: the last one longer than 1, or None for a tile of one element.
    Neighbours are ``distance`` elements apart (0 or 1) if ``conditions`` hold; ``distance`` is None if
    nothing is known, or they are farther apart.
    """

    along: int | None
    distance: int | None = None
    conditions: tuple[RangeCondition, ...] = ()


def row_of_pointers(
    positions: PositionFacts, facts: PointerFacts, pointers: Value, single: Callable[[], ScalarOf]
) -> RowOfPointers:
    """Return how the pointers of a tile are spaced along its rows. ``single`` returns the function by which
    `Corners` replaces a scalar, or a tile of equal elements, with a scalar value; it is only called if
    conditions have to be computed.
    """
    extents = shape_of(pointers.type)
    along = next((at for at in range(len(extents) - 1, -1, -1) if extents[at] > 1), None)
    if along is None:
        return RowOfPointers(None)
    distance = facts.distance(pointers, along)
    if distance is not None:
        return RowOfPointers(along, distance)
    likely = facts.likely_distance(pointers, along)
    if likely is None:
        return RowOfPointers(along)
    corners = Corners(positions, facts.offsets, single())
    try:
        check_parts(corners, pointers)
    except NotAffine:
        return RowOfPointers(along)
    return RowOfPointers(along, likely, tuple(corners.conditions))


def check_parts(corners: Corners, pointers: Value) -> None:
    """Add to `corners` the conditions under which the narrow integers that `pointers` are computed from do
    not wrap around. Raises `NotAffine` if no such conditions are known.
    """
    for part, signed in corners.offsets.narrow_parts(pointers).items():
        corners.check(part, signed=signed)


@dataclass(frozen=True, slots=True)
class RangeOfPointers:
    """The range of memory that a tile of pointers refers to, if ``conditions`` hold: the element with the
    lowest address is at ``base + least``, the one with the highest at ``base + most``, in elements.
    """

    base: Value
    least: Position
    most: Position
    conditions: tuple[RangeCondition, ...]


def range_of_pointers(
    positions: PositionFacts, facts: PointerFacts, pointers: Value, single: ScalarOf
) -> RangeOfPointers:
    """Return the range of memory that a tile of pointers refers to, with the conditions. ``single`` returns a
    scalar value for a scalar, or for a tile of equal elements; the formulas refer to it. Raises `NotAffine`
    if the offsets or the conditions are unknown, or if there are too many corners.
    """
    corners = Corners(positions, facts.offsets, single)
    found = {place: corners.pointer(pointers, place) for place in corners_of(facts.offsets, pointers)}
    check_parts(corners, pointers)
    least, most = (
        reduce(
            choose, [offset for place, (_, offset) in found.items() if _may_be(facts, pointers, place, end)]
        )
        for end, choose in ((LEAST, positions.minimum), (MOST, positions.maximum))
    )
    base = next(base for base, _ in found.values())
    return RangeOfPointers(base, least, most, tuple(corners.conditions))


LEAST, MOST = -1, 1
"""The sign by which a stride moves an address to either end of a tile."""


def _may_be(facts: PointerFacts, pointers: Value, place: Coordinates, end: int) -> bool:
    """Return whether the corner at `place` may have the lowest address of a tile (`end` -1), or the highest
    (`end` 1). A known stride excludes one end of its dimension.
    """
    strides = [facts.offsets.stride(pointers, at) for at in range(len(place))]
    return all(
        stride is None or (at > 0) == (stride * end > 0) or extent == 1 or stride == 0
        for stride, at, extent in zip(strides, place, shape_of(pointers.type), strict=True)
    )
