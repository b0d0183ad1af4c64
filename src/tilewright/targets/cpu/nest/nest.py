"""Loop nests: one nest over the elements of a shape, in which several results are computed at once.

Vectors cover one dimension, the last dimension that is longer than 1. Loops cover the others, and rows longer
than a few vectors. A reduction along the vectors keeps vectors of partial results and combines their lanes at
the end of a row (`fold` if their order matters). A reduction along another dimension keeps a vector for some
columns and runs down the rows. A nest that transposes tiles (`transpose`) iterates over squares.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from tilewright.dialects.nv_tileas.ops_memory import StoreOp, TiledStoreOp
from tilewright.ir.value import Value
from tilewright.targets.cpu.memory.buffer import Coordinate, Coordinates, TileBuffer, extract, spread
from tilewright.targets.cpu.memory.point import NestPoint
from tilewright.targets.cpu.plan.model import NestForm, Vectors
from tilewright.targets.elements import element_types, rounding as elements_rounding
from tilewright.targets.llvm.code import LlvmBuilder, LoopBody

PairCombiner = Callable[[Sequence[Value], Sequence[Value]], list[Value]]
"""A function that emits the combination of two groups of values, and returns one value for each pair."""


def fold_neighbours(
    code: LlvmBuilder, vectors: Sequence[Value], width: int, lanes: int, combined: PairCombiner
) -> list[Value]:
    """Return one element for each of ``width`` sequences, given as vectors of `lanes` lanes: ``width`` first
    vectors, ``width`` second vectors, ... The number of vectors of a sequence is a power of two. ``combined``
    combines groups of values, left before right.

    Vectors are folded into each other by even and odd lanes until one vector is left, which is halved in the
    same way.
    """
    groups = [list(vectors[start : start + width]) for start in range(0, len(vectors), width)]
    while len(groups) > 1:
        pairs = zip(groups[::2], groups[1::2], strict=True)
        groups = [_fold_pair(code, first, second, lanes, combined) for first, second in pairs]
    (left,) = groups
    while lanes > 1:
        even = [_every_other(code, value, value, 0, lanes // 2) for value in left]
        odd = [_every_other(code, value, value, 1, lanes // 2) for value in left]
        left, lanes = combined(even, odd), lanes // 2
    return left


def _fold_pair(
    code: LlvmBuilder, first: Sequence[Value], second: Sequence[Value], lanes: int, combined: PairCombiner
) -> list[Value]:
    """Return the results of `combined` for neighbouring lanes of two sequences of vectors.

    Lanes 0 and 1 of a first vector give lane 0, and the lanes of the second vector the upper half.
    """
    if lanes == 1:
        return combined(first, second)
    pairs = list(zip(first, second, strict=True))
    even = [_every_other(code, left, right, 0, lanes) for left, right in pairs]
    odd = [_every_other(code, left, right, 1, lanes) for left, right in pairs]
    return combined(even, odd)


def _every_other(code: LlvmBuilder, left: Value, right: Value, start: int, count: int) -> Value:
    """Return `count` lanes, every other one of `left` followed by `right`, from lane `start` on; a scalar of
    `left` if `count` is 1.
    """
    if count == 1:
        return extract(code, left, start)
    return code.shuffle(left, right, range(start, start + 2 * count, 2))


class RootEffect(Protocol):
    """Code of a nest that has an effect, such as a store, at every point of the nest. At each point
    `NestEmitter` calls `evaluate` of all roots, which may only compute, before `at` of any of them.
    """

    def evaluate(self, point: NestPoint, coordinates: Coordinates) -> None:
        """Compute the lanes that the root writes at `coordinates`, and write nothing: the method `at` writes
        them afterwards.
        """
        ...

    def at(self, point: NestPoint, coordinates: Coordinates) -> None:
        """Write the lanes at coordinates."""
        ...


@dataclass(frozen=True)
class StoreRoot:
    """The root of a nest that stores the elements of a tile to a buffer."""

    value: Value
    buffer: TileBuffer

    def evaluate(self, point: NestPoint, coordinates: Coordinates) -> None:
        """Compute the lanes of the value at `coordinates`, and store nothing: `at` stores them afterwards."""
        point.lanes_at(self.value, coordinates)

    def at(self, point: NestPoint, coordinates: Coordinates) -> None:
        """Store the lanes of the value at `coordinates` to the buffer."""
        lanes = point.lanes_at(self.value, coordinates)
        part, inner = point.hoisted(self.buffer, coordinates)
        part.store(point.code, inner, lanes, point.lanes)


@dataclass(frozen=True)
class TileCopy:
    """The root of a nest that copies the elements of a tile from one buffer to another."""

    source: TileBuffer
    target: TileBuffer

    def evaluate(self, point: NestPoint, coordinates: Coordinates) -> None:
        """Compute nothing: a copy only loads and stores."""

    def at(self, point: NestPoint, coordinates: Coordinates) -> None:
        """Copy the lanes at `coordinates` from `source` to `target`."""
        (source, here), (target, there) = (
            point.hoisted(tile, coordinates) for tile in (self.source, self.target)
        )
        target.store(point.code, there, source.load(point.code, here, point.lanes), point.lanes)


@dataclass(frozen=True)
class Effect:
    """The root of a nest that executes the store ``op`` of the program: ``emit``, called with the point, the
    operation and the coordinates, emits the write of the lanes there.
    """

    op: TiledStoreOp | StoreOp
    emit: Callable[[NestPoint, Any, Coordinates], None]

    def evaluate(self, point: NestPoint, coordinates: Coordinates) -> None:
        """Compute the lanes to write at `coordinates`, and their mask if the store has one; `at` writes them."""
        for operand in (self.op.value, self.op.mask if isinstance(self.op, StoreOp) else None):
            if operand is not None and element_types.is_tile(operand.type):
                point.lanes_at(operand, coordinates)

    def at(self, point: NestPoint, coordinates: Coordinates) -> None:
        """Emit the write of the lanes at `coordinates`."""
        self.emit(point, self.op, coordinates)


Combine = Callable[[LlvmBuilder, Sequence[Value], Sequence[Value]], list[Value]]
"""A function that emits the combination of two partial results of each input, lane by lane."""


@dataclass(frozen=True)
class NestReduction:
    """A reduction of the tiles ``inputs`` along the dimension ``axis``, whose elements ``combine`` combines;
    ``results`` are buffers without that dimension. ``identities`` are the initial partial results; with None
    the first elements are. ``narrow`` has, for each input, the format to which its result is rounded at the
    end if partial results are kept in a wider format, else None.
    """

    inputs: tuple[Value, ...]
    axis: int
    combine: Combine
    results: tuple[TileBuffer, ...]
    identities: tuple[Value, ...] | None
    """The identity element of each input; None: the first elements are the initial partial results."""
    narrow: elements_rounding.NarrowFormats


@dataclass
class Nest:
    """Loops over ``shape`` to emit: how they cover it (``form``), the ``roots`` whose effects they have at
    every point, and the ``reductions``, all along one dimension.
    """

    shape: tuple[int, ...]
    form: NestForm
    roots: list[RootEffect] = field(default_factory=list["RootEffect"])
    reductions: list[NestReduction] = field(default_factory=list[NestReduction])

    @property
    def reduction_axis(self) -> int | None:
        """Return the dimension along which elements are combined; None without reductions."""
        return self.reductions[0].axis if self.reductions else None


class NestEmitter:
    """Emits the loops of one version of the nest ``nest`` (`emit`): an iteration covers ``vectors``, the
    vectors of the version with or without masks. ``point`` makes the `NestPoint` for a number of lanes.
    """

    def __init__(
        self, code: LlvmBuilder, nest: Nest, vectors: Vectors, point: Callable[[int], NestPoint]
    ) -> None:
        self.code = code
        self.nest = nest
        self.vector = nest.form.along
        self.columns = nest.shape[self.vector] if nest.shape else 1
        self.lanes, self.unroll = vectors.lanes, vectors.count
        self.point = point(self.lanes)

    def emit(self) -> None:
        """Emit the code of the whole nest."""
        axis = self.nest.reduction_axis
        others = [
            at for at in range(len(self.nest.shape)) if at not in (self.vector, self.nest.form.transposed)
        ]
        if self.nest.form.transposed >= 0:
            self._outer(others, {}, self._squares)
        elif axis is None or axis == self.vector:
            self._outer(others, {}, self._row)
        else:
            self._outer([at for at in others if at != axis], {}, self._columns_down)

    # --- loops

    def _outer(
        self,
        dimensions: Sequence[int],
        fixed: dict[int, Coordinate],
        inner: Callable[[dict[int, Coordinate]], None],
    ) -> None:
        """Emit loops over `dimensions`, and `inner` inside of them. ``fixed`` has the coordinates of the
        surrounding loops by dimension; `inner` gets it with the coordinates of these loops.
        """
        if not dimensions:
            inner(fixed)
            return
        first, *rest = dimensions

        def body(loop: LoopBody) -> Sequence[Value]:
            with_first = {**fixed, first: self._begin(loop)}
            self._outer(rest, with_first, inner)
            self._end(loop)
            return ()

        self.code.loop(0, self.nest.shape[first], 1, (), body)

    def _begin(self, loop: LoopBody) -> Coordinate:
        """Add a loop, whose start was emitted, to the levels of `point`, and return its coordinate. A loop of
        one iteration has no level of its own. Emits nothing.
        """
        if loop.before is None:
            return Coordinate(loop.index)
        self.point.enter(loop.before)
        return Coordinate(loop.index, level=self.point.level)

    def _end(self, loop: LoopBody) -> None:
        if loop.before is not None:
            self.point.leave()

    def _coordinates(self, fixed: dict[int, Coordinate], column: Coordinate | None) -> Coordinates:
        """Return the coordinates of all dimensions: `column` along the vectors, and ``fixed`` by dimension
        for the others. The dimension of the vectors is left out if `column` is None.
        """
        by_dimension = {**fixed, self.vector: column}
        found = [by_dimension[dimension] for dimension in range(len(self.nest.shape))]
        return tuple(at for at in found if at is not None)

    def _vectors(self, position: Coordinate) -> list[Coordinate]:
        """Return the coordinates, along the dimension of the vectors, of the vectors of the iteration that
        begins at `position`. Repeated calls return the same coordinates.
        """

        def make() -> list[Coordinate]:
            bases = [self.code.add(position.base, at * self.lanes) for at in range(self.unroll)]
            return [Coordinate(base, self.lanes > 1, position.level) for base in bases]

        return self.point.once(("columns", position), position.level, make)

    # --- rows

    def _row(self, fixed: dict[int, Coordinate]) -> None:
        """Emit all columns of one row: its roots, and the reductions along it, whose results are stored.
        ``fixed`` has the coordinates of the other dimensions.
        """
        step = self.lanes * self.unroll
        reductions = self.nest.reductions
        first = self._identities(self.unroll) if reductions else []
        if first is None:
            self._row_in_order(fixed)
            return

        def body(loop: LoopBody) -> Sequence[Value]:
            position = self._begin(loop)
            left = self._combined(loop.carried, self._partial(fixed, position))
            self._roots(fixed, position)
            self._end(loop)
            return left

        left = self._in_groups(self.columns, step, first, body)
        self._finish_row(fixed, list(left))

    def _in_groups(
        self, stop: int, step: int, first: list[Value], body: Callable[[LoopBody], Sequence[Value]]
    ) -> tuple[Value, ...]:
        """Emit iterations from 0 to ``stop`` by ``step``, whose code `body` emits and which carry partial
        results, initially ``first``; return the results. If the plan has groups, each group of iterations is
        combined separately, then the results of the groups.
        """
        group = self.nest.form.group * step
        if not first or not group:
            return self.code.loop(0, stop, step, first, body)

        def one(outer: LoopBody) -> Sequence[Value]:
            end = self.code.add(outer.index, group)
            return self._combined(outer.carried, self.code.loop(outer.index, end, step, first, body))

        return self.code.loop(0, stop, group, first, one)

    def _row_in_order(self, fixed: dict[int, Coordinate]) -> None:
        """Emit the roots of one row, and reductions along it whose order matters, and store their results.
        Each iteration combines neighbouring lanes of its vectors, left before right, until one element is
        left, and then the result so far with this element. ``fixed`` has the coordinates of the other
        dimensions.
        """
        step = self.lanes * self.unroll

        def one(position: Coordinate) -> list[Value]:
            lanes = self._partial(fixed, position)
            self._roots(fixed, position)
            return fold_neighbours(self.code, lanes, self._width(), self.lanes, self._combined)

        def body(loop: LoopBody) -> Sequence[Value]:
            position = self._begin(loop)
            left = self._combined(loop.carried, one(position))
            self._end(loop)
            return left

        left = self.code.loop(step, self.columns, step, one(Coordinate(0)), body, may_be_empty=True)
        self._store_results(left, self._coordinates(fixed, None), 1)

    def _width(self) -> int:
        """Return the total number of inputs of all reductions."""
        return sum(len(reduction.inputs) for reduction in self.nest.reductions)

    def _squares(self, fixed: dict[int, Coordinate]) -> None:
        """Emit loops over squares: ``square`` rows along the transposed dimension, and as many columns as
        vectors have lanes.
        """
        dimension, count = self.nest.form.transposed, self.nest.form.square

        def square(outer: LoopBody) -> Sequence[Value]:
            row = self._begin(outer)
            bases = tuple(self.code.add(row.base, at) for at in range(count))

            def across(loop: LoopBody) -> Sequence[Value]:
                column = replace(self._begin(loop), lanes=True)
                for base in bases:
                    here = Coordinate(base, False, row.level, bases)
                    self.all_roots(self._coordinates({**fixed, dimension: here}, column))
                self._end(loop)
                return ()

            self.code.loop(0, self.columns, self.lanes, (), across)
            self._end(outer)
            return ()

        self.code.loop(0, self.nest.shape[dimension], count, (), square)

    def _roots(self, fixed: dict[int, Coordinate], position: Coordinate) -> None:
        columns = self._vectors(position) if self.nest.shape else [None]
        self.all_roots(*(self._coordinates(fixed, column) for column in columns))

    def all_roots(self, *places: Coordinates) -> None:
        """Emit the roots at `places`: all of them compute their lanes at all places before the first of them
        writes.
        """
        for root in self.nest.roots:
            for place in places:
                root.evaluate(self.point, place)
        for place in places:
            for root in self.nest.roots:
                root.at(self.point, place)

    def _partial(self, fixed: dict[int, Coordinate], position: Coordinate) -> list[Value]:
        """Return the lanes of all inputs of all reductions in the iteration that begins at `position`, in the
        type of partial results: for each of its vectors, one reduction after the other. ``fixed`` has the
        coordinates of the other dimensions.
        """
        return [
            self._spread(value)
            for column in self._vectors(position)
            for reduction in self.nest.reductions
            for value in self._begun(reduction, self._coordinates(fixed, column))
        ]

    def _begun(self, reduction: NestReduction, coordinates: Coordinates) -> list[Value]:
        """Return the lanes of the inputs of a reduction at coordinates, in the type of its partial results.

        Lanes that share one element are a scalar.
        """
        elements = [self.point.lanes_at(value, coordinates) for value in reduction.inputs]
        return elements_rounding.begun(self.code, elements, reduction.narrow)

    def _identities(self, times: int) -> list[Value] | None:
        """Return the initial partial results, repeated `times` times; None if an input has no identity."""
        found: list[Value] = []
        for reduction in self.nest.reductions:
            if reduction.identities is None:
                return None
            found += map(self._spread, reduction.identities)
        return found * times

    def _spread(self, value: Value) -> Value:
        return spread(self.code, value, self.lanes)

    def _combined(self, left: Sequence[Value], right: Sequence[Value]) -> list[Value]:
        """Return `left` combined with `right`: the partial results of all inputs, one reduction after the
        other, and again for each further vector of an iteration.
        """
        found: list[Value] = []
        start = 0
        while start < len(left):
            for reduction in self.nest.reductions:
                stop = start + len(reduction.inputs)
                found += reduction.combine(self.code, left[start:stop], right[start:stop])
                start = stop
        return found

    def _finish_row(self, fixed: dict[int, Coordinate], left: list[Value]) -> None:
        """Combine the partial results ``left`` of one row, first the vectors of an iteration, then the lanes,
        and store one result for each input at the coordinates ``fixed`` of the other dimensions.
        """
        while len(left) > self._width():
            half = len(left) // 2
            left = self._combined(left[:half], left[half:])
        lanes = self.lanes
        while lanes > 1:
            lanes //= 2
            low = [self._part(value, 0, lanes) for value in left]
            high = [self._part(value, lanes, lanes) for value in left]
            left = self._combined(low, high)
        self._store_results(left, self._coordinates(fixed, None), 1)

    def _part(self, value: Value, start: int, lanes: int) -> Value:
        """Return `lanes` lanes of the vector `value` from lane `start` on; a scalar if `lanes` is 1."""
        if lanes == 1:
            return extract(self.code, value, start)
        return self.code.shuffle(value, value, range(start, start + lanes))

    def _store_results(self, values: Sequence[Value], coordinates: Coordinates, lanes: int) -> None:
        rest = iter(values)
        for reduction in self.nest.reductions:
            partial = [value for _, value in zip(reduction.results, rest, strict=False)]
            if lanes == 1:
                partial = [extract(self.code, value, 0) for value in partial]
            results = elements_rounding.finished(self.code, partial, reduction.narrow)
            for buffer, value in zip(reduction.results, results, strict=True):
                buffer.store(self.code, coordinates, value, lanes)

    # --- columns

    def _columns_down(self, fixed: dict[int, Coordinate]) -> None:
        """Emit the roots, and reductions along another dimension than the vectors, and store their results:
        for each group of columns, a loop along the axis. ``fixed`` has the coordinates of the other
        dimensions.
        """
        axis = self.nest.reduction_axis
        assert axis is not None

        def some_columns(outer: LoopBody) -> Sequence[Value]:
            position = self._begin(outer)
            first, rows = self._identities(self.unroll), self.nest.shape[axis]

            def down(loop: LoopBody) -> Sequence[Value]:
                here = {**fixed, axis: self._begin(loop)}
                left = self._combined(loop.carried, self._partial(here, position))
                self._roots(here, position)
                self._end(loop)
                return left

            if first is None:
                at_top = {**fixed, axis: Coordinate(0)}
                first = self._partial(at_top, position)
                self._roots(at_top, position)
                left = self.code.loop(1, rows, 1, first, down)
            else:
                left = self._in_groups(rows, 1, first, down)
            self._finish_columns(fixed, axis, position, left)
            self._end(outer)
            return ()

        self.code.loop(0, self.columns, self.lanes * self.unroll, (), some_columns)

    def _finish_columns(
        self, fixed: dict[int, Coordinate], axis: int, position: Coordinate, left: Sequence[Value]
    ) -> None:
        width = self._width()
        for at, column in enumerate(self._vectors(position)):
            by_dimension = {**fixed, self.vector: column}
            place = tuple(
                by_dimension[dimension] for dimension in range(len(self.nest.shape)) if dimension != axis
            )
            self._store_results(left[at * width : (at + 1) * width], place, self.lanes)
