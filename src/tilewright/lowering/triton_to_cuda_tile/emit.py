"""A builder with methods for the operations that the patterns of this conversion emit often."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tilewright.dialects.cuda_tile.enums import (
    ComparisonOrdering,
    ComparisonPredicate,
    RoundingMode,
    Signedness,
)
from tilewright.dialects.cuda_tile.ops import (
    conversion as casts,
    float as floats,
    integer as integers,
    tile as tiles,
)
from tilewright.dialects.cuda_tile.ops.memory import MakeTokenOp
from tilewright.dialects.cuda_tile.types import TOKEN, TileType, tile_of
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_attributes import DenseElementsAttr, splat
from tilewright.ir.builtin_types import FloatType, IntegerType, i1, i32
from tilewright.ir.value import Value
from tilewright.lowering.inserting import RewritingInserter
from tilewright.rewrite.conversion.rewriter import ConversionRewriter

NEAREST = RoundingMode.NEAREST_EVEN


class CudaTileEmitter(RewritingInserter[ConversionRewriter]):
    """Inserts operations of `cuda_tile` before the operation that is converted, at its location."""

    __slots__ = ()

    # --- constants

    def constant(self, value: float, type: Type) -> Value:
        """Return a tile of type `type` whose elements are all `value`."""
        return self(tiles.ConstantOp, splat(type, value))

    def bits(self, pattern: int, type: TileType) -> Value:
        """Return a tile of type `type` whose elements all have the bits `pattern`."""
        element = type.element_type
        assert isinstance(element, IntegerType | FloatType), "pointers are no constants"
        size = max(1, (element.width + 7) // 8)
        return self(tiles.ConstantOp, DenseElementsAttr(type, pattern.to_bytes(size, "little")))

    def like(self, value: float, other: Value) -> Value:
        """Return a tile of the type of `other` whose elements are all `value`."""
        return self.constant(value, other.type)

    def scalar(self, value: int, element: Type = i32) -> Value:
        """Return the integer constant `value` of rank 0, of the type `element`."""
        return self.constant(value, TileType((), element))

    def unspecified(self, type: Type) -> Value:
        """Return a tile of type `type` that may be anything: zeros, or null pointers, so that every run gives
        the same result.
        """
        element = type.element_type if isinstance(type, TileType) else type
        if isinstance(element, IntegerType | FloatType):
            return self.constant(0, type)
        assert isinstance(type, TileType), "only tiles are left without a value"
        zero = self.constant(0, type.with_element_type(IntegerType(64)))
        return self(casts.IntToPtrOp, zero, type=type)

    # --- shapes

    def reshaped(self, value: Value, shape: Sequence[int]) -> Value:
        """Return the elements of `value` in the shape `shape`, in row-major order; `value` itself if it has
        the shape.
        """
        tile = tile_of(value)
        if tile.shape == tuple(shape):
            return value
        return self(tiles.ReshapeOp, value, type=TileType(tuple(shape), tile.element_type))

    def broadcast(self, value: Value, shape: Sequence[int]) -> Value:
        """Return `value` broadcast to `shape` along its dimensions of extent 1; the rank is the same."""
        tile = tile_of(value)
        if tile.shape == tuple(shape):
            return value
        return self(tiles.BroadcastOp, value, type=TileType(tuple(shape), tile.element_type))

    def spread(self, value: Value, shape: Sequence[int]) -> Value:
        """Return a tile of the shape `shape` whose elements are all `value`, which has rank 0."""
        if not shape:
            return value
        return self.broadcast(self.reshaped(value, [1] * len(shape)), shape)

    def counting(self, extent: int, axis: int, rank: int, element: Type = i32) -> Value:
        """Return the integers 0, 1, 2, ... of type `element` along dimension `axis` of a tile of rank `rank`,
        whose other extents are 1.
        """
        numbers = self(tiles.IotaOp, type=TileType((extent,), element))
        return self.reshaped(numbers, [extent if at == axis else 1 for at in range(rank)])

    def part(self, value: Value, axis: int, index: int, count: int) -> Value:
        """Return part `index`, from 0, of ``count`` equal parts of a tile along dimension `axis`."""
        tile = tile_of(value)
        shape = [extent // count if at == axis else extent for at, extent in enumerate(tile.shape)]
        indices = [self.scalar(index if at == axis else 0) for at in range(len(shape))]
        return self(tiles.ExtractOp, value, indices, type=TileType(tuple(shape), tile.element_type))

    # --- integers

    def add(self, left: Value, right: Value) -> Value:
        """Return the sum of two integers."""
        return self(integers.AddIOp, left, right)

    def subtract(self, left: Value, right: Value) -> Value:
        """Return the difference of two integers."""
        return self(integers.SubIOp, left, right)

    def multiply(self, left: Value, right: Value) -> Value:
        """Return the product of two integers."""
        return self(integers.MulIOp, left, right)

    def both(self, left: Value, right: Value) -> Value:
        """Return the bitwise AND of two integers."""
        return self(integers.AndIOp, left, right)

    def either(self, left: Value, right: Value) -> Value:
        """Return the bitwise OR of two integers."""
        return self(integers.OrIOp, left, right)

    def shifted_left(self, value: Value, count: int) -> Value:
        """Return integers shifted left by `count` bits, with zeros below."""
        return self(integers.ShLIOp, value, self.like(count, value))

    def shifted_right(self, value: Value, count: int | Value, *, signed: bool = False) -> Value:
        """Return integers shifted right by `count` bits, an int or a tile of integers, with zeros above, or
        with the sign if `signed`.
        """
        sign = Signedness.SIGNED if signed else Signedness.UNSIGNED
        return self(
            integers.ShRIOp, value, self.like(count, value) if isinstance(count, int) else count, sign
        )

    def inverted(self, condition: Value) -> Value:
        """Return the negation of i1 values."""
        return self(integers.XOrIOp, condition, self.like(1, condition))

    def inverted_bits(self, value: Value) -> Value:
        """Return integers with every bit inverted."""
        return self(integers.XOrIOp, value, self.like(-1, value))

    def compared(
        self, relation: ComparisonPredicate, left: Value, right: Value, *, signed: bool = True
    ) -> Value:
        """Return the i1 result of a comparison of integers, read as signed unless ``signed`` is False."""
        sign = Signedness.SIGNED if signed else Signedness.UNSIGNED
        return self(integers.CmpIOp, relation, left, right, sign)

    def resized(self, value: Value, element: Type, *, signed: bool = True) -> Value:
        """Return integers extended or truncated to the width of `element`. Extension repeats the sign if
        `signed`, else it adds zeros.
        """
        tile = tile_of(value)
        here = tile.element_type
        assert isinstance(here, IntegerType), "callers hand in integers"
        assert isinstance(element, IntegerType), "callers ask for integers"
        wanted = tile.with_element_type(element)
        if element.width > here.width:
            return self(
                casts.ExtIOp, value, Signedness.SIGNED if signed else Signedness.UNSIGNED, type=wanted
            )
        return value if element is here else self(casts.TruncIOp, value, type=wanted)

    def is_set(self, value: Value) -> Value:
        """Return an i1 that is true for integers other than zero."""
        return self.compared(ComparisonPredicate.NOT_EQUAL, value, self.like(0, value))

    # --- floats

    def plus(self, left: Value, right: Value) -> Value:
        """Return the sum of two floats, rounded to nearest, ties to even."""
        return self(floats.AddFOp, left, right, NEAREST)

    def minus(self, left: Value, right: Value) -> Value:
        """Return the difference of two floats, rounded to nearest, ties to even."""
        return self(floats.SubFOp, left, right, NEAREST)

    def times(self, left: Value, right: Value) -> Value:
        """Return the product of two floats, rounded to nearest, ties to even."""
        return self(floats.MulFOp, left, right, NEAREST)

    def over(self, left: Value, right: Value) -> Value:
        """Return the quotient of two floats, rounded to nearest, ties to even."""
        return self(floats.DivFOp, left, right, NEAREST)

    def fused(self, left: Value, right: Value, addend: Value) -> Value:
        """Return ``left * right + addend`` of floats, rounded once to nearest, ties to even."""
        return self(floats.FmaOp, left, right, addend, NEAREST)

    def polynomial(self, at: Value, coefficients: Sequence[float]) -> Value:
        """Return the value of a polynomial at `at`, computed by Horner's rule with fused multiply-adds. The
        coefficient of the highest power comes first.
        """
        result = self.like(coefficients[0], at)
        for coefficient in coefficients[1:]:
            result = self.fused(result, at, self.like(coefficient, at))
        return result

    def ordered(self, relation: ComparisonPredicate, left: Value, right: Value) -> Value:
        """Return the i1 result of an ordered comparison of floats, which is false if one of them is NaN."""
        return self(floats.CmpFOp, relation, ComparisonOrdering.ORDERED, left, right)

    def is_nan(self, value: Value) -> Value:
        """Return an i1 that is true for NaN."""
        return self(floats.CmpFOp, ComparisonPredicate.NOT_EQUAL, ComparisonOrdering.UNORDERED, value, value)

    def converted(self, value: Value, element: Type, rounding: RoundingMode = NEAREST) -> Value:
        """Return floats converted to the float type `element`, rounded by `rounding`; unchanged if they have
        the type.
        """
        tile = tile_of(value)
        if tile.element_type is element:
            return value
        return self(casts.FToFOp, value, rounding, type=tile.with_element_type(element))

    def same_bits(self, value: Value, element: Type) -> Value:
        """Return `value` bitcast to the element type `element`, which has the same width."""
        tile = tile_of(value)
        if tile.element_type is element:
            return value
        return self(casts.BitcastOp, value, type=tile.with_element_type(element))

    # --- choices and order

    def choose(self, condition: Value, yes: Value, no: Value) -> Value:
        """Return `yes` where `condition` holds, else `no`, element by element. A condition of rank 0 selects
        for all elements; any other condition has the shape of `yes`.
        """
        shape = tile_of(yes).shape
        if tile_of(condition).shape != shape:
            condition = self.spread(condition, shape)
        return self(tiles.SelectOp, condition, yes, no)

    def placeholder(self) -> Value:
        """Return a new token that the pass `order` replaces with the token of the preceding access."""
        return self(MakeTokenOp)

    def made(self, op_class: Any, *arguments: Any, **named: Any) -> Any:
        """Insert an access with a placeholder as its token, which `order` replaces; return the operation."""
        return self.insert(op_class, *arguments, token=self.placeholder(), **named)


BOOLEAN = TileType((), i1)
"""The type of a scalar i1: a tile of rank 0."""
__all__ = ["BOOLEAN", "NEAREST", "TOKEN", "CudaTileEmitter"]
