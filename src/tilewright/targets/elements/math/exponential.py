"""Exponential and hyperbolic functions of f32 and f64.

``e**x = (2**n)**2 * e**r`` with ``n`` the integer nearest to ``x * log2(e) / 2``: the two factors ``2**n`` are ordinary
numbers even where the result is subnormal, and the last multiplication rounds that once.  Adding a large constant
rounds to an integer and leaves ``n`` plus the bias in the low bits, from where a shift moves it into the exponent.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tilewright.dialects.math import dialect as operations
from tilewright.ir.builtin_types import FloatType, f32, f64
from tilewright.targets.elements.expression import Expression
from tilewright.targets.elements.math import coefficients as tables
from tilewright.targets.elements.math.polynomial import (
    MathFunction,
    at_least,
    at_most,
    fast_sum,
    horner,
    keeping_zero,
    quotient_of_sums,
)

ONE_AND_A_HALF = 1.5
LOG2_E = float.fromhex("0x1.71547652b82fep+0")


@dataclass(frozen=True, slots=True)
class Exponential:
    """The constants of a base and format: `lowest` and `highest`, to which arguments are limited, `rate`,
    which is ``log2(base) / 2``, `steps`, the parts of ``2 / log2(base)`` with the largest first, and the
    polynomial of ``base**rest``.
    """

    lowest: float
    highest: float
    rate: float
    steps: Sequence[float]
    polynomial: Sequence[float]


@dataclass(frozen=True, slots=True)
class Hyperbolic:
    """The constants of a format: `infinite`, the magnitude from which ``sinh`` and ``cosh`` are infinite, and
    `saturated`, from which ``tanh`` is 1; `steps`, the parts of ``log(2) / 2`` with the largest first; and
    coefficients of polynomials.

    `sinh` has the coefficients of ``(sinh(x) - x) / x**3`` in powers of ``x**2``, and `less_one` has the
    coefficients of ``e**x - 1`` from power 2; `half_less_one` has those for ``(e**(2 x) - 1) / 2``.
    """

    infinite: float
    saturated: float
    sinh: Sequence[float]
    less_one: Sequence[float]
    steps: Sequence[float]

    @property
    def half_less_one(self) -> tuple[float, ...]:
        """Return the coefficients of ``(e**(2 x) - 1) / 2``, from power 2."""
        return tuple(factor * 2.0 ** (power - 1) for power, factor in enumerate(self.less_one, 2))


def _times(factor: float, parts: Sequence[float]) -> tuple[float, ...]:
    return tuple(factor * part for part in parts[:2])


NATURAL: dict[FloatType, Exponential] = {
    f32: Exponential(-104.5, 89.0, 0.5 * LOG2_E, _times(2.0, tables.LN2), (1.0, 1.0, *tables.EXP)),
    f64: Exponential(
        -746.0, 710.0, 0.5 * LOG2_E, _times(2.0, tables.LN2_DOUBLE), (1.0, 1.0, *tables.EXP_DOUBLE)
    ),
}
BINARY: dict[FloatType, Exponential] = {
    f32: Exponential(-151.0, 129.0, 0.5, (2.0,), (1.0, *tables.EXP2)),
    f64: Exponential(-1076.0, 1025.0, 0.5, (2.0,), (1.0, *tables.EXP2_DOUBLE)),
}
HYPERBOLIC: Mapping[FloatType, Hyperbolic] = {
    f32: Hyperbolic(89.6, 10.0, tables.SINH, tables.EXPM1, _times(0.5, tables.LN2)),
    f64: Hyperbolic(710.6, 20.0, tables.SINH_DOUBLE, tables.EXPM1_DOUBLE, _times(0.5, tables.LN2_DOUBLE)),
}


def rounding_constant(x: Expression) -> float:
    """Return the constant that rounds an ordinary number of the format of `x` to an integer when it is added;
    the low bits of the sum then hold this integer plus the bias of the exponent.
    """
    return ONE_AND_A_HALF * 2.0**x.element.format.mantissa_bits + x.element.format.bias


def power_of_two(shifted: Expression) -> Expression:
    """Return ``2**n`` for `shifted`, the sum of a number near the integer ``n`` and `rounding_constant`."""
    return (shifted.bits() << shifted.element.format.mantissa_bits).as_type(shifted.element)


def _power(x: Expression, data: Exponential) -> Expression:
    """Return ``base**x``, with overflow and underflow as in IEEE 754."""
    magic = rounding_constant(x)
    bounded = at_most(at_least(x, data.lowest), data.highest)
    shifted = bounded.fma(data.rate, magic)
    count = shifted - magic
    rest = bounded
    for step in data.steps:
        rest = count.fma(-step, rest)
    scale = power_of_two(shifted)
    return horner(rest, data.polynomial) * scale * scale


def exp(x: Expression) -> Expression:
    """Return ``e**x`` with overflow and underflow as in IEEE 754."""
    return _power(x, NATURAL[x.element])


def exp2(x: Expression) -> Expression:
    """Return ``2**x`` with overflow and underflow as in IEEE 754."""
    return _power(x, BINARY[x.element])


def _quarter_exp(x: Expression) -> tuple[Expression, Expression]:
    """Return ``e**x / 4`` and its residual, for `x` of at least 0. The quarter is finite wherever ``sinh(x)``
    and ``cosh(x)`` are.
    """
    data = HYPERBOLIC[x.element]
    magic = rounding_constant(x) - 2.0
    bounded = at_most(x, data.infinite)
    shifted = bounded.fma(LOG2_E, magic)
    count = shifted - magic
    rest, rest_low = fast_sum(count.fma(-2.0 * data.steps[0], bounded), count * (-2.0 * data.steps[1]))
    bend = (rest * rest).fma(horner(rest, data.less_one), rest_low)
    most, lost = fast_sum(rest.constant(1.0), rest)
    total, low = fast_sum(most, lost + bend)
    scale = power_of_two(shifted)
    return scale * total, scale * low


def cosh(x: Expression) -> Expression:
    """Return the hyperbolic cosine of `x`, infinite where it exceeds the format."""
    quarter, low = _quarter_exp(x.magnitude())
    return (quarter + (0.0625 / quarter + low)) * 2.0


def sinh(x: Expression) -> Expression:
    """Return the hyperbolic sine of `x`: by a polynomial if the magnitude is below 1, otherwise by the
    exponential. The sign of zero is kept.
    """
    size = x.magnitude()
    quarter, low = _quarter_exp(size)
    large = ((quarter + (low - 0.0625 / quarter)) * 2.0).with_sign_of(x)
    square = x * x
    small = (x * square).fma(horner(square, HYPERBOLIC[x.element].sinh), x)
    return keeping_zero(x, size.compare("OLT", 1.0).select(small, large))


def tanh(x: Expression) -> Expression:
    """Return the hyperbolic tangent as ``h / (h + 1)`` with ``h = (e**(2 x) - 1) / 2``, which loses no digits
    near 0.
    """
    data = HYPERBOLIC[x.element]
    magic = rounding_constant(x)
    size = at_most(x.magnitude(), data.saturated)
    shifted = size.fma(2.0 * LOG2_E, magic)
    count = shifted - magic
    near = count.fma(-data.steps[0], size)
    quotient = _precise_quotient if x.element is f64 else _quotient
    return quotient(near, count, power_of_two(shifted)).with_sign_of(x)


def _quotient(near: Expression, count: Expression, scale: Expression) -> Expression:
    """Return ``h / (h + 1)`` with ``h = (e**(2 x) - 1) / 2`` for f32, corrected by the rounding errors of
    both terms.

    ``scale`` is ``2**count``; `near` is the remainder of the argument, before the low part of ``log(2)`` is
    subtracted.
    """
    data = HYPERBOLIC[near.element]
    rest = count.fma(-data.steps[1], near)
    first, low = fast_sum(rest, (rest * rest) * horner(rest, data.half_less_one))
    offset = scale.fma(0.5, -0.5)
    half = scale.fma(first, offset)
    whole = half + 1.0
    ratio = half / whole
    low = scale.fma(low, scale.fma(first, offset - half))
    missing = half.compare("OLT", 1.0).select(ratio.fma((whole - 1.0) - half, low), 0.0)
    return (1.0 - ratio).fma(missing, ratio)


def _precise_quotient(near: Expression, count: Expression, scale: Expression) -> Expression:
    """Return ``h / (h + 1)`` with ``h = (e**(2 x) - 1) / 2`` for f64, from sums with residuals for numerator
    and denominator: an error of one unit in the last place is allowed, and without the residuals it is
    larger.

    ``scale`` is ``2**count``; `near` is the remainder of the argument, before the low part of ``log(2)`` is
    subtracted.
    """
    data = HYPERBOLIC[near.element]
    rest, rest_low = fast_sum(near, count * -data.steps[1])
    bend = (rest * rest).fma(horner(rest, data.half_less_one), rest_low)
    first, first_low = fast_sum(rest, bend)
    half, half_low = fast_sum(scale.fma(0.5, -0.5), scale * first)
    half_low = scale.fma(first_low, half_low)
    is_large = half.compare("OGT", 1.0)
    larger, smaller = is_large.select(half, 1.0), is_large.select(half.constant(1.0), half)
    whole, whole_low = fast_sum(larger, smaller)
    return quotient_of_sums((half, half_low), (whole, whole_low + half_low))


FUNCTIONS: Mapping[str, MathFunction] = {
    "exp": MathFunction(exp, operations.ExpOp),
    "exp2": MathFunction(exp2, operations.Exp2Op),
    "sinh": MathFunction(sinh, operations.SinhOp),
    "cosh": MathFunction(cosh, operations.CoshOp),
    "tanh": MathFunction(tanh, operations.TanhOp),
}
"""The functions of this file, by name."""
