"""The bounds at which a split loop is divided into two, computed without wrapping around."""

from __future__ import annotations

from typing import Any

from tilewright.dialects.cuda_tile.enums import RoundingMode, Signedness
from tilewright.dialects.cuda_tile.interfaces import scalar_constant
from tilewright.dialects.cuda_tile.ops import integer as integer_ops, tile as tile_ops
from tilewright.dialects.cuda_tile.ops.control import ForOp
from tilewright.ir.builder import Builder
from tilewright.ir.builtin_attributes import dense
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value


def split_points(builder: Builder, loop: ForOp, bound: Value, *, after: bool) -> tuple[Value, Value]:
    """Return the upper bound of the first half and the lower bound of the second.

    The first half runs the iterations whose induction variable is below ``bound`` (``after``: not above it), the second
    half all others; a half may be empty.  The operations are inserted at ``builder``, before the loop.
    """
    return _SplitPointEmitter(builder, loop, bound, after=after).compute()


class _SplitPointEmitter:
    """Emits the operations that compute the split points of one loop, with the parameters of `split_points`."""

    def __init__(self, builder: Builder, loop: ForOp, bound: Value, *, after: bool) -> None:
        self.builder = builder
        self.loop = loop
        self.bound = bound
        self.after = after
        self.signedness = Signedness.UNSIGNED if loop.unsigned_cmp else Signedness.SIGNED

    def compute(self) -> tuple[Value, Value]:
        lower, upper = self.loop.lower_bound, self.loop.upper_bound
        step = self._constant(self.loop.step)
        if step != 1 and not self._is_plain():
            return self._guarded()
        point = self._first_beyond()
        if step != 1:
            point = self._next_counter(point)
        return self._least(point, upper), self._greatest(point, lower)

    def _first_beyond(self) -> Value:
        """Return the lower bound of the second half for a step of 1: the bound, or the number after it.

        The counter stays below the upper bound, so a larger bound is replaced by the number below the upper
        bound: then adding 1 cannot wrap. (If no number is below the upper bound, the loop has no iteration.)
        """
        if not self.after:
            return self.bound
        one = self._number(1)
        if self._constant(self.bound) is not None:  # not the largest number: such loops are not split
            return self._sum(self.bound, one)
        return self._sum(self._least(self.bound, self._difference(self.loop.upper_bound, one)), one)

    # --- steps other than one

    def _is_plain(self) -> bool:
        """Return whether the comparison is signed, the lower bound, the bound of the split and the step are
        constants, and the counter does not wrap around before it reaches the split point.
        """
        lower, bound, step = map(self._constant, (self.loop.lower_bound, self.bound, self.loop.step))
        if self.signedness is Signedness.UNSIGNED or lower is None or bound is None or step is None:
            return False
        distance = bound + self.after - lower
        travelled = -(-distance // step) * step
        width: int = self._tile.element_type.width
        reached = (distance, travelled, lower + travelled)
        return all(-(1 << (width - 1)) <= number < 1 << (width - 1) for number in reached)

    def _next_counter(self, point: Value) -> Value:
        """Return the value of the counter after the smallest number of steps from the lower bound that
        reaches `point`: ``lower + ceil((point - lower) / step) * step``.
        """
        lower, step = self.loop.lower_bound, self.loop.step
        distance = self._difference(point, lower)
        iterations = self._insert(
            integer_ops.DivIOp(distance, step, self.signedness, RoundingMode.POSITIVE_INF)
        )
        return self._sum(lower, self._insert(integer_ops.MulIOp(iterations, step)))

    def _guarded(self) -> tuple[Value, Value]:
        """Return the upper bound of the first half (the point clamped to the loop's bounds) and the lower
        bound of the second (the first counter that is not below the point, at most the upper bound).

        Distances between the bounds are unsigned numbers, however the bounds are read. Nothing is divided by
        a step that is not positive: the loop itself reports that.
        """
        lower, upper = self.loop.lower_bound, self.loop.upper_bound
        point = self._least(self._greatest(self._first_beyond(), lower), upper)
        step = self.loop.step
        if self._constant(step) is None:
            step = self._greatest(step, self._number(1))
        over = self._remainder(self._difference(point, lower), step)
        missing = self._remainder(self._difference(step, over), step)
        left = self._difference(upper, point)
        least = self._insert(integer_ops.MinIOp(missing, left, Signedness.UNSIGNED))
        return point, self._sum(point, least)

    # --- single operations

    @property
    def _tile(self) -> Any:
        return self.loop.step.type

    def _constant(self, value: Value) -> int | None:
        return scalar_constant(value, signed=self.signedness is Signedness.SIGNED)

    def _number(self, number: int) -> Value:
        return self._insert(tile_ops.ConstantOp(dense(self._tile, [number])))

    def _sum(self, first: Value, second: Value) -> Value:
        return self._insert(integer_ops.AddIOp(first, second))

    def _difference(self, first: Value, second: Value) -> Value:
        return self._insert(integer_ops.SubIOp(first, second))

    def _remainder(self, first: Value, second: Value) -> Value:
        return self._insert(integer_ops.RemIOp(first, second, Signedness.UNSIGNED))

    def _least(self, first: Value, second: Value) -> Value:
        return self._insert(integer_ops.MinIOp(first, second, self.signedness))

    def _greatest(self, first: Value, second: Value) -> Value:
        return self._insert(integer_ops.MaxIOp(first, second, self.signedness))

    def _insert(self, op: Operation) -> Value:
        op.location = self.loop.location
        return self.builder.insert(op).results[0]
