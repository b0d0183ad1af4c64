"""Folds of the exactly defined functions of ``math``.

Functions that libraries round differently (exponentials, logarithms, trigonometry, powers of floats) are left
alone: the compiler's result could differ from the device's.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from tilewright.dialects.arith.folds_float import compute
from tilewright.dialects.common.constant_folding import Constants, Unary, bit_width, defined_by, fold_scalars
from tilewright.dialects.math import dialect as math_dialect
from tilewright.dialects.ub.folds import first_poison
from tilewright.ir.arithmetic import float_arithmetic, twos_complement
from tilewright.ir.arithmetic.float_format import FloatFormat
from tilewright.ir.attribute import Attribute
from tilewright.ir.dialect import FoldTable, constant_folds, folds_of
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

Folded = Value | Attribute | None


def fold_absf(op: Operation, constants: Constants) -> Folded:
    """Fold ``math.absf`` of constants, element by element."""
    return compute(op, constants, float_arithmetic.absolute)


def fold_copysign(op: Operation, constants: Constants) -> Folded:
    """Fold `math.copysign` of constants, element by element."""
    return compute(op, constants, float_arithmetic.copy_sign)


def fold_sqrt(op: Operation, constants: Constants) -> Folded:
    """Fold the square root of constants whose sign bit is clear, correctly rounded."""

    def root(format: FloatFormat, operand: int) -> int | None:
        return None if operand & format.sign_mask else float_arithmetic.square_root(format, operand)

    return compute(op, constants, root)


def fold_fma(op: Operation, constants: Constants) -> Folded:
    """Fold a multiply-add of constants, rounded once."""
    return compute(op, constants, float_arithmetic.fused_multiply_add)


def fold_clampf(op: Operation, constants: Constants) -> Folded:
    """Fold a clamp of constants; NaN if an operand is NaN."""

    def clamp(format: FloatFormat, value: int, low: int, high: int) -> int | None:
        raised = float_arithmetic.maximum(format, value, low)
        return None if raised is None else float_arithmetic.minimum(format, raised, high)

    return compute(op, constants, clamp)


def _fold_to_integral(way: str) -> Callable[[Operation, Constants], Folded]:
    def fold(op: Operation, constants: Constants) -> Folded:
        return _integral(op, constants, way)

    fold.__doc__ = "Constants; a number that the same operation made integral."
    return fold


def _integral(op: Operation, constants: Constants, way: str) -> Folded:
    source = op.operands[0]
    if defined_by(source, type(op)) is not None:
        return source
    return compute(op, constants, lambda format, operand: float_arithmetic.to_integral(format, operand, way))


fold_floor = _fold_to_integral("floor")
fold_ceil = _fold_to_integral("ceil")
fold_trunc = _fold_to_integral("trunc")
fold_round = _fold_to_integral("round")
fold_roundeven = _fold_to_integral("roundeven")


def _classify(op: Operation, constants: Constants, test: Callable[[FloatFormat, int], bool]) -> Folded:
    return compute(op, constants, lambda format, operand: int(test(format, operand)))


def fold_isfinite(op: Operation, constants: Constants) -> Folded:
    """Fold `math.isfinite` of constants, element by element."""
    return _classify(op, constants, lambda format, operand: math.isfinite(format.decode(operand)))


def fold_isinf(op: Operation, constants: Constants) -> Folded:
    """Fold `math.isinf` of constants, element by element."""
    return _classify(op, constants, lambda format, operand: format.is_infinite(operand))


def fold_isnan(op: Operation, constants: Constants) -> Folded:
    """Fold `math.isnan` of constants, element by element."""
    return _classify(op, constants, lambda format, operand: format.is_nan(operand))


def fold_isnormal(op: Operation, constants: Constants) -> Folded:
    """Fold `math.isnormal` of constants, element by element."""
    return _classify(op, constants, is_normal)


def is_normal(format: FloatFormat, operand: int) -> bool:
    """Return whether the bit pattern ``operand`` is neither zero, subnormal, infinite nor NaN."""
    return math.isfinite(format.decode(operand)) and operand & format.exponent_mask != 0


def _integer(op: Operation, constants: Constants, rule: Unary) -> Folded:
    poison = first_poison(constants)
    return poison if poison is not None else fold_scalars(constants, op.results[0].type, rule)


def fold_absi(op: Operation, constants: Constants) -> Folded:
    """Fold `math.absi` of constants, element by element."""
    width = bit_width(op.operands[0].type)
    return _integer(op, constants, lambda pattern: abs(twos_complement.to_signed(pattern, width)))


def fold_ctlz(op: Operation, constants: Constants) -> Folded:
    """Fold `math.ctlz` of constants, element by element."""
    width = bit_width(op.operands[0].type)
    return _integer(op, constants, lambda pattern: width - pattern.bit_length())


def fold_cttz(op: Operation, constants: Constants) -> Folded:
    """Fold `math.cttz` of constants, element by element."""
    width = bit_width(op.operands[0].type)
    return _integer(op, constants, lambda p: (p & -p).bit_length() - 1 if p else width)


def fold_ctpop(op: Operation, constants: Constants) -> Folded:
    """Fold `math.ctpop` of constants, element by element."""
    return _integer(op, constants, lambda pattern: pattern.bit_count())


FOLDS: FoldTable = {
    math_dialect.CeilOp: folds_of(fold_ceil, math_dialect.CeilOp),
    math_dialect.FloorOp: folds_of(fold_floor, math_dialect.FloorOp),
    math_dialect.RoundOp: folds_of(fold_round, math_dialect.RoundOp),
    math_dialect.RoundEvenOp: folds_of(fold_roundeven, math_dialect.RoundEvenOp),
    math_dialect.TruncOp: folds_of(fold_trunc, math_dialect.TruncOp),
    **constant_folds(
        {
            math_dialect.AbsFOp: fold_absf,
            math_dialect.SqrtOp: fold_sqrt,
            math_dialect.CopySignOp: fold_copysign,
            math_dialect.AbsIOp: fold_absi,
            math_dialect.CountLeadingZerosOp: fold_ctlz,
            math_dialect.CountTrailingZerosOp: fold_cttz,
            math_dialect.CtPopOp: fold_ctpop,
            math_dialect.IsFiniteOp: fold_isfinite,
            math_dialect.IsInfOp: fold_isinf,
            math_dialect.IsNaNOp: fold_isnan,
            math_dialect.IsNormalOp: fold_isnormal,
            math_dialect.ClampFOp: fold_clampf,
            math_dialect.FmaOp: fold_fma,
        }
    ),
}
"""Operation class -> its fold."""
