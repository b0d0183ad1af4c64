"""Positions in memory as formulas over the scalars of a kernel: arithmetic without any code.

Rules compute the position of an access (`views`, `corners`) with the arithmetic of `PositionFacts`: results
are numbers if the operands are known, and formulas otherwise. A target plans its code by them, and emits the
formulas where the kernel needs them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from tilewright.dialects.arith.ops_integer import ConstantOp
from tilewright.dialects.builtin.dialect import UnrealizedConversionCastOp
from tilewright.dialects.llvm.intrinsics.integer import SMaxOp, SMinOp, UMinOp
from tilewright.dialects.llvm.ops.aggregate import ConstantOp as HeldConstant
from tilewright.dialects.llvm.ops.arithmetic import AddOp, MulOp, SubOp
from tilewright.dialects.nv_tileaa.ops.pointer import AssumeOp
from tilewright.dialects.nv_tileas.ops_tile import PragmaOp
from tilewright.dialects.scf.ops_loop import WhileOp
from tilewright.ir.block import Block
from tilewright.ir.builtin_attributes import IntegerAttr
from tilewright.ir.builtin_types import IndexType, i64
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering.access_facts.arithmetic import PositionArithmetic
from tilewright.optimizer.analysis import intervals, query

WIDTH = 64
"""The width of a position in bits."""
ANYWHERE = intervals.signed_range(WIDTH)


@dataclass(frozen=True, slots=True)
class Formula:
    """The operation ``operation`` of the `llvm` dialect on the positions ``left`` and ``right``, as 64-bit
    integers; ``bounds`` is an interval that contains the result.
    """

    operation: type[Operation]
    left: Position
    right: Position
    bounds: intervals.Interval = ANYWHERE


Position = int | Value | Formula
"""A number, a scalar of the program (or the only element of a tile), which is sign-extended to 64 bits, or a formula."""


EVEN_OF_EVEN = frozenset({AddOp, SubOp, SMinOp, SMaxOp, UMinOp})
"""Operations whose result is even if both operands are even."""
BOUNDS: Mapping[type[Operation], Callable[[intervals.Interval, intervals.Interval], intervals.Interval]] = {
    AddOp: partial(intervals.add, width=WIDTH),
    SubOp: partial(intervals.subtract, width=WIDTH),
    MulOp: partial(intervals.multiply, width=WIDTH),
    SMinOp: partial(intervals.minimum, width=WIDTH, signed=True),
    SMaxOp: partial(intervals.maximum, width=WIDTH, signed=True),
    UMinOp: partial(intervals.minimum, width=WIDTH, signed=False),
}
"""The interval around the result of each operation, from the intervals around its operands."""


class PositionFacts(PositionArithmetic[Value | Formula]):
    """Arithmetic on positions that emits no code, and facts about positions."""

    def __init__(self, facts: query.FactsOnDemand) -> None:
        self.facts = facts
        self._scalars: dict[Value, int | Value] = {}

    def combine(
        self, operation: type[Operation], left: Value | Formula | int, right: Value | Formula | int
    ) -> Formula:
        """Return the formula of an operation, which is a key of `BOUNDS`, with the bounds of its result."""
        bounds = BOUNDS[operation](self.bounds(left), self.bounds(right))
        return Formula(operation, left, right, bounds)

    def bounds(self, position: Position) -> intervals.Interval:
        """Return an interval, of signed 64-bit numbers, that contains the position; all of them if nothing is
        known.
        """
        if isinstance(position, int):
            return intervals.Interval(position, position)
        if isinstance(position, Formula):
            return position.bounds
        return self.facts.facts(position).bounds or ANYWHERE

    def scalar(self, value: Value) -> int | Value:
        """Return the int that a scalar is known to be, otherwise `value`. Assumptions, casts, pragmas, and
        the values that `scf.condition` passes out of the first region of a loop are followed.
        """
        found = self._scalars.get(value)
        if found is None:
            found = self._scalars[value] = _constant(value)
        return found

    def is_even(self, position: Position) -> bool:
        """Return whether a position is known to be even. It is False for scalars of the program of fewer than
        64 bits.
        """
        if isinstance(position, int):
            return position % 2 == 0
        if isinstance(position, Value):
            is_wide = position.type is i64 or isinstance(position.type, IndexType)
            return is_wide and self.facts.facts(position).divisor % 2 == 0
        parts = self.is_even(position.left), self.is_even(position.right)
        return (
            any(parts) if position.operation is MulOp else position.operation in EVEN_OF_EVEN and all(parts)
        )


def _constant(value: Value) -> int | Value:
    """Return the int that `value` is known to be, looking through assumptions, casts, pragmas and the values
    that `scf.condition` passes on; otherwise `value`.
    """
    source: Value | None = value
    while source is not None:
        owner: Any = source.owner
        if isinstance(owner, ConstantOp | HeldConstant) and isinstance(owner.value, IntegerAttr):
            return owner.value.value
        source = _passed(source)
    return value


def _passed(value: Value) -> Value | None:
    """Return the operand that `value` is equal to, if `value` is the result of an assumption, a cast or a
    pragma. For a result of `scf.while`, or an argument of its second region, return the operand of
    `scf.condition`. Return None for other values.
    """
    owner: Any = value.owner
    loop = owner.parent_op if isinstance(owner, Block) else owner
    if isinstance(loop, WhileOp):
        is_passed = not isinstance(owner, Block) or owner is loop.regions[1].block
        return loop.regions[0].block.ops[-1].operands[1 + value.index] if is_passed else None
    if isinstance(owner, AssumeOp | UnrealizedConversionCastOp | PragmaOp):
        return owner.operands[value.index]
    return None
