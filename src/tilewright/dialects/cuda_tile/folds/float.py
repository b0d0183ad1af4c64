"""Folds of float operations: constants, exactly, and identities that keep every bit.

Arithmetic makes every NaN canonical and may flush subnormal numbers, so ``x * 1`` is x only if x is known to be
in that form: if it is the result of an operation that leaves it so. ``approx`` and ``full`` modes and elementary
functions guarantee error bounds, not bits; they are folded only where every implementation must agree.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from tilewright.dialects.common.constant_folding import defined_by
from tilewright.dialects.cuda_tile import float_rules
from tilewright.dialects.cuda_tile.enums import ComparisonOrdering, ComparisonPredicate, RoundingMode
from tilewright.dialects.cuda_tile.folds import common as common_folds, integer as integer_folds
from tilewright.dialects.cuda_tile.ops import (
    conversion as conversion_ops,
    float as float_ops,
    tile as tile_ops,
)
from tilewright.ir.arithmetic.float_arithmetic import RoundingDirection
from tilewright.ir.arithmetic.float_format import FloatFormat, Specials
from tilewright.ir.attribute import Attribute
from tilewright.ir.dialect import FoldTable, constant_folds, folds_of
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

FloatRule = Callable[..., int | None]

SIGN_ONLY = (float_ops.AbsFOp, float_ops.NegFOp)
"""Operations that change the sign of any element, a NaN included."""
CANONICAL_RESULTS = (
    *(made for made in float_ops.OPERATIONS if made not in (*SIGN_ONLY, float_ops.CmpFOp)),
    conversion_ops.IToFOp,
    conversion_ops.FToFOp,
)
"""Operations whose results contain no NaN other than the canonical one."""
MOVING = (
    tile_ops.BroadcastOp,
    tile_ops.ReshapeOp,
    tile_ops.PermuteOp,
    tile_ops.ExtractOp,
)
"""Operations whose result consists of elements of their first operand."""
FURTHEST = 8
"""The maximum number of operations that are followed back to the source of a value."""


def arithmetic(op: Operation) -> float_rules.FloatArithmetic | None:
    """Return the format, rounding and flushing of the first result of `op`; None if its rounding mode does
    not define a single result, or if the result has no float elements.
    """
    format = common_folds.float_format(op.results[0])
    mode = float_rules.DIRECTIONS.get(getattr(op, "rounding_mode", RoundingMode.NEAREST_EVEN))
    if format is None or mode is None:
        return None
    return float_rules.FloatArithmetic(format, mode, getattr(op, "flush_to_zero", False))


def compute_float(op: Operation, constants: common_folds.Constants, rule: FloatRule) -> common_folds.Folded:
    """Return the constant that `rule` computes element by element: it gets the `FloatArithmetic` of `op` and
    one bit pattern for each operand. Return None if the rounding mode of `op` does not define a single
    result, if an operand is not constant or too large, or if `rule` returns None for an element.
    """
    how = arithmetic(op)
    return None if how is None else common_folds.compute(op, constants, partial(rule, how))


def is_canonical(value: Value, flushed: bool = False) -> bool:
    """Return whether every NaN of a tile is known to be canonical; with `flushed`, also that no element is
    subnormal. True for formats with at most one NaN, and for tiles without floats; otherwise the operation
    that computes the elements decides.
    """
    format = common_folds.float_format(value)
    if format is None or format.specials is Specials.FINITE or not format.signed:
        return True  # one NaN at most, and never an operand of arithmetic that flushes
    op = common_folds.definition(value)
    for _ in range(FURTHEST):
        if op is None or not isinstance(op, MOVING):
            break
        op = common_folds.definition(op.operands[0])
    if op is None:
        return False
    if isinstance(op, tile_ops.ConstantOp):
        return _has_canonical_elements(op.held_attributes.get("value"), format, flushed)
    return isinstance(op, CANONICAL_RESULTS) and (not flushed or getattr(op, "flush_to_zero", False))


def _has_canonical_elements(constant: Attribute | None, format: FloatFormat, flushed: bool) -> bool:
    patterns = common_folds.patterns_of(constant)
    if patterns is None:
        return False
    is_flushed = not flushed or all(float_rules.flush(format, pattern) == pattern for pattern in patterns)
    return is_flushed and all(float_rules.canonical(format, pattern) == pattern for pattern in patterns)


def _unchanged(op: Operation, value: Value) -> Value | None:
    """Return `value` if it has the bits that arithmetic would give it: NaN canonical, and no subnormal
    numbers if `op` flushes them. Else None.
    """
    return value if is_canonical(value, getattr(op, "flush_to_zero", False)) else None


def _is_number(op: float_ops.RoundedBinaryFloatOp, constant: Attribute | None, number: float) -> bool:
    """Return whether every element of `constant` is `number`, with the same sign of zero; False if `constant`
    is None.
    """
    pattern = common_folds.splat_pattern(constant)
    format = common_folds.float_format(op.results[0]) if pattern is not None else None
    return format is not None and pattern == format.encode(number)


def neutral_addend(how: float_rules.FloatArithmetic) -> float:
    """Return the zero that is neutral in sums: -0, or +0 if the mode rounds down."""
    return 0.0 if how.mode is RoundingDirection.DOWNWARD else -0.0


def _fold_sum(
    op: float_ops.RoundedBinaryFloatOp, constants: common_folds.Constants, rule: FloatRule, sign: float
) -> common_folds.Folded:
    how = arithmetic(op)
    if how is not None and _is_number(op, constants[1], sign * neutral_addend(how)):
        return _unchanged(op, op.lhs) or compute_float(op, constants, rule)
    return compute_float(op, constants, rule)


def fold_addf(op: float_ops.AddFOp, constants: common_folds.Constants) -> common_folds.Folded:
    """Fold ``x + -0`` and ``-0 + x`` to x (``+0`` when rounding down), if arithmetic would not change a bit
    of x (`is_canonical`); fold constants.
    """
    how = arithmetic(op)
    if how is not None and _is_number(op, constants[0], neutral_addend(how)):
        return _unchanged(op, op.rhs) or compute_float(op, constants, float_rules.add)
    return _fold_sum(op, constants, float_rules.add, 1.0)


def fold_subf(op: float_ops.SubFOp, constants: common_folds.Constants) -> common_folds.Folded:
    """Fold ``x - 0`` to x (``x - -0`` when rounding down), if arithmetic would not change a bit of x
    (`is_canonical`); fold constants.
    """
    return _fold_sum(op, constants, float_rules.subtract, -1.0)


def fold_mulf(op: float_ops.MulFOp, constants: common_folds.Constants) -> common_folds.Folded:
    """Fold ``x * 1`` and ``1 * x`` to x, if arithmetic would not change a bit of x (`is_canonical`), and
    constants; never ``x * 0``, which may be -0 or NaN.
    """
    for constant, other in ((constants[1], op.lhs), (constants[0], op.rhs)):
        if _is_number(op, constant, 1.0):
            return _unchanged(op, other) or compute_float(op, constants, float_rules.multiply)
    return compute_float(op, constants, float_rules.multiply)


def fold_divf(op: float_ops.DivFOp, constants: common_folds.Constants) -> common_folds.Folded:
    """Fold ``x / 1`` to x in IEEE rounding modes, if arithmetic would not change a bit of x (`is_canonical`);
    fold constants.
    """
    if _is_number(op, constants[1], 1.0) and arithmetic(op) is not None:
        return _unchanged(op, op.lhs) or compute_float(op, constants, float_rules.divide)
    return compute_float(op, constants, float_rules.divide)


def fold_fma(op: float_ops.FmaOp, constants: common_folds.Constants) -> common_folds.Folded:
    """Fold a multiply-add of constants, rounded once in the mode of the operation."""
    return compute_float(op, constants, float_rules.fused_multiply_add)


def fold_sqrt(op: float_ops.SqrtOp, constants: common_folds.Constants) -> common_folds.Folded:
    """Fold constants; with ``approx`` only zeros, infinities, NaN and negative numbers. A NaN result is
    folded only if the format has NaN.
    """
    if op.rounding_mode is RoundingMode.APPROX:
        return fold_elementary(op, constants)
    return compute_float(op, constants, float_rules.square_root)


def fold_remf(op: float_ops.RemFOp, constants: common_folds.Constants) -> common_folds.Folded:
    """Fold the remainder of constants; a NaN result only if the format has NaN."""
    return compute_float(op, constants, float_rules.remainder)


def _fold_integral(
    op: float_ops.UnaryFloatOp, constants: common_folds.Constants, way: str
) -> common_folds.Folded:
    inner = common_folds.definition(op.source)
    if isinstance(inner, float_ops.CeilOp | float_ops.FloorOp):
        return op.source
    return compute_float(op, constants, partial(float_rules.integral, way=way))


def fold_ceil(op: float_ops.CeilOp, constants: common_folds.Constants) -> common_folds.Folded:
    """Fold the ceiling of the result of a `ceil` or `floor` to that result, and constants."""
    return _fold_integral(op, constants, "ceil")


def fold_floor(op: float_ops.FloorOp, constants: common_folds.Constants) -> common_folds.Folded:
    """Fold the floor of the result of a `ceil` or `floor` to that result, and constants."""
    return _fold_integral(op, constants, "floor")


def _fold_extremum(
    op: float_ops.ExtremumFOp, constants: common_folds.Constants, larger: bool
) -> common_folds.Folded:
    if op.lhs is op.rhs:
        return _unchanged(op, op.lhs)
    return compute_float(
        op, constants, partial(float_rules.extremum, larger=larger, propagates=op.propagate_nan)
    )


def fold_maxf(op: float_ops.MaxFOp, constants: common_folds.Constants) -> common_folds.Folded:
    """Fold ``max(x, x)`` to x if arithmetic would not change a bit of x (`is_canonical`), and constants."""
    return _fold_extremum(op, constants, True)


def fold_minf(op: float_ops.MinFOp, constants: common_folds.Constants) -> common_folds.Folded:
    """Fold ``min(x, x)`` to x if arithmetic would not change a bit of x (`is_canonical`), and constants."""
    return _fold_extremum(op, constants, False)


# --- signs: bits are moved, so NaN keeps its payload


def fold_absf(op: float_ops.AbsFOp, constants: common_folds.Constants) -> common_folds.Folded:
    """Fold constants, and ``abs(abs(x))`` to ``abs(x)``."""
    if defined_by(op.source, float_ops.AbsFOp) is not None:
        return op.source
    format = common_folds.float_format(op.source)
    return None if format is None else common_folds.compute(op, constants, lambda a: a & ~format.sign_mask)


def fold_negf(op: float_ops.NegFOp, constants: common_folds.Constants) -> common_folds.Folded:
    """Fold constants, and ``-(-x)`` to x."""
    inner = defined_by(op.source, float_ops.NegFOp)
    if inner is not None:
        return inner.source
    format = common_folds.float_format(op.source)
    return None if format is None else common_folds.compute(op, constants, lambda a: a ^ format.sign_mask)


# --- elementary functions


def fold_elementary(op: Operation, constants: common_folds.Constants) -> common_folds.Folded:
    """Fold constants whose result is exact, such as zeros, infinities and NaN; the target computes others."""
    format = common_folds.float_format(op.results[0])
    if format is None:
        return None
    how = float_rules.FloatArithmetic(format, flushes=getattr(op, "flush_to_zero", False))
    return common_folds.compute(op, constants, lambda a: float_rules.elementary(how, op.kind.mnemonic, a))


def fold_pow(op: float_ops.PowOp, constants: common_folds.Constants) -> common_folds.Folded:
    """Fold ``x ** 0`` to 1, also for NaN, and constants whose power is exact by the rules of C: zeros, ones,
    infinities and NaN.
    """
    exponents = common_folds.patterns_of(constants[1])
    format = common_folds.float_format(op.results[0])
    if exponents and format is not None and all(format.decode(pattern) == 0 for pattern in exponents):
        return common_folds.splat_of(op.result.type, format.encode(1.0))
    return compute_float(op, constants, float_rules.power)


def fold_fpowi(op: float_ops.FPowIOp, constants: common_folds.Constants) -> common_folds.Folded:
    """Fold ``x ** 0`` to 1, also for NaN; fold constants if the base is 1 or the exponent is 0 in each
    element.
    """
    format = common_folds.float_format(op.results[0])
    if format is None:
        return None
    one = format.encode(1.0)
    if common_folds.is_zero(constants[1]):
        return common_folds.splat_of(op.result.type, one)
    return common_folds.compute(op, constants, lambda a, b: one if a == one or b == 0 else None)


def fold_atan2(op: float_ops.Atan2Op, constants: common_folds.Constants) -> common_folds.Folded:
    """Fold a constant zero over a positive number to that zero, and NaN to NaN."""
    return compute_float(op, constants, float_rules.angle)


# --- comparison

_NEVER_OF_SAME = (
    ComparisonPredicate.NOT_EQUAL,
    ComparisonPredicate.LESS_THAN,
    ComparisonPredicate.GREATER_THAN,
)


def fold_cmpf(op: float_ops.CmpFOp, constants: common_folds.Constants) -> common_folds.Folded:
    """Fold a comparison with a constant NaN, a comparison of a value with itself if NaN and numbers have the
    same result, and constants.
    """
    format = common_folds.float_format(op.lhs)
    assert format is not None
    unordered = op.comparison_ordering is ComparisonOrdering.UNORDERED
    if any(_is_nan(constant, format) for constant in constants):
        return common_folds.splat_of(op.result.type, int(unordered))
    if op.lhs is op.rhs and (op.comparison_predicate in _NEVER_OF_SAME) is not unordered:
        return common_folds.splat_of(op.result.type, int(unordered))
    relation = integer_folds.RELATIONS[op.comparison_predicate]

    def compare(a: int, b: int) -> int:
        if format.is_nan(a) or format.is_nan(b):
            return int(unordered)
        return int(relation(format.decode(a), format.decode(b)))

    return common_folds.compute(op, constants, compare)


def _is_nan(constant: Attribute | None, format: FloatFormat) -> bool:
    patterns = common_folds.patterns_of(constant)
    return bool(patterns) and all(map(format.is_nan, patterns or ()))


FOLDS: FoldTable = {
    float_ops.AbsFOp: folds_of(fold_absf, float_ops.AbsFOp),
    float_ops.NegFOp: folds_of(fold_negf, float_ops.NegFOp),
    float_ops.CeilOp: folds_of(fold_ceil, float_ops.CeilOp, float_ops.FloorOp),
    float_ops.FloorOp: folds_of(fold_floor, float_ops.CeilOp, float_ops.FloorOp),
    float_ops.MaxFOp: fold_maxf,
    float_ops.MinFOp: fold_minf,
    float_ops.CmpFOp: fold_cmpf,
    **constant_folds(
        {
            float_ops.AddFOp: fold_addf,
            float_ops.SubFOp: fold_subf,
            float_ops.MulFOp: fold_mulf,
            float_ops.DivFOp: fold_divf,
            float_ops.FmaOp: fold_fma,
            float_ops.SqrtOp: fold_sqrt,
            float_ops.RsqrtOp: fold_elementary,
            float_ops.ExpOp: fold_elementary,
            float_ops.Exp2Op: fold_elementary,
            float_ops.LogOp: fold_elementary,
            float_ops.Log2Op: fold_elementary,
            float_ops.SinOp: fold_elementary,
            float_ops.CosOp: fold_elementary,
            float_ops.TanOp: fold_elementary,
            float_ops.SinHOp: fold_elementary,
            float_ops.CosHOp: fold_elementary,
            float_ops.TanHOp: fold_elementary,
            float_ops.PowOp: fold_pow,
            float_ops.FPowIOp: fold_fpowi,
            float_ops.Atan2Op: fold_atan2,
            float_ops.RemFOp: fold_remf,
        }
    ),
}
"""For each class of operations, the function that folds it."""
