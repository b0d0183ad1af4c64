"""``fpcheck``: the operations in which NaN and infinity originate.

An element of a result is reported if it is NaN or infinite although its inputs were finite. The inputs of an
elementwise operation are the elements at the same index; the inputs of a reduction or a scan are a row; the inputs of
a product are a row of one factor and a column of the other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tilewright.dialects.cuda_tile.enums import ComparisonOrdering, ComparisonPredicate
from tilewright.dialects.cuda_tile.operation_phrases import operation_words
from tilewright.dialects.cuda_tile.ops import conversion, float as floats, integer as integers, tile as tiles
from tilewright.dialects.cuda_tile.types import BASE_FLOATS, TileType, tile_of
from tilewright.instrument.writer import CheckInserter, steps
from tilewright.ir.arithmetic.float_format import Specials
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import FloatType, IntegerType, f32, tf32
from tilewright.ir.declaration.traits import Elementwise
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

NAME = "fpcheck"
MESSAGE = "finite operands gave a NaN or an infinity"
INFINITY = float("inf")

INNOCENT: frozenset[type[Operation]] = frozenset(
    {
        conversion.BitcastOp,
        floats.AbsFOp,
        floats.NegFOp,
        floats.MaxFOp,
        floats.MinFOp,
        floats.CeilOp,
        floats.FloorOp,
        floats.SinOp,
        floats.CosOp,
        floats.TanHOp,
    }
)
"""Elementwise operations that `fpcheck` does not check: their results are finite if their operands are, or
are data that was not computed.
"""


def insert(entry: Operation) -> int:
    """Insert the checks into the kernel `entry`; return their number. There is a check for each result that
    an operation computes as floats, if it may be NaN or infinite although the operands are finite.
    """
    finite = Finite()
    origins = [(op, made) for op in steps(entry) for made in op.results if _may_originate(op, made)]
    for op, made in origins:
        _check(finite, op, made)
    return len(origins)


def _may_originate(op: Operation, made: Value) -> bool:
    is_computed = op.__class__ in SPREADS or (op.has_trait(Elementwise) and op.__class__ not in INNOCENT)
    return is_computed and _may_be_non_finite(made.type)


def _may_be_non_finite(type: Type) -> bool:
    element = type.element_type if isinstance(type, TileType) else None
    return isinstance(element, FloatType) and element.format.specials is not Specials.FINITE


def _check(finite: Finite, op: Operation, made: Value) -> None:
    is_finite = finite.of(made)
    given = [(at, finite.of(v)) for at, v in enumerate(op.operands) if _may_be_non_finite(v.type)]
    write = CheckInserter.before(op)
    write.point = CheckInserter.after(is_finite).point
    spread = SPREADS.get(op.__class__, _same_place)
    excuses = [spread(write, op, at, write.negated(whether)) for at, whether in given]
    write.check(NAME, write.either([is_finite, *excuses]), f"{operation_words(op)}: {MESSAGE}", op)


MOVES: dict[type[Any], Callable[[CheckInserter, Value, Sequence[int]], Value]] = {
    tiles.BroadcastOp: CheckInserter.broadcast_to,
    tiles.ReshapeOp: CheckInserter.reshaped,
}
"""For each operation that only moves elements, the function that moves the flags of the operand in the same
way: the results are finite if the operands are.
"""
SAME_AS_SOURCE = frozenset({floats.AbsFOp, floats.NegFOp})
"""Operations whose results are finite exactly where their operand is."""


class Finite:
    """Flags for the finite elements of values, computed once for each value, right after its definition."""

    def __init__(self) -> None:
        self._known: dict[Value, Value] = {}

    def of(self, value: Value) -> Value:
        """Return the mask of the finite elements of a float tile. Its operations are inserted at the first
        call for a value.
        """
        found = self._known.get(value)
        if found is None:
            found = self._known[value] = self._made(value)
        return found

    def _made(self, value: Value) -> Value:
        owner: Any = value.owner
        if owner.__class__ in SAME_AS_SOURCE:
            return self.of(owner.source)
        write = CheckInserter.after(value)
        if owner.__class__ in MOVES:
            shape = tile_of(value).shape
            return MOVES[owner.__class__](write, self.of(owner.source), shape)
        return is_finite(write, value)


def is_finite(write: CheckInserter, value: Value) -> Value:
    """Emit a mask of the finite elements of a float tile, of any format."""
    tile = tile_of(value)
    element = tile.element_type
    if element is tf32:
        value, element = write(conversion.FToFOp, value, type=tile.with_element_type(f32)), f32
    if element in BASE_FLOATS:
        return write.both([_ordered(write, "less_than", value), _ordered(write, "greater_than", value)])
    assert isinstance(element, FloatType), "callers hand in floats"
    return _by_bits(write, value, element)


_LIMITS = {"less_than": INFINITY, "greater_than": -INFINITY}


def _ordered(write: CheckInserter, relation: str, value: Value) -> Value:
    """Emit the ordered comparison of a value with an infinity, which is false for NaN. `relation` is
    "less_than" (plus infinity) or "greater_than" (minus infinity).
    """
    limit = write.number(value.type, _LIMITS[relation])
    predicate = ComparisonPredicate[relation.upper()]
    return write(floats.CmpFOp, predicate, ComparisonOrdering.ORDERED, value, limit)


def _by_bits(write: CheckInserter, value: Value, element: FloatType) -> Value:
    """Emit the mask of the finite elements of a format without comparison: in infinities and NaN, all bits of
    the exponent are set, and all bits of the mantissa, too, if the format has no infinities.
    """
    format = element.format
    mask = format.exponent_mask
    if format.specials is Specials.FINITE_NAN:
        mask |= format.mantissa_mask
    whole = tile_of(value).with_element_type(IntegerType(format.bits))
    bits = write(conversion.BitcastOp, value, type=whole)
    return write.compared("not_equal", write(integers.AndIOp, bits, write.number(whole, mask)), mask)


# --- which elements of the results come from an element

Spread = Callable[[CheckInserter, Any, int, Value], Value]
"""A function of an operation, the index of an operand and a condition on its elements, which returns the
condition on the elements of the result.
"""


def _same_place(write: CheckInserter, op: Operation, operand: int, condition: Value) -> Value:
    return condition


def _reduced(write: CheckInserter, op: tiles.ReduceOp, operand: int, condition: Value) -> Value:
    return write.any_along(condition, op.dim)


def _row(write: CheckInserter, op: tiles.ScanOp, operand: int, condition: Value) -> Value:
    return write.broadcast_to(write.kept_any(condition, op.dim), tile_of(condition).shape)


def _multiplied(
    write: CheckInserter, op: tiles.MmaFOp | tiles.MmaFScaledOp, operand: int, condition: Value
) -> Value:
    """Return the condition on the elements of a product from a condition on operand number `operand`: whether
    it holds anywhere in the row of the left factor or its scales, or in the column of the right factor or its
    scales; an addend keeps its condition.
    """
    shape = tile_of(op.result).shape
    folded = {0: len(shape) - 1, 3: len(shape) - 1, 1: len(shape) - 2, 4: len(shape) - 2}
    if operand not in folded:
        return condition
    return write.broadcast_to(write.kept_any(condition, folded[operand]), shape)


SPREADS: dict[type[Operation], Spread] = {
    tiles.ReduceOp: _reduced,
    tiles.ScanOp: _row,
    tiles.MmaFOp: _multiplied,
    tiles.MmaFScaledOp: _multiplied,
}
"""Operations on whole tiles that compute floats."""
