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
from tilewright.dialects.cuda_tile.float_rules import DIRECTIONS, FloatArithmetic
from tilewright.dialects.cuda_tile.folds.common import (
    Constants,
    Folded,
    compute,
    definition,
    float_format,
    is_zero,
    patterns_of,
    splat_of,
    splat_pattern,
)
from tilewright.dialects.cuda_tile.folds.integer import RELATIONS
from tilewright.dialects.cuda_tile.ops.conversion import FToFOp, IToFOp
from tilewright.dialects.cuda_tile.ops.float import (
    OPERATIONS,
    AbsFOp,
    AddFOp,
    Atan2Op,
    CeilOp,
    CmpFOp,
    CosHOp,
    CosOp,
    DivFOp,
    Exp2Op,
    ExpOp,
    ExtremumFOp,
    FloorOp,
    FmaOp,
    FPowIOp,
    Log2Op,
    LogOp,
    MaxFOp,
    MinFOp,
    MulFOp,
    NegFOp,
    PowOp,
    RemFOp,
    RoundedBinaryFloatOp,
    RsqrtOp,
    SinHOp,
    SinOp,
    SqrtOp,
    SubFOp,
    TanHOp,
    TanOp,
    UnaryFloatOp,
)
from tilewright.dialects.cuda_tile.ops.tile import BroadcastOp, ConstantOp, ExtractOp, PermuteOp, ReshapeOp
from tilewright.ir.arithmetic.float_arithmetic import RoundingDirection
from tilewright.ir.arithmetic.float_format import FloatFormat, Specials
from tilewright.ir.attribute import Attribute
from tilewright.ir.dialect import FoldTable, constant_folds, folds_of
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

FloatRule = Callable[..., int | None]

SIGN_ONLY = (AbsFOp, NegFOp)
"""Operations that change the sign of any element, a NaN included."""
CANONICAL_RESULTS = (
    *(made for made in OPERATIONS if made not in (*SIGN_ONLY, CmpFOp)),
    IToFOp,
    FToFOp,
)
"""Operations that give no other NaN than the canonical one."""
MOVING = (
    BroadcastOp,
    ReshapeOp,
    PermuteOp,
    ExtractOp,
)
"""Operations that give nothing but elements of their first operand."""
FURTHEST = 8
"""The maximum number of operations that are followed back to the source of a value."""


def arithmetic(op: Operation) -> FloatArithmetic | None:
    """Return the format and the rounding of an operation; None if its mode does not define a single result."""
    format = float_format(op.results[0])
    mode = DIRECTIONS.get(getattr(op, "rounding_mode", RoundingMode.NEAREST_EVEN))
    if format is None or mode is None:
        return None
    return FloatArithmetic(format, mode, getattr(op, "flush_to_zero", False))


def compute_float(op: Operation, constants: Constants, rule: FloatRule) -> Folded:
    """Fold constants by a rule that takes the arithmetic first."""
    how = arithmetic(op)
    return None if how is None else compute(op, constants, partial(rule, how))


def is_canonical(value: Value, flushed: bool = False) -> bool:
    """Return whether every NaN of a tile is known to be canonical (and, if asked, no number subnormal)."""
    format = float_format(value)
    if format is None or format.specials is Specials.FINITE or not format.signed:
        return True  # one NaN at most, and never an operand of arithmetic that flushes
    op = definition(value)
    for _ in range(FURTHEST):
        if op is None or not isinstance(op, MOVING):
            break
        op = definition(op.operands[0])
    if op is None:
        return False
    if isinstance(op, ConstantOp):
        return _has_canonical_elements(op.held_attributes.get("value"), format, flushed)
    return isinstance(op, CANONICAL_RESULTS) and (not flushed or getattr(op, "flush_to_zero", False))


def _has_canonical_elements(constant: Attribute | None, format: FloatFormat, flushed: bool) -> bool:
    patterns = patterns_of(constant)
    if patterns is None:
        return False
    is_flushed = not flushed or all(float_rules.flush(format, pattern) == pattern for pattern in patterns)
    return is_flushed and all(float_rules.canonical(format, pattern) == pattern for pattern in patterns)


def _unchanged(op: Operation, value: Value) -> Value | None:
    """Return the operand, if arithmetic that does not change its number does not change its bits."""
    return value if is_canonical(value, getattr(op, "flush_to_zero", False)) else None


def _is_number(op: RoundedBinaryFloatOp, constant: Attribute | None, number: float) -> bool:
    """Return whether a constant is a number, with its sign, throughout."""
    pattern = splat_pattern(constant)
    format = float_format(op.results[0]) if pattern is not None else None
    return format is not None and pattern == format.encode(number)


def neutral_addend(how: FloatArithmetic) -> float:
    """Return the zero that is neutral in sums: -0, or +0 if the sum of zeros of different sign is negative."""
    return 0.0 if how.mode is RoundingDirection.DOWNWARD else -0.0


def _fold_sum(op: RoundedBinaryFloatOp, constants: Constants, rule: FloatRule, sign: float) -> Folded:
    how = arithmetic(op)
    if how is not None and _is_number(op, constants[1], sign * neutral_addend(how)):
        return _unchanged(op, op.lhs) or compute_float(op, constants, rule)
    return compute_float(op, constants, rule)


def fold_addf(op: AddFOp, constants: Constants) -> Folded:
    """``x + -0 = x`` (``x + 0 = x`` when rounding down)."""
    how = arithmetic(op)
    if how is not None and _is_number(op, constants[0], neutral_addend(how)):
        return _unchanged(op, op.rhs) or compute_float(op, constants, float_rules.add)
    return _fold_sum(op, constants, float_rules.add, 1.0)


def fold_subf(op: SubFOp, constants: Constants) -> Folded:
    """``x - 0 = x`` (``x - -0 = x`` when rounding down)."""
    return _fold_sum(op, constants, float_rules.subtract, -1.0)


def fold_mulf(op: MulFOp, constants: Constants) -> Folded:
    """``x * 1 = x``; never ``x * 0``, which may be -0 or NaN."""
    for constant, other in ((constants[1], op.lhs), (constants[0], op.rhs)):
        if _is_number(op, constant, 1.0):
            return _unchanged(op, other) or compute_float(op, constants, float_rules.multiply)
    return compute_float(op, constants, float_rules.multiply)


def fold_divf(op: DivFOp, constants: Constants) -> Folded:
    """``x / 1 = x`` in IEEE modes."""
    if _is_number(op, constants[1], 1.0) and arithmetic(op) is not None:
        return _unchanged(op, op.lhs) or compute_float(op, constants, float_rules.divide)
    return compute_float(op, constants, float_rules.divide)


def fold_fma(op: FmaOp, constants: Constants) -> Folded:
    """Fold the operation if its operands are constants."""
    return compute_float(op, constants, float_rules.fused_multiply_add)


def fold_sqrt(op: SqrtOp, constants: Constants) -> Folded:
    """Fold constants; with ``approx`` only zeros, infinities and negative numbers."""
    if op.rounding_mode is RoundingMode.APPROX:
        return fold_elementary(op, constants)
    return compute_float(op, constants, float_rules.square_root)


def fold_remf(op: RemFOp, constants: Constants) -> Folded:
    """Fold the operation if its operands are constants."""
    return compute_float(op, constants, float_rules.remainder)


def _fold_integral(op: UnaryFloatOp, constants: Constants, way: str) -> Folded:
    inner = definition(op.source)
    if isinstance(inner, CeilOp | FloorOp):
        return op.source
    return compute_float(op, constants, partial(float_rules.integral, way=way))


def fold_ceil(op: CeilOp, constants: Constants) -> Folded:
    """Fold the ceiling of an integral number to the number, and constants."""
    return _fold_integral(op, constants, "ceil")


def fold_floor(op: FloorOp, constants: Constants) -> Folded:
    """Fold the floor of an integral number to the number, and constants."""
    return _fold_integral(op, constants, "floor")


def _fold_extremum(op: ExtremumFOp, constants: Constants, larger: bool) -> Folded:
    if op.lhs is op.rhs:
        return _unchanged(op, op.lhs)
    return compute_float(
        op, constants, partial(float_rules.extremum, larger=larger, propagates=op.propagate_nan)
    )


def fold_maxf(op: MaxFOp, constants: Constants) -> Folded:
    """``max(x, x) = x``."""
    return _fold_extremum(op, constants, True)


def fold_minf(op: MinFOp, constants: Constants) -> Folded:
    """``min(x, x) = x``."""
    return _fold_extremum(op, constants, False)


# --- signs: bits are moved, so NaN keeps its payload


def fold_absf(op: AbsFOp, constants: Constants) -> Folded:
    """Fold constants, and ``abs(abs(x))`` to ``abs(x)``."""
    if defined_by(op.source, AbsFOp) is not None:
        return op.source
    format = float_format(op.source)
    return None if format is None else compute(op, constants, lambda a: a & ~format.sign_mask)


def fold_negf(op: NegFOp, constants: Constants) -> Folded:
    """Fold constants, and ``-(-x)`` to x."""
    inner = defined_by(op.source, NegFOp)
    if inner is not None:
        return inner.source
    format = float_format(op.source)
    return None if format is None else compute(op, constants, lambda a: a ^ format.sign_mask)


# --- elementary functions


def fold_elementary(op: Operation, constants: Constants) -> Folded:
    """Fold constants whose result is exact, such as zeros, infinities and NaN; the target computes others."""
    format = float_format(op.results[0])
    if format is None:
        return None
    how = FloatArithmetic(format, flushes=getattr(op, "flush_to_zero", False))
    return compute(op, constants, lambda a: float_rules.elementary(how, op.kind.mnemonic, a))


def fold_pow(op: PowOp, constants: Constants) -> Folded:
    """``x ** 0 = 1``, also for NaN; constants whose power C's rules name: zeros, ones, infinities and NaN."""
    exponents = patterns_of(constants[1])
    format = float_format(op.results[0])
    if exponents and format is not None and all(format.decode(pattern) == 0 for pattern in exponents):
        return splat_of(op.result.type, format.encode(1.0))
    return compute_float(op, constants, float_rules.power)


def fold_fpowi(op: FPowIOp, constants: Constants) -> Folded:
    """``x ** 0 = 1``, also for NaN; powers of 1."""
    format = float_format(op.results[0])
    if format is None:
        return None
    one = format.encode(1.0)
    if is_zero(constants[1]):
        return splat_of(op.result.type, one)
    return compute(op, constants, lambda a, b: one if a == one or b == 0 else None)


def fold_atan2(op: Atan2Op, constants: Constants) -> Folded:
    """Zero over a positive number; NaN."""
    return compute_float(op, constants, float_rules.angle)


# --- comparison

_NEVER_OF_SAME = (
    ComparisonPredicate.NOT_EQUAL,
    ComparisonPredicate.LESS_THAN,
    ComparisonPredicate.GREATER_THAN,
)


def fold_cmpf(op: CmpFOp, constants: Constants) -> Folded:
    """Fold comparisons with NaN, and of a value with itself if NaN and numbers have the same result."""
    format = float_format(op.lhs)
    assert format is not None
    unordered = op.comparison_ordering is ComparisonOrdering.UNORDERED
    if any(_is_nan(constant, format) for constant in constants):
        return splat_of(op.result.type, int(unordered))
    if op.lhs is op.rhs and (op.comparison_predicate in _NEVER_OF_SAME) is not unordered:
        return splat_of(op.result.type, int(unordered))
    relation = RELATIONS[op.comparison_predicate]

    def compare(a: int, b: int) -> int:
        if format.is_nan(a) or format.is_nan(b):
            return int(unordered)
        return int(relation(format.decode(a), format.decode(b)))

    return compute(op, constants, compare)


def _is_nan(constant: Attribute | None, format: FloatFormat) -> bool:
    patterns = patterns_of(constant)
    return bool(patterns) and all(map(format.is_nan, patterns or ()))


FOLDS: FoldTable = {
    AbsFOp: folds_of(fold_absf, AbsFOp),
    NegFOp: folds_of(fold_negf, NegFOp),
    CeilOp: folds_of(fold_ceil, CeilOp, FloorOp),
    FloorOp: folds_of(fold_floor, CeilOp, FloorOp),
    MaxFOp: fold_maxf,
    MinFOp: fold_minf,
    CmpFOp: fold_cmpf,
    **constant_folds(
        {
            AddFOp: fold_addf,
            SubFOp: fold_subf,
            MulFOp: fold_mulf,
            DivFOp: fold_divf,
            FmaOp: fold_fma,
            SqrtOp: fold_sqrt,
            RsqrtOp: fold_elementary,
            ExpOp: fold_elementary,
            Exp2Op: fold_elementary,
            LogOp: fold_elementary,
            Log2Op: fold_elementary,
            SinOp: fold_elementary,
            CosOp: fold_elementary,
            TanOp: fold_elementary,
            SinHOp: fold_elementary,
            CosHOp: fold_elementary,
            TanHOp: fold_elementary,
            PowOp: fold_pow,
            FPowIOp: fold_fpowi,
            Atan2Op: fold_atan2,
            RemFOp: fold_remf,
        }
    ),
}
"""By the class of an operation, how it folds."""
