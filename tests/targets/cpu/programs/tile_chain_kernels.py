"""Kernels under construction for chains of tile operations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

from tests.interp.kernels import SIGNED, Kernel, pointer
from tilewright.dialects.cuda_tile.enums import (
    ComparisonPredicate,
    RoundingMode,
)
from tilewright.dialects.cuda_tile.ops import float as ops_float, integer as ops_integer, tile as tiles
from tilewright.dialects.cuda_tile.types import (
    PointerType,
    tile,
)
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import FloatType, i1, i32
from tilewright.ir.value import Value

LARGEST = 256
"""Tiles of a chain have at most so many elements."""
ROOM = 1024
"""Elements of each array."""
SHAPES: tuple[tuple[int, ...], ...] = ((), (1,), (16,), (64,), (4, 8), (16, 16), (1, 32), (32, 1), (2, 4, 8))
"""The shapes that chains begin with."""
Step = Callable[["Chain", Any], Any]
"""Makes a tile of another one, or None where this is not possible."""
EVEN = RoundingMode.NEAREST_EVEN


class Chain(Kernel):
    """A kernel under construction: what it reads, what it writes, and memory to work with."""

    def __init__(self, element: Type) -> None:
        super().__init__(pointer(element), pointer(element), pointer(element), tile(i32), pointer(i32))
        self.element = element
        self.source, self.target, self.room, self.number, self.numbers = self.arguments

    def extents(self, value: Any) -> tuple[int, ...]:
        return value.type.shape

    def kind(self, value: Any) -> Type:
        return value.type.element_type

    def reshaped(self, value: Any, shape: Sequence[int]) -> Value:
        return self.add(tiles.ReshapeOp(value, result_types=[tile(*shape, self.kind(value))]))

    def everywhere(self, scalar: Any, shape: Sequence[int]) -> Value:
        return self.splat(scalar, *shape) if shape else scalar

    def places(self, base: Any, shape: Sequence[int]) -> Value:
        """The addresses of a row-major array."""
        return self.add(tiles.OffsetOp(self.everywhere(base, shape), self.counted(shape)))

    def counted(self, shape: Sequence[int]) -> Value:
        """The numbers of the elements of a tile."""
        return self.reshaped(self.iota(prod(shape)), shape)

    def splatted(self, number: int, like: Any) -> Value:
        element = self.kind(like)
        value = float(number) if isinstance(element, FloatType) else number
        return self.constant(value, tile(*self.extents(like), element))

    def is_odd(self, shape: Sequence[int]) -> Value:
        numbers = self.counted(shape)
        ones = self.constant(1, tile(*shape, i32))
        return self.compared(self.add(ops_integer.AndIOp(numbers, ones)), ones)

    def compared(self, left: Any, right: Any) -> Value:
        kind = tile(*self.extents(left), i1)
        equal = ComparisonPredicate.EQUAL
        return self.add(ops_integer.CmpIOp(equal, left, right, SIGNED, result_types=[kind]))

    def is_positive(self) -> Value:
        more = ComparisonPredicate.GREATER_THAN
        return self.add(ops_integer.CmpIOp(more, self.number, self.i32(0), SIGNED, result_types=[tile(i1)]))

    def plus(self, left: Any, right: Any) -> Any:
        """The sum of two tiles of numbers, that of one and offsets for pointers."""
        element = self.kind(left)
        if isinstance(element, PointerType):
            return self.add(tiles.OffsetOp(left, right))
        if isinstance(element, FloatType):
            return self.add(ops_float.AddFOp(left, right, rounding_mode=EVEN))
        if element is i1:
            return self.add(ops_integer.XOrIOp(left, right))
        return self.add(ops_integer.AddIOp(left, right))

    def is_number(self, value: Any) -> bool:
        return not isinstance(self.kind(value), PointerType)

    def increment(self, value: Any, by: int = 1) -> Any:
        element = self.kind(value)
        if isinstance(element, PointerType):
            return self.plus(value, self.constant(by, tile(*self.extents(value), i32)))
        return self.plus(value, self.splatted(by, value))
