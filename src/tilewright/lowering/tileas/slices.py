"""Slices of tiles that are too large for registers: their offsets, and loops over them.

A slice is a range of elements in row-major order that is also rectangular: one index of each leading
dimension, a part of one dimension, and all of the trailing dimensions. So slice ``i`` of two tiles with
equally many elements covers the same row-major numbers, whatever their shapes are.
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

CarriedTiles = Sequence[Value]


class SliceBuilder(PointInserter):
    """A builder for arithmetic on values of type `index`, and for slices of tiles."""

    __slots__ = ()

    def number(self, value: int) -> Value:
        """Return a constant of type `index`."""
        return self(arith.ConstantOp, builtin_attributes.IntegerAttr(index, value))

    def sum(self, left: Value, right: Value) -> Value:
        """Return the sum of two values of type `index`."""
        return self(arith.AddIOp, left, right)

    def times(self, value: Value, factor: int) -> Value:
        """Return `value` multiplied by the constant `factor`."""
        return value if factor == 1 else self(arith.MulIOp, value, self.number(factor))

    def bits(self, value: Value, first: int, count: int) -> Value:
        """Return the `count` bits of `value`, an `index`, from bit `first` on, shifted down to bit 0."""
        shifted = self(arith.ShRUIOp, value, self.number(first)) if first else value
        return self(arith.AndIOp, shifted, self.number((1 << count) - 1))

    def start(self, offset: Value, size: int, extent: int) -> Value:
        """Return the offset of a part of `size` elements along a dimension of `extent` elements, a power of
        two, as an `index`. The offset is taken modulo `extent`, and then reduced until the part is inside the
        tile.
        """
        if size == extent:
            return self.number(0)
        found = offset if isinstance(offset.type, IndexType) else self(IndexCastOp, offset, type=index)
        wrapped = self(arith.AndIOp, found, self.number(extent - 1))
        return self(arith.MinUIOp, wrapped, self.number(extent - size))

    def extract(self, source: Value, offsets: Sequence[Value], sizes: Sequence[int]) -> Value:
        """Insert an `extract_slice` of the given offsets and sizes, and return its result."""
        type = RankedTensorType(tuple(sizes), element_of(source.type))
        return self(ExtractSliceOp, source=source, offsets=tuple(offsets), sizes=tuple(sizes), type=type)

    def put(self, part: Value, whole: Value, offsets: Sequence[Value]) -> Value:
        """Insert an `insert_slice` of `part` into `whole` at the given offsets, and return its result."""
        return self(
            InsertSliceOp,
            source=part,
            destination=whole,
            offsets=tuple(offsets),
            sizes=shape_of(part.type),
            type=whole.type,
        )

    def origin(self, rank: int) -> list[Value]:
        """Return `rank` offsets of 0."""
        return [self.number(0)] * rank

    def loop(
        self,
        count: int,
        carried: CarriedTiles,
        round: Callable[[SliceBuilder, Value, CarriedTiles], CarriedTiles],
    ) -> CarriedTiles:
        """Emit a loop of ``count`` iterations; return the carried values after the last iteration. ``round``
        emits its body: it is called once with a builder, the number of the iteration and the carried values,
        and returns the values of the next iteration.
        """
        types = [value.type for value in carried]
        body = Block([index, *types])
        inside = SliceBuilder(builder.InsertionPoint(body), self.location)
        counter, *values = body.arguments
        made = round(inside, counter, values)
        inside.insert(YieldOp, tuple(made))
        limits = (self.number(number) for number in (0, count, 1))
        return self.insert(
            ForOp, *limits, tuple(carried), unsignedCmp=False, region=Region([body]), result_types=types
        ).results


@dataclass(frozen=True)
class Slices:
    """The division of a shape into slices, which all have the shape ``box``."""

    shape: tuple[int, ...]
    box: tuple[int, ...]

    @classmethod
    def of(cls, shape: Sequence[int], elements: int) -> Slices:
        """Return the division of a shape into slices of ``elements`` elements, or into one slice if it has
        fewer: `(4, 8)` with 4 elements has slices of shape `(1, 4)`. All numbers are powers of two.
        """
        box: list[int] = []
        for extent in reversed(shape):
            box.insert(0, min(extent, elements))
            elements //= box[0]
        return cls(tuple(shape), tuple(box))

    @property
    def counts(self) -> tuple[int, ...]:
        """Return the number of slices along each dimension."""
        return tuple(extent // size for extent, size in zip(self.shape, self.box, strict=True))

    def offsets(self, emit: SliceBuilder, number: Value) -> list[Value]:
        """Return the offset of slice `number` along each dimension; slices are numbered in row-major order."""
        found: list[Value] = []
        for at, (count, size) in enumerate(zip(self.counts, self.box, strict=True)):
            behind = log2(prod(self.counts[at + 1 :]))
            place = emit.bits(number, behind, log2(count)) if count > 1 else emit.number(0)
            found.append(emit.times(place, size))
        return found


@dataclass
class SliceState:
    """The current iteration of a loop over slices: its builder ``emit``, the ``number`` of the slice, its
    number of ``elements``, and in ``made``, by value, the slices that were computed in it so far.
    """

    emit: SliceBuilder
    number: Value
    elements: int
    made: dict[Value, Value] = field(default_factory=dict[Value, Value])
    _offsets: dict[tuple[int, ...], list[Value]] = field(default_factory=dict[tuple[int, ...], list[Value]])

    def box(self, shape: Sequence[int]) -> tuple[int, ...]:
        """Return the shape of a slice of a tile with the shape `shape`."""
        return Slices.of(shape, self.elements).box

    def offsets(self, shape: tuple[int, ...]) -> list[Value]:
        """Return the offsets of the current slice in a tile with the shape `shape`."""
        if shape not in self._offsets:
            self._offsets[shape] = Slices.of(shape, self.elements).offsets(self.emit, self.number)
        return self._offsets[shape]

    def sliced_type(self, value: Value) -> RankedTensorType:
        """Return the type of a slice of the tile `value`."""
        return RankedTensorType(self.box(shape_of(value.type)), element_of(value.type))


def sliced_clone(op: Operation, mapping: dict[Value, Value], place: SliceState) -> Operation:
    """Insert a copy of an operation that computes the current slice. `mapping` gives the slices that replace
    its operands; results that are tiles get the type of a slice.
    """
    made = place.emit.point.insert(op.clone(mapping))
    for old, new in zip(op.results, made.results, strict=True):
        if isinstance(old.type, RankedTensorType):
            new.type = place.sliced_type(old)
    return made


class SlicerInterface(Protocol):
    """The interface of `Slicer` that the rules of operations use: ``limit``, ``slice_elements``, `is_large`,
    `array`, `new_array` and `slice`. Tiles of more than ``limit`` elements are large; a slice has
    ``slice_elements`` elements.
    """

    limit: int
    slice_elements: int

    def is_large(self, value: Value) -> bool:
        """Return whether a value is a tile of more than ``limit`` elements, which does not fit into
        registers.
        """
        ...

    def array(self, value: Value) -> Value:
        """Return a large tile as an array in the memory of threads; if there is none yet, emit code after the
        definition of the tile that fills one.
        """
        ...

    def new_array(self, emit: SliceBuilder, type: Type) -> Value:
        """Return a new uninitialised array for tiles with the shape and elements of `type`."""
        ...

    def slice(self, value: Value, place: SliceState) -> Value:
        """Return the slice of a large tile in the iteration `place`: computed there if possible, otherwise
        extracted from its array.
        """
        ...
