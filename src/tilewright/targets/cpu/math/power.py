"""Powers: by way of binary logarithm and exponential in f64, so that f32 results are rounded from far more bits."""

from __future__ import annotations

from tilewright.dialects.llvm.intrinsics_float import FTruncOp
from tilewright.dialects.llvm.ops_conversion import SIToFPOp
from tilewright.ir.builtin_types import f32, f64
from tilewright.targets.cpu.elementwise_expression import Expression
from tilewright.targets.cpu.math import coefficients as tables
from tilewright.targets.cpu.math.polynomial import at_least, at_most, horner

TWO_THIRDS_BITS = 0x3FE5_5555_5555_5555
PLACES = f64.format.mantissa_bits
BIAS = f64.format.bias
FAR = 300.0
"""Binary exponents beyond this are infinite or zero in f32, and safe in f64."""
INFINITY = float("inf")


def _binary_logarithm(x: Expression) -> Expression:
    """``log2(x)`` of normal numbers, to 48 bits."""
    bits = x.bits()
    exponent = (bits - TWO_THIRDS_BITS).shift_signed(PLACES)
    mantissa = (bits - (exponent << PLACES)).as_type(f64)
    ratio = (mantissa - 1.0) / (mantissa + 1.0)
    return exponent.cast(SIToFPOp, f64) + ratio * horner(ratio * ratio, tables.LOG2_RATIO)


def _binary_exponential(x: Expression) -> Expression:
    """``2**x`` for moderate arguments, to 39 bits."""
    magic = 1.5 * 2.0**PLACES + BIAS
    shifted = x + magic
    rest = x - (shifted - magic)
    return horner(rest, (1.0, *tables.EXP2_WIDE)) * (shifted.bits() << PLACES).as_type(f64)


def _of_magnitude(size: Expression, y: Expression) -> Expression:
    """``size ** y`` for magnitudes that are no NaN."""
    logarithm = _binary_logarithm(size)
    logarithm = size.compare("OEQ", 0.0).select(-INFINITY, logarithm)
    logarithm = size.compare("OEQ", INFINITY).select(INFINITY, logarithm)
    return _binary_exponential(at_most(at_least(y * logarithm, -FAR), FAR))


def wide_power(x: Expression, y: Expression) -> Expression:
    """``x ** y`` in f64 for bases that are f32 numbers, with C's special cases."""
    size = x.magnitude()
    result = _of_magnitude(size, y)
    is_integer = y.apply(FTruncOp).compare("OEQ", y)
    half = y * 0.5
    is_odd = is_integer & half.apply(FTruncOp).compare("UNE", half)
    is_negative = x.bits().compare("SLT", 0)
    result = (is_negative & is_odd).select(-result, result)
    undefined = x.compare("OLT", 0.0) & x.compare("OGT", -INFINITY) & ~is_integer
    undefined = undefined | x.compare("UNO", y)
    result = undefined.select(float("nan"), result)
    is_one = size.compare("OEQ", 1.0) & y.magnitude().compare("OEQ", INFINITY)
    is_one = is_one | x.compare("OEQ", 1.0) | y.compare("OEQ", 0.0)
    return is_one.select(1.0, result)


def pow(x: Expression, y: Expression) -> Expression:
    """``x ** y`` (f32)."""
    return wide_power(x.to_float(f64), y.to_float(f64)).to_float(f32)


def power_of_integer(x: Expression, exponent: Expression) -> Expression:
    """``x ** exponent`` (f32 and a signed integer of up to 32 bits)."""
    return wide_power(x.to_float(f64), exponent.cast(SIToFPOp, f64)).to_float(f32)
