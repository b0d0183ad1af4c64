"""Sums, products, quotients and roots without error, as a float and its residual; a single rounding gives the
result.

Rounding modes other than to nearest are computed in this way, since processors have no cheap instructions for
them. Formats of up to 24 bits are computed in f64, whose exponent range is sufficient. For f64 itself the
significands are computed apart from the exponents. The transformations are Knuth's two-sum and Boldo and
Melquiond's fused multiply-add through rounding to odd, as in `tilewright.interp.numerics.error_free`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tilewright.ir.builtin_types import FloatType, f64
from tilewright.targets.elements import rounding as elements_rounding
from tilewright.targets.elements.expression import Expression

FAR = 200
"""The distance in binades of two terms from which only the sign of the smaller term matters."""
DOWN = "negative_inf"
ONE_BITS = f64.format.bias << f64.format.mantissa_bits
FIELD = f64.format.exponent_mask
LEAST_NORMAL = 2.0**-1022
LIFT = 54
"""The number of binades by which subnormal numbers are scaled up to be normal."""
BIAS = f64.format.bias
PLACES = f64.format.mantissa_bits


@dataclass(frozen=True, slots=True)
class ScaledExact:
    """``(value + residual) * 2**scale``: the nearest f64, and its residual, whose sign alone is used.
    ``scale`` is None for formats that are computed in f64, whose scale is 0.
    """

    value: Expression
    residual: Expression
    scale: Expression | None = None


def two_sum(a: Expression, b: Expression) -> tuple[Expression, Expression]:
    """Return the sum of two floats, rounded to nearest, and the residual: both add up to the exact sum."""
    total = a + b
    shadow = total - a
    return total, (a - (total - shadow)) + (b - shadow)


def _zero_sum(value: Expression, a: Expression, b: Expression, mode: str) -> Expression:
    """Return `value`, the sum of `a` and `b`, with the right sign of an exact zero: -0 if the rounding mode
    `mode` rounds down, unless both terms are +0. In other modes `value` is returned unchanged.
    """
    if mode != DOWN:
        return value
    negative = (a.bits() | b.bits()).compare("SLT", 0)
    zero = negative.select(value.constant(-0.0), 0.0)
    return value.compare("OEQ", 0.0).select(zero, value)


# --- formats of up to 24 bits, as f64


def _narrow_sum(operands: Sequence[Expression], mode: str) -> ScaledExact:
    a, b = operands
    total, rest = two_sum(a, b)
    return ScaledExact(_zero_sum(total, a, b, mode), rest)


def _narrow_product(operands: Sequence[Expression], mode: str) -> ScaledExact:
    a, b = operands
    return ScaledExact(a * b, a.constant(0.0))


def _narrow_quotient(operands: Sequence[Expression], mode: str) -> ScaledExact:
    a, b = operands
    quotient = a / b
    rest = (-quotient).fma(b, a)
    return ScaledExact(quotient, (rest.bits() ^ (b.bits() & f64.format.sign_mask)).as_type(f64))


def _narrow_root(operands: Sequence[Expression], mode: str) -> ScaledExact:
    (a,) = operands
    root = a.square_root()
    return ScaledExact(root, (-root).fma(root, a))


def _narrow_fma(operands: Sequence[Expression], mode: str) -> ScaledExact:
    a, b, c = operands
    return _narrow_sum((a * b, c), mode)


NARROW: dict[str, Callable[[Sequence[Expression], str], ScaledExact]] = {
    "add": _narrow_sum,
    "mul": _narrow_product,
    "div": _narrow_quotient,
    "sqrt": _narrow_root,
    "fma": _narrow_fma,
}


def rounded_narrow(
    operation: str, operands: Sequence[Expression], target: FloatType, mode: str
) -> Expression:
    """Compute the operation called `operation` in `NARROW` on operands of a format of up to 24 bits, given as
    f64, rounded once to this format, `target`, by the rounding mode `mode`.
    """
    exact = NARROW[operation](operands, mode)
    return elements_rounding.convert(
        elements_rounding.fold_residual(exact.value, exact.residual), target, mode
    )


# --- f64


def _normalised(x: Expression) -> tuple[Expression, Expression]:
    """Return the significand in [1, 2) with the sign, and the exponent; the number must not be 0."""
    small = x.magnitude().compare("OLT", LEAST_NORMAL)
    lifted = small.select(x * 2.0**LIFT, x).bits()
    exponent = ((lifted & FIELD) >> PLACES) - small.select((lifted & 0) + (BIAS + LIFT), BIAS)
    return ((lifted & ~FIELD) | ONE_BITS).as_type(f64), exponent


def _power(exponent: Expression) -> Expression:
    return ((exponent + BIAS) << PLACES).as_type(f64)


def _wide_product(operands: Sequence[Expression], mode: str) -> ScaledExact:
    (a, a_exponent), (b, b_exponent) = map(_normalised, operands)
    product = a * b
    return ScaledExact(product, a.fma(b, -product), a_exponent + b_exponent)


def _wide_quotient(operands: Sequence[Expression], mode: str) -> ScaledExact:
    (a, a_exponent), (b, b_exponent) = map(_normalised, operands)
    exact = _narrow_quotient((a, b), mode)
    return ScaledExact(exact.value, exact.residual, a_exponent - b_exponent)


def _wide_root(operands: Sequence[Expression], mode: str) -> ScaledExact:
    part, exponent = _normalised(operands[0])
    odd = exponent & 1
    exact = _narrow_root((part * _power(odd),), mode)
    return ScaledExact(exact.value, exact.residual, (exponent - odd).shift_signed(1))


def _wide_fma(operands: Sequence[Expression], mode: str) -> ScaledExact:
    (a, a_exponent), (b, b_exponent), (c, c_exponent) = map(_normalised, operands)
    has_addend = operands[2].compare("UNE", 0.0)
    high = a * b
    low = a.fma(b, -high)
    exponent = a_exponent + b_exponent
    distance = (c_exponent - exponent).minimum(FAR).maximum(-FAR)
    addend = has_addend.select(c * _power(distance), 0.0)
    value, rest = _sum_of_three(high, low, addend)
    value = _zero_sum(value, high, c, mode)
    return ScaledExact(value, rest, has_addend.select(exponent.maximum(c_exponent - FAR), exponent))


def _sum_of_three(high: Expression, low: Expression, addend: Expression) -> tuple[Expression, Expression]:
    upper, upper_rest = two_sum(addend, low)
    total, total_rest = two_sum(high, upper)
    tail = elements_rounding.fold_residual(*two_sum(upper_rest, total_rest))
    return two_sum(total, tail)


def _wide_sum(operands: Sequence[Expression], mode: str) -> ScaledExact:
    a, b = operands
    return _wide_fma((a, a.constant(1.0), b), mode)


def _native_root(operands: Sequence[Expression]) -> Expression:
    return operands[0].square_root()


WIDE: dict[str, Callable[[Sequence[Expression], str], ScaledExact]] = {
    "add": _wide_sum,
    "mul": _wide_product,
    "div": _wide_quotient,
    "sqrt": _wide_root,
    "fma": _wide_fma,
}
NATIVE: dict[str, Callable[[Sequence[Expression]], Expression]] = {
    "add": lambda operands: operands[0] + operands[1],
    "mul": lambda operands: operands[0] * operands[1],
    "div": lambda operands: operands[0] / operands[1],
    "sqrt": _native_root,
    "fma": lambda operands: operands[0].fma(operands[1], operands[2]),
}
"""The operations of the processor, rounded to nearest, by name."""


def _is_ordinary(x: Expression) -> Expression:
    magnitude = x.magnitude()
    return magnitude.compare("OGT", 0.0) & magnitude.compare("OLT", float("inf"))


def rounded_wide(operation: str, operands: Sequence[Expression], mode: str) -> Expression:
    """Compute the operation called `operation` in `WIDE` on f64, rounded once by the rounding mode `mode`.
    For zeros, infinities and NaN the processor's result is exact. NaN is canonical.
    """
    exact = WIDE[operation](operands, mode)
    scale = exact.scale
    assert scale is not None
    parts = elements_rounding.sticky_parts(exact.value, exact.residual, scale)
    never = parts.negative & False
    code = elements_rounding.pack(parts, f64.format, mode, never, saturate=False)
    rounded = elements_rounding.finish(code, parts, never, f64.format).as_type(f64)
    native = NATIVE[operation](operands)
    ordinary = _is_ordinary(operands[0])
    for operand in operands[1:]:
        ordinary = ordinary & _is_ordinary(operand)
    if operation == "sqrt":
        ordinary = ordinary & operands[0].compare("OGT", 0.0)
    if operation == "fma":
        return _fused(operands, rounded, native, mode)
    if operation == "add":
        native = _zero_sum(native, operands[0], operands[1], mode)
    return elements_rounding.canonical(ordinary.select(rounded, native))


def _fused(operands: Sequence[Expression], rounded: Expression, native: Expression, mode: str) -> Expression:
    """Return the result of a fused multiply-add: ``rounded`` where both factors are finite and not 0 and the
    addend is finite, else ``native``, the result of the processor, which is exact there.
    """
    a, b, c = operands
    product_exists = _is_ordinary(a) & _is_ordinary(b)
    ordinary = product_exists & c.magnitude().compare("OLT", float("inf"))
    native = _zero_sum(native, a * b, c, mode)
    return elements_rounding.canonical(ordinary.select(rounded, native))
