"""Folds of integer and bitwise operations.

Undefined results stay: a zero divisor, a quotient that does not fit, a broken assumption about overflow, and
shifts by the width or more, which differ between targets.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from tilewright.dialects.common.constant_folding import Binary, defined_by, to_signed
from tilewright.dialects.cuda_tile.enums import ComparisonPredicate, IntegerOverflow, RoundingMode, Signedness
from tilewright.dialects.cuda_tile.folds.common import (
    Constants,
    Folded,
    compute,
    compute_signed,
    is_all_ones,
    is_integer_one,
    is_zero,
    same_value,
    splat_of,
    splat_pattern,
    width_of,
)
from tilewright.dialects.cuda_tile.ops.integer import (
    AbsIOp,
    AddIOp,
    AndIOp,
    CmpIOp,
    DivIOp,
    MaxIOp,
    MinIOp,
    MulhiIOp,
    MulIOp,
    NegIOp,
    OrIOp,
    OverflowingBinaryOp,
    RemIOp,
    ShLIOp,
    ShRIOp,
    SignedBinaryOp,
    SubIOp,
    XOrIOp,
)
from tilewright.ir.dialect import FoldTable, constant_folds, folds_of
from tilewright.ir.operation import Operation

Total = Callable[[int, int], int]
SIGNED_PROMISES = (IntegerOverflow.NO_SIGNED_WRAP, IntegerOverflow.NO_WRAP)
UNSIGNED_PROMISES = (IntegerOverflow.NO_UNSIGNED_WRAP, IntegerOverflow.NO_WRAP)


class Signed(Protocol):
    """An operation with an attribute for the signedness of its operands."""

    signedness: Signedness


def is_signed(op: Signed) -> bool:
    """Return whether an operation reads its operands as signed."""
    return op.signedness is Signedness.SIGNED


def by_sign(op: Operation, constants: Constants, rule: Binary) -> Folded:
    """Fold constants by a rule on numbers, read as signed or unsigned as the operation does."""
    read: Any = op  # only operations with a signedness fold so
    return (compute_signed if is_signed(read) else compute)(op, constants, rule)


def zero(op: Operation) -> Folded:
    """Zero of the type of the result."""
    return splat_of(op.results[0].type, 0)


def keeps_promise(overflow: IntegerOverflow, exact: Total, width: int, left: int, right: int) -> bool:
    """Return whether the exact result fits, as the overflow flags promise; the operands are bit patterns."""
    half = 1 << (width - 1)
    if overflow in SIGNED_PROMISES:
        result = exact(to_signed(left, width), to_signed(right, width))
        if not -half <= result < half:
            return False
    return overflow not in UNSIGNED_PROMISES or 0 <= exact(left, right) < 1 << width


def wrapping(op: OverflowingBinaryOp, constants: Constants, exact: Total) -> Folded:
    """Fold constants by a rule whose low bits depend on low bits only, unless an overflow assumption is false."""
    width, overflow = width_of(op.operands[0]), op.overflow

    def rule(left: int, right: int) -> int | None:
        return exact(left, right) if keeps_promise(overflow, exact, width, left, right) else None

    return compute(op, constants, rule)


# --- sums and products


def fold_addi(op: AddIOp, constants: Constants) -> Folded:
    """``x + 0 = x``; ``(a - b) + b = a``."""
    if is_zero(constants[1]):
        return op.lhs
    for difference, addend in ((op.lhs, op.rhs), (op.rhs, op.lhs)):
        inner = defined_by(difference, SubIOp)
        if inner is not None and inner.rhs is addend:
            return inner.lhs
    return wrapping(op, constants, lambda a, b: a + b)


def fold_subi(op: SubIOp, constants: Constants) -> Folded:
    """``x - x = 0``; ``x - 0 = x``; ``(a + b) - b = a`` and ``(a + b) - a = b``."""
    if same_value(op.lhs, op.rhs):
        return zero(op)
    if is_zero(constants[1]):
        return op.lhs
    inner = defined_by(op.lhs, AddIOp)
    if inner is not None and op.rhs in inner.operands:
        return inner.lhs if inner.rhs is op.rhs else inner.rhs
    return wrapping(op, constants, lambda a, b: a - b)


def fold_muli(op: MulIOp, constants: Constants) -> Folded:
    """``x * 0 = 0``; ``x * 1 = x``."""
    if is_zero(constants[1]):
        return op.rhs
    if is_integer_one(constants[1]):
        return op.lhs
    return wrapping(op, constants, lambda a, b: a * b)


def fold_mulhii(op: MulhiIOp, constants: Constants) -> Folded:
    """Fold ``x * 0`` and ``x * 1``, whose high half is zero, and constants."""
    if is_zero(constants[1]) or is_integer_one(constants[1]):
        return zero(op)
    width = width_of(op.x)
    return compute(op, constants, lambda a, b: (a * b) >> width)


# --- division


def truncated_quotient(a: int, b: int) -> int:
    """``a / b`` rounded towards zero."""
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


QUOTIENTS: dict[RoundingMode, Total] = {
    RoundingMode.ZERO: truncated_quotient,
    RoundingMode.NEGATIVE_INF: lambda a, b: a // b,
    RoundingMode.POSITIVE_INF: lambda a, b: -(-a // b),
}


def fold_divi(op: DivIOp, constants: Constants) -> Folded:
    """``x / 1 = x``."""
    width, quotient = width_of(op.lhs), QUOTIENTS[op.rounding]
    if is_integer_one(constants[1]):  # in one bit a signed 1 is -1; only 0 may be divided by that
        return op.lhs
    lowest = -(1 << (width - 1)) if is_signed(op) else None

    def rule(a: int, b: int) -> int | None:
        return None if b == 0 or (a == lowest and b == -1) else quotient(a, b)

    return by_sign(op, constants, rule)


def fold_remi(op: RemIOp, constants: Constants) -> Folded:
    """``x % 1 = 0``."""
    if is_integer_one(constants[1]):
        return zero(op)
    return by_sign(op, constants, lambda a, b: a - b * truncated_quotient(a, b) if b else None)


# --- order


def extremes(op: CmpIOp | MaxIOp | MinIOp) -> tuple[int, int]:
    """Return the bit patterns of the smallest and the largest number, by the signedness of the operation."""
    width = width_of(op.operands[0])
    half, full = 1 << (width - 1), (1 << width) - 1
    return (half, half - 1) if is_signed(op) else (0, full)


def fold_maxi(op: MaxIOp, constants: Constants) -> Folded:
    """Fold ``max(x, x)`` to x; the smallest number is neutral, the largest one is the result."""
    least, greatest = extremes(op)
    return _extremum(op, constants, least, greatest) or by_sign(op, constants, max)


def fold_mini(op: MinIOp, constants: Constants) -> Folded:
    """Fold ``min(x, x)`` to x; the largest number is neutral, the smallest one is the result."""
    least, greatest = extremes(op)
    return _extremum(op, constants, greatest, least) or by_sign(op, constants, min)


def _extremum(op: SignedBinaryOp, constants: Constants, neutral: int, winner: int) -> Folded:
    if op.lhs is op.rhs:
        return op.lhs
    for constant, value, other in ((constants[1], op.rhs, op.lhs), (constants[0], op.lhs, op.rhs)):
        pattern = splat_pattern(constant)
        if pattern == neutral:
            return other
        if pattern == winner:
            return value
    return None


def fold_absi(op: AbsIOp, constants: Constants) -> Folded:
    """``abs(abs(x)) = abs(x)``: also for the smallest number, which stays."""
    if defined_by(op.source, AbsIOp) is not None:
        return op.source

    def magnitude(a: int) -> int:
        return abs(a)

    return compute_signed(op, constants, magnitude)


def fold_negi(op: NegIOp, constants: Constants) -> Folded:
    """Fold constants, and ``-(-x)`` to x."""
    inner = defined_by(op.source, NegIOp)
    if inner is not None:
        return inner.source
    lowest = 1 << (width_of(op.source) - 1)
    promised = op.overflow in SIGNED_PROMISES
    return compute(op, constants, lambda a: None if promised and a == lowest else -a)


RELATIONS: dict[ComparisonPredicate, Callable[[float, float], bool]] = {
    ComparisonPredicate.EQUAL: lambda a, b: a == b,
    ComparisonPredicate.NOT_EQUAL: lambda a, b: a != b,
    ComparisonPredicate.LESS_THAN: lambda a, b: a < b,
    ComparisonPredicate.LESS_THAN_OR_EQUAL: lambda a, b: a <= b,
    ComparisonPredicate.GREATER_THAN: lambda a, b: a > b,
    ComparisonPredicate.GREATER_THAN_OR_EQUAL: lambda a, b: a >= b,
}
BY_LEAST = {ComparisonPredicate.LESS_THAN: 0, ComparisonPredicate.GREATER_THAN_OR_EQUAL: 1}
"""The results of comparing any number with the smallest one."""
BY_GREATEST = {ComparisonPredicate.GREATER_THAN: 0, ComparisonPredicate.LESS_THAN_OR_EQUAL: 1}
"""The results of comparing any number with the largest one."""


def fold_cmpi(op: CmpIOp, constants: Constants) -> Folded:
    """Fold comparisons of a value with itself, and comparisons with the smallest or largest number that are
    constant.
    """
    predicate = op.comparison_predicate
    relation = RELATIONS[predicate]
    if op.lhs is op.rhs:
        return splat_of(op.result.type, int(relation(0, 0)))
    least, greatest = extremes(op)
    bound = splat_pattern(constants[1])
    for extreme, answers in ((least, BY_LEAST), (greatest, BY_GREATEST)):
        if bound == extreme and predicate in answers:
            return splat_of(op.result.type, answers[predicate])
    return by_sign(op, constants, lambda a, b: int(relation(a, b)))


# --- bits


def fold_shli(op: ShLIOp, constants: Constants) -> Folded:
    """``x << 0 = x``; constants whose amount is below the width."""
    if is_zero(constants[1]):
        return op.lhs
    width, overflow = width_of(op.lhs), op.overflow

    def rule(value: int, amount: int) -> int | None:
        if amount >= width:
            return None
        kept = keeps_promise(overflow, lambda a, _: a << amount, width, value, amount)
        return value << amount if kept else None

    return compute(op, constants, rule)


def fold_shri(op: ShRIOp, constants: Constants) -> Folded:
    """``x >> 0 = x``; constants whose amount is below the width."""
    if is_zero(constants[1]):
        return op.lhs
    width, signed = width_of(op.lhs), is_signed(op)

    def rule(value: int, amount: int) -> int | None:
        if amount >= width:
            return None
        return (to_signed(value, width) if signed else value) >> amount

    return compute(op, constants, rule)


def fold_andi(op: AndIOp, constants: Constants) -> Folded:
    """``x & 0 = 0``; ``x & ~0 = x``; ``x & x = x``."""
    if op.lhs is op.rhs or is_all_ones(constants[1]):
        return op.lhs
    return op.rhs if is_zero(constants[1]) else compute(op, constants, lambda a, b: a & b)


def fold_ori(op: OrIOp, constants: Constants) -> Folded:
    """``x | 0 = x``; ``x | ~0 = ~0``; ``x | x = x``."""
    if op.lhs is op.rhs or is_zero(constants[1]):
        return op.lhs
    return op.rhs if is_all_ones(constants[1]) else compute(op, constants, lambda a, b: a | b)


def fold_xori(op: XOrIOp, constants: Constants) -> Folded:
    """``x ^ x = 0``; ``x ^ 0 = x``; ``(a ^ b) ^ b = a`` and ``(a ^ b) ^ a = b``."""
    if same_value(op.lhs, op.rhs):
        return zero(op)
    if is_zero(constants[1]):
        return op.lhs
    inner = defined_by(op.lhs, XOrIOp)
    if inner is not None:
        for first, second in ((inner.lhs, inner.rhs), (inner.rhs, inner.lhs)):
            if same_value(first, op.rhs):
                return second
    return compute(op, constants, lambda a, b: a ^ b)


FOLDS: FoldTable = {
    AddIOp: folds_of(fold_addi, SubIOp),
    SubIOp: fold_subi,
    MaxIOp: fold_maxi,
    MinIOp: fold_mini,
    AbsIOp: folds_of(fold_absi, AbsIOp),
    NegIOp: folds_of(fold_negi, NegIOp),
    CmpIOp: fold_cmpi,
    AndIOp: fold_andi,
    OrIOp: fold_ori,
    XOrIOp: fold_xori,
    **constant_folds(
        {
            MulIOp: fold_muli,
            MulhiIOp: fold_mulhii,
            DivIOp: fold_divi,
            RemIOp: fold_remi,
            ShLIOp: fold_shli,
            ShRIOp: fold_shri,
        }
    ),
}
"""By the class of an operation, how it folds."""
