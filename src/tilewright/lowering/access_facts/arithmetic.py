"""Arithmetic on positions: on Python numbers if they are known, otherwise on values or formulas, by the
subclass.
"""

from __future__ import annotations

from typing import Generic, TypeVar

from tilewright.dialects.llvm.intrinsics.integer import SMaxOp, SMinOp
from tilewright.dialects.llvm.ops.arithmetic import AddOp, MulOp, SubOp
from tilewright.ir.operation import Operation

T = TypeVar("T")
"""The type of a position that is not an int: an SSA value in emitted code, or a formula in a plan."""


class PositionArithmetic(Generic[T]):
    """The base of arithmetic on positions, which are signed 64-bit integers: ints if they are known,
    otherwise values of type ``T``. If both operands are ints, so is the result. An operand 0 or 1 that
    decides the result needs no operation. Otherwise the result comes from `combine`, which subclasses define.
    """

    def combine(self, operation: type[Operation], left: T | int, right: T | int) -> T:
        """Return the result of an operation of the `llvm` dialect, such as `AddOp`, on two positions. At
        least one of them is not an int.
        """
        raise NotImplementedError

    def add(self, left: T | int, right: T | int) -> T | int:
        """Return the sum of two positions; the other operand if one is 0."""
        if isinstance(left, int) and isinstance(right, int):
            return left + right
        if left == 0 or right == 0:
            return right if left == 0 else left
        return self.combine(AddOp, left, right)

    def subtract(self, left: T | int, right: T | int) -> T | int:
        """Return ``left - right``; ``left`` itself if ``right`` is 0."""
        if isinstance(left, int) and isinstance(right, int):
            return left - right
        return left if right == 0 else self.combine(SubOp, left, right)

    def multiply(self, left: T | int, right: T | int) -> T | int:
        """Return the product of two positions: 0 if one is 0, the other operand if one is 1."""
        if isinstance(left, int) and isinstance(right, int):
            return left * right
        if left == 0 or right == 0:
            return 0
        if left == 1 or right == 1:
            return right if left == 1 else left
        return self.combine(MulOp, left, right)

    def minimum(self, left: T | int, right: T | int) -> T | int:
        """Return the smaller of two signed positions."""
        if isinstance(left, int) and isinstance(right, int):
            return min(left, right)
        return self.combine(SMinOp, left, right)

    def maximum(self, left: T | int, right: T | int) -> T | int:
        """Return the larger of two signed positions."""
        if isinstance(left, int) and isinstance(right, int):
            return max(left, right)
        return self.combine(SMaxOp, left, right)
