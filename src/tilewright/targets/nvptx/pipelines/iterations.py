"""The iterations that copies run ahead for: their counters, and whether the loop has them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tilewright.dialects.arith.attributes import CmpIPredicate
from tilewright.dialects.arith.ops_conversion import ExtSIOp
from tilewright.dialects.arith.ops_integer import AddIOp, AndIOp, CmpIOp, ConstantOp, SubIOp
from tilewright.dialects.scf.ops_loop import ForOp
from tilewright.ir.builtin_attributes import IntegerAttr
from tilewright.ir.construction.clone import clone_all
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering.access_facts.offsets import constant_of
from tilewright.lowering.inserting import PointInserter
from tilewright.lowering.schedule.early_loads import scalars_ahead, slice_of

LARGEST_DISTANCE = 1 << 6
"""The largest constant distance of counters: it fits into every type of counters."""


class Iteration(NamedTuple):
    """An iteration of a loop: its counter, whether the loop has it, and the scalars that the iteration before passes to
    it.
    """

    counter: Value
    exists: Value
    scalars: Sequence[Value] = ()


class PassedScalars:
    """The scalars that addresses of later iterations depend on: arguments of a loop's body with the given numbers, and
    the operations that compute their next values. `block` is the body where these operations stand.
    """

    def __init__(self, loop: ForOp, numbers: Sequence[int]) -> None:
        self.block, self.numbers = loop.region.block, numbers
        end = self.block.last
        assert end is not None, "loops end with their results"
        self.first = [loop.initArgs[number - 1] for number in numbers]
        self.results = [end.operands[number - 1] for number in numbers]
        self.operations = slice_of(self.results, self.block)

    def values(self, one: Iteration) -> dict[Value, Value]:
        """Return the counter and the scalars of the iteration `one` by the arguments of the body."""
        arguments = self.block.arguments
        passed = zip((arguments[number] for number in self.numbers), one.scalars, strict=True)
        return {arguments[0]: one.counter, **dict(passed)}

    def following(self, emit: PointInserter, one: Iteration) -> Sequence[Value]:
        """Emit the operations that compute the scalars of the iteration after `one`, and return these."""
        values = self.values(one)
        for copy in clone_all(self.operations, values):
            emit.point.insert(copy)
        return [values.get(result, result) for result in self.results]


class CarriedIterations:
    """The iterations that copies run ahead for, as values that the loop carries: each is computed from the
    iteration before.
    """

    def __init__(self, loop: ForOp, passed: PassedScalars) -> None:
        self.loop, self.passed = loop, passed

    def first(self, emit: PointInserter) -> Iteration:
        """Return the first iteration of the loop."""
        loop = self.loop
        less = CmpIPredicate.ULT if loop.unsignedCmp else CmpIPredicate.SLT
        exists = emit(CmpIOp, less, loop.lowerBound, loop.upperBound)
        return Iteration(loop.lowerBound, exists, self.passed.first)

    def following(self, emit: PointInserter, one: Iteration) -> Iteration:
        """Return the iteration after `one`.

        It exists if ``upper bound - counter``, as an unsigned number, is greater than the step. The sum of
        the counter and the step is not compared, because it may overflow.
        """
        rest = emit(SubIOp, self.loop.upperBound, one.counter)
        goes_on = emit(CmpIOp, CmpIPredicate.UGT, rest, self.loop.step)
        exists = emit(AndIOp, one.exists, goes_on)
        scalars = self.passed.following(emit, one)
        return Iteration(emit(AddIOp, one.counter, self.loop.step), exists, scalars)

    def carried(self, one: Iteration) -> tuple[Value, ...]:
        """Return the values that the loop carries for the iteration `one`: its counter, whether it exists, and its
        scalars.
        """
        return (one.counter, one.exists, *one.scalars)

    def ahead(self, emit: PointInserter, counter: Value, carried: Sequence[Value]) -> Iteration:
        """Return the later iteration whose tiles are copied in the iteration with the counter `counter`: it
        is in the values `carried` of the loop.
        """
        return Iteration(carried[0], carried[1], carried[2:])


class CountedIterations(CarriedIterations):
    """Iterations at a constant distance from the counter: the loop carries only their scalars.

    Counters may wrap around after the last iteration; the addresses computed from such counters are not
    accessed.
    """

    def __init__(self, loop: ForOp, passed: PassedScalars, distance: int) -> None:
        super().__init__(loop, passed)
        self.distance = distance
        """The constant difference between the counter of an iteration that is copied for, and the loop's
        counter.
        """

    def carried(self, one: Iteration) -> tuple[Value, ...]:
        return tuple(one.scalars)

    def ahead(self, emit: PointInserter, counter: Value, carried: Sequence[Value]) -> Iteration:
        """Return the iteration whose counter is `counter` plus the distance.

        It exists if ``upper bound - counter``, as an unsigned number, is greater than the distance.
        """
        distance = emit(ConstantOp, IntegerAttr(counter.type, self.distance), type=counter.type)
        rest = emit(SubIOp, self.loop.upperBound, counter)
        exists = emit(CmpIOp, CmpIPredicate.UGT, rest, distance)
        return Iteration(emit(AddIOp, counter, distance), exists, carried)


def iterations_ahead(loop: ForOp, count: int, needed: Sequence[Value]) -> CarriedIterations:
    """Return how a loop finds the iteration that is `count` iterations ahead, and its values `needed`: by a constant
    distance from the counter if the step is a constant and the distance at most `LARGEST_DISTANCE`, otherwise by values
    that the loop carries.
    """
    passed = PassedScalars(loop, scalars_ahead(needed, loop.region.block) or [])
    distance = count * (constant_of(loop.step) or 0)
    if 0 < distance <= LARGEST_DISTANCE:
        return CountedIterations(loop, passed, distance)
    return CarriedIterations(loop, passed)


def computed_for(
    emit: PointInserter, operations: Sequence[Operation], passed: PassedScalars, one: Iteration
) -> dict[Value, Value]:
    """Emit copies of operations of a loop for the iteration `one`, and return the new values by the original
    ones.
    """
    values = passed.values(one)
    for copy in clone_all(operations, values):
        emit.point.insert(copy)
        for inner in copy.walk():
            add_behind_extension(inner, one.counter)
    return values


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
