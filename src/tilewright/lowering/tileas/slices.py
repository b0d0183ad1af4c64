"""Slices of tiles that are too large for registers: their positions, and loops over them.

A slice is a sequence of elements in row-major order that forms a box: one index of each leading dimension, a
part of one dimension, and all of the others. So the slices of two tiles with the same number of elements,
whatever their shapes, contain the same elements by their row-major numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Protocol

from tilewright.dialects.arith import ops_integer as arith
from tilewright.dialects.arith.ops_conversion import IndexCastOp
from tilewright.dialects.nv_tileaa.constraints import element_of, shape_of
from tilewright.dialects.nv_tileas.ops_tile import ExtractSliceOp, InsertSliceOp
from tilewright.dialects.scf.ops_loop import ForOp, YieldOp
from tilewright.ir import builder, builtin_attributes
from tilewright.ir.attribute import Type
from tilewright.ir.block import Block, Region
from tilewright.ir.builtin_types import IndexType, RankedTensorType, index
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.layouts.linear import log2
from tilewright.lowering.inserting import PointInserter

Carried = Sequence[Value]


class Emit(PointInserter):
    """A builder for arithmetic on positions, which have the type `index`, and for slices of tiles."""

    __slots__ = ()

    def number(self, value: int) -> Value:
        """Return an index constant."""
        return self(arith.ConstantOp, builtin_attributes.IntegerAttr(index, value))

    def sum(self, left: Value, right: Value) -> Value:
        """Return the sum of positions."""
        return self(arith.AddIOp, left, right)

    def times(self, value: Value, factor: int) -> Value:
        """Return a position times a known number."""
        return value if factor == 1 else self(arith.MulIOp, value, self.number(factor))

    def bits(self, value: Value, first: int, count: int) -> Value:
        """Return the `count` bits of a position from bit `first` on, as a number."""
        shifted = self(arith.ShRUIOp, value, self.number(first)) if first else value
        return self(arith.AndIOp, shifted, self.number((1 << count) - 1))

    def start(self, offset: Value, size: int, extent: int) -> Value:
        """Return the offset of a part of a tile along a dimension, clamped so that the part is inside the
        tile.
        """
        if size == extent:
            return self.number(0)
        found = offset if isinstance(offset.type, IndexType) else self(IndexCastOp, offset, type=index)
        wrapped = self(arith.AndIOp, found, self.number(extent - 1))
        return self(arith.MinUIOp, wrapped, self.number(extent - size))

    def extract(self, source: Value, offsets: Sequence[Value], sizes: Sequence[int]) -> Value:
        """Return a part of a tile."""
        type = RankedTensorType(tuple(sizes), element_of(source.type))
        return self(ExtractSliceOp, source=source, offsets=tuple(offsets), sizes=tuple(sizes), type=type)

    def put(self, part: Value, whole: Value, offsets: Sequence[Value]) -> Value:
        """Return a tile with a part replaced."""
        return self(
            InsertSliceOp,
            source=part,
            destination=whole,
            offsets=tuple(offsets),
            sizes=shape_of(part.type),
            type=whole.type,
        )

    def origin(self, rank: int) -> list[Value]:
        """Return the offsets of the first element."""
        return [self.number(0)] * rank

    def loop(self, count: int, carried: Carried, round: Callable[[Emit, Value, Carried], Carried]) -> Carried:
        """Emit a loop of ``count`` iterations, whose body `round` emits; return the carried values after the
        last iteration.
        """
        types = [value.type for value in carried]
        body = Block([index, *types])
        inside = Emit(builder.InsertionPoint(body), self.location)
        counter, *values = body.arguments
        made = round(inside, counter, values)
        inside.insert(YieldOp, tuple(made))
        limits = (self.number(number) for number in (0, count, 1))
        return self.insert(
            ForOp, *limits, tuple(carried), unsignedCmp=False, region=Region([body]), result_types=types
        ).results


@dataclass(frozen=True)
class Slices:
    """The slices of a shape."""

    shape: tuple[int, ...]
    box: tuple[int, ...]

    @classmethod
    def of(cls, shape: Sequence[int], elements: int) -> Slices:
        """Return the division of a shape into slices of ``elements`` elements."""
        box: list[int] = []
        for extent in reversed(shape):
            box.insert(0, min(extent, elements))
            elements //= box[0]
        return cls(tuple(shape), tuple(box))

    @property
    def counts(self) -> tuple[int, ...]:
        """Return the number of slices along each dimension."""
        return tuple(extent // size for extent, size in zip(self.shape, self.box, strict=True))

    def offsets(self, emit: Emit, number: Value) -> list[Value]:
        """Return the offsets of the slice `number`; slices are numbered in row-major order."""
        found: list[Value] = []
        for at, (count, size) in enumerate(zip(self.counts, self.box, strict=True)):
            behind = log2(prod(self.counts[at + 1 :]))
            place = emit.bits(number, behind, log2(count)) if count > 1 else emit.number(0)
            found.append(emit.times(place, size))
        return found


@dataclass
class SliceState:
    """The current slice: its number, and the values computed in it so far."""

    emit: Emit
    number: Value
    elements: int
    made: dict[Value, Value] = field(default_factory=dict[Value, Value])
    _offsets: dict[tuple[int, ...], list[Value]] = field(default_factory=dict[tuple[int, ...], list[Value]])

    def box(self, shape: Sequence[int]) -> tuple[int, ...]:
        """Return the extents of the slice in a shape."""
        return Slices.of(shape, self.elements).box

    def offsets(self, shape: tuple[int, ...]) -> list[Value]:
        """Return the offsets of the slice in a tile of a shape."""
        if shape not in self._offsets:
            self._offsets[shape] = Slices.of(shape, self.elements).offsets(self.emit, self.number)
        return self._offsets[shape]

    def sliced_type(self, value: Value) -> RankedTensorType:
        """Return the type of the slice of a tile."""
        return RankedTensorType(self.box(shape_of(value.type)), element_of(value.type))


def sliced_clone(op: Operation, mapping: dict[Value, Value], place: SliceState) -> Operation:
    """Return a copy of an operation on the slices of its tiles."""
    made = place.emit.point.insert(op.clone(mapping))
    for old, new in zip(op.results, made.results, strict=True):
        if isinstance(old.type, RankedTensorType):
            new.type = place.sliced_type(old)
    return made


class Slicing(Protocol):
    """The state of the rewriting of a kernel by slices, as the rules of operations use it.

    Tiles of more than ``limit`` elements are large; a slice has ``slice_elements`` elements.
    """

    limit: int
    slice_elements: int

    def is_large(self, value: Value) -> bool:
        """Return whether a tile has more elements than registers carry."""
        ...

    def array(self, value: Value) -> Value:
        """Return a large tile in arrays."""
        ...

    def new_array(self, emit: Emit, type: Type) -> Value:
        """Return an array for the tiles of a type, whose elements are not set yet."""
        ...

    def slice(self, value: Value, place: SliceState) -> Value:
        """Return the slice of a large tile, in the current slice `place`."""
        ...
