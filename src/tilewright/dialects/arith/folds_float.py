"""Folds of floating-point operations: exact arithmetic, rounded once, and identities that hold for NaN."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from tilewright.dialects.arith import algebra as arith_algebra, ops_float as arith_float
from tilewright.dialects.arith.attributes import CmpFPredicate, FastMathFlags
from tilewright.dialects.common import constant_folding
from tilewright.dialects.ub.folds import first_poison
from tilewright.ir import builtin_attributes, dialect
from tilewright.ir.arithmetic import float_arithmetic, scalar_algebra
from tilewright.ir.arithmetic.float_format import FloatFormat
from tilewright.ir.attribute import Attribute
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

Folded = Value | Attribute | None
FloatUnary = Callable[[FloatFormat, int], int | None]
FloatBinary = Callable[[FloatFormat, int, int], int | None]
FloatTernary = Callable[[FloatFormat, int, int, int], int | None]
FloatRule = FloatUnary | FloatBinary | FloatTernary

NAN_FREE_PRODUCT = (FastMathFlags.NNAN | FastMathFlags.NSZ).value
NSZ = FastMathFlags.NSZ.value


def compute(op: Operation, constants: constant_folding.Constants, rule: FloatRule) -> Folded:
    """Fold constants by ``rule``, a function of the float format and the operands' bit patterns. A poison
    operand gives poison. Return None if another operand is not constant, if the operands are no floats, or if
    ``rule`` returns None.
    """
    poison = first_poison(constants)
    if poison is not None or None in constants:
        return poison
    format = constant_folding.float_format(op.operands[0].type)
    if format is None:
        return None
    apply: Any = rule

    def in_format(*patterns: int) -> int | None:
        return apply(format, *patterns)

    return constant_folding.fold_scalars(constants, op.results[0].type, in_format)


@lru_cache(maxsize=1 << 12)
def _number(constant: builtin_attributes.FloatAttr) -> float:
    """Return the number of an attribute. Cached: a program has few different constants, and decoding is slow."""
    return constant.value


def splat_float(constant: Attribute | None) -> float | None:
    """Return the number in every element of a float constant; None for None, for other attributes, and for
    elements that differ.
    """
    if constant is None or type(constant) is builtin_attributes.FloatAttr:
        return _number(constant) if constant is not None else None
    pattern = (
        constant_folding.splat_pattern(constant) if constant_folding.is_float_constant(constant) else None
    )
    format = constant_folding.float_format(getattr(constant, "type")) if pattern is not None else None  # noqa: B009 - as tested
    return format.decode(pattern) if format is not None and pattern is not None else None


def fold_negf(op: Operation, constants: constant_folding.Constants) -> Folded:
    """Fold constants, and ``-(-x)`` to x."""
    inner = constant_folding.defined_by(op.operands[0], arith_float.NegFOp)
    return inner.operand if inner is not None else compute(op, constants, float_arithmetic.negate)


def folded(row: scalar_algebra.FloatOperation) -> Callable[[Operation, constant_folding.Constants], Folded]:
    """Return the fold of a binary operation: ``x op x`` and ``x op identity`` to x by the laws in ``row``,
    else of constants by its function; poison gives poison. An identity on the left is not looked for. The
    fold returns None if nothing applies.
    """

    def fold(op: Operation, constants: constant_folding.Constants) -> Folded:
        lhs, rhs = op.operands
        if (row.is_idempotent and lhs is rhs) or row.is_identity(splat_float(constants[1])):
            return lhs
        return compute(op, constants, row.function)

    return fold


ARITHMETIC = {op_class: folded(row) for op_class, row in arith_algebra.FLOATS.items()}
"""Class of a binary float operation -> its fold."""


def fold_mulf(op: Operation, constants: constant_folding.Constants) -> Folded:
    """Fold ``x * +0`` to +0 if the operation has the flags NNAN and NSZ; otherwise fold by the laws and the
    function of multiplication, such as ``x * 1`` to x and constants.
    """
    is_free = constant_folding.held_flags(op, "fastmath") & NAN_FREE_PRODUCT == NAN_FREE_PRODUCT
    if is_free and is_positive_zero(splat_float(constants[1])):
        return op.operands[1]
    return ARITHMETIC[arith_float.MulFOp](op, constants)


def is_positive_zero(number: float | None) -> bool:
    """Return whether a number is +0; False for -0 and None."""
    return number == 0 and math.copysign(1.0, number or 0.0) > 0


# --- comparison

LESS, EQUAL, GREATER, UNORDERED = range(4)
"""How two numbers compare."""

OUTCOMES: dict[CmpFPredicate, tuple[int, ...]] = {
    CmpFPredicate.FALSE: (),
    CmpFPredicate.OEQ: (EQUAL,),
    CmpFPredicate.OGT: (GREATER,),
    CmpFPredicate.OGE: (GREATER, EQUAL),
    CmpFPredicate.OLT: (LESS,),
    CmpFPredicate.OLE: (LESS, EQUAL),
    CmpFPredicate.ONE: (LESS, GREATER),
    CmpFPredicate.ORD: (LESS, EQUAL, GREATER),
    CmpFPredicate.UEQ: (EQUAL, UNORDERED),
    CmpFPredicate.UGT: (GREATER, UNORDERED),
    CmpFPredicate.UGE: (GREATER, EQUAL, UNORDERED),
    CmpFPredicate.ULT: (LESS, UNORDERED),
    CmpFPredicate.ULE: (LESS, EQUAL, UNORDERED),
    CmpFPredicate.UNE: (LESS, GREATER, UNORDERED),
    CmpFPredicate.UNO: (UNORDERED,),
    CmpFPredicate.TRUE: (LESS, EQUAL, GREATER, UNORDERED),
}
"""Predicate -> the outcomes of a comparison (`LESS` to `UNORDERED`) that satisfy the predicate."""


def outcome(left: float, right: float) -> int:
    """Return `LESS`, `EQUAL`, `GREATER`, or `UNORDERED` if one of the numbers is NaN."""
    if math.isnan(left) or math.isnan(right):
        return UNORDERED
    return LESS if left < right else EQUAL if left == right else GREATER


def fold_cmpf(op: arith_float.CmpFOp, constants: constant_folding.Constants) -> Folded:
    """Fold constants, the predicates `false` and `true`, and any comparison whose right operand is a constant
    NaN: to true for an unordered predicate, else to false.
    """
    accepted = OUTCOMES[op.predicate]
    right = splat_float(constants[1])
    if right is not None and math.isnan(right):
        return constant_folding.splat_of(op.result.type, int(UNORDERED in accepted))
    if op.predicate in (CmpFPredicate.FALSE, CmpFPredicate.TRUE):
        return constant_folding.splat_of(op.result.type, int(op.predicate is CmpFPredicate.TRUE))

    def compare(format: FloatFormat, a: int, b: int) -> int:
        return int(outcome(format.decode(a), format.decode(b)) in accepted)

    return compute(op, constants, compare)


FOLDS: dialect.FoldTable = {
    arith_float.NegFOp: fold_negf,
    arith_float.CmpFOp: fold_cmpf,
    **{
        op_class: ARITHMETIC[op_class] if row.is_idempotent else dialect.folds_of(ARITHMETIC[op_class])
        for op_class, row in arith_algebra.FLOATS.items()
    },
    arith_float.MulFOp: dialect.folds_of(fold_mulf),
}
"""Operation class -> its fold."""
