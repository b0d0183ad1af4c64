"""Reductions of tiles that are too large for registers.

Elements are combined in the same order as in registers: neighbours first, then pairs of neighbours. Elements
of a slice are neighbours, so slices are reduced first, and their results are reduced like any tile. If slices
have length 1 along the dimension, pairs of slices are combined.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from tilewright.dialects.nv_tileaa.constraints import element_of, is_tile, shape_of
from tilewright.dialects.nv_tileaa.ops.structure import SplatOp
from tilewright.dialects.nv_tileas.ops_tile import AllocTensorOp, GenerateOp, ReduceOp, ViewOp
from tilewright.ir.attribute import Type
from tilewright.ir.block import Block, Region
from tilewright.ir.builtin_types import RankedTensorType, index
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.layouts.linear import log2
from tilewright.lowering.tileas.encodings import tile_type
from tilewright.lowering.tileas.slices import CarriedTiles, SliceBuilder, SlicerInterface, Slices, SliceState


def reduced(slicer: SlicerInterface, op: ReduceOp) -> None:
    """Replace a reduction of large tiles by loops over slices, until the remaining tiles fit into registers
    or their reduced dimension has extent 1. Results that are large themselves become views of arrays.
    """
    emit = SliceBuilder.before(op)
    values: Sequence[Value] = op.inputs
    while slicer.is_large(values[0]) and shape_of(values[0].type)[op.axis] > 1:
        values = ReductionStep(slicer, op, emit, values).left()
    if slicer.is_large(values[0]):
        made = [_without(slicer, emit, value, old) for value, old in zip(values, op.results, strict=True)]
    else:
        made = emit.point.insert(_on(op, values, op.result_types)).results
    for old, new in zip(op.results, made, strict=True):
        old.replace_all_uses_with(new)
    op.erase()


def _on(op: ReduceOp, values: Sequence[Value], types: Sequence[Type]) -> Operation:
    """Return a copy of the reduction with the operands `values` and the result types `types`, not inserted."""
    made = op.clone()
    for at, value in enumerate(values):
        made.set_operand(at, value)
    for result, type in zip(made.results, types, strict=True):
        result.type = type
    return made


def _without(slicer: SlicerInterface, emit: SliceBuilder, value: Value, result: Value) -> Value:
    """Return `value` in an array, as a view with the shape of `result`: without the reduced dimension, whose
    extent is 1.
    """
    array = slicer.array(value)
    type = RankedTensorType(shape_of(result.type), element_of(result.type), tile_type(array).encoding)
    return emit(ViewOp, source=array, type=type)


class ReductionStep:
    """One step of the reduction ``op`` of the large tiles ``values``, a loop that ``emit`` builds and that
    makes the extent of the reduced dimension smaller: each iteration reduces a slice along it, or, if slices
    have extent 1 along it, combines two slices. `left` emits the loop and returns the tiles that remain.
    """

    def __init__(
        self, slicer: SlicerInterface, op: ReduceOp, emit: SliceBuilder, values: Sequence[Value]
    ) -> None:
        self.slicer = slicer
        self.op = op
        self.emit = emit
        self.values = values
        self.shape = shape_of(values[0].type)
        self.box = Slices.of(self.shape, slicer.slice_elements).box

    def left(self) -> CarriedTiles:
        """Emit the loop of this step, and return the tiles that remain to be reduced."""
        size = self.box[self.op.axis]
        count = prod(self.shape) // prod(self.box)
        if size > 1:
            return self.emit.loop(count, self._unset(size), self._reduce)
        return self.emit.loop(count // 2, self._unset(2), self._combine)

    def _along(self, shape: Sequence[int], extent: int) -> tuple[int, ...]:
        """Return `shape` with the extent `extent` of the reduced dimension."""
        return (*shape[: self.op.axis], extent, *shape[self.op.axis + 1 :])

    def _unset(self, size: int) -> list[Value]:
        """Return uninitialised tiles for the results of this step, whose reduced dimension is `size` times
        shorter. Tiles of more elements than the limit are arrays.
        """
        shape = self._along(self.shape, self.shape[self.op.axis] // size)
        types = [RankedTensorType(shape, element_of(value.type)) for value in self.values]
        is_large = prod(shape) > self.slicer.limit
        return [
            self.slicer.new_array(self.emit, type) if is_large else self.emit(AllocTensorOp, type=type)
            for type in types
        ]

    def _reduce(self, inside: SliceBuilder, number: Value, carried: CarriedTiles) -> CarriedTiles:
        """Reduce slice `number` and insert the result into the tiles `carried`; return the changed tiles. It
        is the body of the loop of this step.
        """
        op, axis = self.op, self.op.axis
        place = SliceState(inside, number, self.slicer.slice_elements)
        parts = [self.slicer.slice(value, place) for value in self.values]
        rest = (*self.box[:axis], *self.box[axis + 1 :])
        types = [
            RankedTensorType(rest, element_of(part.type)) if is_tile(old.type) else old.type
            for part, old in zip(parts, op.results, strict=True)
        ]
        made = inside.point.insert(_on(op, parts, types))
        offsets = place.offsets(self.shape)
        bits = log2(self.shape[axis])
        at = inside.bits(offsets[axis], log2(self.box[axis]), bits)
        shape = self._along(self.box, 1)
        return [
            inside.put(self._tile(inside, value, shape), whole, self._at(offsets, at))
            for value, whole in zip(made.results, carried, strict=True)
        ]

    def _tile(self, inside: SliceBuilder, value: Value, shape: tuple[int, ...]) -> Value:
        """Return the result of reducing a slice as a tile of shape `shape`, which has the reduced dimension
        with extent 1.
        """
        type = RankedTensorType(shape, element_of(value.type))
        return inside(ViewOp if is_tile(value.type) else SplatOp, source=value, type=type)

    def _at(self, offsets: Sequence[Value], place: Value) -> list[Value]:
        """Return `offsets` with `place` as the offset along the reduced dimension."""
        return [*offsets[: self.op.axis], place, *offsets[self.op.axis + 1 :]]

    def _combine(self, inside: SliceBuilder, number: Value, carried: CarriedTiles) -> CarriedTiles:
        """Combine two slices that are neighbours along the reduced dimension, and insert the result as slice
        `number` into the tiles `carried`; return the changed tiles. It is the body of the loop of this step.
        """
        shape = shape_of(carried[0].type)
        offsets = SliceState(inside, number, self.slicer.slice_elements).offsets(shape)
        double = inside.times(offsets[self.op.axis], 2)
        pairs = [
            inside.extract(self.slicer.array(value), self._at(offsets, at), self.box)
            for at in (double, inside.sum(double, inside.number(1)))
            for value in self.values
        ]
        made = inside.insert(
            GenerateOp,
            tuple(pairs),
            body=self._body(pairs),
            result_types=[part.type for part in pairs[: len(self.values)]],
        )
        return [inside.put(part, whole, offsets) for part, whole in zip(made.results, carried, strict=True)]

    def _body(self, pairs: Sequence[Value]) -> Region:
        """Return a region for `generate` that combines the elements of two tiles at the same index by the
        reduction's body.
        """
        block = Block([index] * len(self.box) + [element_of(part.type) for part in pairs])
        (old,) = self.op.body.blocks
        mapping: dict[Value, Value] = dict(zip(old.arguments, block.arguments[len(self.box) :], strict=True))
        for inner in old.ops:
            block.append(inner.clone(mapping))
        return Region([block])
