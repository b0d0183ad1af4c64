"""Interfaces for moving Tile IR's operations: which may be executed more often, less often, or not at all.

The op classes list these concepts; this file names no op class.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, cast

from tilewright.dialects.common.constant_folding import scalar_patterns, splat_pattern
from tilewright.dialects.cuda_tile import enums as cuda_tile_enums, types as cuda_tile_types
from tilewright.dialects.cuda_tile.rules.rounding import element_width
from tilewright.ir.arithmetic.twos_complement import to_signed
from tilewright.ir.block import Region
from tilewright.ir.builtin_types import IntegerType
from tilewright.ir.declaration.traits import Pure
from tilewright.ir.interfaces import control_flow, interface as interfaces_interface
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value


def scalar_constant(value: Value, *, signed: bool) -> int | None:
    """Return the number, read as signed or unsigned, that an integer tile holds if it is known to be
    constant. If the tile has a rank, it is the number of all its elements. Return None for other values, and
    for a tile with different elements.
    """
    tile = value.type
    if not isinstance(tile, cuda_tile_types.TileType) or not isinstance(tile.element_type, IntegerType):
        return None
    pattern = splat_pattern(control_flow.constant_value(value))
    return to_signed(pattern, tile.element_type.width) if signed and pattern is not None else pattern


class CodeMotion(interfaces_interface.Interface):
    """The interface of operations that cannot be moved like pure operations: whether one is always defined
    (`is_defined`), may keep later operations from running (`may_exit`), and has the same results in every
    iteration (`is_repeatable`). Operations without the interface have the behaviour of this class.
    """

    def is_defined(self, op: Operation) -> bool:
        """Return whether `op` has no undefined behaviour, whatever its non-constant operands are. The default
        is True for pure operations only.
        """
        return op.kind.has_trait(Pure)

    def may_exit(self, op: Operation, outer: Operation) -> bool:
        """Return whether the operation, which is ``outer`` or nested in it, may keep operations after
        ``outer`` from running. The default is False.
        """
        return False

    def is_repeatable(self, op: Operation) -> bool:
        """Return whether the operation has the same results in every iteration of a loop, although it has
        effects. The default is False, also for pure operations.
        """
        return False


_PLAIN = CodeMotion()


def motion_of(op: Operation) -> CodeMotion:
    """Return the code motion interface of an operation; the default one if it has none."""
    return interfaces_interface.concept(op, CodeMotion) or _PLAIN


# --- operations that may be undefined


class Overflowing(Protocol):
    """An operation with an assumption that it does not wrap around, `overflow`, which may be ``NONE``."""

    overflow: cuda_tile_enums.IntegerOverflow


class Shift(Protocol):
    """An operation that shifts by its second operand, `rhs`."""

    rhs: Value


class Division(Protocol):
    """An operation that divides by its second operand, `rhs`, as signed or unsigned numbers, `signedness`."""

    rhs: Value
    signedness: cuda_tile_enums.Signedness


class OverflowMotion(CodeMotion):
    """Operations with an assumption about overflow: they are always defined only without the assumption."""

    def is_defined(self, op: Operation) -> bool:
        return cast(Overflowing, op).overflow is cuda_tile_enums.IntegerOverflow.NONE


class ShiftMotion(CodeMotion):
    """Shifts: they are always defined only if the shift amount is a constant below the width of the element
    in every element.
    """

    def is_defined(self, op: Operation) -> bool:
        amount = cast(Shift, op).rhs
        amounts = _known_elements(amount)
        return bool(amounts) and max(amounts) < element_width(cuda_tile_types.tile_of(amount).element_type)


class OverflowingShiftMotion(OverflowMotion):
    """Shifts with an assumption about overflow: the conditions of both `OverflowMotion` and `ShiftMotion` must hold."""

    def is_defined(self, op: Operation) -> bool:
        return super().is_defined(op) and ShiftMotion().is_defined(op)


class DivisionMotion(CodeMotion):
    """Divisions: they are always defined only if the divisor is a constant without 0, and, if signed, without
    -1.
    """

    def is_defined(self, op: Operation) -> bool:
        division = cast(Division, op)
        divisors = _known_elements(division.rhs)
        width = element_width(cuda_tile_types.tile_of(division.rhs).element_type)
        minus_one = (1 << width) - 1 if division.signedness is cuda_tile_enums.Signedness.SIGNED else 0
        return bool(divisors) and not {0, minus_one} & set(divisors)


class UndefinedMotion(CodeMotion):
    """Operations that are undefined for some operands. No operand is examined, so that they are never taken
    as defined.
    """

    def is_defined(self, op: Operation) -> bool:
        return False


def _known_elements(value: Value) -> Sequence[int]:
    """Return the bit patterns of the elements of a constant; an empty sequence for any other value."""
    constant = control_flow.constant_value(value)
    return (constant is not None and scalar_patterns(constant)) or ()


# --- operations with effects


class OrderedLoad(Protocol):
    """A load with a memory ordering, `memory_ordering_semantics`."""

    memory_ordering_semantics: cuda_tile_enums.MemoryOrderingSemantics


class WeakLoadMotion(CodeMotion):
    """Loads: a weak load has the same result in every iteration, since a write that no token orders before it
    does not affect it.
    """

    def is_repeatable(self, op: Operation) -> bool:
        return cast(OrderedLoad, op).memory_ordering_semantics is cuda_tile_enums.MemoryOrderingSemantics.WEAK


class AssumptionMotion(CodeMotion):
    """Operations that state an assumption about a value: it holds in every iteration, so that they are
    repeatable.
    """

    def is_repeatable(self, op: Operation) -> bool:
        return True


# --- operations behind which nothing may run


class KernelExitMotion(CodeMotion):
    """Operations that end the kernel, always or sometimes, or may never end, like `loop`: later operations
    may not run.
    """

    def may_exit(self, op: Operation, outer: Operation) -> bool:
        return True


class LoopExitMotion(CodeMotion):
    """Branches to the innermost enclosing loop, out of each `if` between: operations after that `if` do not
    run, operations after the loop do.
    """

    def may_exit(self, op: Operation, outer: Operation) -> bool:
        for ancestor in op.ancestors():
            if interfaces_interface.concept(ancestor, control_flow.LoopLikeOpInterface) is not None:
                return False
            if ancestor is outer:
                break
        return True


class TileLoop(control_flow.LoopLikeOpInterface):
    """The base of the loop interfaces of `for` and `loop`, which says by the `CodeMotion` of an operation
    whether it may move out of the loop. A subclass defines `runs_at_least_once`.
    """

    def loop_regions(self, op: Operation) -> Sequence[Region]:
        return op.regions

    def is_speculatable(self, inner: Operation) -> bool:
        """Return whether `inner` may be executed before a loop that has no iteration: it never has undefined
        behaviour.
        """
        return motion_of(inner).is_defined(inner)

    def always_continues_after(self, inner: Operation) -> bool:
        """Return whether later operations of an iteration always run after `inner`.

        They may not run after a branch that leaves the iteration, after an inner `loop`, which may be
        endless, or after an assertion, which may fail.
        """
        return not any(motion_of(op).may_exit(op, inner) for op in inner.walk())

    def is_repeatable(self, inner: Operation) -> bool:
        return motion_of(inner).is_repeatable(inner)


class CountedLoop(TileLoop):
    """The loop interface of `for`. It is known to run an iteration only if its bounds and its step are
    constants, the lower bound is below the upper bound, and the step is positive.
    """

    def runs_at_least_once(self, op: Operation) -> bool:
        signed = not cast(UnsignedComparison, op).unsigned_cmp
        lower, upper, step = (scalar_constant(bound, signed=signed) for bound in op.operands[:3])
        return lower is not None and upper is not None and step is not None and lower < upper and step > 0


class UnsignedComparison(Protocol):
    """The field of `for` that `CountedLoop` reads: `unsigned_cmp`, whether the bounds are compared as
    unsigned.
    """

    unsigned_cmp: bool


class EndlessLoop(TileLoop):
    """The loop interface of `loop`, which always runs its first iteration."""

    def runs_at_least_once(self, op: Operation) -> bool:
        return True
