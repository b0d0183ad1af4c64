"""The algebra of scalar operations: what each computes, and the laws that hold for all numbers.

Operations of several dialects point at one row: ``arith.addi``, ``cuda_tile.addi`` and ``llvm.add`` at `ADD`.
Their folds derive from the row, and so do the first elements of reductions. ``tests/dialects/test_algebra.py``
proves each law with z3.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any

from tilewright.ir.arithmetic import float_arithmetic
from tilewright.ir.arithmetic.float_format import FloatFormat
from tilewright.ir.arithmetic.twos_complement import to_signed, truncated_quotient

Pattern = Callable[[int], int]
"""A function from a width in bits to the unsigned bit pattern of a number, such as `one`."""


def zero(width: int) -> int:
    """Return the bit pattern of 0."""
    return 0


def one(width: int) -> int:
    """Return the bit pattern of 1."""
    return 1


def ones(width: int) -> int:
    """Return the bit pattern of `width` bits that are all 1."""
    return (1 << width) - 1


def least(width: int) -> int:
    """Return the bit pattern of the smallest number of `width` bits in two's complement."""
    return 1 << (width - 1)


def greatest(width: int) -> int:
    """Return the bit pattern of the largest number of `width` bits in two's complement."""
    return (1 << (width - 1)) - 1


class LawResult(Enum):
    """A result that a law gives without computation: an operand, or zero."""

    LEFT = "the left operand"
    RIGHT = "the right operand"
    ZERO = "zero"


@dataclass(frozen=True, slots=True, eq=False)
class IntegerOperation:
    """A binary operation on integers. A law holds for every x where the operation is defined; None stands for
    no law.

    - ``function``: computes the result from two numbers and their width in bits. Only the low bits count. None: the result is
      undefined or poison.
    - ``is_signed``: whether ``function`` gets numbers in two's complement, and not unsigned numbers.
    - ``wraps``: whether the low bits of results depend on low bits only, however numbers are read.
    - ``identity``: the number e with ``x op e == x``.
    - ``absorbing``: the number z with ``x op z == z``.
    - ``vanishing``: the numbers v with ``x op v == 0``.
    - ``of_same``: ``x op x``.
    - ``commutes``: whether ``x op y == y op x``.
    """

    name: str
    function: Callable[[int, int, int], int | None]
    is_signed: bool = False
    wraps: bool = False
    identity: Pattern | None = None
    absorbing: Pattern | None = None
    vanishing: tuple[Pattern, ...] = ()
    of_same: LawResult | None = None
    commutes: bool = False

    def known(self, width: int, right: int | None) -> LawResult | None:
        """Return the result for every left operand, if it follows from the right operand; None if it does
        not.

        ``right`` is the bit pattern of a constant right operand, None if the operand is not constant.
        """
        if right is None:
            return None
        if self.identity is not None and right == self.identity(width):
            return LawResult.LEFT
        if self.absorbing is not None and right == self.absorbing(width):
            return LawResult.RIGHT
        return LawResult.ZERO if any(right == number(width) for number in self.vanishing) else None

    def on_patterns(self, width: int) -> Callable[[int, int], int | None]:
        """Return ``function`` for integers of `width` bits, with unsigned bit patterns as its arguments. The
        result may have further bits or be negative: only its low `width` bits count.
        """
        function = self.function
        if not self.is_signed:
            return lambda a, b: function(a, b, width)
        return lambda a, b: function(to_signed(a, width), to_signed(b, width), width)


def _quotient(divide: Callable[[int, int], int]) -> Callable[[int, int, int], int | None]:
    """Return the function of two numbers and their width in bits that computes ``divide``. Its result is None
    for a division by zero, and for the smallest signed number divided by -1, which overflows.
    """

    def divided(a: int, b: int, width: int) -> int | None:
        return None if b == 0 or (b == -1 and a == -least(width)) else divide(a, b)

    return divided


def _remainder(a: int, b: int, width: int) -> int | None:
    """Return ``a - b * truncated_quotient(a, b)``, which has the sign of ``a``; None if ``b`` is 0."""
    return a - b * truncated_quotient(a, b) if b else None


def _ceiling(a: int, b: int) -> int:
    return -(-a // b)


def _shift(shifted: Callable[[int, int], int]) -> Callable[[int, int, int], int | None]:
    """Return the function of two numbers and their width in bits that computes ``shifted``. Its result is
    None (poison) for a shift by the width or more.
    """
    return lambda a, b, width: shifted(a, b) if 0 <= b < width else None


ADD = IntegerOperation("add", lambda a, b, _: a + b, wraps=True, identity=zero, commutes=True)
SUBTRACT = IntegerOperation(
    "subtract", lambda a, b, _: a - b, wraps=True, identity=zero, of_same=LawResult.ZERO
)
MULTIPLY = IntegerOperation(
    "multiply", lambda a, b, _: a * b, wraps=True, identity=one, absorbing=zero, commutes=True
)
MULTIPLY_HIGH = IntegerOperation(
    "the high half of an unsigned product",
    lambda a, b, width: (a * b) >> width,
    vanishing=(zero, one),
    commutes=True,
)
DIVIDE_UNSIGNED = IntegerOperation("unsigned quotient", _quotient(lambda a, b: a // b), identity=one)
DIVIDE_SIGNED = IntegerOperation(
    "signed quotient", _quotient(truncated_quotient), is_signed=True, identity=one
)
DIVIDE_FLOOR = IntegerOperation(
    "quotient rounded down", _quotient(lambda a, b: a // b), is_signed=True, identity=one
)
DIVIDE_CEILING_SIGNED = IntegerOperation(
    "quotient rounded up", _quotient(_ceiling), is_signed=True, identity=one
)
DIVIDE_CEILING_UNSIGNED = IntegerOperation("unsigned quotient rounded up", _quotient(_ceiling), identity=one)
REMAINDER_UNSIGNED = IntegerOperation("unsigned remainder", _remainder, vanishing=(one,))
REMAINDER_SIGNED = IntegerOperation("signed remainder", _remainder, is_signed=True, vanishing=(one,))
SHIFT_LEFT = IntegerOperation("shift left", _shift(lambda a, b: a << b), identity=zero)
SHIFT_RIGHT_UNSIGNED = IntegerOperation("unsigned shift right", _shift(lambda a, b: a >> b), identity=zero)
SHIFT_RIGHT_SIGNED = IntegerOperation(
    "signed shift right", _shift(lambda a, b: a >> b), is_signed=True, identity=zero
)
AND = IntegerOperation(
    "and",
    lambda a, b, _: a & b,
    wraps=True,
    identity=ones,
    absorbing=zero,
    of_same=LawResult.LEFT,
    commutes=True,
)
OR = IntegerOperation(
    "or",
    lambda a, b, _: a | b,
    wraps=True,
    identity=zero,
    absorbing=ones,
    of_same=LawResult.LEFT,
    commutes=True,
)
EXCLUSIVE_OR = IntegerOperation(
    "exclusive or", lambda a, b, _: a ^ b, wraps=True, identity=zero, of_same=LawResult.ZERO, commutes=True
)
MAXIMUM_SIGNED = IntegerOperation(
    "signed maximum",
    lambda a, b, _: max(a, b),
    is_signed=True,
    identity=least,
    absorbing=greatest,
    of_same=LawResult.LEFT,
    commutes=True,
)
MINIMUM_SIGNED = IntegerOperation(
    "signed minimum",
    lambda a, b, _: min(a, b),
    is_signed=True,
    identity=greatest,
    absorbing=least,
    of_same=LawResult.LEFT,
    commutes=True,
)
MAXIMUM_UNSIGNED = IntegerOperation(
    "unsigned maximum",
    lambda a, b, _: max(a, b),
    identity=zero,
    absorbing=ones,
    of_same=LawResult.LEFT,
    commutes=True,
)
MINIMUM_UNSIGNED = IntegerOperation(
    "unsigned minimum",
    lambda a, b, _: min(a, b),
    identity=ones,
    absorbing=zero,
    of_same=LawResult.LEFT,
    commutes=True,
)


@dataclass(frozen=True, slots=True, eq=False)
class FloatOperation:
    """A binary operation on floats, rounded to nearest, in which all NaN are equal.

    - ``function``: the bit pattern of the result for a format and two bit patterns; None if the format has none.
    - ``identity``: the e with ``x op e == x``, with its sign if it is zero; None if there is none.
    - ``is_idempotent``: whether ``x op x == x``.
    - ``commutes``: whether ``x op y == y op x``.
    """

    name: str
    function: Callable[[FloatFormat, int, int], int | None]
    identity: float | None = None
    is_idempotent: bool = False
    commutes: bool = False

    def is_identity(self, number: float | None) -> bool:
        """Return whether `number` is the identity, with the same sign; any NaN is an identity that is NaN.
        False for None and for an operation without an identity.
        """
        identity = self.identity
        if number is None or identity is None:
            return False
        if math.isnan(identity):
            return math.isnan(number)
        return number == identity and math.copysign(1.0, number) == math.copysign(1.0, identity)


ADD_FLOATS = FloatOperation("sum", float_arithmetic.add, identity=-0.0, commutes=True)
SUBTRACT_FLOATS = FloatOperation("difference", float_arithmetic.subtract, identity=0.0)
MULTIPLY_FLOATS = FloatOperation("product", float_arithmetic.multiply, identity=1.0, commutes=True)
DIVIDE_FLOATS = FloatOperation("quotient", float_arithmetic.divide, identity=1.0)
REMAINDER_FLOATS = FloatOperation("remainder", float_arithmetic.remainder)
MAXIMUM_FLOATS = FloatOperation(
    "maximum", float_arithmetic.maximum, -math.inf, is_idempotent=True, commutes=True
)
MINIMUM_FLOATS = FloatOperation(
    "minimum", float_arithmetic.minimum, math.inf, is_idempotent=True, commutes=True
)
MAXIMUM_NUMBERS = FloatOperation(
    "maximum without NaN", float_arithmetic.maximum_number, math.nan, is_idempotent=True, commutes=True
)
MINIMUM_NUMBERS = FloatOperation(
    "minimum without NaN", float_arithmetic.minimum_number, math.nan, is_idempotent=True, commutes=True
)

ScalarOperation = IntegerOperation | FloatOperation
Rows = dict[type[Any], ScalarOperation]
