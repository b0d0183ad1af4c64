"""Scans: each element becomes the combination of the elements up to it.

Along a row the lanes of a vector are combined in steps of doubled distance, then with the result of all
vectors before. Only that last step depends on the vector before. Along another dimension a vector runs down
the rows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tilewright.dialects.nv_tileas.ops_tile import ScanOp
from tilewright.ir.value import Value
from tilewright.targets.cpu.memory.buffer import Coordinate, TileBuffer, extract, spread
from tilewright.targets.cpu.memory.point import NestPoint
from tilewright.targets.cpu.nest import block_code, combine
from tilewright.targets.cpu.nest.nest import Nest, NestEmitter
from tilewright.targets.cpu.plan.model import Combining, Vectors
from tilewright.targets.elements.rounding import begun, finished
from tilewright.targets.llvm.code import Index, LlvmBuilder, LoopBody


@dataclass(frozen=True)
class NestScan:
    """The inputs and results of a scan along the dimension ``axis``, with the combination ``how``; exclusive
    scans begin with the identities, reversed scans with the last element.

    ``results`` are in ``buffers``, except for results that only the nest itself uses.
    """

    inputs: tuple[Value, ...]
    axis: int
    how: combine.Combination
    results: tuple[Value, ...]
    buffers: tuple[TileBuffer | None, ...]
    inclusive: bool = True
    reverse: bool = False


def made_scan(emit: block_code.BlockCode, op: ScanOp, plan: Combining) -> NestScan:
    """Return the scan of `op`: its inputs, the combination of its body as `plan` says, and the buffers that
    are planned for its results, None for results without memory.
    """
    buffers = tuple(emit.buffer_for(value) if value in emit.tiles else None for value in op.results)
    return NestScan(
        tuple(op.inputs),
        op.axis,
        combine.combination(emit, op, plan),
        tuple(op.results),
        buffers,
        op.inclusive,
        op.reverse,
    )


class ScanEmitter(NestEmitter):
    """Emit the loops of `scan`, and of the other roots of its nest, which use its results. An iteration
    covers ``vectors``; ``point`` makes the `NestPoint` for a number of lanes.
    """

    def __init__(
        self,
        code: LlvmBuilder,
        nest: Nest,
        scan: NestScan,
        vectors: Vectors,
        point: Callable[[int], NestPoint],
    ):
        super().__init__(code, nest, vectors, point)
        self.scan = scan

    def emit(self) -> None:
        """Emit the code of the whole scan."""
        along_rows = self.scan.axis == self.vector
        others = [at for at in range(len(self.nest.shape)) if at not in (self.scan.axis, self.vector)]
        self._outer(others, {}, self._scan_row if along_rows else self._scan_columns)

    # --- along the vectors

    def _scan_row(self, fixed: dict[int, Coordinate]) -> None:
        code, count = self.code, len(self.scan.inputs)

        def some(position: Coordinate, carried: Sequence[Value] | None) -> list[Value]:
            column = Coordinate(self._place(position.base), self.lanes > 1, position.level)
            lanes = self._prefixes(self._inputs({**fixed, self.vector: column}))
            totals = [self._everywhere(extract(code, value, self.lanes - 1)) for value in lanes]
            combined = lanes if carried is None else self._combine(carried, lanes)
            self._store({**fixed, self.vector: column}, self._scan_results(combined, carried))
            return totals if carried is None else self._combine(carried, totals)

        def body(loop: LoopBody) -> Sequence[Value]:
            left = some(self._begin(loop), loop.carried)
            self._end(loop)
            return left

        first = some(Coordinate(0), None)
        assert len(first) == count, "one total for each input"
        code.loop(self.lanes, self.columns, self.lanes, first, body, may_be_empty=True)

    def _place(self, base: Index) -> Index:
        """Return the index of the vector of an iteration; counted from the end if the scan is reversed."""
        return self.code.subtract(self.columns - self.lanes, base) if self.scan.reverse else base

    def _prefixes(self, lanes: list[Value]) -> list[Value]:
        """Return the inclusive scan of the lanes of a vector."""
        distance = 1
        while distance < self.lanes:
            lanes = self._absorbed(lanes, distance)
            distance *= 2
        return lanes

    def _absorbed(self, lanes: list[Value], distance: int) -> list[Value]:
        """Return the vectors `lanes`, one for each input, with each lane combined with the lane `distance`
        before it; lanes without such a lane are unchanged.
        """
        code, count = self.code, self.lanes
        places = range(count)
        if self.scan.how.identities is not None:
            pairs = zip(lanes, self.scan.how.identities, strict=True)
            mask = [at - distance if at >= distance else count for at in places]
            earlier = [code.shuffle(value, spread(code, nothing, count), mask) for value, nothing in pairs]
            return self._combine(earlier, lanes)
        earlier = [code.shuffle(value, value, [max(at - distance, 0) for at in places]) for value in lanes]
        chosen = [at if at < distance else at + count for at in places]
        return [
            code.shuffle(value, other, chosen)
            for value, other in zip(lanes, self._combine(earlier, lanes), strict=True)
        ]

    def _scan_results(self, combined: Sequence[Value], carried: Sequence[Value] | None) -> list[Value]:
        """Return the lanes of the results from the inclusive scan `combined` of this vector.

        An exclusive scan shifts the lanes by one; lane 0 is the result ``carried`` from the vectors before
        (None: the identity).
        """
        if self.scan.inclusive:
            return list(combined)
        before = self._identities_everywhere() if carried is None else carried
        if self.lanes == 1:
            return list(before)
        mask = [self.lanes, *range(self.lanes - 1)]
        return [self.code.shuffle(value, first, mask) for value, first in zip(combined, before, strict=True)]

    # --- down the rows

    def _scan_columns(self, fixed: dict[int, Coordinate]) -> None:
        rows = self.nest.shape[self.scan.axis]

        def some_columns(outer: LoopBody) -> Sequence[Value]:
            position = self._begin(outer)
            column = Coordinate(position.base, self.lanes > 1, position.level)

            def row(at: Coordinate, carried: Sequence[Value] | None) -> list[Value]:
                base = self.code.subtract(rows - 1, at.base) if self.scan.reverse else at.base
                here = {**fixed, self.vector: column, self.scan.axis: Coordinate(base, level=at.level)}
                lanes = self._inputs(here)
                combined = lanes if carried is None else self._combine(carried, lanes)
                self._store(
                    here, combined if self.scan.inclusive else carried or self._identities_everywhere()
                )
                return combined

            def down(loop: LoopBody) -> Sequence[Value]:
                left = row(self._begin(loop), loop.carried)
                self._end(loop)
                return left

            self.code.loop(1, rows, 1, row(Coordinate(0), None), down, may_be_empty=True)
            self._end(outer)
            return ()

        self.code.loop(0, self.columns, self.lanes, (), some_columns)

    # --- both

    def _inputs(self, place: dict[int, Coordinate]) -> list[Value]:
        """Return the lanes of all inputs at the coordinates `place`, by dimension, in the type of partial
        results and in the order of the scan.
        """
        coordinates = tuple(place[at] for at in range(len(self.nest.shape)))
        elements = [self.point.lanes_at(value, coordinates) for value in self.scan.inputs]
        found = begun(self.code, elements, self.scan.how.narrow)
        return [self._in_order(self._everywhere(value)) for value in found]

    def _store(self, place: dict[int, Coordinate], values: Sequence[Value]) -> None:
        coordinates = tuple(place[at] for at in range(len(self.nest.shape)))
        results = finished(self.code, values, self.scan.how.narrow)
        for result, buffer, value in zip(self.scan.results, self.scan.buffers, results, strict=True):
            lanes = self._in_order(value)
            self.point.set(result, coordinates, lanes)
            if buffer is not None:
                part, inner = self.point.hoisted(buffer, coordinates)
                part.store(self.code, inner, lanes, self.lanes)
        self.all_roots(coordinates)

    def _in_order(self, value: Value) -> Value:
        """Return `value` with its lanes in the order of the scan: reversed if the scan is reversed along the
        vectors.
        """
        if not self.scan.reverse or self.scan.axis != self.vector or self.lanes == 1:
            return value
        return self.code.shuffle(value, value, range(self.lanes - 1, -1, -1))

    def _everywhere(self, value: Value) -> Value:
        return spread(self.code, value, self.lanes)

    def _identities_everywhere(self) -> list[Value]:
        assert self.scan.how.identities is not None, "an exclusive scan has identities"
        return [self._everywhere(value) for value in self.scan.how.identities]

    def _combine(self, left: Sequence[Value], right: Sequence[Value]) -> list[Value]:
        return self.scan.how.combine(self.code, left, right)
