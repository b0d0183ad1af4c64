"""Logarithms of f32 and f64: ``x = 2**n * (1 + f)`` with ``1 + f`` from sqrt(1/2) to sqrt(2), and a polynomial in ``f``.

In this interval a sum of ``n`` and the logarithm of ``1 + f`` is no less precise than its terms.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

from tilewright.dialects.math import dialect as operations
from tilewright.ir.arithmetic.float_format import FloatFormat
from tilewright.ir.builtin_types import FloatType, f32, f64
from tilewright.targets.elements.expression import Expression
from tilewright.targets.elements.math import coefficients as tables, polynomial
from tilewright.targets.elements.rounding import nan_code


@dataclass(frozen=True, slots=True)
class Logarithm:
    """The constants of a format: parts of ``log(2)`` and ``log2(e)``, and the polynomials of both logarithms
    from power 2.
    """

    ln2: Sequence[float]
    log2_e: Sequence[float]
    natural: Sequence[float]
    binary: Sequence[float]


LOGARITHMS: Mapping[FloatType, Logarithm] = {
    f32: Logarithm(tables.LN2, tables.LOG2_E, tables.LOG1P, tables.LOG2_1P),
    f64: Logarithm(tables.LN2_DOUBLE, tables.LOG2_E_DOUBLE, tables.LOG1P_DOUBLE, tables.LOG2_1P_DOUBLE),
}


HALF_A_BINADE = 2.0 - sqrt(2.0)
"""The distance from the square root of 1/2 to 1, in units of the mantissa."""


def split(x: Expression, *, subnormal: bool = True) -> tuple[Expression, Expression]:
    """Return ``n`` as a float, and ``f``, which is exact, with ``x = 2**n * (1 + f)``, for positive numbers.

    ``subnormal``: whether `x` may be subnormal. The exponent is converted through the low bits of the float
    ``2**places``: few processors convert integers of 64 bits.
    """
    form: FloatFormat = x.element.format
    places = form.mantissa_bits
    offset = x.constant(2.0**places + form.bias)
    if subnormal:
        is_small = x.compare("OLT", 2.0 ** (1 - form.bias))
        lift = places + 1
        x = is_small.select(x * 2.0**lift, x)
        offset = is_small.select(x.constant(2.0**places + form.bias + lift), offset)
    bits = x.bits()
    field = (bits + int(HALF_A_BINADE * 2**places)) >> places
    rest = (bits - ((field - form.bias) << places)).as_type(x.element) - 1.0
    whole = field | ((places + form.bias) << places)
    return whole.as_type(x.element) - offset, rest


def _with_special(x: Expression, result: Expression) -> Expression:
    """Return `result`, a logarithm of `x`, with special cases: minus infinity at 0, infinity at infinity, and
    NaN below 0 and for NaN.
    """
    ordinary = x.compare("OGT", 0.0) & x.compare("OLT", polynomial.INFINITY)
    below = x.compare("OGT", 0.0).select(x, x.bits_constant(nan_code(x.element.format)))
    special = x.compare("OEQ", 0.0).select(x.constant(-polynomial.INFINITY), below)
    return ordinary.select(result, special)


def natural(exponent: Expression, f: Expression) -> Expression:
    """Return ``log(2**exponent * (1 + f))``."""
    data = LOGARITHMS[f.element]
    fraction = polynomial.horner(f, data.natural).fma(f * f, f)
    low = exponent.fma(data.ln2[1], fraction)
    return exponent.fma(data.ln2[0], low)


def binary(exponent: Expression, f: Expression) -> Expression:
    """Return ``log2(2**exponent * (1 + f))``; powers of two give exact integers."""
    data = LOGARITHMS[f.element]
    high, low = data.log2_e[:2]
    return exponent + f.fma(high, f.fma(low, polynomial.horner(f, data.binary) * (f * f)))


def log(x: Expression) -> Expression:
    """Return the natural logarithm of `x`, of f32 or f64: minus infinity at 0, NaN below 0."""
    return _with_special(x, natural(*split(x)))


def log2(x: Expression) -> Expression:
    """Return the logarithm of `x` to base 2: minus infinity at 0, NaN below 0."""
    return _with_special(x, binary(*split(x)))


FUNCTIONS: Mapping[str, polynomial.MathFunction] = {
    "log": polynomial.MathFunction(log, operations.LogOp),
    "log2": polynomial.MathFunction(log2, operations.Log2Op),
}
"""The functions of this file, by name."""
