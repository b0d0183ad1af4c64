"""Powers by binary logarithm and exponential.

f32 powers are computed in f64 and rounded from many more bits. For f64 the logarithm is a sum of two numbers:
an integral part of up to ten bits leaves too few of the 53 bits of a single number.
"""

from __future__ import annotations

from collections.abc import Mapping

from tilewright.dialects.llvm.intrinsics.float import FTruncOp
from tilewright.dialects.llvm.ops.conversion import SIToFPOp
from tilewright.dialects.math import dialect as operations
from tilewright.ir.builtin_types import f32, f64
from tilewright.ir.value import Value
from tilewright.targets.elements.expression import Expression
from tilewright.targets.elements.math import coefficients as tables, exponential, polynomial
from tilewright.targets.elements.math.logarithm import split

FAR = 300.0
"""Binary exponents beyond this are infinite or zero in f32, and do not overflow in f64."""
FINITE = 1100.0
"""Binary exponents beyond this are infinite or zero in f64, and their halves do not overflow."""
LN2, LN2_LOW = tables.LN2_WHOLE_DOUBLE[:2]
RATIO = tuple(0.5 * coefficient for coefficient in tables.LOG_RATIO_DOUBLE)
TWICE_LOG2_E = tuple(2.0 * part for part in tables.LOG2_E_DOUBLE[:2])


# --- f32, in f64


def _narrow(size: Expression, y: Expression) -> Expression:
    """Return ``size ** y`` of f32 numbers of at least 0, given as f64: 41 bits of the logarithm, 40 of the
    exponential.
    """
    exponent, f = split(size, subnormal=False)
    logarithm = f.fma(polynomial.horner(f, tables.LOG2_WIDE), exponent)
    bounded = polynomial.at_most(polynomial.at_least(y * logarithm, -FAR), FAR)
    shifted = bounded + exponential.rounding_constant(bounded)
    rest = bounded - (shifted - exponential.rounding_constant(bounded))
    return polynomial.horner(rest, (1.0, *tables.EXP2_WIDE)) * exponential.power_of_two(shifted)


# --- f64


def _binary_logarithm(size: Expression) -> tuple[Expression, Expression]:
    """Return ``log2(size)`` for a positive finite f64, which may be subnormal, as the sum of two f64, the
    result and its rounding error. It uses the series of ``log((1 + s) / (1 - s))``.
    """
    exponent, f = split(size)
    below, below_low = polynomial.fast_sum(f.constant(2.0), f)
    inverse = 1.0 / below
    s = f * inverse
    s_low = ((-s).fma(below, f) - s * below_low) * inverse
    square, square_low = polynomial.product(s, s)
    square_low = (s + s).fma(s_low, square_low)
    third, third_low = polynomial.fast_sum(
        s.constant(tables.THIRD_DOUBLE[0]), square * polynomial.horner(square, RATIO)
    )
    third_low = third_low + tables.THIRD_DOUBLE[1]
    bend, bend_low = polynomial.product(square, third)
    bend_low = bend_low + square.fma(third_low, square_low * third)
    further, further_low = polynomial.product(s, bend)
    further_low = further_low + s.fma(bend_low, s_low * bend)
    total, total_low = polynomial.fast_sum(s, further)
    total_low = total_low + (s_low + further_low)
    scaled, scaled_low = polynomial.product(total, TWICE_LOG2_E[0])
    scaled_low = scaled_low + total.fma(TWICE_LOG2_E[1], total_low * TWICE_LOG2_E[0])
    result, rest = polynomial.fast_sum(exponent, scaled)
    return result, rest + scaled_low


def _wide(size: Expression, y: Expression) -> Expression:
    """Return ``size ** y`` of f64 numbers of at least 0."""
    logarithm, missing = _binary_logarithm(size)
    exponent, low = polynomial.product(y, logarithm)
    low = y.fma(missing, low)
    low = exponent.magnitude().compare("OLT", FINITE).select(low, 0.0)
    return _binary_exponential(polynomial.at_most(polynomial.at_least(exponent, -FINITE), FINITE), low)


def _binary_exponential(x: Expression, low: Expression) -> Expression:
    """Return ``2**(x + low)`` by two powers of two; the second rounds a subnormal result once."""
    magic = exponential.rounding_constant(x)
    count = (x + magic) - magic
    half = count.fma(0.5, magic)
    other = count - (half - magic) + magic
    near, lost = polynomial.product(x - count, LN2)
    rest, rest_low = polynomial.fast_sum(near, lost + (x - count).fma(LN2_LOW, low * LN2))
    bend = (rest * rest).fma(polynomial.horner(rest, tables.EXPM1_DOUBLE), rest_low)
    total, lost = polynomial.fast_sum(rest.constant(1.0), rest)
    return (total + (lost + bend)) * exponential.power_of_two(half) * exponential.power_of_two(other)


# --- C's special cases


def _by_sign(x: Expression, y: Expression, result: Expression) -> Expression:
    """Return ``x ** y`` from `result`, the power of the magnitude of `x`: negated for a negative base and an
    odd exponent, NaN for a negative finite base and an exponent that is no integer, and 1 where C asks for 1.
    """
    is_integer = y.apply(FTruncOp).compare("OEQ", y)
    half = y * 0.5
    is_odd = is_integer & half.apply(FTruncOp).compare("UNE", half)
    is_negative = x.bits().compare("SLT", 0)
    result = (is_negative & is_odd).select(-result, result)
    undefined = x.compare("OLT", 0.0) & x.compare("OGT", -polynomial.INFINITY) & ~is_integer
    undefined = undefined | x.compare("UNO", y)
    result = undefined.select(float("nan"), result)
    is_one = x.magnitude().compare("OEQ", 1.0) & y.magnitude().compare("OEQ", polynomial.INFINITY)
    is_one = is_one | x.compare("OEQ", 1.0) | y.compare("OEQ", 0.0)
    return is_one.select(1.0, result)


def _extreme(size: Expression, y: Expression, result: Expression) -> Expression:
    """Return `result`, with zero or infinity where `size`, the magnitude of the base, is zero or infinite, or
    the exponent `y` is infinite.
    """
    grows = size.compare("OGT", 1.0) ^ y.compare("OLT", 0.0)
    is_extreme = size.compare("OEQ", 0.0) | size.compare("OEQ", polynomial.INFINITY)
    is_extreme = is_extreme | y.magnitude().compare("OEQ", polynomial.INFINITY)
    return is_extreme.select(grows.select(result.constant(polynomial.INFINITY), 0.0), result)


def _finished(x: Expression, y: Expression, result: Expression) -> Expression:
    """Return ``x ** y`` from `result`, the power of the magnitude of `x`, with C's special cases: bases that
    are not positive, infinities and NaN. The code of the special cases is skipped if no lane needs it.
    """
    ordinary = (
        x.compare("OGT", 0.0)
        & x.compare("OLT", polynomial.INFINITY)
        & y.magnitude().compare("OLT", polynomial.INFINITY)
    )

    def special() -> list[Value]:
        return [_by_sign(x, y, _extreme(x.magnitude(), y, result)).value]

    found = x.code.either(polynomial.any_lane(~ordinary), special, lambda: [result.value], [result.type])
    return x.of(found[0])


def pow(x: Expression, y: Expression) -> Expression:
    """Return ``x ** y``, with the special cases of C."""
    size = x.magnitude()
    if x.element is f64:
        return _finished(x, y, _wide(size, y))
    return _finished(x, y, _narrow(size.to_float(f64), y.to_float(f64)).to_float(f32))


def power_of_integer(x: Expression, exponent: Expression) -> Expression:
    """Return ``x ** exponent``, of the type of `x` (f32 or f64), for a signed integer `exponent` of up to 32
    bits, which f64 represents exactly.
    """
    y = exponent.cast(SIToFPOp, f64)
    if x.element is f64:
        return pow(x, y)
    base = x.to_float(f64)
    return _finished(base, y, _narrow(base.magnitude(), y)).to_float(f32)


def reciprocal_root(x: Expression) -> Expression:
    """Return ``1 / sqrt(x)``."""
    return 1.0 / x.square_root()


FUNCTIONS: Mapping[str, polynomial.MathFunction] = {
    "pow": polynomial.MathFunction(pow, operations.PowFOp),
    "fpowi": polynomial.MathFunction(power_of_integer),
    "rsqrt": polynomial.MathFunction(reciprocal_root, operations.RsqrtOp),
}
"""The functions of this file, by name."""
