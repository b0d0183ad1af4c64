"""Logarithms (f32): ``x = 2**n * (1 + f)`` with ``1 + f`` from 2/3 to 4/3, and a polynomial in ``f``."""

from __future__ import annotations

from tilewright.dialects.llvm.ops_conversion import SIToFPOp
from tilewright.ir.builtin_types import f32
from tilewright.targets.cpu.elementwise_expression import Expression
from tilewright.targets.cpu.math import coefficients as tables
from tilewright.targets.cpu.math.polynomial import horner

LEAST_NORMAL = 2.0**-126
LIFT = 24
"""Binades by which subnormal numbers are lifted to be normal."""
TWO_THIRDS_BITS = 0x3F2A_AAAB
PLACES = f32.format.mantissa_bits


def _split(x: Expression) -> tuple[Expression, Expression]:
    """``n`` as a float, and ``f``, which is exact."""
    is_small = x.compare("OLT", LEAST_NORMAL)
    bits = is_small.select(x * 2.0**LIFT, x).bits()
    exponent = (bits - TWO_THIRDS_BITS).shift_signed(PLACES)
    rest = (bits - (exponent << PLACES)).as_type(f32) - 1.0
    exponent = exponent - is_small.select(exponent.constant(LIFT), 0)
    return exponent.cast(SIToFPOp, f32), rest


def _with_special(x: Expression, result: Expression) -> Expression:
    """Infinite at 0 and at infinity, NaN below 0."""
    ordinary = x.compare("OGT", 0.0) & x.compare("OLT", float("inf"))
    below = x.compare("OGT", 0.0).select(x, x.bits_constant(0x7FC0_0000))
    special = x.compare("OEQ", 0.0).select(x.constant(float("-inf")), below)
    return ordinary.select(result, special)


def log(x: Expression) -> Expression:
    """Natural logarithm."""
    exponent, f = _split(x)
    fraction = horner(f, tables.LOG1P).fma(f * f, f)
    low = exponent.fma(tables.LN2[1], fraction)
    return _with_special(x, exponent.fma(tables.LN2[0], low))


def log2(x: Expression) -> Expression:
    """Logarithm to base 2; powers of two give integers exactly."""
    exponent, f = _split(x)
    high, low = tables.LOG2_E[:2]
    fraction = f.fma(high, f.fma(low, horner(f, tables.LOG2_1P) * (f * f)))
    return _with_special(x, exponent + fraction)
