"""Accesses through tiles of pointers that read or write one strided tile of memory: its address, and the
conditions.

Frontends for pointers compute an address for each element and mask the elements past an edge. Usually the
addresses form a strided tile that lies entirely in the array; then the access equals an access to a view.
That holds if no address wraps around and the mask is true for the last element, which is tested at run time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import isnan

from tilewright.dialects.arith import attributes as arith_attributes, ops_integer as arith
from tilewright.dialects.nv_tileaa.attributes import PaddingValue
from tilewright.dialects.nv_tileaa.constraints import is_tile, shape_of
from tilewright.dialects.nv_tileaa.ops.structure import SplatOp
from tilewright.dialects.nv_tileas.ops_arith import of_both
from tilewright.ir.arithmetic.float_format import FloatFormat
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.builtin_attributes import FloatAttr, IntegerAttr
from tilewright.ir.builtin_types import FloatType
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering.access_facts.corners import (
    MAXIMUM_CORNERS,
    Coordinates,
    Corners,
    NotAffine,
    RangeCondition,
)
from tilewright.lowering.access_facts.offsets import constant_of, source_dimensions, width_of
from tilewright.lowering.access_facts.pointers import PointerFacts, ScalarOf, check_parts
from tilewright.lowering.access_facts.positions import Position, PositionFacts

CONJUNCTIONS, COMPARISONS = of_both(arith.AndIOp), of_both(arith.CmpIOp)
UPPER: Mapping[arith_attributes.CmpIPredicate, tuple[int, int]] = {
    arith_attributes.CmpIPredicate.SLT: (1, 1),
    arith_attributes.CmpIPredicate.SLE: (1, 0),
    arith_attributes.CmpIPredicate.SGT: (0, 1),
    arith_attributes.CmpIPredicate.SGE: (0, 0),
}
"""For each signed predicate, the number of the operand that is the larger one if the predicate holds, and the
minimum difference to the other operand: ``a < b`` means ``b - a >= 1``.
"""
LARGEST = 1 << 62
"""The bound of the magnitude of 64-bit numbers in comparisons: differences of smaller numbers do not wrap."""


@dataclass(frozen=True, slots=True)
class WholeTile:
    """A strided tile of memory that an access through pointers reads or writes, all elements included, if
    ``conditions`` hold.

    Its first element is ``offset`` elements after ``base``; ``strides`` are the distances between
    neighbouring elements along each dimension, in elements.
    """

    base: Value
    offset: Position
    strides: tuple[Position, ...]
    conditions: tuple[RangeCondition, ...]


def whole_tile(
    positions: PositionFacts, facts: PointerFacts, pointers: Value, mask: Value | None, single: ScalarOf
) -> WholeTile | None:
    """Return the strided tile of memory that ``pointers`` refer to, with the conditions. Return None if their
    distances are not constant, or no condition is known under which ``mask`` is true everywhere; a ``mask``
    of None is true. ``single`` returns a scalar value for a scalar, or for a tile of equal elements.
    """
    corners = Corners(positions, facts.offsets, single)
    extents = shape_of(pointers.type)
    try:
        base, offset = corners.pointer(pointers, (0,) * len(extents))
        strides = tuple(corners.stride(pointers, at) for at in range(len(extents)))
        check_parts(corners, pointers)
        if mask is not None:
            _check_mask(corners, mask)
    except NotAffine:
        return None
    return WholeTile(base, offset, strides, tuple(corners.conditions))


def _check_mask(corners: Corners, mask: Value) -> None:
    """Add to `corners` the conditions under which all elements of a mask are true. Raises `NotAffine` if they
    are unknown, or an element is known to be false.
    """
    pending = [mask]
    while pending:
        value = pending.pop()
        owner, number = value.owner, constant_of(value)
        if number is not None and number != 0:
            continue
        if not isinstance(owner, Operation) or number == 0:
            raise NotAffine
        if isinstance(owner, arith.CmpIOp) or owner.__class__ in COMPARISONS:
            _check_comparison(corners, owner)
        elif owner.__class__ in CONJUNCTIONS or source_dimensions(value) is not None:
            pending += owner.operands
        elif isinstance(owner, SplatOp) and owner.source is not None:
            corners.require(corners.single(owner.source), -1, -1)
        else:
            raise NotAffine


def _check_comparison(corners: Corners, op: Operation) -> None:
    """Add to `corners` the conditions under which a comparison holds for all elements. It is enough to test
    the corners where the difference of the operands is smallest. Raises `NotAffine` if the comparison is not
    a signed `<`, `<=`, `>` or `>=`, or its operands are not affine.
    """
    predicate: arith_attributes.CmpIPredicate | None = getattr(op, "predicate", None)
    if predicate is None or predicate not in UPPER:
        raise NotAffine
    number, least = UPPER[predicate]
    upper, lower = op.operands[number], op.operands[1 - number]
    for value in (upper, lower):
        _check_range(corners, value)
    for place in _closest(corners, upper, lower):
        larger, smaller = corners.exact(upper, place), corners.exact(lower, place)
        corners.require(corners.positions.subtract(larger, smaller), least, LARGEST)


def _check_range(corners: Corners, value: Value) -> None:
    """Add to `corners` the conditions under which `value` does not wrap around, if it has fewer than 64 bits;
    otherwise that it lies in ``[-LARGEST, LARGEST]``. Raises `NotAffine` if it is not affine, or the
    conditions cannot hold.
    """
    if width_of(value) < 64:
        corners.check(value, signed=True)
        return
    for place in _places(corners, [value], shape_of(value.type)):
        corners.require(corners.exact(value, place), -LARGEST, LARGEST)


def _closest(corners: Corners, upper: Value, lower: Value) -> list[Coordinates]:
    """Return the corners at which `upper - lower` may be smallest. Where both strides along a dimension are
    known, one end of it suffices.
    """
    if not is_tile(upper.type):
        return [()]
    places = _places(corners, [upper, lower], shape_of(upper.type))
    for at, extent in enumerate(shape_of(upper.type)):
        steps = [corners.offsets.stride(value, at) for value in (upper, lower)]
        if steps[0] is not None and steps[1] is not None:
            end = 0 if steps[0] >= steps[1] else extent - 1
            places = [place for place in places if place[at] == end or steps[0] == steps[1]]
    return places


def _places(corners: Corners, values: Sequence[Value], extents: Sequence[int]) -> list[Coordinates]:
    """Return the corners of a tile with these extents, with both ends of the dimensions along which one of
    `values` varies, and 0 for the others. Raises `NotAffine` if there are more than `MAXIMUM_CORNERS`.
    """
    depends = frozenset[int]().union(*map(corners.offsets.dependences, values))
    found = list(product(*((0, extent - 1) if at in depends else (0,) for at, extent in enumerate(extents))))
    if len(found) > MAXIMUM_CORNERS:
        raise NotAffine
    return found


PADDING = {
    PaddingValue.ZERO: 0.0,
    PaddingValue.NEG_ZERO: -0.0,
    PaddingValue.NAN: float("nan"),
    PaddingValue.POS_INF: float("inf"),
    PaddingValue.NEG_INF: float("-inf"),
}
"""The number of each padding value, for floats. Integers are always padded with 0."""


def padding_attribute(value: PaddingValue | None, element: Type) -> Attribute:
    """Return the attribute of type `element` that replaces elements outside the tensor: 0 if there is no
    padding value, or `element` is an integer.
    """
    if not isinstance(element, FloatType):
        return IntegerAttr(element, 0)
    return FloatAttr(element, _nearest_pattern(element.format, PADDING[value]) if value is not None else 0)


def _nearest_pattern(format: FloatFormat, value: float) -> int:
    """Return the bits of a float in a format. If the format has no infinities they become NaN; if it has no
    NaN, NaN becomes the largest number.
    """
    if isnan(value) and format.nan_pattern is None:
        return format.exponent_mask | format.mantissa_mask
    bits = format.encode(value)
    return bits if format.nan_pattern is None or not format.is_nan(bits) else format.nan_pattern
