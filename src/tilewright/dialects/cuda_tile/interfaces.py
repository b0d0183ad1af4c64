"""What passes ask of Tile IR's loops.  By name of operation: the op classes name these concepts, not the reverse."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from tilewright.dialects.common.constant_folding import (
    defined_by,
    scalar_patterns,
    splat_pattern,
    to_signed,
)
from tilewright.dialects.cuda_tile.enums import IntegerOverflow, MemoryOrderingSemantics, Signedness
from tilewright.dialects.cuda_tile.rules_rounding import element_width
from tilewright.dialects.cuda_tile.types import TileType, tile_of
from tilewright.ir.block import Region
from tilewright.ir.builtin_types import IntegerType
from tilewright.ir.control_flow import LoopLikeOpInterface
from tilewright.ir.operation import Operation
from tilewright.ir.traits import Pure
from tilewright.ir.value import Value

if TYPE_CHECKING:
    from tilewright.dialects.cuda_tile.ops_integer import ShLIOp, ShRIOp, SignedBinaryOp

FOR, LOOP, RETURN = "cuda_tile.for", "cuda_tile.loop", "cuda_tile.return"
ASSERT, ASSUME = "cuda_tile.assert", "cuda_tile.assume"
TO_THE_LOOP = frozenset({"cuda_tile.continue", "cuda_tile.break"})
"""Terminators that go to the innermost loop around them, out of any branch."""
LOADS = frozenset({"cuda_tile.load_ptr_tko", "cuda_tile.load_view_tko"})


def scalar_constant(value: Value, *, signed: bool) -> int | None:
    """The number that a rank-0 integer tile is known to hold."""
    constant = defined_by(value, "cuda_tile.constant")
    tile = value.type
    if constant is None or not isinstance(tile, TileType) or not isinstance(tile.element_type, IntegerType):
        return None
    pattern = splat_pattern(constant.value)
    return to_signed(pattern, tile.element_type.width) if signed and pattern is not None else pattern


def is_weak_load(op: Operation) -> bool:
    """Whether an operation is a plain load: it takes part in no synchronisation, and may be repeated or left out."""
    load: Any = op
    return op.name in LOADS and load.memory_ordering_semantics is MemoryOrderingSemantics.WEAK


class Overflowing(Protocol):
    """An operation that may promise not to wrap."""

    overflow: IntegerOverflow


def _promises_nothing(op: Overflowing) -> bool:
    return op.overflow is IntegerOverflow.NONE


def _shifts_within_the_width(op: ShLIOp | ShRIOp) -> bool:
    amounts = _known_elements(op.rhs)
    return bool(amounts) and max(amounts) < element_width(tile_of(op.rhs).element_type)


def _promises_nothing_and_shifts_within_the_width(op: ShLIOp) -> bool:
    return _promises_nothing(op) and _shifts_within_the_width(op)


def _divides_by_a_known_number(op: SignedBinaryOp) -> bool:
    """Not by zero, nor by -1, which the smallest number cannot be divided by."""
    divisors = _known_elements(op.rhs)
    width = element_width(tile_of(op.rhs).element_type)
    minus_one = (1 << width) - 1 if op.signedness is Signedness.SIGNED else 0
    return bool(divisors) and not {0, minus_one} & set(divisors)


def _known_elements(value: Value) -> Sequence[int]:
    """The bit patterns in a constant; none for other values."""
    constant = defined_by(value, "cuda_tile.constant")
    return (constant is not None and scalar_patterns(constant.value)) or ()


DEFINED: dict[str, Callable[[Any], bool]] = {
    "cuda_tile.addi": _promises_nothing,
    "cuda_tile.subi": _promises_nothing,
    "cuda_tile.muli": _promises_nothing,
    "cuda_tile.negi": _promises_nothing,
    "cuda_tile.trunci": _promises_nothing,
    "cuda_tile.shli": _promises_nothing_and_shifts_within_the_width,
    "cuda_tile.shri": _shifts_within_the_width,
    "cuda_tile.divi": _divides_by_a_known_number,
    "cuda_tile.remi": _divides_by_a_known_number,
    "cuda_tile.ftoi": lambda op: False,
    "cuda_tile.extract": lambda op: False,
    "cuda_tile.insert": lambda op: False,
}
"""Whether an operation is defined whatever its operands are, for those that may not be."""


class TileLoop(LoopLikeOpInterface):
    """Base of `for` and `loop`."""

    def loop_regions(self, op: Operation) -> Sequence[Region]:
        return op.regions

    def is_safe_without_an_iteration(self, inner: Operation) -> bool:
        """Undefined behaviour that the program does not have must not be given to it."""
        is_defined = DEFINED.get(inner.name)
        return inner.kind.has_trait(Pure) if is_defined is None else is_defined(inner)

    def goes_on_after(self, inner: Operation) -> bool:
        """Not where a branch leaves the round, nor after an inner `loop`, which may be endless.

        A failed assertion is reported first, and not after what the operations behind it make of the wrong values.
        """
        return not any(_may_stop(op, inner) for op in inner.walk())

    def gives_the_same_in_every_iteration(self, inner: Operation) -> bool:
        """A plain load does: what no token orders after a write is not to be disturbed by it.  So does a promise."""
        return is_weak_load(inner) or inner.name == ASSUME


def _may_stop(op: Operation, outer: Operation) -> bool:
    """Whether an operation inside ``outer`` keeps what follows ``outer`` from running."""
    if op.name in TO_THE_LOOP:
        return not _is_in_inner_loop(op, outer)
    return op.name in (RETURN, LOOP, ASSERT)


def _is_in_inner_loop(op: Operation, outer: Operation) -> bool:
    for ancestor in op.ancestors():
        if ancestor.name in (FOR, LOOP):
            return True
        if ancestor is outer:
            break
    return False


class CountedLoop(TileLoop):
    """`for`: makes a round if the lower bound is below the upper one."""

    def runs_at_least_once(self, op: Any) -> bool:
        bounds = (scalar_constant(bound, signed=not op.unsigned_cmp) for bound in op.operands[:3])
        lower, upper, step = bounds
        return lower is not None and upper is not None and step is not None and lower < upper and step > 0


class EndlessLoop(TileLoop):
    """`loop`: makes a round before anything can leave it."""

    def runs_at_least_once(self, op: Operation) -> bool:
        return True
