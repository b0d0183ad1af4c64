"""The iterations that copies run ahead for: their counters, and whether the loop has them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tilewright.dialects.arith.attributes import CmpIPredicate
from tilewright.dialects.arith.ops_conversion import ExtSIOp
from tilewright.dialects.arith.ops_integer import AddIOp, AndIOp, CmpIOp, ConstantOp, SubIOp
from tilewright.dialects.scf.ops_loop import ForOp
from tilewright.ir.builtin_attributes import IntegerAttr
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering.access_facts.offsets import constant_of
from tilewright.lowering.inserting import PointInserter

LARGEST_DISTANCE = 1 << 6
"""The largest constant distance of counters: it fits into every type of counters."""


class Iteration(NamedTuple):
    """An iteration of a loop: the value of its counter, and an i1 that is true if the loop has this
    iteration.
    """

    counter: Value
    exists: Value


class CarriedIterations:
    """The iterations that copies run ahead for, as values that the loop carries: each is computed from the
    iteration before.
    """

    def __init__(self, loop: ForOp) -> None:
        self.loop = loop

    def first(self, emit: PointInserter) -> Iteration:
        """Return the first iteration of the loop."""
        loop = self.loop
        less = CmpIPredicate.ULT if loop.unsignedCmp else CmpIPredicate.SLT
        return Iteration(loop.lowerBound, emit(CmpIOp, less, loop.lowerBound, loop.upperBound))

    def following(self, emit: PointInserter, one: Iteration) -> Iteration:
        """Return the iteration after `one`.

        It exists if ``upper bound - counter``, as an unsigned number, is greater than the step. The sum of
        the counter and the step is not compared, because it may overflow.
        """
        rest = emit(SubIOp, self.loop.upperBound, one.counter)
        goes_on = emit(CmpIOp, CmpIPredicate.UGT, rest, self.loop.step)
        exists = emit(AndIOp, one.exists, goes_on)
        return Iteration(emit(AddIOp, one.counter, self.loop.step), exists)

    def carried(self, one: Iteration) -> tuple[Value, ...]:
        """Return the values that the loop carries for the iteration `one`: its counter, and whether it
        exists.
        """
        return one

    def ahead(self, emit: PointInserter, counter: Value, carried: Sequence[Value]) -> Iteration:
        """Return the later iteration whose tiles are copied in the iteration with the counter `counter`: it
        is in the values `carried` of the loop.
        """
        return Iteration(*carried)


class CountedIterations(CarriedIterations):
    """The iterations that copies run ahead for, at a constant distance from the counter, so that the loop
    carries nothing for them.

    Counters may wrap around after the last iteration; the addresses computed from such counters are not
    accessed.
    """

    def __init__(self, loop: ForOp, distance: int) -> None:
        super().__init__(loop)
        self.distance = distance
        """The constant difference between the counter of an iteration that is copied for, and the loop's
        counter.
        """

    def carried(self, one: Iteration) -> tuple[Value, ...]:
        return ()

    def ahead(self, emit: PointInserter, counter: Value, carried: Sequence[Value]) -> Iteration:
        """Return the iteration whose counter is `counter` plus the distance.

        It exists if ``upper bound - counter``, as an unsigned number, is greater than the distance.
        """
        distance = emit(ConstantOp, IntegerAttr(counter.type, self.distance), type=counter.type)
        rest = emit(SubIOp, self.loop.upperBound, counter)
        return Iteration(emit(AddIOp, counter, distance), emit(CmpIOp, CmpIPredicate.UGT, rest, distance))


def iterations_ahead(loop: ForOp, count: int) -> CarriedIterations:
    """Return how a loop finds the iteration that is `count` iterations ahead: by a constant distance from the
    counter if the step is a constant and the distance at most `LARGEST_DISTANCE`, otherwise by values that
    the loop carries.
    """
    distance = count * (constant_of(loop.step) or 0)
    return CountedIterations(loop, distance) if 0 < distance <= LARGEST_DISTANCE else CarriedIterations(loop)


def add_behind_extension(op: Operation, counter: Value) -> None:
    """If `op` sign-extends `counter`, and `counter` is a sum, replace `op` by the sum of the extended
    operands; otherwise do nothing. Only a counter of an iteration that does not exist may wrap, and its value
    does not matter. The loop can carry addresses that grow with the 64-bit sum.
    """
    total = counter.owner
    if not isinstance(op, ExtSIOp) or op.operands[0] is not counter or not isinstance(total, AddIOp):
        return
    emit, type = PointInserter.before(op), op.results[0].type
    extended = [emit(ExtSIOp, value, type=type) for value in total.operands]
    op.results[0].replace_all_uses_with(emit(AddIOp, *extended))
    op.erase()
