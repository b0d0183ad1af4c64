"""Arithmetic of floats on lanes: rounding modes, flushing of subnormal numbers, minimum and maximum."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from tilewright.dialects.arith import ops_float as arith
from tilewright.dialects.llvm.enums import FloatPredicate
from tilewright.dialects.llvm.intrinsics import float as intrinsics
from tilewright.dialects.llvm.ops.arithmetic import FCmpOp
from tilewright.dialects.math import dialect as math
from tilewright.ir.builtin_types import FloatType, f64
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.targets.elements.exact import NATIVE, rounded_narrow, rounded_wide
from tilewright.targets.elements.expression import Expression
from tilewright.targets.elements.lanes import BOUNDED, Lanes, Rule
from tilewright.targets.elements.math.polynomial import called
from tilewright.targets.elements.rounding import (
    CARRIERS,
    NEAREST_EVEN,
    canonical,
    canonical_root,
    convert,
    widen,
)

LEAST_NORMAL = 2.0**-126
VANISHING_DIVISOR = 2.0**126
"""``approx`` division multiplies by the reciprocal, which is zero for larger finite divisors."""


def flushed(x: Expression) -> Expression:
    """Replace subnormal numbers of f32 with zeros of their sign."""
    return x.magnitude().compare("OLT", LEAST_NORMAL).select(x.constant(0.0).with_sign_of(x), x)


def widened(x: Expression) -> Expression:
    """Return `x` as f32 if it has a narrower format; f32 and f64 are returned unchanged."""
    return x if x.element in CARRIERS else widen(x, x.element)


def with_canonical_nan(at: Lanes, x: Expression) -> Expression:
    """Return `x`, an f32 or f64 result of the operation of `at`, with the canonical NaN in place of any NaN
    if the bits of the result are observable; otherwise unchanged.
    """
    return canonical(x) if at.shows_nan() else x


def in_wider(at: Lanes, body: Callable[..., Expression]) -> Expression:
    """Compute `body`, a formula of the operands, in f32 for narrower formats, and round to these formats with
    the canonical NaN. In f32 and f64 a NaN becomes canonical only if its bits are observable.
    """
    operands = at.expressions()
    if operands[0].element in CARRIERS:
        return with_canonical_nan(at, body(*operands))
    return convert(body(*map(widened, operands)), operands[0].element)


# --- arithmetic


def rounded(operation: str) -> Rule:
    """Return the rule of `operation`, which is ``add``, ``mul``, ``div``, ``sqrt`` or ``fma``. The result is
    rounded once, in the rounding mode of the operation; subnormal f32 are flushed if its attribute says so.
    The target's own formula, if there is any, is used to nearest and in modes that only bound the error.
    """

    def rule(at: Lanes) -> Value:
        operands = at.expressions()
        flushes, own = at.flag("flush_to_zero"), at.native_formula(operation)
        if own is not None and (at.mode() in BOUNDED or at.mode() == NEAREST_EVEN):
            return with_canonical_nan(at, own(*operands)).value
        inputs = [flushed(operand) for operand in operands] if flushes else operands
        mode = at.mode()
        result = _once(at, operation, inputs, NEAREST_EVEN if mode in BOUNDED else mode)
        if operation == "div" and mode == "approx" and operands[0].element in CARRIERS:
            result = _vanishing(operands, result)
        return (flushed(result) if flushes else result).value

    return rule


def _once(at: Lanes, operation: str, operands: Sequence[Expression], mode: str) -> Expression:
    target: FloatType = operands[0].element
    is_carrier = target in CARRIERS
    if mode == NEAREST_EVEN and (is_carrier or operation != "fma" or at.computes("fma", target)):
        if operation == "sqrt" and is_carrier and at.shows_nan():
            return canonical_root(operands[0].square_root())
        return in_wider_of(at, operands, NATIVE[operation], operation)
    if target is f64:
        return rounded_wide(operation, operands, mode)
    wide = [widened(operand).to_float(f64) for operand in operands]
    return rounded_narrow(operation, wide, target, mode)


def in_wider_of(
    at: Lanes,
    operands: Sequence[Expression],
    body: Callable[[Sequence[Expression]], Expression],
    operation: str = "",
) -> Expression:
    """Compute ``body(operands)``: in the format of the operands if that is f32 or f64, or if the target has
    `operation` for it; else in f32, rounded to the format with the canonical NaN. f32 has more than twice the
    bits of f16 and bf16, so that sums, products, quotients and roots may be rounded twice.
    """
    element = operands[0].element
    if at.computes(operation, element):
        return body([operand.as_computed() for operand in operands]).as_register()
    if element in CARRIERS:
        return with_canonical_nan(at, body(operands))
    return convert(body([widened(operand) for operand in operands]), element)


def _vanishing(operands: Sequence[Expression], quotient: Expression) -> Expression:
    left, right = operands
    size = right.magnitude()
    large = size.compare("OGT", VANISHING_DIVISOR) & size.compare("OLT", float("inf"))
    return large.select(canonical(left * right.constant(0.0).with_sign_of(right)), quotient)


def subtract(at: Lanes) -> Value:
    """Subtract the second operand by adding its negation, or by the processor's subtraction if the mode is to
    nearest and nothing is flushed.
    """
    operands = at.expressions()
    if at.mode() == NEAREST_EVEN and not at.flag("flush_to_zero"):
        return in_wider_of(at, operands, lambda of: of[0] - of[1], "sub").value
    left, right = operands
    turned = Lanes(at.code, at.op, (left.value, (-right).value), at.type, at.lanes, at.native)
    return rounded("add")(turned)


def remainder(at: Lanes) -> Value:
    """Return the remainder of the division of the first operand by the second with the quotient truncated:
    exact, with the sign of the dividend.
    """
    return in_wider(at, partial(called, "fmod")).value


# --- minimum and maximum


def extremum(larger: bool, propagates: bool) -> Rule:
    """Return the rule of maximum (`larger`) or minimum, with +0 above -0. NaN is propagated if `propagates`,
    otherwise ignored. Subnormal f32 operands are flushed first if the operation has ``flush_to_zero``.
    """
    op, predicate = (intrinsics.MaximumOp, "OGT") if larger else (intrinsics.MinimumOp, "OLT")

    def choose(operands: Sequence[Expression]) -> Expression:
        left, right = operands
        return left.apply(op, right) if propagates else number_of_two(left, right, predicate)

    def rule(at: Lanes) -> Value:
        operands = at.expressions()
        if at.flag("flush_to_zero"):
            operands = [flushed(operand) for operand in operands]
        return in_wider_of(at, operands, choose, "extremum").value

    return rule


REGISTER = 512
"""The width of the widest vectors in bits; shorter vectors occur at the end of a row."""
NUMBER_OF_TWO = {"OGT": "llvm.maximumnum", "OLT": "llvm.minimumnum"}


def number_of_two(left: Expression, right: Expression, predicate: str) -> Expression:
    """Return the maximum (``OGT``) or minimum (``OLT``) of two floats; the other operand if one is NaN. Zeros
    are distinguished by their bits.

    Equal numbers have different bits for zeros only: their *and* is +0, their *or* is -0 if either occurs.
    LLVM's intrinsic has a longer chain of instructions but compiles faster; it is used where the lanes of a
    row are combined at its end.
    """
    if left.lanes * left.element.width < REGISTER:
        return left.same_type_intrinsic(NUMBER_OF_TWO[predicate], right)
    chosen = left.compare(predicate, right).select(left, right)
    bits = left.bits() & right.bits() if predicate == "OGT" else left.bits() | right.bits()
    chosen = left.compare("OEQ", right).select(bits.as_type(left.element), chosen)
    return right.is_nan().select(left, chosen)


def _clamped(x: Expression, lower: Expression, upper: Expression) -> Expression:
    """Return the minimum of the upper bound and the maximum of the lower bound and a number; NaN if one of
    the three is.
    """
    return x.apply(intrinsics.MaximumOp, lower).apply(intrinsics.MinimumOp, upper)


def clamp(at: Lanes) -> Value:
    """Clamp the first operand to the range from the second to the third: ``min(max(x, lower), upper)``. The
    result is NaN if one of the three is NaN.
    """
    return in_wider(at, _clamped).value


# --- comparison, and functions that only move bits


def compare(at: Lanes) -> Value:
    """Compare floats by the predicate of the operation, and return lanes of i1. Narrow formats are compared
    as f32 if the target cannot compare them.
    """
    operands = at.expressions()
    is_native = at.computes("compare", operands[0].element)
    left, right = (one.as_computed() if is_native else widened(one) for one in operands)
    return at.code(FCmpOp, FloatPredicate[at.op.predicate.name], left.value, right.value)


def sign_bit_rule(change: Callable[[Any, int], Expression]) -> Rule:
    """Return the rule of an operation that changes only the sign bit, also of NaN.

    ``change`` gets the bits as an integer and the mask of the sign bit, and returns the new bits.
    """

    def rule(at: Lanes) -> Value:
        (x,) = at.expressions()
        return change(x.bits(), x.element.format.sign_mask).as_type(x.element).value

    return rule


def copy_sign(at: Lanes) -> Value:
    """Return the magnitude of a number with the sign of another; this applies to NaN too."""
    x, y = at.expressions()
    mask = x.element.format.sign_mask
    return ((x.bits() & (mask - 1)) | (y.bits() & mask)).as_type(x.element).value


def integral(op: type[Operation]) -> Rule:
    """Return the rule that rounds a float to an integral value in its format by `op`, such as
    `llvm.intr.floor`.
    """

    def body(x: Expression) -> Expression:
        return x.apply(op)

    return lambda at: in_wider(at, body).value


def float_predicate(body: Callable[[Expression], Expression]) -> Rule:
    """Return the rule of a predicate on floats, such as a test for NaN: `body` returns the condition for the
    operand, which is an f32 or f64.
    """
    return lambda at: body(widened(at.expressions()[0])).value


FLOAT_RULES: dict[type[Operation], Rule] = {
    arith.AddFOp: rounded("add"),
    arith.SubFOp: subtract,
    arith.MulFOp: rounded("mul"),
    arith.DivFOp: rounded("div"),
    math.FmaOp: rounded("fma"),
    math.SqrtOp: rounded("sqrt"),
    arith.RemFOp: remainder,
    arith.MaximumFOp: extremum(True, True),
    arith.MinimumFOp: extremum(False, True),
    arith.MaxNumFOp: extremum(True, False),
    arith.MinNumFOp: extremum(False, False),
    math.ClampFOp: clamp,
    arith.CmpFOp: compare,
    arith.NegFOp: sign_bit_rule(lambda bits, sign: bits ^ sign),
    math.AbsFOp: sign_bit_rule(lambda bits, sign: bits & (sign - 1)),
    math.CopySignOp: copy_sign,
    math.CeilOp: integral(intrinsics.FCeilOp),
    math.FloorOp: integral(intrinsics.FFloorOp),
    math.TruncOp: integral(intrinsics.FTruncOp),
    math.RoundEvenOp: integral(intrinsics.RoundEvenOp),
    math.RoundOp: integral(intrinsics.RoundOp),
    math.IsNaNOp: float_predicate(lambda x: x.is_nan()),
    math.IsInfOp: float_predicate(lambda x: x.magnitude().compare("OEQ", float("inf"))),
    math.IsFiniteOp: float_predicate(lambda x: x.magnitude().compare("OLT", float("inf"))),
}
"""Rules by operation class; operations of `nv_tileas` share the rules of the operations with their names."""
