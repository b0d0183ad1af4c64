"""Interfaces of operations that move control: op classes list them in ``concepts``.

Passes stand below the dialects and import none of their classes: they look up the interface of an
operation, and skip operations without it.
"""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.ir.attribute import Attribute
from tilewright.ir.block import Block, Region
from tilewright.ir.declaration.traits import ConstantLike, Pure
from tilewright.ir.interfaces.interface import Interface
from tilewright.ir.operation import Operation
from tilewright.ir.value import OpResult, Value

Constants = Sequence[Attribute | None]


class BranchOpInterface(Interface):
    """A terminator that branches to one of its successors. Implementations define `successor_operands` and
    `keep_successor_operands`, and may define `known_successor`, which returns None by default.
    """

    def successor_operands(self, op: Operation, index: int) -> range:
        """Return the range of the indices of operands that become the arguments of successor number `index`."""
        raise NotImplementedError

    def keep_successor_operands(self, op: Operation, index: int, kept: Sequence[int]) -> None:
        """Drop the operands of successor number `index` except at the positions `kept`, counted from the
        first one of `successor_operands`.
        """
        raise NotImplementedError

    def known_successor(self, op: Operation, constants: Constants) -> Block | None:
        """Return the successor that is taken if the operands have the values `constants`, with None for an
        operand that is not constant; None if it is not known.
        """
        return None


class RegionBranchOpInterface(Interface):
    """An operation whose control moves between itself and its regions. Implementations define `successors`,
    `forwarded` and `inputs`; None in place of a region stands for the operation. `known_successors` returns
    all `successors` by default.
    """

    def successors(self, op: Operation, origin: Region | None) -> Sequence[Region | None]:
        """Return the regions that may run after ``origin``; None stands for the operation itself: as
        ``origin`` for its begin, in the result for its end.
        """
        raise NotImplementedError

    def forwarded(self, op: Operation, origin: Region | None, successor: Region | None) -> Sequence[Value]:
        """Return the values that the edge from ``origin`` to ``successor`` passes, one for each value of
        `inputs`. None stands for the operation, as in `successors`.
        """
        raise NotImplementedError

    def inputs(self, op: Operation, successor: Region | None) -> Sequence[Value]:
        """Return the values that an edge to ``successor`` defines: block arguments of the region, or results
        of the operation for None.
        """
        raise NotImplementedError

    def known_successors(
        self, op: Operation, origin: Region | None, constants: Constants
    ) -> Sequence[Region | None]:
        """Return `successors` without those that cannot follow if the operands of the operation, or of the
        terminator of ``origin``, have the values ``constants`` (None for an operand that is not constant).
        """
        return self.successors(op, origin)


class LoopLikeOpInterface(Interface):
    """An operation that runs regions repeatedly; implementations define `loop_regions`. The other methods say
    which transformations are allowed; by default they allow the fewest.
    """

    def loop_regions(self, op: Operation) -> Sequence[Region]:
        """Return the regions that are run repeatedly."""
        raise NotImplementedError

    def runs_at_least_once(self, op: Operation) -> bool:
        """Return whether each of the loop's regions is entered at least once whenever the loop is executed."""
        return False

    def is_speculatable(self, inner: Operation) -> bool:
        """Return whether `inner`, an operation without regions, may be executed even if the loop has no
        iteration: it has no visible effect and no undefined behaviour.
        """
        return inner.kind.has_trait(Pure)

    def always_continues_after(self, inner: Operation) -> bool:
        """Return whether the operations after `inner`, in its block, always run if `inner` runs."""
        return False

    def is_repeatable(self, inner: Operation) -> bool:
        """Return whether `inner`, an operation with effects and loop-invariant operands, may run once instead
        of in each iteration.
        """
        return False


class CallOpInterface(Interface):
    """An operation that calls a function by name. Implementations define `callee`, its name, and `arguments`,
    the operands that are passed; by default the call may be inlined.
    """

    def callee(self, op: Operation) -> str:
        """Return the name of the called function, to be looked up in the nearest symbol table."""
        raise NotImplementedError

    def arguments(self, op: Operation) -> Sequence[Value]:
        """Return the operands that become the arguments of the callee."""
        raise NotImplementedError

    def may_inline(self, op: Operation) -> bool:
        """Return whether the program allows this call to be replaced by the body of the function."""
        return True


class CallableOpInterface(Interface):
    """An operation that a call can name: a function. Implementations define `body`, the region that a call
    runs; by default calls of it may be inlined.
    """

    def body(self, op: Operation) -> Region | None:
        """Return the region that a call runs; None for a declaration."""
        raise NotImplementedError

    def may_inline(self, op: Operation) -> bool:
        """Return whether the program allows calls of this function to be replaced by its body."""
        return True


class InlinerInterface(Interface):
    """Decides which operations and regions of a dialect may be inlined; a dialect lists it under
    ``interfaces``. By default all may, and the dialect has no branches and no terminators that return to a
    caller. Operations of a dialect without this interface are not inlined.
    """

    def may_inline_op(self, op: Operation, target: Region) -> bool:
        """Return whether an operation of this dialect may be moved into `target`, a region of another
        function.
        """
        return True

    def may_inline_region(self, region: Region, target: Region) -> bool:
        """Return whether a region of a function of this dialect may be inlined into the region `target`."""
        return True

    def branch_to(self, target: Block, values: Sequence[Value]) -> Operation | None:
        """Return a new branch, in no block, to the block `target` with the block arguments `values`, for the
        code after an inlined call; None if the dialect has no branches.
        """
        return None

    def returned(self, op: Operation) -> Sequence[Value] | None:
        """Return the values that the terminator `op` returns to the caller; None if it does not return."""
        return None


def constant_value(value: Value) -> Attribute | None:
    """Return the attribute ``value`` of the constant operation that defines a value; None if another
    operation or a block defines it.
    """
    if type(value) is OpResult:
        op = value.owner
        if ConstantLike in op.kind.trait_classes:
            return op.held_attributes.get("value")
    return None
