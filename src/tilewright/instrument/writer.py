"""A builder with methods for the operations that checks consist of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from tilewright.dialects.cuda_tile.enums import ComparisonPredicate, Signedness
from tilewright.dialects.cuda_tile.operation_phrases import reads_unsigned
from tilewright.dialects.cuda_tile.ops import control, conversion, integer as integers, tile as tiles
from tilewright.dialects.cuda_tile.ops.tile import ReduceOp, ScanOp
from tilewright.dialects.cuda_tile.types import TileType, tile_of
from tilewright.dialects.nv_tileaa.attributes import Signedness as Signed
from tilewright.dialects.nv_tileaa.constraints import is_number
from tilewright.dialects.nv_tileaa.discardable import CHECK
from tilewright.dialects.nv_tileaa.ops.program import MAXIMUM_VALUES, WithOperandsOp
from tilewright.ir import block as ir_block, builder, builtin_attributes, builtin_types
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.declaration.traits import Elementwise
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering.inserting import PointInserter

SCALAR = TileType((), builtin_types.i1)
"""The type of a condition that is not a tile."""


class CheckInserter(PointInserter):
    """Inserts operations at one position, with the location of the checked operation."""

    __slots__ = ()

    @classmethod
    def after(cls, value: Value) -> CheckInserter:
        """Return an inserter right after the operation that defines `value`, or at the start of the block
        that has it as an argument.
        """
        owner: Any = value.owner
        if isinstance(owner, ir_block.Block):
            parent = owner.parent_op
            assert parent is not None, "checks are put into programs"
            return cls(builder.InsertionPoint.at_start(owner), parent.lazy_location)
        return cls(builder.InsertionPoint.after(owner), owner.lazy_location)

    # --- numbers

    def number(self, like: Type, value: float) -> Value:
        """Return a constant tile of type ``like`` with ``value`` in every element."""
        return self(tiles.ConstantOp, builtin_attributes.dense(like, [value]))

    def extended(self, value: Value, element: Type, *, signed: bool) -> Value:
        """Return integers extended to the type `element`, with their sign if `signed`; unchanged if they have
        this type. The type must not be narrower.
        """
        tile = tile_of(value)
        if tile.element_type is element:
            return value
        wide = tile.with_element_type(element)
        return self(conversion.ExtIOp, value, Signedness.SIGNED if signed else Signedness.UNSIGNED, type=wide)

    def scaled(self, value: Value, factor: int) -> Value:
        """Insert a multiplication of integers by `factor` and return its result; return `value` itself for
        the factor 1.
        """
        return value if factor == 1 else self(integers.MulIOp, value, self.number(value.type, factor))

    def masked(self, value: Value, mask: int) -> Value:
        """Return the bitwise AND of integers and the constant `mask`."""
        return self(integers.AndIOp, value, self.number(value.type, mask))

    def compared(self, relation: str, left: Value, right: Value | int, *, signed: bool = True) -> Value:
        """Return the tile of i1 that compares two tiles of integers, or a tile and a number, read as signed
        if `signed`, else as unsigned. `relation` is the name of a `ComparisonPredicate` in lower case, such
        as "less_than".
        """
        if isinstance(right, int):
            right = self.number(left.type, right)
        predicate = ComparisonPredicate[relation.upper()]
        reading = Signedness.SIGNED if signed else Signedness.UNSIGNED
        return self(integers.CmpIOp, predicate, left, right, reading)

    def index_tile(self, extent: int, element: Type) -> Value:
        """Return the numbers 0, 1, 2, ... up to `extent` - 1 as a tile of an integer type."""
        return self(tiles.IotaOp, type=TileType((extent,), element))

    # --- conditions

    def truth(self, shape: Sequence[int], value: bool) -> Value:
        """Return a constant condition: `value` in each element of a tile of `shape`."""
        return self.number(TileType(tuple(shape), builtin_types.i1), value)

    def both(self, conditions: Iterable[Value]) -> Value:
        """Return the conjunction of `conditions`, which are not empty."""
        return self._joined(integers.AndIOp, conditions)

    def either(self, conditions: Iterable[Value]) -> Value:
        """Return the disjunction of `conditions`, which are not empty."""
        return self._joined(integers.OrIOp, conditions)

    def _joined(self, op_class: Any, conditions: Iterable[Value]) -> Value:
        first, *rest = dict.fromkeys(conditions)
        for condition in rest:
            first = self(op_class, first, condition)
        return first

    def negated(self, condition: Value) -> Value:
        """Return the negation of a condition."""
        return self(integers.XOrIOp, condition, self.truth(tile_of(condition).shape, True))

    # --- shapes

    def reshaped(self, value: Value, shape: Sequence[int]) -> Value:
        """Return the elements in the shape `shape`, in row-major order: by a new operation, or `value` itself
        if it has this shape. The number of elements must be the same.
        """
        tile = tile_of(value)
        if tile.shape == tuple(shape):
            return value
        return self(tiles.ReshapeOp, value, type=TileType(tuple(shape), tile.element_type))

    def broadcast_to(self, value: Value, shape: Sequence[int]) -> Value:
        """Return a tile broadcast to ``shape``: extents of 1 are repeated, and a scalar fills the tile."""
        tile = tile_of(value)
        if not tile.shape:
            value = self.reshaped(value, (1,) * len(shape))
        if tile_of(value).shape == tuple(shape):
            return value
        return self(tiles.BroadcastOp, value, type=TileType(tuple(shape), tile.element_type))

    def along_axis(self, value: Value, axis: int, rank: int) -> Value:
        """Return a one-dimensional tile reshaped to rank ``rank``, with its elements along dimension ``axis``
        and other extents of 1.
        """
        (extent,) = tile_of(value).shape
        return self.reshaped(value, [extent if at == axis else 1 for at in range(rank)])

    def any_along(self, condition: Value, axis: int) -> Value:
        """Return whether a condition holds anywhere along dimension `axis`; the result lacks this dimension."""
        return self._folded(tiles.ReduceOp, condition, axis)

    def any_before(self, condition: Value, axis: int, *, reverse: bool) -> Value:
        """Return for each element whether a condition holds at it or at an element before it (after it with
        ``reverse``) along `axis`.
        """
        return self._folded(tiles.ScanOp, condition, axis, reverse)

    def any_of(self, condition: Value) -> Value:
        """Return whether a condition holds anywhere, as a tile of rank 0."""
        for axis in reversed(range(len(tile_of(condition).shape))):
            condition = self.any_along(condition, axis)
        return condition

    def kept_any(self, condition: Value, axis: int) -> Value:
        """Return whether a condition holds anywhere along dimension `axis`; the result has the extent 1
        there.
        """
        shape = list(tile_of(condition).shape)
        shape[axis] = 1
        return self.reshaped(self.any_along(condition, axis), shape)

    def _folded(self, op_class: Any, condition: Value, axis: int, *more: Any) -> Value:
        body = ir_block.Block([SCALAR, SCALAR])
        inner = CheckInserter(builder.InsertionPoint(body), self.location)
        inner.insert(control.YieldOp, [inner(integers.OrIOp, *body.arguments)])
        identity: tuple[Attribute, ...] = (builtin_attributes.IntegerAttr(builtin_types.i1, 0),)
        made = self.insert(op_class, (condition,), axis, *more, identity, body=ir_block.Region([body]))
        return made.results[0]

    # --- findings

    def check(self, name: str, condition: Value, message: str, checked: Operation | None = None) -> None:
        """Insert an assertion with `message` that `condition` holds for all elements, marked as the check
        `name`. Its message shows the operands of an elementwise operation `checked`.
        """
        shown = _shown_operands(checked, condition) if checked is not None else ()
        if checked is not None and shown:
            reading = Signed.UNSIGNED if reads_unsigned(checked) else Signed.SIGNED
            condition = self(WithOperandsOp, condition, shown, reading)
        made = self.insert(control.AssertOp, condition, message)
        made.attributes[CHECK] = builtin_attributes.StringAttr(name)


def _shown_operands(op: Operation, condition: Value) -> Sequence[Value]:
    """Return the operands of an elementwise operation if a message can show them and all are numbers, with an
    element for each element of `condition`; else nothing.
    """
    if not op.has_trait(Elementwise) or len(op.operands) > MAXIMUM_VALUES:
        return ()
    tiles, shape = [tile_of(value) for value in op.operands], tile_of(condition).shape
    fits = all(is_number(tile.element_type) and tile.shape == shape for tile in tiles)
    return op.operands if fits else ()


INDEX = builtin_types.i64
"""The type in which extents and positions are computed."""

Guard = Callable[[CheckInserter], Iterable[tuple[Value, str]]]
"""A function that emits the conditions of an operation's promises before it, and yields each condition with
the message for its failure.
"""
GuardMaker = Callable[[Any], Guard | None]
"""A function that returns the guard of an operation; None if the operation promises nothing."""


FOLDS = (ReduceOp, ScanOp)
"""Operations whose bodies only define how elements are combined, and do not run as a part of the program."""


def steps(entry: Operation) -> list[Operation]:
    """Return the operations that a tile block executes, in order, with those in branches and loops, but
    without the bodies of reductions and scans.
    """
    found: list[Operation] = []
    pending = _inner(entry)
    while pending:
        op = pending.pop()
        found.append(op)
        if not isinstance(op, FOLDS):
            pending += _inner(op)
    return found


def _inner(op: Operation) -> list[Operation]:
    """Return the operations in the regions of an operation, the last one first."""
    return [inner for region in op.regions for block in region.blocks for inner in block][::-1]
