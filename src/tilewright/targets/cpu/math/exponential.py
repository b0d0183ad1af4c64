"""Exponential and hyperbolic functions.

``e**x = (2**n)**2 * e**r`` with ``n`` the integer nearest to ``x * log2(e) / 2``: the two factors ``2**n`` are ordinary
numbers even where the result is subnormal, and the last multiplication rounds that once.  Adding a large constant
rounds to an integer and leaves ``n`` plus the bias in the low bits, from where a shift moves it into the exponent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import e, log2

from tilewright.ir.builtin_types import FloatType, f32, f64
from tilewright.targets.cpu.elementwise_expression import Expression
from tilewright.targets.cpu.math import coefficients as tables
from tilewright.targets.cpu.math.polynomial import at_least, at_most, horner, keeping_zero

ONE_AND_A_HALF = 1.5
TANH_SATURATES = 10.0
TANH_SMALL = 0.55
SINH_LARGE = 90.0


@dataclass(frozen=True, slots=True)
class Exponential:
    """A base and format: range of arguments, ``log2(base) / 2``, parts of ``2 / log2(base)``, and the polynomial."""

    lowest: float
    highest: float
    rate: float
    steps: Sequence[float]
    polynomial: Sequence[float]


def _doubled(parts: Sequence[float]) -> tuple[float, ...]:
    return tuple(2.0 * part for part in parts[:2])


HALF_LOG2_E = 0.5 * log2(e)
NATURAL: dict[FloatType, Exponential] = {
    f32: Exponential(-104.5, 89.0, HALF_LOG2_E, _doubled(tables.LN2), (1.0, 1.0, *tables.EXP)),
    f64: Exponential(-746.0, 710.0, HALF_LOG2_E, _doubled(tables.LN2_DOUBLE), (1.0, 1.0, *tables.EXP_DOUBLE)),
}
BINARY: dict[FloatType, Exponential] = {
    f32: Exponential(-151.0, 129.0, 0.5, (2.0,), (1.0, *tables.EXP2)),
    f64: Exponential(-1076.0, 1025.0, 0.5, (2.0,), (1.0, *tables.EXP2_DOUBLE)),
}


def _power(x: Expression, data: Exponential, factor: float = 1.0) -> Expression:
    """``factor * base**x`` for a power of two; overflow and underflow as IEEE 754 has them."""
    form = x.element.format
    magic = ONE_AND_A_HALF * 2.0**form.mantissa_bits + form.bias
    bounded = at_most(at_least(x, data.lowest), data.highest)
    shifted = bounded.fma(data.rate, magic)
    count = shifted - magic
    rest = bounded
    for step in data.steps:
        rest = count.fma(-step, rest)
    scale = (shifted.bits() << form.mantissa_bits).as_type(x.element)
    last = scale if factor == 1.0 else scale * factor
    return horner(rest, data.polynomial) * scale * last


def exp(x: Expression) -> Expression:
    """``e**x``."""
    return _power(x, NATURAL[x.element])


def exp2(x: Expression) -> Expression:
    """``2**x``."""
    return _power(x, BINARY[x.element])


def _half_exp(x: Expression) -> Expression:
    """``e**x / 2``, also where ``e**x`` is too large."""
    base = NATURAL[f32]
    data = Exponential(base.lowest, SINH_LARGE, base.rate, base.steps, base.polynomial)
    return _power(x, data, 0.5)


def cosh(x: Expression) -> Expression:
    """Hyperbolic cosine (f32)."""
    half = _half_exp(x.magnitude())
    return half + 0.25 / half


def sinh(x: Expression) -> Expression:
    """Hyperbolic sine (f32): a polynomial below 1."""
    size = x.magnitude()
    half = _half_exp(size)
    large = (half - 0.25 / half).with_sign_of(x)
    square = x * x
    small = (x * square).fma(horner(square, tables.SINH), x)
    return keeping_zero(x, size.compare("OLT", 1.0).select(small, large))


def tanh(x: Expression) -> Expression:
    """Hyperbolic tangent (f32): a polynomial near 0."""
    size = x.magnitude()
    square = x * x
    doubled = at_most(size, TANH_SATURATES) * 2.0
    large = (1.0 - 2.0 / (exp(doubled) + 1.0)).with_sign_of(x)
    small = (x * square).fma(horner(square, tables.TANH), x)
    return keeping_zero(x, size.compare("OLT", TANH_SMALL).select(small, large))
