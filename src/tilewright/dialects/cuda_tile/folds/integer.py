"""Folds of integer and bitwise operations.

Undefined results stay: a zero divisor, a quotient that does not fit, a broken assumption about overflow, and
shifts by the width or more, which differ between targets.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, cast

from tilewright.dialects.common.constant_folding import Binary, defined_by
from tilewright.dialects.cuda_tile.enums import ComparisonPredicate, IntegerOverflow, RoundingMode, Signedness
from tilewright.dialects.cuda_tile.folds import common as common_folds
from tilewright.dialects.cuda_tile.ops import integer as integer_ops
from tilewright.ir.arithmetic import scalar_algebra as algebra, twos_complement
from tilewright.ir.arithmetic.scalar_algebra import LawResult
from tilewright.ir.dialect import FoldTable, constant_folds, folds_of
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

Total = Callable[[int, int, int], int]
SIGNED_PROMISES = (IntegerOverflow.NO_SIGNED_WRAP, IntegerOverflow.NO_WRAP)
UNSIGNED_PROMISES = (IntegerOverflow.NO_UNSIGNED_WRAP, IntegerOverflow.NO_WRAP)


class Signed(Protocol):
    """An operation with an attribute for the signedness of its operands, `signedness`."""

    signedness: Signedness


def is_signed(op: Signed) -> bool:
    """Return whether an operation reads its operands as signed."""
    return op.signedness is Signedness.SIGNED


def by_sign(op: Operation, constants: common_folds.Constants, rule: Binary) -> common_folds.Folded:
    """Fold constants by `rule`, which gets signed or unsigned numbers as the attribute `signedness` of `op`
    says.
    """
    read: Any = op  # only operations with a signedness fold so
    return (common_folds.compute_signed if is_signed(read) else common_folds.compute)(op, constants, rule)


# --- folds that derive from rows of scalar algebra

ROWS: dict[type[Operation], algebra.IntegerOperation] = {
    integer_ops.AddIOp: algebra.ADD,
    integer_ops.SubIOp: algebra.SUBTRACT,
    integer_ops.MulIOp: algebra.MULTIPLY,
    integer_ops.MulhiIOp: algebra.MULTIPLY_HIGH,
    integer_ops.ShLIOp: algebra.SHIFT_LEFT,
    integer_ops.AndIOp: algebra.AND,
    integer_ops.OrIOp: algebra.OR,
    integer_ops.XOrIOp: algebra.EXCLUSIVE_OR,
}
"""For each operation that does not depend on the signedness, its row: how constants are computed, and
algebraic laws.
"""
SIGNED_ROWS: dict[type[Operation], tuple[algebra.IntegerOperation, algebra.IntegerOperation]] = {
    integer_ops.RemIOp: (algebra.REMAINDER_UNSIGNED, algebra.REMAINDER_SIGNED),
    integer_ops.MaxIOp: (algebra.MAXIMUM_UNSIGNED, algebra.MAXIMUM_SIGNED),
    integer_ops.MinIOp: (algebra.MINIMUM_UNSIGNED, algebra.MINIMUM_SIGNED),
    integer_ops.ShRIOp: (algebra.SHIFT_RIGHT_UNSIGNED, algebra.SHIFT_RIGHT_SIGNED),
}
"""For each operation that depends on the signedness, its row for unsigned and for signed numbers."""
QUOTIENTS: dict[RoundingMode, tuple[algebra.IntegerOperation, algebra.IntegerOperation]] = {
    RoundingMode.ZERO: (algebra.DIVIDE_UNSIGNED, algebra.DIVIDE_SIGNED),
    RoundingMode.NEGATIVE_INF: (algebra.DIVIDE_UNSIGNED, algebra.DIVIDE_FLOOR),
    RoundingMode.POSITIVE_INF: (algebra.DIVIDE_CEILING_UNSIGNED, algebra.DIVIDE_CEILING_SIGNED),
}
"""For each rounding mode, the row of a division of unsigned and of signed numbers."""


def row_of(op: Operation) -> algebra.IntegerOperation:
    """Return the scalar operation whose function and algebraic laws the binary integer operation `op` has, by
    its class, and for some classes its signedness and rounding. Raises `KeyError` for other operations.
    """
    row = ROWS.get(op.__class__)
    if row is not None:
        return row
    read: Any = op  # the others have a signedness
    rows = QUOTIENTS[op.rounding] if isinstance(op, integer_ops.DivIOp) else SIGNED_ROWS[op.__class__]
    return rows[is_signed(read)]


def fold_by_row(op: Operation, constants: common_folds.Constants) -> common_folds.Folded:
    """Fold a binary integer operation by the algebraic laws of its scalar operation (`row_of`), else
    constants.
    """
    found = by_laws(op, constants)
    return computed(op, constants) if found is None else found


def by_laws(op: Operation, constants: common_folds.Constants) -> common_folds.Folded:
    """Fold a binary operation by the algebraic laws of `row_of`: for two equal operands, and for a constant
    right operand such as 0 or 1. Constants of both operands are not computed.
    """
    row, (lhs, rhs) = row_of(op), op.operands
    known = row.of_same if row.of_same is not None and common_folds.same_value(lhs, rhs) else None
    if known is None:
        known = row.known(common_folds.width_of(lhs), common_folds.splat_pattern(constants[1]))
    return _result(op, known, lhs, rhs)


def _result(op: Operation, known: LawResult | None, lhs: Value, rhs: Value) -> common_folds.Folded:
    if known is LawResult.ZERO:
        return common_folds.splat_of(op.results[0].type, 0)
    return lhs if known is LawResult.LEFT else rhs if known is LawResult.RIGHT else None


def computed(op: Operation, constants: common_folds.Constants) -> common_folds.Folded:
    """Fold constants by the function of `row_of`, unless the result is undefined or an assumption about
    overflow is false.
    """
    width, row = common_folds.width_of(op.operands[0]), row_of(op)
    rule, overflow = row.on_patterns(width), getattr(op, "overflow", IntegerOverflow.NONE)

    def kept(left: int, right: int) -> int | None:
        made = rule(left, right)
        return made if made is not None and keeps_promise(overflow, row, width, left, right) else None

    return common_folds.compute(op, constants, rule if overflow is IntegerOverflow.NONE else kept)


def keeps_promise(
    overflow: IntegerOverflow, row: algebra.IntegerOperation, width: int, left: int, right: int
) -> bool:
    """Return whether the result of `row` for the operands `left` and `right`, bit patterns of `width` bits,
    does not overflow in the way that `overflow` excludes.
    """
    half, exact = 1 << (width - 1), cast("Total", row.function)
    if overflow in SIGNED_PROMISES:
        result = exact(twos_complement.to_signed(left, width), twos_complement.to_signed(right, width), width)
        if not -half <= result < half:
            return False
    return overflow not in UNSIGNED_PROMISES or 0 <= exact(left, right, width) < 1 << width


def fold_addi(op: integer_ops.AddIOp, constants: common_folds.Constants) -> common_folds.Folded:
    """Fold by algebraic laws, ``(a - b) + b`` and ``b + (a - b)`` to a, and constants."""
    found = by_laws(op, constants)
    for difference, addend in ((op.lhs, op.rhs), (op.rhs, op.lhs)) if found is None else ():
        inner = defined_by(difference, integer_ops.SubIOp)
        if inner is not None and inner.rhs is addend:
            return inner.lhs
    return computed(op, constants) if found is None else found


def fold_subi(op: integer_ops.SubIOp, constants: common_folds.Constants) -> common_folds.Folded:
    """Fold by algebraic laws, ``(a + b) - b`` to a, ``(a + b) - a`` to b, and constants."""
    found, inner = by_laws(op, constants), defined_by(op.lhs, integer_ops.AddIOp)
    if found is None and inner is not None and op.rhs in inner.operands:
        return inner.lhs if inner.rhs is op.rhs else inner.rhs
    return computed(op, constants) if found is None else found


def fold_xori(op: integer_ops.XOrIOp, constants: common_folds.Constants) -> common_folds.Folded:
    """Fold by algebraic laws, ``(a ^ b) ^ b`` to a, ``(a ^ b) ^ a`` to b, and constants."""
    found, inner = by_laws(op, constants), defined_by(op.lhs, integer_ops.XOrIOp)
    if found is None and inner is not None:
        for first, second in ((inner.lhs, inner.rhs), (inner.rhs, inner.lhs)):
            if common_folds.same_value(first, op.rhs):
                return second
    return computed(op, constants) if found is None else found


def fold_extremum(
    op: integer_ops.MaxIOp | integer_ops.MinIOp, constants: common_folds.Constants
) -> common_folds.Folded:
    """Fold by algebraic laws, for a constant on either side, such as the largest number of the type; fold
    constants.
    """
    found = by_laws(op, constants)
    if found is None:
        known = row_of(op).known(common_folds.width_of(op.lhs), common_folds.splat_pattern(constants[0]))
        found = _result(op, known, op.rhs, op.lhs)
    return computed(op, constants) if found is None else found


# --- one operand


def fold_absi(op: integer_ops.AbsIOp, constants: common_folds.Constants) -> common_folds.Folded:
    """Fold ``abs(abs(x))`` to ``abs(x)``, also for the smallest number, which is its own absolute value, and
    constants.
    """
    if defined_by(op.source, integer_ops.AbsIOp) is not None:
        return op.source

    def magnitude(a: int) -> int:
        return abs(a)

    return common_folds.compute_signed(op, constants, magnitude)


def fold_negi(op: integer_ops.NegIOp, constants: common_folds.Constants) -> common_folds.Folded:
    """Fold ``-(-x)`` to x, and constants; the smallest number only without an assumption about signed
    overflow.
    """
    inner = defined_by(op.source, integer_ops.NegIOp)
    if inner is not None:
        return inner.source
    lowest = 1 << (common_folds.width_of(op.source) - 1)
    promised = op.overflow in SIGNED_PROMISES
    return common_folds.compute(op, constants, lambda a: None if promised and a == lowest else -a)


# --- comparison

RELATIONS: dict[ComparisonPredicate, Callable[[float, float], bool]] = {
    ComparisonPredicate.EQUAL: lambda a, b: a == b,
    ComparisonPredicate.NOT_EQUAL: lambda a, b: a != b,
    ComparisonPredicate.LESS_THAN: lambda a, b: a < b,
    ComparisonPredicate.LESS_THAN_OR_EQUAL: lambda a, b: a <= b,
    ComparisonPredicate.GREATER_THAN: lambda a, b: a > b,
    ComparisonPredicate.GREATER_THAN_OR_EQUAL: lambda a, b: a >= b,
}
BY_LEAST = {ComparisonPredicate.LESS_THAN: 0, ComparisonPredicate.GREATER_THAN_OR_EQUAL: 1}
"""The result of comparing any number with the smallest number, by the predicate."""
BY_GREATEST = {ComparisonPredicate.GREATER_THAN: 0, ComparisonPredicate.LESS_THAN_OR_EQUAL: 1}
"""The result of comparing any number with the largest number, by the predicate."""


def extremes(op: integer_ops.CmpIOp) -> tuple[int, int]:
    """Return the bit patterns of the smallest and the largest number of the operand type, by the signedness
    of `op`.
    """
    width = common_folds.width_of(op.operands[0])
    half, full = 1 << (width - 1), (1 << width) - 1
    return (half, half - 1) if is_signed(op) else (0, full)


def fold_cmpi(op: integer_ops.CmpIOp, constants: common_folds.Constants) -> common_folds.Folded:
    """Fold a comparison of a value with itself, a comparison whose result follows from a constant right
    operand that is the smallest or largest number, and constants.
    """
    predicate = op.comparison_predicate
    relation = RELATIONS[predicate]
    if op.lhs is op.rhs:
        return common_folds.splat_of(op.result.type, int(relation(0, 0)))
    least, greatest = extremes(op)
    bound = common_folds.splat_pattern(constants[1])
    for extreme, answers in ((least, BY_LEAST), (greatest, BY_GREATEST)):
        if bound == extreme and predicate in answers:
            return common_folds.splat_of(op.result.type, answers[predicate])
    return by_sign(op, constants, lambda a, b: int(relation(a, b)))


FOLDS: FoldTable = {
    integer_ops.AddIOp: folds_of(fold_addi, integer_ops.SubIOp),
    integer_ops.SubIOp: fold_subi,
    integer_ops.MaxIOp: fold_extremum,
    integer_ops.MinIOp: fold_extremum,
    integer_ops.AbsIOp: folds_of(fold_absi, integer_ops.AbsIOp),
    integer_ops.NegIOp: folds_of(fold_negi, integer_ops.NegIOp),
    integer_ops.CmpIOp: fold_cmpi,
    integer_ops.AndIOp: fold_by_row,
    integer_ops.OrIOp: fold_by_row,
    integer_ops.XOrIOp: fold_xori,
    **constant_folds(
        dict.fromkeys(
            (
                integer_ops.MulIOp,
                integer_ops.MulhiIOp,
                integer_ops.DivIOp,
                integer_ops.RemIOp,
                integer_ops.ShLIOp,
                integer_ops.ShRIOp,
            ),
            fold_by_row,
        )
    ),
}
"""For each class of operations, the function that folds it."""
