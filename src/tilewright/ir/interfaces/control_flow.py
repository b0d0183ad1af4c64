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
    """Ends a block and branches to one of its successors."""

    def successor_operands(self, op: Operation, index: int) -> range:
        """Return the range of operands that become the arguments of successor number `index`."""
        raise NotImplementedError

    def keep_successor_operands(self, op: Operation, index: int, kept: Sequence[int]) -> None:
        """Drop the operands of a successor except at the positions `kept` (of `successor_operands`)."""
        raise NotImplementedError

    def known_successor(self, op: Operation, constants: Constants) -> Block | None:
        """Return the successor that known operands choose; None if any may be taken."""
        return None


class RegionBranchOpInterface(Interface):
    """Control moves between the operation and its regions."""

    def successors(self, op: Operation, origin: Region | None) -> Sequence[Region | None]:
        """Return the regions that may run after ``origin``; None stands for the operation itself, before and
        after.
        """
        raise NotImplementedError

    def forwarded(self, op: Operation, origin: Region | None, successor: Region | None) -> Sequence[Value]:
        """Return the values that the edge from ``origin`` to ``successor`` passes, one for each of
        `inputs`.
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
        """Return `successors` without those that cannot follow if ``constants`` are the known operands of the
        operation, or of the terminator of ``origin``.
        """
        return self.successors(op, origin)


class LoopLikeOpInterface(Interface):
    """An operation that runs a region repeatedly."""

    def loop_regions(self, op: Operation) -> Sequence[Region]:
        """Return the regions that are run repeatedly."""
        raise NotImplementedError

    def runs_at_least_once(self, op: Operation) -> bool:
        """Return whether each of the regions is sure to be entered whenever the loop is."""
        return False

    def is_speculatable(self, inner: Operation) -> bool:
        """Return whether running an operation without regions has no visible effect even if the loop has no
        iteration.
        """
        return inner.kind.has_trait(Pure)

    def always_continues_after(self, inner: Operation) -> bool:
        """Return whether the operations after `inner` in its block always run if `inner` runs."""
        return False

    def is_repeatable(self, inner: Operation) -> bool:
        """Return whether an operation with effects and loop-invariant operands may run once instead of in each
        iteration.
        """
        return False


class CallOpInterface(Interface):
    """Calls a function by name."""

    def callee(self, op: Operation) -> str:
        """Return the name of the function in the nearest symbol table."""
        raise NotImplementedError

    def arguments(self, op: Operation) -> Sequence[Value]:
        """Return the operands that become the arguments of the callee."""
        raise NotImplementedError

    def may_inline(self, op: Operation) -> bool:
        """Return whether the program lets the call be replaced by the body."""
        return True


class CallableOpInterface(Interface):
    """An operation that a call can name: a function."""

    def body(self, op: Operation) -> Region | None:
        """Return the region that a call runs; None for a declaration."""
        raise NotImplementedError

    def may_inline(self, op: Operation) -> bool:
        """Return whether the program lets calls be replaced by the body."""
        return True


class InlinerInterface(Interface):
    """Decides which operations and regions may be inlined; a dialect lists it under ``interfaces``.

    Operations of a dialect without this interface are not inlined.
    """

    def may_inline_op(self, op: Operation, target: Region) -> bool:
        """Return whether an operation may be moved into a region of another function."""
        return True

    def may_inline_region(self, region: Region, target: Region) -> bool:
        """Return whether a region may be inlined into another."""
        return True

    def branch_to(self, target: Block, values: Sequence[Value]) -> Operation | None:
        """Return a branch to a block, for the code after an inlined call; None if the dialect has no
        branches.
        """
        return None

    def returned(self, op: Operation) -> Sequence[Value] | None:
        """Return the values that a terminator returns to the caller; None if it does not return."""
        return None


def constant_value(value: Value) -> Attribute | None:
    """Return the attribute of a value that a constant operation defines, or None."""
    if type(value) is OpResult:
        op = value.owner
        if ConstantLike in op.kind.trait_classes:
            return op.held_attributes.get("value")
    return None
